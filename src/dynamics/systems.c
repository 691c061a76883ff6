/* Systems side by side in one solver (systems.h). */
#include "dynamics/systems.h"

#include "core/memory.h"
#include "dynamics/closed/closed.h"
#include "dynamics/measures.h"
#include "dynamics/solver.h"

#include <stddef.h>
#include <string.h>

typedef struct system_sums {
    double kinetic, kinetic_rest, potential, potential_rest;
} system_sums;

rct_status rct_systems_create(rct_systems *s, rct_solver *solver, int32_t count, rct_error *error)
{
    static const char what[] = "the systems of a batch";
    const int64_t one = sizeof(double);
    *s = (rct_systems){.solver = solver, .count = count};
    s->state = rct_allocate(rct_link_state(&solver->plan->links, solver->plan->links.count), one,
                            what, error);
    s->sums = rct_allocate(count, sizeof(system_sums), what, error);
    s->springs = rct_allocate(count, one, what, error);
    s->now = rct_allocate(count, one, what, error);
    if (s->state == NULL || s->sums == NULL || s->springs == NULL || s->now == NULL) {
        rct_systems_release(s);
        return RCT_ERROR_MEMORY;
    }
    rct_systems_renew(s);
    return RCT_OK;
}

void rct_systems_renew(rct_systems *s)
{
    rct_solver_spring_energies(s->solver, s->count, s->springs); /* of the start just read */
}

void rct_systems_release(rct_systems *s)
{
    rct_release(s->state);
    rct_release(s->sums);
    rct_release(s->springs);
    rct_release(s->now);
    *s = (rct_systems){.solver = NULL};
}

/* ---- energies ----------------------------------------------------------------------------- */

static void add_links(void *context, int64_t first, int64_t count, const double *parts)
{
    const rct_systems *s = context;
    const int32_t *head = s->solver->plan->places.head + first;
    for (int64_t k = 0; k < count; k++, parts += MEASURES) {
        system_sums *sums = (system_sums *)s->sums + head[k] % s->count;
        exact_add(&sums->kinetic, &sums->kinetic_rest, parts[MEASURE_KINETIC]);
        exact_add(&sums->potential, &sums->potential_rest, parts[MEASURE_POTENTIAL]);
    }
}

void rct_systems_energies(rct_systems *s, double *kinetic, double *potential)
{
    system_sums *sums = s->sums;
    memset(sums, 0, (size_t)s->count * sizeof *sums);
    rct_solver_read_poses(s->solver);
    rct_solver_measure_links(s->solver, add_links, s);
    rct_solver_spring_energies(s->solver, s->count, s->now);
    for (int32_t i = 0; i < s->count; i++) {
        exact_add(&sums[i].potential, &sums[i].potential_rest, s->now[i] - s->springs[i]);
        kinetic[i] = sums[i].kinetic + sums[i].kinetic_rest;
        potential[i] = sums[i].potential + sums[i].potential_rest;
    }
}

int32_t rct_systems_open_loop(const rct_systems *s, int32_t system, double *open)
{
    return s->solver->closed != NULL ? rct_closed_open_loop(s->solver, system, open) : -1;
}

void rct_systems_start(const rct_systems *s, int32_t system, double start[2])
{
    start[0] = start[1] = 0.0;
    if (s->solver->closed != NULL) {
        memcpy(start, rct_closed_start(s->solver, system), 2 * sizeof *start);
    }
}

/* ---- states ------------------------------------------------------------------------------- */

static void copy_links(const rct_systems *s, double *in, const double *out)
{
    const rct_plan *plan = s->solver->plan;
    for (int64_t l = 0; l < plan->links.count; l++) {
        const int64_t row = (int64_t)plan->places.head[l] * RCT_HELD_STATE;
        const int64_t at = rct_link_state(&plan->links, l);
        const size_t size = (size_t)(rct_link_state(&plan->links, l + 1) - at) * sizeof(double);
        if (in != NULL) {
            memcpy(in + row, s->state + at, size);
        } else {
            memcpy(s->state + at, out + row, size);
        }
    }
}

void rct_systems_read(rct_systems *s, double *held)
{
    s->solver->backend->read_state(s->solver->run, s->state);
    copy_links(s, held, NULL);
}

void rct_systems_write(rct_systems *s, const double *held)
{
    rct_solver *solver = s->solver;
    copy_links(s, NULL, held);
    solver->backend->write_state(solver->run, s->state);
}
