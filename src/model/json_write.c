/* Writing a model in JSON format version 1: a stream of text, body by body, so that the memory needed
 * does not depend on the model. */
#include "core/error.h"
#include "core/whole_file.h"
#include "model/json_runs.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The shortest of two forms that read as the same bits: 15 digits where the number is a decimal of at
 * most nine places (r / 1e9 is rounded as reading is), else 17. A point or exponent makes it a real
 * number to every reader and keeps the sign of -0; it is a point whatever the locale. */
static void write_number(FILE *out, double x)
{
    char text[40];
    const double r = rint(x * 1e9);
    snprintf(text, sizeof text, fabs(r) < 1e15 && r / 1e9 == x ? "%.15g" : "%.17g", x);
    char clean[48];
    int size = 0;
    int real = 0;
    for (const char *c = text; *c != '\0'; c++) {
        const int plain = strchr("+-0123456789e", *c) != NULL;
        if (plain) {
            clean[size++] = *c;
        } else if (size > 0 && clean[size - 1] != '.') {
            clean[size++] = '.';
        }
        real = real || !plain || *c == 'e';
    }
    clean[size] = '\0';
    fprintf(out, "%s%s", clean, real ? "" : ".0");
}

static void write_vector(FILE *out, const char *key, const double *x, int count)
{
    fprintf(out, "\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        write_number(out, x[i]);
    }
    fputc(']', out);
}

/* Names are UTF-8, which JSON takes as it is but for quotes, backslashes and control characters. */
static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if ((unsigned char)*c < ' ') {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static int differs(const double *x, const double *plain, int count)
{
    return memcmp(x, plain, (size_t)count * sizeof *x) != 0;
}

static void write_parent(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const int32_t parent = model->bodies[run->first].parent;
    char name[RCT_NAME_SIZE];
    rct_model_body_name(model, parent, name);
    fputs("\"parent\": ", out);
    if (parent == RCT_GROUND) {
        write_string(out, "ground");
    } else if (run->count > 1 ? run->previous
                              : parent == run->first - 1 && model->bodies[parent].name == NULL) {
        write_string(out, "previous");
    } else {
        write_string(out, name);
    }
}

/* What a hinge has no use for equals its default and is not written. */
static void write_initial(FILE *out, const rct_body *body)
{
    const rct_body plain = rct_body_default();
    const int turned = differs(body->orientation, plain.orientation, 4);
    const int moving = differs(body->angular_velocity, plain.angular_velocity, 3);
    if (turned || moving) {
        fputs(",\n      \"initial\": { ", out);
        if (turned) {
            write_vector(out, "orientation", body->orientation, 4);
        }
        fputs(turned && moving ? ", " : "", out);
        if (moving) {
            write_vector(out, "angular_velocity", body->angular_velocity, 3);
        }
        fputs(" }", out);
    }
}

static void write_run(FILE *out, const rct_model *model, const rct_json_run *run)
{
    const rct_body *body = &model->bodies[run->first];
    const rct_body plain = rct_body_default();
    fputs("    { ", out);
    if (run->count > 1) {
        fprintf(out, "\"repeat\": %" PRId32 ", \"body\": { ", run->count);
    }
    if (run->name[0] != '\0') {
        fputs("\"name\": ", out);
        write_string(out, run->name);
        fputs(", ", out);
    }
    write_parent(out, model, run);
    fprintf(out, ",\n      \"hinge\": { \"type\": \"%s\", ",
            body->hinge == RCT_HINGE_FIXED ? "fixed" : "ball");
    write_vector(out, "at", body->hinge_at, 3);
    if (differs(body->hinge_orientation, plain.hinge_orientation, 4)) {
        fputs(", ", out);
        write_vector(out, "orientation", body->hinge_orientation, 4);
    }
    fputs(" },\n      \"mass\": ", out);
    write_number(out, body->mass);
    fputs(", ", out);
    write_vector(out, "com", body->com, 3);
    fputs(", ", out);
    write_vector(out, "inertia", body->inertia, 6);
    write_initial(out, body);
    fputs(run->count > 1 ? " } }" : " }", out);
}

/* Stops early when the stream fails, as on a full disk; closing the file says why. */
static void write_model(FILE *out, const rct_model *model)
{
    fputs("{ \"riccatree\": 1,\n", out);
    if (model->name[0] != '\0') {
        fputs("  \"name\": ", out);
        write_string(out, model->name);
        fputs(",\n", out);
    }
    fputs("  ", out);
    write_vector(out, "gravity", model->gravity, 3);
    fputs(",\n  \"bodies\": [\n", out);
    for (int32_t i = 0; i < model->count && !ferror(out);) {
        const rct_json_run run = rct_json_run_at(model, i);
        write_run(out, model, &run);
        i += run.count;
        fputs(i < model->count ? ",\n" : "\n", out);
    }
    fputs("  ] }\n", out);
}

rct_status rct_model_write(const rct_model *model, const char *path, rct_error *error)
{
    rct_whole_file file;
    rct_status status = rct_model_check(model, error);
    if (status == RCT_OK) {
        status = rct_whole_file_open(&file, path, error);
    }
    if (status == RCT_OK) {
        write_model(file.stream, model);
        status = rct_whole_file_close(&file, RCT_OK, error);
    }
    return status;
}
