/* Making the plan: the stages of topology.h on one screen. */
#include "topology/plan.h"

#include "core/memory.h"
#include "model/model.h"
#include "topology/topology.h"

#include <string.h>

/* The model owns the names and may go. */
static void copy_bodies(rct_plan *plan, const rct_model *model)
{
    memcpy(plan->gravity, model->gravity, sizeof plan->gravity);
    memcpy(plan->bodies, model->bodies, (size_t)model->count * sizeof *plan->bodies);
    for (int64_t b = 0; b < model->count; b++) {
        plan->bodies[b].name = NULL;
    }
    if (plan->own_gravity != NULL) {
        memcpy(plan->own_gravity, model->own_gravity,
               3 * (size_t)plan->systems * sizeof *plan->own_gravity);
    }
}

/* Room for the gravity of each of so many systems or links, if they have their own; else NULL. */
static rct_status allocate_gravity(const rct_plan *plan, int32_t count, double **gravity,
                                   rct_error *error)
{
    if (plan->systems > 0) {
        *gravity = rct_allocate(count, 3 * (int64_t)sizeof(double), "the gravity of trees", error);
    }
    return plan->systems > 0 && *gravity == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Whether anything acts at hinges by their own motion. */
static int has_efforts(const rct_body *bodies, int32_t count)
{
    int any = 0;
    for (int32_t b = 0; b < count && !any; b++) {
        for (int i = 0; i < 3; i++) {
            any = any || bodies[b].stiffness[i] != 0.0 || bodies[b].damping[i] != 0.0 ||
                  bodies[b].applied[i] != 0.0 || bodies[b].armature[i] != 0.0;
        }
    }
    return any;
}

static rct_status allocate_bodies(rct_plan *plan, const rct_model *model, rct_error *error)
{
    const int64_t n = model->count;
    plan->body_count = model->count;
    plan->systems = model->systems;
    plan->order = rct_allocate(n, sizeof *plan->order, "the order of bodies", error);
    plan->bodies = rct_allocate(n, sizeof *plan->bodies, "the bodies of a plan", error);
    plan->placement = rct_allocate(n, sizeof *plan->placement, "the places of bodies", error);
    if (plan->order == NULL || plan->bodies == NULL || plan->placement == NULL ||
        allocate_gravity(plan, plan->systems, &plan->own_gravity, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    copy_bodies(plan, model);
    plan->has_efforts = has_efforts(plan->bodies, plan->body_count);
    for (int64_t b = 0; b < n; b++) {
        plan->coordinates += rct_hinge_coordinates(plan->bodies[b].hinge);
        plan->freedoms += rct_hinge_freedoms(plan->bodies[b].hinge);
    }
    return RCT_OK;
}

static rct_status allocate_links(rct_plan *plan, int32_t count, rct_error *error)
{
    const char *what = "the links of a plan";
    plan->head = rct_allocate(count, sizeof *plan->head, what, error);
    plan->parent = rct_allocate(count, sizeof *plan->parent, what, error);
    plan->child_begin = rct_allocate((int64_t)count + 1, sizeof *plan->child_begin, what, error);
    plan->child = rct_allocate(count, sizeof *plan->child, what, error);
    plan->sweep_records = rct_allocate(count, LINK_FIELDS * (int64_t)sizeof(double), what, error);
    plan->inertia_records =
        rct_allocate(count, LINK_INERTIA_FIELDS * (int64_t)sizeof(double), what, error);
    const int whole = plan->head != NULL && plan->parent != NULL && plan->child_begin != NULL &&
                      plan->child != NULL && plan->sweep_records != NULL &&
                      plan->inertia_records != NULL;
    return whole ? allocate_gravity(plan, count, &plan->link_gravity, error) : RCT_ERROR_MEMORY;
}

static void show_links(rct_plan *plan, int32_t count)
{
    for (int64_t l = 0; l < count && plan->link_gravity != NULL; l++) {
        memcpy(plan->link_gravity + 3 * l, rct_plan_gravity(plan, plan->head[l]),
               3 * sizeof *plan->link_gravity);
    }
    plan->links = (rct_links){
        .count = count,
        .gravity = {plan->gravity[0], plan->gravity[1], plan->gravity[2]},
        .own_gravity = plan->link_gravity,
        .parent = plan->parent,
        .child_begin = plan->child_begin,
        .child = plan->child,
        .sweep = plan->sweep_records,
        .inertia = plan->inertia_records,
    };
}

/* The forces, the loops and the motion of the ground outlive the model. */
static rct_status copy_surroundings(rct_plan *plan, const rct_model *model, rct_error *error)
{
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

static rct_status build(rct_plan *plan, const rct_model *model, rct_error *error)
{
    rct_raw_link *links = NULL;
    int32_t *label = NULL;
    int32_t count = 0;
    rct_status status = allocate_bodies(plan, model, error);
    if (status == RCT_OK) {
        status = rct_order_bodies(plan, error);
    }
    if (status == RCT_OK) {
        status = rct_weld_bodies(plan, &links, &count, error);
    }
    if (status == RCT_OK && plan->plain) {
        status = rct_check_spin(model, links, count, error);
    }
    if (status == RCT_OK) {
        label = rct_allocate(count, sizeof *label, "the labels", error);
        status = label == NULL ? RCT_ERROR_MEMORY : allocate_links(plan, count, error);
    }
    if (status == RCT_OK) {
        status = rct_label_links(plan, links, count, label, error);
    }
    if (status == RCT_OK) {
        status = rct_write_records(plan, links, count, label, error);
    }
    if (status == RCT_OK) {
        status = rct_write_mixed(plan, links, count, label, error);
    }
    if (status == RCT_OK) {
        status = copy_surroundings(plan, model, error);
    }
    if (status == RCT_OK) {
        status = rct_list_wrenches(plan, count, error);
    }
    show_links(plan, count);
    rct_release(links);
    rct_release(label);
    return status;
}

/* Whether there is nothing but ball hinges under gravity. */
static int is_plain(const rct_model *model)
{
    rct_base base;
    rct_model_base(model, &base);
    int plain = model->force_count == 0 && model->loop_count == 0 && base.rows == 0 &&
                base.rate == 0.0 && base.angular_acceleration == 0.0;
    for (int i = 0; i < 3; i++) {
        plain = plain && base.velocity[i] == 0.0 && base.acceleration[i] == 0.0;
    }
    for (int32_t b = 0; b < model->count && plain; b++) {
        plain = model->bodies[b].hinge <= RCT_HINGE_BALL && model->bodies[b].damping[0] == 0.0;
    }
    return plain;
}

rct_plan *rct_plan_create(const rct_model *model, rct_error *error)
{
    if (rct_model_check(model, error) != RCT_OK) {
        return NULL;
    }
    rct_plan *plan = rct_allocate(1, sizeof *plan, "a plan", error);
    if (plan != NULL) {
        plan->plain = is_plain(model);
    }
    if (plan != NULL && build(plan, model, error) != RCT_OK) {
        rct_plan_free(plan);
        plan = NULL;
    }
    return plan;
}

void rct_plan_free(rct_plan *plan)
{
    if (plan != NULL) {
        rct_release(plan->order);
        rct_release(plan->bodies);
        rct_release(plan->placement);
        rct_release(plan->own_gravity);
        rct_release(plan->head);
        rct_release(plan->parent);
        rct_release(plan->child_begin);
        rct_release(plan->child);
        rct_release(plan->sweep_records);
        rct_release(plan->inertia_records);
        rct_release(plan->link_gravity);
        rct_release(plan->kind);
        rct_release(plan->turn_records);
        rct_release(plan->state_at);
        rct_release(plan->rate_at);
        rct_release(plan->wrench);
        rct_release(plan->wrench_begin);
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
               a->in_body_axes == b->in_body_axes;
    }
    return same;
}

int rct_plan_fits(const rct_plan *plan, const rct_model *model)
{
    int fits = model->count == plan->body_count && model->systems == plan->systems &&
               model->loop_count == 0 && plan->surroundings->loop_count == 0 &&
               is_plain(model) == plan->plain && same_forces(plan, model) &&
               has_efforts(model->bodies, model->count) == plan->has_efforts;
    for (int32_t b = 0; b < plan->body_count && fits; b++) {
        const rct_body *own = &plan->bodies[b], *other = &model->bodies[b];
        fits = own->parent == other->parent && own->hinge == other->hinge;
    }
    return fits;
}

/* Labels by raw ids, which follow one another in the order of heads. */
static void list_labels(const rct_plan *plan, int32_t *label)
{
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        if (plan->bodies[b].hinge != RCT_HINGE_FIXED) {
            *label++ = plan->placement[b].link;
        }
    }
}

/* Bodies welded once more: their places, and the records of links. */
static rct_status write_numbers(rct_plan *plan, const rct_model *model, const int32_t *label,
                                rct_error *error)
{
    rct_raw_link *links = NULL;
    int32_t count = 0;
    rct_status status = rct_weld_bodies(plan, &links, &count, error);
    for (int32_t b = 0; b < plan->body_count && status == RCT_OK; b++) {
        int32_t *link = &plan->placement[b].link;
        *link = *link == RCT_GROUND ? RCT_GROUND : label[*link];
    }
    if (status == RCT_OK && plan->plain) {
        status = rct_check_spin(model, links, count, error);
    }
    if (status == RCT_OK) {
        status = rct_write_records(plan, links, count, label, error);
    }
    if (status == RCT_OK) {
        status = rct_write_mixed(plan, links, count, label, error);
    }
    rct_release(links);
    return status;
}

rct_status rct_plan_renew(rct_plan *plan, const rct_model *model, rct_error *error)
{
    const int32_t count = plan->links.count;
    int32_t *label = rct_allocate(count, sizeof *label, "the labels", error);
    if (label == NULL) {
        return RCT_ERROR_MEMORY;
    }
    list_labels(plan, label);
    copy_bodies(plan, model);
    rct_status status = write_numbers(plan, model, label, error);
    if (status == RCT_OK) {
        rct_model_free(plan->surroundings);
        status = copy_surroundings(plan, model, error);
    }
    show_links(plan, count);
    rct_release(label);
    return status;
}

int64_t rct_plan_bytes(const rct_plan *plan)
{
    const int64_t body = sizeof *plan->order + sizeof *plan->bodies + sizeof *plan->placement;
    const int64_t numbers =
        LINK_FIELDS + LINK_INERTIA_FIELDS + (plan->turn_records != NULL ? MIXED_TURN_FIELDS : 0);
    const int64_t link = 4 * (int64_t)sizeof(int32_t) + (int64_t)sizeof *plan->kind +
                         2 * (int64_t)sizeof *plan->state_at + numbers * (int64_t)sizeof(double);
    const int64_t wrenches =
        plan->wrench == NULL ? 0 : plan->wrench_begin[plan->links.count] + plan->links.count + 2;
    const int64_t gravities = plan->systems > 0 ? plan->systems + plan->links.count : 0;
    return (int64_t)sizeof *plan + plan->body_count * body + plan->links.count * link +
           3 * gravities * (int64_t)sizeof(double) + wrenches * (int64_t)sizeof *plan->wrench +
           rct_model_bytes(plan->surroundings);
}
