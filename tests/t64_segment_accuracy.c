/* Segments against the Lagrangian equations in quadruple precision: hard chains, every method and many
 * segment lengths, to 1e-12 and never worse than twice the serial sweep. */
#include "cmocka_all.h"

#include "support/draw.h"
#include "support/larger.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BODIES = 1500 };

typedef enum chain_kind {
    STRAIGHT, /* nearly, leaning: tension from end to end */
    CRUMPLED, /* every rod in a direction of its own      */
    SPINNING, /* crumpled, up to 100 rad/s                */
    UNEQUAL,  /* crumpled, rods of 1 kg and 1 mg in turn  */
    KINDS
} chain_kind;

static uint64_t draws;

static double draw(void)
{
    return draw_between(&draws, -1.0, 1.0);
}

static rct_model *chain_of(chain_kind kind)
{
    rct_model *model = rct_model_create(NULL, NULL);
    const double lean[4] = {0.7, 0.3, -0.5, 0.4};
    draws = 17;
    for (int32_t i = 0; i < BODIES; i++) {
        rct_body rod = rct_body_default();
        const double m = kind == UNEQUAL && i % 2 == 1 ? 1e-6 : 1.0;
        rod.parent = i - 1;
        rod.hinge_at[2] = i > 0 ? -1.0 : 0.0;
        rod.mass = m;
        rod.com[2] = -0.5;
        rod.inertia[0] = rod.inertia[1] = m * (3.0 * 0.0025 + 1.0) / 12.0;
        rod.inertia[2] = m * 0.0025 / 2.0;
        for (int k = 0; k < 4; k++) {
            rod.orientation[k] = kind == STRAIGHT ? lean[k] + 1e-3 * draw() : draw();
        }
        for (int k = 0; k < 3; k++) {
            rod.angular_velocity[k] = (kind == SPINNING ? 100.0 : 1.0) * draw();
        }
        assert_int_equal(rct_model_add_body(model, &rod, NULL, NULL), RCT_OK);
    }
    return model;
}

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

static void check(chain_kind kind)
{
    static const int64_t lengths[] = {2, 3, 5, 16, 64, 200, 1000, RCT_SEGMENT_AUTO};
    rct_model *model = chain_of(kind);
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
            if (!(e < 1e-12 && e <= 2.0 * serial + 2e-15)) {
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
    for (int kind = 0; kind < KINDS; kind++) {
        check((chain_kind)kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_are_as_accurate_as_the_serial_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
