/* Solvers of one model with loops, evaluated and compared (closed_system.h). */
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

rct_solver *closed_solver(const rct_model *model, rct_solver_options options)
{
    rct_error error;
    options.backend = strcmp(options.backend, "auto") == 0 ? "cpu" : options.backend;
    options.as_given = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* The largest difference over the largest number, of accelerations and rate derivatives, and of
 * forces of loops. */
double closed_apart(const rct_solver *a, const rct_solver *b)
{
    rct_solver_info info;
    rct_loop_info held;
    rct_solver_get_info(a, &info);
    rct_solver_get_loop_info(a, &held);
    const int64_t n = info.bodies, u = info.dof, loops = held.loops;
    const int64_t count[3] = {6 * n, u, 6 * loops};
    double worst = 0.0;
    for (int what = 0; what < 3; what++) {
        double *x = calloc((size_t)(2 * count[what] + 2), sizeof *x), *y = x + count[what];
        double size = 1.0, off = 0.0;
        for (int k = 0; k < 2; k++) {
            const rct_solver *s = k == 0 ? a : b;
            double *to = k == 0 ? x : y;
            if (what == 0) {
                rct_solver_get_accelerations(s, to, to + 3 * n);
            } else if (what == 1) {
                rct_solver_get_rate_derivatives(s, to);
            } else {
                rct_solver_get_loop_forces(s, to, to + 3 * loops, NULL);
            }
        }
        for (int64_t i = 0; i < count[what]; i++) {
            size = larger(size, fabs(y[i]));
            off = larger(off, fabs(x[i] - y[i]));
        }
        worst = larger(worst, off / size);
        free(x);
    }
    return worst;
}

void closed_evaluate(rct_solver *solver)
{
    rct_error error;
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Evaluates both solvers: both agree, or both say that the loops contradict one another. Returns
 * whether there are accelerations. */
int closed_evaluate_alike(rct_solver *one, rct_solver *other, double tolerance)
{
    const rct_status status = rct_solver_evaluate(other, NULL);
    assert_int_equal(rct_solver_evaluate(one, NULL), status);
    assert_true(status == RCT_OK || status == RCT_ERROR_LOOP);
    if (status == RCT_OK) {
        assert_true(closed_apart(one, other) < tolerance);
    }
    return status == RCT_OK;
}
