/* Backends on an accelerator against the serial sweep of the cpu: families and random trees, both
 * methods, many piece lengths, the trunk on the device and on the host; the same bits for every
 * run. Skipped where the cpu is the only backend.
 * usage: t54_device [few | one | large]
 *        few: small systems, for the slow modes of the emulation; one: a single system, for a slow
 *        sanitizer; large: large systems, for a device */
#include "tests/support/cmocka_all.h"
#include "tests/support/device/accelerator.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include "backend/backend.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, NUMBERS = 19, SUMS = 8 }; /* numbers of a body and of all in a result */

/* Systems and lengths to leave out. */
static int few = 0, one = 0;

/* Accelerations and forces at the start (9 a body), then state and points after STEPS steps (10), energies and
 * momenta. */
static double *result_of(const rct_model *model, const rct_solver_options *options)
{
    const int64_t n = rct_model_body_count(model);
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    double *r = malloc((size_t)(NUMBERS * n + SUMS) * sizeof *r);
    if (solver == NULL || r == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, r, r + 3 * n);
    rct_solver_get_hinge_forces(solver, r + 6 * n, NULL);
    if (rct_solver_step(solver, 1e-4, STEPS, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_state(solver, r + 9 * n, r + 13 * n, r + 16 * n, NULL);
    rct_measures measures;
    rct_solver_measure(solver, &measures);
    memcpy(r + NUMBERS * n, &measures, sizeof measures); /* two energies, two vectors */
    rct_solver_free(solver);
    return r;
}

static double difference(const double *a, const double *b, int64_t count, double least)
{
    double apart = 0.0, scale = least;
    for (int64_t i = 0; i < count; i++) {
        apart = larger(apart, fabs(a[i] - b[i]));
        scale = larger(scale, fabs(b[i]));
    }
    return apart / scale;
}

/* The sizes of the terms of energies, momenta and moments of momentum, with both signs: sums over
 * the bodies, which are at the points of a result, of m g |x|, of m |x|, and of m |x|^2 for a
 * rotation by 1 rad/s about the origin. */
static void sizes_of_terms(double sizes[3], const rct_model *model, const double *result)
{
    const int64_t n = rct_model_body_count(model);
    sizes[0] = sizes[1] = sizes[2] = 0.0;
    for (int32_t b = 0; b < n; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const double *x = result + 16 * n + 3 * b;
        const double far = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        sizes[0] += body.mass * 9.81 * far;
        sizes[1] += body.mass * far;
        sizes[2] += body.mass * far * far;
    }
}

/* Compares to 1e-12, and sums to 1e-15 of the sizes of their terms. */
static void expect_sums_alike(const double *a, const double *b, const rct_model *model,
                              const char *what, const rct_solver_options *options)
{
    static const int from[] = {0, 2, 5}, count[] = {2, 3, 3};
    const int64_t n = rct_model_body_count(model);
    double sizes[3];
    sizes_of_terms(sizes, model, b);
    for (int k = 0; k < 3; k++) {
        const double off = difference(a + NUMBERS * n + from[k], b + NUMBERS * n + from[k],
                                      count[k], larger(1.0, 1e-3 * sizes[k]));
        if (!(off <= 1e-12)) {
            fail_msg("%s of %" PRId64 ", %s: sum %d off %.2e", what, n,
                     rct_method_name(options->method), from[k], off);
        }
    }
}

static void expect_alike(const double *a, const double *b, const rct_model *model, const char *what,
                         const rct_solver_options *options)
{
    static const struct part {
        int64_t from, count;
        double least;
    } parts[] = {{0, 3, 9.81}, {3, 3, 9.81}, {6, 3, 1.0}, {9, 4, 1.0}, {13, 3, 1.0}, {16, 3, 1.0}};
    const int64_t n = rct_model_body_count(model);
    expect_sums_alike(a, b, model, what, options);
    for (int k = 0; k < 6; k++) {
        const double off = difference(a + parts[k].from * n, b + parts[k].from * n,
                                      parts[k].count * n, parts[k].least);
        if (!(off <= 1e-12)) {
            fail_msg("%s of %" PRId64 ", %s, pieces of %" PRId64 ", junction %d: part %d off %.2e",
                     what, n, rct_method_name(options->method), options->segment,
                     (int)options->junction, k, off);
        }
    }
}

static void check(const rct_model *model, const char *what)
{
    static const int64_t lengths[] = {0, 1, 2, 5, 8, 40, RCT_SEGMENT_AUTO};
    const int64_t n = rct_model_body_count(model);
    for (int m = 0; m < 2; m++) {
        const rct_method method = m ? RCT_METHOD_RICCATI : RCT_METHOD_ABI;
        const rct_solver_options serial = {.method = method, .backend = "cpu", .segment = 0};
        double *truth = result_of(model, &serial);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k += one ? 4 : few ? 3 : 1) {
            rct_solver_options options = {
                .method = method, .backend = accelerator(), .segment = lengths[k]};
            options.junction = k % 2 ? RCT_JUNCTION_HOST : RCT_JUNCTION_DEVICE;
            double *own = result_of(model, &options);
            expect_alike(own, truth, model, what, &options);
            double *again = result_of(model, &options);
            assert_memory_equal(own, again, (size_t)(NUMBERS * n + SUMS) * sizeof *own);
            options.junction = RCT_JUNCTION_AUTO;
            double *other = result_of(model, &options);
            expect_alike(other, truth, model, what, &options);
            free(own);
            free(again);
            free(other);
        }
        free(truth);
    }
}

static void test_families(void **state)
{
    (void)state;
    static const char *const names[] = {"chain",  "branch", "fork", "comb",
                                        "binary", "random", "star"};
    static const int64_t sizes[] = {7, 150, 700};
    for (size_t k = 0; k < 7 && accelerator() != NULL && !one; k++) {
        for (int i = 0; i < (few ? 2 : 3); i++) {
            const rct_family family = {.family = names[k],
                                       .bodies = sizes[i],
                                       .hinge = RCT_HINGE_BALL,
                                       .seed = 3,
                                       .perturb = 1.0};
            rct_model *model = rct_model_generate(&family, NULL);
            assert_non_null(model);
            check(model, names[k]);
            rct_model_free(model);
        }
    }
}

static void test_random_trees(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR && accelerator() != NULL; shape++) {
        for (uint64_t seed = 1; seed <= (few ? 1 : 3); seed++) {
            const random_system system = {.shape = (random_shape)shape,
                                          .bodies = 40 + 90 * (int32_t)seed,
                                          .fixed = 0.1,
                                          .shuffled = 1,
                                          .spin = 2.0,
                                          .seed = seed};
            rct_model *model = random_system_create(&system);
            assert_non_null(model);
            check(model, "random tree");
            rct_model_free(model);
        }
    }
}

/* A model without links, and one with one link. */
static void test_hardly_anything_moves(void **state)
{
    (void)state;
    for (int moving = 0; moving < 2 && accelerator() != NULL; moving++) {
        rct_model *model = rct_model_create("still", NULL);
        assert_non_null(model);
        for (int i = 0; i < 3; i++) {
            rct_body body = rct_body_default();
            body.hinge = moving && i == 1 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
            body.parent = i - 1;
            body.mass = 1.0 + i;
            body.com[2] = -0.5;
            body.hinge_at[2] = -1.0;
            body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        }
        check(model, "hardly anything");
        rct_model_free(model);
    }
}

/* With the pieces and the place of the junction that the backend chooses. */
static void test_large_systems(void **state)
{
    (void)state;
    static const char *const names[] = {"chain", "branch", "fork", "comb", "binary", "random"};
    for (int k = 0; k < 12 && accelerator() != NULL; k++) {
        const rct_family family = {
            .family = names[k / 2], .bodies = 33334, .hinge = RCT_HINGE_BALL, .seed = 5};
        rct_model *model = rct_model_generate(&family, NULL);
        assert_non_null(model);
        rct_solver_options options = {.method = (rct_method)(k % 2), .backend = "cpu"};
        double *truth = result_of(model, &options);
        options.backend = accelerator();
        options.segment = RCT_SEGMENT_AUTO;
        double *own = result_of(model, &options);
        expect_alike(own, truth, model, names[k / 2], &options);
        free(truth);
        free(own);
        rct_model_free(model);
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_hardly_anything_moves),
    };
    const struct CMUnitTest large[] = {cmocka_unit_test(test_large_systems)};
    const char *which = count > 1 ? arguments[1] : "";
    one = strcmp(which, "one") == 0;
    few = one || strcmp(which, "few") == 0;
    return strcmp(which, "large") == 0 ? cmocka_run_group_tests(large, NULL, NULL)
                                       : cmocka_run_group_tests(tests, NULL, NULL);
}
