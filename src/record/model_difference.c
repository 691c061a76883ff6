/* Where two models differ (difference.h): first the number of bodies, then everything but the
 * bodies, then body by body. Each part is compared as JSON and then as a tree, in which the
 * first difference is found. */
#include "record/difference.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "model/json/print.h"
#include "model/json/tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 200, VALUE_SIZE = 56, FRAME = -1 };

typedef struct difference {
    char path[PATH_SIZE], saved[VALUE_SIZE], own[VALUE_SIZE];
} difference;

/* ---- parts of a model --------------------------------------------------------------------- */

/* The text of body `part`, or with FRAME of all but the bodies. NULL if memory is short; free it
 * by free. */
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

/* The first key whose values differ; NULL: none. */
static const char *key_that_differs(const rct_json *a, const rct_json *b)
{
    const char *key = NULL;
    const rct_json *const both[] = {a, b};
    for (int k = 0; k < 2 && key == NULL; k++) {
        const rct_json *member = rct_json_first(both[k]);
        for (int64_t i = 0; i < both[k]->count && key == NULL; i++) {
            const char *own = member->key.text;
            key = rct_json_same(rct_json_member(a, own), rct_json_member(b, own)) ? NULL : own;
            member = rct_json_next(member);
        }
    }
    return key;
}

/* Descend two different trees to the place where they differ; gives the values there, NULL:
 * nothing. */
static void descend(char path[PATH_SIZE], const rct_json **a, const rct_json **b)
{
    for (;;) {
        if (rct_json_is(*a, RCT_JSON_OBJECT) && rct_json_is(*b, RCT_JSON_OBJECT)) {
            const char *key = key_that_differs(*a, *b);
            extend(path, path[0] != '\0' ? ".%s" : "%s", key);
            *a = rct_json_member(*a, key);
            *b = rct_json_member(*b, key);
        } else if (rct_json_is(*a, RCT_JSON_ARRAY) && rct_json_is(*b, RCT_JSON_ARRAY) &&
                   rct_json_count(*a) == rct_json_count(*b)) {
            int64_t i = 0;
            while (rct_json_same(rct_json_at(*a, i), rct_json_at(*b, i))) {
                i++;
            }
            *a = rct_json_at(*a, i);
            *b = rct_json_at(*b, i);
            extend(path, rct_json_is(*a, RCT_JSON_OBJECT) ? ".%" PRId64 : "[%" PRId64 "]", i);
        } else {
            return;
        }
    }
}

/* A value in a line, cut if it is too long. Numbers read as in the file of a model. */
static void show(char words[VALUE_SIZE], const rct_json *value)
{
    if (value == NULL) {
        snprintf(words, VALUE_SIZE, "not given");
    } else if (value->type == RCT_JSON_ARRAY) {
        snprintf(words, VALUE_SIZE, "a list of %" PRId64, value->count);
    } else if (value->type == RCT_JSON_OBJECT) {
        snprintf(words, VALUE_SIZE, "given");
    } else if (value->type == RCT_JSON_NUMBER) {
        FILE *out = fmemopen(words, VALUE_SIZE, "w");
        snprintf(words, VALUE_SIZE, "%.17g", value->number); /* if memory is short */
        if (out != NULL) {
            rct_json_print_number(out, value->number);
            fclose(out);
        }
    } else {
        snprintf(words, VALUE_SIZE, "%.*s", (int)(value->end - value->start), value->start);
    }
}

/* ---- comparing ---------------------------------------------------------------------------- */

static int read_part(rct_json_tree *tree, const char *text)
{
    rct_error error;
    return rct_json_read(tree, text, (int64_t)strlen(text), NULL, &error) == RCT_OK;
}

/* 1: the parts differ, and `d` says where. */
static int compare_part(difference *d, const rct_model *saved, const rct_model *own, int32_t part)
{
    char *saved_text = text_of(saved, part), *own_text = text_of(own, part);
    const int differ = saved_text != NULL && own_text != NULL && strcmp(saved_text, own_text) != 0;
    rct_json_tree a = {.count = 0}, b = {.count = 0};
    const int found = differ && read_part(&a, saved_text) && read_part(&b, own_text) &&
                      !rct_json_same(a.values, b.values);
    if (found) {
        const rct_json *saved_at = a.values, *own_at = b.values;
        char name[RCT_NAME_SIZE];
        rct_model_body_name(saved, part, name);
        if (part != FRAME) {
            extend(d->path, "bodies.%s", name);
        }
        descend(d->path, &saved_at, &own_at);
        show(d->saved, saved_at);
        show(d->own, own_at);
    }
    rct_json_free(&a);
    rct_json_free(&b);
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
                      "belongs to another model: %s is %s in the file, but %s now; %s", d.path,
                      d.saved, d.own, advice);
    }
    rct_model_free(model);
    rct_call_fail(call, RCT_ERROR_ARGUMENT, "belongs to another model; %s", advice);
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
