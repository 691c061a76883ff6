/* Forces on a system at rest, as operators/stiffness.h takes them (statics.h). */
#include "analysis/statics.h"

#include "analysis/slopes.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "model/forces/drag_rule.h"
#include "model/forces/effort.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A gradient below this fraction of what its hinge carries counts as zero: model files round to a
 * few digits less than all. */
static const double at_rest = 1e-7;

/* The least that hinges of closed systems carry, as a fraction of all forces. */
static const double hidden = 1e-7;

/* Rounding of eigenvalues, as a fraction of their possible size. */
static const double rounding = 0x1p-44, none = 1e-30; /* 1/s^2, where there is no stiffness */

/* How many times shorter than the system levers of leftover forces may be. */
static const double shorter = 8.0;

/* ---- what has a potential -------------------------------------------------------------------- */

/* Why a force has no potential, with advice; NULL: it has one, or exerts nothing at rest, as
 * friction does. */
static const char *trouble_of(const rct_force *f)
{
    const int turns = !rct_all_zero(f->moment, 3);
    switch (f->type) {
    case RCT_FORCE_WRENCH:
        return turns ? "a constant moment on a body has no potential; give `applied` at a hinge"
               : f->in_body_axes ? "a force that turns with its body has no potential; give one in "
                                   "inertial axes"
                                 : NULL;
    case RCT_FORCE_SERVO:
        return f->rows > 0 || f->target_rate != 0.0 || f->amplitude != 0.0 || f->saturation != 0.0
                   ? "this servo follows a motion or has a saturation; give it a constant target "
                     "and no saturation"
                   : NULL;
    case RCT_FORCE_CURVE: return f->over == RCT_OVER_TIME ? "this curve changes with time" : NULL;
    case RCT_FORCE_DRAG:
        return !rct_all_zero(f->current, 3)
                   ? "the drag of a current has no potential; give drag without a current"
                   : NULL;
    default: return NULL;
    }
}

static rct_status check_force(const rct_force *f, int32_t i, const char *what, rct_error *error)
{
    const char *trouble = trouble_of(f);
    return trouble == NULL ? RCT_OK
                           : rct_fail(error, RCT_ERROR_UNSUPPORTED, "%s; force %" PRId32 ": %s",
                                      what, i, trouble);
}

static rct_status check_efforts(const rct_solver *solver, const char *what, rct_error *error)
{
    int64_t r = 0;
    for (int32_t b = 0; b < solver->plan->body_count && solver->pushes_hinges; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(solver->plan, b);
        for (int i = 0; i < rct_hinge_freedoms(hinge); i++, r++) {
            if (rct_hinge_uses(hinge, RCT_KEY_ORIENTATION) > 0 && solver->efforts[r] != 0.0) {
                char label[RCT_BODY_LABEL];
                return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, b,
                                     "%s: efforts set at its %s hinge have no potential, and %s; "
                                     "set none there",
                                     rct_bodies_label(solver->plan->bodies, b, label),
                                     rct_hinge_name(hinge), what);
            }
        }
    }
    return RCT_OK;
}

static rct_status check(const rct_solver *solver, const char *what, rct_error *error)
{
    const rct_model *model = solver->plan->surroundings;
    const char *lacking = rct_model_has_base(model)  ? "the ground of this model moves"
                          : solver->function != NULL ? "a force function is set"
                                                     : NULL;
    if (lacking != NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED, "%s, and %s", lacking, what);
    }
    rct_status status = check_efforts(solver, what, error);
    RCT_THEN(status, rct_statics_check_loops(solver, what, error));
    for (int32_t i = 0; i < rct_model_force_count(model) && status == RCT_OK; i++) {
        rct_force f;
        rct_model_force(model, i, &f, NULL);
        status = check_force(&f, i, what, error);
    }
    return status;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The longest arm of each body, to its centre of mass or to a hinge on it, in the state of the
 * tree. */
static double find_reach(rct_statics *s)
{
    double longest = 0.0;
    for (int32_t b = 0; b < s->tree->n; b++) {
        const double *c = s->tree->com + 3 * (int64_t)b, *l = s->tree->lever + 3 * (int64_t)b;
        const int32_t up = s->tree->parent[b];
        const double own = sqrt(rct_dot(c, c)), lever = sqrt(rct_dot(l, l));
        s->reach[2 * (int64_t)b + 1] = fmax(s->reach[2 * (int64_t)b + 1], own);
        if (up != RCT_GROUND) {
            s->reach[2 * (int64_t)up + 1] = fmax(s->reach[2 * (int64_t)up + 1], lever);
        }
        longest = fmax(longest, fmax(own, up != RCT_GROUND ? lever : 0.0));
    }
    return longest > 0.0 ? longest : 1.0;
}

rct_status rct_statics_begin(rct_statics *s, rct_solver *solver, const char *what, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    const int64_t one = sizeof(double);
    *s = (rct_statics){.solver = solver, .rates = plan->freedoms, .pool = {.what = "an analysis"}};
    const rct_status status = check(solver, what, error);
    if (status != RCT_OK) {
        return status;
    }
    s->gradient = rct_pool_take(&s->pool, s->rates, one, error);
    s->carried = rct_pool_take(&s->pool, s->rates, one, error);
    s->effort = rct_pool_take(&s->pool, s->rates, one, error);
    s->slope = rct_pool_take(&s->pool, s->rates, one, error);
    s->coordinates = rct_pool_take(&s->pool, plan->coordinates, one, error);
    s->reach = rct_pool_take(&s->pool, plan->body_count, 2 * one, error);
    s->operation = s->pool.failed ? NULL : rct_operation_create(solver, error);
    if (s->operation == NULL) {
        return RCT_ERROR_MEMORY;
    }
    s->sweeps = rct_operation_sweeps(s->operation);
    s->tree = rct_operation_tree(s->operation);
    s->length = find_reach(s);
    s->stiffness = rct_stiffness_create(s->sweeps, s->length, error);
    return s->stiffness != NULL ? rct_statics_begin_loops(s, error) : RCT_ERROR_MEMORY;
}

void rct_statics_end(rct_statics *s)
{
    rct_border_finish(&s->border);
    rct_stiffness_free(s->stiffness);
    rct_operation_free(s->operation);
    rct_pool_empty(&s->pool);
}

double rct_statics_unit(const rct_statics *s, int64_t rate)
{
    const double *turn = s->tree->H + 6 * rate;
    return rct_dot(turn, turn) > 0.0 ? 1.0 : s->length;
}

/* ---- one state ------------------------------------------------------------------------------- */

/* The efforts of a hinge by itself at coordinates q, and the energy of constant efforts there. */
static void add_hinge(rct_statics *s, int32_t b, const double *q)
{
    const rct_body *body = rct_bodies_at(s->solver->plan->bodies, b);
    const int64_t first = s->tree->first[b];
    const int axes = rct_hinge_uses(body->hinge, RCT_KEY_ORIENTATION) == 0;
    if (body->hinge == RCT_HINGE_BALL && !rct_all_zero(body->stiffness, 3)) {
        rct_statics_bend(s, b);
    }
    for (int k = 0; axes && k < rct_hinge_uses(body->hinge, RCT_KEY_STIFFNESS); k++) {
        const int64_t r = first + k;
        const double given =
            body->applied[k] + (s->solver->pushes_hinges ? s->solver->efforts[r] : 0.0);
        s->slope[r] = body->stiffness[k];
        s->effort[r] = given - body->stiffness[k] * (q[k] - body->rest[k]);
        s->carried[r] = fabs(given) + body->stiffness[k] * rct_statics_unit(s, r);
        s->energy -= given * q[k];
    }
}

/* A force at a hinge, where the solver rests at its time. The sums already include the energy of
 * limits, and of curves over the coordinate. */
static void add_at_hinge(rct_statics *s, const rct_force *f)
{
    const rct_plan *plan = s->solver->plan;
    const int64_t r = s->tree->first[f->body] + f->coordinate;
    const double q =
        s->coordinates[rct_plan_coordinates_at(plan, plan->link_of[f->body]) + f->coordinate];
    const rct_force_effort e = rct_force_exert(f, s->solver->time, q, 0.0);
    s->effort[r] += e.effort;
    s->slope[r] -= e.by_coordinate;
    s->carried[r] += fabs(e.effort) + fabs(e.by_coordinate) * rct_statics_unit(s, r);
    if (f->type == RCT_FORCE_SERVO) {
        s->energy += 0.5 * f->stiffness * (f->target - q) * (f->target - q);
    } else if (f->over == RCT_OVER_RATE) {
        s->energy -= e.effort * q;
    }
}

static void add_forces(rct_statics *s)
{
    const rct_model *model = s->solver->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (rct_force_is_at_hinge(f)) {
            if (rct_plan_hinge(s->solver->plan, f->body) != RCT_HINGE_BALL) {
                add_at_hinge(s, f); /* at balls there is only friction, none at rest */
            }
        } else {
            rct_statics_pull(s, f);
        }
    }
}

/* N: with multipliers this much of all forces is rounding, wherever it acts. */
static double find_hidden(const rct_statics *s)
{
    double sum = 0.0;
    for (int64_t b = 0; b < s->tree->n && s->rows != NULL; b++) {
        sum += s->reach[2 * b];
    }
    for (int64_t r = 0; r < s->rates && s->rows != NULL; r++) {
        sum += s->carried[r] * rct_statics_unit(s, r) / s->length;
    }
    return hidden * sum;
}

/* Sum the pull on each body with that on all outboard of it, and from it what hinges carry. */
static void sum_carried(rct_statics *s)
{
    const rct_plan *plan = s->solver->plan;
    const double least = find_hidden(s);
    for (int64_t k = plan->body_count - 1; k >= 0; k--) {
        const int64_t b = plan->order[k], up = plan->bodies->parent[b];
        const double *own = s->reach + 2 * b;
        for (int64_t r = s->tree->first[b]; r < s->tree->first[b + 1]; r++) {
            const double *H = s->tree->H + 6 * r;
            s->carried[r] +=
                fmax(own[0], least) * (sqrt(rct_dot(H, H)) * own[1] + sqrt(rct_dot(H + 3, H + 3)));
        }
        if (up != RCT_GROUND) {
            s->reach[2 * up] += own[0];
        }
    }
}

/* N/m: the stiffness of all forces over the length of the system, or that of springs where there
 * are no forces. */
static double find_hold(const rct_statics *s)
{
    const rct_model *model = s->solver->plan->surroundings;
    double sum = 0.0;
    for (int64_t b = 0; b < s->tree->n; b++) {
        sum += s->reach[2 * b] / s->length;
    }
    for (int32_t i = 0; i < model->force_count && sum == 0.0; i++) {
        sum = rct_force_is_between_points(&model->forces[i]) ? model->forces[i].stiffness : 0.0;
    }
    for (int64_t r = 0; r < s->rates && sum == 0.0; r++) {
        const double arm = s->length / rct_statics_unit(s, r);
        sum = fabs(s->slope[r]) / (arm * arm);
    }
    return sum > 0.0 ? sum : 1.0;
}

static void add_couplings(rct_statics *s)
{
    const rct_model *model = s->solver->plan->surroundings;
    rct_border_clear(&s->border, find_hold(s), s->length, s->slope);
    for (int32_t i = 0; i < model->force_count; i++) {
        if (rct_statics_couples(&model->forces[i])) {
            rct_statics_couple(s, &model->forces[i]);
        }
    }
    rct_statics_hold_loops(s);
}

rct_status rct_statics_look(rct_statics *s, const double *multipliers, rct_error *error)
{
    const rct_plan *plan = s->solver->plan;
    const double *q = s->coordinates;
    rct_measures sums;
    rct_status status = rct_operation_move(s->operation, s->solver, error);
    RCT_THEN(status, rct_statics_close(s, multipliers, error));
    if (status != RCT_OK) {
        return status;
    }
    rct_solver_measure_inside(s->solver, &sums);
    rct_solver_read_poses(s->solver);
    rct_solver_get_coordinates_inside(s->solver, s->coordinates, NULL);
    memset(s->effort, 0, (size_t)s->rates * sizeof *s->effort);
    memset(s->slope, 0, (size_t)s->rates * sizeof *s->slope);
    memset(s->carried, 0, (size_t)s->rates * sizeof *s->carried);
    s->energy = sums.potential;
    rct_stiffness_begin(s->stiffness);
    for (int32_t b = 0; b < plan->body_count; b++) {
        const double *g = rct_plan_gravity(plan, b);
        s->reach[2 * (int64_t)b] = s->tree->mass[b] * sqrt(rct_dot(g, g));
        add_hinge(s, b, q);
        q += rct_hinge_coordinates(rct_plan_hinge(plan, b));
    }
    add_forces(s);
    rct_statics_exert(s);
    add_couplings(s);
    rct_stiffness_end(s->stiffness, s->effort, s->slope, s->gradient);
    sum_carried(s);
    return RCT_OK;
}

/* ---- rest ------------------------------------------------------------------------------------ */

double rct_statics_residual(const rct_statics *s, int32_t *body)
{
    double most = 0.0;
    for (int32_t b = 0; b < s->tree->n; b++) {
        for (int64_t r = s->tree->first[b]; r < s->tree->first[b + 1]; r++) {
            const double own = s->gradient[r] != 0.0 ? fabs(s->gradient[r]) / s->carried[r] : 0.0;
            if (!(own <= most)) {
                most = own;
                if (body != NULL) {
                    *body = b;
                }
            }
        }
    }
    return most;
}

double rct_statics_scale(const rct_statics *s)
{
    double sum = 0.0;
    for (int64_t r = 0; r < s->rates; r++) {
        sum += s->carried[r] * rct_statics_unit(s, r);
    }
    return sum;
}

int rct_statics_rests(double residual)
{
    return residual <= at_rest;
}

double rct_statics_least(const rct_statics *s)
{
    const double scale = fmax(rct_stiffness_scale(s->stiffness), s->border.size);
    const double unrest = shorter * rct_stiffness_unrest(s->stiffness, s->gradient, s->length);
    return scale > 0.0 ? fmax(rounding * scale, unrest) : none;
}

/* ---- factors --------------------------------------------------------------------------------- */

rct_status rct_statics_factor(rct_statics *s, double shift, rct_inertia *signs, rct_error *error)
{
    const rct_inertia tree = rct_stiffness_factor(s->stiffness, shift);
    const rct_status status = rct_border_factor(&s->border, 1, signs, error);
    signs->negative += tree.negative;
    signs->zero += tree.zero;
    return status;
}

rct_status rct_statics_factor_upright(rct_statics *s, rct_upright upright, const double *least,
                                      int64_t *bent, rct_error *error)
{
    rct_inertia signs = {0, 0};
    rct_status status = RCT_OK;
    if (upright == RCT_UPRIGHT_PIVOTS &&
        s->border.rows > 0) { /* loops may hold what a tree would not */
        status = rct_statics_factor(s, 0.0, &signs, error);
        *bent = 0;
        if (status != RCT_OK || (signs.negative == 0 && s->border.S.zero == 0)) {
            return status;
        }
    }
    *bent = rct_stiffness_factor_upright(s->stiffness, upright, least);
    RCT_THEN(status, rct_border_factor(&s->border, 1, &signs, error));
    if (status == RCT_OK &&
        signs.negative + signs.zero != 0) { /* only what holds it keeps it upright */
        *bent += signs.negative + signs.zero;
        status = rct_border_factor(&s->border, 0, &signs, error);
    }
    return status;
}

void rct_statics_solve(rct_statics *s, const double *x, double *y)
{
    rct_border_solve(&s->border, x, y);
}

int64_t rct_statics_freedoms(const rct_statics *s)
{
    return s->rates - s->border.constraints;
}
