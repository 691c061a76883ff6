/* A step of every backend, with every method, with and without segments, against the Runge-Kutta
 * method written out with only set_state, evaluate and get_accelerations of the public
 * interface. */
#include "tests/support/cmocka_all.h"

#include "backend/backend.h"
#include "tests/support/answers/plain_rk4.h"
#include "tests/support/systems/random_system.h"

#include <math.h>

enum { BODIES = 60 };

/* The bodies that have a state of their own. */
static void find_balls(const rct_model *model, int *ball)
{
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        ball[b] = body.hinge == RCT_HINGE_BALL;
    }
}

static void check_step(const rct_model *model, const rct_solver_options *options)
{
    rct_solver *stepped = rct_solver_create(model, options, NULL);
    rct_solver *plain = rct_solver_create(model, options, NULL);
    const double dt = 2e-3;
    int ball[BODIES];
    find_balls(model, ball);
    assert_non_null(stepped);
    assert_non_null(plain);
    for (int k = 0; k < 5; k++) { /* always from the same state, so that errors do not pile up */
        double x[BODIES][PLAIN_ROW], should[BODIES][PLAIN_ROW], is[BODIES][PLAIN_ROW];
        plain_motion_get(stepped, BODIES, x[0]);
        assert_true(plain_stage(plain, BODIES, x[0], dt, PLAIN_END, should[0]));
        assert_int_equal(rct_solver_step(stepped, dt, 1, NULL), RCT_OK);
        plain_motion_get(stepped, BODIES, is[0]);
        for (int b = 0; b < BODIES; b++) {
            for (int i = 0; i < PLAIN_ROW && ball[b]; i++) { /* rates up to 10 rad/s */
                assert_true(fabs(is[b][i] - should[b][i]) <= (i < 4 ? 1e-14 : 10.0 * 1e-14));
            }
        }
    }
    rct_solver_free(stepped);
    rct_solver_free(plain);
}

static void check_steps(const rct_model *model, const char *backend)
{
    const rct_solver_options variants[] = {
        {.method = RCT_METHOD_ABI, .backend = backend},
        {.method = RCT_METHOD_ABI, .backend = backend, .threads = 2, .segment = 2},
        {.method = RCT_METHOD_ABI, .backend = backend, .threads = 1, .segment = 9, .lanes = 2},
        {.method = RCT_METHOD_ABI, .backend = backend, .segment = RCT_SEGMENT_AUTO},
        {.method = RCT_METHOD_RICCATI, .backend = backend},
    };
    for (int v = 0; v < 5; v++) {
        check_step(model, &variants[v]);
    }
}

static void test_step_is_the_runge_kutta_method(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_CHAIN; shape++) {
        const random_system system = {.shape = (random_shape)shape,
                                      .bodies = BODIES,
                                      .fixed = 0.2,
                                      .shuffled = 1,
                                      .spin = 2.0,
                                      .seed = 11};
        rct_model *model = random_system_create(&system);
        assert_non_null(model);
        for (int32_t i = 0; i < rct_backend_count(); i++) {
            rct_backend_info info;
            assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
            if (info.available) {
                check_steps(model, info.name);
            }
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_is_the_runge_kutta_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
