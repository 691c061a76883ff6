/* Several processes write the file of an ensemble at once: the bytes are those of one process that
 * writes all of it, and a process that opens the file writes only rows. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "record/ensemble/file.h"
#include "tests/support/faults/damage.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES = 3, MEMBERS = 1500, SERIES = 3, PROCESSES = 5 };

static const rct_variation variations[] = {{"gravity[2]", RCT_VARY_NORMAL, -9.0, 1.0, 0}};

static rct_ensemble *make_ensemble(void)
{
    const rct_ensemble_options options = {MEMBERS, 7, 1, variations, 0.0};
    rct_model *model = recording_chain(BODIES, 0);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, NULL);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

static rct_status take_result(void *context, const rct_member_result *result, rct_error *error)
{
    (void)context, (void)result, (void)error;
    return RCT_OK;
}

static rct_ensemble_run_options make_run(void)
{
    static const int32_t track[] = {2};
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = 4;
    run.series = SERIES;
    run.tracked = 1;
    run.track = track;
    run.solver.backend = "cpu";
    run.deliver = take_result;
    return run;
}

/* Invented: numbers that identify the row and the place. */
static rct_status write_row(rct_ensemble_file *file, int64_t k, rct_error *error)
{
    double numbers[4 * BODIES + 3 * BODIES + 4 * SERIES];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        numbers[i] = (double)k + (double)i / 64.0;
    }
    const rct_member_result result = {.member = k,
                                      .status = k % 7 == 3 ? RCT_ERROR_SINGULAR : RCT_OK,
                                      .text = k % 7 == 3 ? "a pivot vanished" : "",
                                      .body = k % 7 == 3 ? 1 : -1,
                                      .time = (double)k,
                                      .parameters = numbers + 1,
                                      .coordinates = numbers + 2,
                                      .rates = numbers + 3,
                                      .energy = 2.0 * (double)k,
                                      .energy_drift = 1.0 / (double)(k + 1),
                                      .frames = SERIES,
                                      .series_energy = numbers + 4,
                                      .series_position = numbers + 5};
    return rct_ensemble_file_write(file, &result, error);
}

static rct_ensemble_file *create(const char *path, const rct_ensemble *ensemble)
{
    rct_error error;
    const rct_ensemble_run_options run = make_run();
    rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &run, 1, "", &error);
    if (file == NULL) {
        fail_msg("%s", error.text);
    }
    return file;
}

static rct_ensemble_file *reopen(const char *path, const rct_ensemble *ensemble)
{
    rct_error error;
    const rct_ensemble_run_options run = make_run();
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, &error);
    if (file == NULL) {
        fail_msg("%s", error.text);
    }
    return file;
}

static void write_alone(const char *path, const rct_ensemble *ensemble)
{
    rct_ensemble_file *file = create(path, ensemble);
    for (int64_t k = 0; k < MEMBERS; k++) {
        assert_int_equal(write_row(file, k, NULL), RCT_OK);
    }
    assert_int_equal(rct_ensemble_file_close(file, 1, NULL), RCT_OK);
}

/* The rows of one process: runs of 1 to 9 rows, dealt out in turn, its own from the last to the
 * first. */
static int write_share(const char *path, const rct_ensemble *ensemble, int process)
{
    int64_t starts[MEMBERS], runs = 0;
    const rct_ensemble_run_options run = make_run();
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, NULL);
    rct_status status = file != NULL ? RCT_OK : RCT_ERROR_IO;
    for (int64_t k = 0; k < MEMBERS; k += 1 + k % 9) {
        starts[runs++] = k;
    }
    while (runs-- > 0) {
        for (int64_t k = starts[runs]; status == RCT_OK && runs % PROCESSES == process &&
                                       k < MEMBERS && k < starts[runs] + 1 + starts[runs] % 9;
             k++) {
            status = write_row(file, k, NULL);
        }
        if (status == RCT_OK && runs % 11 == 0) {
            status = rct_ensemble_file_flush(file, NULL);
        }
    }
    return rct_ensemble_file_close(file, 0, NULL) == RCT_OK && status == RCT_OK ? 0 : 1;
}

static void test_written_by_several_at_once(void **state)
{
    (void)state;
    const char *alone = recording_path(0, "alone.h5"), *shared = recording_path(1, "shared.h5");
    pid_t children[PROCESSES];
    int8_t done[MEMBERS];
    rct_error error;
    rct_ensemble *ensemble = make_ensemble();
    write_alone(alone, ensemble);
    rct_ensemble_file *file = create(shared, ensemble); /* stays open all the while */
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        assert_true(children[p] >= 0);
        if (children[p] == 0) {
            _exit(write_share(shared, ensemble, p));
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        assert_int_equal(waitpid(children[p], &status, 0), children[p]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(rct_ensemble_file_done(file, done, &error), RCT_OK);
    for (int k = 0; k < MEMBERS; k++) {
        assert_int_equal(done[k], 1);
    }
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_OK);
    damage_same_bytes(alone, shared);
    rct_ensemble_free(ensemble);
}

/* Opening and closing changes no byte, and a row only its own bytes; missing rows are counted. */
static void test_nothing_but_rows_is_written(void **state)
{
    (void)state;
    const char *alone = recording_path(0, "alone.h5"), *path = recording_path(1, "rows.h5");
    size_t size = 0, other = 0;
    rct_error error;
    int8_t done[MEMBERS];
    rct_ensemble *ensemble = make_ensemble();
    write_alone(alone, ensemble);
    assert_int_equal(rct_ensemble_file_close(create(path, ensemble), 0, &error), RCT_OK);
    char *before = damage_read(path, &size);
    assert_int_equal(rct_ensemble_file_close(reopen(path, ensemble), 0, &error), RCT_OK);
    char *after = damage_read(path, &other);
    assert_int_equal(size, other);
    assert_memory_equal(before, after, size);
    free(after);

    rct_ensemble_file *file = reopen(path, ensemble);
    assert_int_equal(write_row(file, 700, &error), RCT_OK);
    assert_int_equal(write_row(file, 3, &error),
                     RCT_OK); /* not the next: the one before is written */
    assert_int_equal(write_row(file, 4, &error), RCT_OK);
    assert_int_equal(rct_ensemble_file_sync(file, &error), RCT_OK);
    assert_int_equal(rct_ensemble_file_done(file, done, &error), RCT_OK);
    for (int k = 0; k < MEMBERS; k++) {
        assert_int_equal(done[k], k == 3 || k == 4 || k == 700);
    }
    assert_int_equal(write_row(file, MEMBERS, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, "has no row for member 1500");
    assert_int_equal(rct_ensemble_file_close(file, 0, &error), RCT_OK);
    after = damage_read(path, &other);
    char *whole = damage_read(alone, &other);
    int64_t changed = 0;
    for (size_t k = 0; k < size; k++) { /* each byte is as before, or as in the whole file */
        assert_true(after[k] == before[k] || after[k] == whole[k]);
        changed += after[k] != before[k];
    }
    assert_true(changed > 3 && changed < 3 * 8 * 60);
    free(before), free(after), free(whole);

    file = reopen(path, ensemble);
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, "is left incomplete: it has 3 of 1500 members");
    file = reopen(path, ensemble);
    for (int64_t k = MEMBERS; k-- > 0;) {
        if (!done[k]) {
            assert_int_equal(write_row(file, k, &error), RCT_OK);
        }
    }
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_OK);
    damage_same_bytes(alone, path);
    rct_ensemble_free(ensemble);
}

/* Any operation that would change the structure of an opened file fails, and changes nothing. */
static void test_the_structure_cannot_be_changed(void **state)
{
    (void)state;
    const char *path = recording_path(1, "fixed.h5");
    size_t size = 0, other = 0;
    rct_call call;
    rct_error error = {.text = ""};
    rct_ensemble *ensemble = make_ensemble();
    rct_ensemble_file *file = create(path, ensemble);
    char *before = damage_read(path, &size);
    rct_call_begin(&call, path, &file->place.disk, &error);
    rct_h5_put_text(&call, file->file, "another", "attribute");
    rct_h5_flush(&call, file->file);
    assert_int_equal(rct_call_end(&call), RCT_ERROR_IO);
    damage_expect_line(&error, "Operation not permitted");
    rct_ensemble_file_close(file, 0, NULL);
    char *after = damage_read(path, &other);
    assert_int_equal(size, other);
    assert_memory_equal(before, after, size);
    free(before), free(after);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_written_by_several_at_once, recording_tidy),
        cmocka_unit_test_teardown(test_nothing_but_rows_is_written, recording_tidy),
        cmocka_unit_test_teardown(test_the_structure_cannot_be_changed, recording_tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
