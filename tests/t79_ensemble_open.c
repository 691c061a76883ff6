/* The file of an ensemble opened again: only by the ensemble and the run that it is of, each difference named; made again
 * from the file alone these give the same bits; and what is damaged anywhere but in its rows is refused before it is used. */
#define _GNU_SOURCE 1 /* memmem() */

#include "cmocka_all.h"
#include "recording.h"

#include "core/memory.h"
#include "record/call.h"
#include "record/seal.h"
#include "support/damage.h"

#include <riccatree/riccatree.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEAL_BYTES = 8 + 16 * RCT_SEAL_RANGES + 24 };

static const rct_variation variations[] = {{"gravity[2]", RCT_VARY_GRID, -9.0, -1.0, 3},
                                           {"gravity[0]", RCT_VARY_NORMAL, 0.0, 0.1, 0}};
static const int32_t track[] = {2, 0};

static rct_ensemble_options usual(void)
{
    return (rct_ensemble_options){6, 7, 2, variations, 0.125};
}

static rct_status to_file(void *context, const rct_member_result *result, rct_error *error)
{
    return rct_ensemble_file_write(context, result, error);
}

static rct_ensemble_run_options usual_run(void)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = 4;
    run.series = 3;
    run.tracked = 2;
    run.track = track;
    run.threads = 1;
    run.solver.backend = "cpu";
    run.deliver = to_file;
    return run;
}

static rct_ensemble *chain(rct_ensemble_options options, int32_t bodies)
{
    rct_model *model = recording_chain(bodies, 0);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, NULL);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

static void run_into(const char *path, const rct_ensemble *ensemble, rct_ensemble_run_options run)
{
    rct_error error = {.text = ""};
    run.deliver = to_file;
    rct_ensemble_file *file =
        rct_ensemble_file_create(path, ensemble, &run, 1, "a command", &error);
    run.context = file;
    if (file == NULL || rct_ensemble_run(ensemble, &run, &error) != RCT_OK ||
        rct_ensemble_file_close(file, 1, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static void make_usual(void)
{
    rct_ensemble *ensemble = chain(usual(), 3);
    run_into(recording_path(0, "a.h5"), ensemble, usual_run());
    rct_ensemble_free(ensemble);
}

static void expect_same_bytes(const char *a, const char *b)
{
    size_t size = 0, other = 0;
    char *x = damage_read(a, &size), *y = damage_read(b, &other);
    assert_int_equal(size, other);
    for (size_t k = 0; k < size; k++) {
        if (x[k] != y[k]) {
            fail_msg("byte %zu of %zu differs", k, size);
        }
    }
    free(x), free(y);
}

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
    run_into(recording_path(1, "b.h5"), ensemble, run);
    rct_ensemble_free(ensemble);
    rct_ensemble_results_close(r);
    expect_same_bytes(recording_path(0, "a.h5"), recording_path(1, "b.h5"));
}

static void test_made_again_from_the_file(void **state)
{
    (void)state;
    rct_ensemble *ensemble = chain(usual(), 3);
    rct_ensemble_run_options run = usual_run();
    make_usual();
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
    run_into(recording_path(0, "a.h5"), ensemble, run);
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
        rct_ensemble_options options = usual();
        snprintf(path, sizeof path, "%s/%s.json", RCT_EXAMPLES, names[k]);
        rct_model *model = rct_model_read(path, &error);
        options.perturb = 0.0;
        options.members = 3;
        rct_ensemble *ensemble =
            model != NULL ? rct_ensemble_create(model, &options, &error) : NULL;
        if (ensemble == NULL) {
            fail_msg("%s", error.text);
        }
        rct_ensemble_run_options run = usual_run();
        run.tracked = 1;
        run.track = track + 1;
        run.solver.drift = RCT_DRIFT_BAUMGARTE;
        run.solver.baumgarte[0] = run.solver.baumgarte[1] = 0.1;
        run_into(recording_path(0, "a.h5"), ensemble, run);
        expect_again(names[k]);
        rct_ensemble_free(ensemble);
        rct_model_free(model);
    }
}

/* ---- differences -------------------------------------------------------------------------- */

static void refused(const rct_ensemble *ensemble, rct_ensemble_run_options run, rct_status status,
                    const char *says)
{
    rct_error error = {.text = ""};
    assert_null(rct_ensemble_file_open(recording_path(0, "a.h5"), ensemble, &run, &error));
    damage_expect_line(&error, says);
    assert_int_equal(error.status, status);
}

static void test_other_runs(void **state)
{
    (void)state;
    rct_ensemble *ensemble = chain(usual(), 3);
    make_usual();
    static const int32_t swapped[] = {0, 2};
    rct_ensemble_run_options r = usual_run();
#define DIFFERS(field, value, says)                                                                \
    r = usual_run();                                                                               \
    r.field = value;                                                                               \
    refused(ensemble, r, RCT_ERROR_ARGUMENT, "a.h5: was made with " says)
    DIFFERS(dt, 0.002, "dt 0.001, not 0.002; give what it was made with, or begin another file");
    DIFFERS(steps, 5, "steps 4, not 5");
    DIFFERS(series, 2, "series 3, not 2");
    DIFFERS(tracked, 1, "tracked 2, not 1");
    DIFFERS(track, swapped, "track[0] 2, not 0; track[1] 0, not 2");
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
    r = usual_run();
    r.solver.closing = (rct_closing)77;
    refused(ensemble, r, RCT_ERROR_ARGUMENT, "the solver's closing is 77, which is none");
    r = usual_run();
    r.solver.lanes = 3;
    refused(ensemble, r, RCT_ERROR_UNSUPPORTED, "no lanes of 3 on this machine");
    r = usual_run();
    r.solver.backend = "none";
    refused(ensemble, r, RCT_ERROR_UNSUPPORTED, "no backend \"none\"");
    /* what changes no bit may be another */
    r = usual_run();
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
    make_usual();
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
            "is of another model: its \""};
        rct_variation own[2];
        memcpy(own, variations, sizeof own);
        rct_ensemble_options o = usual();
        o.variations = own;
        o.members = k == 0 ? 12 : 6;
        o.seed = k == 1 ? 8 : 7;
        o.perturb = k == 2 ? 0.0 : 0.125;
        own[0].b = k == 3 ? -1.5 : -1.0;
        own[0].count = k == 4 ? 2 : 3;
        own[1].type = k == 5 ? RCT_VARY_UNIFORM : RCT_VARY_NORMAL;
        own[1].path = k == 6 ? "gravity[1]" : "gravity[0]";
        o.variation_count = k == 7 ? 1 : 2;
        rct_ensemble *ensemble = chain(o, k == 8 ? 4 : 3);
        refused(ensemble, usual_run(), RCT_ERROR_ARGUMENT, says[k]);
        rct_ensemble_free(ensemble);
    }
}

/* ---- damage ------------------------------------------------------------------------------- */

static rct_status open_all(void *ensemble, rct_error *error)
{
    const rct_ensemble_run_options run = usual_run();
    rct_ensemble_run_options own;
    const char *path = recording_path(0, "a.h5");
    rct_ensemble_results *r = rct_ensemble_results_open(path, error);
    rct_ensemble *again = r != NULL ? rct_ensemble_results_ensemble(r, &own, error) : NULL;
    rct_ensemble_results_close(r);
    rct_ensemble_free(again);
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, error);
    assert_true((file != NULL) == (again != NULL));
    return file != NULL ? rct_ensemble_file_close(file, 0, error) : error->status;
}

static const char *broken(size_t at)
{
    (void)at;
    return "a.h5: ";
}

static const char *is_broken(size_t at)
{
    (void)at;
    return "is damaged, or was changed by another program: its seal is broken";
}

static const char *has_none(size_t at)
{
    (void)at;
    return "has no seal at its end: it is cut short";
}

/* The ranges that are open in the file, by its seal. */
static int64_t read_ranges(const char *bytes, size_t size, rct_seal_range ranges[RCT_SEAL_RANGES])
{
    int64_t count;
    memcpy(&count, bytes + size - SEAL_BYTES, sizeof count);
    memcpy(ranges, bytes + size - SEAL_BYTES + 8, RCT_SEAL_RANGES * sizeof *ranges);
    return count;
}

static void test_every_flipped_byte_and_prefix_is_refused(void **state)
{
    (void)state;
    size_t size = 0, at = 0;
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_ensemble *ensemble = chain(usual(), 3);
    const char *path = recording_path(0, "a.h5");
    make_usual();
    char *bytes = damage_read(path, &size);
    const int64_t count = read_ranges(bytes, size, ranges);
    assert_int_equal(count, 12);
    for (int64_t i = 0; i < count; i++) {
        damage_flip(path, at, (size_t)ranges[i].at, open_all, ensemble, is_broken);
        at = (size_t)(ranges[i].at + ranges[i].bytes);
    }
    assert_true(at < size - 1000); /* rows are not at the end */
    damage_flip(path, at, size - 8, open_all, ensemble, is_broken);
    damage_flip(path, size - 8, size, open_all, ensemble, has_none);
    damage_cut(path, 0, size, 61, open_all, ensemble, broken);
    damage_write(path, bytes, size);
    free(bytes);
    rct_ensemble_free(ensemble);
}

/* Rows have no checksum; a status that is none is found. */
static void test_a_status_that_is_none(void **state)
{
    (void)state;
    size_t size = 0;
    int8_t done[6];
    rct_error error = {.text = ""};
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_ensemble *ensemble = chain(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    const char *path = recording_path(0, "a.h5");
    make_usual();
    char *bytes = damage_read(path, &size);
    for (int64_t i = read_ranges(bytes, size, ranges); i-- > 0;) {
        if (ranges[i].bytes == 6) {
            bytes[ranges[i].at + 4] = 77;
        }
    }
    damage_write(path, bytes, size);
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, &error);
    assert_int_equal(rct_ensemble_file_done(file, done, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "is damaged: row 4 has status 77");
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_ERROR_IO);
    free(bytes);
    rct_ensemble_free(ensemble);
}

static void test_another_build(void **state)
{
    (void)state;
    size_t size = 0;
    rct_error error = {.text = ""};
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_call call;
    rct_ensemble_run_options own;
    rct_ensemble *ensemble = chain(usual(), 3);
    const char *path = recording_path(0, "a.h5");
    make_usual();
    char *bytes = damage_read(path, &size);
    const int count = (int)read_ranges(bytes, size, ranges);
    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    build[0] = '9';
    damage_write(path, bytes, size);
    const int file = open(path, O_RDWR);
    rct_call_begin(&call, path, NULL, &error);
    assert_int_equal(rct_seal_put(&call, file, (int64_t)size - SEAL_BYTES, count, ranges), size);
    assert_int_equal(rct_call_end(&call), RCT_OK);
    close(file);
    refused(ensemble, usual_run(), RCT_ERROR_UNSUPPORTED,
            "made by another build, which may round otherwise: 9.");
    refused(ensemble, usual_run(), RCT_ERROR_UNSUPPORTED, rct_build());
    rct_ensemble_results *r = rct_ensemble_results_open(path, &error); /* can be read */
    assert_non_null(r);
    assert_null(rct_ensemble_results_ensemble(r, &own, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    rct_ensemble_results_close(r);
    free(bytes);
    rct_ensemble_free(ensemble);
}

/* ---- what fails --------------------------------------------------------------------------- */

static void test_everything_can_fail(void **state)
{
    (void)state;
    void (*const causes[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after};
    size_t size = 0;
    rct_ensemble *ensemble = chain(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    const char *path = recording_path(0, "a.h5");
    make_usual();
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
        expect_same_bytes(path, recording_path(1, "was.h5"));
    }
    assert_null(rct_ensemble_file_open(recording_path(2, "absent.h5"), ensemble, &run, NULL));
    free(bytes);
    rct_ensemble_free(ensemble);
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
        TEST(test_made_again_from_the_file),
        TEST(test_examples_made_again),
        TEST(test_other_runs),
        TEST(test_other_ensembles),
        TEST(test_every_flipped_byte_and_prefix_is_refused),
        TEST(test_a_status_that_is_none),
        TEST(test_another_build),
        TEST(test_everything_can_fail),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
