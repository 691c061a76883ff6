/* Making the plan: the stages of topology.h on one screen. */
#include "topology/plan.h"

#include "core/memory.h"
#include "model/model.h"
#include "topology/topology.h"

#include <string.h>

static rct_status allocate_bodies(rct_plan *plan, const rct_model *model, rct_error *error)
{
    const int64_t n = model->count;
    plan->body_count = model->count;
    memcpy(plan->gravity, model->gravity, sizeof plan->gravity);
    plan->order = rct_allocate(n, sizeof *plan->order, "the order of bodies", error);
    plan->bodies = rct_allocate(n, sizeof *plan->bodies, "the bodies of a plan", error);
    plan->placement = rct_allocate(n, sizeof *plan->placement, "the places of bodies", error);
    if (plan->order == NULL || plan->bodies == NULL || plan->placement == NULL) {
        return RCT_ERROR_MEMORY;
    }
    memcpy(plan->bodies, model->bodies, (size_t)n * sizeof *plan->bodies);
    for (int64_t b = 0; b < n; b++) {
        plan->bodies[b].name = NULL; /* the model owns the names and may go */
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
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static void show_links(rct_plan *plan, int32_t count)
{
    plan->links = (rct_links){
        .count = count,
        .gravity = {plan->gravity[0], plan->gravity[1], plan->gravity[2]},
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
    if (status == RCT_OK && !plan->mixed) {
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
    if (status == RCT_OK && plan->mixed) {
        status = rct_write_mixed(plan, links, count, label, error);
    }
    if (status == RCT_OK && plan->mixed) {
        status = copy_surroundings(plan, model, error);
    }
    show_links(plan, count);
    rct_release(links);
    rct_release(label);
    return status;
}

/* Whether hinges, forces or loops are beyond those of ball hinges under gravity. */
static int is_mixed(const rct_model *model)
{
    rct_base base;
    rct_model_base(model, &base);
    int mixed = model->force_count > 0 || model->loop_count > 0 || base.rows > 0 ||
                base.rate != 0.0 || base.angular_acceleration != 0.0;
    for (int i = 0; i < 3; i++) {
        mixed = mixed || base.velocity[i] != 0.0 || base.acceleration[i] != 0.0;
    }
    for (int32_t b = 0; b < model->count && !mixed; b++) {
        mixed = model->bodies[b].hinge > RCT_HINGE_BALL || model->bodies[b].damping[0] != 0.0;
    }
    return mixed;
}

rct_plan *rct_plan_create(const rct_model *model, rct_error *error)
{
    return rct_plan_create_mixed(model, 0, error);
}

rct_plan *rct_plan_create_mixed(const rct_model *model, int mixed, rct_error *error)
{
    if (rct_model_check(model, error) != RCT_OK) {
        return NULL;
    }
    rct_plan *plan = rct_allocate(1, sizeof *plan, "a plan", error);
    if (plan != NULL) {
        plan->mixed = mixed || is_mixed(model);
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
        rct_release(plan->head);
        rct_release(plan->parent);
        rct_release(plan->child_begin);
        rct_release(plan->child);
        rct_release(plan->sweep_records);
        rct_release(plan->inertia_records);
        rct_release(plan->kind);
        rct_release(plan->mixed_records);
        rct_release(plan->state_at);
        rct_model_free(plan->surroundings);
        rct_release(plan);
    }
}

int64_t rct_plan_bytes(const rct_plan *plan)
{
    const int64_t body = sizeof *plan->order + sizeof *plan->bodies + sizeof *plan->placement;
    const int64_t link = 4 * (int64_t)sizeof(int32_t) +
                         (LINK_FIELDS + LINK_INERTIA_FIELDS) * (int64_t)sizeof(double);
    return (int64_t)sizeof *plan + plan->body_count * body + plan->links.count * link;
}
