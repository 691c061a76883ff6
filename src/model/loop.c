/* Loops of a model: checked alone when they are added; what they join is looked for in check.c. */
#include <riccatree/loop.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "model/name_check.h"
#include "model/names.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LOOPS = INT32_MAX - 1 };

/* What a type has a use for. */
enum { FRAMES = 1, AXIS = 2, AXIS2 = 4, LENGTH = 8, TERMS = 16 };

static const struct {
    const char *name;
    int32_t constraints;
    int uses;
} types[RCT_LOOP_TYPES] = {
    [RCT_LOOP_FIXED] = {"fixed", 6, FRAMES},
    [RCT_LOOP_BALL] = {"ball", 3, 0},
    [RCT_LOOP_REVOLUTE] = {"revolute", 5, FRAMES | AXIS},
    [RCT_LOOP_PRISMATIC] = {"prismatic", 5, FRAMES | AXIS},
    [RCT_LOOP_UNIVERSAL] = {"universal", 4, FRAMES | AXIS | AXIS2},
    [RCT_LOOP_CYLINDRICAL] = {"cylindrical", 4, FRAMES | AXIS},
    [RCT_LOOP_PLANAR] = {"planar", 3, FRAMES | AXIS},
    [RCT_LOOP_DISTANCE] = {"distance", 1, LENGTH},
    [RCT_LOOP_PLANAR_REVOLUTE] = {"planar_revolute", 2, FRAMES | AXIS},
    [RCT_LOOP_PLANAR_PRISMATIC] = {"planar_prismatic", 2, FRAMES | AXIS | AXIS2},
    [RCT_LOOP_PLANAR_FIXED] = {"planar_fixed", 3, FRAMES | AXIS},
    [RCT_LOOP_SLOT] = {"slot", 1, FRAMES | AXIS | AXIS2},
    [RCT_LOOP_RELATION] = {"relation", 1, TERMS},
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

rct_loop rct_loop_default(void)
{
    return (rct_loop){.type = RCT_LOOP_BALL,
                      .active = 1,
                      .other = RCT_GROUND,
                      .orientation = {1.0, 0.0, 0.0, 0.0},
                      .other_orientation = {1.0, 0.0, 0.0, 0.0},
                      .axis = {0.0, 0.0, 1.0},
                      .axis2 = {1.0, 0.0, 0.0}};
}

/* ---- checks ------------------------------------------------------------------------------- */

static int all_finite(const double *x, int count)
{
    int finite = 1;
    for (int i = 0; i < count; i++) {
        finite = finite && isfinite(x[i]);
    }
    return finite;
}

static int equal(const double *a, const double *b, int count)
{
    int same = 1;
    for (int i = 0; i < count; i++) {
        same = same && a[i] == b[i]; /* 0 equals -0 */
    }
    return same;
}

static int is_finite(const rct_loop *l)
{
    const double numbers[4] = {l->length, l->offset, l->rate, l->acceleration};
    return all_finite(l->at, 3) && all_finite(l->orientation, 4) && all_finite(l->other_at, 3) &&
           all_finite(l->other_orientation, 4) && all_finite(l->axis, 3) &&
           all_finite(l->axis2, 3) && all_finite(numbers, 4);
}

/* What the type has no use for keeps its default. */
static const char *useless(const rct_loop *l)
{
    const rct_loop plain = rct_loop_default();
    const int uses = types[l->type].uses;
    if (!(uses & FRAMES) && (!equal(l->orientation, plain.orientation, 4) ||
                             !equal(l->other_orientation, plain.other_orientation, 4))) {
        return "its type has no orientations; take them away";
    }
    if ((!(uses & AXIS) && !equal(l->axis, plain.axis, 3)) ||
        (!(uses & AXIS2) && !equal(l->axis2, plain.axis2, 3))) {
        return "its type has no such axis; take it away";
    }
    if (!(uses & LENGTH) && l->length != 0.0) {
        return "its type has no length; it is that of a distance";
    }
    if (!(uses & TERMS) &&
        (l->term_count != 0 || l->offset != 0.0 || l->rate != 0.0 || l->acceleration != 0.0)) {
        return "its type has no terms, offset, rate or acceleration; they are those of relations";
    }
    if ((uses & TERMS) && (l->body != plain.body || l->other != plain.other ||
                           !equal(l->at, plain.at, 3) || !equal(l->other_at, plain.other_at, 3))) {
        return "a relation has no bodies and points of its own; its terms name hinges";
    }
    return NULL;
}

static const char *terms_trouble(const rct_loop *l)
{
    if (l->term_count < 1 || l->terms == NULL) {
        return "a relation needs at least one term";
    }
    for (int32_t i = 0; i < l->term_count; i++) {
        if (!isfinite(l->terms[i].factor) || l->terms[i].factor == 0.0) {
            return "a factor is 0 or not finite";
        }
        for (int32_t k = 0; k < i; k++) {
            if (l->terms[k].body == l->terms[i].body &&
                l->terms[k].freedom == l->terms[i].freedom) {
                return "a coordinate stands in it twice; add its factors up";
            }
        }
    }
    return NULL;
}

static int are_parallel(const double *a, const double *b)
{
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
    return cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2] < 1e-18;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Quaternions and axes to length 1, the second axis across the first; NULL or what is wrong. */
static const char *make_units(rct_loop *l)
{
    static const double slack = 1e-15;
    const int uses = types[l->type].uses;
    if (!rct_make_unit(l->orientation, 4) || !rct_make_unit(l->other_orientation, 4)) {
        return "an orientation has length zero; give a quaternion w x y z";
    }
    if (!rct_make_unit(l->axis, 3) || !rct_make_unit(l->axis2, 3)) {
        return "an axis has length zero";
    }
    if ((uses & AXIS2) && are_parallel(l->axis, l->axis2)) {
        return "its two axes are parallel; give axis2 another direction";
    }
    for (int pass = 0; pass < 3 && (uses & AXIS2) && l->type != RCT_LOOP_UNIVERSAL &&
                       fabs(dot(l->axis, l->axis2)) > slack;
         pass++) {
        const double along = dot(l->axis, l->axis2);
        for (int i = 0; i < 3; i++) {
            l->axis2[i] -= along * l->axis[i];
        }
        rct_make_unit(l->axis2, 3);
    }
    return NULL;
}

/* What is wrong with a loop, or NULL and its numbers made ready. */
static const char *loop_trouble(rct_loop *l)
{
    if (!is_type(l->type)) {
        return "unknown type; see rct_loop_type for those there are";
    }
    if (!is_finite(l)) {
        return "a number is not finite";
    }
    const char *trouble = useless(l);
    if (trouble == NULL && l->type == RCT_LOOP_RELATION) {
        return terms_trouble(l);
    }
    if (trouble == NULL && l->body == l->other) {
        return "it joins a body to itself";
    }
    if (trouble == NULL && l->type == RCT_LOOP_DISTANCE && !(l->length > 0.0)) {
        return "the length of a distance must be positive; for none take a ball";
    }
    return trouble != NULL ? trouble : make_units(l);
}

static const char *name_trouble(const rct_model *model, const char *name)
{
    int end = 0;
    const int made_up = sscanf(name, "loop%*[0-9]%n", &end) >= 0 && end > 0 && name[end] == '\0';
    if (made_up) {
        return "is one that loops without a name have; take another";
    }
    return rct_names_find(model->loop_names, name) >= 0 ? "is that of another loop"
                                                        : rct_name_trouble(name);
}

/* ---- adding ------------------------------------------------------------------------------- */

/* Room for one more loop; asked for one at a time it doubles. */
static rct_status reserve(rct_model *model, rct_error *error)
{
    if (model->loop_count < model->loop_capacity) {
        return RCT_OK;
    }
    if (model->loop_count >= MOST_LOOPS) {
        return rct_fail(error, RCT_ERROR_MODEL, "a model holds at most %d loops", MOST_LOOPS);
    }
    const int64_t room = 2 * (int64_t)model->loop_count + 4;
    const int64_t capacity = room < MOST_LOOPS ? room : MOST_LOOPS;
    rct_loop *loops = rct_allocate(capacity, sizeof *loops, "the loops of a model", error);
    if (loops == NULL) {
        return RCT_ERROR_MEMORY;
    }
    if (model->loop_count > 0) {
        memcpy(loops, model->loops, (size_t)model->loop_count * sizeof *loops);
    }
    rct_release(model->loops);
    model->loops = loops;
    model->loop_capacity = (int32_t)capacity;
    return RCT_OK;
}

/* Own copies of the terms and the name. */
static rct_status own(rct_model *model, rct_loop *l, rct_error *error)
{
    if (l->term_count > 0) {
        rct_loop_term *terms =
            rct_allocate(l->term_count, sizeof *terms, "the terms of a relation", error);
        if (terms == NULL) {
            return RCT_ERROR_MEMORY;
        }
        memcpy(terms, l->terms, (size_t)l->term_count * sizeof *terms);
        l->terms = terms;
    } else {
        l->terms = NULL;
    }
    if (l->name != NULL) {
        l->name = rct_names_add(model->loop_names, l->name, model->loop_count, error);
        if (l->name == NULL) {
            rct_release((void *)l->terms);
            return RCT_ERROR_MEMORY;
        }
    }
    return RCT_OK;
}

rct_status rct_model_add_loop(rct_model *model, const rct_loop *loop, int32_t *index,
                              rct_error *error)
{
    rct_loop l = *loop;
    l.name = l.name != NULL && l.name[0] != '\0' ? l.name : NULL;
    l.active = l.active != 0;
    const char *trouble = l.name != NULL ? name_trouble(model, l.name) : NULL;
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "loop %" PRId32 ": its name %s", model->loop_count,
                        trouble);
    }
    trouble = loop_trouble(&l);
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "loop %" PRId32 "%s%s%s: %s", model->loop_count,
                        l.name != NULL ? " \"" : "", l.name != NULL ? l.name : "",
                        l.name != NULL ? "\"" : "", trouble);
    }
    rct_status status = reserve(model, error);
    if (status == RCT_OK) {
        status = own(model, &l, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    model->loops[model->loop_count] = l;
    if (index != NULL) {
        *index = model->loop_count;
    }
    model->loop_count++;
    return RCT_OK;
}

rct_status rct_model_copy_loops(rct_model *model, const rct_model *from, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < from->loop_count && status == RCT_OK; i++) {
        status = rct_model_add_loop(model, &from->loops[i], NULL, error);
    }
    return status;
}

void rct_model_free_loops(rct_model *model)
{
    for (int32_t i = 0; i < model->loop_count; i++) {
        rct_release((void *)model->loops[i].terms);
    }
    rct_release(model->loops);
    rct_names_free(model->loop_names);
}

/* ---- reading ------------------------------------------------------------------------------ */

int32_t rct_model_loop_count(const rct_model *model)
{
    return model->loop_count;
}

rct_status rct_model_loop(const rct_model *model, int32_t index, rct_loop *loop, rct_error *error)
{
    if (index < 0 || index >= model->loop_count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "loop %" PRId32 " does not exist; the model has %" PRId32 " loops", index,
                        model->loop_count);
    }
    *loop = model->loops[index];
    return RCT_OK;
}

void rct_model_loop_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE])
{
    if (index >= 0 && index < model->loop_count && model->loops[index].name != NULL) {
        snprintf(name, RCT_NAME_SIZE, "%s", model->loops[index].name);
    } else {
        snprintf(name, RCT_NAME_SIZE, "loop%" PRId32, index);
    }
}

int32_t rct_model_find_loop(const rct_model *model, const char *name)
{
    int32_t index = rct_names_find(model->loop_names, name);
    int end = 0;
    if (index < 0 && sscanf(name, "loop%" SCNd32 "%n", &index, &end) == 1) {
        char made_up[RCT_NAME_SIZE];
        rct_model_loop_name(model, index, made_up);
        const int is_it = index >= 0 && index < model->loop_count && strcmp(made_up, name) == 0;
        index = is_it ? index : -1;
    }
    return index;
}
