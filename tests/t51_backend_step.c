/* A step of every backend, with every method, with segments and without, is one of the Runge-Kutta method written out here with
 * nothing but set_state, evaluate and get_accelerations of the public interface. */
#include "cmocka_all.h"

#include "backend/backend.h"
#include "support/random_system.h"

#include <math.h>

enum { BODIES = 60 };

typedef struct motion {
    double q[BODIES][4], w[BODIES][3]; /* body axes to inertial; rad/s in body axes */
} motion;

/* out = m v, or m^T v */
static void turn(const double q[4], int back, const double v[3], double out[3])
{
    const double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w = back ? -q[0] : q[0], *u = q + 1;
    for (int i = 0; i < 3; i++) { /* v + s (w u x v + u x (u x v)) */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        out[i] = v[i] + s * (w * (u[j] * v[k] - u[k] * v[j]) + u[i] * dot - v[i] * square);
    }
}

/* q' = (1/2) q (0, w), w' = alpha in body axes */
static motion rates_of(rct_solver *solver, const motion *x)
{
    static motion f;
    static double w[BODIES][3], alpha[BODIES][3];
    for (int b = 0; b < BODIES; b++) {
        turn(x->q[b], 0, x->w[b], w[b]);
    }
    assert_int_equal(rct_solver_set_state(solver, x->q[0], w[0], NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, NULL, alpha[0]);
    for (int b = 0; b < BODIES; b++) {
        const double *q = x->q[b], *r = x->w[b];
        turn(q, 1, alpha[b], f.w[b]);
        f.q[b][0] = -0.5 * (q[1] * r[0] + q[2] * r[1] + q[3] * r[2]);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            f.q[b][1 + i] = 0.5 * (q[0] * r[i] + q[1 + j] * r[k] - q[1 + k] * r[j]);
        }
    }
    return f;
}

/* x + h f */
static motion moved(const motion *x, double h, const motion *f)
{
    static motion y;
    for (int b = 0; b < BODIES; b++) {
        for (int i = 0; i < 4; i++) {
            y.q[b][i] = x->q[b][i] + h * f->q[b][i];
        }
        for (int i = 0; i < 3; i++) {
            y.w[b][i] = x->w[b][i] + h * f->w[b][i];
        }
    }
    return y;
}

static motion plain_step(rct_solver *solver, const motion *x, double dt)
{
    static motion k[4], y;
    k[0] = rates_of(solver, x);
    y = moved(x, dt / 2, &k[0]);
    k[1] = rates_of(solver, &y);
    y = moved(x, dt / 2, &k[1]);
    k[2] = rates_of(solver, &y);
    y = moved(x, dt, &k[2]);
    k[3] = rates_of(solver, &y);
    y = moved(x, dt / 6, &k[0]);
    y = moved(&y, dt / 3, &k[1]);
    y = moved(&y, dt / 3, &k[2]);
    y = moved(&y, dt / 6, &k[3]);
    for (int b = 0; b < BODIES; b++) {
        double square = 0.0;
        for (int i = 0; i < 4; i++) {
            square += y.q[b][i] * y.q[b][i];
        }
        for (int i = 0; i < 4; i++) {
            y.q[b][i] /= sqrt(square);
        }
    }
    return y;
}

static motion motion_of(const rct_solver *solver)
{
    static motion x;
    static double w[BODIES][3];
    rct_solver_get_state(solver, x.q[0], w[0], NULL, NULL);
    for (int b = 0; b < BODIES; b++) {
        turn(x.q[b], 1, w[b], x.w[b]);
    }
    return x;
}

/* Which bodies have a state of their own. */
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
    for (int k = 0; k < 5; k++) { /* each step from the same state, so that errors do not pile up */
        const motion x = motion_of(stepped), should = plain_step(plain, &x, dt);
        assert_int_equal(rct_solver_step(stepped, dt, 1, NULL), RCT_OK);
        const motion is = motion_of(stepped);
        for (int b = 0; b < BODIES; b++) {
            for (int i = 0; i < 4 && ball[b]; i++) {
                assert_true(fabs(is.q[b][i] - should.q[b][i]) <= 1e-14);
            }
            for (int i = 0; i < 3 && ball[b]; i++) { /* rates up to 10 rad/s */
                assert_true(fabs(is.w[b][i] - should.w[b][i]) <= 10.0 * 1e-14);
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
            const char *reason;
            const rct_backend *backend = rct_backend_open(i, &reason);
            if (backend != NULL) {
                check_steps(model, backend->name);
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
