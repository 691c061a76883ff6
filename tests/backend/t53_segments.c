/* Segments, bushes, lanes and threads against the serial sweep: the same accelerations, forces and
 * steps; the same bits for any number of threads and any run, and in strict builds for any number
 * of lanes. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "kernels/sweeps/lanes.h"
#include "tests/support/larger.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, NUMBERS = 19 }; /* numbers of a body in a result */

/* Accelerations and forces at the start (9 a body), then state and points after STEPS steps (10). */
static double *result_of(const rct_model *model, rct_method method, int32_t threads, int32_t lanes,
                         int64_t segment)
{
    const rct_solver_options options = {
        .method = method, .backend = "cpu", .threads = threads, .lanes = lanes, .segment = segment};
    const int64_t n = rct_model_body_count(model);
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    double *r = malloc((size_t)(NUMBERS * n) * sizeof *r);
    if (solver == NULL || r == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, r, r + 3 * n);
    rct_solver_get_hinge_forces(solver, r + 6 * n, NULL);
    if (rct_solver_step(solver, 1e-4, STEPS, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_state(solver, r + 9 * n, r + 13 * n, r + 16 * n, NULL);
    rct_solver_free(solver);
    return r;
}

/* The largest difference of a part, relative to its largest number but at least to `least`. */
static double difference(const double *a, const double *b, int64_t count, double least)
{
    double apart = 0.0;
    double scale = least;
    for (int64_t i = 0; i < count; i++) {
        apart = larger(apart, fabs(a[i] - b[i]));
        scale = larger(scale, fabs(b[i]));
    }
    return apart / scale;
}

static double worst_difference(const double *a, const double *b, int64_t n)
{
    double worst = difference(a, b, 3 * n, 9.81);
    worst = larger(worst, difference(a + 3 * n, b + 3 * n, 3 * n, 9.81));
    worst = larger(worst, difference(a + 6 * n, b + 6 * n, 3 * n, 1.0));
    worst = larger(worst, difference(a + 9 * n, b + 9 * n, 4 * n, 1.0));
    worst = larger(worst, difference(a + 13 * n, b + 13 * n, 3 * n, 1.0));
    return larger(worst, difference(a + 16 * n, b + 16 * n, 3 * n, 1.0));
}

static rct_model *family_of(const char *name, int64_t bodies)
{
    rct_error error;
    const rct_family family = {
        .family = name, .bodies = bodies, .hinge = RCT_HINGE_BALL, .seed = 3, .perturb = 1.0};
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static void check_lengths(const rct_model *model, const char *what, double most)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 33, 250, 1000, RCT_SEGMENT_AUTO};
    const int64_t n = rct_model_body_count(model);
    const rct_lane_kernels *const *list = rct_lane_kernels_list();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        double *serial = result_of(model, (rct_method)method, 1, 0, 0);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k += ONE_IN) {
            for (int w = 0; list[w] != NULL; w++) {
                double *r = result_of(model, (rct_method)method, 1 + (int32_t)(k % 3),
                                      list[w]->lanes, lengths[k]);
                const double worst = worst_difference(r, serial, n);
                if (!(worst < most)) {
                    fail_msg("%s, method %d, %" PRId32 " lanes, segments of %" PRId64 ": %g", what,
                             method, list[w]->lanes, lengths[k], worst);
                }
                free(r);
            }
        }
        free(serial);
    }
}

static void test_every_length_and_width_agrees_with_the_serial_sweep(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int i = 0; names[i] != NULL; i++) {
        for (int64_t bodies = 7; bodies <= 700; bodies *= 10) {
            rct_model *model = family_of(names[i], bodies);
            check_lengths(model, names[i], 1e-12);
            rct_model_free(model);
        }
    }
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        const random_system system = {.shape = (random_shape)shape,
                                      .bodies = 400,
                                      .fixed = 0.2,
                                      .shuffled = 1,
                                      .spin = 5.0,
                                      .seed = 8};
        rct_model *model = random_system_create(&system);
        check_lengths(model, "random system", 1e-11); /* masses over three decades */
        rct_model_free(model);
    }
}

enum { BODIES = 3000, MODELS = 8 };

/* Segments alone, segments with subtrees beside them, junctions, and trees with hardly a
 * segment. */
static rct_model *model_of(int which)
{
    static const char *const names[] = {"branch", "fork", "comb", "binary", "random", "star"};
    if (which < 6) {
        return family_of(names[which], BODIES);
    }
    const random_system system = {.shape = which == 6 ? SHAPE_TREE : SHAPE_BINARY,
                                  .bodies = BODIES,
                                  .fixed = 0.1,
                                  .shuffled = 1,
                                  .spin = 3.0,
                                  .seed = 53};
    rct_model *model = random_system_create(&system);
    assert_non_null(model);
    return model;
}

static const int64_t some_lengths[] = {9, 50, RCT_SEGMENT_AUTO};

enum { SOME = sizeof some_lengths / sizeof some_lengths[0] };

static void test_threads_and_runs_do_not_change_a_bit(void **state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 3, 8, 1, 3};
    const size_t bytes = (size_t)NUMBERS * BODIES * sizeof(double);
    for (int i = 0; i < MODELS * SOME; i += ONE_IN) {
        rct_model *model = model_of(i / SOME);
        for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
            double *first = result_of(model, (rct_method)method, 1, 0, some_lengths[i % SOME]);
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
                double *r =
                    result_of(model, (rct_method)method, threads[t], 0, some_lengths[i % SOME]);
                assert_memory_equal(r, first, bytes);
                free(r);
            }
            free(first);
        }
        rct_model_free(model);
    }
}

/* In strict builds all lanes give the same bits; in others they may differ by the contraction of a
 * b + c. */
static void test_widths_do_not_change_a_bit(void **state)
{
    (void)state;
#ifdef RCT_STRICT
    const rct_lane_kernels *const *list = rct_lane_kernels_list();
    for (int i = 0; i < MODELS * SOME; i++) {
        rct_model *model = model_of(i / SOME);
        for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
            double *first =
                result_of(model, (rct_method)method, 2, list[0]->lanes, some_lengths[i % SOME]);
            for (int w = 1; list[w] != NULL; w++) {
                double *r =
                    result_of(model, (rct_method)method, 2, list[w]->lanes, some_lengths[i % SOME]);
                assert_memory_equal(r, first, (size_t)NUMBERS * BODIES * sizeof(double));
                free(r);
            }
            free(first);
        }
        rct_model_free(model);
    }
#endif
}

/* FNV-1a over the bits */
static uint64_t hash(const double *numbers, int64_t count)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int b = 0; b < 64; b += 8) {
            h = (h ^ (bits >> b & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    return h;
}

/* The same bits from every strict build. */
static void test_widths_give_the_golden_bits(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t length;
        uint64_t hash[2]; /* by method */
    } golden[] = {
        {"branch", 40, {UINT64_C(0xd91c3a520198662e), UINT64_C(0x0d16347c98faf066)}},
        {"binary", RCT_SEGMENT_AUTO, {UINT64_C(0x000f299fdee03fe7), UINT64_C(0x6153242191377c02)}},
    };
    const rct_lane_kernels *const *list = rct_lane_kernels_list();
    int other = 0;
    for (size_t k = 0; k < 2 * sizeof golden / sizeof golden[0]; k++) {
        const int method = (int)(k % 2);
        rct_model *model = family_of(golden[k / 2].name, 600);
        for (int w = 0; list[w] != NULL; w++) {
            double *r =
                result_of(model, (rct_method)method, 2, list[w]->lanes, golden[k / 2].length);
            const uint64_t h = hash(r, NUMBERS * 600);
#ifdef RCT_STRICT
            if (h != golden[k / 2].hash[method]) {
                print_message("%s, method %d, %" PRId32 " lanes: the hash is %016" PRIx64 "\n",
                              golden[k / 2].name, method, list[w]->lanes, h);
                other++;
            }
#else
            (void)h;
#endif
            free(r);
        }
        rct_model_free(model);
    }
    assert_int_equal(other, 0);
}

/* A finished solver can do everything with every allocation failing. */
static void check_no_step_allocates(const rct_model *model, rct_method method, int64_t segment)
{
    const rct_solver_options options = {
        .method = method, .backend = "cpu", .threads = 2, .segment = segment};
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    rct_measures measures;
    double *rows = calloc(2000 * 4, sizeof *rows);
    assert_true(solver != NULL && rows != NULL);
    rct_allocate_fail_after(0);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-4, 2, NULL), RCT_OK);
    rct_solver_measure(solver, &measures);
    rct_solver_get_state(solver, rows, NULL, NULL, NULL);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_hinge_forces(solver, rows, NULL);
    rct_allocate_fail_after(-1);
    free(rows);
    rct_solver_free(solver);
}

static void test_no_step_allocates(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rct_model *model = family_of(i == 0 ? "comb" : "binary", 2000);
        for (int64_t segment = 0; segment <= 50; segment += 50) {
            check_no_step_allocates(model, RCT_METHOD_ABI, segment);
            check_no_step_allocates(model, RCT_METHOD_RICCATI, segment);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_step_allocates),
        cmocka_unit_test(test_every_length_and_width_agrees_with_the_serial_sweep),
        cmocka_unit_test(test_threads_and_runs_do_not_change_a_bit),
        cmocka_unit_test(test_widths_do_not_change_a_bit),
        cmocka_unit_test(test_widths_give_the_golden_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
