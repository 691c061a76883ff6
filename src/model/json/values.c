/* Objects, vectors, numbers and strings of a model file, each checked for its type, and errors with
 * the line and body they belong to. */
#include "model/json/values.h"

#include "core/error.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void enter(rct_json_reader *reader, const char *key, int64_t index)
{
    assert(reader->path.count < RCT_JSON_PATH_STEPS);
    reader->path.steps[reader->path.count].key = key;
    reader->path.steps[reader->path.count].index = index;
    reader->path.count++;
}

void rct_json_enter_key(rct_json_reader *reader, const char *key)
{
    enter(reader, key, 0);
}

void rct_json_enter_index(rct_json_reader *reader, int64_t index)
{
    enter(reader, NULL, index);
}

void rct_json_leave(rct_json_reader *reader)
{
    assert(reader->path.count > 0);
    reader->path.count--;
}

void rct_json_heard(rct_json_reader *reader, rct_status status)
{
    if (status == RCT_ERROR_MODEL) {
        const int32_t line = rct_json_line(reader->text, reader->size, &reader->path);
        rct_error_prefix(reader->error, "line %" PRId32 ": ", line);
        reader->error->line = line;
    }
    reader->status = status;
}

/* `body I "name": `, `loop I "name": ` or `force I: `, or nothing outside all. */
static void describe_place(const rct_json_reader *reader, char *text, size_t size)
{
    const char *name = json_string_value(json_object_get(reader->item, "name"));
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
    if (key != NULL) {
        rct_json_enter_key(reader, key);
    }
    rct_json_heard(reader, RCT_ERROR_MODEL);
    if (key != NULL) {
        rct_json_leave(reader);
    }
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

static void fail_unknown(rct_json_reader *reader, const char *key, const char *what,
                         const char *const *known)
{
    char list[160] = "";
    for (int i = 0; known[i] != NULL; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    rct_json_fail(reader, key, "unknown key \"%.64s\" in %s; known are %s", key, what, list);
}

void rct_json_object(rct_json_reader *reader, const json_t *value, const char *what,
                     const char *const *known)
{
    if (!json_is_object(value)) {
        rct_json_fail(reader, NULL, "%s is %s; it must be an object { ... }", what,
                      rct_json_type(value));
        return;
    }
    json_t *object =
        (json_t *)(uintptr_t)value; /* Jansson iterates over const objects all the same */
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
        if (!contains(known, json_object_iter_key(i))) {
            fail_unknown(reader, json_object_iter_key(i), what, known);
        }
    }
}

const json_t *rct_json_required(rct_json_reader *reader, const json_t *object, const char *key,
                                const char *advice)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        rct_json_fail(reader, NULL, "\"%s\" is missing; %s", key, advice);
    }
    return value;
}

int rct_json_type_in(rct_json_reader *reader, const json_t *value, const rct_json_types *types)
{
    const char *text = NULL;
    char known[256] = "";
    if (!json_is_object(value)) {
        rct_json_fail(reader, NULL, "%s is %s; it must be an object { ... }", types->what,
                      rct_json_type(value));
    }
    rct_json_required(reader, value, "type", types->advice);
    rct_json_string(reader, value, "type", &text);
    for (int i = 0; i < types->count && text != NULL; i++) {
        const size_t used = strlen(known);
        if (strcmp(text, types->name(i)) == 0) {
            return i;
        }
        snprintf(known + used, sizeof known - used, "%s\"%s\"",
                 i == 0             ? ""
                 : types->count > 2 ? ", "
                                    : " and ",
                 types->name(i));
    }
    rct_json_fail(reader, "type", "%stype \"%.64s\"%s is unknown; this version knows %s",
                  types->before, text, types->after, known);
    return 0;
}

void rct_json_each(rct_json_reader *reader, const json_t *object, const char *key, const char *what,
                   void (*read)(rct_json_reader *reader, const json_t *value))
{
    const json_t *array = json_object_get(object, key);
    if (array != NULL && !json_is_array(array)) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be an array of %s", key,
                      rct_json_type(array), key);
    }
    rct_json_enter_key(reader, key);
    for (size_t i = 0; i < json_array_size(array) && reader->status == RCT_OK; i++) {
        rct_json_enter_index(reader, (int64_t)i);
        reader->what = what;
        reader->number = (int32_t)i;
        read(reader, json_array_get(array, i));
        reader->what = NULL;
        reader->item = NULL;
        rct_json_leave(reader);
    }
    rct_json_leave(reader);
}

void rct_json_vector(rct_json_reader *reader, const json_t *object, const char *key, double *out,
                     int count)
{
    const json_t *array = json_object_get(object, key);
    if (array == NULL) {
        return;
    }
    if (!json_is_array(array)) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be an array of %d numbers", key,
                      rct_json_type(array), count);
    } else if (json_array_size(array) != (size_t)count) {
        rct_json_fail(reader, key, "\"%s\" has %zu elements; it must have %d numbers", key,
                      json_array_size(array), count);
    }
    for (int i = 0; i < count && reader->status == RCT_OK; i++) {
        const json_t *element = json_array_get(array, (size_t)i);
        out[i] = json_number_value(element);
        if (!json_is_number(element)) {
            rct_json_fail(reader, key, "\"%s\": element %d is %s; it must be a number", key, i + 1,
                          rct_json_type(element));
        }
    }
}

void rct_json_number(rct_json_reader *reader, const json_t *object, const char *key, double *out)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_number(value)) {
        *out = json_number_value(value);
    } else if (value != NULL) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be a number", key, rct_json_type(value));
    }
}

void rct_json_numbers(rct_json_reader *reader, const json_t *object, const char *key, double *out,
                      int count)
{
    if (count == 1) {
        rct_json_number(reader, object, key, out);
    } else {
        rct_json_vector(reader, object, key, out, count);
    }
}

void rct_json_flag(rct_json_reader *reader, const json_t *object, const char *key, int *out)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_boolean(value)) {
        *out = json_is_true(value);
    } else if (value != NULL) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be true or false", key,
                      rct_json_type(value));
    }
}

void rct_json_string(rct_json_reader *reader, const json_t *object, const char *key,
                     const char **out)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_string(value)) {
        rct_json_fail(reader, key, "\"%s\" is %s; it must be a string", key, rct_json_type(value));
    } else if (value != NULL && json_string_length(value) == 0) {
        rct_json_fail(reader, key, "\"%s\" is empty; give a text or leave it out", key);
    } else if (value != NULL) {
        *out = json_string_value(value);
    }
}

void rct_json_end(rct_json_reader *reader, const json_t *value, const char *key, int32_t *id)
{
    const char *name = NULL;
    rct_json_required(reader, value, key, "add the name of a body");
    rct_json_string(reader, value, key, &name);
    if (reader->status != RCT_OK) {
        return;
    }
    *id = strcmp(name, "ground") == 0 ? RCT_GROUND : rct_model_find_body(reader->model, name);
    if (*id < 0 && strcmp(name, "ground") != 0) {
        rct_json_fail(reader, key, "\"%.127s\" is no body of this model; give the name of a body",
                      name);
    }
}

void rct_json_check_keys(rct_json_reader *reader, const json_t *object, const char *what,
                         const rct_keys *keys, int uses)
{
    const char *known[32];
    int count = 0;
    assert(keys->count < 32);
    for (int i = 0; i < keys->count; i++) {
        if (keys->key[i].uses & uses) {
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

void rct_json_read_keys(rct_json_reader *reader, const json_t *object, const rct_keys *keys,
                        int uses, void *out)
{
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        if ((k->uses & uses) && k->count == RCT_HOLDS_BODY) {
            rct_json_end(reader, object, k->name, rct_key_in(k, out));
        } else if ((k->uses & uses) && k->count > 0) {
            rct_json_numbers(reader, object, k->name, rct_key_in(k, out), k->count);
        }
    }
}
