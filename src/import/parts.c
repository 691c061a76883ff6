/* Parts into bodies: parts that become bodies of their own are added one by one, then their
 * shapes and ties. */
#include "import/parts.h"

#include <riccatree/force.h>

#include "core/memory.h"
#include "core/rotation.h"
#include "model/hinge_types.h"
#include "model/inertia.h"
#include "model/names.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

rct_part rct_part_default(void)
{
    return (rct_part){.parent = RCT_GROUND,
                      .place = rct_place_none(),
                      .hinge = RCT_HINGE_FIXED,
                      .axis = {0.0, 0.0, 1.0},
                      .axis2 = {1.0, 0.0, 0.0}};
}

void rct_parts_append(rct_parts *parts, const rct_part *part)
{
    rct_source *source = rct_source_of(part->element);
    if (source->status == RCT_OK && parts->count == parts->capacity) {
        const int64_t capacity = (int64_t)parts->capacity + parts->capacity / 2 + FIRST_CAPACITY;
        rct_part *wide = rct_widen(parts->part, parts->count, capacity, sizeof *wide,
                                   "the bodies of a file", source->error);
        rct_source_have(source, wide);
        parts->part = wide != NULL ? wide : parts->part;
        parts->capacity = wide != NULL ? (int32_t)capacity : parts->capacity;
    }
    if (source->status == RCT_OK) {
        parts->part[parts->count++] = *part;
    }
}

void rct_parts_free(rct_parts *parts)
{
    for (int k = 0; k < RCT_SPOT_KINDS; k++) {
        rct_names_free(parts->spots[k].names);
        rct_release(parts->spots[k].spot);
    }
    rct_release(parts->tie);
    rct_release(parts->part);
    rct_release(parts->shape);
    *parts = (rct_parts){.part = NULL};
}

/* From the hinge frame to the body at q = position, freedom by freedom. Slides come before
 * turns, or are along their axis. */
static rct_place motion(const rct_part *p)
{
    rct_place m = rct_place_none();
    for (int k = 0; k < rct_hinge_freedoms(p->hinge); k++) {
        double direction[3], turn[4], before[4];
        rct_hinge_direction(direction, p->hinge, k, p->axis, p->axis2);
        if (rct_hinge_turns(p->hinge, k)) {
            memcpy(before, m.turn, sizeof before);
            rct_turn_about(turn, direction, p->position[k]);
            rct_quaternion_product(before, turn, m.turn);
        } else {
            for (int i = 0; i < 3; i++) {
                m.at[i] += p->position[k] * direction[i];
            }
        }
    }
    return m;
}

/* -0 as 0: it comes from turning and would be written. */
static void copy(double *to, const double *from, int count)
{
    for (int i = 0; i < count; i++) {
        to[i] = from[i] + 0.0;
    }
}

static void fill_hinge(rct_body *body, const rct_part *p)
{
    body->hinge = p->hinge;
    copy(body->damping, p->damping, 3);
    if (rct_hinge_uses(p->hinge, RCT_KEY_ORIENTATION) > 0) {
        const int placed = rct_hinge_uses(p->hinge, RCT_KEY_AT) > 0;
        copy(body->orientation, p->world.turn, 4);
        copy(placed ? body->hinge_at : body->position, p->place.at, 3);
        return;
    }
    rct_place at = p->place;
    if (p->position[0] != 0.0 || p->position[1] != 0.0 || p->position[2] != 0.0) {
        const rct_place moved = motion(p);
        const rct_place back = rct_place_inverse(&moved);
        at = rct_place_in(&p->place, &back);
    }
    copy(body->hinge_at, at.at, 3);
    copy(body->hinge_orientation, at.turn, 4);
    copy(body->position, p->position, 3);
    copy(body->stiffness, p->stiffness, 3);
    copy(body->rest, p->rest, 3);
    copy(body->armature, p->armature, 3);
    if (rct_hinge_uses(p->hinge, RCT_KEY_AXIS) > 0) {
        copy(body->hinge_axis, p->axis, 3);
    }
    if (rct_hinge_uses(p->hinge, RCT_KEY_AXIS2) > 0) {
        copy(body->hinge_axis2, p->axis2, 3);
    }
}

/* Replace an inertia that no rigid body has by the closest one that it can have; or say after
 * the error of the model how to ask for this. */
static int repair(rct_part *p, rct_source *source)
{
    double moments[3];
    const int odd =
        p->mass.mass > 0.0 && rct_inertia_trouble(p->mass.inertia, moments) != RCT_INERTIA_SOUND;
    if (odd && source->options->repair_inertia) {
        rct_inertia_repair(p->mass.inertia);
        source->report->inertias_repaired++;
    }
    return odd;
}

/* Add dry friction to the hinge just added; balls and free hinges have no coordinates for it. */
static void add_frictions(rct_model *model, const rct_part *p, rct_source *source)
{
    const int axes = rct_hinge_uses(p->hinge, RCT_KEY_ORIENTATION) == 0;
    rct_force force = rct_force_default();
    force.type = RCT_FORCE_FRICTION;
    force.body = p->body;
    force.slip = RCT_IMPORT_SLIP;
    for (int i = 0; i < 3 && source->status == RCT_OK; i++) {
        force.coordinate = i;
        force.coulomb = p->friction[i];
        source->report->frictions += axes && force.coulomb != 0.0;
        source->report->frictions_left_out += !axes && force.coulomb != 0.0;
        if (axes && force.coulomb != 0.0) {
            source->status = rct_model_add_force(model, &force, NULL, source->error);
        }
    }
}

static void add(rct_model *model, rct_parts *parts, rct_part *p, rct_source *source)
{
    const int on_ground = p->parent == RCT_GROUND;
    p->world = on_ground ? p->place : rct_place_in(&parts->part[p->parent].world, &p->place);
    const int odd = repair(p, source);
    rct_body body = rct_body_default();
    body.name = p->name;
    body.parent = on_ground ? RCT_GROUND : parts->part[p->parent].body;
    body.mass = p->mass.mass;
    copy(body.com, p->mass.com, 3);
    copy(body.inertia, p->mass.inertia, 6);
    fill_hinge(&body, p);
    source->status = rct_model_add_body(model, &body, &p->body, source->error);
    if (source->status != RCT_OK && source->status != RCT_ERROR_MEMORY) {
        if (odd) {
            const size_t used = strlen(source->error->text);
            snprintf(source->error->text + used, sizeof source->error->text - used,
                     ", or have it repaired by repair_inertia (--repair-inertia)");
        }
        rct_source_locate(p->element);
    }
    add_frictions(model, p, source);
}

void rct_parts_add_to_model(rct_model *model, rct_parts *parts, rct_source *source)
{
    rct_parts_settle(parts, source);
    for (int32_t i = 0; i < parts->count && source->status == RCT_OK; i++) {
        if (parts->part[i].host == i) {
            add(model, parts, &parts->part[i], source);
        }
    }
    rct_source_demand(
        source->root, source->status != RCT_OK || rct_model_body_count(model) > 0,
        "it has no body with mass, except for parts of the ground; a model needs at least one");
    rct_parts_add_shapes(model, parts, source);
    rct_parts_add_ties(model, parts, source);
}
