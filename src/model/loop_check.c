/* Types of loops, and checks of a loop alone; check.c checks the bodies and hinges it joins. */
#include "model/loop_check.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/forces/spline.h"
#include "model/keys.h"
#include "model/outline.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = RCT_LOOP_USES_POINTS,
    FRAMES = RCT_LOOP_USES_POINTS | RCT_LOOP_USES_FRAMES,
    AXIS = FRAMES | RCT_LOOP_USES_AXIS,
    AXES = AXIS | RCT_LOOP_USES_AXIS2,
    ALL = -1,
};

static const struct {
    const char *name;
    int32_t constraints;
    int uses;
} types[RCT_LOOP_TYPES] = {
    [RCT_LOOP_FIXED] = {"fixed", 6, FRAMES},
    [RCT_LOOP_BALL] = {"ball", 3, POINTS},
    [RCT_LOOP_REVOLUTE] = {"revolute", 5, AXIS},
    [RCT_LOOP_PRISMATIC] = {"prismatic", 5, AXIS},
    [RCT_LOOP_UNIVERSAL] = {"universal", 4, AXES},
    [RCT_LOOP_CYLINDRICAL] = {"cylindrical", 4, AXIS},
    [RCT_LOOP_PLANAR] = {"planar", 3, AXIS},
    [RCT_LOOP_DISTANCE] = {"distance", 1, POINTS | RCT_LOOP_USES_LENGTH},
    [RCT_LOOP_PLANAR_REVOLUTE] = {"planar_revolute", 2, AXIS},
    [RCT_LOOP_PLANAR_PRISMATIC] = {"planar_prismatic", 2, AXES},
    [RCT_LOOP_PLANAR_FIXED] = {"planar_fixed", 3, AXIS},
    [RCT_LOOP_SLOT] = {"slot", 1, AXES},
    [RCT_LOOP_RELATION] = {"relation", 1, RCT_LOOP_USES_TERMS},
    [RCT_LOOP_CAM] = {"cam", 1, AXES | RCT_LOOP_USES_OUTLINE},
};

static int is_type(rct_loop_type type)
{
    return (int)type >= 0 && (int)type < RCT_LOOP_TYPES;
}

const char *rct_loop_type_name(rct_loop_type type)
{
    return is_type(type) ? types[type].name : NULL;
}

int32_t rct_loop_constraints(rct_loop_type type)
{
    return is_type(type) ? types[type].constraints : 0;
}

int rct_loop_uses(rct_loop_type type)
{
    return is_type(type) ? types[type].uses : 0;
}

static const rct_key keys[] = {
    {"name", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"type", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"active", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"body", offsetof(rct_loop, body), RCT_LOOP_USES_POINTS, RCT_HOLDS_BODY,
     "add the name of a body"},
    {"at", offsetof(rct_loop, at), RCT_LOOP_USES_POINTS, 3, NULL},
    {"orientation", offsetof(rct_loop, orientation), RCT_LOOP_USES_FRAMES, 4, NULL},
    {"other", offsetof(rct_loop, other), RCT_LOOP_USES_POINTS, RCT_HOLDS_BODY,
     "add the name of a body or \"ground\""},
    {"other_at", offsetof(rct_loop, other_at), RCT_LOOP_USES_POINTS, 3, NULL},
    {"other_orientation", offsetof(rct_loop, other_orientation), RCT_LOOP_USES_FRAMES, 4, NULL},
    {"axis", offsetof(rct_loop, axis), RCT_LOOP_USES_AXIS, 3,
     "add a direction in the closure frame, such as [0, 0, 1]"},
    {"axis2", offsetof(rct_loop, axis2), RCT_LOOP_USES_AXIS2, 3,
     "add a second direction in the closure frame, such as [1, 0, 0]"},
    {"length", offsetof(rct_loop, length), RCT_LOOP_USES_LENGTH, 1,
     "add how far apart the points are, in m"},
    {"terms", 0, RCT_LOOP_USES_TERMS, RCT_HOLDS_OTHER,
     "add an array of { \"body\": ..., \"factor\": ... }"},
    {"offset", offsetof(rct_loop, offset), RCT_LOOP_USES_TERMS, 1, NULL},
    {"rate", offsetof(rct_loop, rate), RCT_LOOP_USES_TERMS, 1, NULL},
    {"acceleration", offsetof(rct_loop, acceleration), RCT_LOOP_USES_TERMS, 1, NULL},
    {"amplitude", offsetof(rct_loop, amplitude), RCT_LOOP_USES_TERMS, 1, NULL},
    {"angular_frequency", offsetof(rct_loop, angular_frequency), RCT_LOOP_USES_TERMS, 1, NULL},
    {"phase", offsetof(rct_loop, phase), RCT_LOOP_USES_TERMS, 1, NULL},
    {"table", 0, RCT_LOOP_USES_TERMS | RCT_LOOP_USES_OUTLINE, RCT_HOLDS_OTHER, NULL},
    {"radius", offsetof(rct_loop, radius), RCT_LOOP_USES_OUTLINE, 1, NULL},
    {"cosine", offsetof(rct_loop, cosine), RCT_LOOP_USES_OUTLINE, RCT_LOOP_HARMONICS, NULL},
    {"sine", offsetof(rct_loop, sine), RCT_LOOP_USES_OUTLINE, RCT_LOOP_HARMONICS, NULL},
};

const rct_keys rct_loop_keys = {keys, sizeof keys / sizeof keys[0]};

/* Fields that the type does not use must keep their defaults: they would be ignored silently. */
static const char *unused_trouble(const rct_loop *l, int uses)
{
    const rct_loop plain = rct_loop_default();
    const int unused = rct_keys_unused(&rct_loop_keys, uses, l, &plain);
    if (unused & RCT_LOOP_USES_POINTS) {
        return "a relation has no bodies or points of its own; its terms name hinges";
    }
    if (unused & RCT_LOOP_USES_FRAMES) {
        return "its type has no orientations; leave them out";
    }
    if (unused & (RCT_LOOP_USES_AXIS | RCT_LOOP_USES_AXIS2)) {
        return "its type has no such axis; leave it out";
    }
    if (unused & RCT_LOOP_USES_LENGTH) {
        return "its type has no length; only a distance has one";
    }
    if ((unused & RCT_LOOP_USES_TERMS) ||
        (!(uses & RCT_LOOP_USES_TERMS) && (l->term_count != 0 || l->rows != 0))) {
        return "its type has no terms, offset, rate, acceleration or other motion; only relations "
               "have them";
    }
    if (unused & RCT_LOOP_USES_OUTLINE) {
        return "its type has no outline; only a cam has one";
    }
    return NULL;
}

/* What is wrong with the table by which a relation moves. */
static const char *table_trouble(const rct_loop *l, char text[RCT_TABLE_TROUBLE])
{
    if (l->rows != 0 && (l->rows < 2 || l->rows > INT32_MAX || l->table == NULL)) {
        return "a table needs at least two rows of t and the sum";
    }
    if (l->rows > 0 && (l->offset != 0.0 || l->rate != 0.0 || l->acceleration != 0.0 ||
                        l->amplitude != 0.0 || l->angular_frequency != 0.0 || l->phase != 0.0)) {
        return "a relation has either a table, or offset, rate, acceleration and a sine";
    }
    return rct_splines_trouble(l->table, 1, l->rows, text);
}

static const char *terms_trouble(const rct_loop *l, char text[RCT_TABLE_TROUBLE])
{
    if (l->term_count < 1 || l->terms == NULL) {
        return "a relation needs at least one term";
    }
    for (int32_t i = 0; i < l->term_count; i++) {
        if (!isfinite(l->terms[i].factor) || l->terms[i].factor == 0.0) {
            return "a factor is 0 or not finite; give another, or leave the term out";
        }
    }
    return table_trouble(l, text);
}

/* Scale quaternions and axes to length 1; make the second axis perpendicular to the first. NULL
 * or what is wrong. */
static const char *units_trouble(rct_loop *l, int uses)
{
    if (!rct_make_unit(l->orientation, 4) || !rct_make_unit(l->other_orientation, 4)) {
        return "an orientation has length zero; give a quaternion w x y z";
    }
    if (!rct_make_unit(l->axis, 3) || !rct_make_unit(l->axis2, 3)) {
        return "an axis has length zero; give a direction, such as [0, 0, 1]";
    }
    if ((uses & RCT_LOOP_USES_AXIS2) && rct_are_parallel(l->axis, l->axis2)) {
        return "its two axes are parallel; give another direction as axis2";
    }
    if ((uses & RCT_LOOP_USES_AXIS2) && l->type != RCT_LOOP_UNIVERSAL) {
        rct_make_perpendicular(l->axis, l->axis2);
    }
    return NULL;
}

static const char *loop_trouble(rct_loop *l, char text[RCT_TABLE_TROUBLE])
{
    const int uses = rct_loop_uses(l->type);
    if (!is_type(l->type)) {
        return "unknown type; rct_loop_type lists the types";
    }
    if (!rct_keys_finite(&rct_loop_keys, l)) {
        return "a number is not finite";
    }
    const char *trouble = unused_trouble(l, uses);
    if (trouble != NULL) {
        return trouble;
    }
    if (l->type == RCT_LOOP_RELATION) {
        return terms_trouble(l, text);
    }
    if (l->body == l->other) {
        return "it joins a body to itself; join it to another body or to the ground";
    }
    if (l->type == RCT_LOOP_DISTANCE && !(l->length > 0.0)) {
        return "the length of a distance must be positive; for a length of 0, use a ball";
    }
    if (l->type == RCT_LOOP_CAM && !(rct_outline_least(l) > 0.0)) {
        return "the outline of a cam must be positive everywhere; give a larger radius";
    }
    return units_trouble(l, uses);
}

static rct_status fail(const rct_loop *l, int32_t number, const char *trouble, rct_error *error)
{
    const int named = l->name != NULL;
    return rct_fail(error, RCT_ERROR_MODEL, "loop %" PRId32 "%s%s%s: %s", number,
                    named ? " \"" : "", named ? l->name : "", named ? "\"" : "", trouble);
}

static int compare_terms(const void *a, const void *b)
{
    const rct_loop_term *s = a, *t = b;
    return s->body != t->body ? (s->body > t->body) - (s->body < t->body)
                              : (s->freedom > t->freedom) - (s->freedom < t->freedom);
}

/* No coordinate may be in a relation twice: equal ones are neighbours after sorting. */
static rct_status check_repeats(const rct_loop *l, int32_t number, rct_error *error)
{
    rct_loop_term *sorted =
        rct_allocate(l->term_count, sizeof *sorted, "the check of a relation", error);
    int twice = 0;
    if (sorted == NULL) {
        return RCT_ERROR_MEMORY;
    }
    memcpy(sorted, l->terms, (size_t)l->term_count * sizeof *sorted);
    qsort(sorted, (size_t)l->term_count, sizeof *sorted, compare_terms);
    for (int32_t i = 1; i < l->term_count; i++) {
        twice = twice || compare_terms(&sorted[i - 1], &sorted[i]) == 0;
    }
    rct_release(sorted);
    return twice ? fail(l, number, "a coordinate appears in it twice; add up its factors", error)
                 : RCT_OK;
}

rct_status rct_loop_check(rct_loop *l, int32_t number, rct_error *error)
{
    const rct_loop plain = rct_loop_default();
    char text[RCT_TABLE_TROUBLE];
    const char *trouble = loop_trouble(l, text);
    if (trouble != NULL) {
        return fail(l, number, trouble, error);
    }
    /* a checked default may be a negative zero, which a model file could not tell from zero */
    rct_keys_clear(&rct_loop_keys, rct_loop_uses(l->type), l, &plain);
    l->terms = l->type == RCT_LOOP_RELATION ? l->terms : NULL;
    l->active = l->active != 0;
    return l->type == RCT_LOOP_RELATION ? check_repeats(l, number, error) : RCT_OK;
}
