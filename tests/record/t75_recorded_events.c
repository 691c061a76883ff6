/* Recorder: the active loops, and the events that have happened with their times, frame by frame,
 * for models with events and no others; resumed and checked recordings, and models read back from
 * recordings. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include <riccatree/check.h>
#include <riccatree/closure.h>
#include <riccatree/model_h5.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LOOPS = 2, EVENTS = 3, FRAMES = 5 };

static const double DT = 0.125;

/* A slide on a spring that locks when it passes 0 and is released, and a pin that is drawn
 * later. */
static rct_model *slide(int with_events)
{
    rct_model *model = rct_model_create("slide", NULL);
    const double weightless[3] = {0.0, 0.0, 0.0};
    const rct_loop_term term = {0, 0, 1.0};
    rct_body body = rct_body_default();
    rct_loop loop = rct_loop_default();
    rct_model_set_gravity(model, weightless, NULL);
    body.hinge = RCT_HINGE_PRISMATIC;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.stiffness[0] = 40.0;
    body.position[0] = -1.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    body.position[0] = 0.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_RELATION;
    loop.terms = &term;
    loop.term_count = 1;
    loop.active = 0;
    loop.name = "lock";
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    const rct_loop_term other = {1, 0, 1.0};
    loop.terms = &other;
    loop.active = 1;
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    for (int32_t k = 0; k < EVENTS && with_events; k++) {
        rct_event event = rct_event_default();
        event.type = k == 0 ? RCT_EVENT_COORDINATE : RCT_EVENT_TIME;
        event.value = k == 0 ? 0.0 : k == 1 ? 0.4 : 9.0;
        event.state = k == 0 ? RCT_LOOP_ATTACHED : RCT_LOOP_RELEASED;
        event.loop = k == 2;
        event.name = k == 0 ? "locks" : NULL;
        assert_int_equal(rct_model_add_event(model, &event, NULL, NULL), RCT_OK);
    }
    return model;
}

static const char *path_of(void)
{
    return recording_path(0, "events.h5");
}

static rct_recorder_options options_of(int64_t frames)
{
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = frames;
    options.overwrite = 1;
    return options;
}

static rct_recorder *create(const rct_model *model, const rct_solver *solver, int64_t frames)
{
    const rct_recorder_options options = options_of(frames);
    rct_recorder *recorder = rct_recorder_create(path_of(), model, solver, &options, NULL);
    assert_non_null(recorder);
    return recorder;
}

/* The expected frames of the test. */
typedef struct seen {
    double active[FRAMES][LOOPS], count[FRAMES][EVENTS], time[FRAMES][EVENTS];
} seen;

static void see(const rct_solver *solver, seen *s, int k)
{
    int32_t active[LOOPS];
    int64_t happened[EVENTS];
    rct_solver_get_active_loops(solver, active);
    rct_solver_get_events(solver, happened, s->time[k]);
    for (int i = 0; i < LOOPS; i++) {
        s->active[k][i] = active[i];
    }
    for (int i = 0; i < EVENTS; i++) {
        s->count[k][i] = (double)happened[i];
    }
}

static void expect_file(const seen *wanted)
{
    seen found;
    char names[EVENTS][RCT_NAME_SIZE], loops[LOOPS][RCT_NAME_SIZE];
    const hid_t file = recording_open(path_of());
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, RCT_NAME_SIZE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    recording_read(file, "/frames/loop_active", H5T_NATIVE_DOUBLE, found.active);
    recording_read(file, "/frames/event_count", H5T_NATIVE_DOUBLE, found.count);
    recording_read(file, "/frames/event_time", H5T_NATIVE_DOUBLE, found.time);
    recording_read(file, "/frames/event", text, names);
    recording_read(file, "/frames/loop", text, loops);
    H5Tclose(text);
    assert_memory_equal(&found, wanted, sizeof found);
    assert_string_equal(names[0], "locks");
    assert_string_equal(names[2], "event2");
    assert_string_equal(loops[0], "lock");
    assert_string_equal(loops[1], "loop1");
    assert_true(H5Fclose(file) >= 0);
}

/* Another last bit where the number first appears in the file. */
static void damage(double number)
{
    static char bytes[1 << 17];
    char wanted[sizeof number];
    FILE *file = fopen(path_of(), "r+b");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    size_t at = 0;
    memcpy(wanted, &number, sizeof number);
    while (at + sizeof wanted < size && memcmp(bytes + at, wanted, sizeof wanted) != 0) {
        at++;
    }
    assert_true(at + sizeof wanted < size);
    bytes[at] ^= 1;
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes + at, 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void test_what_has_happened_is_in_every_frame(void **state)
{
    (void)state;
    seen s;
    rct_file_info info;
    rct_model *model = slide(1);
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder = create(model, solver, FRAMES);
    for (int k = 0; k < FRAMES; k++) {
        see(solver, &s, k);
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    assert_true(isnan(s.time[0][0]) && s.count[0][0] == 0.0 && s.active[0][0] == 0.0);
    assert_true(s.time[3][0] > 0.24 && s.time[3][0] < 0.26 && s.active[3][0] == 1.0);
    assert_true(s.time[4][1] == 0.4 && s.count[4][1] == 1.0 && s.active[4][0] == 0.0);
    assert_true(isnan(s.time[4][2]) && s.active[4][1] == 1.0);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    expect_file(&s);
    assert_int_equal(rct_file_check(path_of(), &info, NULL), RCT_OK);
    assert_int_equal(info.written, FRAMES);
    assert_true(info.complete && info.checked);

    /* gone on with, after a frame in the midst, to the same file */
    const rct_recorder_options options = options_of(FRAMES);
    rct_solver *again = recording_solver(model);
    assert_int_equal(rct_solver_step(again, DT, 2, NULL), RCT_OK);
    recorder = rct_recorder_reopen(path_of(), model, again, &options, 2, NULL);
    assert_non_null(recorder);
    for (int k = 2; k < FRAMES; k++) {
        assert_int_equal(rct_recorder_write(recorder, again, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(again, DT, 1, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    expect_file(&s);
    rct_solver_free(again);

    /* and one number of it damaged */
    damage(s.time[3][0]);
    rct_error error;
    assert_int_equal(rct_file_check(path_of(), &info, &error), RCT_ERROR_IO);
    assert_non_null(strstr(error.text, "the checksum of frame 2 is"));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_models_without_events_have_none(void **state)
{
    (void)state;
    static const char *const names[] = {"/frames/loop_active", "/frames/event_count",
                                        "/frames/event_time",  "/frames/loop",
                                        "/frames/event",       "/model/events"};
    rct_model *model = slide(0), *other = slide(1);
    rct_solver *solver = recording_solver(model), *eventful = recording_solver(other);
    rct_recorder *recorder = create(model, solver, 1);
    rct_error error;
    assert_int_equal(rct_recorder_write(recorder, eventful, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "is made for 0 events and 2 loops, but the solver has 3 and "
                                       "2; give the solver that was made from the model"));
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    const hid_t file = recording_open(path_of());
    for (int i = 0; i < 6; i++) {
        assert_int_equal(H5Lexists(file, names[i], H5P_DEFAULT), 0);
    }
    assert_true(H5Fclose(file) >= 0);
    rct_solver_free(solver);
    rct_solver_free(eventful);
    rct_model_free(model);
    rct_model_free(other);
}

static void test_the_size_is_known_beforehand(void **state)
{
    (void)state;
    const int64_t frames[3] = {1, 100, 50000};
    for (int i = 0; i < 3; i++) {
        struct stat found;
        rct_model *model = slide(1);
        rct_solver *solver = recording_solver(model);
        rct_recorder *recorder = create(model, solver, frames[i]);
        assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
        assert_int_equal(stat(path_of(), &found), 0);
        const int64_t announced = rct_recorder_file_bytes(model, frames[i]);
        assert_true(announced >= found.st_size);
        assert_true((double)(announced - found.st_size) <= 0.02 * (double)announced + 65536.0);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* The events of a recording are those of the model that is read from it. */
static void test_the_model_comes_back(void **state)
{
    (void)state;
    rct_model *model = slide(1);
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder = create(model, solver, 1);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    rct_model *read = rct_model_read_h5(path_of(), NULL);
    assert_non_null(read);
    assert_int_equal(rct_model_event_count(read), EVENTS);
    for (int32_t k = 0; k < EVENTS; k++) {
        rct_event a, b;
        char name[2][RCT_NAME_SIZE];
        rct_model_event(model, k, &a, NULL);
        rct_model_event(read, k, &b, NULL);
        rct_model_event_name(model, k, name[0]);
        rct_model_event_name(read, k, name[1]);
        assert_string_equal(name[0], name[1]);
        assert_true(a.type == b.type && a.value == b.value && a.loop == b.loop &&
                    a.state == b.state && a.way == b.way);
    }
    rct_model_free(read);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_happened_is_in_every_frame),
        cmocka_unit_test(test_models_without_events_have_none),
        cmocka_unit_test(test_the_size_is_known_beforehand),
        cmocka_unit_test(test_the_model_comes_back),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
