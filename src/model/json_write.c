/* Writing a model in JSON format version 1: a stream of text, body by body, so that the memory needed
 * does not depend on the model. */
#include "core/error.h"
#include "core/memory.h"
#include "core/whole_file.h"
#include "model/json_print.h"
#include "model/json_runs.h"
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_parent(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const int32_t parent = model->bodies[run->first].parent;
    char name[RCT_NAME_SIZE];
    rct_model_body_name(model, parent, name);
    fputs("\"parent\": ", out);
    if (parent == RCT_GROUND) {
        rct_json_print_string(out, "ground");
    } else if (run->count > 1 ? run->previous
                              : parent == run->first - 1 && model->bodies[parent].name == NULL) {
        rct_json_print_string(out, "previous");
    } else {
        rct_json_print_string(out, name);
    }
}

/* Fields of a hinge or an initial state with their defaults; what its type has no use for equals them. */
typedef struct field {
    const char *key;
    const double *x, *plain;
    int count;
    int always; /* written even if it is the default */
} field;

static int is_written(const field *f)
{
    return f->count > 0 && (f->always || rct_json_differs(f->x, f->plain, f->count));
}

static void write_fields(FILE *out, const field *fields, int count, const char *before)
{
    for (int i = 0; i < count; i++) {
        if (is_written(&fields[i])) {
            fputs(before, out);
            rct_json_print_numbers(out, fields[i].key, fields[i].x, fields[i].count);
            before = ", ";
        }
    }
}

static void write_hinge(FILE *out, const rct_body *body)
{
    const rct_body plain = rct_body_default();
    const rct_hinge_type type = body->hinge;
    const int n = type == RCT_HINGE_BALL ? 1 : rct_hinge_freedoms(type) % 6; /* free: none */
    const int has_axis =
        type != RCT_HINGE_FIXED && type != RCT_HINGE_BALL && type != RCT_HINGE_FREE;
    const field fields[] = {
        {"at", body->hinge_at, plain.hinge_at, 3, type != RCT_HINGE_FREE},
        {"orientation", body->hinge_orientation, plain.hinge_orientation, 4, 0},
        {"axis", body->hinge_axis, plain.hinge_axis, 3, has_axis},
        {"axis2", body->hinge_axis2, plain.hinge_axis2, 3, type == RCT_HINGE_UNIVERSAL},
        {"pitch", &body->hinge_pitch, &plain.hinge_pitch, 1, type == RCT_HINGE_HELICAL},
        {"stiffness", body->stiffness, plain.stiffness, n, 0},
        {"rest", body->rest, plain.rest, n, 0},
        {"damping", body->damping, plain.damping, n, 0},
        {"applied", body->applied, plain.applied, n, 0},
    };
    fprintf(out, ",\n      \"hinge\": { \"type\": \"%s\"", rct_hinge_name(type));
    write_fields(out, fields, sizeof fields / sizeof fields[0], ", ");
    fputs(" }", out);
}

static void write_initial(FILE *out, const rct_body *body)
{
    const rct_body plain = rct_body_default();
    const int is_free = body->hinge == RCT_HINGE_FREE;
    const int n = is_free ? 3 : rct_hinge_freedoms(body->hinge);
    const field fields[] = {
        {"position", body->position, plain.position, n, 0},
        {is_free ? "velocity" : "rate", body->rate, plain.rate, n, 0},
        {"orientation", body->orientation, plain.orientation, 4, 0},
        {"angular_velocity", body->angular_velocity, plain.angular_velocity, 3, 0},
    };
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    int any = 0;
    for (int i = 0; i < FIELDS; i++) {
        any = any || is_written(&fields[i]);
    }
    if (any) {
        fputs(",\n      \"initial\": { ", out);
        write_fields(out, fields, FIELDS, "");
        fputs(" }", out);
    }
}

static void write_run(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const rct_body *body = &model->bodies[run->first];
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
    fputs(run->count > 1 ? " } }" : " }", out);
}

void rct_json_print_body(FILE *out, const rct_model *model, int32_t body)
{
    rct_json_run alone = {.first = body, .count = 1};
    const char *name = model->bodies[body].name;
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

static void write_tail(FILE *out, const rct_model *model)
{
    rct_json_print_forces(out, model);
    rct_json_print_loops(out, model);
    rct_json_print_base(out, model);
    fputs(" }\n", out);
}

void rct_json_print_frame(FILE *out, const rct_model *model)
{
    write_head(out, model);
    write_tail(out, model);
}

/* Stops early when the stream fails, as on a full disk; closing the file says why. */
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
    write_tail(out, model);
}

/* A copy of what a stream gathered, which goes. NULL with the error filled. */
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
