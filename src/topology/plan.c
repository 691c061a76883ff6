/* Makes the plan: the stages of topology.h on one screen. */
#include "topology/plan.h"

#include "core/memory.h"
#include "model/hinge_types.h"
#include "model/model.h"
#include "topology/topology.h"

#include <string.h>

enum { BODY_ARRAYS = 4, LINK_ARRAYS = 12, FORCE_ARRAYS = 4 };
enum { ARRAYS = BODY_ARRAYS + LINK_ARRAYS + FORCE_ARRAYS };

/* The arrays that the plan owns, with their counts: bodies, links, and what wrenches.c
 * allocates. */
static void list_arrays(rct_plan *plan, rct_array arrays[ARRAYS])
{
    rct_links *links = &plan->links;
    const int64_t n = plan->body_count, count = links->count;
    const int64_t unlike = links->each > 0 ? 0 : count; /* links whose places must be looked up */
    const int64_t blocks = links->each > 0 ? 0 : n / RCT_PLACE_BODIES + 1;
    const int64_t wrenches = plan->wrench_begin != NULL ? plan->wrench_begin[count] : 0;
    const int64_t efforts = plan->effort_begin != NULL ? plan->effort_begin[count] : 0;
    const rct_array all[ARRAYS] = {
        RCT_ARRAY(plan->order, n),
        RCT_ARRAY(plan->link_of, n),
        RCT_ARRAY(plan->seat_of, n),
        RCT_ARRAY(plan->own_gravity, 3 * (int64_t)plan->gravities),
        RCT_ARRAY(plan->places.head, count),
        RCT_ARRAY(links->parent, count),
        RCT_ARRAY(links->kind, count),
        RCT_ARRAY(links->child_begin, count + 1),
        RCT_ARRAY(links->child, count),
        RCT_ARRAY(links->record, count),
        RCT_ARRAY(links->state_at, links->each > 0 ? 0 : count + 1),
        RCT_ARRAY(plan->places.coordinates.block, blocks),
        RCT_ARRAY(plan->places.coordinates.within, unlike),
        RCT_ARRAY(plan->places.rates.block, blocks),
        RCT_ARRAY(plan->places.rates.within, unlike),
        RCT_ARRAY(plan->levers, count * LEVER_FIELDS),
        RCT_ARRAY(plan->wrench, wrenches),
        RCT_ARRAY(plan->wrench_begin, count + 1),
        RCT_ARRAY(plan->effort, efforts),
        RCT_ARRAY(plan->effort_begin, count + 1),
    };
    memcpy(arrays, all, sizeof all);
}

/* Whether any ball hinge has springs. */
static int any_bends(const rct_bodies *bodies, int32_t count)
{
    int any = 0;
    for (int32_t b = 0; b < count && !any; b++) {
        any = rct_bends(rct_bodies_at(bodies, b));
    }
    return any;
}

/* Whether any has springs or dampers. */
static int any_holds(const rct_bodies *bodies, int32_t count)
{
    int any = 0;
    for (int32_t b = 0; b < count && !any; b++) {
        any = rct_holds(rct_bodies_at(bodies, b));
    }
    return any;
}

void rct_plan_yield(rct_plan *plan)
{
    plan->yields = 1;
    plan->links.wide = plan->rubs || any_holds(plan->bodies, plan->body_count);
}

static void take_numbers(rct_plan *plan, const rct_model *model)
{
    memcpy(plan->gravity, model->gravity, sizeof plan->gravity);
    rct_bodies_release(plan->bodies);
    plan->bodies = rct_bodies_share(model->bodies);
    plan->bends = any_bends(plan->bodies, model->count);
    if (plan->gravities > 0) {
        memcpy(plan->own_gravity, model->own_gravity,
               3 * (size_t)plan->gravities * sizeof *plan->own_gravity);
    }
}

/* Whether anything acts at hinges by their own motion. */
static int has_efforts(const rct_bodies *bodies, int32_t count)
{
    int any = 0;
    for (int32_t b = 0; b < count && !any; b++) {
        const rct_body *body = rct_bodies_at(bodies, b);
        for (int i = 0; i < 3; i++) {
            any = any || body->stiffness[i] != 0.0 || body->damping[i] != 0.0 ||
                  body->applied[i] != 0.0 || body->armature[i] != 0.0;
        }
    }
    return any;
}

/* How many numbers hinges have, and whether all have equally many. */
static void count_numbers(rct_plan *plan)
{
    const rct_hinge_type first =
        plan->body_count > 0 ? rct_bodies_at(plan->bodies, 0)->hinge : RCT_HINGE_FIXED;
    int alike = first != RCT_HINGE_FIXED;
    plan->links.fields = LINK_FIELDS;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_bodies_at(plan->bodies, b)->hinge;
        plan->coordinates += rct_hinge_coordinates(hinge);
        plan->freedoms += rct_hinge_freedoms(hinge);
        alike = alike && hinge == first;
        if (hinge != RCT_HINGE_BALL && hinge != RCT_HINGE_FIXED) {
            plan->links.fields = LINK_ALL_FIELDS;
        }
    }
    plan->places.coordinates.each = alike ? rct_hinge_coordinates(first) : 0;
    plan->places.rates.each = alike ? rct_hinge_freedoms(first) : 0;
    plan->links.each = plan->places.coordinates.each + plan->places.rates.each;
}

static rct_status take_bodies(rct_plan *plan, const rct_model *model, rct_error *error)
{
    rct_array arrays[ARRAYS];
    plan->body_count = model->count;
    plan->systems = model->systems;
    plan->gravities = model->own_gravity != NULL ? model->systems : 0;
    list_arrays(plan, arrays);
    if (rct_allocate_arrays(arrays, BODY_ARRAYS, "the bodies of a plan", error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    take_numbers(plan, model);
    plan->has_efforts = has_efforts(plan->bodies, plan->body_count);
    count_numbers(plan);
    return RCT_OK;
}

/* Copies the forces, the loops and the motion of the ground, which outlive the model. */
static rct_status copy_surroundings(rct_plan *plan, const rct_model *model, rct_error *error)
{
    rct_model_free(plan->surroundings);
    plan->surroundings = rct_model_create(NULL, error);
    if (plan->surroundings == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_status status = rct_model_set_base(plan->surroundings, &model->base, error);
    for (int32_t i = 0; i < model->force_count && status == RCT_OK; i++) {
        status = rct_model_add_force(plan->surroundings, &model->forces[i], NULL, error);
    }
    return status == RCT_OK ? rct_model_copy_loops(plan->surroundings, model, error) : status;
}

/* Where hinges have their numbers among those of all. */
static void write_places(const rct_plan *plan)
{
    int64_t q = 0, u = 0;
    for (int64_t b = 0; b < plan->body_count && plan->links.each == 0; b++) {
        const int64_t block = b / RCT_PLACE_BODIES;
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        if (b % RCT_PLACE_BODIES == 0) {
            plan->places.coordinates.block[block] = q;
            plan->places.rates.block[block] = u;
        }
        if (hinge != RCT_HINGE_FIXED) {
            const int32_t link = plan->link_of[b];
            plan->places.coordinates.within[link] =
                (int16_t)(q - plan->places.coordinates.block[block]);
            plan->places.rates.within[link] = (int16_t)(u - plan->places.rates.block[block]);
        }
        q += rct_hinge_coordinates(hinge);
        u += rct_hinge_freedoms(hinge);
    }
}

/* Writes all that depends on numbers of the model; raw ids in the places of bodies become
 * labels. */
static rct_status write_numbers(rct_plan *plan, const rct_model *model, const rct_raw_link *links,
                                const int32_t *label, rct_error *error)
{
    for (int32_t b = 0; b < plan->body_count; b++) {
        int32_t *link = &plan->link_of[b];
        *link = *link == RCT_GROUND ? RCT_GROUND : label[*link];
    }
    rct_status status = rct_write_records(plan, links, label, error);
    if (status == RCT_OK) {
        write_places(plan);
        status = rct_check_spin(plan, model, error);
    }
    return status == RCT_OK ? copy_surroundings(plan, model, error) : status;
}

static rct_status build(rct_plan *plan, const rct_model *model, rct_error *error)
{
    rct_array arrays[ARRAYS];
    rct_raw_link *links = NULL;
    int32_t *label = NULL;
    rct_status status = take_bodies(plan, model, error);
    if (status == RCT_OK) {
        status = rct_order_bodies(plan, error);
    }
    if (status == RCT_OK) {
        status = rct_weld_bodies(plan, &links, error);
    }
    if (status == RCT_OK) {
        list_arrays(plan, arrays);
        status =
            rct_allocate_arrays(arrays + BODY_ARRAYS, LINK_ARRAYS, "the links of a plan", error);
    }
    if (status == RCT_OK) {
        label = rct_allocate(plan->links.count, sizeof *label, "the labels", error);
        status = label == NULL ? RCT_ERROR_MEMORY : rct_label_links(plan, links, label, error);
    }
    if (status == RCT_OK) {
        status = write_numbers(plan, model, links, label, error);
    }
    if (status == RCT_OK) {
        status = rct_list_forces(plan, error);
    }
    rct_release(links);
    rct_release(label);
    return status;
}

rct_plan *rct_plan_create(const rct_model *model, rct_error *error)
{
    if (rct_model_check(model, error) != RCT_OK) {
        return NULL;
    }
    rct_plan *plan = rct_allocate(1, sizeof *plan, "a plan", error);
    if (plan != NULL && build(plan, model, error) != RCT_OK) {
        rct_plan_free(plan);
        plan = NULL;
    }
    return plan;
}

void rct_plan_free(rct_plan *plan)
{
    if (plan != NULL) {
        rct_array arrays[ARRAYS];
        list_arrays(plan, arrays);
        rct_release_arrays(arrays, ARRAYS);
        rct_distinct_free(&plan->seats);
        rct_distinct_free(&plan->records);
        rct_bodies_release(plan->bodies);
        rct_model_free(plan->surroundings);
        rct_release(plan);
    }
}

/* ---- other numbers ------------------------------------------------------------------------ */

static int same_forces(const rct_plan *plan, const rct_model *model)
{
    const rct_model *own = plan->surroundings;
    int same = model->force_count == own->force_count;
    for (int32_t i = 0; i < model->force_count && same; i++) {
        const rct_force *a = &own->forces[i], *b = &model->forces[i];
        same = a->type == b->type && a->body == b->body && a->other == b->other &&
               a->in_body_axes == b->in_body_axes && a->coordinate == b->coordinate;
    }
    return same;
}

int rct_plan_fits(const rct_plan *plan, const rct_model *model)
{
    int fits =
        model->count == plan->body_count && model->systems == plan->systems &&
        (model->own_gravity != NULL) == (plan->gravities > 0) && model->loop_count == 0 &&
        plan->surroundings->loop_count == 0 && same_forces(plan, model) &&
        has_efforts(model->bodies, model->count) == plan->has_efforts &&
        (!plan->yields || plan->rubs || any_holds(model->bodies, model->count) == plan->links.wide);
    for (int32_t b = 0; b < plan->body_count && fits; b++) {
        fits = plan->bodies->parent[b] == model->bodies->parent[b] &&
               rct_bodies_at(plan->bodies, b)->hinge == rct_bodies_at(model->bodies, b)->hinge;
    }
    return fits;
}

/* Labels by raw ids, which follow one another in the order of heads. */
static void list_labels(const rct_plan *plan, int32_t *label)
{
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        if (rct_bodies_at(plan->bodies, b)->hinge != RCT_HINGE_FIXED) {
            *label++ = plan->link_of[b];
        }
    }
}

rct_status rct_plan_renew(rct_plan *plan, const rct_model *model, rct_error *error)
{
    rct_raw_link *links = NULL;
    int32_t *label = rct_allocate(plan->links.count, sizeof *label, "the labels", error);
    rct_status status = label == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (status == RCT_OK) {
        list_labels(plan, label);
        take_numbers(plan, model);
        status = rct_weld_bodies(plan, &links, error);
    }
    if (status == RCT_OK) {
        status = write_numbers(plan, model, links, label, error);
    }
    rct_release(links);
    rct_release(label);
    return status;
}

int64_t rct_plan_bytes(const rct_plan *plan)
{
    rct_plan seen = *plan;
    rct_array arrays[ARRAYS];
    list_arrays(&seen, arrays);
    return (int64_t)sizeof *plan + rct_array_bytes(arrays, ARRAYS) +
           rct_distinct_bytes(&plan->seats) + rct_distinct_bytes(&plan->records) +
           rct_bodies_bytes(plan->bodies) + rct_model_bytes(plan->surroundings);
}

int rct_plan_is_turned(const rct_plan *plan, int32_t label, const double *coordinates)
{
    return rct_hinge_is_turned((rct_hinge_type)plan->links.kind[label], coordinates);
}
