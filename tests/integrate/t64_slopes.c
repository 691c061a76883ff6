/* A step of dopri5, whose stages the run sums up in lanes, against one computed from the table of
 * the method in the caller's coordinates and rates, with rates of balls in the axes of their links.
 * Also the same bits of steps with error control for any number of threads. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "integrate/tables.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2048 };

static rct_model *system_of(uint64_t seed, int32_t bodies, int hinges)
{
    const hinge_system system = {
        .tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE, bodies, 0.1, 1, 0.3, seed},
        .hinges = hinges,
        .joint_forces = 1,
        .forces = 3,
        .acting = 6,
        .smooth = 1,
        .ground_moves = 1};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

static rct_solver *solver_of(const rct_model *model, rct_integrator integrator, int64_t segment,
                             int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    options.integrator = integrator;
    options.tolerance = 1.0;
    options.segment = segment;
    options.threads = threads;
    return must_solver(model, &options);
}

/* ---- by hand ------------------------------------------------------------------------------ */

typedef struct by_hand {
    const rct_model *model;
    rct_solver *solver;
    int64_t positions, rates;
} by_hand;

typedef struct numbers {
    double q[MOST], u[MOST];
} numbers;

static int is_absolute(const rct_body *body)
{
    return body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
}

/* Rotates the rates of balls in `u` by the orientations in `q`. */
static void turn(const by_hand *h, const double *q, double *u, int out)
{
    for (int32_t b = 0; b < rct_model_body_count(h->model); b++) {
        double m[3][3], turned[3];
        rct_body body;
        rct_model_body(h->model, b, &body, NULL);
        if (is_absolute(&body)) {
            rct_rotation(q, m);
            if (out) {
                rct_rotate(m, u, turned);
            } else {
                rct_rotate_back(m, u, turned);
            }
            memcpy(u, turned, sizeof turned);
        }
        q += rct_hinge_coordinates(body.hinge), u += rct_hinge_freedoms(body.hinge);
    }
}

/* The slope of the state x at `time`, with its orientations normalized. */
static void slope_of(const by_hand *h, double time, numbers *x, numbers *f)
{
    rct_error error;
    double *q = x->q, *dq = f->q, *u = x->u;
    for (int32_t b = 0; b < rct_model_body_count(h->model); b++) {
        rct_body body;
        rct_model_body(h->model, b, &body, NULL);
        const int absolute = is_absolute(&body);
        const int turned = absolute ? 4 : 0, slid = rct_hinge_coordinates(body.hinge) - turned;
        if (absolute) {
            const double length = sqrt(rct_dot(q, q) + q[3] * q[3]);
            const double half[4] = {0.0, 0.5 * u[0], 0.5 * u[1], 0.5 * u[2]};
            for (int i = 0; i < 4; i++) {
                q[i] /= length;
            }
            rct_quaternion_product(q, half, dq);
        }
        for (int i = 0; i < slid; i++) {
            dq[turned + i] = u[(absolute ? 3 : 0) + i];
        }
        q += turned + slid, dq += turned + slid, u += rct_hinge_freedoms(body.hinge);
    }
    numbers shown = *x;
    turn(h, shown.q, shown.u, 1);
    rct_solver_set_time(h->solver, time);
    assert_int_equal(rct_solver_set_coordinates(h->solver, shown.q, shown.u, &error), RCT_OK);
    assert_int_equal(rct_solver_evaluate(h->solver, &error), RCT_OK);
    rct_solver_get_rate_derivatives(h->solver, f->u);
    turn(h, shown.q, f->u, 0);
}

static void step_by_hand(const by_hand *h, double dt, numbers *x)
{
    static numbers f[DOPRI5_STAGES];
    const numbers start = *x;
    for (int i = 0; i < DOPRI5_STAGES; i++) {
        *x = start;
        for (int k = 0; k < i; k++) {
            for (int64_t j = 0; j < h->positions; j++) {
                x->q[j] += dt * rct_dopri5_a[i][k] * f[k].q[j];
            }
            for (int64_t j = 0; j < h->rates; j++) {
                x->u[j] += dt * rct_dopri5_a[i][k] * f[k].u[j];
            }
        }
        slope_of(h, dt * rct_dopri5_c[i], x, &f[i]);
    }
}

static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]) / larger(1.0, fabs(b[i])));
    }
    return most;
}

static void expect_step(const rct_model *model, int64_t segment)
{
    static numbers found, truth;
    const double dt = 2e-4;
    rct_solver_info info;
    rct_solver *solver = solver_of(model, RCT_INTEGRATOR_DOPRI5, segment, 1);
    rct_stepping taken;
    by_hand h = {.model = model, .solver = solver_of(model, RCT_INTEGRATOR_RK4, 0, 1)};
    rct_solver_get_info(solver, &info);
    h.positions = info.coordinates, h.rates = info.dof;
    assert_true(h.positions <= MOST && h.rates <= MOST);
    rct_solver_get_coordinates(solver, truth.q, truth.u);
    turn(&h, truth.q, truth.u, 0);
    step_by_hand(&h, dt, &truth);
    turn(&h, truth.q, truth.u, 1);
    must_step(solver, dt, 1);
    rct_solver_get_stepping(solver, &taken);
    assert_int_equal(taken.steps, 1);
    rct_solver_get_coordinates(solver, found.q, found.u);
    assert_true(apart(found.q, truth.q, h.positions) < 1e-13);
    assert_true(apart(found.u, truth.u, h.rates) < 1e-12);
    rct_solver_free(solver);
    rct_solver_free(h.solver);
}

static void test_a_step_is_that_of_the_table(void **state)
{
    (void)state;
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 0, 5, RCT_SEGMENT_WHOLE};
    static const int hinges[] = {ALL_HINGES, 1 << RCT_HINGE_BALL, 1 << RCT_HINGE_REVOLUTE,
                                 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_UNIVERSAL};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rct_model *model = system_of(seed, 40 + 30 * (int32_t)(seed % 3), hinges[seed % 4]);
        for (int k = 0; k < 4; k++) {
            expect_step(model, segments[k]);
        }
        rct_model_free(model);
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

static void test_threads_change_no_bit(void **state)
{
    (void)state;
    static numbers own[2];
    static const rct_integrator adaptive[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
    static const int hinges[] = {ALL_HINGES, 1 << RCT_HINGE_BALL, 1 << RCT_HINGE_REVOLUTE};
    for (int k = 0; k < 6; k++) {
        rct_model *model = system_of(20 + (uint64_t)k, 160, hinges[k / 2]);
        for (int i = 0; i < 2; i++) {
            rct_solver *solver = solver_of(model, adaptive[k % 2], 7, 1 + 2 * i);
            memset(&own[i], 0, sizeof own[i]);
            must_step(solver, 0.004, 4);
            rct_solver_get_coordinates(solver, own[i].q, own[i].u);
            rct_solver_free(solver);
        }
        assert_memory_equal(&own[0], &own[1], sizeof own[0]);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_that_of_the_table),
        cmocka_unit_test(test_threads_change_no_bit),
    };
    return cmocka_run_group_tests_name("slopes", tests, NULL, NULL);
}
