/* The recorder: making the file, writing frames, closing it.
 *
 * After its creation the file never changes its structure. A frame is written in place and
 * brought to the file before the counter that makes it valid. So a reader finds `frames_written`
 * whole frames, whenever the process ended. */
#include "record/recording/recorder.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STRUCTURE_BYTES = 40960 }; /* superblock, groups, attributes: more than any file needs */

void rct_recorder_options_init(rct_out out)
{
    const rct_recorder_options own = {.frames = 1};
    rct_give(out, &own, rct_whole(sizeof own));
}

int64_t rct_recorder_file_bytes(const rct_model *model, int64_t frames)
{
    if (model == NULL) {
        return 0;
    }
    const rct_frame_sizes sizes = rct_frame_sizes_of(model);
    const int64_t numbers = sizes.bodies * RCT_FRAME_BODY_NUMBERS + sizes.coordinates +
                            sizes.rates + sizes.loops + 2 * sizes.events;
    const int64_t frame = numbers * (int64_t)sizeof(double) + (int64_t)sizeof(rct_frame_sums) +
                          (int64_t)sizeof(uint32_t);
    const int64_t rest = rct_model_group_bytes(model, sizes.coordinates > 0) +
                         rct_model_names_bytes(model) + rct_scales_bytes(model, sizes) +
                         STRUCTURE_BYTES;
    /* Bytes beyond half of INT64_MAX count as INT64_MAX; chunks add far less than the other
     * half. */
    return frames > (INT64_MAX / 2 - rest) / frame ? INT64_MAX
                                                   : rct_frames_bytes(sizes, frames) + rest;
}

/* The only two values that change with frames: how many are valid, and whether all are. */
static void create_counters(rct_call *call, rct_recorder *recorder)
{
    const int64_t none = 0;
    const int8_t no = 0;
    const rct_table counter = {.name = "frames_written",
                               .unit = "1",
                               .axes = "none",
                               .description = "number of frames that are valid"};
    const rct_table flag = {.name = "complete",
                            .unit = "1",
                            .axes = "none",
                            .description = "1: the run ended as it should"};
    recorder->frames_written =
        rct_h5_create_dataset(call, recorder->file, H5T_NATIVE_INT64, &counter);
    rct_h5_write(call, recorder->frames_written, H5T_NATIVE_INT64, &none);
    recorder->complete = rct_h5_create_dataset(call, recorder->file, H5T_NATIVE_INT8, &flag);
    rct_h5_write(call, recorder->complete, H5T_NATIVE_INT8, &no);
}

/* Let HDF5 close the file, which writes its structure for the last time, and seal it; `numbers`,
 * counters and checksums stay open. Returns the length of the file. */
static int64_t finish(rct_call *call, rct_recorder *recorder, rct_ranges *numbers)
{
    const int64_t end = rct_h5_file_size(call, recorder->file);
    rct_h5_add_range(call, numbers, recorder->checksums,
                     recorder->frames * (int64_t)sizeof(uint32_t));
    recorder->place.disk.numbers = NULL;
    rct_recorder_close_file(call, recorder);
    return rct_seal_put(call, recorder->place.disk.file, end, numbers);
}

static void build(rct_call *call, rct_recorder *recorder, const rct_model *model,
                  const rct_solver *solver, const rct_recorder_options *options)
{
    rct_ranges numbers = {.count = 0};
    rct_place_open(&recorder->place, call, options->overwrite);
    rct_place_check_replaced(&recorder->place, call);
    rct_place_share(&recorder->place, call);
    rct_place_reserve(&recorder->place, call, rct_recorder_file_bytes(model, options->frames),
                      "record fewer frames");
    if (call->status != RCT_OK) { /* sizes may be too large to count */
        return;
    }
    call->disk = &recorder->place.disk;
    recorder->file = rct_h5_create_file(call, recorder->place.part, &recorder->driver);
    rct_put_attributes(call, recorder->file, model, solver, options);
    rct_record_model(call, recorder->file, model, recorder->sizes.coordinates > 0);
    rct_create_scales(call, recorder, model);
    recorder->place.disk.numbers = &numbers;
    create_counters(call, recorder);
    rct_create_frames(call, recorder);
    const int64_t bytes = finish(call, recorder, &numbers);
    rct_ranges_release(&numbers);
    rct_recorder_open_file(call, recorder, recorder->place.part, H5F_ACC_RDWR);
    rct_open_frames(call, recorder, 1);
    rct_recorder_make_room(call, recorder);
    rct_place_settle(&recorder->place, call, bytes);
}

void rct_recorder_check_bodies(rct_call *call, int64_t bodies, const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    if (info.bodies != bodies) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is made for %" PRId64 " bodies, but the solver has %" PRId32
                      "; give the solver that was made from the model",
                      bodies, info.bodies);
    }
}

static void check_coordinates(rct_call *call, const rct_frame_sizes *sizes,
                              const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    const int32_t events = rct_model_event_count(solver->plan->surroundings);
    const int32_t loops = rct_model_loop_count(solver->plan->surroundings);
    if (sizes->events != events || (events > 0 && sizes->loops != loops)) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is made for %" PRId64 " events and %" PRId64
                      " loops, but the solver has %" PRId32 " and %" PRId32
                      "; give the solver that was made from the model",
                      sizes->events, sizes->loops, events, loops);
    }
    if (sizes->coordinates > 0 &&
        (info.coordinates != sizes->coordinates || info.dof != sizes->rates)) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is made for %" PRId64 " coordinates and %" PRId64
                      " rates of hinges, but the solver has %" PRId64 " and %" PRId64
                      "; give the solver that was made from the model",
                      sizes->coordinates, sizes->rates, info.coordinates, info.dof);
    }
}

rct_recorder *rct_recorder_create_sized(const char *path, const rct_model *model,
                                        const rct_solver *solver, rct_in in, rct_error *error)
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
    if (path[0] == '\0') {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "no path for the recording; give a file name");
    }
    if (options->frames < 1) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "a recording of %" PRId64 " frames: give 1 frame or more", options->frames);
    }
    if (!isfinite(options->dt) || !isfinite(options->t_end)) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "steps of %g s up to %g s: give finite times",
                      options->dt, options->t_end);
    }
    rct_recorder_check_bodies(&call, rct_model_body_count(model), solver);
    if (call.status == RCT_OK) {
        recorder = rct_recorder_allocate(&call, rct_frame_sizes_of(model), options->frames);
    }
    if (recorder != NULL) {
        build(&call, recorder, model, solver, options);
    }
    if (recorder != NULL && call.status != RCT_OK) {
        rct_recorder_dispose(&call, recorder);
        recorder = NULL;
    }
    rct_call_end(&call);
    return recorder;
}

/* Whether the solver has a frame and the file has room for it. */
static int is_due(rct_call *call, const rct_recorder *recorder, const rct_solver *solver)
{
    rct_recorder_check_bodies(call, recorder->sizes.bodies, solver);
    check_coordinates(call, &recorder->sizes, solver);
    if (recorder->written >= recorder->frames) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is full: it was made for %" PRId64 " frames; make it for more frames",
                      recorder->frames);
    }
    call->frame = recorder->written;
    return call->status == RCT_OK;
}

/* Write the counters, those of the seal first. */
static void count(rct_call *call, rct_recorder *recorder, int64_t before, int64_t now)
{
    const rct_counters counters = {.before = before, .now = now};
    rct_seal_count(call, recorder->place.disk.file, &counters);
    rct_write_number(call, recorder, recorder->frames_written_at, &now, sizeof now);
}

/* Write the frame that the solver has read, or fail with the reason why it could not read; then
 * mark it as written. A frame that could not be written may have its mark all the same. */
static void add_frame(rct_call *call, rct_recorder *recorder, const rct_solver *solver,
                      const rct_error *absent, const rct_frame_whole *whole)
{
    const int64_t written = recorder->written;
    if (absent->status != RCT_OK) {
        rct_call_fail(call, absent->status, "frame %" PRId64 " is not recorded: %s", call->frame,
                      absent->text);
    }
    if (recorder->failed) {
        count(call, recorder, written + 1, written);
    }
    rct_write_frame(call, recorder, solver, whole);
    count(call, recorder, written, written + 1);
    recorder->failed = call->status != RCT_OK;
    recorder->written += call->status == RCT_OK;
}

rct_status rct_recorder_write_sized(rct_recorder *recorder, const rct_solver *solver,
                                    rct_in measures, rct_error *error)
{
    rct_frame_whole whole = {.time = 0.0};
    if (!rct_given(recorder, "recorder", error) ||
        (measures.at != NULL && !rct_take(&whole.measures, rct_whole(sizeof whole.measures),
                                          measures, "measures", error)) ||
        rct_solver_enter(solver, error) != RCT_OK) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    rct_error lost = {.status = RCT_OK};
    whole.time = solver->time;
    rct_call_begin(&call, recorder->place.path, &recorder->place.disk, error);
    if (!isfinite(whole.time)) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "the time of the solver is not finite");
    }
    if (is_due(&call, recorder, solver)) {
        if (measures.at == NULL) {
            rct_solver_measure_inside(solver, &whole.measures);
        }
        rct_solver_get_loop_info_inside(solver, &whole.loops);
        rct_solver_read_poses(solver);
        if (recorder->hinges != NULL) {
            rct_solver_get_coordinates_inside(solver, recorder->hinges,
                                              recorder->hinges + recorder->sizes.coordinates);
        }
        rct_recorder_read_switches(recorder, solver);
        rct_solver_check_inside(solver, &lost);
        add_frame(&call, recorder, solver, &lost, &whole);
    }
    return rct_solver_leave(solver, rct_call_end(&call));
}

rct_status rct_recorder_write_kept_sized(rct_recorder *recorder, const rct_solver *solver,
                                         rct_in measures, rct_error *error)
{
    rct_frame_whole whole = {.time = 0.0};
    if (!rct_given(recorder, "recorder", error) ||
        !rct_take(&whole.measures, rct_whole(sizeof whole.measures), measures, "measures", error) ||
        rct_solver_enter(solver, error) != RCT_OK) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    rct_error absent = {.status = RCT_OK};
    double *hinges = recorder->hinges;
    rct_call_begin(&call, recorder->place.path, &recorder->place.disk, error);
    if (is_due(&call, recorder, solver)) {
        rct_solver_read_kept(solver, hinges,
                             hinges != NULL ? hinges + recorder->sizes.coordinates : NULL, &absent);
        whole.time = solver->kept;
        add_frame(&call, recorder, solver, &absent, &whole);
        rct_solver_move_ground(solver, solver->time);
    }
    return rct_solver_leave(solver, rct_call_end(&call));
}

rct_status rct_recorder_sync(rct_recorder *recorder, rct_error *error)
{
    if (!rct_given(recorder, "recorder", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    rct_call_begin(&call, recorder->place.path, &recorder->place.disk, error);
    rct_h5_flush(&call, recorder->file);
    rct_place_sync(&recorder->place, &call);
    return rct_call_end(&call);
}

/* Frames first, then the mark that all are there, as for every frame; here both go to the disk,
 * so that a complete file stays complete after a power failure. */
static void mark_complete(rct_call *call, rct_recorder *recorder)
{
    const int8_t yes = 1;
    const rct_counters counters = {recorder->written, recorder->written, 1};
    if (recorder->failed) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is left incomplete: frame %" PRId64 " could not be recorded",
                      recorder->written);
    }
    rct_h5_flush(call, recorder->file);
    rct_place_sync(&recorder->place, call);
    rct_seal_count(call, recorder->place.disk.file, &counters);
    rct_h5_write(call, recorder->complete, H5T_NATIVE_INT8, &yes);
    rct_h5_flush(call, recorder->file);
    rct_place_sync(&recorder->place, call);
}

rct_status rct_recorder_close(rct_recorder *recorder, int complete, rct_error *error)
{
    if (recorder == NULL) {
        return RCT_OK;
    }
    rct_call call;
    char path[RCT_ERROR_TEXT_SIZE];
    const size_t length = strlen(recorder->place.path);
    const size_t cut = length < sizeof path ? 0 : length - sizeof path + 1;
    snprintf(path, sizeof path, "%s", recorder->place.path + cut);
    rct_call_begin(&call, path, &recorder->place.disk, error);
    if (complete) {
        mark_complete(&call, recorder);
    }
    rct_recorder_dispose(&call, recorder);
    return rct_call_end(&call);
}
