/* Where two models differ (difference.h): the number of bodies, then all that is not a body, then body by body, each as
 * JSON and as a tree, in which the first place is found that is not alike. */
#include "record/difference.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "model/json/print.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 200, VALUE_SIZE = 56, FRAME = -1 };

typedef struct difference {
    char path[PATH_SIZE], saved[VALUE_SIZE], own[VALUE_SIZE];
} difference;

/* ---- parts of a model --------------------------------------------------------------------- */

/* Body `part`, or FRAME: all but the bodies. NULL without memory; free. */
static char *text_of(const rct_model *model, int32_t part)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out != NULL && part == FRAME) {
        rct_json_print_frame(out, model);
    } else if (out != NULL) {
        rct_json_print_body(out, model, part);
    }
    const int whole = out != NULL && !ferror(out);
    if (out != NULL && fclose(out) == 0 && whole) {
        return text;
    }
    free(text);
    return NULL;
}

/* ---- trees -------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void extend(char path[PATH_SIZE], const char *format,
                                                         ...)
{
    const size_t used = strlen(path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + used, PATH_SIZE - used, format, arguments);
    va_end(arguments);
}

static int alike(const json_t *a, const json_t *b)
{
    return a != NULL && b != NULL && json_equal(a, b);
}

/* The first key whose values are not alike; NULL: none. */
static const char *key_that_differs(const json_t *a, const json_t *b)
{
    const char *key = NULL;
    const json_t *const both[] = {a, b};
    for (int k = 0; k < 2 && key == NULL; k++) {
        void *at = json_object_iter((json_t *)both[k]);
        while (at != NULL && alike(json_object_get(a, json_object_iter_key(at)),
                                   json_object_get(b, json_object_iter_key(at)))) {
            at = json_object_iter_next((json_t *)both[k], at);
        }
        key = at != NULL ? json_object_iter_key(at) : NULL;
    }
    return key;
}

/* From two trees that are not alike to the place where they are not; what stands there, NULL: nothing. */
static void descend(char path[PATH_SIZE], const json_t **a, const json_t **b)
{
    for (;;) {
        if (json_is_object(*a) && json_is_object(*b)) {
            const char *key = key_that_differs(*a, *b);
            extend(path, path[0] != '\0' ? ".%s" : "%s", key);
            *a = json_object_get(*a, key);
            *b = json_object_get(*b, key);
        } else if (json_is_array(*a) && json_array_size(*a) == json_array_size(*b)) {
            size_t i = 0;
            while (alike(json_array_get(*a, i), json_array_get(*b, i))) {
                i++;
            }
            *a = json_array_get(*a, i);
            *b = json_array_get(*b, i);
            extend(path, json_is_object(*a) ? ".%zu" : "[%zu]", i);
        } else {
            return;
        }
    }
}

/* In a line, cut where it is too long. Numbers read as in the file of a model. */
static void show(char words[VALUE_SIZE], const json_t *value)
{
    if (value == NULL) {
        snprintf(words, VALUE_SIZE, "not given");
    } else if (json_is_array(value)) {
        snprintf(words, VALUE_SIZE, "a list of %zu", json_array_size(value));
    } else if (json_is_object(value)) {
        snprintf(words, VALUE_SIZE, "given");
    } else if (json_is_real(value)) {
        FILE *out = fmemopen(words, VALUE_SIZE, "w");
        snprintf(words, VALUE_SIZE, "%.17g", json_real_value(value)); /* without memory */
        if (out != NULL) {
            rct_json_print_number(out, json_real_value(value));
            fclose(out);
        }
    } else {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        snprintf(words, VALUE_SIZE, "%s", text != NULL ? text : "another");
        free(text);
    }
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* 1: the parts differ, and `d` says where. */
static int compare_part(difference *d, const rct_model *saved, const rct_model *own, int32_t part)
{
    char *saved_text = text_of(saved, part), *own_text = text_of(own, part);
    const int differ = saved_text != NULL && own_text != NULL && strcmp(saved_text, own_text) != 0;
    json_t *a = differ ? json_loads(saved_text, JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    json_t *b = differ ? json_loads(own_text, JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    const int found = a != NULL && b != NULL && !json_equal(a, b);
    if (found) {
        const json_t *saved_at = a, *own_at = b;
        char name[RCT_NAME_SIZE];
        rct_model_body_name(saved, part, name);
        if (part != FRAME) {
            extend(d->path, "bodies.%s", name);
        }
        descend(d->path, &saved_at, &own_at);
        show(d->saved, saved_at);
        show(d->own, own_at);
    }
    json_decref(a);
    json_decref(b);
    free(saved_text);
    free(own_text);
    return found;
}

static int compare(difference *d, const rct_model *saved, const rct_model *own)
{
    int found = saved->count != own->count;
    if (found) {
        snprintf(d->path, sizeof d->path, "the number of bodies");
        snprintf(d->saved, sizeof d->saved, "%" PRId32, saved->count);
        snprintf(d->own, sizeof d->own, "%" PRId32, own->count);
    }
    for (int32_t part = FRAME; part < own->count && !found; part++) {
        found = compare_part(d, saved, own, part);
    }
    return found;
}

char *rct_call_model(rct_call *call, const rct_model *model)
{
    rct_error why;
    int64_t size = 0;
    char *text = call->status == RCT_OK ? rct_model_text(model, &size, &why) : NULL;
    if (call->status == RCT_OK && text == NULL) {
        rct_call_fail(call, why.status, "%s", why.text);
    }
    return text;
}

void rct_check_model(rct_call *call, const char *saved, const rct_model *own, const char *advice)
{
    difference d = {.path = ""};
    char *own_text = rct_call_model(call, own);
    const int same = own_text == NULL || strcmp(saved, own_text) == 0;
    rct_release(own_text);
    if (same) {
        return;
    }
    rct_model *model = rct_model_parse(saved, (int64_t)strlen(saved), NULL);
    if (model != NULL && compare(&d, model, own)) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is of another model: %s is %s in the file, %s now; %s", d.path, d.saved,
                      d.own, advice);
    }
    rct_model_free(model);
    rct_call_fail(call, RCT_ERROR_ARGUMENT, "is of another model; %s", advice);
}

void rct_check_origin(rct_call *call, const rct_model *model, const rct_solver *solver)
{
    const char *what = call->status == RCT_OK ? rct_plan_differs(solver->plan, model) : NULL;
    if (what != NULL) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "the solver was made from another model: its %s differ%s; give the model "
                      "that the solver was made from",
                      what, strcmp(what, "gravity") == 0 || what[0] == 'm' ? "s" : "");
    }
}
