/* Runs in the library: their states are those of plain steps, and a stopped run continues from its
 * checkpoint to the same bits. */
#include "tests/support/cmocka_all.h"

#include "tests/run/run_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rct_error error;

/* Orientations of frames [first, first + count). */
static rct_status read_turns(rct_recording *recording, int64_t first, int64_t count, double *turns)
{
    const int32_t quantity = rct_recording_find(recording, "orientation");
    rct_status status = RCT_OK;
    for (int64_t k = 0; k < count && status == RCT_OK; k++) {
        status = rct_recording_read(recording, quantity, first + k, 0, BODIES,
                                    turns + 4 * BODIES * k, &error);
    }
    return status;
}

/* ---- the run ------------------------------------------------------------------------------ */

typedef struct watcher {
    const rct_solver *solver;
    int64_t measured, calls;
    int64_t stop_after; /* steps; 0: never */
    double states[FRAMES][NUMBERS];
} watcher;

static int look(void *context, const rct_run_report *so_far)
{
    watcher *w = context;
    assert_true(so_far->time == rct_solver_time(w->solver));
    assert_true(so_far->measured <= FRAMES && so_far->begun);
    if (so_far->measured > w->measured) {
        assert_int_equal(so_far->done, rct_run_frame_step(STEPS, FRAMES, w->measured));
        read_state(w->solver, w->states[w->measured]);
        w->measured = so_far->measured;
    }
    w->calls++;
    return w->stop_after > 0 && so_far->done >= w->stop_after;
}

static void test_states_are_those_of_steps(void **state)
{
    (void)state;
    rct_model *model = chain(0.0);
    rct_solver *solver = solver_of(model), *plain = solver_of(model);
    watcher *w = calloc(1, sizeof *w);
    rct_run_options options = options_of();
    rct_run_report report;
    double x[NUMBERS], frame[7 * BODIES];
    w->solver = solver;
    options.watch = look;
    options.context = w;
    options.recording = record;
    options.command_line = "as it was called";
    remove_files();
    assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_OK);
    assert_int_equal(report.done, STEPS);
    assert_int_equal(report.steps, STEPS);
    assert_int_equal(report.measured, FRAMES);
    assert_int_equal(report.saved, -1);
    assert_int_equal(report.recorded, 1);
    assert_int_equal(w->measured, FRAMES);
    for (int64_t k = 0, done = 0; k < FRAMES; k++) {
        const int64_t to = rct_run_frame_step(STEPS, FRAMES, k);
        if (to > done) {
            assert_int_equal(rct_solver_step(plain, dt, to - done, &error), RCT_OK);
        }
        done = to;
        read_state(plain, x);
        assert_memory_equal(x, w->states[k], sizeof x);
    }
    rct_measures last;
    rct_solver_measure(plain, &last);
    assert_true(last.kinetic == report.kinetic[1] && last.potential == report.potential[1]);
    assert_true(report.kinetic[0] == 0.0 && report.drift <= 1e-3 * report.exchange);
    assert_true(report.drift_share <= RCT_RUN_SHARE && isnan(report.step_error) &&
                isnan(report.step_advised));
    rct_recording *reader = rct_recording_open(record, &error);
    assert_non_null(reader);
    rct_recording_info info;
    rct_recording_get_info(reader, &info);
    assert_int_equal(info.frames, FRAMES);
    assert_true(info.complete && strcmp(info.command_line, "as it was called") == 0);
    assert_int_equal(read_turns(reader, FRAMES - 1, 1, frame), RCT_OK);
    assert_memory_equal(frame, x, 4 * BODIES * sizeof *x);
    rct_recording_close(reader);
    rct_solver_free(plain);
    rct_solver_free(solver);
    rct_model_free(model);
    free(w);
    remove_files();
}

static void check_same_frames(void)
{
    static double a[4 * BODIES * FRAMES], b[4 * BODIES * FRAMES];
    rct_recording *one = rct_recording_open(record, &error),
                  *two = rct_recording_open(whole_record, &error);
    rct_recording_info info;
    assert_true(one != NULL && two != NULL);
    rct_recording_get_info(one, &info);
    assert_true(info.complete && info.frames == FRAMES);
    assert_int_equal(read_turns(one, 0, FRAMES, a), RCT_OK);
    assert_int_equal(read_turns(two, 0, FRAMES, b), RCT_OK);
    assert_memory_equal(a, b, sizeof a);
    rct_recording_close(one);
    rct_recording_close(two);
}

/* Continues, twice, a run that `watch` has stopped. */
static void test_stopped_and_gone_on_with(void **state)
{
    (void)state;
    const int64_t stops[] = {1, 50, 99, 0};
    rct_model *model = chain(0.1);
    rct_solver *solver = solver_of(model), *whole = solver_of(model);
    watcher *w = calloc(1, sizeof *w);
    rct_run_options options = options_of();
    rct_run_report report, straight;
    double x[NUMBERS], y[NUMBERS];
    remove_files();
    options.recording = whole_record;
    assert_int_equal(rct_solver_run(whole, model, &options, &straight, &error), RCT_OK);
    assert_true(straight.step_error < RCT_RUN_SHARE && isnan(straight.drift_share));
    w->solver = solver;
    w->stop_after = stops[0];
    options.recording = record;
    options.checkpoint = kept;
    options.checkpoint_steps = 1;
    options.watch = look;
    options.context = w;
    options.note = "mine";
    options.note_bytes = 5;
    assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_OK);
    for (int k = 1; k < 4; k++) {
        assert_int_equal(report.done, stops[k - 1]);
        assert_int_equal(report.saved, report.done);
        rct_checkpoint *checkpoint = rct_checkpoint_open(kept, &error);
        rct_checkpoint_info info;
        rct_checkpoint_get_info(checkpoint, &info);
        rct_solver_free(solver);
        solver = rct_solver_create(model, &info.options, &error);
        assert_int_equal(rct_run_options_of(checkpoint, &options, &error), RCT_OK);
        assert_true(options.dt == dt && options.t_end == t_end && options.frames == FRAMES);
        assert_string_equal(options.note, "mine");
        w->solver = solver;
        w->stop_after = stops[k];
        options.watch = look;
        options.context = w;
        assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_OK);
        rct_checkpoint_close(checkpoint);
    }
    assert_int_equal(report.measured, FRAMES);
    read_state(solver, x);
    read_state(whole, y);
    assert_memory_equal(x, y, sizeof x);
    assert_true(report.exchange == straight.exchange && report.drift == straight.drift);
    assert_true(report.kinetic[0] == straight.kinetic[0] &&
                report.step_error == straight.step_error);
    check_same_frames();
    rct_solver_free(whole);
    rct_solver_free(solver);
    rct_model_free(model);
    free(w);
    remove_files();
}

/* Checkpoints that would replace the recording, by any name of it. */
static void test_a_recording_in_the_place_of_checkpoints(void **state)
{
    (void)state;
    const char *const recordings[] = {"run.rct", "./run.rct", "run.rct.previous", "leads.h5"};
    rct_model *model = chain(0.0);
    rct_solver *solver = solver_of(model);
    rct_run_options options = options_of();
    assert_int_equal(symlink("run.rct.lock", "leads.h5"), 0);
    options.checkpoint = kept;
    for (int i = 0; i < 4; i++) {
        options.recording = recordings[i];
        assert_int_equal(rct_solver_run(solver, model, &options, NULL, &error), RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "is also the recording; name another file"));
        assert_int_equal(access(kept, F_OK), -1);
    }
    unlink("leads.h5");
    options.recording = "../rct-none/run.rct"; /* a folder that is not there */
    assert_int_equal(rct_solver_run(solver, model, &options, NULL, &error), RCT_ERROR_IO);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_those_of_steps),
        cmocka_unit_test(test_stopped_and_gone_on_with),
        cmocka_unit_test(test_a_recording_in_the_place_of_checkpoints),
    };
    return cmocka_run_group_tests(tests, run_case_enter, run_case_leave);
}
