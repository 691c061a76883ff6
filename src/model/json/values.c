/* Objects, vectors, numbers and strings of a model file, each checked for its type, and errors with
 * the line and body they belong to. */
#include "model/json/values.h"

#include "core/error.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rct_json_enter_key(rct_json_reader *reader, const char *key)
{
    assert(reader->path.count < RCT_JSON_PATH_STEPS);
    reader->path.steps[reader->path.count].key = key;
    reader->path.count++;
}

void rct_json_enter_index(rct_json_reader *reader, int64_t index)
{
    assert(reader->path.count < RCT_JSON_PATH_STEPS);
    reader->path.steps[reader->path.count].key = NULL;
    reader->path.steps[reader->path.count].index = index;
    reader->path.count++;
}

void rct_json_leave(rct_json_reader *reader)
{
    assert(reader->path.count > 0);
    reader->path.count--;
}

void rct_json_prefix(rct_error *error, const char *format, ...)
{
    char text[RCT_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", error->text);
    memcpy(error->text, text, sizeof text);
}

rct_status rct_json_locate(rct_json_reader *reader, rct_status status)
{
    if (status == RCT_ERROR_MODEL) {
        const int32_t line = rct_json_line(reader->text, reader->size, &reader->path);
        rct_json_prefix(reader->error, "line %" PRId32 ": ", line);
        reader->error->line = line;
    }
    return status;
}

/* `body I "name": `, `loop I "name": ` or `force I: `, or nothing outside all. */
static void describe_place(const rct_json_reader *reader, char *text, size_t size)
{
    const json_t *value = reader->body != NULL ? reader->body : reader->loop_value;
    const char *what = reader->body != NULL ? "body" : "loop";
    const int32_t number = reader->body != NULL ? reader->id : reader->loop;
    const char *name = json_string_value(json_object_get(value, "name"));
    text[0] = '\0';
    if (value != NULL && name != NULL && name[0] != '\0') {
        snprintf(text, size, "%s %" PRId32 " \"%s\": ", what, number, name);
    } else if (value != NULL) {
        snprintf(text, size, "%s %" PRId32 ": ", what, number);
    } else if (reader->force >= 0) {
        snprintf(text, size, "force %" PRId32 ": ", reader->force);
    }
}

rct_status rct_json_fail(rct_json_reader *reader, const char *format, ...)
{
    char place[RCT_NAME_SIZE + 32];
    describe_place(reader, place, sizeof place);
    char text[RCT_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int32_t id = reader->body != NULL ? reader->id : -1;
    rct_fail_body(reader->error, RCT_ERROR_MODEL, id, "%s%s", place, text);
    return rct_json_locate(reader, RCT_ERROR_MODEL);
}

const char *rct_json_type(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    }
    return "unknown";
}

static int contains(const char *const *keys, const char *key)
{
    while (*keys != NULL && strcmp(*keys, key) != 0) {
        keys++;
    }
    return *keys != NULL;
}

static rct_status fail_unknown(rct_json_reader *reader, const char *key, const char *what,
                               const char *const *known)
{
    char list[160] = "";
    for (int i = 0; known[i] != NULL; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    rct_json_enter_key(reader, key);
    rct_json_fail(reader, "unknown key \"%.64s\" in %s; known are %s", key, what, list);
    rct_json_leave(reader);
    return RCT_ERROR_MODEL;
}

rct_status rct_json_object(rct_json_reader *reader, const json_t *value, const char *what,
                           const char *const *known)
{
    if (!json_is_object(value)) {
        return rct_json_fail(reader, "%s is %s; it must be an object { ... }", what,
                             rct_json_type(value));
    }
    json_t *object =
        (json_t *)(uintptr_t)value; /* Jansson iterates over const objects all the same */
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
        if (!contains(known, json_object_iter_key(i))) {
            return fail_unknown(reader, json_object_iter_key(i), what, known);
        }
    }
    return RCT_OK;
}

const json_t *rct_json_required(rct_json_reader *reader, const json_t *object, const char *key,
                                const char *advice)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        rct_json_fail(reader, "\"%s\" is missing; %s", key, advice);
    }
    return value;
}

rct_status rct_json_vector(rct_json_reader *reader, const json_t *object, const char *key,
                           double *out, int count)
{
    rct_status status = RCT_OK;
    const json_t *array = json_object_get(object, key);
    rct_json_enter_key(reader, key);
    if (array != NULL && !json_is_array(array)) {
        status = rct_json_fail(reader, "\"%s\" is %s; it must be an array of %d numbers", key,
                               rct_json_type(array), count);
    } else if (array != NULL && json_array_size(array) != (size_t)count) {
        status = rct_json_fail(reader, "\"%s\" has %zu elements; it must have %d numbers", key,
                               json_array_size(array), count);
    }
    for (int i = 0; array != NULL && i < count && status == RCT_OK; i++) {
        const json_t *element = json_array_get(array, (size_t)i);
        out[i] = json_number_value(element);
        if (!json_is_number(element)) {
            status = rct_json_fail(reader, "\"%s\": element %d is %s; it must be a number", key,
                                   i + 1, rct_json_type(element));
        }
    }
    rct_json_leave(reader);
    return status;
}

rct_status rct_json_number(rct_json_reader *reader, const json_t *object, const char *key,
                           double *out)
{
    rct_status status = RCT_OK;
    const json_t *value = json_object_get(object, key);
    if (json_is_number(value)) {
        *out = json_number_value(value);
    } else if (value != NULL) {
        rct_json_enter_key(reader, key);
        status =
            rct_json_fail(reader, "\"%s\" is %s; it must be a number", key, rct_json_type(value));
        rct_json_leave(reader);
    }
    return status;
}

rct_status rct_json_numbers(rct_json_reader *reader, const json_t *object, const char *key,
                            double *out, int count)
{
    return count == 1 ? rct_json_number(reader, object, key, out)
                      : rct_json_vector(reader, object, key, out, count);
}

rct_status rct_json_flag(rct_json_reader *reader, const json_t *object, const char *key, int *out)
{
    rct_status status = RCT_OK;
    const json_t *value = json_object_get(object, key);
    if (json_is_boolean(value)) {
        *out = json_is_true(value);
    } else if (value != NULL) {
        rct_json_enter_key(reader, key);
        status = rct_json_fail(reader, "\"%s\" is %s; it must be true or false", key,
                               rct_json_type(value));
        rct_json_leave(reader);
    }
    return status;
}

rct_status rct_json_string(rct_json_reader *reader, const json_t *object, const char *key,
                           const char **out)
{
    rct_status status = RCT_OK;
    const json_t *value = json_object_get(object, key);
    rct_json_enter_key(reader, key);
    if (value != NULL && !json_is_string(value)) {
        status =
            rct_json_fail(reader, "\"%s\" is %s; it must be a string", key, rct_json_type(value));
    } else if (value != NULL && json_string_length(value) == 0) {
        status = rct_json_fail(reader, "\"%s\" is empty; give a text or leave it out", key);
    } else if (value != NULL) {
        *out = json_string_value(value);
    }
    rct_json_leave(reader);
    return status;
}

rct_status rct_json_end(rct_json_reader *reader, const json_t *value, const char *key, int32_t *id)
{
    const char *name = NULL;
    rct_status status = RCT_ERROR_MODEL;
    if (rct_json_required(reader, value, key, "add the name of a body") != NULL) {
        status = rct_json_string(reader, value, key, &name);
    }
    if (status != RCT_OK) {
        return status;
    }
    *id = strcmp(name, "ground") == 0 ? RCT_GROUND : rct_model_find_body(reader->model, name);
    if (*id < 0 && strcmp(name, "ground") != 0) {
        rct_json_enter_key(reader, key);
        status = rct_json_fail(
            reader, "\"%.127s\" is no body of this model; give the name of a body", name);
        rct_json_leave(reader);
    }
    return status;
}
