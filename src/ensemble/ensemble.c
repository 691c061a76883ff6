/* The members of an ensemble: grids, draws, perturbed starts; and the model of each. */
#include "ensemble/ensemble.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "ensemble/random.h"
#include "model/body_check.h"
#include "model/model.h"
#include "model/perturb.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rct_ensemble_options_init(rct_out out)
{
    const rct_ensemble_options own = {.members = 1, .seed = 1};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* ---- making ------------------------------------------------------------------------------- */

static rct_status check_variation(const rct_variation *v, rct_error *error)
{
    const double spread = v->b - v->a;
    const char *trouble = NULL;
    if (v->path == NULL) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "a variation has no path; name what it varies");
    }
    if (!isfinite(v->a) || !isfinite(v->b) || !isfinite(spread)) {
        trouble = "its numbers and their difference must be finite";
    } else if (v->type == RCT_VARY_GRID && v->count < 1) {
        trouble = "a grid needs at least 1 value";
    } else if (v->type == RCT_VARY_NORMAL && v->b < 0.0) {
        trouble = "a standard deviation must not be negative";
    } else if (v->type == RCT_VARY_UNIFORM && spread < 0.0) {
        trouble = "give the lower bound first";
    } else if ((int)v->type < RCT_VARY_GRID || (int)v->type > RCT_VARY_UNIFORM) {
        trouble = "its type is unknown; give a grid, normal or uniform numbers";
    }
    return trouble == NULL
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT, "\"%.100s\": %s", v->path, trouble);
}

/* The points of all grids, and whether any variation is drawn. */
static rct_status count_points(rct_ensemble *e, int *drawn, rct_error *error)
{
    e->points = 1;
    *drawn = e->perturb > 0.0;
    for (int32_t i = 0; i < e->count; i++) {
        const rct_variation *v = &e->variations[i];
        *drawn = *drawn || v->type != RCT_VARY_GRID;
        if (v->type == RCT_VARY_GRID) {
            if (v->count > INT64_MAX / e->points) {
                return rct_fail(error, RCT_ERROR_ARGUMENT,
                                "the grids have more points than can be counted; give fewer");
            }
            e->points *= v->count;
        }
    }
    return RCT_OK;
}

static rct_status check_members(rct_ensemble *e, int64_t asked, rct_error *error)
{
    int drawn = 0;
    const rct_status status = count_points(e, &drawn, error);
    e->members = asked == 0 ? e->points : asked;
    if (status == RCT_OK && (e->members < 0 || e->members % e->points != 0)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " members, but the grids have %" PRId64
                        " points; give a multiple of the number of points",
                        e->members, e->points);
    }
    if (status == RCT_OK && e->members > e->points && !drawn) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " members, but only %" PRId64
                        " would differ: the grids have no more points, and nothing is drawn; give "
                        "%" PRId64 " member%s, or let something be drawn",
                        e->members, e->points, e->points, rct_plural(e->points));
    }
    return status;
}

/* `item` is the size of the caller's variation struct. */
static rct_status copy_variations(rct_ensemble *e, const rct_ensemble_options *options,
                                  int64_t item, rct_error *error)
{
    if (options->variation_count < 0 ||
        (options->variation_count > 0 && options->variations == NULL)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " variations, and %s array: give an array of 0 or more",
                        options->variation_count, options->variations == NULL ? "no" : "an");
    }
    e->pool.what = "the variations";
    e->variations = rct_pool_take(&e->pool, options->variation_count, sizeof *e->variations, error);
    e->targets = rct_pool_take(&e->pool, options->variation_count, sizeof *e->targets, error);
    rct_status status = e->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
    for (int32_t i = 0; i < options->variation_count && status == RCT_OK; i++) {
        rct_variation own = {.path = NULL};
        const rct_in in = rct_item(options->variations, item, i);
        status = rct_take(&own, rct_whole(sizeof own), in, "variations", error)
                     ? check_variation(&own, error)
                     : RCT_ERROR_ARGUMENT;
        RCT_THEN(status, rct_target_find(e->model, own.path, &e->targets[i], error));
        if (status == RCT_OK) {
            const size_t size = strlen(own.path) + 1;
            char *path = rct_pool_take(&e->pool, (int64_t)size, 1, error);
            status = path == NULL ? RCT_ERROR_MEMORY : RCT_OK;
            own.path = path != NULL ? memcpy(path, own.path, size) : NULL;
            e->variations[e->count++] = own;
        }
    }
    return status;
}

/* The bodies of a model with their names. */
static void list_bodies(const rct_model *model, rct_body *list)
{
    for (int32_t b = 0; b < model->count; b++) {
        list[b] = rct_bodies_get(model->bodies, b);
        list[b].name = rct_model_own_name(model, b);
    }
}

/* A model of these bodies and forces, everything else as in `base`. */
static rct_model *assemble(const rct_model *base, const rct_member_numbers *numbers,
                           rct_error *error)
{
    rct_model *model = rct_model_create(base->name[0] != '\0' ? base->name : NULL, error);
    rct_status status =
        model == NULL ? RCT_ERROR_MEMORY : rct_model_set_gravity(model, numbers->gravity, error);
    for (int32_t b = 0; b < base->count && status == RCT_OK; b++) {
        status = rct_model_add_body(model, &numbers->bodies[b], NULL, error);
    }
    for (int32_t i = 0; i < base->force_count && status == RCT_OK; i++) {
        status = rct_model_add_force(model, &numbers->forces[i], NULL, error);
    }
    RCT_THEN(status, rct_model_copy_shapes(model, base, error));
    RCT_THEN(status, rct_model_set_base(model, &base->base, error));
    RCT_THEN(status, rct_model_copy_loops(model, base, error));
    if (status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

static rct_status build(rct_ensemble *e, const rct_model *model,
                        const rct_ensemble_options *options, int64_t item, rct_error *error)
{
    rct_member_numbers base = {.forces = model->forces};
    memcpy(base.gravity, model->gravity, sizeof base.gravity);
    rct_status status = rct_model_check(model, error);
    if (status == RCT_OK && (!isfinite(options->perturb) || options->perturb < 0.0)) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "perturb is %g; give 0 or a positive number in rad", options->perturb);
    }
    if (status == RCT_OK) {
        base.bodies = rct_allocate(model->count, sizeof *base.bodies, "an ensemble", error);
        status = base.bodies == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    if (status == RCT_OK) {
        list_bodies(model, base.bodies);
        e->model = assemble(model, &base, error);
        status = e->model == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    rct_release(base.bodies);
    e->seed = options->seed;
    e->perturb = options->perturb;
    RCT_THEN(status, copy_variations(e, options, item, error));
    return status == RCT_OK ? check_members(e, options->members, error) : status;
}

rct_ensemble *rct_ensemble_create_sized(const rct_model *model, rct_in options, rct_error *error)
{
    rct_ensemble_options own = rct_ensemble_options_default();
    if (!rct_given(model, "model", error) ||
        (options.at != NULL && !rct_take(&own, rct_whole(sizeof own), options, "options", error))) {
        return NULL;
    }
    rct_ensemble *e = rct_allocate(1, sizeof *e, "an ensemble", error);
    if (e != NULL && build(e, model, &own, options.item, error) != RCT_OK) {
        rct_ensemble_free(e);
        e = NULL;
    }
    return e;
}

void rct_ensemble_free(rct_ensemble *e)
{
    if (e != NULL) {
        rct_pool_empty(&e->pool);
        rct_model_free(e->model);
        rct_release(e);
    }
}

/* ---- asking ------------------------------------------------------------------------------- */

int64_t rct_ensemble_members(const rct_ensemble *e)
{
    return e != NULL ? e->members : 0;
}

int32_t rct_ensemble_bodies(const rct_ensemble *e)
{
    return e != NULL ? e->model->count : 0;
}

int32_t rct_ensemble_variations(const rct_ensemble *e)
{
    return e != NULL ? e->count : 0;
}

rct_status rct_ensemble_variation_sized(const rct_ensemble *e, int32_t index, rct_out variation,
                                        rct_error *error)
{
    if (!rct_given(e, "ensemble", error) || !rct_given(variation.at, "variation", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= e->count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "there is no variation %" PRId32 "; the ensemble has %" PRId32, index,
                        e->count);
    }
    rct_give(variation, &e->variations[index], rct_whole(sizeof(rct_variation)));
    return RCT_OK;
}

static rct_status check_member(const rct_ensemble *e, int64_t member, rct_error *error)
{
    return member >= 0 && member < e->members
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "there is no member %" PRId64 "; the ensemble has members 0 to %" PRId64,
                          member, e->members - 1);
}

rct_status rct_ensemble_parameters(const rct_ensemble *e, int64_t member, double *values,
                                   rct_error *error)
{
    if (!rct_given(e, "ensemble", error) || !rct_given(values, "values", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = check_member(e, member, error);
    if (status == RCT_OK) {
        rct_member_values(e, member, values);
    }
    return status;
}

rct_model *rct_ensemble_model(const rct_ensemble *e, int64_t member, rct_error *error)
{
    if (!rct_given(e, "ensemble", error) || check_member(e, member, error) != RCT_OK) {
        return NULL;
    }
    rct_pool pool = {.what = "a member"};
    rct_model *model = NULL;
    double *values = rct_pool_take(&pool, e->count, sizeof *values, error);
    rct_member_numbers numbers = rct_member_room(e, &pool, error);
    if (!pool.failed) {
        rct_member_values(e, member, values);
        if (rct_member_make(e, member, values, &numbers, error) == RCT_OK) {
            model = assemble(e->model, &numbers, error);
        }
    }
    rct_pool_empty(&pool);
    return model;
}

int rct_ensemble_is_small(const rct_ensemble *e)
{
    return e->model->count <= RCT_ENSEMBLE_WHOLE && e->model->loop_count == 0;
}

const rct_backend *rct_ensemble_backend(const rct_ensemble *e, const rct_solver_options *options,
                                        rct_error *error)
{
    const int64_t aside = rct_ensemble_is_small(e) ? e->members : 1;
    return rct_backend_for(e->model, options, aside, error);
}

int rct_ensemble_varies_gravity(const rct_ensemble *e)
{
    int varies = 0;
    for (int32_t i = 0; i < e->count; i++) {
        varies = varies || e->targets[i].of == TARGET_GRAVITY;
    }
    return varies;
}

int64_t rct_ensemble_segment(const rct_ensemble *e, int64_t segment)
{
    return e != NULL && rct_ensemble_is_small(e) ? RCT_SEGMENT_WHOLE : segment;
}

/* ---- one member --------------------------------------------------------------------------- */

/* Value i of a grid; the last is exactly `b`. */
static double on_grid(const rct_variation *v, int64_t i)
{
    return i == 0              ? v->a
           : i == v->count - 1 ? v->b
                               : v->a + (v->b - v->a) * ((double)i / (double)(v->count - 1));
}

void rct_member_values(const rct_ensemble *e, int64_t member, double *values)
{
    int64_t point = member % e->points;
    for (int32_t i = e->count - 1; i >= 0; i--) {
        const rct_variation *v = &e->variations[i];
        const uint32_t stream = rct_variation_stream(i);
        switch (v->type) {
        case RCT_VARY_GRID:
            values[i] = on_grid(v, point % v->count);
            point /= v->count;
            break;
        case RCT_VARY_NORMAL:
            values[i] = v->a + v->b * rct_random_normal(e->seed, member, stream);
            break;
        case RCT_VARY_UNIFORM:
            values[i] = v->a + (v->b - v->a) * rct_random_uniform(e->seed, member, stream);
            break;
        }
    }
}

rct_member_numbers rct_member_room(const rct_ensemble *e, rct_pool *pool, rct_error *error)
{
    return (rct_member_numbers){
        .bodies = rct_pool_take(pool, e->model->count, sizeof(rct_body), error),
        .forces = rct_pool_take(pool, e->model->force_count, sizeof(rct_force), error)};
}

/* Every body draws from its own stream, whose seed is a draw of the member. */
static void perturb(const rct_ensemble *e, int64_t member, rct_body *bodies)
{
    for (int32_t b = 0; b < e->model->count; b++) {
        uint64_t bits[2];
        rct_random_bits(e->seed, member, rct_body_stream(b), 0, bits);
        rct_draw draw = {.key = bits[0], .counter = 0};
        rct_perturb(&bodies[b], e->perturb, &draw);
    }
}

/* A name costs more than the check, so it is made up only for errors. */
static rct_status check_body(const rct_ensemble *e, int32_t b, rct_body *body, rct_error *error)
{
    const rct_body given = *body;
    char name[RCT_NAME_SIZE];
    if (rct_body_check(body, b, "", NULL) == RCT_OK) {
        return RCT_OK;
    }
    rct_model_body_name(e->model, b, name);
    *body = given;
    return rct_body_check(body, b, name, error);
}

static rct_status check_numbers(const rct_ensemble *e, rct_member_numbers *numbers,
                                rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t b = 0; b < e->model->count && status == RCT_OK; b++) {
        status = check_body(e, b, &numbers->bodies[b], error);
    }
    for (int32_t i = 0; i < e->model->force_count && status == RCT_OK; i++) {
        status = rct_force_check(&numbers->forces[i], i, error);
    }
    return status;
}

void rct_member_base(const rct_ensemble *e, rct_member_numbers *numbers)
{
    const rct_model *base = e->model;
    memcpy(numbers->gravity, base->gravity, sizeof numbers->gravity);
    list_bodies(base, numbers->bodies);
    if (base->force_count > 0) {
        memcpy(numbers->forces, base->forces, (size_t)base->force_count * sizeof *numbers->forces);
    }
}

rct_status rct_member_make(const rct_ensemble *e, int64_t member, const double *values,
                           rct_member_numbers *numbers, rct_error *error)
{
    rct_member_base(e, numbers);
    for (int32_t i = 0; i < e->count; i++) {
        rct_target_write(&e->targets[i], e->model->count, values[i], numbers);
    }
    if (e->perturb > 0.0) {
        perturb(e, member, numbers->bodies);
    }
    return check_numbers(e, numbers, error);
}
