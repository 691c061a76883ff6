/* Making and writing the file of an ensemble: attributes, the model, the variations, /members. It lies where recordings
 * lie (place.h), and like them never changes its structure once it has its name. */
#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/json_print.h"
#include "model/model.h"
#include "record/ensemble_members.h"
#include "record/place.h"

#include <riccatree/ensemble_file.h>
#include <riccatree/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT_VERSION = 1,
    STRUCTURE_BYTES = 1 << 16, /* superblock, groups, attributes: more than any file needs */
    COMMAND_SHOWN = 8000
};

struct rct_ensemble_file {
    rct_place place;
    rct_member_columns columns;
    hid_t file, driver, complete;
    int64_t first, members, written;
    int failed;
};

static int64_t variation_bytes(const rct_ensemble *e)
{
    int64_t longest = 1;
    for (int32_t i = 0; i < e->count; i++) {
        const int64_t length = (int64_t)strlen(e->variations[i].path);
        longest = length > longest ? length : longest;
    }
    return longest;
}

int64_t rct_ensemble_file_bytes(const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    const rct_member_sizes sizes = rct_member_sizes_of(e, run);
    const rct_member_columns columns = rct_columns_of(&sizes);
    const int64_t rows = rct_columns_bytes(&columns, sizes.members);
    int64_t text = 0;
    char *model = rct_model_text(e->model, &text, NULL);
    rct_release(model);
    const int64_t rest = STRUCTURE_BYTES + text + e->count * (variation_bytes(e) + 25) +
                         8 * sizes.series + 4 * sizes.tracked;
    return rows > INT64_MAX / 2 - rest ? INT64_MAX : rows + rest;
}

/* ---- making ------------------------------------------------------------------------------- */

static void put_attributes(rct_call *call, hid_t file, const rct_ensemble *e,
                           const rct_ensemble_run_options *run, const char *command_line)
{
    const int32_t version = FORMAT_VERSION;
    char command[COMMAND_SHOWN + 1];
    snprintf(command, sizeof command, "%s", command_line != NULL ? command_line : "");
    rct_h5_put_text(call, file, "format", "riccatree ensemble");
    rct_h5_put_values(call, file, "format_version", H5T_NATIVE_INT32, 0, &version);
    rct_h5_put_text(call, file, "library_version", rct_version());
    rct_h5_put_text(call, file, "command_line", command);
    rct_h5_put_text(call, file, "model_name", rct_model_name(e->model));
    rct_h5_put_text(call, file, "method", rct_method_name(run->solver.method));
    rct_h5_put_text(call, file, "backend",
                    run->solver.backend != NULL ? run->solver.backend : "auto");
    rct_h5_put_values(call, file, "members", H5T_NATIVE_INT64, 0, &e->members);
    rct_h5_put_values(call, file, "first_member", H5T_NATIVE_INT64, 0, &run->first);
    rct_h5_put_values(call, file, "seed", H5T_NATIVE_UINT64, 0, &e->seed);
    rct_h5_put_values(call, file, "perturb", H5T_NATIVE_DOUBLE, 0, &e->perturb);
    rct_h5_put_values(call, file, "dt", H5T_NATIVE_DOUBLE, 0, &run->dt);
    rct_h5_put_values(call, file, "steps", H5T_NATIVE_INT64, 0, &run->steps);
}

static void put_model(rct_call *call, hid_t file, const rct_ensemble *e)
{
    int64_t size = 0;
    char *text = rct_model_text(e->model, &size, NULL);
    const rct_table table = {.name = "model",
                             .unit = "1",
                             .axes = "none",
                             .description = "the base model as a model file"};
    if (text == NULL) {
        rct_call_fail(call, RCT_ERROR_MEMORY, "no memory for the text of the model");
    } else {
        hid_t type = rct_h5_text_type(call, size);
        rct_h5_put_dataset(call, file, type, &table, text);
        rct_h5_close(call, &type);
    }
    rct_release(text);
}

static void put_numbers(rct_call *call, hid_t group, const char *name, const char *description,
                        hid_t type, int64_t count, const char *unit, const void *values)
{
    const rct_table table = {.name = name,
                             .rank = 1,
                             .extent = {count},
                             .unit = unit,
                             .axes = "none",
                             .description = description};
    rct_h5_put_dataset(call, group, type, &table, values);
}

static void put_paths(rct_call *call, hid_t group, const rct_ensemble *e)
{
    const int64_t width = variation_bytes(e);
    char *rows = rct_call_allocate(call, e->count, width, "the paths of variations");
    for (int32_t i = 0; i < e->count && rows != NULL; i++) {
        memcpy(rows + i * width, e->variations[i].path, strlen(e->variations[i].path));
    }
    hid_t type = rct_h5_text_type(call, width);
    put_numbers(call, group, "path", "what is varied", type, e->count, "1", rows);
    rct_h5_close(call, &type);
    rct_release(rows);
}

static void put_variations(rct_call *call, hid_t file, const rct_ensemble *e)
{
    hid_t group = rct_h5_create_group(call, file, "variations");
    double *numbers = rct_call_allocate(call, 2 * (int64_t)e->count, sizeof *numbers, "variations");
    int64_t *counts = rct_call_allocate(call, 2 * (int64_t)e->count, sizeof *counts, "variations");
    for (int32_t i = 0; i < e->count && numbers != NULL && counts != NULL; i++) {
        numbers[i] = e->variations[i].a;
        numbers[e->count + i] = e->variations[i].b;
        counts[i] = e->variations[i].count;
        counts[e->count + i] = (int64_t)e->variations[i].type;
    }
    if (e->count > 0 && numbers != NULL && counts != NULL) {
        const char *unit = "as in the model";
        put_paths(call, group, e);
        put_numbers(call, group, "type",
                    "0: a grid from a to b, 1: normal, mean a, deviation b, "
                    "2: uniform from a to b",
                    H5T_NATIVE_INT64, e->count, "1", counts + e->count);
        put_numbers(call, group, "a", "see type", H5T_NATIVE_DOUBLE, e->count, unit, numbers);
        put_numbers(call, group, "b", "see type", H5T_NATIVE_DOUBLE, e->count, unit,
                    numbers + e->count);
        put_numbers(call, group, "count", "values of a grid", H5T_NATIVE_INT64, e->count, "1",
                    counts);
    }
    rct_release(numbers);
    rct_release(counts);
    rct_h5_close(call, &group);
}

static void put_series(rct_call *call, hid_t file, const rct_ensemble_run_options *run)
{
    if (run->series == 0) {
        return;
    }
    hid_t group = rct_h5_create_group(call, file, "series");
    double *times = rct_call_allocate(call, run->series, sizeof *times, "the times of series");
    for (int64_t f = 0; f < run->series && times != NULL; f++) {
        times[f] = run->dt * (double)rct_ensemble_frame_step(run, f);
    }
    put_numbers(call, group, "time", "of the frames", H5T_NATIVE_DOUBLE, run->series, "s", times);
    if (run->tracked > 0) {
        put_numbers(call, group, "body", "bodies of /members/series_position", H5T_NATIVE_INT32,
                    run->tracked, "1", run->track);
    }
    rct_release(times);
    rct_h5_close(call, &group);
}

static void put_complete(rct_call *call, rct_ensemble_file *f)
{
    const int8_t no = 0;
    const rct_table flag = {
        .name = "complete", .unit = "1", .axes = "none", .description = "1: all members are there"};
    f->complete = rct_h5_create_dataset(call, f->file, H5T_NATIVE_INT8, &flag);
    rct_h5_write(call, f->complete, H5T_NATIVE_INT8, &no);
}

static void build(rct_call *call, rct_ensemble_file *f, const rct_ensemble *e,
                  const rct_ensemble_run_options *run, int overwrite, const char *command_line)
{
    rct_place_open(&f->place, call, overwrite);
    rct_place_reserve(&f->place, call, rct_ensemble_file_bytes(e, run));
    call->disk = &f->place.disk;
    f->file = rct_h5_create_file(call, f->place.part, &f->driver);
    put_attributes(call, f->file, e, run, command_line);
    put_complete(call, f);
    put_model(call, f->file, e);
    put_variations(call, f->file, e);
    put_series(call, f->file, run);
    rct_columns_create(call, f->file, &f->columns, f->members);
    rct_h5_flush(call, f->file);
    rct_place_settle(&f->place, call, rct_h5_file_size(call, f->file));
}

static void dispose(rct_call *call, rct_ensemble_file *f)
{
    rct_columns_close(call, &f->columns);
    rct_h5_close(call, &f->complete);
    rct_h5_close(call, &f->file);
    rct_h5_close(call, &f->driver);
    rct_place_close(&f->place, call);
    rct_release(f);
}

rct_ensemble_file *rct_ensemble_file_create(const char *path, const rct_ensemble *e,
                                            const rct_ensemble_run_options *run, int overwrite,
                                            const char *command_line, rct_error *error)
{
    rct_call call;
    rct_ensemble_file *f = NULL;
    if (rct_ensemble_check_run(e, run, error) != RCT_OK) {
        return NULL;
    }
    const rct_member_sizes sizes = rct_member_sizes_of(e, run);
    rct_call_begin(&call, path, NULL, error);
    f = rct_call_allocate(&call, 1, sizeof *f, "the file of an ensemble");
    if (f != NULL) {
        f->place.disk.file = -1;
        f->file = f->driver = f->complete = -1;
        f->columns = rct_columns_of(&sizes);
        f->first = run->first;
        f->members = sizes.members;
        build(&call, f, e, run, overwrite, command_line);
    }
    if (f != NULL && call.status != RCT_OK) {
        dispose(&call, f);
        f = NULL;
    }
    rct_call_end(&call);
    return f;
}

/* ---- writing ------------------------------------------------------------------------------ */

rct_status rct_ensemble_file_write(rct_ensemble_file *f, const rct_member_result *result,
                                   rct_error *error)
{
    rct_call call;
    const int64_t row = result->member - f->first;
    rct_member_columns *c = &f->columns;
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    if (row < 0 || row >= f->members) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "has no row for member %" PRId64 "; it is made for %" PRId64
                      " members from %" PRId64 " on",
                      result->member, f->members, f->first);
    }
    if (c->waiting == RCT_MEMBER_ROWS || (c->waiting > 0 && row != c->first + c->waiting)) {
        rct_columns_write(&call, f->file, c);
    }
    if (call.status == RCT_OK) {
        rct_columns_add(c, row, result);
        f->written++;
    }
    f->failed = f->failed || call.status != RCT_OK;
    return rct_call_end(&call);
}

rct_status rct_ensemble_file_flush(rct_ensemble_file *f, rct_error *error)
{
    rct_call call;
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    rct_columns_write(&call, f->file, &f->columns);
    f->failed = f->failed || call.status != RCT_OK;
    return rct_call_end(&call);
}

/* Rows first, down to the disk; then the mark. */
static void mark_complete(rct_call *call, rct_ensemble_file *f)
{
    const int8_t yes = 1;
    if (f->failed || f->written != f->members) {
        rct_call_fail(call, f->failed ? RCT_ERROR_IO : RCT_ERROR_ARGUMENT,
                      "is left incomplete: it has %" PRId64 " of %" PRId64 " members", f->written,
                      f->members);
    }
    rct_place_sync(&f->place, call);
    rct_h5_write(call, f->complete, H5T_NATIVE_INT8, &yes);
    rct_h5_flush(call, f->file);
    rct_place_sync(&f->place, call);
}

rct_status rct_ensemble_file_close(rct_ensemble_file *f, int complete, rct_error *error)
{
    if (f == NULL) {
        return RCT_OK;
    }
    rct_call call;
    char path[RCT_ERROR_TEXT_SIZE];
    const size_t length = strlen(f->place.path);
    const size_t cut = length < sizeof path ? 0 : length - sizeof path + 1;
    snprintf(path, sizeof path, "%s", f->place.path + cut);
    rct_call_begin(&call, path, &f->place.disk, error);
    rct_columns_write(&call, f->file, &f->columns);
    if (complete) {
        mark_complete(&call, f);
    }
    dispose(&call, f);
    return rct_call_end(&call);
}
