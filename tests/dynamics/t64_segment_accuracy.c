/* Segments against the Lagrangian equations in quadruple precision: hard chains, every method and
 * many segment lengths, to 1e-12 and never worse than three times the serial sweep. */
#include "tests/support/cmocka_all.h"

#include "tests/dynamics/hard_chain.h"
#include "tests/support/larger.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BODIES = 1500 };

typedef struct rows {
    double linear[3 * BODIES], angular[3 * BODIES], force[3 * BODIES];
} rows;

static double difference(const double *a, const double *truth, double least)
{
    double apart = 0.0;
    double scale = least;
    for (int i = 0; i < 3 * BODIES; i++) {
        apart = larger(apart, fabs(a[i] - truth[i]));
        scale = larger(scale, fabs(truth[i]));
    }
    return apart / scale;
}

static double error_of(const rct_model *model, rct_method method, int64_t segment,
                       const rows *truth, rows *own)
{
    const rct_solver_options options = {
        .method = method, .backend = "cpu", .threads = 2, .segment = segment};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, own->linear, own->angular);
    rct_solver_get_hinge_forces(solver, own->force, NULL);
    rct_solver_free(solver);
    return larger(difference(own->linear, truth->linear, 9.81),
                  larger(difference(own->angular, truth->angular, 9.81),
                         difference(own->force, truth->force, 1.0)));
}

static void check(hard_chain kind)
{
    static const int64_t lengths[] = {2, 3, 5, 16, 64, 200, 1000, RCT_SEGMENT_AUTO};
    /* elbows between light rods that carry heavy ones cost digits, serial or not (docs/accuracy.md) */
    const int elbows = kind == HARD_HEAVY || kind == HARD_TIP;
    const double most = elbows ? 1e-9 : 1e-12;
    const double times = elbows ? 10.0 : 3.0;
    rct_model *model = hard_chain_create(kind, BODIES, 1e-3);
    rows *truth = malloc(sizeof *truth), *own = malloc(sizeof *own);
    assert_true(truth != NULL && own != NULL);
    rct_reference_result reference = {
        .linear = truth->linear, .angular = truth->angular, .force = truth->force};
    assert_int_equal(
        rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &reference, NULL),
        RCT_OK);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        const double serial = error_of(model, (rct_method)method, 0, truth, own);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const double e = error_of(model, (rct_method)method, lengths[k], truth, own);
            if (!(e < most && e <= times * serial + 2e-15)) {
                fail_msg("kind %d, method %d, segments of %" PRId64 ": %g, serial %g", (int)kind,
                         method, lengths[k], e, serial);
            }
        }
    }
    free(truth);
    free(own);
    rct_model_free(model);
}

static void test_segments_are_as_accurate_as_the_serial_sweep(void **state)
{
    (void)state;
    for (int kind = 0; kind < HARD_KINDS; kind++) {
        check((hard_chain)kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_are_as_accurate_as_the_serial_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
