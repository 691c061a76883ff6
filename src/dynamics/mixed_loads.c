/* What acts on the links besides what the sweeps know: gravity, wrenches (WRENCH_FIELDS) and what hinges
 * ask of their own motion (EFFORT_FIELDS). The forces on bodies of mixed_forces.c, and those of closures. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/mixed.h"

#include <riccatree/loop.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

int rct_mixed_has_loads(const rct_plan *plan, const rct_solver_options *options)
{
    int any = options->user_forces || rct_model_loop_count(plan->surroundings) > 0;
    for (int32_t i = 0; i < rct_model_force_count(plan->surroundings) && !any; i++) {
        rct_force f;
        rct_model_force(plan->surroundings, i, &f, NULL);
        any = f.type == RCT_FORCE_SPRING;
    }
    return any;
}

/* ---- making ------------------------------------------------------------------------------- */

static rct_status list_loads(const rct_mixed *x, const int32_t *named, int32_t count,
                             rct_load_lists *lists, rct_error *error)
{
    return rct_load_lists_create(lists, x->plan, named, count, x->backend->read_poses == NULL,
                                 error);
}

/* Where all are, they are read as such. */
static void want_poses(rct_mixed *x)
{
    if (x->backend->want_poses != NULL && x->acting.posed_count < x->plan->links.count) {
        x->backend->want_poses(x->run, x->acting.posed, x->acting.posed_count);
    }
}

rct_status rct_mixed_create_loads(rct_mixed *x, const rct_solver_options *options, rct_error *error)
{
    static const char what[] = "the loads";
    const int64_t real = sizeof(double), bodies = x->plan->body_count;
    x->loads = rct_allocate(x->plan->links.count, LOAD_FIELDS * real, what, error);
    x->external = rct_allocate(bodies, 6 * real, what, error);
    x->named = options->user_forces ? rct_allocate(bodies, sizeof *x->named, what, error) : NULL;
    x->rows = options->user_forces ? rct_allocate(bodies, USER_FIELDS * real, what, error) : NULL;
    if (x->loads == NULL || x->external == NULL ||
        (options->user_forces && (x->named == NULL || x->rows == NULL)) ||
        list_loads(x, NULL, 0, &x->acting, error) != RCT_OK) {
        rct_mixed_free_loads(x);
        return RCT_ERROR_MEMORY;
    }
    want_poses(x);
    return RCT_OK;
}

void rct_mixed_free_loads(rct_mixed *x)
{
    rct_release(x->loads);
    rct_release(x->external);
    rct_release(x->named);
    rct_release(x->rows);
    rct_load_lists_free(&x->acting);
    x->loads = x->external = x->rows = NULL;
    x->named = NULL;
    x->named_count = 0;
    x->function = NULL;
    x->context = NULL;
}

int64_t rct_mixed_load_bytes(const rct_mixed *x)
{
    const int64_t bodies = x->plan->body_count, real = sizeof(double);
    if (x->loads == NULL) {
        return 0;
    }
    return (x->plan->links.count * LOAD_FIELDS + bodies * 6) * real +
           (x->rows != NULL ? bodies * (USER_FIELDS * real + (int64_t)sizeof *x->named) : 0) +
           rct_load_lists_bytes(&x->acting);
}

/* ---- hinges ------------------------------------------------------------------------------- */

/* Along the freedoms of a hinge as LOAD_HINGE has it: x, y of planar ones from the hinge frame to link axes. */
static void turn_effort(const rct_mixed *x, int32_t link, double effort[3])
{
    if (x->plan->links.kind[link] == RCT_HINGE_PLANAR) {
        const double c = x->poses[link].turn[0], s = x->poses[link].turn[1];
        const double along = effort[0], across = effort[1];
        effort[0] = c * along + s * across;
        effort[1] = c * across - s * along;
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Of all bodies where other ones were pushed before. */
static void clear_external(rct_mixed *x)
{
    const int64_t all = x->pushed_others ? x->plan->body_count : 0;
    memset(x->external, 0, (size_t)all * 6 * sizeof *x->external);
    for (int32_t k = 0; k < x->acting.pushed_count; k++) {
        memset(x->external + 6 * (int64_t)x->acting.pushed[k], 0, 6 * sizeof *x->external);
    }
    x->pushed_others = 0;
}

static void clear_loads(const rct_mixed *x)
{
    for (int32_t k = 0; k < x->acting.link_count; k++) {
        memset(x->loads + (int64_t)x->acting.links[k] * LOAD_FIELDS, 0,
               LOAD_FIELDS * sizeof *x->loads);
    }
}

static double *load_under(const rct_mixed *x, int64_t body)
{
    const int32_t link = x->plan->placement[body].link;
    return link == RCT_GROUND ? NULL : x->loads + (int64_t)link * LOAD_FIELDS;
}

static double *hinge_load(const rct_mixed *x, int32_t k)
{
    return x->loads + (int64_t)x->acting.hinges[k] * LOAD_FIELDS + LOAD_HINGE;
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

/* Forces on bodies to the loads of their links. Bodies and links that nothing acts on keep their zeros. */
void rct_mixed_write_loads(rct_mixed *x, double time)
{
    const rct_load_lists *acting = &x->acting;
    if (x->loads == NULL) {
        return;
    }
    rct_mixed_read_posed(x);
    clear_loads(x);
    clear_external(x);
    rct_mixed_push(x, time, x->external);
    for (int32_t k = 0; k < acting->pushed_count; k++) {
        add_to_link(x, acting->pushed[k], x->external + 6 * (int64_t)acting->pushed[k]);
    }
    x->backend->write_loads(x->run, acting->links, acting->link_count, x->loads);
}

void rct_mixed_add_closing(rct_mixed *x, const double *force, const double *moment,
                           const double *effort, const int64_t *first)
{
    for (int32_t k = 0; k < x->acting.pushed_count; k++) {
        const int64_t body = x->acting.pushed[k];
        double wrench[6];
        memcpy(wrench, force + 3 * body, 3 * sizeof *wrench);
        memcpy(wrench + 3, moment + 3 * body, 3 * sizeof *wrench);
        for (int i = 0; i < 6; i++) {
            x->external[6 * body + i] += wrench[i];
        }
        add_to_link(x, body, wrench);
    }
    for (int32_t k = 0; k < x->acting.hinge_count; k++) {
        const int32_t link = x->acting.hinges[k];
        const rct_hinge_type type = (rct_hinge_type)x->plan->links.kind[link];
        const int n = type == RCT_HINGE_BALL ? 0 : rct_hinge_freedoms(type);
        double own[3] = {0.0, 0.0, 0.0};
        memcpy(own, effort + first[x->plan->head[link]], (size_t)n * sizeof *own);
        turn_effort(x, link, own);
        for (int i = 0; i < n; i++) {
            hinge_load(x, k)[i] += own[i];
        }
    }
    x->backend->write_loads(x->run, x->acting.links, x->acting.link_count, x->loads);
}

/* ---- of the user -------------------------------------------------------------------------- */

static rct_status check_named(const rct_mixed *x, const int32_t *bodies, int32_t count,
                              rct_error *error)
{
    if (count < 0 || (count > 0 && bodies == NULL)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "bodies: %" PRId32 " of them; give ids", count);
    }
    for (int32_t k = 0; k < count; k++) {
        if (bodies[k] < 0 || bodies[k] >= x->plan->body_count) {
            return rct_fail(error, RCT_ERROR_ARGUMENT,
                            "bodies[%" PRId32 "] = %" PRId32 " is no body of this model; ids are "
                            "0 to %" PRId32,
                            k, bodies[k], x->plan->body_count - 1);
        }
        if (k > 0 && bodies[k] <= bodies[k - 1]) {
            return rct_fail(error, RCT_ERROR_ARGUMENT,
                            "bodies[%" PRId32 "] = %" PRId32 " comes after %" PRId32
                            "; give ids in ascending order, each once",
                            k, bodies[k], bodies[k - 1]);
        }
    }
    return RCT_OK;
}

rct_status rct_mixed_set_function(rct_mixed *x, const int32_t *bodies, int32_t count,
                                  rct_force_function *function, void *context, rct_error *error)
{
    rct_load_lists acting = {.pushed = NULL};
    rct_status status = check_named(x, bodies, count, error);
    if (status == RCT_OK) {
        status = list_loads(x, bodies, count, &acting, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    clear_loads(x); /* the next evaluation knows nothing of what acted before */
    x->backend->write_loads(x->run, x->acting.links, x->acting.link_count, x->loads);
    rct_load_lists_free(&x->acting);
    x->acting = acting;
    want_poses(x);
    x->pushed_others = 1;
    x->named_count = count;
    if (count > 0) {
        memcpy(x->named, bodies, (size_t)count * sizeof *bodies);
    }
    x->function = function;
    x->context = context;
    return RCT_OK;
}

/* ---- energies ------------------------------------------------------------------------------ */

void rct_mixed_spring_energies(const rct_mixed *x, int32_t systems, double *energy)
{
    memset(energy, 0, (size_t)systems * sizeof *energy);
    for (int32_t l = 0; l < x->plan->links.count && x->plan->has_efforts; l++) {
        const rct_body *head = &x->plan->bodies[x->plan->head[l]];
        const double *q = x->state + x->plan->links.state_at[l];
        for (int i = 0; i < 3; i++) {
            if (head->stiffness[i] != 0.0) { /* none at absolute hinges */
                const double stretch = q[i] - head->rest[i];
                energy[x->plan->head[l] % systems] += 0.5 * head->stiffness[i] * stretch * stretch;
            }
        }
    }
    rct_mixed_add_spring_energy(x, systems, energy);
}
