/* One call of a solver that a benchmark times: an evaluation, or Runge-Kutta steps, which
 * evaluate four times each. A call of many steps is what a simulation does, and what keeps an
 * accelerator busy. */
#ifndef RCT_BENCH_ADVANCE_H
#define RCT_BENCH_ADVANCE_H

#include "bench/shim/bench.h"

#include <riccatree/solver.h>

#include <string.h>

enum { MANY_STEPS = 64 };

/* Steps of a call by the name of a case: "evaluate" 0, "step" 1, "steps64" MANY_STEPS. */
static inline int64_t bench_steps(const char *what)
{
    return strstr(what, "steps64") != NULL ? MANY_STEPS : strstr(what, "step") != NULL;
}

/* Make `steps` steps, or one evaluation if that is 0; returns the evaluations made. The steps
 * are so small that the system stays at its start. */
static inline int64_t bench_advance(rct_solver *solver, int64_t steps)
{
    rct_error error;
    const rct_status status = steps > 0 ? rct_solver_step(solver, 1e-9, steps, &error)
                                        : rct_solver_evaluate(solver, &error);
    if (status != RCT_OK) {
        rct_bench_fail(error.text);
    }
    return steps > 0 ? 4 * steps : 1;
}

#endif
