/* Hinges that may break: a hinge of the tree becomes a free hinge and a closure of its type,
 * which can be released. So only loops come and go while a system moves, and a model that may
 * part needs one plan. */
#include <riccatree/event.h>

#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "model/forces/force_check.h"
#include "model/hinge_types.h"
#include "model/model.h"
#include "model/pose.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rounding = 1e-12; /* of the cosine between two axes */

/* The closure that replaces a hinge; -1 if there is none. */
static int closure_of(rct_hinge_type hinge)
{
    static const int closures[RCT_HINGE_TYPES] = {
        [RCT_HINGE_FIXED] = RCT_LOOP_FIXED,
        [RCT_HINGE_BALL] = RCT_LOOP_BALL,
        [RCT_HINGE_REVOLUTE] = RCT_LOOP_REVOLUTE,
        [RCT_HINGE_PRISMATIC] = RCT_LOOP_PRISMATIC,
        [RCT_HINGE_UNIVERSAL] = RCT_LOOP_UNIVERSAL,
        [RCT_HINGE_CYLINDRICAL] = RCT_LOOP_CYLINDRICAL,
        [RCT_HINGE_PLANAR] = RCT_LOOP_PLANAR,
        [RCT_HINGE_HELICAL] = -1,
        [RCT_HINGE_FREE] = -1,
    };
    return closures[hinge];
}

/* Whether a force, a relation or an event names a coordinate of the hinge of body `id`. */
static int is_named(const rct_model *model, int32_t id)
{
    int named = 0;
    for (int32_t i = 0; i < model->force_count; i++) {
        named = named || (rct_force_is_at_hinge(&model->forces[i]) && model->forces[i].body == id);
    }
    for (int32_t i = 0; i < model->loop_count; i++) {
        for (int32_t k = 0; k < model->loops[i].term_count; k++) {
            named = named || model->loops[i].terms[k].body == id;
        }
    }
    for (int32_t i = 0; i < model->event_count; i++) {
        const rct_event *e = &model->events[i];
        named = named || (e->type == RCT_EVENT_COORDINATE && e->body == id);
    }
    return named;
}

static const char *trouble_of(const rct_model *model, int32_t id, const rct_body *body)
{
    if (body->hinge == RCT_HINGE_FREE) {
        return "a free hinge holds nothing; tie the body with a loop, which can be released";
    }
    if (closure_of(body->hinge) < 0) {
        return "there is no closure of its type; use a cylindrical hinge and a relation instead";
    }
    if (!rct_all_zero(body->stiffness, 3) || !rct_all_zero(body->damping, 3) ||
        !rct_all_zero(body->applied, 3) || !rct_all_zero(body->armature, 3)) {
        return "closures have no springs, dampers, forces or rotors; remove these";
    }
    if (body->hinge == RCT_HINGE_UNIVERSAL &&
        fabs(rct_dot(body->hinge_axis, body->hinge_axis2)) > rounding) {
        return "its axes are not perpendicular, and those of its closure must be; use two revolute "
               "hinges instead";
    }
    return is_named(model, id) ? "a force, a relation or an event names its coordinates, and a "
                                 "free body does not have them; push, tie or watch another hinge"
                               : NULL;
}

/* Add the closure that replaces the hinge. */
static rct_status add_closure(rct_model *model, int32_t id, const rct_body *body, int32_t *loop,
                              rct_error *error)
{
    char name[RCT_NAME_SIZE], own[RCT_NAME_SIZE + 8];
    rct_loop l = rct_loop_default();
    l.type = (rct_loop_type)closure_of(body->hinge);
    const int turned = l.type != RCT_LOOP_BALL;
    rct_model_body_name(model, id, name);
    snprintf(own, sizeof own, "%s hinge", name);
    l.name = own;
    l.body = id;
    l.other = body->parent;
    memcpy(l.other_at, body->hinge_at, sizeof l.other_at);
    if (turned) {
        memcpy(l.other_orientation, body->hinge_orientation, sizeof l.other_orientation);
    }
    if (turned && l.type != RCT_LOOP_FIXED) {
        memcpy(l.axis, body->hinge_axis, sizeof l.axis);
    }
    if (l.type == RCT_LOOP_UNIVERSAL) {
        memcpy(l.axis2, body->hinge_axis2, sizeof l.axis2);
    }
    return rct_model_add_loop(model, &l, loop, error);
}

/* The body as it was, on a free hinge. */
static rct_body set_free(const rct_body *body, const rct_model_pose *pose)
{
    rct_body b = rct_plain_body;
    b.hinge = RCT_HINGE_FREE;
    b.mass = body->mass;
    memcpy(b.com, body->com, sizeof b.com);
    memcpy(b.inertia, body->inertia, sizeof b.inertia);
    memcpy(b.orientation, pose->orientation, sizeof b.orientation);
    rct_make_unit(b.orientation, 4); /* a product of many: keep it when read again */
    memcpy(b.angular_velocity, pose->angular_velocity, sizeof b.angular_velocity);
    memcpy(b.position, pose->position, sizeof b.position);
    memcpy(b.rate, pose->velocity, sizeof b.rate);
    return b;
}

rct_status rct_model_loosen_hinge(rct_model *model, int32_t body, int32_t *loop, rct_error *error)
{
    rct_model_pose pose;
    const rct_body own = rct_bodies_get(model->bodies, body);
    const char *trouble = trouble_of(model, body, &own);
    if (trouble != NULL) {
        return rct_model_fail_body(model, body, error, RCT_ERROR_MODEL,
                                   ": its %s hinge cannot break: %s", rct_hinge_name(own.hinge),
                                   trouble);
    }
    rct_status status = rct_model_find_pose(model, body, &pose, error);
    RCT_THEN(status, rct_bodies_own(&model->bodies, model->count, error));
    if (status == RCT_OK) {
        const rct_body loose = set_free(&own, &pose);
        status = rct_bodies_put(model->bodies, body, &loose, error);
    }
    if (status == RCT_OK) {
        status = add_closure(model, body, &own, loop, error);
        if (status != RCT_OK) {
            (void)rct_bodies_put(model->bodies, body, &own, NULL); /* its memory is still there */
        }
    }
    return status;
}

rct_status rct_model_loosen(rct_model *model, int32_t body, int32_t *loop, rct_error *error)
{
    const rct_status status = rct_model_check(model, error);
    if (status == RCT_OK && (body < 0 || body >= model->count)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "body %" PRId32 " does not exist; the model has bodies 0 to %" PRId32, body,
                        model->count - 1);
    }
    return status == RCT_OK ? rct_model_loosen_hinge(model, body, loop, error) : status;
}
