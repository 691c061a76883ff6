/* Systems side by side in one solver (systems.h). */
#include "dynamics/systems.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "kernels/measure.h"

#include <stddef.h>
#include <string.h>

typedef struct system_sums {
    exact_sum kinetic, potential;
} system_sums;

static int64_t state_numbers(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    const int64_t links = plan->links.count;
    return plan->mixed ? plan->state_at[links] : links * STATE_FIELDS;
}

rct_status rct_systems_create(rct_systems *s, rct_solver *solver, int32_t count, rct_error *error)
{
    static const char what[] = "the systems of a batch";
    const int mixed = solver->mixed != NULL;
    const int64_t one = sizeof(double);
    *s = (rct_systems){.solver = solver, .count = count, .numbers = state_numbers(solver)};
    s->state = rct_allocate(s->numbers, one, what, error);
    s->sums = rct_allocate(count, sizeof(system_sums), what, error);
    s->potentials = rct_allocate(mixed ? 0 : solver->plan->links.count, one, what, error);
    s->springs = rct_allocate(mixed ? count : 0, one, what, error);
    s->now = rct_allocate(mixed ? count : 0, one, what, error);
    if (s->state == NULL || s->sums == NULL || s->potentials == NULL || s->springs == NULL ||
        s->now == NULL) {
        rct_systems_release(s);
        return RCT_ERROR_MEMORY;
    }
    rct_systems_renew(s);
    return RCT_OK;
}

void rct_systems_renew(rct_systems *s)
{
    if (s->solver->mixed != NULL) { /* which has read its start for the reference */
        rct_mixed_spring_energies(s->solver->mixed, s->count, s->springs);
    } else {
        rct_solver_read_state(s->solver, s->state);
        rct_serial_potentials(&s->solver->plan->links, s->state, s->potentials);
    }
}

void rct_systems_release(rct_systems *s)
{
    rct_release(s->state);
    rct_release(s->sums);
    rct_release(s->potentials);
    rct_release(s->springs);
    rct_release(s->now);
    *s = (rct_systems){.solver = NULL};
}

/* ---- energies ----------------------------------------------------------------------------- */

static void add_link(const rct_systems *s, int64_t l, const double parts[MEASURES])
{
    system_sums *sums = (system_sums *)s->sums + s->solver->plan->head[l] % s->count;
    exact_add(&sums->kinetic, parts[MEASURE_KINETIC]);
    exact_add(&sums->potential, parts[MEASURE_POTENTIAL]);
}

static void sum_links(const rct_systems *s)
{
    const rct_solver *solver = s->solver;
    double parts[MEASURES];
    if (solver->mixed != NULL) {
        rct_mixed_read(solver->mixed);
        for (int64_t l = 0; l < solver->plan->links.count; l++) {
            rct_mixed_link_measures(solver->mixed, l, parts);
            add_link(s, l, parts);
        }
        return;
    }
    solver->backend->read_state(solver->run, s->state);
    solver->backend->read_points(solver->run, solver->rows);
    for (int64_t l = 0; l < solver->plan->links.count; l++) {
        measure_link(&solver->plan->links, solver->plan->links.own_gravity, s->state,
                     solver->rows + 6 * l, s->potentials[l], l, parts);
        add_link(s, l, parts);
    }
}

void rct_systems_energies(rct_systems *s, double *kinetic, double *potential)
{
    system_sums *sums = s->sums;
    memset(sums, 0, (size_t)s->count * sizeof *sums);
    sum_links(s);
    if (s->solver->mixed != NULL) {
        rct_mixed_spring_energies(s->solver->mixed, s->count, s->now);
    }
    for (int32_t i = 0; i < s->count; i++) {
        if (s->solver->mixed != NULL) {
            exact_add(&sums[i].potential, s->now[i] - s->springs[i]);
        }
        kinetic[i] = sums[i].kinetic.sum + sums[i].kinetic.rest;
        potential[i] = sums[i].potential.sum + sums[i].potential.rest;
    }
}

/* ---- states ------------------------------------------------------------------------------- */

static void copy_links(const rct_systems *s, double *in, const double *out)
{
    const rct_plan *plan = s->solver->plan;
    for (int64_t l = 0; l < plan->links.count; l++) {
        const int64_t row = (int64_t)plan->head[l] * RCT_HELD_STATE;
        const int64_t at = plan->mixed ? plan->state_at[l] : l * STATE_FIELDS;
        const int64_t count = plan->mixed ? plan->state_at[l + 1] - at : STATE_FIELDS;
        const size_t size = (size_t)count * sizeof(double);
        if (in != NULL) {
            memcpy(in + row, s->state + at, size);
        } else {
            memcpy(s->state + at, out + row, size);
        }
    }
}

void rct_systems_read(rct_systems *s, double *held)
{
    rct_solver_read_state(s->solver, s->state);
    copy_links(s, held, NULL);
}

void rct_systems_write(rct_systems *s, const double *held)
{
    rct_solver *solver = s->solver;
    copy_links(s, NULL, held);
    if (solver->mixed != NULL) {
        solver->mixed->backend->write_state(solver->mixed->run, s->state);
    } else {
        solver->backend->write_state(solver->run, s->state);
    }
}
