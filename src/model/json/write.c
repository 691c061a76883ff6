/* Writing a model in JSON format version 1: a stream of text, body by body, so that the memory
 * needed does not depend on the model. */
#include "core/error.h"
#include "core/memory.h"
#include "core/whole_file.h"
#include "model/hinge_types.h"
#include "model/json/print.h"
#include "model/json/runs.h"
#include "model/model.h"
#include "model/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_parent(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const int32_t parent = model->bodies->parent[run->first];
    char name[RCT_NAME_SIZE];
    rct_model_body_name(model, parent, name);
    fputs("\"parent\": ", out);
    if (parent == RCT_GROUND) {
        rct_json_print_string(out, "ground");
    } else if (run->count > 1
                   ? run->previous
                   : parent == run->first - 1 && rct_model_own_name(model, parent) == NULL) {
        rct_json_print_string(out, "previous");
    } else {
        rct_json_print_string(out, name);
    }
}

/* Whether a key of a hinge is written. Required keys and the hinge's point are written even if
 * they are the default. */
static int is_written(const rct_body *body, const rct_body *plain, int key, const char *section)
{
    const int always = 1 << RCT_KEY_AT | rct_hinges[body->hinge].required;
    const int count = rct_hinge_uses(body->hinge, key);
    return count > 0 && strcmp(rct_hinge_keys[key].section, section) == 0 &&
           ((always >> key & 1) != 0 ||
            rct_json_differs(rct_hinge_numbers(body, key), rct_hinge_numbers(plain, key), count));
}

/* How many numbers of a key are written. */
static int count_written(const rct_body *body, int key)
{
    const double *x = rct_hinge_numbers(body, key);
    const int one = rct_hinge_even(body->hinge, key) && x[0] == x[1] && x[0] == x[2];
    return one ? 1 : rct_hinge_uses(body->hinge, key);
}

/* Write the keys of a section, with `before` before the first and a comma before the others.
 * Returns whether there were any. */
static int write_keys(FILE *out, const rct_body *body, const char *section, const char *before)
{
    const rct_body plain = rct_body_default();
    int any = 0;
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        if (is_written(body, &plain, key, section)) {
            fputs(any ? ", " : before, out);
            rct_json_print_numbers(out, rct_hinge_keys[key].name, rct_hinge_numbers(body, key),
                                   count_written(body, key));
            any = 1;
        }
    }
    return any;
}

static void write_hinge(FILE *out, const rct_body *body)
{
    fprintf(out, ",\n      \"hinge\": { \"type\": \"%s\"", rct_hinge_name(body->hinge));
    write_keys(out, body, "hinge", ", ");
    fputs(" }", out);
}

static void write_initial(FILE *out, const rct_body *body)
{
    if (write_keys(out, body, "initial", ",\n      \"initial\": { ")) {
        fputs(" }", out);
    }
}

static void write_shapes(FILE *out, const rct_model *model, int32_t body)
{
    const rct_shape plain = rct_shape_default();
    int32_t first = 0;
    const int32_t count = rct_model_body_shapes(model, body, &first);
    for (int32_t k = 0; k < count; k++) {
        const rct_shape *shape = &model->shapes[first + k];
        fprintf(out, "%s{ \"type\": \"%s\"", k == 0 ? ",\n      \"shapes\": [ " : ",\n        ",
                rct_shape_type_name(shape->type));
        rct_json_print_keys(out, model, &rct_shape_keys, 1 << shape->type, shape, &plain);
        fputs(k + 1 < count ? " }" : " } ]", out);
    }
}

static void write_run(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const rct_body own = rct_bodies_get(model->bodies, run->first), *body = &own;
    fputs("    { ", out);
    if (run->count > 1) {
        fprintf(out, "\"repeat\": %" PRId32 ", \"body\": { ", run->count);
    }
    if (run->name[0] != '\0') {
        fputs("\"name\": ", out);
        rct_json_print_string(out, run->name);
        fputs(", ", out);
    }
    write_parent(out, model, run);
    write_hinge(out, body);
    fputs(",\n      ", out);
    rct_json_print_numbers(out, "mass", &body->mass, 1);
    fputs(", ", out);
    rct_json_print_vector(out, "com", body->com, 3);
    fputs(", ", out);
    rct_json_print_vector(out, "inertia", body->inertia, 6);
    write_initial(out, body);
    write_shapes(out, model, run->first);
    fputs(run->count > 1 ? " } }" : " }", out);
}

void rct_json_print_body(FILE *out, const rct_model *model, int32_t body)
{
    rct_json_run alone = {.first = body, .count = 1};
    const char *name = rct_model_own_name(model, body);
    snprintf(alone.name, sizeof alone.name, "%s", name != NULL ? name : "");
    write_run(out, model, &alone);
}

static void write_head(FILE *out, const rct_model *model)
{
    fputs("{ \"riccatree\": 1,\n", out);
    if (model->name[0] != '\0') {
        fputs("  \"name\": ", out);
        rct_json_print_string(out, model->name);
        fputs(",\n", out);
    }
    fputs("  ", out);
    rct_json_print_vector(out, "gravity", model->gravity, 3);
}

void rct_json_print_frame(FILE *out, const rct_model *model)
{
    write_head(out, model);
    rct_json_print_tail(out, model);
}

/* Stops early if the stream fails, as on a full disk; closing the file reports why. */
void rct_json_print_model(FILE *out, const rct_model *model)
{
    write_head(out, model);
    fputs(",\n  \"bodies\": [\n", out);
    for (int32_t i = 0; i < model->count && !ferror(out);) {
        const rct_json_run run = rct_json_run_at(model, i);
        write_run(out, model, &run);
        i += run.count;
        fputs(i < model->count ? ",\n" : "\n", out);
    }
    fputs("  ]", out);
    rct_json_print_tail(out, model);
}

/* A copy of the text a stream gathered, which is freed. NULL with the error filled. */
static char *take_text(char *text, size_t size, int whole, rct_error *error)
{
    char *copy = NULL;
    if (whole) {
        copy = rct_allocate((int64_t)size + 1, 1, "the text of a model", error);
    } else {
        rct_fail_memory(error, (int64_t)size, "the text of a model");
    }
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    free(text);
    return copy;
}

char *rct_model_text(const rct_model *model, int64_t *size, rct_error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (rct_model_check(model, error) != RCT_OK) {
        return NULL;
    }
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        rct_fail_memory(error, 0, "the text of a model");
        return NULL;
    }
    rct_json_print_model(out, model);
    const int good = !ferror(out);
    const int whole = fclose(out) == 0 && good;
    *size = (int64_t)length;
    return take_text(text, length, whole, error);
}

rct_status rct_model_write(const rct_model *model, const char *path, rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(path, "path", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_whole_file file;
    rct_status status = rct_model_check(model, error);
    if (status == RCT_OK) {
        status = rct_whole_file_open(&file, path, error);
    }
    if (status == RCT_OK) {
        rct_json_print_model(file.stream, model);
        status = rct_whole_file_close(&file, RCT_OK, error);
    }
    return status;
}
