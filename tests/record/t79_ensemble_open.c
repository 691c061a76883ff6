/* Only the ensemble and the run of a file of an ensemble can reopen it; each difference is named.
 * Ensemble and run made again from the file alone give the same bits. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/small_ensemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- made again --------------------------------------------------------------------------- */

/* The ensemble of file a.h5, run into another file: the same bytes. */
static void expect_again(const char *what)
{
    rct_error error = {.text = ""};
    rct_ensemble_run_options run;
    rct_ensemble_results *r = rct_ensemble_results_open(recording_path(0, "a.h5"), &error);
    rct_ensemble *ensemble = r != NULL ? rct_ensemble_results_ensemble(r, &run, &error) : NULL;
    if (ensemble == NULL) {
        fail_msg("%s: %s", what, error.text);
    }
    run.threads = 2;
    small_run_into(recording_path(1, "b.h5"), ensemble, run);
    rct_ensemble_free(ensemble);
    rct_ensemble_results_close(r);
    damage_same_bytes(recording_path(0, "a.h5"), recording_path(1, "b.h5"));
}

static void test_made_again_from_the_file(void **state)
{
    (void)state;
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    small_file(recording_path(0, "a.h5"));
    expect_again("chain");
    run.first = 2;
    run.count = 3;
    run.dt = 1.0 / 3.0 * 1e-3;
    run.series = 0;
    run.tracked = 0;
    run.solver.method = RCT_METHOD_RICCATI;
    run.solver.lanes = 2;
    run.solver.user_forces = 1;
    run.solver.backend = NULL;
    small_run_into(recording_path(0, "a.h5"), ensemble, run);
    expect_again("other options");
    rct_ensemble_free(ensemble);
}

/* Loops, forces, moving grounds, every hinge. */
static void test_examples_made_again(void **state)
{
    (void)state;
    static const char *const names[] = {
        "pucks",       "drill", "shaking-table", "screw-jack", "quick-return-1", "bricard",
        "geared-link", "crane", "satellite",     "door",       "two-rods",       "cardan-shaft"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[512];
        rct_error error = {.text = ""};
        rct_ensemble_options options = small_options();
        snprintf(path, sizeof path, "%s/%s.json", RCT_EXAMPLES, names[k]);
        rct_model *model = rct_model_read(path, &error);
        options.perturb = 0.0;
        options.members = 3;
        rct_ensemble *ensemble =
            model != NULL ? rct_ensemble_create(model, &options, &error) : NULL;
        if (ensemble == NULL) {
            fail_msg("%s", error.text);
        }
        rct_ensemble_run_options run = small_run();
        run.tracked = 1;
        run.track = small_track + 1;
        run.solver.drift = RCT_DRIFT_BAUMGARTE;
        run.solver.baumgarte[0] = run.solver.baumgarte[1] = 0.1;
        small_run_into(recording_path(0, "a.h5"), ensemble, run);
        expect_again(names[k]);
        rct_ensemble_free(ensemble);
        rct_model_free(model);
    }
}

/* ---- differences -------------------------------------------------------------------------- */

static void test_other_runs(void **state)
{
    (void)state;
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    small_file(recording_path(0, "a.h5"));
    static const int32_t swapped[] = {0, 2};
    rct_ensemble_run_options r = small_run();
#define DIFFERS(field, value, says)                                                                \
    r = small_run();                                                                               \
    r.field = value;                                                                               \
    small_refused(recording_path(0, "a.h5"), ensemble, r, RCT_ERROR_ARGUMENT,                      \
                  "a.h5: was made with " says)
    DIFFERS(dt, 0.002, "dt 0.001, not 0.002; give what it was made with, or start another file");
    DIFFERS(steps, 5, "steps 4, not 5");
    DIFFERS(series, 2, "series 3, not 2");
    DIFFERS(tracked, 1, "tracked 2, not 1");
    DIFFERS(track, swapped, "track[0] \"body2\", not \"body0\"; track[1] \"body0\", not \"body2\"");
    DIFFERS(first, 1, "first_member 0, not 1; rows 6, not 5");
    DIFFERS(count, 2, "rows 6, not 2");
    DIFFERS(solver.method, RCT_METHOD_RICCATI, "method abi, not riccati");
    DIFFERS(solver.lanes, 1, "lanes ");
    DIFFERS(solver.junction, RCT_JUNCTION_HOST, "junction auto, not host");
    DIFFERS(solver.user_forces, 1, "user_forces 0, not 1");
    DIFFERS(solver.closing, RCT_CLOSING_QR, "closing admittance, not qr");
    DIFFERS(solver.drift, RCT_DRIFT_NONE, "drift project, not none");
    DIFFERS(solver.baumgarte[0], 7.5, "baumgarte_alpha ");
    DIFFERS(solver.baumgarte[1], 7.5, "baumgarte_beta ");
    DIFFERS(solver.as_given, 1, "as_given 0, not 1");
#undef DIFFERS
    r = small_run();
    r.solver.closing = (rct_closing)77;
    small_refused(recording_path(0, "a.h5"), ensemble, r, RCT_ERROR_ARGUMENT,
                  "the solver's closing is 77, which is unknown");
    r = small_run();
    r.solver.lanes = 3;
    small_refused(recording_path(0, "a.h5"), ensemble, r, RCT_ERROR_UNSUPPORTED,
                  "3 lanes are not available on this machine");
    r = small_run();
    r.solver.backend = "none";
    small_refused(recording_path(0, "a.h5"), ensemble, r, RCT_ERROR_UNSUPPORTED,
                  "no backend \"none\"");
    /* what changes no bit may be another */
    r = small_run();
    r.threads = 2;
    r.batch = 1;
    r.count = 6;
    r.solver.segment = 100;
    r.solver.threads = 2;
    rct_ensemble_file *file = rct_ensemble_file_open(recording_path(0, "a.h5"), ensemble, &r, NULL);
    assert_non_null(file);
    assert_int_equal(rct_ensemble_file_close(file, 0, NULL), RCT_OK);
    rct_ensemble_free(ensemble);
}

static void test_other_ensembles(void **state)
{
    (void)state;
    small_file(recording_path(0, "a.h5"));
    for (int k = 0; k < 9; k++) {
        static const char *const says[] = {
            "members 6, not 12",
            "seed 7, not 8",
            "perturb 0.125, not 0.0",
            "variation[0] gravity[2] grid -9.0 -1.0 3, not gravity[2] grid -9.0 -1.5 3",
            "variation[0] gravity[2] grid -9.0 -1.0 3, not gravity[2] grid -9.0 -1.0 2",
            "variation[1] gravity[0] normal 0.0 0.1, not gravity[0] uniform 0.0 0.1",
            "variation[1] gravity[0] normal 0.0 0.1, not gravity[1] normal 0.0 0.1",
            "variations 2, not 1",
            "belongs to another model: the number of bodies is 3 in the file, but 4 now"};
        rct_variation own[2];
        memcpy(own, small_variations, sizeof own);
        rct_ensemble_options o = small_options();
        o.variations = own;
        o.members = k == 0 ? 12 : 6;
        o.seed = k == 1 ? 8 : 7;
        o.perturb = k == 2 ? 0.0 : 0.125;
        own[0].b = k == 3 ? -1.5 : -1.0;
        own[0].count = k == 4 ? 2 : 3;
        own[1].type = k == 5 ? RCT_VARY_UNIFORM : RCT_VARY_NORMAL;
        own[1].path = k == 6 ? "gravity[1]" : "gravity[0]";
        o.variation_count = k == 7 ? 1 : 2;
        rct_ensemble *ensemble = small_ensemble(o, k == 8 ? 4 : 3);
        small_refused(recording_path(0, "a.h5"), ensemble, small_run(), RCT_ERROR_ARGUMENT,
                      says[k]);
        rct_ensemble_free(ensemble);
    }
}

/* ---- what fails --------------------------------------------------------------------------- */

static void test_everything_can_fail(void **state)
{
    (void)state;
    void (*const causes[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after};
    size_t size = 0;
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    const rct_ensemble_run_options run = small_run();
    const char *path = recording_path(0, "a.h5");
    small_file(recording_path(0, "a.h5"));
    char *bytes = damage_read(path, &size);
    damage_write(recording_path(1, "was.h5"), bytes, size);
    for (int cause = 0; cause < 2; cause++) {
        rct_ensemble_file *file = NULL;
        int64_t k = 0;
        for (; file == NULL; k++) {
            rct_error error = {.text = ""};
            causes[cause](k);
            file = rct_ensemble_file_open(path, ensemble, &run, &error);
            rct_call_fail_after(-1);
            rct_allocate_fail_after(-1);
            assert_true(file != NULL || error.text[0] != '\0');
        }
        assert_true(k > 10);
        rct_call_fail_after(0);
        rct_error error;
        assert_int_equal(rct_ensemble_file_sync(file, &error), RCT_ERROR_IO);
        rct_call_fail_after(-1);
        damage_expect_line(&error, "cannot bring it to the disk: told to by a test");
        assert_int_equal(rct_ensemble_file_close(file, 0, NULL), RCT_OK);
        damage_same_bytes(path, recording_path(1, "was.h5"));
    }
    assert_null(rct_ensemble_file_open(recording_path(2, "absent.h5"), ensemble, &run, NULL));
    free(bytes);
    rct_ensemble_free(ensemble);
}

/* Rows of more than 2^24 numbers: a present row is read, and the other can be added. */
static void test_wide_rows(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    const char *path = recording_path(0, "wide.h5");
    rct_ensemble *ensemble = small_ensemble(small_options(), 1);
    rct_ensemble_run_options run = small_run();
    run.count = 2;
    run.tracked = 0;
    run.series = (1 << 24) + 2;
    run.steps = run.series - 1;
    double *series = calloc((size_t)run.series, sizeof *series), numbers[8] = {0.0};
    const rct_member_result row = {.member = run.first,
                                   .text = "",
                                   .parameters = numbers,
                                   .coordinates = numbers,
                                   .rates = numbers,
                                   .frames = run.series,
                                   .series_energy = series};
    rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &run, 0, NULL, &error);
    assert_true(series != NULL && file != NULL);
    series[run.series - 1] = 3.0;
    assert_int_equal(rct_ensemble_file_write(file, &row, &error), RCT_OK);
    assert_int_equal(rct_ensemble_file_close(file, 0, &error), RCT_OK);
    rct_ensemble_results *r = rct_ensemble_results_open(path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    series[run.series - 1] = 0.0;
    assert_int_equal(rct_ensemble_results_motions(r, 0, 1, series, NULL, &error), RCT_OK);
    assert_true(series[run.series - 1] == 3.0);
    rct_ensemble_results_close(r);
    file = rct_ensemble_file_open(path, ensemble, &run, &error);
    assert_non_null(file);
    assert_int_equal(rct_ensemble_file_close(file, 0, &error), RCT_OK);
    rct_ensemble_free(ensemble);
    free(series);
}

static int tidy(void **state)
{
    (void)state;
    rct_call_fail_after(-1);
    rct_allocate_fail_after(-1);
    recording_remove_files();
    return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_made_again_from_the_file), TEST(test_examples_made_again), TEST(test_other_runs),
        TEST(test_other_ensembles),          TEST(test_everything_can_fail), TEST(test_wide_rows),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
