/* Pages of ensembles: parameters, results, energies and places are those of the file to the stated
 * precision; members that failed are named and not drawn; frames and members are left out down to
 * the limit; input that cannot be shown is refused, without a file. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "page.h"
#include "tests/support/faults/damage.h"
#include "tests/support/must.h"

#include "core/memory.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BODIES = 4,
    MEMBERS = 60,
    SERIES = 11,
    TRACKED = 2,
    VARIATIONS = 2,
    COLUMNS = 2 + 3 + BODIES
};

static rct_error error;

static rct_status to_file(void *context, const rct_member_result *result, rct_error *why)
{
    return rct_ensemble_file_write(context, result, why);
}

/* Some members get a mass that no body can have. */
static void write_file(const char *path, int64_t series)
{
    static const rct_variation variations[VARIATIONS] = {
        {"bodies.body3.mass", RCT_VARY_NORMAL, 0.5, 0.4, 0},
        {"gravity[2]", RCT_VARY_UNIFORM, -10.0, -9.0, 0}};
    static const int32_t track[TRACKED] = {3, 1};
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_REVOLUTE);
    const rct_ensemble_options options = {MEMBERS, 5, VARIATIONS, variations, 0.4};
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, &error);
    assert_non_null(ensemble);
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = 100;
    run.series = series;
    run.tracked = series > 0 ? TRACKED : 0;
    run.track = track;
    run.threads = 1;
    run.solver.backend = "cpu";
    run.deliver = to_file;
    rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &run, 1, NULL, &error);
    run.context = file;
    assert_non_null(file);
    assert_int_equal(rct_ensemble_run(ensemble, &run, &error), RCT_OK);
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_OK);
    rct_ensemble_free(ensemble);
    rct_model_free(model);
}

/* The contents of the file. */
typedef struct results {
    int32_t status[MEMBERS];
    double ends[3][MEMBERS], parameters[MEMBERS][VARIATIONS], state[MEMBERS][BODIES];
    double energy[MEMBERS][SERIES], position[MEMBERS][SERIES][TRACKED][3], time[SERIES];
} results;

static void read_file(const char *path, results *r)
{
    int32_t track[TRACKED];
    rct_ensemble_results_info info;
    rct_ensemble_results *file = rct_ensemble_results_open(path, &error);
    assert_non_null(file);
    rct_ensemble_results_get_info(file, &info);
    assert_true(info.series == SERIES && info.tracked == TRACKED);
    assert_int_equal(rct_ensemble_results_read(file, r->status, r->ends[0], r->ends[1], r->ends[2],
                                               r->parameters[0], &error),
                     RCT_OK);
    assert_int_equal(rct_ensemble_results_series(file, r->time, track, &error), RCT_OK);
    assert_true(track[0] == 3 && track[1] == 1);
    for (int64_t k = 0; k < MEMBERS; k += 20) { /* in parts */
        assert_int_equal(rct_ensemble_results_states(file, k, 20, r->state[k], NULL, &error),
                         RCT_OK);
        assert_int_equal(
            rct_ensemble_results_motions(file, k, 20, r->energy[k], r->position[k][0][0], &error),
            RCT_OK);
    }
    assert_int_equal(rct_ensemble_results_states(file, -1, 1, NULL, NULL, &error),
                     RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_ensemble_results_motions(file, MEMBERS - 1, 2, NULL, NULL, &error),
                     RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, "has no rows 59 to 60; it has 60");
    rct_ensemble_results_close(file);
}

/* The k-th of `shown` of `all`. */
static int64_t evenly(int64_t k, int64_t shown, int64_t all)
{
    return shown > 1 ? k * (all - 1) / (shown - 1) : 0;
}

static void expect_same(double found, double wanted)
{
    assert_true(found == wanted || (isnan(found) && isnan(wanted)));
}

static void expect_values(const char *page, const results *r, int64_t members)
{
    size_t bytes = 0;
    int8_t *status = page_array(page, "status", &bytes);
    assert_int_equal(bytes, members);
    double *values = page_array(page, "values", &bytes);
    assert_int_equal(bytes, members * COLUMNS * 8);
    for (int64_t k = 0; k < members; k++) {
        const int64_t row = evenly(k, members, MEMBERS);
        const double *own = values + k * COLUMNS;
        assert_int_equal(status[k], r->status[row]);
        for (int c = 0; c < COLUMNS; c++) {
            expect_same(own[c], c < 2   ? r->parameters[row][c]
                                : c < 5 ? r->ends[c - 2][row]
                                        : r->state[row][c - 5]);
        }
    }
    free(status);
    free(values);
}

static void expect_series(const char *page, const results *r, int64_t members, int64_t frames,
                          double off)
{
    size_t bytes = 0;
    double box[6];
    page_box(page, box);
    double *time = page_array(page, "time", &bytes);
    assert_int_equal(bytes, frames * 8);
    double *energy = page_array(page, "energy", &bytes);
    assert_int_equal(bytes, members * frames * 8);
    uint16_t *place = page_array(page, "place", &bytes);
    assert_int_equal(bytes, members * TRACKED * frames * 6);
    for (int64_t k = 0; k < members; k++) {
        const int64_t row = evenly(k, members, MEMBERS);
        for (int64_t f = 0; f < frames; f++) {
            const int64_t frame = evenly(f, frames, SERIES);
            assert_true(time[f] == r->time[frame]);
            expect_same(energy[k * frames + f], r->energy[row][frame]);
            for (int i = 0; i < 3 * TRACKED; i++) {
                const double wanted = r->position[row][frame][i / 3][i % 3];
                const uint16_t found = place[((k * TRACKED + i / 3) * frames + f) * 3 + i % 3];
                assert_int_equal(found == 65535, isnan(wanted));
                assert_true(isnan(wanted) || fabs(box[i % 3] + box[3 + i % 3] * found / 65534.0 -
                                                  wanted) <= 1.01 * off);
            }
        }
    }
    free(time);
    free(energy);
    free(place);
}

static void test_all_of_it(void **state)
{
    (void)state;
    const char *from = recording_path(0, "a.h5"), *to = recording_path(1, "b.html");
    results *r = calloc(1, sizeof *r);
    rct_view_report report;
    write_file(from, SERIES);
    read_file(from, r);
    int64_t failed = 0;
    for (int k = 0; k < MEMBERS; k++) {
        failed += r->status[k] != RCT_OK;
    }
    assert_true(failed > 0 && failed < MEMBERS / 2);
    const int64_t limits[] = {20000000, 57000, 45000};
    for (int k = 0; k < 3; k++) {
        const rct_view_options options = {.most_bytes = limits[k]};
        if (rct_view_ensemble(from, to, &options, &report, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
        assert_true(report.members == MEMBERS && report.bodies == TRACKED);
        assert_int_equal(report.frames, SERIES);
        char *page = page_read(to);
        assert_int_equal(strlen(page), report.bytes);
        assert_true(report.bytes <= limits[k]);
        assert_true(k == 0 ? report.frames_shown == SERIES : report.frames_shown < SERIES);
        assert_true(k < 2 ? report.members_shown >= 1 : report.members_shown < MEMBERS);
        expect_values(page, r, report.members_shown);
        expect_series(page, r, report.members_shown, report.frames_shown, report.position_error);
        static const char columns[] =
            "[\"bodies.body3.mass\", \"gravity[2]\", \"time\", \"energy\", \"energy_drift\", "
            "\"coordinate of body0 at the end\"";
        assert_int_equal(strncmp(page_value(page, "columns"), columns, strlen(columns)), 0);
        assert_int_equal(strncmp(page_value(page, "track"), "[\"body3\", \"body1\"]", 18), 0);
        assert_non_null(strstr(page_value(page, "failures"), "the mass is -"));
        free(page);
    }
    free(r);
}

/* Without a series there are no frames and no places, but there are results. */
static void test_without_series(void **state)
{
    (void)state;
    rct_view_report report;
    size_t bytes = 0;
    write_file(recording_path(0, "a.h5"), 0);
    assert_int_equal(rct_view_ensemble(recording_path(0, "a.h5"), recording_path(1, "b.html"), NULL,
                                       &report, &error),
                     RCT_OK);
    assert_true(report.frames == 0 && report.bodies == 0 && report.members_shown == MEMBERS);
    char *page = page_read(recording_path(1, "b.html"));
    free(page_array(page, "values", &bytes));
    assert_int_equal(bytes, MEMBERS * COLUMNS * 8);
    free(page_array(page, "place", &bytes));
    assert_int_equal(bytes, 0);
    free(page);
}

static void expect_refused(rct_status status, rct_status wanted, const char *says)
{
    assert_int_equal(status, wanted);
    damage_expect_line(&error, says);
    assert_int_equal(recording_count_files("html"), 0);
}

static void test_refusals(void **state)
{
    (void)state;
    const char *from = recording_path(0, "a.h5"), *to = recording_path(1, "b.html");
    const rct_view_options small = {.most_bytes = 1000};
    write_file(from, SERIES);
    expect_refused(rct_view_ensemble(from, to, &small, NULL, &error), RCT_ERROR_ARGUMENT,
                   "a page of 1000 bytes cannot show one member; allow for ");
    expect_refused(rct_view_ensemble(from, "/nowhere/b.html", NULL, NULL, &error), RCT_ERROR_IO,
                   "/nowhere/b.html");
    expect_refused(rct_view_ensemble("/nowhere/a.h5", to, NULL, NULL, &error), RCT_ERROR_IO,
                   "/nowhere/a.h5: cannot open the file");
    const char *other = recording_path(2, "model.h5");
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    assert_int_equal(rct_model_write_h5(model, other, NULL), RCT_OK);
    expect_refused(rct_view_ensemble(other, to, NULL, NULL, &error), RCT_ERROR_IO,
                   "is not a file of an ensemble; give the results of one");
    rct_model_free(model);
}

static void test_without_memory(void **state)
{
    (void)state;
    write_file(recording_path(0, "a.h5"), SERIES);
    int64_t failures = 0;
    rct_status status;
    do {
        rct_allocate_fail_after(failures);
        status = rct_view_ensemble(recording_path(0, "a.h5"), recording_path(1, "b.html"), NULL,
                                   NULL, &error);
        rct_allocate_fail_after(-1);
        if (status != RCT_OK) {
            assert_int_equal(status, RCT_ERROR_MEMORY);
            assert_int_equal(recording_count_files("html"), 0);
            failures++;
        }
    } while (status != RCT_OK);
    assert_true(failures > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_all_of_it, recording_tidy),
        cmocka_unit_test_teardown(test_without_series, recording_tidy),
        cmocka_unit_test_teardown(test_refusals, recording_tidy),
        cmocka_unit_test_teardown(test_without_memory, recording_tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
