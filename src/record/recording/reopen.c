/* Continuing a recording: its file is opened again, as it was after one of its frames. Its
 * structure stays unchanged; what is recorded again is written to the same places. */
#include "record/recording/recorder.h"

#include "core/error.h"
#include "core/sized.h"

#include <inttypes.h>

/* Check that the frames to continue from exist as they were written. After a power failure the
 * counters may say less or more than the data behind them. */
static void check_kept(rct_call *call, rct_recorder *recorder, int64_t frames)
{
    int64_t found = -1;
    const rct_counters counted = rct_seal_counted(call, recorder->place.disk.file);
    rct_h5_read(call, recorder->frames_written, H5T_NATIVE_INT64, &found);
    found = found < counted.now ? found : counted.now;
    if (found < frames) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "holds %" PRId64 " frames, but the run continues from %" PRId64
                      "; it is not the recording of this run, or it is an older copy",
                      found, frames);
    }
    rct_check_frames(call, recorder, frames);
    if (frames > 0) {
        rct_read_first(call, recorder);
    }
}

/* Set the counters back to the first `frames` frames; the file becomes incomplete before it is
 * shortened. */
static void turn_back(rct_call *call, rct_recorder *recorder, int64_t frames)
{
    const int8_t no = 0;
    rct_counters counters = {.now = frames};
    rct_h5_read(call, recorder->frames_written, H5T_NATIVE_INT64, &counters.before);
    rct_h5_write(call, recorder->complete, H5T_NATIVE_INT8, &no);
    rct_h5_flush(call, recorder->file);
    rct_seal_count(call, recorder->place.disk.file, &counters);
    rct_h5_write(call, recorder->frames_written, H5T_NATIVE_INT64, &frames);
    rct_h5_flush(call, recorder->file);
    recorder->written = frames;
}

/* The seal is checked before HDF5 reads the file. */
static void check_seal(rct_call *call, const rct_recorder *recorder)
{
    const rct_seal seal = rct_seal_check(call, recorder->place.disk.file);
    if (call->status == RCT_OK && seal == RCT_SEAL_FOREIGN) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a recording: it does not begin like one");
    } else if (call->status == RCT_OK && seal != RCT_SEAL_WHOLE) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "has no checksums, so an older version of this library made it; start "
                      "another recording");
    }
}

static void open_all(rct_call *call, rct_recorder *recorder, const rct_model *model,
                     const rct_solver *solver, const rct_recorder_options *options)
{
    rct_place_reopen(&recorder->place, call);
    rct_place_alone(&recorder->place, call, 0.0);
    check_seal(call, recorder);
    if (call->status != RCT_OK) {
        return;
    }
    rct_recorder_make_room(call, recorder);
    rct_recorder_open_file(call, recorder, recorder->place.path, H5F_ACC_RDWR);
    rct_check_attributes(call, recorder->file, model, solver, options);
    rct_open_frames(call, recorder, 1);
}

rct_recorder *rct_recorder_reopen_sized(const char *path, const rct_model *model,
                                        const rct_solver *solver, rct_in in, int64_t frames,
                                        rct_error *error)
{
    rct_recorder_options own = rct_recorder_options_default();
    if (!rct_given(path, "path", error) || !rct_given(model, "model", error) ||
        !rct_given(solver, "solver", error) ||
        (in.at != NULL && !rct_take(&own, rct_whole(sizeof own), in, "options", error))) {
        return NULL;
    }
    rct_call call;
    rct_recorder *recorder = NULL;
    const rct_recorder_options *options = &own;
    rct_call_begin(&call, path, NULL, error);
    if (frames < 0 || frames > options->frames) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "%" PRId64 " frames to continue from: give 0 to %" PRId64
                      ", the number of frames of the file",
                      frames, options->frames);
    }
    rct_recorder_check_bodies(&call, rct_model_body_count(model), solver);
    if (call.status == RCT_OK) {
        recorder = rct_recorder_allocate(&call, rct_frame_sizes_of(model), options->frames);
    }
    if (recorder != NULL) {
        open_all(&call, recorder, model, solver, options);
        if (call.status == RCT_OK) {
            check_kept(&call, recorder, frames);
        }
        turn_back(&call, recorder, frames);
        if (call.status != RCT_OK) {
            rct_recorder_dispose(&call, recorder);
            recorder = NULL;
        }
    }
    rct_call_end(&call);
    return recorder;
}
