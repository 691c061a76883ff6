/* The same system described in different ways: ball hinges as a plan, helical hinges without pitch,
 * hinges split into simpler ones with almost massless bodies between them. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"

#include <math.h>
#include <string.h>

/* ---- ball hinges as a plan ---------------------------------------------------------- */

enum { BODIES = 40 };

typedef struct results {
    double linear[3 * BODIES], angular[3 * BODIES], force[3 * BODIES], moment[3 * BODIES];
    double rates[3 * BODIES], outboard[12 * BODIES], inboard[12 * BODIES];
} results;

static results results_of(rct_solver *solver)
{
    results r;
    memset(&r, 0, sizeof r);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, r.linear, r.angular);
    rct_solver_get_hinge_forces(solver, r.force, r.moment);
    rct_solver_get_rate_derivatives(solver, r.rates);
    rct_solver_get_state_vectors(solver, r.outboard, r.inboard);
    return r;
}

static void expect_close(const double *a, const double *b, int count, double limit)
{
    double worst = 0.0, size = 1.0;
    for (int i = 0; i < count; i++) {
        worst = larger(worst, fabs(a[i] - b[i]));
        size = larger(size, fabs(b[i]));
    }
    if (!(worst <= limit * size)) {
        fail_msg("%g apart of %g", worst, size);
    }
}

static void expect_same_results(rct_solver *general, rct_solver *ball)
{
    const results m = results_of(general), b = results_of(ball);
    expect_close(m.linear, b.linear, 3 * BODIES, 1e-12);
    expect_close(m.angular, b.angular, 3 * BODIES, 1e-12);
    expect_close(m.force, b.force, 3 * BODIES, 1e-12);
    expect_close(m.moment, b.moment, 3 * BODIES, 1e-12);
    expect_close(m.rates, b.rates, 3 * BODIES, 1e-12);
    expect_close(m.outboard, b.outboard, 12 * BODIES, 1e-12);
    expect_close(m.inboard, b.inboard, 12 * BODIES, 1e-12);
}

/* By a plan of ball hinges, and with the option of user forces but without a function. */
static void test_ball_hinges(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const random_system system = {
            (random_shape)(seed % 4), BODIES, seed % 2 ? 0.2 : 0.0, 1, 1.0, seed};
        rct_solver_options options = rct_solver_options_default();
        rct_model *model = random_system_create(&system);
        rct_measures m, b;
        assert_non_null(model);
        options.backend = "cpu";
        options.segment = seed % 3 ? 5 : 0;
        rct_solver *ball = motion_solver(model, &options);
        options.user_forces = 1;
        rct_solver *general = motion_solver(model, &options);
        assert_int_equal(rct_solver_set_force_function(general, NULL, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_set_force_function(ball, NULL, NULL, NULL),
                         RCT_ERROR_UNSUPPORTED);
        expect_same_results(general, ball);
        must_step(ball, 1e-3, 100);
        must_step(general, 1e-3, 100);
        assert_true(motion_apart(general, ball) < 1e-9);
        rct_solver_measure(ball, &b);
        rct_solver_measure(general, &m);
        assert_true(fabs(m.kinetic - b.kinetic) < 1e-9 * b.kinetic);
        assert_true(fabs(m.potential - b.potential) < 1e-9 * b.kinetic);
        expect_close(m.momentum, b.momentum, 3, 1e-9);
        expect_close(m.angular_momentum, b.angular_momentum, 3, 1e-9);
        rct_solver_free(ball);
        rct_solver_free(general);
        rct_model_free(model);
    }
}

/* ---- hinges in other words ---------------------------------------------------------------- */

/* Helical hinges of pitch 0 instead of revolute ones, and the reverse. */
static void swap_helical(rct_body *body, const void *context)
{
    (void)context;
    if (body->hinge == RCT_HINGE_REVOLUTE) {
        body->hinge = RCT_HINGE_HELICAL;
    } else if (body->hinge == RCT_HINGE_HELICAL) {
        body->hinge = RCT_HINGE_REVOLUTE;
        body->hinge_pitch = 0.0;
    }
}

static void flatten(rct_body *body, const void *context)
{
    (void)context;
    body->hinge_pitch = 0.0;
}

static void test_helical_without_pitch_is_revolute(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const hinge_system system = {
            .tree = {.shape = (random_shape)(seed % 4), .bodies = 15, .spin = 1.0, .seed = seed},
            .hinges = 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_HELICAL | 1 << RCT_HINGE_BALL,
            .joint_forces = 1,
            .forces = 4,
            .ground_moves = 1};
        rct_model *drawn = motion_model(&system, STAY_ALL, NULL);
        rct_model *model = motion_changed(drawn, flatten, NULL);
        rct_model *other = motion_changed(model, swap_helical, NULL);
        rct_solver *a = motion_any(model, seed), *b = motion_any(other, seed);
        must_step(a, 1e-3, 100);
        must_step(b, 1e-3, 100);
        assert_true(motion_apart(a, b) < 1e-11);
        assert_true(motion_coordinates_apart(a, b) < 1e-11);
        rct_solver_free(a);
        rct_solver_free(b);
        rct_model_free(drawn);
        rct_model_free(model);
        rct_model_free(other);
    }
}

static rct_body solid(rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.hinge = hinge;
    memcpy(body.hinge_at, (double[]){0.1, 0.2, -0.3}, sizeof body.hinge_at);
    memcpy(body.hinge_orientation, (double[]){0.9, 0.1, -0.3, 0.2}, sizeof body.hinge_orientation);
    memcpy(body.hinge_axis, (double[]){0.2, 1.0, 0.4}, sizeof body.hinge_axis);
    body.mass = 2.0;
    memcpy(body.com, (double[]){0.3, -0.2, -0.5}, sizeof body.com);
    memcpy(body.inertia, (double[]){0.3, 0.4, 0.5, 0.02, -0.03, 0.01}, sizeof body.inertia);
    memcpy(body.position, (double[]){0.4, -0.3, 0.7}, sizeof body.position);
    memcpy(body.rate, (double[]){1.0, -2.0, 0.5}, sizeof body.rate);
    return body;
}

/* Motion of the last body with the hinge, and with separate freedoms: types, axes, and the rate of
 * the hinge for each. */
typedef struct apart_hinge {
    int count;
    rct_hinge_type type[3];
    double axis[3][3];
    int rate[3];
} apart_hinge;

/* A body on that hinge, with a rod on it, on a ground that moves. */
static rct_model *around(void)
{
    rct_base base = rct_base_default();
    rct_model *model = rct_model_create("apart", NULL);
    memcpy(base.acceleration, (double[]){1.0, 2.0, 0.0}, sizeof base.acceleration);
    base.rate = 0.7;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    return model;
}

static void add_rod(rct_model *model, int32_t parent)
{
    rct_body rod = solid(RCT_HINGE_REVOLUTE);
    rod.parent = parent;
    rod.position[1] = rod.position[2] = rod.rate[1] = rod.rate[2] = 0.0;
    must_add(model, &rod);
}

static rct_model *whole_model(const rct_body *body)
{
    rct_model *model = around();
    must_add(model, body);
    add_rod(model, 0);
    return model;
}

/* The bodies between have almost no mass. */
static rct_model *parts_model(const rct_body *body, const apart_hinge *apart, double mass)
{
    rct_model *model = around();
    for (int k = 0; k < apart->count; k++) {
        rct_body part = k + 1 < apart->count ? rct_body_default() : *body;
        part.hinge = apart->type[k];
        part.parent = k - 1;
        if (k > 0) {
            memset(part.hinge_at, 0, sizeof part.hinge_at);
            memcpy(part.hinge_orientation, (double[]){1.0, 0.0, 0.0, 0.0},
                   sizeof part.hinge_orientation);
        } else {
            memcpy(part.hinge_at, body->hinge_at, sizeof part.hinge_at);
            memcpy(part.hinge_orientation, body->hinge_orientation, sizeof part.hinge_orientation);
        }
        if (k + 1 < apart->count) {
            part.mass = mass;
            part.inertia[0] = part.inertia[1] = part.inertia[2] = mass;
        }
        memcpy(part.hinge_axis, apart->axis[k], sizeof part.hinge_axis);
        memcpy(part.hinge_axis2, rct_body_default().hinge_axis2, sizeof part.hinge_axis2);
        memset(part.position, 0, sizeof part.position);
        memset(part.rate, 0, sizeof part.rate);
        part.position[0] = body->position[apart->rate[k]];
        part.rate[0] = body->rate[apart->rate[k]];
        must_add(model, &part);
    }
    add_rod(model, apart->count - 1);
    return model;
}

/* The largest difference of the last two bodies of both models. */
static double last_apart(const rct_solver *a, int32_t na, const rct_solver *b, int32_t nb)
{
    double x[4][15], y[4][15], worst = 0.0;
    rct_solver_get_state(a, NULL, x[0], x[1], x[2]);
    rct_solver_get_state(b, NULL, y[0], y[1], y[2]);
    for (int f = 0; f < 3; f++) {
        for (int i = 0; i < 6; i++) {
            worst = larger(worst, fabs(x[f][3 * (na - 2) + i] - y[f][3 * (nb - 2) + i]));
        }
    }
    return worst;
}

/* The bodies between cause an error by their mass. */
static void check_apart(const rct_body *body, const apart_hinge *apart)
{
    rct_model *whole = whole_model(body);
    double off[2];
    for (int k = 0; k < 2; k++) {
        rct_model *parts = parts_model(body, apart, k ? 1e-9 : 1e-6);
        rct_solver *a = motion_any(whole, 1), *b = motion_any(parts, 1);
        must_step(a, 1e-3, 300);
        must_step(b, 1e-3, 300);
        off[k] = last_apart(a, 2, b, apart->count + 1);
        rct_solver_free(a);
        rct_solver_free(b);
        rct_model_free(parts);
    }
    if (!(off[0] < 1e-4 && off[1] < 1e-7 && off[1] < 1e-2 * off[0])) {
        fail_msg("%s: %g and %g apart", rct_hinge_name(body->hinge), off[0], off[1]);
    }
    rct_model_free(whole);
}

static void test_hinges_taken_apart(void **state)
{
    (void)state;
    const rct_hinge_type r = RCT_HINGE_REVOLUTE, p = RCT_HINGE_PRISMATIC;
    rct_body body = solid(RCT_HINGE_UNIVERSAL);
    memcpy(body.hinge_axis2, (double[]){1.0, 0.1, -0.4}, sizeof body.hinge_axis2);
    body.position[2] = body.rate[2] = 0.0;
    apart_hinge universal = {2, {r, r}, {{0.2, 1.0, 0.4}, {1.0, 0.1, -0.4}}, {0, 1}};
    check_apart(&body, &universal);
    body = solid(RCT_HINGE_CYLINDRICAL);
    body.position[2] = body.rate[2] = 0.0;
    apart_hinge cylindrical = {2, {r, p}, {{0.2, 1.0, 0.4}, {0.2, 1.0, 0.4}}, {0, 1}};
    check_apart(&body, &cylindrical);
    apart_hinge turned = {2, {p, r}, {{0.2, 1.0, 0.4}, {0.2, 1.0, 0.4}}, {1, 0}};
    check_apart(&body, &turned);
    body = solid(RCT_HINGE_PLANAR);
    memcpy(body.hinge_axis, (double[]){0.0, 3.0, 0.0}, sizeof body.hinge_axis);
    memcpy(body.hinge_axis2, (double[]){1.0, 0.5, 0.0}, sizeof body.hinge_axis2);
    apart_hinge planar = {
        3, {p, p, r}, {{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}}, {0, 1, 2}};
    check_apart(&body, &planar);
}

/* A nut on a screw: (I + m p^2) angle'' = -m g p. */
static void test_a_nut_on_a_screw(void **state)
{
    (void)state;
    const double m = 3.0, inertia = 0.2, pitch = 0.5;
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_HELICAL;
    body.hinge_pitch = pitch;
    body.mass = m;
    body.inertia[0] = body.inertia[1] = 0.3;
    body.inertia[2] = inertia;
    rct_model *model = rct_model_create("screw", NULL);
    must_add(model, &body);
    rct_solver *solver = motion_any(model, 0);
    double q, u, r[3];
    must_step(solver, 1e-2, 100);
    rct_solver_get_coordinates(solver, &q, &u);
    rct_solver_get_state(solver, NULL, NULL, r, NULL);
    const double rate = -m * 9.81 * pitch / (inertia + m * pitch * pitch);
    assert_true(fabs(q - 0.5 * rate) < 1e-12 && fabs(u - rate) < 1e-12);
    assert_true(fabs(r[2] - pitch * q) < 1e-13);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_hinges),
        cmocka_unit_test(test_helical_without_pitch_is_revolute),
        cmocka_unit_test(test_hinges_taken_apart),
        cmocka_unit_test(test_a_nut_on_a_screw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
