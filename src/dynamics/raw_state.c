/* The state of a solver as its backend passes it. */
#include "dynamics/raw_state.h"

#include "dynamics/closed.h"
#include "dynamics/events.h"

#include <math.h>
#include <stddef.h>

static int64_t numbers_of_links(const rct_solver *solver)
{
    return solver->plan->links.state_at[solver->plan->links.count];
}

int64_t rct_raw_count(const rct_solver *solver)
{
    const int64_t loops = solver->closed != NULL ? rct_closed_count(solver->closed) : 0;
    const int64_t events = solver->events != NULL ? solver->events->count : 0;
    return numbers_of_links(solver) + loops + 2 * events;
}

void rct_raw_read(const rct_solver *solver, double *numbers)
{
    solver->backend->read_state(solver->run, numbers);
    if (solver->closed != NULL) {
        rct_closed_read_active(solver->closed, numbers + numbers_of_links(solver));
    }
    if (solver->events != NULL) {
        rct_events_read(solver->events,
                        numbers + numbers_of_links(solver) + rct_closed_count(solver->closed));
    }
}

rct_status rct_raw_write(rct_solver *solver, double time, const double *numbers, rct_error *error)
{
    solver->backend->write_state(solver->run, numbers);
    rct_solver_set_time_inside(solver, time);
    solver->kept = NAN;
    if (solver->events != NULL) {
        rct_events_write(solver->events,
                         numbers + numbers_of_links(solver) + rct_closed_count(solver->closed));
    }
    return solver->closed != NULL
               ? rct_closed_write_active(solver, numbers + numbers_of_links(solver), error)
               : RCT_OK;
}
