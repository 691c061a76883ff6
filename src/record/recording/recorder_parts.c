/* The content of a recorder: memory, the parts of the file that HDF5 has open, and the counters. */
#include "record/recording/recorder.h"

#include "core/memory.h"
#include "dynamics/closed/closed.h"
#include "dynamics/events.h"

#include <inttypes.h>
#include <string.h>

rct_recorder *rct_recorder_allocate(rct_call *call, rct_frame_sizes sizes, int64_t frames)
{
    rct_recorder *recorder = rct_call_allocate(call, 1, sizeof *recorder, "a recorder");
    if (recorder != NULL) {
        recorder->place.disk.file = -1;
        recorder->sizes = sizes;
        recorder->frames = frames;
        recorder->driver = recorder->file = -1;
        recorder->frames_written = recorder->complete = recorder->checksums = -1;
        for (int s = 0; s < RCT_SERIES_COUNT; s++) {
            recorder->series[s] = (rct_series){.dataset = -1};
        }
    }
    return recorder;
}

void rct_recorder_make_room(rct_call *call, rct_recorder *recorder)
{
    static const char what[] = "the frames of a recording";
    const rct_frame_sizes *sizes = &recorder->sizes;
    const int64_t rows = rct_recorder_rows(sizes->bodies), one = sizeof(double);
    recorder->rows = rct_call_allocate(call, RCT_FRAME_BODY_NUMBERS * rows, one, what);
    if (sizes->coordinates > 0) {
        recorder->hinges = rct_call_allocate(call, sizes->coordinates + sizes->rates, one, what);
    }
    if (sizes->events > 0) {
        recorder->switches = rct_call_allocate(call, sizes->loops + 2 * sizes->events, one, what);
    }
}

void rct_recorder_read_switches(rct_recorder *recorder, const rct_solver *solver)
{
    if (recorder->switches != NULL && solver->events != NULL) {
        rct_closed_read_active(solver->closed, recorder->switches);
        rct_events_read(solver->events, recorder->switches + recorder->sizes.loops);
    }
}

void rct_recorder_dispose(rct_call *call, rct_recorder *recorder)
{
    rct_recorder_close_file(call, recorder);
    rct_place_close(&recorder->place, call);
    rct_release(recorder->rows);
    rct_release(recorder->hinges);
    rct_release(recorder->switches);
    rct_release(recorder);
}

void rct_recorder_open_file(rct_call *call, rct_recorder *recorder, const char *path,
                            unsigned flags)
{
    recorder->place.disk.fixed = 1;
    call->disk = &recorder->place.disk;
    recorder->file = rct_h5_open_file(call, path, flags, &recorder->driver);
}

void rct_recorder_close_file(rct_call *call, rct_recorder *recorder)
{
    rct_close_frames(call, recorder);
    rct_h5_close(call, &recorder->frames_written);
    rct_h5_close(call, &recorder->complete);
    rct_h5_close(call, &recorder->file);
    rct_h5_close(call, &recorder->driver);
}

rct_counters rct_recorder_counted(rct_call *call, const rct_recorder *recorder, rct_seal seal)
{
    const int file = recorder->place.disk.file, sealed = seal == RCT_SEAL_WHOLE;
    int64_t frames = 0;
    int8_t complete = 0;
    rct_counters said = {.now = 0}, again = {.now = 0};
    do { /* they may be being written now */
        said = sealed ? rct_seal_counted(call, file) : said;
        rct_h5_read(call, recorder->frames_written, H5T_NATIVE_INT64, &frames);
        rct_h5_read(call, recorder->complete, H5T_NATIVE_INT8, &complete);
        again = sealed ? rct_seal_counted(call, file) : (rct_counters){frames, frames, complete};
    } while (sealed && call->status == RCT_OK && memcmp(&said, &again, sizeof said) != 0);
    if ((frames != again.before && frames != again.now) || complete < 0 ||
        complete > again.complete || again.complete > 1 || again.now < 0 ||
        again.now > recorder->frames) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged, or the power failed while it was written: it says %" PRId64
                      " frames, but its seal says %" PRId64
                      "; continue from a checkpoint of the run, or take an older copy",
                      frames, again.now);
    }
    return again;
}
