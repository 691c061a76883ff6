/* Writing rows to the file of an ensemble, by the process that made it and by others that opened
 * it. */
#include "record/ensemble/file.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/file/seal.h"

#include <inttypes.h>

rct_ensemble_file *rct_ensemble_file_allocate(rct_call *call, const rct_ensemble *e,
                                              const rct_ensemble_run_options *run)
{
    const rct_member_sizes sizes = rct_member_sizes_of(e, run);
    rct_ensemble_file *f = rct_call_allocate(call, 1, sizeof *f, "the file of an ensemble");
    if (f != NULL) {
        f->place.disk.file = -1;
        f->file = f->driver = f->complete = -1;
        f->columns = rct_columns_of(&sizes);
        f->first = run->first;
    }
    return f;
}

void rct_ensemble_file_open_all(rct_call *call, rct_ensemble_file *f, const char *path)
{
    f->place.disk.fixed = 1;
    call->disk = &f->place.disk;
    f->file = rct_h5_open_file(call, path, H5F_ACC_RDWR, &f->driver);
    f->complete = rct_h5_open_dataset(call, f->file, "complete");
    rct_columns_have(call, f->file, &f->columns, 0);
}

void rct_ensemble_file_close_all(rct_call *call, rct_ensemble_file *f)
{
    rct_columns_close(call, &f->columns);
    rct_h5_close(call, &f->complete);
    rct_h5_close(call, &f->file);
    rct_h5_close(call, &f->driver);
}

void rct_ensemble_file_dispose(rct_call *call, rct_ensemble_file *f)
{
    rct_ensemble_file_close_all(call, f);
    rct_place_close(&f->place, call);
    rct_release(f);
}

/* ---- calls -------------------------------------------------------------------------------- */

/* End a call that writes rows. */
static rct_status end_writing(rct_call *call, rct_ensemble_file *f)
{
    f->failed = f->failed || call->status != RCT_OK;
    return rct_call_end(call);
}

static int64_t count(rct_call *call, const rct_ensemble_file *f, int8_t *statuses)
{
    const rct_column *column = f->columns.column;
    return rct_member_statuses(call, column[RCT_COLUMN_STATUS].dataset,
                               column[RCT_COLUMN_CHECKSUM].dataset, 0, f->columns.members,
                               statuses);
}

rct_status rct_ensemble_file_write_sized(rct_ensemble_file *f, rct_in in, rct_error *error)
{
    rct_call call;
    rct_member_result own = {.member = -1};
    const rct_member_result *result = &own;
    if (!rct_given(f, "file", error) ||
        !rct_take(&own, rct_whole(sizeof own), in, "result", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_member_columns *c = &f->columns;
    const char *trouble = rct_columns_trouble(c, result);
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    if (trouble != NULL) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "cannot take the result of member %" PRId64 ": %s",
                      result->member, trouble);
        return rct_call_end(&call);
    }
    if (result->member < f->first || result->member - f->first >= c->members) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "has no row for member %" PRId64 "; it was made for %" PRId64
                      " members from %" PRId64 " on",
                      result->member, c->members, f->first);
    }
    const int64_t row = call.status == RCT_OK ? result->member - f->first : -1;
    if (c->waiting == c->room || (c->waiting > 0 && row != c->first + c->waiting)) {
        rct_columns_write(&call, f->file, c);
    }
    if (call.status == RCT_OK) {
        rct_columns_add(c, row, result);
    }
    return end_writing(&call, f);
}

/* Write the rows that wait. They then survive the end of this process; with `sync` they survive
 * a power failure. */
static rct_status write_waiting(rct_ensemble_file *f, int sync, rct_error *error)
{
    rct_call call;
    if (!rct_given(f, "file", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    rct_columns_write(&call, f->file, &f->columns);
    if (sync) {
        rct_place_sync(&f->place, &call);
    }
    return end_writing(&call, f);
}

rct_status rct_ensemble_file_flush(rct_ensemble_file *f, rct_error *error)
{
    return write_waiting(f, 0, error);
}

rct_status rct_ensemble_file_sync(rct_ensemble_file *f, rct_error *error)
{
    return write_waiting(f, 1, error);
}

rct_status rct_ensemble_file_alone(rct_ensemble_file *f, double seconds, rct_error *error)
{
    rct_call call;
    if (!rct_given(f, "file", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    if (!(seconds >= 0.0)) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "cannot wait %g s; give 0 s or more", seconds);
    }
    rct_place_alone(&f->place, &call, seconds);
    return rct_call_end(&call);
}

rct_status rct_ensemble_file_done(rct_ensemble_file *f, int8_t *done, rct_error *error)
{
    rct_call call;
    if (!rct_given(f, "file", error) || !rct_given(done, "done", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    rct_columns_write(&call, f->file, &f->columns);
    count(&call, f, done);
    for (int64_t row = 0; row < f->columns.members && call.status == RCT_OK; row++) {
        done[row] = done[row] != RCT_PENDING_VALUE;
    }
    return rct_call_end(&call);
}

/* Bring rows to the disk first, then the mark. Other processes may have written some of the
 * rows. */
static void mark_complete(rct_call *call, rct_ensemble_file *f)
{
    const int8_t yes = 1;
    const rct_counters counters = {.complete = 1};
    const int64_t there = count(call, f, NULL), members = f->columns.members;
    if (f->failed || there != members) {
        rct_call_fail(call, f->failed ? RCT_ERROR_IO : RCT_ERROR_ARGUMENT,
                      "is left incomplete: it has %" PRId64 " of %" PRId64 " members", there,
                      members);
    }
    rct_place_sync(&f->place, call);
    rct_seal_count(call, f->place.disk.file, &counters);
    rct_h5_write(call, f->complete, H5T_NATIVE_INT8, &yes);
    rct_h5_flush(call, f->file);
    rct_place_sync(&f->place, call);
}

rct_status rct_ensemble_file_close(rct_ensemble_file *f, int complete, rct_error *error)
{
    rct_call call;
    if (f == NULL) {
        return RCT_OK;
    }
    rct_call_begin(&call, f->place.path, &f->place.disk, error);
    rct_columns_write(&call, f->file, &f->columns);
    if (complete) {
        mark_complete(&call, f);
    }
    rct_ensemble_file_dispose(&call, f);
    return rct_call_end(&call);
}
