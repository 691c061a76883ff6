/* The data of a page: one JSON object; its arrays are base64 of little-endian numbers.
 *
 *     model, recording, complete, bodies, frames     what is shown
 *     gravity [3], box [6], speed, spin, force        m/s^2; lower corner and edges, m; the largest, m/s, rad/s and N
 *     row, parent                                     int32 for each shown body: its number, the shown body it hangs on or -1
 *     owner, shape                                    int32 for each drawn shape: its shown body, the number of the shape
 *     shapes                                          float32 [11] each (view.h)
 *     names                                           texts of the shown bodies, null: "body<row>"
 *     time, sums                                      float64 of the shown frames; [9] of all frames, or 2000 of them
 *     pose                                            uint32 [frames][bodies][4]: x | speed << 24, y | spin << 24,
 *                                                     z | force << 24, quaternion; 0 to 2^24 - 1 along the box,
 *                                                     0 to 255 of the largest */
#include "core/error.h"
#include "core/memory.h"
#include "view/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSE_BYTES = 16,
    HEAD_BYTES = 4096 /* everything else */
};

int64_t rct_view_body(const rct_view_choice *choice, int64_t k)
{
    return rct_view_evenly(k, choice->bodies, choice->source->model->count);
}

int64_t rct_view_frame(const rct_view_choice *choice, int64_t k)
{
    return rct_view_evenly(k, choice->frames, choice->source->frames);
}

int64_t rct_view_data_bytes(const rct_view_choice *choice)
{
    const rct_model *model = choice->source->model;
    const int64_t n = choice->bodies;
    const int64_t sums = (choice->frames + choice->sums * RCT_VIEW_SUMS) * (int64_t)sizeof(double);
    int64_t names = 0;
    for (int64_t k = 0; k < n && choice->names; k++) {
        const char *name = rct_model_own_name(model, rct_view_body(choice, k));
        names += 1 + (name != NULL ? rct_view_string_bytes(name) : 4);
    }
    const int64_t binary = rct_view_table_bytes(choice) + sums + choice->frames * n * POSE_BYTES;
    return HEAD_BYTES + rct_view_string_bytes(model->name) + names + binary / 3 * 4;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* A frame of all bodies. The speed of a hinge point is that between the neighbouring frames, for
 * which the recording has positions. */
typedef struct frame {
    double *position, *before, *behind, *orientation, *angular_velocity, *force;
    double span; /* s, from before to behind; 0: there are none */
    int forces;  /* 1: the forces are known                     */
} frame;

static void free_frame(frame *f)
{
    const rct_array arrays[] = {RCT_ARRAY(f->position, 0),         RCT_ARRAY(f->before, 0),
                                RCT_ARRAY(f->behind, 0),           RCT_ARRAY(f->orientation, 0),
                                RCT_ARRAY(f->angular_velocity, 0), RCT_ARRAY(f->force, 0)};
    rct_release_arrays(arrays, sizeof arrays / sizeof arrays[0]);
}

static rct_status make_frame(frame *f, int64_t n, rct_error *error)
{
    const rct_array arrays[] = {
        RCT_ARRAY(f->position, 3 * n),         RCT_ARRAY(f->before, 3 * n),
        RCT_ARRAY(f->behind, 3 * n),           RCT_ARRAY(f->orientation, 4 * n),
        RCT_ARRAY(f->angular_velocity, 3 * n), RCT_ARRAY(f->force, n)};
    return rct_allocate_arrays(arrays, sizeof arrays / sizeof arrays[0], "a frame", error);
}

static rct_status read_frame(const rct_view_source *source, int64_t k, frame *f, rct_error *error)
{
    rct_status status = rct_view_read(source, "position", k, f->position, error);
    RCT_THEN(status, rct_view_read(source, "angular_velocity", k, f->angular_velocity, error));
    RCT_THEN(status, rct_view_read(source, "orientation", k, f->orientation, error));
    f->span = 0.0;
    if (source->recording != NULL && source->frames > 1 && status == RCT_OK) {
        const int64_t first = k > 0 ? k - 1 : k, last = k + 1 < source->frames ? k + 1 : k;
        double from[RCT_VIEW_SUMS], to[RCT_VIEW_SUMS];
        RCT_THEN(status, rct_view_read(source, "position", first, f->before, error));
        RCT_THEN(status, rct_view_read(source, "position", last, f->behind, error));
        RCT_THEN(status, rct_view_read_sums(source, first, from, error));
        RCT_THEN(status, rct_view_read_sums(source, last, to, error));
        f->span = status == RCT_OK ? to[0] - from[0] : 0.0;
    }
    f->forces = status == RCT_OK && rct_view_forces(source, k, f->force);
    return status;
}

static double speed_of(const frame *f, int64_t body)
{
    double sum = 0.0;
    for (int i = 0; i < 3 && f->span > 0.0; i++) {
        const double v = (f->behind[3 * body + i] - f->before[3 * body + i]) / f->span;
        sum += v * v;
    }
    return sqrt(sum);
}

static double spin_of(const frame *f, int64_t body)
{
    const double *w = f->angular_velocity + 3 * body;
    return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* ---- the survey --------------------------------------------------------------------------- */

static rct_status survey_body(rct_view_choice *choice, const frame *f, int64_t k, int64_t number,
                              double high[3], rct_error *error)
{
    const int64_t body = rct_view_body(choice, k);
    const double speed = speed_of(f, body), spin = spin_of(f, body);
    const double *position = f->position + 3 * body, *q = f->orientation + 4 * body;
    if (!isfinite(position[0] + position[1] + position[2] + speed + spin + q[0] + q[1] + q[2] +
                  q[3])) {
        return rct_model_fail_body(choice->source->model, (int32_t)body, error, RCT_ERROR_IO,
                                   " has no position in frame %" PRId64 ": a number is not finite",
                                   number);
    }
    for (int i = 0; i < 3; i++) {
        choice->low[i] = fmin(choice->low[i], position[i]);
        high[i] = fmax(high[i], position[i]);
    }
    choice->speed = fmax(choice->speed, speed);
    choice->spin = fmax(choice->spin, spin);
    choice->force = f->forces && !isnan(choice->force) ? fmax(choice->force, f->force[body]) : NAN;
    return RCT_OK;
}

rct_status rct_view_survey(rct_view_choice *choice, rct_error *error)
{
    frame f = {.span = 0.0};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    rct_status status = make_frame(&f, choice->source->model->count, error);
    choice->speed = choice->spin = choice->force = 0.0;
    for (int i = 0; i < 3; i++) {
        choice->low[i] = INFINITY;
    }
    for (int64_t j = 0; j < choice->frames && status == RCT_OK; j++) {
        const int64_t number = rct_view_frame(choice, j);
        status = read_frame(choice->source, number, &f, error);
        for (int64_t k = 0; k < choice->bodies && status == RCT_OK; k++) {
            status = survey_body(choice, &f, k, number, high, error);
        }
    }
    choice->force = choice->force > 0.0 ? choice->force : 0.0; /* unknown forces are not shown */
    for (int i = 0; i < 3; i++) {
        choice->extent[i] = high[i] - choice->low[i];
        RCT_THEN(status, rct_view_check_size(RCT_VIEW_SPREAD, choice->extent[i], error));
    }
    free_frame(&f);
    return status;
}

/* ---- poses -------------------------------------------------------------------------------- */

/* Scale a number from 0 ... `range` to 0 ... `most`. */
static uint32_t rounded(double x, double range, double most)
{
    return range > 0.0 ? (uint32_t)lround(fmin(1.0, fmax(0.0, x / range)) * most) : 0;
}

/* The index of the largest component in two bits; the others, for a positive largest component,
 * in ten bits each from -1/sqrt(2). */
static uint32_t packed_quaternion(const double q[4])
{
    int largest = 0;
    double norm = 0.0;
    for (int i = 0; i < 4; i++) {
        largest = fabs(q[i]) > fabs(q[largest]) ? i : largest;
        norm += q[i] * q[i];
    }
    const double scale = copysign(1.0 / sqrt(norm), q[largest]);
    uint32_t word = (uint32_t)largest;
    int shift = 2;
    for (int i = 0; i < 4; i++) {
        if (i != largest) {
            word |= rounded(q[i] * scale + sqrt(0.5), sqrt(2.0), 1023.0) << shift;
            shift += 10;
        }
    }
    return word;
}

static void put_pose(const rct_view_choice *choice, const frame *f, int64_t body,
                     rct_view_text *text)
{
    uint32_t at[3];
    for (int i = 0; i < 3; i++) {
        at[i] =
            rounded(f->position[3 * body + i] - choice->low[i], choice->extent[i], RCT_VIEW_STEPS);
    }
    const uint32_t speed = rounded(speed_of(f, body), choice->speed, 255.0);
    const uint32_t spin = rounded(spin_of(f, body), choice->spin, 255.0);
    const uint32_t force = f->forces ? rounded(f->force[body], choice->force, 255.0) : 0;
    const uint32_t words[POSE_BYTES / 4] = {at[0] | speed << 24, at[1] | spin << 24,
                                            at[2] | force << 24,
                                            packed_quaternion(f->orientation + 4 * body)};
    unsigned char bytes[POSE_BYTES];
    for (int i = 0; i < POSE_BYTES; i++) {
        bytes[i] = (unsigned char)(words[i / 4] >> (8 * (i % 4)));
    }
    rct_view_put(text, bytes, POSE_BYTES);
}

static rct_status put_poses(const rct_view_choice *choice, FILE *stream, rct_error *error)
{
    frame f = {.span = 0.0};
    rct_view_text text = {.stream = stream};
    rct_status status = make_frame(&f, choice->source->model->count, error);
    fputs(",\n\"pose\": \"", stream);
    for (int64_t j = 0; j < choice->frames && status == RCT_OK && !ferror(stream); j++) {
        status = read_frame(choice->source, rct_view_frame(choice, j), &f, error);
        for (int64_t k = 0; k < choice->bodies && status == RCT_OK; k++) {
            put_pose(choice, &f, rct_view_body(choice, k), &text);
        }
    }
    rct_view_end(&text);
    fputs("\"", stream);
    free_frame(&f);
    return status;
}

/* ---- the rest ----------------------------------------------------------------------------- */

void rct_view_put_array(FILE *stream, const char *key, const void *bytes, int64_t size)
{
    rct_view_text text = {.stream = stream};
    fprintf(stream, ",\n\"%s\": \"", key);
    rct_view_put(&text, bytes, size);
    rct_view_end(&text);
    fputs("\"", stream);
}

void rct_view_put_vector(FILE *stream, const char *key, const double *x, int count)
{
    fprintf(stream, ",\n\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        fprintf(stream, "%s%.17g", i > 0 ? ", " : "", x[i]);
    }
    fputs("]", stream);
}

static void put_names(const rct_view_choice *choice, FILE *stream)
{
    fputs(",\n\"names\": ", stream);
    if (!choice->names) {
        fputs("null", stream);
        return;
    }
    for (int64_t k = 0; k < choice->bodies; k++) {
        const char *name = rct_model_own_name(choice->source->model, rct_view_body(choice, k));
        fputc(k > 0 ? ',' : '[', stream);
        if (name != NULL) {
            rct_view_put_string(stream, name);
        } else {
            fputs("null", stream);
        }
    }
    fputc(']', stream);
}

static rct_status put_sums(const rct_view_choice *choice, FILE *stream, rct_error *error)
{
    const int64_t frames = choice->frames, rows = choice->sums;
    double *numbers =
        rct_allocate(frames + rows * RCT_VIEW_SUMS, sizeof *numbers, "the sums of a view", error);
    if (numbers == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_status status = RCT_OK;
    for (int64_t k = 0; k < frames && rows > 0; k++) {
        double sums[RCT_VIEW_SUMS] = {0.0};
        RCT_THEN(status,
                 rct_view_read_sums(choice->source, rct_view_frame(choice, k), sums, error));
        numbers[k] = sums[0];
    }
    for (int64_t k = 0; k < rows; k++) {
        const int64_t number = rct_view_evenly(k, rows, choice->source->frames);
        RCT_THEN(status, rct_view_read_sums(choice->source, number,
                                            numbers + frames + k * RCT_VIEW_SUMS, error));
    }
    if (status == RCT_OK) {
        const int64_t size = sizeof *numbers;
        rct_view_put_array(stream, "time", numbers, frames * size);
        rct_view_put_array(stream, "sums", numbers + frames, rows * RCT_VIEW_SUMS * size);
    }
    rct_release(numbers);
    return status;
}

rct_status rct_view_write_data(const rct_view_choice *choice, FILE *stream, rct_error *error)
{
    const rct_view_source *source = choice->source;
    const double box[6] = {choice->low[0],    choice->low[1],    choice->low[2],
                           choice->extent[0], choice->extent[1], choice->extent[2]};
    fputs("{\"model\": ", stream);
    rct_view_put_string(stream, source->model->name);
    fprintf(stream,
            ", \"recording\": %s, \"complete\": %s, \"bodies\": %" PRId32 ", \"frames\": %" PRId64,
            source->recording != NULL ? "true" : "false", source->complete ? "true" : "false",
            source->model->count, source->frames);
    rct_view_put_vector(stream, "gravity", source->model->gravity, 3);
    rct_view_put_vector(stream, "box", box, 6);
    fprintf(stream, ",\n\"speed\": %.17g, \"spin\": %.17g, \"force\": %.17g", choice->speed,
            choice->spin, choice->force);
    rct_status status = rct_view_put_tables(choice, stream, error);
    put_names(choice, stream);
    RCT_THEN(status, put_sums(choice, stream, error));
    RCT_THEN(status, put_poses(choice, stream, error));
    fputs("}\n", stream);
    return status;
}
