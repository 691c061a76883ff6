/* Energies and momenta: sums over links. */
#include "dynamics/measures.h"
#include "dynamics/solver.h"

#include <string.h>

/* Whether its potential depends on where its hinge has moved it. */
static int is_displaced(const rct_links *links, int64_t l)
{
    return links->parent[l] == RCT_GROUND || rct_slides((rct_hinge_type)links->kind[l]);
}

/* What that adds: hinges displace what slides; at roots the ground does, and the place of a free link is all its own. */
static double displaced_potential(const rct_solver *s, int64_t l, const double gravity[3])
{
    const rct_links *links = &s->plan->links;
    const double mass = s->plan->levers[l * LEVER_FIELDS + LEVER_MASS];
    const int32_t up = links->parent[l];
    double displacement[3], sum = 0.0;
    if (up != RCT_GROUND) {
        rct_hinge_displacement(links, l, s->state, &s->poses[up], displacement);
    }
    for (int i = 0; i < 3; i++) {
        if (up == RCT_GROUND) {
            displacement[i] = s->poses[l].position[i] - rct_link_record(links, l)[LINK_AT + i];
        }
        sum -= gravity[i] * (mass * displacement[i]);
    }
    return sum;
}

/* sum of 1/2 D u^2 */
static double rotor_energy(const rct_solver *s, int64_t l)
{
    const rct_body *head = &s->plan->bodies[s->plan->head[l]];
    const double *u = s->state + s->plan->links.state_at[l] + rct_hinge_coordinates(head->hinge);
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += head->armature[i] != 0.0 ? 0.5 * head->armature[i] * u[i] * u[i] : 0.0;
    }
    return sum;
}

void rct_solver_spring_energies(const rct_solver *s, int32_t systems, double *energy)
{
    memset(energy, 0, (size_t)systems * sizeof *energy);
    for (int32_t l = 0; l < s->plan->links.count && s->plan->has_efforts; l++) {
        const rct_body *head = &s->plan->bodies[s->plan->head[l]];
        const double *q = s->state + s->plan->links.state_at[l];
        for (int i = 0; i < 3; i++) {
            if (head->stiffness[i] != 0.0) { /* none at absolute hinges */
                const double stretch = q[i] - head->rest[i];
                energy[s->plan->head[l] % systems] += 0.5 * head->stiffness[i] * stretch * stretch;
            }
        }
    }
    rct_solver_add_spring_energy(s, systems, energy);
}

/* Of links that gravity pulls alike; their potential from 0. */
static void measure_links(const rct_solver *s, int64_t first, int64_t count, double *parts)
{
    const rct_measured of = {&s->plan->links, s->plan->levers, s->poses};
    const double *gravity = rct_plan_gravity(s->plan, s->plan->head[first]);
    rct_measure_links(&of, gravity, first, count, parts);
    for (int64_t l = first; l < first + count; l++, parts += MEASURES) {
        if (is_displaced(&s->plan->links, l)) {
            parts[MEASURE_POTENTIAL] += displaced_potential(s, l, gravity);
        }
        if (s->plan->has_efforts) {
            parts[MEASURE_KINETIC] += rotor_energy(s, l);
        }
    }
}

void rct_solver_measure_links(const rct_solver *s, int64_t first, int64_t count, double *parts)
{
    const int64_t alike = s->plan->systems == 0 ? count : 1;
    for (int64_t k = 0; k < count; k += alike) {
        measure_links(s, first + k, alike, parts + k * MEASURES);
    }
    for (int64_t k = 0; k < count; k++) {
        parts[k * MEASURES + MEASURE_POTENTIAL] -= s->reference[first + k];
    }
}

void rct_solver_set_reference(rct_solver *s)
{
    double parts[MEASURES];
    rct_solver_read_poses(s);
    memset(s->reference, 0, (size_t)s->plan->links.count * sizeof *s->reference);
    for (int64_t l = 0; l < s->plan->links.count; l++) {
        rct_solver_measure_links(s, l, 1, parts);
        s->reference[l] = parts[MEASURE_POTENTIAL];
    }
    rct_solver_spring_energies(s, 1, &s->reference_springs);
}

/* The parts of links from `first` on. */
typedef struct measuring {
    const rct_solver *s;
    int64_t first;
} measuring;

static void measure_range(void *context, int64_t begin, int64_t end)
{
    const measuring *m = context;
    rct_solver_measure_links(m->s, m->first + begin, end - begin, m->s->parts + begin * MEASURES);
}

typedef struct measure_sums {
    double sum[MEASURES], rest[MEASURES];
} measure_sums;

static void add_parts(measure_sums *all, const double *parts)
{
    for (int k = 0; k < MEASURES; k++) {
        exact_add(&all->sum[k], &all->rest[k], parts[k]);
    }
}

/* Parts by threads, sums in the order of links: batches come to the same bits. */
void rct_solver_measure_inside(const rct_solver *s, rct_measures *measures)
{
    const int64_t links = s->plan->links.count, most = rct_measured_at_once(links);
    measuring m = {.s = s};
    measure_sums all = {.sum = {0.0}};
    double springs;
    rct_solver_read_places(s);
    for (; m.first < links; m.first += most) {
        const int64_t count = links - m.first < most ? links - m.first : most;
        rct_solver_share(s, count, measure_range, &m);
        for (int64_t k = 0; k < count; k++) {
            add_parts(&all, s->parts + k * MEASURES);
        }
    }
    rct_solver_spring_energies(s, 1, &springs);
    exact_add(&all.sum[MEASURE_POTENTIAL], &all.rest[MEASURE_POTENTIAL],
              springs - s->reference_springs);
    for (int k = 0; k < MEASURES; k++) {
        all.sum[k] += all.rest[k];
    }
    measures->kinetic = all.sum[MEASURE_KINETIC];
    measures->potential = all.sum[MEASURE_POTENTIAL];
    memcpy(measures->momentum, all.sum + MEASURE_MOMENTUM, sizeof measures->momentum);
    memcpy(measures->angular_momentum, all.sum + MEASURE_ANGULAR,
           sizeof measures->angular_momentum);
}
