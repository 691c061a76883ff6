/* Objects, vectors, numbers and strings of a model file. Each is checked for its type; errors
 * name the line and the body. */
#include "model/json/values.h"

#include "core/error.h"
#include "core/nearest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const rct_json *rct_json_enter(rct_json_reader *reader, const rct_json *value)
{
    const rct_json *outer = reader->at;
    reader->at = value;
    return outer;
}

void rct_json_heard(rct_json_reader *reader, rct_status status)
{
    if (status == RCT_ERROR_MODEL) {
        const int32_t line = rct_json_line(&reader->file, reader->at->shown);
        rct_error_prefix(reader->error, "line %" PRId32 ": ", line);
        reader->error->line = line;
    }
    reader->status = status;
}

/* `body I "name": `, `loop I "name": ` or `force I: `, or nothing outside of all. */
static void describe_place(const rct_json_reader *reader, char *text, size_t size)
{
    const char *name = rct_json_string(rct_json_member(reader->item, "name"));
    text[0] = '\0';
    if (name != NULL && name[0] != '\0') {
        snprintf(text, size, "%s %" PRId32 " \"%s\": ", reader->what, reader->number, name);
    } else if (reader->what != NULL) {
        snprintf(text, size, "%s %" PRId32 ": ", reader->what, reader->number);
    }
}

void rct_json_fail(rct_json_reader *reader, const char *key, const char *format, ...)
{
    if (reader->status != RCT_OK) {
        return;
    }
    char place[RCT_NAME_SIZE + 32];
    describe_place(reader, place, sizeof place);
    const int in_body = reader->what != NULL && strcmp(reader->what, "body") == 0;
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(reader->error, RCT_ERROR_MODEL, in_body ? reader->number : -1, format, arguments);
    va_end(arguments);
    rct_error_prefix(reader->error, "%s", place);
    const rct_json *member = key != NULL ? rct_json_member(reader->at, key) : NULL;
    const rct_json *outer = rct_json_enter(reader, member != NULL ? member : reader->at);
    rct_json_heard(reader, RCT_ERROR_MODEL);
    rct_json_enter(reader, outer);
}

const char *rct_json_type_name(const rct_json *value)
{
    static const char *const names[] = {"an object", "an array", "a string", "a number",
                                        "true",      "false",    "null"};
    return names[value->type];
}

static int contains(const char *const *keys, const char *key)
{
    while (*keys != NULL && (**keys != *key || strcmp(*keys, key) != 0)) {
        keys++;
    }
    return *keys != NULL;
}

static void fail_unknown(rct_json_reader *reader, const char *key, const char *what,
                         const char *const *known)
{
    char list[160] = "";
    for (int i = 0; known[i] != NULL; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    char advice[192], hint[RCT_ERROR_TEXT_SIZE];
    snprintf(advice, sizeof advice, "known keys are %s", list);
    rct_json_fail(reader, key, "unknown key \"%.64s\" in %s%s", key, what,
                  rct_did_you_mean(key, known, advice, hint));
}

void rct_json_object(rct_json_reader *reader, const rct_json *value, const char *what,
                     const char *const *known)
{
    if (!rct_json_is(value, RCT_JSON_OBJECT)) {
        rct_json_fail(reader, NULL, "%s is %s; it must be an object { ... }", what,
                      rct_json_type_name(value));
        return;
    }
    const rct_json *member = rct_json_first(value);
    for (int64_t i = 0; i < value->count; i++) {
        if (!contains(known, member->key.text)) {
            fail_unknown(reader, member->key.text, what, known);
        }
        member = rct_json_next(member);
    }
}

const rct_json *rct_json_required(rct_json_reader *reader, const rct_json *object, const char *key,
                                  const char *advice)
{
    const rct_json *value = rct_json_member(object, key);
    if (value == NULL) {
        rct_json_fail(reader, NULL, "\"%s\" is missing; %s", key, advice);
    }
    return value;
}

static void fail_type(rct_json_reader *reader, const char *text, const rct_json_types *types)
{
    char known[256] = "", advice[288], hint[RCT_ERROR_TEXT_SIZE];
    if (text == NULL) {
        return; /* failed before */
    }
    rct_nearest nearest = {.given = text};
    for (int i = 0; i < types->count; i++) {
        const size_t used = strlen(known);
        rct_nearest_offer(&nearest, types->name(i));
        snprintf(known + used, sizeof known - used, "%s\"%s\"",
                 i == 0             ? ""
                 : types->count > 2 ? ", "
                                    : " and ",
                 types->name(i));
    }
    snprintf(advice, sizeof advice, "this version knows %s", known);
    rct_json_fail(reader, "type", "%stype \"%.64s\"%s is unknown%s", types->before, text,
                  types->after, rct_nearest_hint(&nearest, advice, hint));
}

int rct_json_type_in(rct_json_reader *reader, const rct_json *value, const rct_json_types *types)
{
    const char *text = NULL;
    if (!rct_json_is(value, RCT_JSON_OBJECT)) {
        rct_json_fail(reader, NULL, "%s is %s; it must be an object { ... }", types->what,
                      rct_json_type_name(value));
    }
    rct_json_required(reader, value, "type", types->advice);
    rct_json_text(reader, value, "type", &text);
    for (int i = 0; i < types->count && text != NULL; i++) {
        if (strcmp(text, types->name(i)) == 0) {
            return i;
        }
    }
    fail_type(reader, text, types);
    return 0;
}

const rct_json *rct_json_take(rct_json_reader *reader, const rct_json *array, const char **place)
{
    reader->status = rct_json_element(&reader->element, &reader->file, array, place, reader->error);
    return reader->status == RCT_OK ? reader->element.values : NULL;
}

void rct_json_each(rct_json_reader *reader, const char *key, const char *what,
                   void (*read)(rct_json_reader *reader, const rct_json *value))
{
    const rct_json *array = rct_json_member(reader->file.values, key);
    const char *place = NULL;
    if (array != NULL && array->type != RCT_JSON_ARRAY) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be an array of %s", key,
                      rct_json_type_name(array), key);
    }
    for (int64_t i = 0; i < rct_json_count(array) && reader->status == RCT_OK; i++) {
        const rct_json *value = rct_json_take(reader, array, &place);
        const rct_json *outer = rct_json_enter(reader, value);
        reader->what = what;
        reader->number = (int32_t)i;
        if (value != NULL) {
            read(reader, value);
        }
        reader->what = NULL;
        reader->item = NULL;
        rct_json_enter(reader, outer);
    }
}

void rct_json_vector(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                     int count)
{
    const rct_json *array = rct_json_member(object, key);
    if (array == NULL) {
        return;
    }
    if (array->type != RCT_JSON_ARRAY) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be an array of %d numbers", key,
                      rct_json_type_name(array), count);
    } else if (array->count != count) {
        rct_json_fail(reader, key, "\"%s\" has %" PRId64 " elements; it must have %d numbers", key,
                      array->count, count);
    }
    const rct_json *element = rct_json_first(array);
    for (int i = 0; i < count && reader->status == RCT_OK; i++) {
        out[i] = element->number;
        if (element->type != RCT_JSON_NUMBER) {
            rct_json_fail(reader, key, "\"%s\": element %d is %s; it must be a number", key, i + 1,
                          rct_json_type_name(element));
        }
        element = rct_json_next(element);
    }
}

void rct_json_one(rct_json_reader *reader, const rct_json *object, const char *key, double *out)
{
    const rct_json *value = rct_json_member(object, key);
    if (rct_json_is(value, RCT_JSON_NUMBER)) {
        *out = value->number;
    } else if (value != NULL) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be a number", key,
                      rct_json_type_name(value));
    }
}

void rct_json_numbers(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                      int count)
{
    if (count == 1) {
        rct_json_one(reader, object, key, out);
    } else {
        rct_json_vector(reader, object, key, out, count);
    }
}

/* Three numbers, or one that stands for all three. A file cannot say that only the first is
 * given. */
static void read_even(rct_json_reader *reader, const rct_json *object, const char *key, double *out)
{
    if (!rct_json_is(rct_json_member(object, key), RCT_JSON_ARRAY)) {
        rct_json_one(reader, object, key, out);
        out[1] = out[2] = out[0];
        return;
    }
    rct_json_vector(reader, object, key, out, 3);
    if (reader->status == RCT_OK && out[0] != 0.0 && out[1] == 0.0 && out[2] == 0.0) {
        rct_json_fail(reader, key,
                      "\"%s\" about the first axis alone reads like one number for all axes; give "
                      "the other two axes a small number",
                      key);
    }
}

void rct_json_flag(rct_json_reader *reader, const rct_json *object, const char *key, int *out)
{
    const rct_json *value = rct_json_member(object, key);
    if (rct_json_is(value, RCT_JSON_TRUE) || rct_json_is(value, RCT_JSON_FALSE)) {
        *out = value->type == RCT_JSON_TRUE;
    } else if (value != NULL) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be true or false", key,
                      rct_json_type_name(value));
    }
}

void rct_json_text(rct_json_reader *reader, const rct_json *object, const char *key,
                   const char **out)
{
    const rct_json *value = rct_json_member(object, key);
    if (value != NULL && value->type != RCT_JSON_STRING) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be a string", key,
                      rct_json_type_name(value));
    } else if (value != NULL && value->word.text[0] == '\0') {
        rct_json_fail(reader, key, "\"%s\" is empty; give a text or leave it out", key);
    } else if (value != NULL) {
        *out = value->word.text;
    }
}

void rct_json_end(rct_json_reader *reader, const rct_json *value, const char *key, int32_t *id)
{
    const char *name = NULL;
    rct_json_required(reader, value, key, "add the name of a body");
    rct_json_text(reader, value, key, &name);
    if (reader->status != RCT_OK) {
        return;
    }
    *id = strcmp(name, "ground") == 0 ? RCT_GROUND : rct_model_find_body(reader->model, name);
    if (*id < 0 && strcmp(name, "ground") != 0) {
        char hint[RCT_ERROR_TEXT_SIZE];
        rct_json_fail(reader, key, "\"%.127s\" is not a body of this model%s", name,
                      rct_model_body_hint(reader->model, name, "give the name of a body", hint));
    }
}

void rct_json_check_keys(rct_json_reader *reader, const rct_json *object, const char *what,
                         const rct_keys *keys, int uses)
{
    const char *known[32];
    int count = 0;
    for (int i = 0; i < keys->count; i++) {
        if (keys->key[i].uses & uses) {
            assert(count < 31);
            known[count++] = keys->key[i].name;
        }
    }
    known[count] = NULL;
    rct_json_object(reader, object, what, known);
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        if ((k->uses & uses) && k->advice != NULL) {
            rct_json_required(reader, object, k->name, k->advice);
        }
    }
}

void rct_json_read_keys(rct_json_reader *reader, const rct_json *object, const rct_keys *keys,
                        int uses, void *out)
{
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        if ((k->uses & uses) && k->count == RCT_HOLDS_BODY) {
            rct_json_end(reader, object, k->name, rct_key_in(k, out));
        } else if ((k->uses & uses) && k->count == RCT_HOLDS_EVEN) {
            read_even(reader, object, k->name, rct_key_in(k, out));
        } else if ((k->uses & uses) && k->count > 0) {
            rct_json_numbers(reader, object, k->name, rct_key_in(k, out), k->count);
        }
    }
}

int rct_json_word(rct_json_reader *reader, const rct_json *value, const char *key,
                  const char *(*name)(int), int number)
{
    const char *text = NULL;
    rct_json_text(reader, value, key, &text);
    for (int i = 0; i < 3 && text != NULL; i++) {
        if (strcmp(text, name(i)) == 0) {
            return i;
        }
    }
    if (text != NULL) {
        char advice[128], hint[RCT_ERROR_TEXT_SIZE];
        const char *const known[] = {name(0), name(1), name(2), NULL};
        snprintf(advice, sizeof advice, "give \"%s\", \"%s\" or \"%s\"", known[0], known[1],
                 known[2]);
        rct_json_fail(reader, key, "\"%s\" is \"%.64s\"%s", key, text,
                      rct_did_you_mean(text, known, advice, hint));
    }
    return number;
}
