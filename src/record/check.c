/* Checking whether a file is as it was written. Its first bytes tell its kind. For files of
 * results HDF5 tells it, after the seal has been checked. */
#include "core/error.h"
#include "core/sized.h"
#include "record/checkpoint/checkpoint.h"
#include "record/ensemble/file.h"
#include "record/recording/recorder.h"

#include <riccatree/check.h>
#include <riccatree/model_h5.h>

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_SIZE = 64 };

static rct_status check_checkpoint(const char *path, rct_checkpoint_kind kind, rct_file_info *info,
                                   rct_error *error)
{
    rct_checkpoint *checkpoint = rct_checkpoint_read(path, kind, error);
    if (checkpoint == NULL) {
        return error->status;
    }
    rct_checkpoint_close(checkpoint);
    *info = (rct_file_info){.kind = RCT_FILE_CHECKPOINT, .complete = 1, .checked = 1};
    return RCT_OK;
}

static rct_status check_ensemble(const char *path, rct_file_info *info, rct_error *error)
{
    rct_call call;
    rct_ensemble_results *results = rct_ensemble_results_open(path, error);
    if (results == NULL) {
        return error->status;
    }
    rct_call_begin(&call, path, NULL, error);
    const rct_ensemble_results_info *found = &results->info;
    *info = (rct_file_info){.kind = RCT_FILE_ENSEMBLE,
                            .room = found->members,
                            .written = rct_ensemble_results_count(&call, results, NULL),
                            .complete = found->complete,
                            .checked = found->checked};
    rct_ensemble_results_close(results);
    return rct_call_end(&call);
}

static void check_recording(rct_call *call, rct_recorder *reader, rct_seal seal,
                            rct_file_info *info)
{
    const rct_counters counters = rct_recorder_open_checked(call, reader, seal);
    if (call->status != RCT_OK) {
        return;
    }
    *info = (rct_file_info){.kind = RCT_FILE_RECORDING,
                            .room = reader->frames,
                            .written = counters.now,
                            .complete = (int)counters.complete,
                            .checked = seal == RCT_SEAL_WHOLE};
}

/* The file is a model if it can be read as a model. */
static void check_model(rct_call *call, rct_seal seal, rct_file_info *info)
{
    rct_error why = {.status = RCT_OK, .text = ""};
    rct_model *model = rct_model_read_h5(call->path, &why);
    const int32_t bodies = model != NULL ? rct_model_body_count(model) : 0;
    if (model == NULL) {
        rct_call_fail_as(call, &why);
    }
    rct_model_free(model);
    *info = (rct_file_info){.kind = RCT_FILE_MODEL,
                            .room = bodies,
                            .written = bodies,
                            .complete = 1,
                            .checked = seal == RCT_SEAL_WHOLE};
}

/* Files of other programs have no format attribute. */
static int is_model(rct_call *call, const rct_recorder *reader, const char *format)
{
    return strcmp(format, "riccatree model") == 0 ||
           (format[0] == '\0' && rct_h5_has_group(call, reader->file, "model"));
}

/* Whether a file that HDF5 may read is a recording or a model; if so, check it. */
static int is_known(rct_call *call, rct_recorder *reader, rct_seal seal, rct_file_info *info)
{
    char format[FORMAT_SIZE] = "";
    rct_recorder_open_file(call, reader, call->path, H5F_ACC_RDONLY);
    if (rct_h5_has_attribute(call, reader->file, "format")) {
        rct_h5_get_text(call, reader->file, "format", sizeof format, format);
    }
    const int recording = strcmp(format, "riccatree trajectory") == 0;
    const int model = is_model(call, reader, format);
    if (call->status == RCT_OK && recording) {
        check_recording(call, reader, seal, info);
    } else if (call->status == RCT_OK && model) {
        check_model(call, seal, info);
    }
    return recording || model || call->status != RCT_OK;
}

/* 0: neither a recording nor a model nor damaged. */
static int check_file(rct_call *call, rct_recorder *reader, rct_file_info *info)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    reader->place.disk.file = RCT_SYSTEM(call, "open the file", open(call->path, flags));
    const rct_seal seal = rct_seal_check(call, reader->place.disk.file);
    if (seal == RCT_SEAL_FOREIGN) {
        rct_call_fail(
            call, RCT_ERROR_IO,
            "is not a recording, an ensemble, a model in HDF5 or a checkpoint: it does "
            "not begin like one; `riccatree info` examines a model in JSON, URDF or MJCF");
    }
    return call->status != RCT_OK || is_known(call, reader, seal, info);
}

static rct_status check_results(const char *path, rct_file_info *info, rct_error *error)
{
    rct_call call;
    int found = 1;
    rct_call_begin(&call, path, NULL, error);
    rct_recorder *reader = rct_recorder_allocate(&call, (rct_frame_sizes){.bodies = 0}, 0);
    if (reader != NULL) {
        found = check_file(&call, reader, info);
        rct_recorder_dispose(&call, reader);
    }
    const rct_status status = rct_call_end(&call);
    return found ? status : check_ensemble(path, info, error);
}

/* RCT_CHECKPOINT_KINDS if there is no checkpoint or the file cannot be read. */
static rct_checkpoint_kind kind_of(const char *path)
{
    char magic[RCT_CHECKPOINT_MAGIC_BYTES];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const ssize_t size = file >= 0 ? pread(file, magic, sizeof magic, 0) : -1;
    if (file >= 0) {
        close(file);
    }
    return rct_checkpoint_kind_of(magic, size);
}

rct_status rct_file_check_sized(const char *path, rct_out info, rct_error *error)
{
    rct_error why;
    rct_file_info own;
    error = error != NULL ? error : &why;
    memset(&own, 0, sizeof own); /* the padding too: it is written */
    if (!rct_given(path, "path", error) || !rct_given(info.at, "info", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_checkpoint_kind kind = kind_of(path);
    const rct_status status = kind < RCT_CHECKPOINT_KINDS
                                  ? check_checkpoint(path, kind, &own, error)
                                  : check_results(path, &own, error);
    if (status == RCT_OK) {
        rct_give(info, &own, rct_whole(sizeof own));
    }
    return status;
}
