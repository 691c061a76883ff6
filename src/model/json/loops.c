/* The loops of a model file: elements of "loops" -> rct_loop. Checks keys, types, and names of bodies; what the
 * numbers must meet is checked when the loop is added to the model. */
#include "model/json/loops.h"

#include "core/memory.h"
#include "model/loop_check.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A key, what must use it, 0: every type; and what to add where it is missing, NULL: nothing. */
typedef struct key_use {
    const char *key;
    int uses;
    const char *advice;
} key_use;

static const key_use key_uses[] = {
    {"name", 0, NULL},
    {"type", 0, NULL}, /* read before */
    {"active", 0, NULL},
    {"body", RCT_LOOP_USES_POINTS, "add the name of a body"},
    {"at", RCT_LOOP_USES_POINTS, NULL},
    {"orientation", RCT_LOOP_USES_FRAMES, NULL},
    {"other", RCT_LOOP_USES_POINTS, "add the name of a body or \"ground\""},
    {"other_at", RCT_LOOP_USES_POINTS, NULL},
    {"other_orientation", RCT_LOOP_USES_FRAMES, NULL},
    {"axis", RCT_LOOP_USES_AXIS, "add a direction in the closure frame, as [0, 0, 1]"},
    {"axis2", RCT_LOOP_USES_AXIS2, "add a second direction in the closure frame, as [1, 0, 0]"},
    {"length", RCT_LOOP_USES_LENGTH, "add how far apart the points are, in m"},
    {"terms", RCT_LOOP_USES_TERMS, "add an array of { \"body\": ..., \"factor\": ... }"},
    {"offset", RCT_LOOP_USES_TERMS, NULL},
    {"rate", RCT_LOOP_USES_TERMS, NULL},
    {"acceleration", RCT_LOOP_USES_TERMS, NULL},
};

enum { KEYS = sizeof key_uses / sizeof key_uses[0] };

static const char *const term_keys[] = {"body", "coordinate", "factor", NULL};

static rct_status fail_type(rct_json_reader *reader, const char *text)
{
    char known[256] = "";
    for (int i = 0; i < RCT_LOOP_TYPES; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s\"%s\"", i > 0 ? ", " : "",
                 rct_loop_type_name((rct_loop_type)i));
    }
    rct_json_enter_key(reader, "type");
    rct_json_fail(reader, "type \"%.64s\" of a loop is unknown; this version knows %s", text,
                  known);
    rct_json_leave(reader);
    return RCT_ERROR_MODEL;
}

static rct_status read_type(rct_json_reader *reader, const json_t *value, rct_loop_type *type)
{
    const char *text = NULL;
    if (!json_is_object(value)) {
        return rct_json_fail(reader, "a loop is %s; it must be an object { ... }",
                             rct_json_type(value));
    }
    if (rct_json_required(reader, value, "type", "add \"ball\", \"revolute\" or another one") ==
            NULL ||
        rct_json_string(reader, value, "type", &text) != RCT_OK) {
        return RCT_ERROR_MODEL;
    }
    for (int i = 0; i < RCT_LOOP_TYPES; i++) {
        if (strcmp(text, rct_loop_type_name((rct_loop_type)i)) == 0) {
            *type = (rct_loop_type)i;
            return RCT_OK;
        }
    }
    return fail_type(reader, text);
}

/* All keys are of use to the type, and none that it needs is missing. */
static rct_status check_keys(rct_json_reader *reader, const json_t *value, rct_loop_type type)
{
    const char *known[KEYS + 1];
    const int uses = rct_loop_uses(type);
    char what[48];
    int count = 0;
    for (int i = 0; i < KEYS; i++) {
        if (key_uses[i].uses == 0 || (key_uses[i].uses & uses)) {
            known[count++] = key_uses[i].key;
        }
    }
    known[count] = NULL;
    snprintf(what, sizeof what, "a %s loop", rct_loop_type_name(type));
    rct_status status = rct_json_object(reader, value, what, known);
    for (int i = 0; i < KEYS && status == RCT_OK; i++) {
        const key_use *k = &key_uses[i];
        if ((k->uses & uses) && k->advice != NULL &&
            rct_json_required(reader, value, k->key, k->advice) == NULL) {
            status = RCT_ERROR_MODEL;
        }
    }
    return status;
}

/* Keys that its type has no use for are not there. */
static rct_status read_numbers(rct_json_reader *reader, const json_t *value, rct_loop *loop)
{
    const struct {
        const char *key;
        double *out;
        int count;
    } fields[] = {
        {"at", loop->at, 3},
        {"orientation", loop->orientation, 4},
        {"other_at", loop->other_at, 3},
        {"other_orientation", loop->other_orientation, 4},
        {"axis", loop->axis, 3},
        {"axis2", loop->axis2, 3},
        {"length", &loop->length, 1},
        {"offset", &loop->offset, 1},
        {"rate", &loop->rate, 1},
        {"acceleration", &loop->acceleration, 1},
    };
    rct_status status = rct_json_flag(reader, value, "active", &loop->active);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == RCT_OK; i++) {
        status = rct_json_numbers(reader, value, fields[i].key, fields[i].out, fields[i].count);
    }
    return status;
}

static rct_status read_bodies(rct_json_reader *reader, const json_t *value, rct_loop *loop)
{
    rct_status status = rct_json_end(reader, value, "body", &loop->body);
    if (status == RCT_OK && loop->body == RCT_GROUND) {
        rct_json_enter_key(reader, "body");
        status = rct_json_fail(reader, "\"body\" is the ground; name a body there and give "
                                       "\"ground\" as \"other\"");
        rct_json_leave(reader);
    }
    return status == RCT_OK ? rct_json_end(reader, value, "other", &loop->other) : status;
}

/* The hinge of a term, which must have the coordinate. */
static rct_status check_coordinate(rct_json_reader *reader, const json_t *value, double number,
                                   rct_loop_term *term)
{
    const char *trouble = NULL;
    const int exists = number >= 0.0 && number < 6.0 && number == floor(number);
    term->freedom = exists ? (int32_t)number : -1;
    trouble = rct_loop_term_trouble(reader->model, term);
    if (trouble == NULL) {
        return RCT_OK;
    }
    rct_json_enter_key(reader,
                       json_object_get(value, "coordinate") != NULL ? "coordinate" : "body");
    rct_json_fail(reader, "\"coordinate\" is %.15g; the %s hinge of \"%.127s\" %s", number,
                  rct_hinge_name(reader->model->bodies[term->body].hinge),
                  json_string_value(json_object_get(value, "body")), trouble);
    rct_json_leave(reader);
    return RCT_ERROR_MODEL;
}

static rct_status read_term(rct_json_reader *reader, const json_t *value, rct_loop_term *term)
{
    double number = 0.0;
    *term = (rct_loop_term){.body = RCT_GROUND, .factor = 1.0};
    rct_status status = rct_json_object(reader, value, "a term", term_keys);
    if (status == RCT_OK) {
        status = rct_json_end(reader, value, "body", &term->body);
    }
    if (status == RCT_OK && term->body == RCT_GROUND) {
        rct_json_enter_key(reader, "body");
        status = rct_json_fail(reader, "\"body\" is the ground, which has no hinge; give the name "
                                       "of a body");
        rct_json_leave(reader);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "coordinate", &number);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "factor", &term->factor);
    }
    return status == RCT_OK ? check_coordinate(reader, value, number, term) : status;
}

/* Terms in memory of their own, for rct_release also after an error. */
static rct_status read_terms(rct_json_reader *reader, const json_t *value, rct_loop *loop,
                             rct_loop_term **terms)
{
    const json_t *array = json_object_get(value, "terms");
    const size_t count = json_array_size(array);
    rct_status status = RCT_OK;
    rct_json_enter_key(reader, "terms");
    if (count == 0 || count >= INT32_MAX) {
        status = rct_json_fail(reader, "\"terms\" is %s; it must be an array of at least one term",
                               json_is_array(array) ? "empty" : rct_json_type(array));
    } else {
        *terms =
            rct_allocate((int64_t)count, sizeof **terms, "the terms of a relation", reader->error);
        status = *terms == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    for (size_t i = 0; i < count && status == RCT_OK; i++) {
        rct_json_enter_index(reader, (int64_t)i);
        status = read_term(reader, json_array_get(array, i), &(*terms)[i]);
        rct_json_leave(reader);
    }
    rct_json_leave(reader);
    loop->terms = *terms;
    loop->term_count = (int32_t)count;
    return status;
}

static rct_status read_loop(rct_json_reader *reader, const json_t *value, rct_loop *loop,
                            rct_loop_term **terms)
{
    *loop = rct_loop_default();
    rct_status status = read_type(reader, value, &loop->type);
    if (status == RCT_OK) {
        status = check_keys(reader, value, loop->type);
    }
    if (status == RCT_OK) {
        status = rct_json_string(reader, value, "name", &loop->name);
    }
    if (status == RCT_OK) {
        status = read_numbers(reader, value, loop);
    }
    if (status == RCT_OK) {
        status = loop->type == RCT_LOOP_RELATION ? read_terms(reader, value, loop, terms)
                                                 : read_bodies(reader, value, loop);
    }
    return status;
}

static rct_status add_loop(rct_json_reader *reader, const json_t *value)
{
    rct_loop loop;
    rct_loop_term *terms = NULL;
    reader->loop = rct_model_loop_count(reader->model);
    reader->loop_value = value;
    rct_status status = read_loop(reader, value, &loop, &terms);
    if (status == RCT_OK) {
        status = rct_model_add_loop(reader->model, &loop, NULL, reader->error);
        rct_json_locate(reader, status);
    }
    rct_release(terms);
    reader->loop_value = NULL;
    return status;
}

rct_status rct_json_loops(rct_json_reader *reader, const json_t *root)
{
    const json_t *loops = json_object_get(root, "loops");
    rct_status status = RCT_OK;
    if (loops == NULL) {
        return RCT_OK;
    }
    rct_json_enter_key(reader, "loops");
    if (!json_is_array(loops)) {
        status = rct_json_fail(reader, "\"loops\" is %s; it must be an array of loops",
                               rct_json_type(loops));
    }
    for (size_t i = 0; i < json_array_size(loops) && status == RCT_OK; i++) {
        rct_json_enter_index(reader, (int64_t)i);
        status = add_loop(reader, json_array_get(loops, i));
        rct_json_leave(reader);
    }
    rct_json_leave(reader);
    return status;
}
