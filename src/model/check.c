/* Checks of the whole model: every parent exists, no body is its own ancestor, moving bodies
 * have mass; forces, loops and events name bodies, coordinates and loops that exist. */
#include "core/error.h"
#include "core/memory.h"
#include "model/forces/force_check.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>

static int is_body(const rct_model *model, int32_t id)
{
    return id >= 0 && id < model->count;
}

static rct_status check_parents(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->count; i++) {
        const int32_t parent = model->bodies->parent[i];
        if (parent == i) {
            return rct_model_fail_body(model, i, error, RCT_ERROR_MODEL,
                                       " is its own parent; hang it on another body or on ground");
        }
        if (parent != RCT_GROUND && !is_body(model, parent)) {
            return rct_model_fail_body(model, i, error, RCT_ERROR_MODEL,
                                       ": its parent %" PRId32 " does not exist; the model has "
                                       "bodies 0 to %" PRId32,
                                       parent, model->count - 1);
        }
    }
    return RCT_OK;
}

/* Follow the parents from every body. `mark[b]` is 1 + the start of the walk that first reached
 * b, so a walk that meets its own mark has found a cycle. Each body is marked once: O(n). */
static rct_status check_cycles(const rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    int32_t *mark = rct_allocate(model->count, sizeof *mark, "the check for cycles", error);
    if (mark == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t start = 0; start < model->count && status == RCT_OK; start++) {
        int32_t body = start;
        while (body != RCT_GROUND && mark[body] == 0) {
            mark[body] = start + 1;
            body = model->bodies->parent[body];
        }
        if (body != RCT_GROUND && mark[body] == start + 1) {
            status = rct_model_fail_body(model, body, error, RCT_ERROR_MODEL,
                                         " is its own ancestor: its parents form a cycle; hang "
                                         "one of them on ground");
        }
    }
    rct_release(mark);
    return status;
}

/* Friction at a ball hinge acts along the rate, whatever the axis. */
const char *rct_force_coordinate_trouble(const rct_model *model, const rct_force *force)
{
    const rct_loop_term term = {force->body, force->coordinate, 1.0};
    if (force->type != RCT_FORCE_FRICTION ||
        rct_bodies_at(model->bodies, force->body)->hinge != RCT_HINGE_BALL) {
        return rct_loop_term_trouble(model, &term);
    }
    return force->coordinate != 0
               ? "has friction as a whole: leave the coordinate of the friction out, or give 0"
               : NULL;
}

/* Check the coordinate on which force i acts; its body exists. */
static rct_status check_coordinate(const rct_model *model, int32_t i, rct_error *error)
{
    const rct_force *force = &model->forces[i];
    const char *trouble = rct_force_coordinate_trouble(model, force);
    char label[RCT_BODY_LABEL];
    return trouble == NULL
               ? RCT_OK
               : rct_fail_body(
                     error, RCT_ERROR_MODEL, force->body,
                     "force %" PRId32 ": coordinate %" PRId32 " of %s: its %s hinge %s", i,
                     force->coordinate, rct_bodies_label(model->bodies, force->body, label),
                     rct_hinge_name(rct_bodies_at(model->bodies, force->body)->hinge), trouble);
}

/* A body without mass must carry bodies that have some. Walk the parents of every body with mass
 * until a body that was visited before: O(n). */
static rct_status check_masses(const rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    char *moved = rct_allocate(model->count, sizeof *moved, "the check of masses", error);
    if (moved == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < model->count; i++) {
        const int has_mass = rct_bodies_at(model->bodies, i)->mass > 0.0;
        for (int32_t b = has_mass ? i : RCT_GROUND; b != RCT_GROUND && !moved[b];
             b = model->bodies->parent[b]) {
            moved[b] = 1;
        }
    }
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        if (!moved[i]) {
            status = rct_model_fail_body(model, i, error, RCT_ERROR_MODEL,
                                         " has no mass, and nothing that hangs on it has mass; "
                                         "give one of them mass and inertia");
        }
    }
    rct_release(moved);
    return status;
}

/* Check both ends of springs; the other end of a wrench is the ground. */
static rct_status check_forces(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *force = &model->forces[i];
        const int32_t ends[2] = {force->body, force->other};
        for (int k = 0; k < 2; k++) {
            if (ends[k] != RCT_GROUND && !is_body(model, ends[k])) {
                return rct_fail(error, RCT_ERROR_MODEL,
                                "force %" PRId32 ": its %s %" PRId32 " does not exist; the model "
                                "has bodies 0 to %" PRId32,
                                i, k == 0 ? "body" : "other body", ends[k], model->count - 1);
            }
        }
        if (rct_force_is_at_hinge(force) && check_coordinate(model, i, error) != RCT_OK) {
            return RCT_ERROR_MODEL;
        }
    }
    return RCT_OK;
}

/* Check the bodies of a closure; the other may be the ground. */
static rct_status check_ends(const rct_model *model, int32_t i, const char *name, rct_error *error)
{
    const rct_loop *loop = &model->loops[i];
    const int on_ground = loop->other == RCT_GROUND;
    const int32_t ends[2] = {loop->body, on_ground ? loop->body : loop->other};
    for (int k = 0; k < 2; k++) {
        if (!is_body(model, ends[k])) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "loop %" PRId32 " \"%s\": its %s %" PRId32 " does not exist; the "
                            "model has bodies 0 to %" PRId32,
                            i, name, k == 0 ? "body" : "other body", ends[k], model->count - 1);
        }
    }
    return RCT_OK;
}

const char *rct_loop_term_trouble(const rct_model *model, const rct_loop_term *term)
{
    const rct_hinge_type hinge = rct_bodies_at(model->bodies, term->body)->hinge;
    if (rct_hinge_uses(hinge, RCT_KEY_AXIS) == 0) {
        return "has no single coordinates; name a hinge that has an axis";
    }
    return term->freedom < 0 || term->freedom >= rct_hinge_freedoms(hinge)
               ? "has no coordinate of that number; coordinates count from 0"
               : NULL;
}

/* Check the hinges of a relation. */
static rct_status check_terms(const rct_model *model, int32_t i, const char *name, rct_error *error)
{
    for (int32_t k = 0; k < model->loops[i].term_count; k++) {
        const rct_loop_term *term = &model->loops[i].terms[k];
        if (!is_body(model, term->body)) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "loop %" PRId32 " \"%s\": body %" PRId32 " of term %" PRId32
                            " does not exist; the model has bodies 0 to %" PRId32,
                            i, name, term->body, k, model->count - 1);
        }
        const char *trouble = rct_loop_term_trouble(model, term);
        if (trouble != NULL) {
            char label[RCT_BODY_LABEL];
            return rct_fail_body(
                error, RCT_ERROR_MODEL, term->body,
                "loop %" PRId32 " \"%s\": coordinate %" PRId32 " of %s: its %s hinge %s", i, name,
                term->freedom, rct_bodies_label(model->bodies, term->body, label),
                rct_hinge_name(rct_bodies_at(model->bodies, term->body)->hinge), trouble);
        }
    }
    return RCT_OK;
}

static rct_status check_loops(const rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->loop_count && status == RCT_OK; i++) {
        char name[RCT_NAME_SIZE];
        rct_model_loop_name(model, i, name);
        status = model->loops[i].type == RCT_LOOP_RELATION ? check_terms(model, i, name, error)
                                                           : check_ends(model, i, name, error);
    }
    return status;
}

/* Check the bodies and loops that an event names; those that its type does not use are 0 and
 * need not exist. */
static rct_status check_named(const rct_model *model, const rct_event *e, const char *name,
                              rct_error *error)
{
    const int at_body = e->type == RCT_EVENT_COORDINATE || e->type == RCT_EVENT_DISTANCE;
    const int32_t ends[2] = {at_body ? e->body : 0, e->other == RCT_GROUND ? 0 : e->other};
    const int32_t loops[2] = {e->loop, e->type == RCT_EVENT_FORCE ? e->of : e->loop};
    for (int k = 0; k < 2; k++) {
        if (!is_body(model, ends[k])) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "event \"%s\": its %s %" PRId32 " does not exist; the model has "
                            "bodies 0 to %" PRId32,
                            name, k == 0 ? "body" : "other body", ends[k], model->count - 1);
        }
        if (loops[k] < 0 || loops[k] >= model->loop_count) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "event \"%s\": loop %" PRId32 " does not exist; the model has "
                            "%" PRId32 " loop%s",
                            name, loops[k], model->loop_count, rct_plural(model->loop_count));
        }
    }
    return RCT_OK;
}

/* The coordinate of an event must be one that a relation could tie. */
static rct_status check_watched(const rct_model *model, const rct_event *e, const char *name,
                                rct_error *error)
{
    const rct_loop_term term = {e->body, e->coordinate, 1.0};
    char label[RCT_BODY_LABEL];
    const char *trouble =
        e->type == RCT_EVENT_COORDINATE ? rct_loop_term_trouble(model, &term) : NULL;
    return trouble == NULL
               ? RCT_OK
               : rct_fail_body(error, RCT_ERROR_MODEL, e->body,
                               "event \"%s\": coordinate %" PRId32 " of %s: its %s hinge %s", name,
                               e->coordinate, rct_bodies_label(model->bodies, e->body, label),
                               rct_hinge_name(rct_bodies_at(model->bodies, e->body)->hinge),
                               trouble);
}

static rct_status check_events(const rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->event_count && status == RCT_OK; i++) {
        char name[RCT_NAME_SIZE];
        rct_model_event_name(model, i, name);
        status = check_named(model, &model->events[i], name, error);
        RCT_THEN(status, check_watched(model, &model->events[i], name, error));
    }
    return status;
}

rct_status rct_model_check(const rct_model *model, rct_error *error)
{
    if (!rct_given(model, "model", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (model->count == 0) {
        return rct_fail(error, RCT_ERROR_MODEL, "the model has no bodies; add at least one");
    }
    rct_status status = check_parents(model, error);
    RCT_THEN(status, check_cycles(model, error));
    RCT_THEN(status, check_masses(model, error));
    RCT_THEN(status, check_forces(model, error));
    RCT_THEN(status, check_loops(model, error));
    RCT_THEN(status, check_events(model, error));
    return status;
}
