/* Loads on links: the forces on bodies of forces.c, the forces of closures, and efforts of the
 * user. The sweeps know the rest: gravity, wrenches (WRENCH_FIELDS) and constants of hinges
 * (EFFORT_FIELDS). */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "model/forces/force_check.h"
#include "model/model.h"

#include <riccatree/loop.h>

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Whether the sweeps know forces at hinges. */
static int in_rows(const rct_solver *s)
{
    return s->backend->exerts(s->plan);
}

int rct_solver_has_loads(const rct_solver *s)
{
    const rct_model *model = s->plan->surroundings;
    const int swept = 1 << RCT_FORCE_WRENCH | (in_rows(s) ? RCT_FORCES_AT_HINGES : 0);
    int any = s->options.user_forces || s->plan->yields || rct_model_loop_count(model) > 0;
    for (int32_t i = 0; i < model->force_count && !any; i++) {
        any = (swept >> model->forces[i].type & 1) == 0;
    }
    return any;
}

/* ---- making ------------------------------------------------------------------------------- */

static rct_status list_loads(const rct_solver *s, const int32_t *named, int32_t count,
                             rct_load_lists *lists, rct_error *error)
{
    const int in_columns = s->closed != NULL && s->closed->columns != NULL;
    const int held =
        in_columns || (s->backend->junction != NULL && s->backend->junction->held(s->run) != NULL);
    const int by_operators = rct_model_loop_count(s->plan->surroundings) > 0 && !held;
    const int also = (in_columns ? 0 : RCT_LOADS_OF_LOOPS) |
                     (in_rows(s) ? 0 : RCT_LOADS_AT_HINGES) | (by_operators ? RCT_POSES_OF_ALL : 0);
    return rct_load_lists_create(lists, s->plan, named, count, also, error);
}

/* If the list has all links, poses are read as poses of all. */
static void want_poses(const rct_solver *s)
{
    if (s->acting.posed_count < s->plan->links.count) {
        s->backend->want_poses(s->run, s->acting.posed, s->acting.posed_count);
    }
}

rct_status rct_solver_create_loads(rct_solver *s, rct_error *error)
{
    const int64_t real = sizeof(double), bodies = s->plan->body_count;
    if (!rct_solver_has_loads(s)) {
        return s->plan->effort_begin != NULL ? list_loads(s, NULL, 0, &s->acting, error) : RCT_OK;
    }
    s->loads = rct_pool_take(&s->pool, s->plan->links.count, LOAD_FIELDS * real, error);
    s->external = rct_pool_take(&s->pool, bodies, 6 * real, error);
    if (s->options.user_forces) {
        s->named = rct_pool_take(&s->pool, bodies, sizeof *s->named, error);
        s->rows = rct_pool_take(&s->pool, bodies, USER_FIELDS * real, error);
    }
    if (s->options.user_forces || s->plan->yields) {
        s->efforts = rct_pool_take(&s->pool, s->plan->freedoms, real, error);
    }
    if (s->pool.failed || list_loads(s, NULL, 0, &s->acting, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    want_poses(s);
    rct_solver_expect_delta(s);
    s->loaded = 1; /* rows have loads from the first evaluation on: all have the same bits */
    return RCT_OK;
}

rct_status rct_solver_list_loads_again(rct_solver *s, rct_error *error)
{
    rct_load_lists_free(&s->acting);
    const rct_status status = list_loads(s, NULL, 0, &s->acting, error);
    if (status == RCT_OK) {
        want_poses(s);
    }
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Clear all bodies if the last evaluation pushed others than the present lists. */
static void clear_external(rct_solver *s)
{
    const int64_t all = s->pushed_others ? s->plan->body_count : 0;
    memset(s->external, 0, (size_t)all * 6 * sizeof *s->external);
    for (int32_t k = 0; k < s->acting.pushed_count; k++) {
        memset(s->external + 6 * (int64_t)s->acting.pushed[k], 0, 6 * sizeof *s->external);
    }
    s->pushed_others = 0;
}

/* Leave only the efforts of the user. */
static void clear_load(const rct_solver *s, int32_t link)
{
    double *load = s->loads + (int64_t)link * LOAD_FIELDS;
    memset(load, 0, LOAD_FIELDS * sizeof *load);
    if (s->pushes_hinges) {
        const int32_t n = rct_hinge_freedoms((rct_hinge_type)s->plan->links.kind[link]);
        memcpy(load + LOAD_EFFORT, s->efforts + rct_plan_rates_at(s->plan, link),
               (size_t)n * sizeof *load);
    }
}

static void clear_loads(const rct_solver *s)
{
    for (int32_t k = 0; k < s->acting.link_count; k++) {
        clear_load(s, s->acting.links[k]);
    }
}

static int acts_on(const rct_load_lists *acting, int32_t link)
{
    int32_t first = 0, end = acting->link_count;
    while (end - first > 0) {
        const int32_t middle = first + (end - first) / 2;
        first = acting->links[middle] < link ? middle + 1 : first;
        end = acting->links[middle] < link ? end : middle;
    }
    return first < acting->link_count && acting->links[first] == link;
}

void rct_solver_clear_others(const rct_solver *s, const int32_t *links, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        if (!acts_on(&s->acting, links[k])) {
            clear_load(s, links[k]);
        }
    }
}

static double *load_under(const rct_solver *s, int64_t body)
{
    const int32_t link = s->plan->link_of[body];
    return link == RCT_GROUND ? NULL : s->loads + (int64_t)link * LOAD_FIELDS;
}

/* Add force and moment on a body to the load of its link, about the origin of the link, link
 * axes. */
static void add_to_link(const rct_solver *s, int64_t body, const double wrench[6])
{
    double m[3][3], force[3], moment[3], turning[3];
    double *load = load_under(s, body);
    if (load == NULL) {
        return;
    }
    memcpy(m, rct_pose_at(s->poses, s->plan->link_of[body])->rotation, sizeof m);
    rct_rotate_back(m, wrench, force);
    rct_rotate_back(m, wrench + 3, moment);
    rct_cross(rct_plan_seat(s->plan, body)->position, force, turning);
    for (int i = 0; i < 3; i++) {
        load[LOAD_FORCE + i] += force[i];
        load[LOAD_MOMENT + i] += moment[i] + turning[i];
    }
}

/* Add forces on bodies to the loads of their links. Bodies and links that nothing acts on keep
 * their zeros. */
static void write_all(rct_solver *s, double time)
{
    const rct_load_lists *acting = &s->acting;
    const int acts = s->pushes_hinges || s->function != NULL || acting->besides;
    if (acting->pushed_count + acting->link_count == 0 && s->function == NULL &&
        !s->pushed_others) {
        return;
    }
    if (acting->posed_count > 0) {
        rct_solver_read_acting(s);
    }
    if (!acts && !s->loaded && !s->pushed_others) {
        return;
    }
    s->loaded = acts;
    clear_loads(s);
    clear_external(s);
    rct_solver_push(s, time, s->external);
    for (int32_t k = 0; k < acting->pushed_count; k++) {
        add_to_link(s, acting->pushed[k], s->external + 6 * (int64_t)acting->pushed[k]);
    }
    if (!in_rows(s)) {
        rct_solver_add_efforts(s, time);
    }
    s->backend->write_loads(s->run, acting->links, acting->link_count, s->loads);
}

void rct_solver_write_loads(rct_solver *s, double time)
{
    s->acts_otherwise = 0;
    if (s->plan->effort_begin != NULL && in_rows(s)) {
        s->backend->set_time(s->run, time);
    }
    if (s->loads != NULL) {
        write_all(s, time);
    }
}

void rct_solver_add_closing(rct_solver *s, const double *force, const double *moment,
                            const double *effort, const int64_t *first)
{
    s->loaded = 1;
    for (int32_t k = 0; k < s->acting.pushed_count; k++) {
        const int64_t body = s->acting.pushed[k];
        double wrench[6];
        memcpy(wrench, force + 3 * body, 3 * sizeof *wrench);
        memcpy(wrench + 3, moment + 3 * body, 3 * sizeof *wrench);
        for (int i = 0; i < 6; i++) {
            s->external[6 * body + i] += wrench[i];
        }
        add_to_link(s, body, wrench);
    }
    for (int32_t k = 0; k < s->acting.hinge_count; k++) {
        const int32_t link = s->acting.hinges[k];
        const rct_hinge_type type = (rct_hinge_type)s->plan->links.kind[link];
        const int n = type == RCT_HINGE_BALL ? 0 : rct_hinge_freedoms(type);
        const double *own = effort + first[s->plan->places.head[link]];
        for (int i = 0; i < n; i++) {
            s->loads[(int64_t)link * LOAD_FIELDS + LOAD_EFFORT + i] += own[i];
        }
    }
    s->backend->write_loads(s->run, s->acting.links, s->acting.link_count, s->loads);
}

/* ---- of the user -------------------------------------------------------------------------- */

/* `efforts` NULL: none. */
static void write_efforts(rct_solver *s, const double *efforts)
{
    const size_t size = (size_t)s->plan->freedoms * sizeof *efforts;
    if (efforts != NULL) {
        memcpy(s->efforts, efforts, size);
    } else {
        memset(s->efforts, 0, size);
    }
    s->pushes_hinges = efforts != NULL;
    s->acts_otherwise = 1;
    s->backend->write_efforts(s->run, s->efforts);
}

void rct_solver_exert(rct_solver *s, const double *efforts, int any)
{
    memcpy(s->efforts, efforts, (size_t)s->plan->freedoms * sizeof *efforts);
    s->pushes_hinges = any;
    s->backend->write_efforts(s->run, s->efforts);
}

static rct_status check_named(const rct_solver *s, const int32_t *bodies, int32_t count,
                              rct_error *error)
{
    if (count < 0 || (count > 0 && bodies == NULL)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " bodies: give 0 or more, and an array of their ids", count);
    }
    for (int32_t k = 0; k < count; k++) {
        if (bodies[k] < 0 || bodies[k] >= s->plan->body_count) {
            return rct_fail(error, RCT_ERROR_ARGUMENT,
                            "bodies[%" PRId32 "] = %" PRId32
                            " is not a body of this model; ids are 0 to %" PRId32,
                            k, bodies[k], s->plan->body_count - 1);
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

static rct_status set_function(rct_solver *s, const int32_t *bodies, int32_t count,
                               rct_force_function *function, void *context, rct_error *error)
{
    rct_load_lists acting = {.pushed = NULL};
    rct_status status = check_named(s, bodies, count, error);
    if (status == RCT_OK) {
        status = list_loads(s, bodies, count, &acting, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    if (s->closed != NULL) {
        rct_closed_hide_loads(s->closed);
    }
    clear_loads(s); /* so that the next evaluation has no loads of earlier ones */
    s->backend->write_loads(s->run, s->acting.links, s->acting.link_count, s->loads);
    rct_load_lists_free(&s->acting);
    s->acting = acting;
    want_poses(s);
    s->pushed_others = s->acts_otherwise = 1;
    s->named_count = count;
    if (count > 0) {
        memcpy(s->named, bodies, (size_t)count * sizeof *bodies);
    }
    s->function = function;
    s->context = context;
    rct_solver_count_bytes(s);
    return RCT_OK;
}

rct_status rct_solver_renew_loads(rct_solver *s, rct_error *error)
{
    if (s->pushes_hinges) {
        write_efforts(s, NULL);
    }
    rct_solver_expect_delta(s);
    return s->loads != NULL ? set_function(s, NULL, 0, NULL, NULL, error) : RCT_OK;
}

static rct_status not_made_for_forces(rct_error *error)
{
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "efforts and force functions need a solver made with the option user_forces");
}

rct_status rct_solver_set_body_forces_inside(rct_solver *solver, const int32_t *bodies,
                                             int32_t count, rct_force_function *function,
                                             void *context, rct_error *error)
{
    if (solver->rows == NULL) {
        return not_made_for_forces(error);
    }
    return set_function(solver, bodies, count, function, context, error);
}

rct_status rct_solver_set_force_function_inside(rct_solver *solver, rct_force_function *function,
                                                void *context, rct_error *error)
{
    const int32_t count = function != NULL ? solver->plan->body_count : 0;
    int32_t *all = rct_allocate(count, sizeof *all, "the bodies of a force function", error);
    if (all == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t b = 0; b < count; b++) {
        all[b] = b;
    }
    const rct_status status =
        rct_solver_set_body_forces_inside(solver, all, count, function, context, error);
    rct_release(all);
    return status;
}

rct_status rct_solver_set_efforts_inside(rct_solver *solver, const double *efforts,
                                         rct_error *error)
{
    const int64_t count = efforts != NULL ? solver->plan->freedoms : 0;
    if (efforts != NULL && solver->rows == NULL) {
        return not_made_for_forces(error);
    }
    if (rct_check_finite("efforts", efforts, count, error) != RCT_OK) {
        return RCT_ERROR_ARGUMENT;
    }
    if (efforts != NULL || solver->pushes_hinges) {
        write_efforts(solver, efforts);
    }
    return rct_solver_check_inside(solver, error);
}
