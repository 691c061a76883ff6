/* Hubs in motion: many arms closed to one body stay closed over steps, as with embedding, with the
 * same bits for any number of threads; duplicate closures change nothing. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARMS = 40, BODIES = 2 * ARMS + 1, STEPS = 10 };

static rct_model *hub(rct_hinge_type hinge, int twice)
{
    rct_family family = rct_family_default();
    family.family = "hub";
    family.bodies = BODIES;
    family.hinge = hinge;
    family.perturb = 0.02;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    for (int32_t i = 0; i < twice; i++) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(model, i, &loop, NULL), RCT_OK);
        loop.name = NULL;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

/* Positions and velocities [3 BODIES] each after the steps, during which the loops stay closed. */
static void move(const rct_model *model, rct_closing closing, int32_t threads, int32_t rank,
                 double *state)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = "cpu";
    options.closing = closing;
    options.threads = threads;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    for (int i = 0; i < STEPS; i++) {
        rct_loop_info info;
        assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_OK);
        rct_solver_get_loop_info(solver, &info);
        assert_true(info.position < 1e-13 && info.velocity < 1e-12);
        assert_int_equal(info.rank, rank);
        assert_int_equal(info.redundant, info.constraints - rank);
    }
    rct_solver_get_state(solver, NULL, NULL, state, state + 3 * BODIES);
    rct_solver_free(solver);
}

static double apart(const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < 6 * BODIES; i++) {
        most = larger(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void test_motion(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        double one[6 * BODIES], other[6 * BODIES];
        const int32_t rank = (flat ? 2 : 3) * ARMS;
        rct_model *model = hub(flat ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL, 0);
        move(model, RCT_CLOSING_ADMITTANCE, 1, rank, one);
        for (int32_t threads = 2; threads <= 3; threads++) {
            move(model, RCT_CLOSING_ADMITTANCE, threads, rank, other);
            assert_memory_equal(one, other, sizeof one);
        }
        move(model, RCT_CLOSING_EMBEDDING, 1, rank, other);
        assert_true(apart(one, other) < 1e-10);
        rct_model_free(model);
        model = hub(flat ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL, ARMS);
        move(model, RCT_CLOSING_ADMITTANCE, 1, rank, other);
        assert_true(apart(one, other) < 1e-10);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
