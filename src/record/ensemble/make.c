/* Making the file of an ensemble: attributes, the model, the variations, /members. The file is
 * placed as recordings are (place.h), and like them never changes its structure once it has its
 * name. Also opening the file to write missing rows: several processes open it at once, so no
 * byte of its structure changes. */
#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/json/print.h"
#include "model/model.h"
#include "record/ensemble/file.h"
#include "record/file/fields.h"
#include "record/file/seal.h"

#include <riccatree/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT_VERSION = 2,
    STRUCTURE_BYTES = 1 << 16, /* superblock, groups, attributes: more than any file needs */
    COMMAND_SHOWN = 8000
};

static int64_t bytes_of(const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    const rct_member_sizes sizes = rct_member_sizes_of(e, run);
    const rct_member_columns columns = rct_columns_of(&sizes);
    const int64_t rows = rct_columns_bytes(&columns);
    int64_t text = 0;
    char *model = rct_model_text(e->model, &text, NULL);
    rct_release(model);
    const int64_t rest = STRUCTURE_BYTES + text + rct_variations_bytes(e->count, e->variations) +
                         8 * sizes.series + 4 * sizes.tracked;
    return rows > INT64_MAX / 2 - rest ? INT64_MAX : rows + rest;
}

int64_t rct_ensemble_file_bytes_sized(const rct_ensemble *e, rct_in run)
{
    rct_ensemble_run_options own;
    const int known = e != NULL && rct_ensemble_take_run(&own, run, "run", NULL) &&
                      own.first >= 0 && own.first < e->members;
    return known ? bytes_of(e, &own) : 0;
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
    rct_h5_put_text(call, file, "build", rct_build());
    rct_h5_put_text(call, file, "command_line", command);
    rct_h5_put_text(call, file, "model_name", rct_model_name(e->model));
    rct_ensemble_facts facts;
    rct_ensemble_facts_take(call, &facts, e, run);
    rct_ensemble_facts_put(call, file, &facts);
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
        rct_call_fail(call, RCT_ERROR_MEMORY, "out of memory for the text of the model; free some");
    } else {
        hid_t type = rct_h5_text_type(call, size);
        rct_h5_put_dataset(call, file, type, &table, text);
        rct_h5_close(call, &type);
    }
    rct_release(text);
}

static void put_series(rct_call *call, hid_t file, const rct_ensemble_run_options *run)
{
    if (run->series == 0) {
        return;
    }
    const rct_field time = {"time", 1, 0, "s", "none", "of the frames"};
    hid_t group = rct_h5_create_group(call, file, "series");
    double *times = rct_call_allocate(call, run->series, sizeof *times, "the times of series");
    for (int64_t f = 0; f < run->series && times != NULL; f++) {
        times[f] = run->dt * (double)rct_ensemble_frame_step(run, f);
    }
    rct_put_field(call, group, &time, run->series, times);
    if (run->tracked > 0) {
        rct_put_column(call, group, H5T_NATIVE_INT32, "body", run->tracked,
                       "bodies of /members/series_position", run->track);
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

/* Let HDF5 close the file, which writes its structure for the last time, and seal it; rows and
 * the mark stay open. Returns the length of the file. */
static int64_t finish(rct_call *call, rct_ensemble_file *f)
{
    rct_ranges ranges = {.count = 0};
    const int64_t end = rct_h5_file_size(call, f->file);
    rct_columns_ranges(call, &f->columns, &ranges);
    rct_h5_add_range(call, &ranges, f->complete, 1);
    rct_ensemble_file_close_all(call, f);
    const int64_t bytes = rct_seal_put(call, f->place.disk.file, end, &ranges);
    rct_ranges_release(&ranges);
    return bytes;
}

static void build(rct_call *call, rct_ensemble_file *f, const rct_ensemble *e,
                  const rct_ensemble_run_options *run, int overwrite, const char *command_line)
{
    rct_place_open(&f->place, call, overwrite);
    rct_place_check_replaced(&f->place, call);
    rct_place_share(&f->place, call);
    rct_place_reserve(&f->place, call, bytes_of(e, run), "store fewer members or frames");
    call->disk = &f->place.disk;
    f->file = rct_h5_create_file(call, f->place.part, &f->driver);
    put_attributes(call, f->file, e, run, command_line);
    put_complete(call, f);
    put_model(call, f->file, e);
    rct_variations_put(call, f->file, e->count, e->variations);
    put_series(call, f->file, run);
    rct_columns_have(call, f->file, &f->columns, 1);
    const int64_t bytes = finish(call, f);
    rct_ensemble_file_open_all(call, f, f->place.part);
    rct_place_settle(&f->place, call, bytes);
}

/* Return the file, unless something failed. */
static rct_ensemble_file *end(rct_call *call, rct_ensemble_file *f)
{
    if (f != NULL && call->status != RCT_OK) {
        rct_ensemble_file_dispose(call, f);
        f = NULL;
    }
    rct_call_end(call);
    return f;
}

rct_ensemble_file *rct_ensemble_file_create_sized(const char *path, const rct_ensemble *e,
                                                  rct_in in, int overwrite,
                                                  const char *command_line, rct_error *error)
{
    rct_call call;
    rct_ensemble_run_options run;
    if (!rct_ensemble_asked(&run, path, "path", e, in, error)) {
        return NULL;
    }
    rct_call_begin(&call, path, NULL, error);
    rct_ensemble_file *f = rct_ensemble_file_allocate(&call, e, &run);
    if (f != NULL) {
        build(&call, f, e, &run, overwrite, command_line);
    }
    return end(&call, f);
}

/* ---- opening an existing file -------------------------------------------------------------- */

static int is_same(const char *path, const rct_ensemble *e, const rct_ensemble_run_options *run,
                   rct_error *error)
{
    rct_ensemble_results *results = rct_ensemble_results_open(path, error);
    const int same =
        results != NULL && rct_ensemble_results_match(results, e, run, error) == RCT_OK;
    rct_ensemble_results_close(results);
    return same;
}

rct_ensemble_file *rct_ensemble_file_open_sized(const char *path, const rct_ensemble *e, rct_in in,
                                                rct_error *error)
{
    rct_call call;
    rct_ensemble_run_options run;
    if (!rct_ensemble_asked(&run, path, "path", e, in, error) || !is_same(path, e, &run, error)) {
        return NULL;
    }
    rct_call_begin(&call, path, NULL, error);
    rct_ensemble_file *f = rct_ensemble_file_allocate(&call, e, &run);
    if (f != NULL) {
        rct_place_reopen(&f->place, &call);
        rct_place_share(&f->place, &call);
        rct_ensemble_file_open_all(&call, f, f->place.path);
    }
    return end(&call, f);
}
