/* Forces at hinges (hinge_forces.h): link after link, so that threads share the links and sums do not depend on it. */
#include "dynamics/hinge_forces.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "model/effort.h"
#include "model/model.h"
#include "topology/sorting.h"

#include <math.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------- */

/* The link at whose hinge force i acts, or RCT_GROUND. */
static int32_t link_of(const rct_plan *plan, int32_t i)
{
    const rct_force *f = &plan->surroundings->forces[i];
    return rct_force_is_at_hinge(f) ? plan->link_of[f->body] : RCT_GROUND;
}

/* Links that have any move to the front, with their forces. */
static void keep_links(rct_hinge_forces *h, int32_t links)
{
    for (int32_t l = 0; l < links; l++) {
        if (h->begin[l + 1] > h->begin[l]) {
            h->links[h->count] = l;
            h->begin[h->count++] = h->begin[l];
        }
    }
    h->begin[h->count] = h->begin[links];
}

rct_status rct_hinge_forces_create(rct_hinge_forces *h, const rct_plan *plan, rct_error *error)
{
    const int32_t forces = plan->surroundings->force_count, links = plan->links.count;
    int32_t count = 0;
    for (int32_t i = 0; i < forces; i++) {
        count += link_of(plan, i) != RCT_GROUND;
    }
    if (count == 0) {
        return RCT_OK;
    }
    int32_t *key = rct_allocate(forces, sizeof *key, "the forces at hinges", error);
    const rct_array arrays[] = {
        RCT_ARRAY(h->force, count),
        RCT_ARRAY(h->begin, (int64_t)links + 1),
        RCT_ARRAY(h->links, count),
        RCT_ARRAY(h->rotors, 3 * (int64_t)count),
    };
    if (key == NULL || rct_allocate_arrays(arrays, 4, "the forces at hinges", error) != RCT_OK) {
        rct_release(key);
        rct_hinge_forces_free(h);
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < forces; i++) {
        key[i] = link_of(plan, i);
    }
    rct_sort_by_key(h->force, h->begin, key, forces, links);
    keep_links(h, links);
    rct_release(key);
    return RCT_OK;
}

void rct_hinge_forces_free(rct_hinge_forces *h)
{
    rct_release(h->links);
    rct_release(h->begin);
    rct_release(h->force);
    rct_release(h->rotors);
    *h = (rct_hinge_forces){.count = 0};
}

int64_t rct_hinge_forces_bytes(const rct_hinge_forces *h)
{
    const int64_t forces = h->count > 0 ? h->begin[h->count] : 0;
    return forces * (int64_t)(3 * sizeof *h->rotors + 3 * sizeof *h->force);
}

/* ---- efforts ------------------------------------------------------------------------------ */

typedef struct exerting {
    const rct_solver *s;
    double time;
} exerting;

static void exert_range(void *context, int64_t first, int64_t end)
{
    const exerting *x = context;
    const rct_solver *s = x->s;
    const rct_hinge_forces *h = &s->at_hinges;
    for (int64_t k = first; k < end; k++) {
        const int32_t link = h->links[k];
        const double *q = s->state + s->plan->links.state_at[link];
        const double *u = q + rct_hinge_coordinates((rct_hinge_type)s->plan->links.kind[link]);
        double *effort = s->loads + (int64_t)link * LOAD_FIELDS + LOAD_EFFORT;
        for (int32_t i = h->begin[k]; i < h->begin[k + 1]; i++) {
            const rct_force *f = &s->plan->surroundings->forces[h->force[i]];
            const int32_t c = f->coordinate;
            effort[c] += rct_force_exert(f, x->time, q[c], u[c]).effort;
        }
    }
}

void rct_solver_exert_forces(const rct_solver *s, double time)
{
    exerting x = {s, time};
    if (s->at_hinges.count > 0) {
        s->backend->read_links(s->run, s->at_hinges.links, s->at_hinges.count, s->state);
        rct_solver_share(s, s->at_hinges.count, exert_range, &x);
    }
}

void rct_solver_add_hinge_energy(const rct_solver *s, int32_t systems, double *energy)
{
    const rct_hinge_forces *h = &s->at_hinges;
    for (int32_t k = 0; k < h->count; k++) {
        const double *q = s->state + s->plan->links.state_at[h->links[k]];
        for (int32_t i = h->begin[k]; i < h->begin[k + 1]; i++) {
            const rct_force *f = &s->plan->surroundings->forces[h->force[i]];
            energy[h->force[i] % systems] += rct_force_energy(f, q[f->coordinate]);
        }
    }
}

/* ---- implicit stages ---------------------------------------------------------------------- */

void rct_solver_add_slopes(const rct_solver *s, double time, const double *coordinates,
                           const double *rates, double *stiffness, double *damping)
{
    const rct_hinge_forces *h = &s->at_hinges;
    for (int32_t k = 0; k < h->count; k++) {
        const int64_t q = rct_plan_coordinates_at(s->plan, h->links[k]);
        const int64_t r = rct_plan_rates_at(s->plan, h->links[k]);
        for (int32_t i = h->begin[k]; i < h->begin[k + 1]; i++) {
            const rct_force *f = &s->plan->surroundings->forces[h->force[i]];
            const int32_t c = f->coordinate;
            const rct_force_effort e = rct_force_exert(f, time, coordinates[q + c], rates[r + c]);
            stiffness[r + c] += fmax(0.0, -e.by_coordinate);
            damping[r + c] += fmax(0.0, -e.by_rate);
        }
    }
}

void rct_solver_expect_delta(const rct_solver *s)
{
    const rct_hinge_forces *h = &s->at_hinges;
    if (s->plan->yields && h->count > 0) {
        s->backend->set_delta(s->run, 0.0, h->links, h->count, h->rotors);
    }
}

void rct_solver_set_delta(rct_solver *s, double delta, const double *stiffness,
                          const double *damping)
{
    const rct_hinge_forces *h = &s->at_hinges;
    for (int32_t k = 0; k < h->count; k++) {
        const int32_t link = h->links[k];
        const int n = rct_hinge_freedoms((rct_hinge_type)s->plan->links.kind[link]);
        const rct_body *head = rct_bodies_at(s->plan->bodies, s->plan->head[link]);
        const int64_t r = rct_plan_rates_at(s->plan, link);
        for (int i = 0; i < n && delta != 0.0; i++) { /* the others are in the rows */
            h->rotors[3 * (int64_t)k + i] =
                delta * (damping[r + i] - head->damping[i] +
                         delta * (stiffness[r + i] - head->stiffness[i]));
        }
    }
    s->backend->set_delta(s->run, delta, h->links, h->count, h->rotors);
}
