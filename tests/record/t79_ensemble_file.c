/* The file of an ensemble: its contents, that every row with a valid status is complete whenever
 * the process ends, and every way in which the file cannot be made, written or read. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "tests/support/files/collected.h"
#include "tests/support/files/recording.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BODIES = 5, MEMBERS = 90, SERIES = 3 };

static const rct_variation variations[] = {
    {"bodies.body2.hinge.stiffness", RCT_VARY_GRID, 0.0, 4e8, 3},
    {"bodies.body1.mass", RCT_VARY_NORMAL, 1.0, 0.1, 0}};

static rct_ensemble *ensemble_of(int64_t members)
{
    rct_error error;
    rct_family family = rct_family_default();
    family.bodies = BODIES;
    family.hinge = RCT_HINGE_REVOLUTE;
    rct_model *model = rct_model_generate(&family, &error);
    const rct_ensemble_options options = {members, 3, 2, variations, 0.2};
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, &error);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

static rct_status to_file(void *context, const rct_member_result *result, rct_error *error)
{
    return rct_ensemble_file_write(context, result, error);
}

static rct_ensemble_run_options options_of(int64_t first, int64_t count)
{
    static const int32_t track[] = {4, 1};
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    options.first = first;
    options.count = count;
    options.steps = 60;
    options.series = SERIES;
    options.tracked = 2;
    options.track = track;
    options.batch = 16;
    options.threads = 1;
    options.solver.backend = "cpu";
    options.deliver = to_file;
    return options;
}

/* Run members into a file. */
static void write_file(const char *path, const rct_ensemble *ensemble,
                       rct_ensemble_run_options options)
{
    rct_error error = {.text = ""};
    rct_ensemble_file *file =
        rct_ensemble_file_create(path, ensemble, &options, 1, "riccatree ensemble", &error);
    options.context = file;
    if (file == NULL || rct_ensemble_run(ensemble, &options, &error) != RCT_OK ||
        rct_ensemble_file_close(file, 1, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Compares rows [0, members) of a file that holds members from `first` on with results; counts
 * pending ones. */
static int64_t check_rows(const char *path, const collected *c, int64_t first, int64_t members)
{
    int64_t pending = 0;
    rct_error error = {.text = ""};
    rct_ensemble_results *r = rct_ensemble_results_open(path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    int32_t *status = calloc((size_t)members, sizeof *status);
    double *time = calloc((size_t)members, sizeof *time), *energy = calloc((size_t)members, 8);
    double *drift = calloc((size_t)members, 8), *q = calloc((size_t)(members * BODIES), 8);
    double *u = calloc((size_t)(members * BODIES), 8), *e = calloc((size_t)(members * SERIES), 8);
    double *p = calloc((size_t)(members * SERIES * 6), 8);
    assert_int_equal(rct_ensemble_results_read(r, status, time, energy, drift, NULL, &error),
                     RCT_OK);
    const hid_t file = recording_open(path);
    recording_read(file, "/members/coordinates", H5T_NATIVE_DOUBLE, q);
    recording_read(file, "/members/rates", H5T_NATIVE_DOUBLE, u);
    recording_read(file, "/members/series_energy", H5T_NATIVE_DOUBLE, e);
    recording_read(file, "/members/series_position", H5T_NATIVE_DOUBLE, p);
    H5Fclose(file);
    for (int64_t k = 0; k < members; k++) {
        const collected_member *m = &c->member[first + k];
        char text[RCT_MEMBER_TEXT];
        if (status[k] == RCT_MEMBER_PENDING) {
            pending++;
            continue;
        }
        assert_int_equal(status[k], m->status);
        assert_memory_equal(&time[k], &m->time, 8);
        assert_memory_equal(&energy[k], &m->energy, 8);
        assert_memory_equal(&drift[k], &m->drift, 8);
        assert_memory_equal(q + k * BODIES, m->numbers, BODIES * 8);
        assert_memory_equal(u + k * BODIES, m->numbers + BODIES, BODIES * 8);
        assert_memory_equal(e + k * SERIES, m->numbers + 2 * BODIES, SERIES * 8);
        assert_memory_equal(p + k * SERIES * 6, m->numbers + 2 * BODIES + SERIES, SERIES * 48);
        assert_int_equal(rct_ensemble_results_text(r, k, text, &error), RCT_OK);
        assert_true(strncmp(text, m->text, RCT_MEMBER_TEXT - 1) == 0);
    }
    rct_ensemble_results_close(r);
    free(status), free(time), free(energy), free(drift), free(q), free(u), free(e), free(p);
    return pending;
}

static void test_what_is_in_it(void **state)
{
    (void)state;
    const char *path = recording_path(0, "all.h5");
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    collected *c = collect(ensemble, options_of(0, 0), RCT_OK, NULL);
    for (int part = 0; part < 2; part++) {
        const int64_t first = part == 0 ? 0 : 37, count = part == 0 ? MEMBERS : 20;
        write_file(path, ensemble, options_of(first, count));
        assert_int_equal(check_rows(path, c, first, count), 0);
        rct_ensemble_results *r = rct_ensemble_results_open(path, NULL);
        rct_ensemble_results_info info;
        rct_variation v;
        double *values = calloc(2 * (size_t)count, sizeof *values), own[2];
        rct_ensemble_results_get_info(r, &info);
        assert_true(info.first == first && info.members == count && info.variations == 2);
        assert_true(info.coordinates == BODIES && info.rates == BODIES && info.steps == 60);
        assert_true(info.dt == 1e-3 && info.complete);
        assert_string_equal(info.model_name, "chain");
        assert_string_equal(info.command_line, "riccatree ensemble");
        for (int32_t i = 0; i < 2; i++) {
            assert_int_equal(rct_ensemble_results_variation(r, i, &v, NULL), RCT_OK);
            assert_string_equal(v.path, variations[i].path);
            assert_true(v.type == variations[i].type && v.a == variations[i].a &&
                        v.b == variations[i].b && v.count == variations[i].count);
        }
        assert_int_equal(rct_ensemble_results_variation(r, 2, &v, NULL), RCT_ERROR_ARGUMENT);
        assert_int_equal(rct_ensemble_results_read(r, NULL, NULL, NULL, NULL, values, NULL),
                         RCT_OK);
        for (int64_t k = 0; k < count; k++) {
            rct_ensemble_parameters(ensemble, first + k, own, NULL);
            assert_memory_equal(own, values + 2 * k, sizeof own);
        }
        char text[RCT_MEMBER_TEXT];
        assert_int_equal(rct_ensemble_results_text(r, count, text, NULL), RCT_ERROR_ARGUMENT);
        rct_ensemble_results_close(r);
        free(values);
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* The model in it can be read back: it makes the same members. */
static void test_the_model_is_in_it(void **state)
{
    (void)state;
    const char *path = recording_path(0, "model.h5");
    rct_ensemble *ensemble = ensemble_of(3);
    write_file(path, ensemble, options_of(0, 0));
    const hid_t file = recording_open(path), dataset = H5Dopen2(file, "/model", H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    const size_t size = H5Tget_size(type);
    char *text = calloc(size + 1, 1);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    H5Tclose(type), H5Dclose(dataset), H5Fclose(file);
    rct_error error = {.text = ""};
    rct_model *model = rct_model_parse(text, (int64_t)size, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    const rct_ensemble_options options = {3, 3, 2, variations, 0.2};
    rct_ensemble *again = rct_ensemble_create(model, &options, &error);
    collected *a = collect(ensemble, options_of(0, 0), RCT_OK, NULL);
    collected *b = collect(again, options_of(0, 0), RCT_OK, NULL);
    for (int64_t k = 0; k < 3; k++) {
        assert_true(collected_equal(a, b, k));
    }
    collected_free(a), collected_free(b);
    rct_ensemble_free(again), rct_ensemble_free(ensemble);
    rct_model_free(model);
    free(text);
}

/* ---- what cannot be made ------------------------------------------------------------------ */

static void fail_nothing(void)
{
    rct_call_fail_after(-1);
    rct_allocate_fail_after(-1);
    rct_disk_fail_after(-1);
}

/* Every step of making the file fails once, by each of three causes: nothing is left behind. */
static void test_steps_of_making_it_fail(void **state)
{
    (void)state;
    void (*const causes[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after,
                                       rct_disk_fail_after};
    const char *path = recording_path(0, "none.h5");
    rct_ensemble *ensemble = ensemble_of(6);
    const rct_ensemble_run_options options = options_of(0, 0);
    for (int cause = 0; cause < 3; cause++) {
        rct_ensemble_file *file = NULL;
        int64_t k = 0;
        for (; file == NULL; k++) {
            rct_error error = {.text = ""};
            causes[cause](k);
            file = rct_ensemble_file_create(path, ensemble, &options, 0, NULL, &error);
            fail_nothing();
            assert_true(file != NULL ||
                        (error.text[0] != '\0' && strchr(error.text, '\n') == NULL));
            assert_int_equal(recording_count_files(NULL), file != NULL);
        }
        assert_true(k > (cause == 0 ? 100 : 5));
        assert_int_equal(rct_ensemble_file_close(file, 0, NULL), RCT_OK);
        recording_remove_files();
    }
    rct_ensemble_free(ensemble);
}

static void test_wrong_files(void **state)
{
    (void)state;
    const char *path = recording_path(0, "there.h5");
    rct_error error;
    rct_ensemble *ensemble = ensemble_of(6);
    rct_ensemble_run_options options = options_of(0, 0);
    recording_write_text(path, "not mine");
    assert_null(rct_ensemble_file_create(path, ensemble, &options, 0, NULL, &error));
    assert_true(error.status == RCT_ERROR_IO && strstr(error.text, path) != NULL);
    recording_expect_text(path, "not mine");
    assert_null(rct_ensemble_results_open(path, &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    assert_null(rct_ensemble_results_open(recording_path(1, "absent.h5"), &error));
    assert_non_null(strstr(error.text, "absent.h5"));
    assert_null(rct_ensemble_results_open(recording_directory(), &error));
    assert_non_null(strstr(error.text, ": is not a regular file"));
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    const char *other = recording_path(2, "trajectory.h5");
    assert_int_equal(
        rct_recorder_close(rct_recorder_create(other, model, solver, NULL, &error), 0, &error),
        RCT_OK);
    assert_null(rct_ensemble_results_open(other, &error));
    assert_non_null(strstr(
        error.text, "is the recording of a run, not a file of an ensemble; a run continues"));
    rct_solver_free(solver);
    rct_model_free(model);
    options.series = 1;
    assert_null(rct_ensemble_file_create(path, ensemble, &options, 1, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_true(rct_ensemble_file_bytes(ensemble, &options) > 6 * 8 * (2 * BODIES + 7 + 24));
    options.count = INT64_MAX / 4;
    assert_true(rct_ensemble_file_bytes(ensemble, &options) == INT64_MAX);
    assert_int_equal(rct_ensemble_file_close(NULL, 1, &error), RCT_OK);
    rct_ensemble_free(ensemble);
}

/* Every step of writing fails once: the run reports it, the file is incomplete, and its contents
 * are right. */
static void test_steps_of_writing_it_fail(void **state)
{
    (void)state;
    const char *path = recording_path(0, "part.h5");
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(0, 0);
    collected *c = collect(ensemble, options, RCT_OK, NULL);
    for (int64_t k = 0;; k += 37) {
        rct_error error = {.text = ""};
        rct_ensemble_file *file =
            rct_ensemble_file_create(path, ensemble, &options, 1, NULL, &error);
        options.context = file;
        rct_call_fail_after(k);
        const rct_status ran = rct_ensemble_run(ensemble, &options, &error);
        const rct_status closed = rct_ensemble_file_close(file, 1, ran == RCT_OK ? &error : NULL);
        fail_nothing();
        const int64_t pending = check_rows(path, c, 0, MEMBERS);
        if (ran == RCT_OK && closed == RCT_OK) {
            assert_true(k > 100 && pending == 0);
            break;
        }
        assert_true(error.status == RCT_ERROR_IO && strstr(error.text, path) != NULL);
        assert_true(pending > 0 || ran == RCT_OK);
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

static void test_rows_it_has_not(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    rct_ensemble *ensemble = ensemble_of(6);
    rct_ensemble_run_options options = options_of(2, 2);
    const char *path = recording_path(0, "few.h5");
    rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &options, 0, NULL, &error);
    assert_non_null(file);
    options.context = file;
    options.first = 0;
    assert_int_equal(rct_ensemble_run(ensemble, &options, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "has no row for member 0"));
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_ERROR_IO);
    options.first = 2;
    file = rct_ensemble_file_create(path, ensemble, &options, 1, NULL, &error);
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "0 of 2 members"));
    rct_ensemble_free(ensemble);
}

/* ---- killed ------------------------------------------------------------------------------- */

static int flush_often(void *context, int64_t members, int64_t steps)
{
    (void)members;
    (void)steps;
    return rct_ensemble_file_flush(context, NULL) != RCT_OK;
}

/* Sooner after a run that had ended, later after one that had not begun: runs are cut on any
 * machine. */
static void test_killed_at_any_time(void **state)
{
    (void)state;
    const char *path = recording_path(0, "killed.h5");
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(0, 0);
    options.batch = 8;
    collected *c = collect(ensemble, options, RCT_OK, NULL);
    int cut = 0;
    int64_t wait = 10000; /* us */
    for (int k = 0; k < 20 || (cut < 3 && k < 400); k++) {
        rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &options, 1, NULL, NULL);
        assert_non_null(file);
        const pid_t child = fork();
        if (child == 0) {
            options.context = file;
            options.progress = flush_often;
            rct_ensemble_run(ensemble, &options, NULL);
            for (;;) {
                pause();
            }
        }
        usleep((useconds_t)wait);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        rct_ensemble_file_close(file, 0, NULL);
        const int64_t pending = check_rows(path, c, 0, MEMBERS);
        cut += pending > 0 && pending < MEMBERS;
        wait = pending == MEMBERS ? wait * 3 / 2 + 1
               : pending == 0     ? wait * 3 / 4
                                  : wait * (4 + k % 5) / 6 + 1;
        wait = wait < 900000 ? wait : 10000;
    }
    assert_true(cut >= 3);
    collected_free(c);
    rct_ensemble_free(ensemble);
}

static int tidy(void **state)
{
    (void)state;
    fail_nothing();
    recording_remove_files();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_what_is_in_it, tidy),
        cmocka_unit_test_teardown(test_the_model_is_in_it, tidy),
        cmocka_unit_test_teardown(test_steps_of_making_it_fail, tidy),
        cmocka_unit_test_teardown(test_wrong_files, tidy),
        cmocka_unit_test_teardown(test_steps_of_writing_it_fail, tidy),
        cmocka_unit_test_teardown(test_rows_it_has_not, tidy),
        cmocka_unit_test_teardown(test_killed_at_any_time, tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
