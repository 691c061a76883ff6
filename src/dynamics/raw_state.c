/* The state of a solver as numbers of the backend table (raw_state.h). */
#include "dynamics/raw_state.h"

#include "dynamics/closed/closed.h"
#include "dynamics/events.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static_assert(sizeof(rct_pace) == PACE_FIELDS * sizeof(double), "a pace is doubles");

static int64_t numbers_of_links(const rct_solver *solver)
{
    return rct_link_state(&solver->plan->links, solver->plan->links.count);
}

static int64_t numbers_of_loops(const rct_solver *solver)
{
    return solver->closed != NULL ? rct_closed_count(solver->closed) : 0;
}

/* How often each event has happened, and when. */
static int64_t numbers_of_events(const rct_solver *solver)
{
    return solver->events != NULL ? 2 * (int64_t)solver->events->count : 0;
}

int64_t rct_raw_count(const rct_solver *solver)
{
    return numbers_of_links(solver) + numbers_of_loops(solver) + numbers_of_events(solver) +
           (rct_solver_adapts(solver) ? PACE_FIELDS : 0);
}

void rct_raw_read(const rct_solver *solver, double *numbers)
{
    solver->backend->read_state(solver->run, numbers);
    if (solver->closed != NULL) {
        rct_closed_read_active(solver->closed, numbers + numbers_of_links(solver));
    }
    numbers += numbers_of_links(solver) + numbers_of_loops(solver);
    if (solver->events != NULL) {
        rct_events_read(solver->events, numbers);
    }
    if (rct_solver_adapts(solver)) {
        memcpy(numbers + numbers_of_events(solver), &solver->pace, sizeof solver->pace);
    }
}

rct_status rct_raw_write(rct_solver *solver, double time, const double *numbers, rct_error *error)
{
    const double *rest = numbers + numbers_of_links(solver) + numbers_of_loops(solver);
    solver->backend->write_state(solver->run, numbers);
    rct_solver_set_time_inside(solver, time);
    solver->kept = NAN;
    if (solver->events != NULL) {
        rct_events_write(solver->events, rest);
    }
    if (rct_solver_adapts(solver)) {
        memcpy(&solver->pace, rest + numbers_of_events(solver), sizeof solver->pace);
    }
    return solver->closed != NULL
               ? rct_closed_write_active(solver, numbers + numbers_of_links(solver), error)
               : RCT_OK;
}
