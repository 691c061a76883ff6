/* Pages of recordings and models: their poses are those of the solver to the stated precision,
 * thinned evenly to the set limit; names with HTML stay text; shapes have mass and inertia of their
 * bodies; input that cannot be shown is refused, without a file. One file, because all cases read
 * the data of a page by the same few functions. */
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
#include <sys/stat.h>

enum { MOST = 64 };

static rct_error error;

/* States of a run, kept beside the recording. */
typedef struct motion {
    int32_t bodies, frames;
    double *position, *orientation, *angular_velocity, *force, time[MOST];
    rct_measures measures[MOST];
} motion;

static motion record(const rct_model *model, int32_t frames)
{
    const int32_t n = rct_model_body_count(model);
    motion m = {.bodies = n, .frames = frames};
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = frames;
    options.overwrite = 1;
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "a.h5"), model, solver, &options, NULL);
    m.position = calloc((size_t)(3 * n * frames), sizeof(double));
    m.orientation = calloc((size_t)(4 * n * frames), sizeof(double));
    m.angular_velocity = calloc((size_t)(3 * n * frames), sizeof(double));
    m.force = calloc((size_t)(3 * n * frames), sizeof(double));
    assert_true(recorder != NULL && m.force != NULL && m.position != NULL &&
                m.orientation != NULL && m.angular_velocity != NULL);
    for (int32_t k = 0; k < frames; k++) {
        rct_solver_get_state(solver, m.orientation + 4 * n * k, m.angular_velocity + 3 * n * k,
                             m.position + 3 * n * k, NULL);
        m.time[k] = rct_solver_time(solver);
        rct_solver_measure(solver, &m.measures[k]);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_hinge_forces(solver, m.force + 3 * n * k, NULL);
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        must_step(solver, 1e-3, 2);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    rct_solver_free(solver);
    return m;
}

static void free_motion(motion *m)
{
    free(m->position);
    free(m->orientation);
    free(m->angular_velocity);
    free(m->force);
}

static double distance(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* Frames beside `k`, if there are some. */
static double speed_of(const motion *m, int32_t body, int32_t k)
{
    const int32_t first = k > 0 ? k - 1 : k, last = k + 1 < m->frames ? k + 1 : k;
    const double *a = m->position + 3 * (m->bodies * first + body);
    const double *b = m->position + 3 * (m->bodies * last + body);
    return distance(a, b, 3) / (m->time[last] - m->time[first]);
}

/* The numbers of a page about all its poses: the box, the largest speed, angular speed and
 * force. */
typedef struct scales {
    double box[6], speed, spin, force;
} scales;

static scales scales_of(const char *page)
{
    scales s = {.speed = page_number(page, "speed", 0),
                .spin = page_number(page, "spin", 0),
                .force = page_number(page, "force", 0)};
    page_box(page, s.box);
    return s;
}

static void expect_pose(const motion *m, const scales *most, int32_t body, int32_t k,
                        const page_pose *found, double off)
{
    static const double zero[4] = {0.0};
    const int64_t at = (int64_t)m->bodies * k + body;
    const double *q = m->orientation + 4 * at;
    double minus[4];
    for (int i = 0; i < 4; i++) {
        minus[i] = -q[i];
    }
    assert_true(distance(found->position, m->position + 3 * at, 3) <= 1.8 * off + 1e-15);
    assert_true(fmin(distance(found->orientation, q, 4), distance(found->orientation, minus, 4)) <
                2e-3);
    const double spin = distance(m->angular_velocity + 3 * at, zero, 3);
    assert_true(fabs(found->spin * most->spin - spin) <= most->spin / 500.0);
    assert_true(fabs(found->speed * most->speed - speed_of(m, body, k)) <= most->speed / 500.0);
    const double force = distance(m->force + 3 * at, zero, 3);
    assert_true(most->force > 0.0 &&
                fabs(found->force * most->force - force) <= most->force / 500.0);
}

/* The page at b.html shows this part of the motion, evenly, and correctly. */
static void expect_page(const motion *m, const rct_view_report *report)
{
    size_t bytes = 0;
    struct stat file;
    const char *path = recording_path(1, "b.html");
    char *page = page_read(path);
    int32_t *row = page_array(page, "row", &bytes);
    const int64_t shown = (int64_t)bytes / 4, frames = report->frames_shown;
    assert_int_equal(shown, report->bodies_shown);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_size, report->bytes);
    double *time = page_array(page, "time", &bytes);
    assert_int_equal(bytes, frames * 8);
    uint32_t *words = page_array(page, "pose", &bytes);
    assert_int_equal(bytes, shown * frames * 16);
    int32_t k = -1;
    const scales most = scales_of(page);
    for (int64_t j = 0; j < frames; j++) {
        do { /* the next frame of that time */
            k++;
            assert_true(k < m->frames);
        } while (m->time[k] != time[j]);
        for (int64_t i = 0; i < shown; i++) {
            const page_pose pose = page_pose_of(words + 4 * (shown * j + i), most.box);
            assert_true(i == 0 ? row[0] == 0 : row[i] > row[i - 1]);
            expect_pose(m, &most, row[i], k, &pose, report->position_error);
        }
    }
    assert_int_equal(k, m->frames - 1);
    assert_int_equal(row[shown - 1], shown > 1 ? m->bodies - 1 : 0);
    free(time);
    free(words);
    free(row);
    free(page);
}

/* Poses and forces of hinges with axes, whose recordings have coordinates and rates. */
static void test_recordings_of_other_hinges(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL,
                                            RCT_HINGE_PLANAR};
    for (int h = 0; h < 3; h++) {
        const rct_family family = {.family = "random",
                                   .bodies = 12,
                                   .hinge = hinges[h],
                                   .seed = 3,
                                   .perturb = 0.3,
                                   .systems = 1};
        rct_model *model = must_generate(&family);
        motion m = record(model, 5);
        rct_view_report report;
        assert_int_equal(rct_view_recording(recording_path(0, "a.h5"), recording_path(1, "b.html"),
                                            NULL, &report, &error),
                         RCT_OK);
        expect_page(&m, &report);
        free_motion(&m);
        rct_model_free(model);
    }
}

static void test_a_recording(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.family = "random";
    family.bodies = 40;
    family.perturb = 0.5;
    rct_model *model = must_generate(&family);
    motion m = record(model, 12);
    rct_view_report report;
    assert_int_equal(rct_view_recording(recording_path(0, "a.h5"), recording_path(1, "b.html"),
                                        NULL, &report, &error),
                     RCT_OK);
    assert_int_equal(report.bodies, 40);
    assert_int_equal(report.bodies_shown, 40);
    assert_int_equal(report.frames, 12);
    assert_int_equal(report.frames_shown, 12);
    assert_true(report.position_error < 1e-6);
    expect_page(&m, &report);

    size_t bytes = 0;
    char *page = page_read(recording_path(1, "b.html"));
    double *sums = page_array(page, "sums", &bytes);
    assert_int_equal(bytes, 12 * 9 * 8);
    for (int k = 0; k < 12; k++) {
        const rct_measures *wanted = &m.measures[k];
        const double numbers[9] = {m.time[k],
                                   wanted->kinetic,
                                   wanted->potential,
                                   wanted->momentum[0],
                                   wanted->momentum[1],
                                   wanted->momentum[2],
                                   wanted->angular_momentum[0],
                                   wanted->angular_momentum[1],
                                   wanted->angular_momentum[2]};
        assert_memory_equal(sums + 9 * k, numbers, sizeof numbers);
    }
    int32_t *parent = page_array(page, "parent", &bytes);
    for (int32_t b = 0; b < 40; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        assert_int_equal(parent[b], body.parent);
    }
    free(parent);
    free(sums);
    free(page);
    free_motion(&m);
    rct_model_free(model);
}

/* Every limit is kept, and used: first frames are left out, down to eight, then bodies. */
static void test_thinning(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.family = "comb";
    family.bodies = 400;
    family.perturb = 0.2;
    rct_model *model = must_generate(&family);
    motion m = record(model, 50);
    rct_view_options options = rct_view_options_default();
    assert_int_equal(options.most_bytes, 20000000);
    int thin = 0, thinner = 0;
    for (options.most_bytes = 500000; options.most_bytes > 60000;
         options.most_bytes -= options.most_bytes / 7) {
        rct_view_report report;
        assert_int_equal(rct_view_recording(recording_path(0, "a.h5"), recording_path(1, "b.html"),
                                            &options, &report, &error),
                         RCT_OK);
        assert_true(report.bytes <= options.most_bytes);
        assert_true(report.frames_shown == 50 || report.bytes > options.most_bytes - 20000);
        assert_true(report.bodies_shown == 400 || report.frames_shown == 8);
        thin += report.frames_shown < 50;
        thinner += report.bodies_shown < 400;
        expect_page(&m, &report);
    }
    assert_true(thin > thinner && thinner > 2);

    /* Lines go to the nearest shown body on the way to the ground. */
    size_t bytes = 0, shown = 0;
    char *page = page_read(recording_path(1, "b.html"));
    int32_t *row = page_array(page, "row", &shown), *parent = page_array(page, "parent", &bytes);
    assert_int_equal(bytes, shown);
    for (size_t k = 0; k < shown / 4; k++) {
        int32_t at = row[k], found = -1;
        rct_body body;
        do {
            assert_int_equal(rct_model_body(model, at, &body, NULL), RCT_OK);
            at = body.parent;
            for (size_t i = 0; i < shown / 4; i++) {
                found = row[i] == at ? (int32_t)i : found;
            }
        } while (at != RCT_GROUND && found < 0);
        assert_int_equal(parent[k], found);
    }
    free(row);
    free(parent);
    free(page);
    free_motion(&m);
    rct_model_free(model);
}

static void test_a_model(void **state)
{
    (void)state;
    size_t bytes = 0;
    rct_view_report report;
    rct_model *model = rct_model_create("</script><b>&\"\\\x01\xc3\xbc", NULL);
    rct_body body = rct_body_default();
    body.name = "<!--\"";
    body.mass = 3.0;
    body.com[1] = -2.0; /* a rod of 4 m along -y */
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 4.0;
    must_add(model, &body);
    body.name = NULL;
    body.parent = 0;
    body.hinge_at[1] = -4.0;
    body.com[1] = 0.0; /* a box of edges 1, 2, 3 m */
    body.inertia[0] = 3.0 / 12.0 * 13.0;
    body.inertia[1] = 3.0 / 12.0 * 10.0;
    body.inertia[2] = 3.0 / 12.0 * 5.0;
    must_add(model, &body);
    assert_int_equal(rct_view_model(model, recording_path(1, "b.html"), NULL, &report, &error),
                     RCT_OK);
    assert_int_equal(report.frames, 0);
    assert_int_equal(report.frames_shown, 0);
    assert_int_equal(report.bodies_shown, 2);
    char *page = page_read(recording_path(1, "b.html"));
    static const char name[] = "\"\\u003c/script>\\u003cb>\\u0026\\u0022\\u005c\\u0001\xc3\xbc\"";
    assert_int_equal(strncmp(page_value(page, "model"), name, strlen(name)), 0);
    static const char names[] = "[\"\\u003c!--\\u0022\",null]";
    assert_int_equal(strncmp(page_value(page, "names"), names, strlen(names)), 0);
    float *shapes = page_array(page, "shapes", &bytes);
    static const float wanted[2][11] = {
        {0, 0.2F, 3.6F, 0, 0, -2, 0, 0.70710678F, 0.70710678F, 0, 0},
        {1, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0},
    };
    assert_int_equal(bytes, sizeof wanted);
    for (size_t i = 0; i < 22; i++) {
        assert_true(fabsf(shapes[i] - wanted[i / 11][i % 11]) < 1e-6F);
    }
    free(shapes);
    uint32_t *words = page_array(page, "pose", &bytes);
    assert_int_equal(bytes, 32);
    const scales most = scales_of(page);
    const page_pose second = page_pose_of(words + 4, most.box);
    assert_true(distance(second.position, (const double[3]){0.0, -4.0, 0.0}, 3) < 1e-6);
    free(words);
    free(page);
    rct_model_free(model);
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
    const char *to = recording_path(1, "b.html"), *from = recording_path(0, "a.h5");
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    motion m = record(model, 2);
    rct_view_options small = {.most_bytes = 1000};
    expect_refused(rct_view_recording(from, to, &small, NULL, &error), RCT_ERROR_ARGUMENT,
                   "a page of 1000 bytes cannot show one body; allow for ");
    expect_refused(rct_view_recording(from, from, NULL, NULL, &error), RCT_ERROR_ARGUMENT,
                   "a.h5: that is also the file that is read; name another");
    expect_refused(rct_view_recording(from, "/nowhere/b.html", NULL, NULL, &error), RCT_ERROR_IO,
                   "/nowhere/b.html");
    expect_refused(rct_view_recording("/nowhere/a.h5", to, NULL, NULL, &error), RCT_ERROR_IO,
                   "/nowhere/a.h5: cannot open the file");
    const char *other = recording_path(2, "model.h5");
    assert_int_equal(rct_model_write_h5(model, other, NULL), RCT_OK);
    expect_refused(rct_view_recording(other, to, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED,
                   "is not a recording; give a file that run --out wrote");
    rct_model *empty = rct_model_create("empty", NULL);
    expect_refused(rct_view_model(empty, to, NULL, NULL, &error), RCT_ERROR_MODEL, "no bodies");
    recording f = {.model = model, .solver = recording_solver(model)};
    f.options = rct_recorder_options_default();
    f.options.overwrite = 1;
    assert_int_equal(rct_recorder_close(recording_create(&f, from, NULL), 0, NULL), RCT_OK);
    expect_refused(rct_view_recording(from, to, NULL, NULL, &error), RCT_ERROR_ARGUMENT,
                   "a.h5: the recording has no frames to show yet");
    rct_solver_free(f.solver);
    rct_model_free(empty);
    free_motion(&m);
    rct_model_free(model);
}

/* Every failing allocation is an error, and leaves the earlier page. */
static void test_without_memory(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    motion m = record(model, 4);
    const char *to = recording_path(1, "b.html");
    recording_write_text(to, "before");
    int64_t failures = 0;
    rct_status status;
    do {
        rct_allocate_fail_after(failures);
        status = rct_view_recording(recording_path(0, "a.h5"), to, NULL, NULL, &error);
        rct_allocate_fail_after(-1);
        if (status != RCT_OK) {
            assert_int_equal(status, RCT_ERROR_MEMORY);
            recording_expect_text(to, "before");
            failures++;
        }
    } while (status != RCT_OK);
    assert_true(failures > 10);
    assert_int_equal(recording_count_files("b.html"), 1);
    free_motion(&m);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_recording, recording_tidy),
        cmocka_unit_test_teardown(test_recordings_of_other_hinges, recording_tidy),
        cmocka_unit_test_teardown(test_thinning, recording_tidy),
        cmocka_unit_test_teardown(test_a_model, recording_tidy),
        cmocka_unit_test_teardown(test_refusals, recording_tidy),
        cmocka_unit_test_teardown(test_without_memory, recording_tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
