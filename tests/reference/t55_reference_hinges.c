/* The Lagrangian reference on one body of every hinge type against closed forms. */
#include "tests/support/cmocka_all.h"

#include "reference/quad.h"
#include "tests/support/larger.h"

#include <riccatree/force.h>
#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

typedef struct outcome {
    double linear[3], angular[3], force[3], moment[3], derivatives[6];
} outcome;

/* The body, perhaps a force and a motion of the ground, at time t. */
static outcome evaluate(const rct_body *body, const rct_force *force, const rct_base *base,
                        double t)
{
    outcome out;
    rct_error error = {0};
    rct_model *model = rct_model_create("one", NULL);
    rct_reference_result result = {out.linear, out.angular,     out.force,
                                   out.moment, out.derivatives, NAN};
    assert_int_equal(rct_model_add_body(model, body, NULL, &error), RCT_OK);
    if (force != NULL) {
        assert_int_equal(rct_model_add_force(model, force, NULL, &error), RCT_OK);
    }
    if (base != NULL) {
        assert_int_equal(rct_model_set_base(model, base, &error), RCT_OK);
    }
    assert_int_equal(
        rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, t, NULL, NULL, &result, &error),
        RCT_OK);
    assert_true(result.residual < 1e-20);
    rct_model_free(model);
    return out;
}

static void expect(double value, double closed)
{
    if (!(fabs(value - closed) < 1e-13 * (1.0 + fabs(closed)))) {
        fail_msg("%.17g is not %.17g", value, closed);
    }
}

/* Mass 2 kg, hinge along `axis` with a spring, a damper and an applied force on the first freedom. */
static rct_body sprung(rct_hinge_type hinge, double x, double y, double z)
{
    rct_body body = rct_body_default();
    body.hinge = hinge;
    body.hinge_axis[0] = x;
    body.hinge_axis[1] = y;
    body.hinge_axis[2] = z;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.7;
    body.position[0] = 0.6;
    body.rate[0] = -1.4;
    body.stiffness[0] = 5.0;
    body.rest[0] = 0.1;
    body.damping[0] = 0.3;
    body.applied[0] = 1.7;
    return body;
}

/* applied - stiffness (q - rest) - damping u of it */
static const double tau = 1.7 - 5.0 * 0.5 + 0.3 * 1.4;

/* (I + m l^2) q.. = tau - m g l sin q, the com l below an axis y */
static void test_pendulum(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_REVOLUTE, 0.0, 3.0, 0.0);
    body.com[2] = -0.8;
    const double m = body.mass, l = 0.8, q = body.position[0], u = body.rate[0];
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    const double a = (tau - m * g * l * sin(q)) / (0.7 + m * l * l);
    expect(out.derivatives[0], a);
    expect(out.angular[1], a);
    expect(out.moment[1], tau);
    expect(out.linear[0], 0.0);
    /* com at l (-sin q, 0, -cos q) */
    expect(out.force[0], m * l * (-a * cos(q) + u * u * sin(q)));
    expect(out.force[2], m * (g + l * (a * sin(q) + u * u * cos(q))));
}

/* The same pendulum with an accelerated ground: its gravity is g - A. */
static void test_pendulum_on_an_accelerated_ground(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_REVOLUTE, 0.0, 1.0, 0.0);
    body.com[2] = -0.8;
    rct_base base = rct_base_default();
    base.acceleration[0] = 3.0;
    base.acceleration[2] = -2.0;
    const double m = body.mass, l = 0.8, q = body.position[0];
    const outcome out = evaluate(&body, NULL, &base, 0.0);
    const double turning = -m * l * ((g - 2.0) * sin(q) - 3.0 * cos(q));
    expect(out.derivatives[0], (tau + turning) / (0.7 + m * l * l));
    expect(out.linear[0], 3.0);
    expect(out.linear[2], -2.0);
}

/* m q.. = tau - m g e_z along a hinge that the hinge's orientation rotates from x to z, and 30
 * degrees further */
static void test_slider(void **state)
{
    (void)state;
    const double angle = acos(-1.0) / 3.0;
    rct_body body = sprung(RCT_HINGE_PRISMATIC, 1.0, 0.0, 0.0);
    body.com[1] = 0.4; /* of no consequence: it does not turn */
    body.hinge_orientation[0] = cos(angle / 2.0);
    body.hinge_orientation[2] = -sin(angle / 2.0); /* x to (cos, 0, sin) */
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    const double a = tau / body.mass - g * sin(angle);
    expect(out.derivatives[0], a);
    expect(out.linear[0], a * cos(angle));
    expect(out.linear[2], a * sin(angle));
    expect(larger(fabs(out.angular[0]), fabs(out.angular[1])), 0.0);
    expect(out.force[0] * cos(angle) + out.force[2] * sin(angle), tau);
}

/* (I + m h^2) q.. = tau - m h g on a vertical screw */
static void test_screw(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_HELICAL, 0.0, 0.0, 1.0);
    body.hinge_pitch = 0.35;
    const double h = body.hinge_pitch, m = body.mass;
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    const double a = (tau - m * h * g) / (0.7 + m * h * h);
    expect(out.derivatives[0], a);
    expect(out.linear[2], h * a);
    expect(out.angular[2], a);
    expect(out.moment[2] + h * out.force[2], tau);
}

/* Angle and displacement along z are independent. */
static void test_cylindrical(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_CYLINDRICAL, 0.0, 0.0, 1.0);
    body.com[0] = 0.25;
    body.rate[1] = 0.9;
    body.damping[1] = 0.5;
    body.applied[1] = 4.0;
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    expect(out.derivatives[0], tau / (0.7 + body.mass * 0.25 * 0.25));
    expect(out.derivatives[1], (4.0 - 0.5 * 0.9) / body.mass - g);
}

/* In the x-z plane, axis -y, axis2 x, so that the second direction is -y x x = z; a disc about its centre. */
static void test_planar(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_PLANAR, 0.0, -1.0, 0.0);
    body.position[2] = 1.0;
    body.rate[2] = 2.0;
    body.applied[2] = 0.8;
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    expect(out.derivatives[0], tau / body.mass);
    expect(out.derivatives[1], -g);
    expect(out.derivatives[2], 0.8 / 0.7);
    expect(out.angular[1], -0.8 / 0.7);
}

/* Axis x, axis2 y, w = (a. cos b, b., a. sin b) in body axes, inertia A, B, C and a product D of x and y:
 * (A cos^2 b + C sin^2 b) a.. + D cos b b.. = tau_1 - 2 (C - A) sin b cos b a. b. + D sin b b.^2
 * D cos b a.. + B b.. = tau_2 + (C - A) sin b cos b a.^2 */
static void test_spinning_universal(void **state)
{
    (void)state;
    const double A = 0.7, B = 0.9, C = 0.5, D = 0.2, b = -0.8, da = -1.4, db = 2.3;
    rct_body body = sprung(RCT_HINGE_UNIVERSAL, 1.0, 0.0, 0.0);
    const double j[6] = {A, B, C, D, 0.0, 0.0};
    memcpy(body.inertia, j, sizeof j);
    body.hinge_axis2[0] = 0.0;
    body.hinge_axis2[1] = 1.0;
    body.position[1] = b;
    body.rate[1] = db;
    body.applied[1] = 0.4;
    const outcome out = evaluate(&body, NULL, NULL, 0.0);
    const double s = sin(b), c = cos(b);
    const double m11 = A * c * c + C * s * s, m12 = D * c, m22 = B;
    const double r1 = tau - 2.0 * (C - A) * s * c * da * db + D * s * db * db;
    const double r2 = 0.4 + (C - A) * s * c * da * da;
    const double det = m11 * m22 - m12 * m12;
    expect(out.derivatives[0], (r1 * m22 - r2 * m12) / det);
    expect(out.derivatives[1], (r2 * m11 - r1 * m12) / det);
}

/* The centre of mass falls, whatever rotates about it: a = g - w. x c - w x (w x c), principal axes
 * about C. */
static void test_free_fall(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    const double c[3] = {0.3, -0.2, 0.5}, w[3] = {0.7, -1.1, 0.4}, j[3] = {0.4, 0.5, 0.3};
    body.hinge = RCT_HINGE_FREE;
    body.mass = 3.0;
    for (int a = 0; a < 3; a++) {
        body.com[a] = c[a];
        body.angular_velocity[a] = w[a];
        body.inertia[a] = j[a];
        body.position[a] = 1.0 + a;
        body.rate[a] = 2.0 - a;
    }
    rct_base base = rct_base_default(); /* of no consequence to it */
    base.acceleration[1] = 5.0;
    base.rate = 1.0;
    const outcome out = evaluate(&body, NULL, &base, 1.0);
    const double wc = w[0] * c[0] + w[1] * c[1] + w[2] * c[2];
    const double ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    double dw[3];
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        dw[a] = (j[b] - j[d]) / j[a] * w[b] * w[d];
        expect(out.angular[a], dw[a]);
        expect(out.derivatives[a], dw[a]);
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        const double turning = dw[b] * c[d] - dw[d] * c[b] + w[a] * wc - c[a] * ww;
        expect(out.linear[a], (a == 2 ? -g : 0.0) - turning);
        expect(out.derivatives[3 + a], out.linear[a]);
        assert_true(out.force[a] == 0.0 && out.moment[a] == 0.0);
    }
}

/* A free ball on a spring to the ground: m a = m g + k (|d| - L) d / |d| + c |d|. d / |d|; at distance 0 none. */
static void test_spring_between_points(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    rct_force f = rct_force_default();
    rct_base base = rct_base_default();
    base.velocity[0] = 100.0; /* the end on the ground stays where it is */
    body.hinge = RCT_HINGE_FREE;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    f.type = RCT_FORCE_SPRING;
    f.stiffness = 12.0;
    f.damping = 3.0;
    f.length = 4.0;
    f.other_at[0] = 3.0;
    f.other_at[2] = 4.0; /* |d| = 5 */
    body.rate[0] = -2.0; /* |d|. = 6/5 */
    const outcome out = evaluate(&body, &f, &base, 0.0);
    const double pull = 12.0 * 1.0 + 3.0 * 1.2;
    expect(out.linear[0], pull * 0.6 / 2.0);
    expect(out.linear[2], pull * 0.8 / 2.0 - g);
    memset(f.other_at, 0, sizeof f.other_at);
    const outcome at_rest = evaluate(&body, &f, NULL, 0.0);
    expect(at_rest.linear[0], 0.0);
    expect(at_rest.linear[2], -g);
}

/* On a body rotated from x to y: a force in body axes, off the centre, and a moment. */
static void test_wrenches(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    rct_force f = rct_force_default();
    body.hinge = RCT_HINGE_FREE;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.orientation[0] = body.orientation[3] = sqrt(0.5);
    f.in_body_axes = 1;
    f.force[0] = 3.0;
    f.at[1] = 0.5;
    f.moment[0] = 0.7;
    const outcome turned = evaluate(&body, &f, NULL, 0.0);
    expect(turned.linear[1], 1.5);
    expect(turned.angular[1], 7.0);
    expect(turned.angular[2], -0.5 * 3.0 / 0.1);
    f.in_body_axes = 0; /* the force along x, its point at -x: no moment of it */
    const outcome inertial = evaluate(&body, &f, NULL, 0.0);
    expect(inertial.linear[0], 1.5);
    expect(inertial.angular[0], 7.0);
    expect(inertial.angular[2], 0.0);
}

/* A weight welded to a turntable, 0.5 m out: m r^2 R inwards. A ball hinge with a damper on it: moment
 * -damping (w - w_ground). */
static void test_turntable(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    rct_base base = rct_base_default();
    base.rate = 2.0;
    base.angular_acceleration = 3.0;
    body.hinge = RCT_HINGE_FIXED;
    body.hinge_at[0] = 0.5;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    const outcome welded = evaluate(&body, NULL, &base, 0.0);
    expect(welded.linear[0], -0.5 * 4.0);
    expect(welded.linear[1], 0.5 * 3.0);
    expect(welded.force[0], -2.0 * 0.5 * 4.0);
    expect(welded.force[2], 2.0 * g);
    expect(welded.moment[2], 0.3);
    const outcome later = evaluate(&body, NULL, &base, 1.0); /* angle 3.5, rate 5 */
    expect(later.linear[0], -0.5 * (25.0 * cos(3.5) + 3.0 * sin(3.5)));
    expect(later.linear[1], -0.5 * (25.0 * sin(3.5) - 3.0 * cos(3.5)));
    body.hinge = RCT_HINGE_BALL;
    body.damping[0] = 0.4;
    body.angular_velocity[0] = 1.0;
    const outcome ball = evaluate(&body, NULL, &base, 0.0);
    expect(ball.moment[0], -0.4);
    expect(ball.moment[2], 0.8);
    expect(ball.angular[2], 8.0);
}

/* In all 113 bits: sin^2 + cos^2 = 1, sin 2x = 2 sin x cos x, root^2 = x; and the functions of double. */
static void test_functions_in_quadruple_precision(void **state)
{
    (void)state;
    for (int k = -400; k <= 400; k++) {
        const double x = k * k * k * 0.017;
        quad s, c, s2, c2;
        quad_sine_cosine(x, &s, &c);
        quad_sine_cosine(2 * (quad)x, &s2, &c2);
        assert_true((double)quad_abs(s * s + c * c - 1) < 1e-33);
        assert_true((double)quad_abs(s2 - 2 * s * c) < 1e-32);
        assert_true((double)quad_abs(c2 - c * c + s * s) < 1e-32);
        assert_true(fabs((double)s - sin(x)) + fabs((double)c - cos(x)) < 1e-15);
        const quad square = (quad)x * x + (quad)1 / 3;
        const quad root = quad_root(square);
        assert_true((double)quad_abs(root * root / square - 1) < 1e-33);
    }
    assert_true(quad_root(0) == 0);
}

/* Whole turns change nothing, however many. */
static void test_many_turns(void **state)
{
    (void)state;
    rct_body body = sprung(RCT_HINGE_REVOLUTE, 0.0, 1.0, 0.0);
    body.com[2] = -0.8;
    body.stiffness[0] = 0.0;
    const double at[4] = {1e3, -1e6, 355.0, 3e9};
    for (int k = 0; k < 4; k++) {
        body.position[0] = at[k];
        const outcome out = evaluate(&body, NULL, NULL, 0.0);
        const double a = 1.7 + 0.3 * 1.4 - body.mass * g * 0.8 * sin(at[k]);
        expect(out.derivatives[0], a / (0.7 + body.mass * 0.64));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pendulum_on_an_accelerated_ground),
        cmocka_unit_test(test_slider),
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_cylindrical),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spinning_universal),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_spring_between_points),
        cmocka_unit_test(test_wrenches),
        cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_functions_in_quadruple_precision),
        cmocka_unit_test(test_many_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
