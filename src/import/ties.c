/* Names of bodies, sites, joints and tendons, and ties as loops: closures between the bodies
 * that parts have become, relations of their coordinates. */
#include "import/ties.h"

#include "core/memory.h"
#include "import/parts.h"
#include "model/names.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

/* ---- names -------------------------------------------------------------------------------- */

static const char *const kinds[RCT_SPOT_KINDS] = {"body", "site", "joint", "tendon"};

static int make_room(rct_parts *parts, rct_spot_kind kind, rct_source *source)
{
    rct_spots *spots = &parts->spots[kind];
    if (spots->names == NULL) {
        spots->names = rct_names_create(source->error);
        rct_source_have(source, spots->names);
    }
    if (source->status == RCT_OK && spots->count == spots->capacity) {
        const int64_t capacity = 2 * (int64_t)spots->capacity + FIRST_CAPACITY;
        rct_spot *wide = rct_widen(spots->spot, spots->count, capacity, sizeof *wide,
                                   "the names of a file", source->error);
        rct_source_have(source, wide);
        spots->spot = wide != NULL ? wide : spots->spot;
        spots->capacity = wide != NULL ? (int32_t)capacity : spots->capacity;
    }
    return source->status == RCT_OK;
}

void rct_parts_name(rct_parts *parts, rct_spot_kind kind, const rct_xml_element *element,
                    const rct_spot *spot)
{
    rct_source *source = rct_source_of(element);
    rct_spots *spots = &parts->spots[kind];
    const char *name = rct_xml_value(element, "name");
    if (name == NULL || name[0] == '\0' || source->status != RCT_OK ||
        !make_room(parts, kind, source)) {
        return;
    }
    const int32_t other = rct_names_find(spots->names, name);
    if (rct_source_demand(element, other < 0, "line %d already has a %s of that name; rename one",
                          other >= 0 ? spots->spot[other].element->line : 0, kinds[kind])) {
        rct_source_have(source, rct_names_add(spots->names, name, spots->count, source->error));
        spots->spot[spots->count] = *spot;
        spots->spot[spots->count++].element = element;
    }
}

rct_spot rct_parts_spot(const rct_parts *parts, rct_spot_kind kind, const rct_xml_element *at,
                        const char *attribute)
{
    const rct_spots *spots = &parts->spots[kind];
    const char *name = rct_xml_value(at, attribute);
    const int32_t found =
        name != NULL && spots->names != NULL ? rct_names_find(spots->names, name) : -1;
    char hint[RCT_ERROR_TEXT_SIZE] = "";
    if (name == NULL) {
        rct_source_demand(at, 0, "the attribute \"%s\" is missing", attribute);
    } else if (found < 0) {
        rct_source_demand(at, 0, "no %s is called \"%.64s\"%s", kinds[kind], name,
                          spots->names != NULL
                              ? rct_names_hint(spots->names, name, "correct the name", hint)
                              : "; correct the name");
    }
    return found >= 0 ? spots->spot[found]
                      : (rct_spot){.part = RCT_GROUND, .place = rct_place_none(), .coordinate = -1};
}

static rct_place world_of(const rct_parts *parts, const rct_spot *spot)
{
    rct_place place = spot->place;
    for (int32_t p = spot->part; p != RCT_GROUND; p = parts->part[p].parent) {
        place = rct_place_in(&parts->part[p].place, &place);
    }
    return place;
}

void rct_parts_meet(const rct_parts *parts, rct_spot *spot, const rct_spot *there)
{
    rct_spot frame = *spot;
    frame.place = rct_place_none();
    const rct_place part = world_of(parts, &frame), back = rct_place_inverse(&part),
                    place = world_of(parts, there);
    spot->place = rct_place_in(&back, &place);
}

/* ---- ties --------------------------------------------------------------------------------- */

void rct_tie_add(rct_tie *tie, const rct_xml_element *at, const rct_spot *joint, double factor)
{
    rct_source *source = rct_source_of(at);
    rct_source_unsupported(at, source->status == RCT_OK && joint->coordinate < 0,
                           "a relation of a joint without a coordinate of its own (free, ball, or "
                           "one of three hinges that form a ball) is not supported");
    if (source->status != RCT_OK || joint->coordinate < 0) {
        return;
    }
    for (int32_t i = 0; i < tie->count; i++) {
        rct_tie_term *term = &tie->terms[i];
        if (term->joint.part == joint->part && term->joint.coordinate == joint->coordinate) {
            term->factor += factor;
            return;
        }
    }
    /* the room is a power of two; it is full when the count is one */
    if ((tie->count & (tie->count - 1)) == 0) {
        const int64_t bytes = (2 * (int64_t)tie->count + 1) * (int64_t)sizeof(rct_tie_term);
        rct_tie_term *wide = rct_arena_take(&source->root->file->memory, bytes,
                                            "the terms of a relation", source->error);
        rct_source_have(source, wide);
        if (wide == NULL) {
            return;
        }
        if (tie->count > 0) {
            memcpy(wide, tie->terms, (size_t)tie->count * sizeof *wide);
        }
        tie->terms = wide;
    }
    tie->terms[tie->count++] = (rct_tie_term){*joint, factor};
}

void rct_parts_append_tie(rct_parts *parts, const rct_tie *tie)
{
    rct_source *source = rct_source_of(tie->element);
    if (source->status == RCT_OK && parts->ties == parts->tie_capacity) {
        const int64_t capacity = 2 * (int64_t)parts->tie_capacity + FIRST_CAPACITY;
        rct_tie *wide = rct_widen(parts->tie, parts->ties, capacity, sizeof *wide,
                                  "the ties of a file", source->error);
        rct_source_have(source, wide);
        parts->tie = wide != NULL ? wide : parts->tie;
        parts->tie_capacity = wide != NULL ? (int32_t)capacity : parts->tie_capacity;
    }
    if (source->status == RCT_OK) {
        parts->tie[parts->ties++] = *tie;
        for (int32_t i = 0; i < tie->count; i++) {
            parts->part[tie->terms[i].joint.part].ties++;
        }
    }
}

/* ---- loops -------------------------------------------------------------------------------- */

/* The body that a part has become, or the ground, and the place on it. */
static int32_t settle(const rct_parts *parts, rct_place *place, const rct_spot *spot)
{
    if (spot->part == RCT_GROUND) {
        *place = spot->place;
        return RCT_GROUND;
    }
    const rct_part *part = &parts->part[spot->part];
    *place = rct_place_in(&part->inside, &spot->place);
    return part->host == RCT_GROUND ? RCT_GROUND : parts->part[part->host].body;
}

static void copy_place(double at[3], double turn[4], const rct_place *place, int turned)
{
    for (int i = 0; i < 3; i++) { /* -0 as 0 */
        at[i] = place->at[i] + 0.0;
    }
    for (int i = 0; i < 4 && turned; i++) {
        turn[i] = place->turn[i] + 0.0;
    }
}

static int is_left_out(const rct_parts *parts, const rct_spot *spot)
{
    return spot->part != RCT_GROUND && parts->part[spot->part].left_out;
}

/* 0: both ends are on the same body, so nothing is tied. */
static int make_closure(const rct_parts *parts, rct_loop *loop, const rct_tie *tie)
{
    rct_place place[2];
    const int32_t first = settle(parts, &place[0], &tie->end[0]);
    const int32_t second = settle(parts, &place[1], &tie->end[1]);
    const int own = first == RCT_GROUND; /* the end that is not the ground */
    const int turned = tie->type == RCT_LOOP_FIXED;
    loop->body = own ? second : first;
    loop->other = own ? first : second;
    copy_place(loop->at, loop->orientation, &place[own], turned);
    copy_place(loop->other_at, loop->other_orientation, &place[!own], turned);
    const int loose =
        first != second && (is_left_out(parts, &tie->end[0]) || is_left_out(parts, &tie->end[1]));
    rct_source_unsupported(tie->element, loose,
                           "tying a body that moves, has no mass and carries no mass is not "
                           "supported; give it a mass");
    return first != second && !loose;
}

/* Whether something other than weight acts along a coordinate. */
static int is_acted_on(const rct_part *part, int k)
{
    return part->armature[k] != 0.0 || part->stiffness[k] != 0.0 || part->damping[k] != 0.0 ||
           part->friction[k] != 0.0;
}

/* 0: nothing is tied. A joint that moves no mass follows a single relation freely. */
static int make_relation(const rct_parts *parts, rct_loop *loop, rct_loop_term *terms,
                         const rct_tie *tie)
{
    loop->terms = terms;
    loop->offset = tie->offset;
    int free = 0;
    for (int32_t i = 0; i < tie->count; i++) {
        const rct_spot *joint = &tie->terms[i].joint;
        const rct_part *part = &parts->part[joint->part];
        if (tie->terms[i].factor == 0.0) {
            continue;
        }
        if (part->host == joint->part) {
            terms[loop->term_count++] =
                (rct_loop_term){part->body, joint->coordinate, tie->terms[i].factor};
            continue;
        }
        free = 1;
        rct_source_unsupported(tie->element, part->ties > 1 || is_acted_on(part, joint->coordinate),
                               "a joint that moves no mass is not supported if it is tied to "
                               "several others or has a rotor, a spring, damping or friction");
    }
    return !free && loop->term_count > 0;
}

static void add_tie(rct_model *model, const rct_parts *parts, const rct_tie *tie,
                    rct_source *source)
{
    rct_loop loop = rct_loop_default();
    rct_loop_term *terms =
        rct_allocate(tie->count, sizeof *terms, "the terms of a relation", source->error);
    rct_source_have(source, terms);
    if (terms == NULL) {
        return;
    }
    loop.name = tie->name;
    loop.type = tie->type;
    loop.active = tie->active;
    const int ties = tie->type == RCT_LOOP_RELATION ? make_relation(parts, &loop, terms, tie)
                                                    : make_closure(parts, &loop, tie);
    if (ties && source->status == RCT_OK) {
        source->status = rct_model_add_loop(model, &loop, NULL, source->error);
        source->report->loops++;
        if (source->status != RCT_OK && source->status != RCT_ERROR_MEMORY) {
            rct_source_locate(tie->element);
        }
    }
    rct_release(terms);
}

void rct_parts_add_ties(rct_model *model, const rct_parts *parts, rct_source *source)
{
    for (int32_t i = 0; i < parts->ties && source->status == RCT_OK; i++) {
        add_tie(model, parts, &parts->tie[i], source);
    }
}
