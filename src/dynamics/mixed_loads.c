/* What acts on the links of a mixed plan besides gravity and what hinges ask of their own motion, which the sweeps know
 * (EFFORT_FIELDS): the forces on bodies of mixed_forces.c, and those of closures. */
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/mixed.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

int rct_mixed_has_loads(const rct_plan *plan, const rct_solver_options *options)
{
    return options->user_forces || rct_model_force_count(plan->surroundings) > 0 ||
           rct_model_loop_count(plan->surroundings) > 0;
}

/* ---- making ------------------------------------------------------------------------------- */

/* Mark in `external` what relations act on: hinges; what other loops act on: bodies. */
static void mark_loops(rct_mixed *x, int relations)
{
    for (int32_t i = 0; i < rct_model_loop_count(x->plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(x->plan->surroundings, i, &loop, NULL);
        for (int32_t k = 0; relations && k < loop.term_count; k++) {
            x->external[6 * (int64_t)loop.terms[k].body] = 1.0;
        }
        if (!relations && loop.type != RCT_LOOP_RELATION) {
            x->external[6 * (int64_t)loop.body] = 1.0;
            if (loop.other != RCT_GROUND) {
                x->external[6 * (int64_t)loop.other] = 1.0;
            }
        }
    }
}

static void list_hinges(rct_mixed *x)
{
    mark_loops(x, 1);
    for (int32_t l = 0; l < x->plan->links.count; l++) {
        double *marked = &x->external[6 * (int64_t)x->plan->head[l]];
        if (*marked != 0.0) {
            *marked = 0.0;
            x->hinges[x->hinge_count++] = l;
        }
    }
}

/* `external` marks the bodies until they are listed. */
static void list_pushed(rct_mixed *x)
{
    const int32_t count = rct_model_force_count(x->plan->surroundings);
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(x->plan->surroundings, i, &f, NULL);
        if (f.body != RCT_GROUND) {
            x->external[6 * (int64_t)f.body] = 1.0;
        }
        if (f.other != RCT_GROUND) {
            x->external[6 * (int64_t)f.other] = 1.0;
        }
    }
    mark_loops(x, 0);
    for (int32_t b = 0; b < x->plan->body_count; b++) {
        if (x->external[6 * (int64_t)b] != 0.0) {
            x->external[6 * (int64_t)b] = 0.0;
            x->pushed[x->pushed_count++] = b;
        }
    }
}

/* As many rows as can be asked for. */
static int32_t most_pushed(const rct_mixed *x)
{
    const int64_t ends = 2 * ((int64_t)rct_model_force_count(x->plan->surroundings) +
                              rct_model_loop_count(x->plan->surroundings));
    return ends < x->plan->body_count ? (int32_t)ends : x->plan->body_count;
}

static int32_t most_hinges(const rct_plan *plan)
{
    int64_t count = 0;
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        count += loop.term_count;
    }
    return count < plan->links.count ? (int32_t)count : plan->links.count;
}

rct_status rct_mixed_create_loads(rct_mixed *x, const rct_solver_options *options, rct_error *error)
{
    static const char what[] = "the loads";
    const int64_t real = sizeof(double), bodies = x->plan->body_count;
    x->loads = rct_allocate(x->plan->links.count, LOAD_FIELDS * real, what, error);
    x->external = rct_allocate(bodies, 6 * real, what, error);
    x->hinges = rct_allocate(most_hinges(x->plan), sizeof *x->hinges, what, error);
    x->pushed = rct_allocate(most_pushed(x), sizeof *x->pushed, what, error);
    x->rows = options->user_forces ? rct_allocate(bodies, 13 * real, what, error) : NULL;
    if (x->loads == NULL || x->external == NULL || x->hinges == NULL || x->pushed == NULL ||
        (options->user_forces && x->rows == NULL)) {
        rct_mixed_free_loads(x);
        return RCT_ERROR_MEMORY;
    }
    list_hinges(x);
    list_pushed(x);
    return RCT_OK;
}

void rct_mixed_free_loads(rct_mixed *x)
{
    rct_release(x->loads);
    rct_release(x->external);
    rct_release(x->hinges);
    rct_release(x->pushed);
    rct_release(x->rows);
    x->loads = x->external = x->rows = NULL;
    x->hinges = NULL;
    x->pushed = NULL;
    x->hinge_count = x->pushed_count = x->pushed_all = 0;
}

int64_t rct_mixed_load_bytes(const rct_mixed *x)
{
    const int64_t bodies = x->plan->body_count;
    if (x->loads == NULL) {
        return 0;
    }
    return (x->plan->links.count * LOAD_FIELDS + bodies * (x->rows != NULL ? 19 : 6)) *
               (int64_t)sizeof(double) +
           most_hinges(x->plan) * (int64_t)sizeof *x->hinges +
           most_pushed(x) * (int64_t)sizeof *x->pushed;
}

/* ---- hinges ------------------------------------------------------------------------------- */

/* Along the freedoms of a hinge as LOAD_HINGE has it: x, y of planar ones from the hinge frame to link axes. */
static void turn_effort(const rct_mixed *x, int32_t link, double effort[3])
{
    if (x->plan->kind[link] == RCT_HINGE_PLANAR) {
        const double c = x->poses[link].turn[0], s = x->poses[link].turn[1];
        const double along = effort[0], across = effort[1];
        effort[0] = c * along + s * across;
        effort[1] = c * across - s * along;
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

static double *load_under(const rct_mixed *x, int64_t body)
{
    const int32_t link = x->plan->placement[body].link;
    return link == RCT_GROUND ? NULL : x->loads + (int64_t)link * LOAD_FIELDS;
}

static double *hinge_load(const rct_mixed *x, int32_t k)
{
    return x->loads + (int64_t)x->hinges[k] * LOAD_FIELDS + LOAD_HINGE;
}

static void clear(rct_mixed *x, int64_t body)
{
    double *load = load_under(x, body);
    memset(x->external + 6 * body, 0, 6 * sizeof *x->external);
    if (load != NULL) {
        memset(load + LOAD_FORCE, 0, 6 * sizeof *load); /* and LOAD_MOMENT */
    }
}

/* Add force and moment on a body to the load of its link, about the link's origin, link axes. */
static void add_to_link(const rct_mixed *x, int64_t body, const double wrench[6])
{
    const rct_placement *at = &x->plan->placement[body];
    double m[3][3], force[3], moment[3], turning[3];
    double *load = load_under(x, body);
    if (load == NULL) {
        return;
    }
    memcpy(m, x->poses[at->link].rotation, sizeof m);
    rct_rotate_back(m, wrench, force);
    rct_rotate_back(m, wrench + 3, moment);
    rct_cross(at->position, force, turning);
    for (int i = 0; i < 3; i++) {
        load[LOAD_FORCE + i] += force[i];
        load[LOAD_MOMENT + i] += moment[i] + turning[i];
    }
}

/* Forces on bodies to the loads of their links. Bodies that no force acts on, now or before, keep their zeros. */
static void load_links(rct_mixed *x, double time)
{
    const int all = x->function != NULL || x->pushed_all;
    const int32_t count = all ? x->plan->body_count : x->pushed_count;
    for (int32_t k = 0; k < count; k++) {
        clear(x, all ? k : x->pushed[k]);
    }
    rct_mixed_push(x, time, x->external);
    for (int32_t k = 0; k < count; k++) {
        const int64_t body = all ? k : x->pushed[k];
        add_to_link(x, body, x->external + 6 * body);
    }
    x->pushed_all = x->function != NULL;
}

void rct_mixed_write_loads(rct_mixed *x, double time)
{
    if (x->loads == NULL) {
        return;
    }
    rct_mixed_read(x);
    load_links(x, time);
    for (int32_t k = 0; k < x->hinge_count; k++) {
        memset(hinge_load(x, k), 0, 3 * sizeof *x->loads);
    }
    x->backend->write_loads(x->run, x->loads);
}

void rct_mixed_add_closing(rct_mixed *x, const double *force, const double *moment,
                           const double *effort, const int64_t *first)
{
    for (int32_t k = 0; k < x->pushed_count; k++) {
        const int64_t body = x->pushed[k];
        double wrench[6];
        memcpy(wrench, force + 3 * body, 3 * sizeof *wrench);
        memcpy(wrench + 3, moment + 3 * body, 3 * sizeof *wrench);
        for (int i = 0; i < 6; i++) {
            x->external[6 * body + i] += wrench[i];
        }
        add_to_link(x, body, wrench);
    }
    for (int32_t k = 0; k < x->hinge_count; k++) {
        const int32_t link = x->hinges[k];
        const rct_hinge_type type = (rct_hinge_type)x->plan->kind[link];
        const int n = type == RCT_HINGE_BALL ? 0 : rct_hinge_freedoms(type);
        double own[3] = {0.0, 0.0, 0.0};
        memcpy(own, effort + first[x->plan->head[link]], (size_t)n * sizeof *own);
        turn_effort(x, link, own);
        for (int i = 0; i < n; i++) {
            hinge_load(x, k)[i] += own[i];
        }
    }
    x->backend->write_loads(x->run, x->loads);
}

void rct_mixed_spring_energies(const rct_mixed *x, int32_t systems, double *energy)
{
    memset(energy, 0, (size_t)systems * sizeof *energy);
    for (int32_t l = 0; l < x->plan->links.count && x->plan->has_efforts; l++) {
        const rct_body *head = &x->plan->bodies[x->plan->head[l]];
        const double *q = x->state + x->plan->state_at[l];
        for (int i = 0; i < 3; i++) {
            if (head->stiffness[i] != 0.0) { /* none at absolute hinges */
                const double stretch = q[i] - head->rest[i];
                energy[x->plan->head[l] % systems] += 0.5 * head->stiffness[i] * stretch * stretch;
            }
        }
    }
    rct_mixed_add_spring_energy(x, systems, energy);
}
