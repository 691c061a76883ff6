/* Going on with a recording: its file opened once more, as it was after one of its frames. Its structure stays
 * as it is; what is recorded again lands where it was. */
#include "record/recorder.h"

#include "core/error.h"
#include "core/sized.h"

#include <inttypes.h>

/* The counters as they were after the first `frames` frames: incomplete before it is shortened. */
static void turn_back(rct_call *call, rct_recorder *recorder, int64_t frames)
{
    const int8_t no = 0;
    int64_t found = -1;
    rct_h5_read(call, recorder->frames_written, H5T_NATIVE_INT64, &found);
    if (call->status == RCT_OK && found < frames) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "holds %" PRId64 " frames, of the %" PRId64 " to go on from; it is not the "
                      "recording of this run, or an older copy",
                      found, frames);
    }
    rct_h5_write(call, recorder->complete, H5T_NATIVE_INT8, &no);
    rct_h5_flush(call, recorder->file);
    rct_h5_write(call, recorder->frames_written, H5T_NATIVE_INT64, &frames);
    rct_h5_flush(call, recorder->file);
    recorder->written = frames;
}

static void open_all(rct_call *call, rct_recorder *recorder, const rct_model *model,
                     const rct_solver *solver, const rct_recorder_options *options)
{
    rct_place_reopen(&recorder->place, call);
    call->disk = &recorder->place.disk;
    recorder->file = rct_h5_open_file(call, recorder->place.path, &recorder->driver);
    recorder->rows = rct_call_allocate(call, rct_record_rows(&recorder->sizes), sizeof(double),
                                       "the frames of a recording");
    rct_check_attributes(call, recorder->file, model, solver, options);
    recorder->frames_written = rct_h5_open_dataset(call, recorder->file, "frames_written");
    recorder->complete = rct_h5_open_dataset(call, recorder->file, "complete");
    rct_open_frames(call, recorder);
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
                      "%" PRId64 " frames to go on from: give 0 to the %" PRId64 " of the file",
                      frames, options->frames);
    }
    rct_recorder_check_bodies(&call, rct_model_body_count(model), solver);
    if (call.status == RCT_OK) {
        recorder = rct_recorder_allocate(&call, model, options->frames);
    }
    if (recorder != NULL) {
        open_all(&call, recorder, model, solver, options);
        if (frames > 0) {
            rct_read_first(&call, recorder);
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
