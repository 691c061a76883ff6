/* The state of a solver as its backend passes it. */
#include "dynamics/raw_state.h"

#include <math.h>
#include <stddef.h>

int64_t rct_raw_count(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    return plan->mixed ? plan->state_at[plan->links.count]
                       : (int64_t)plan->links.count * STATE_FIELDS;
}

void rct_raw_read(const rct_solver *solver, double *numbers)
{
    if (solver->mixed != NULL) {
        solver->mixed->backend->read_state(solver->mixed->run, numbers);
    } else {
        solver->backend->read_state(solver->run, numbers);
    }
}

void rct_raw_write(rct_solver *solver, double time, const double *numbers)
{
    if (solver->mixed != NULL) {
        solver->mixed->backend->write_state(solver->mixed->run, numbers);
    } else {
        solver->backend->write_state(solver->run, numbers);
    }
    rct_solver_set_time(solver, time);
    solver->kept = NAN;
}
