/* The spatial-operator reference against closed forms of textbooks for one hinge or two. */
#include "tests/support/cmocka_all.h"

#include "model/model.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81; /* along -z */

static rct_body body_on(rct_hinge_type hinge, double mass)
{
    rct_body body = rct_body_default();
    body.hinge = hinge;
    body.mass = mass;
    body.inertia[0] = 0.3;
    body.inertia[1] = 0.4;
    body.inertia[2] = 0.5;
    return body;
}

static rct_model *model_of(const rct_body *bodies, int count)
{
    rct_model *model = rct_model_create("closed form", NULL);
    for (int i = 0; i < count; i++) {
        assert_int_equal(rct_model_add_body(model, &bodies[i], NULL, NULL), RCT_OK);
    }
    return model;
}

static spatial_case *case_of(const rct_body *bodies, int count)
{
    return spatial_case_create(model_of(bodies, count), 0.0, NULL);
}

static void near(double x, double truth)
{
    if (!(fabs(x - truth) <= 1e-13 * (1.0 + fabs(truth)))) {
        fail_msg("%.17g, not %.17g", x, truth);
    }
}

/* J q'' = -m g c sin q - k (q - rest) - d u + applied, J about the hinge */
static void test_pendulum(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_REVOLUTE, 2.0);
    const double c = 0.7, q = 0.6, u = -1.3, j = 0.4 + 2.0 * c * c;
    body.hinge_axis[2] = 0.0;
    body.hinge_axis[1] = 3.0; /* y, normalized */
    body.com[2] = -c;
    body.position[0] = q;
    body.rate[0] = u;
    spatial_case *r = case_of(&body, 1);
    near(r->derivatives[0], -2.0 * g * c * sin(q) / j);
    near(r->angular[1], r->derivatives[0]);
    near(r->moment[1], 0.0);
    /* the hinge holds m (a_C - g): along the rod outward */
    near(r->force[0] * sin(q) + r->force[2] * cos(q), 2.0 * (g * cos(q) + c * u * u));
    spatial_case_free(r);
    body.stiffness[0] = 5.0;
    body.rest[0] = 0.2;
    body.damping[0] = 0.9;
    body.applied[0] = 1.7;
    r = case_of(&body, 1);
    const double exerted = -5.0 * (q - 0.2) - 0.9 * u + 1.7;
    near(r->derivatives[0], (exerted - 2.0 * g * c * sin(q)) / j);
    near(r->moment[1], exerted);
    spatial_case_free(r);
}

/* m x'' = -k (x - rest) - d u + applied + m g . axis */
static void test_slider_with_spring(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_PRISMATIC, 2.0);
    body.hinge_axis[0] = 0.6;
    body.hinge_axis[2] = 0.8;
    body.com[1] = 0.3;
    body.position[0] = 0.5;
    body.rate[0] = 2.0;
    body.stiffness[0] = 30.0;
    body.rest[0] = 0.1;
    body.damping[0] = 1.5;
    body.applied[0] = 4.0;
    spatial_case *r = case_of(&body, 1);
    const double x = (-30.0 * 0.4 - 3.0 + 4.0 - 2.0 * g * 0.8) / 2.0;
    near(r->derivatives[0], x);
    near(r->linear[0], 0.6 * x);
    near(r->linear[2], 0.8 * x);
    near(0.6 * r->force[0] + 0.8 * r->force[2], -30.0 * 0.4 - 3.0 + 4.0);
    spatial_case_free(r);
}

/* (J + m p^2) q'' = -m g p about a vertical axis through the centre of mass */
static void test_screw(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_HELICAL, 2.0);
    const double p = 0.25, q = -2.0 * g * p / (0.5 + 2.0 * p * p);
    body.hinge_pitch = p;
    body.com[2] = 0.4;
    body.rate[0] = 5.0;
    spatial_case *r = case_of(&body, 1);
    near(r->derivatives[0], q);
    near(r->linear[2], p * q);
    near(r->angular[2], q);
    spatial_case_free(r);
}

/* Cylindrical and planar hinges whose centre of mass is on the hinge: their freedoms are
 * independent. */
static void test_freedoms_that_do_not_meet(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_CYLINDRICAL, 2.0);
    body.applied[0] = 3.0;
    body.applied[1] = 7.0;
    spatial_case *r = case_of(&body, 1);
    near(r->derivatives[0], 3.0 / 0.5);
    near(r->derivatives[1], 7.0 / 2.0 - g);
    spatial_case_free(r);
    body = body_on(RCT_HINGE_PLANAR, 2.0); /* the plane y, z: axis x, axis2 y */
    body.hinge_axis[0] = 1.0;
    body.hinge_axis[2] = 0.0;
    body.hinge_axis2[0] = 5.0; /* made perpendicular */
    body.hinge_axis2[1] = 1.0;
    body.applied[0] = 3.0;
    body.applied[1] = 7.0;
    body.applied[2] = 1.2;
    r = case_of(&body, 1);
    near(r->derivatives[0], 3.0 / 2.0);
    near(r->derivatives[1], 7.0 / 2.0 - g);
    near(r->derivatives[2], 1.2 / 0.3);
    spatial_case_free(r);
}

/* A gimbal of axes z and x about the centre of mass, q2 = 0: (Jz q1'', Jx q2'') are the applied
 * efforts, except for (Jz + Jx - Jy) u1 u2 about y, which the hinge holds. */
static void test_gimbal(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_UNIVERSAL, 2.0);
    body.rate[0] = 1.5;
    body.rate[1] = -0.8;
    body.applied[0] = 0.7;
    body.applied[1] = 0.9;
    spatial_case *r = case_of(&body, 1);
    near(r->derivatives[0], 0.7 / 0.5);
    near(r->derivatives[1], 0.9 / 0.3);
    near(r->angular[1], 1.5 * -0.8);
    near(r->moment[1], 0.4 * 1.5 * -0.8 + (0.3 - 0.5) * -0.8 * 1.5);
    spatial_case_free(r);
}

/* The centre of mass falls; Euler: J1 w1' = (J2 - J3) w2 w3 */
static void test_free_body(void **state)
{
    (void)state;
    rct_body body = body_on(RCT_HINGE_FREE, 2.0);
    const double w[3] = {1.1, -0.7, 2.3};
    body.com[0] = 0.2;
    body.position[1] = 3.0;
    body.rate[0] = 4.0;
    memcpy(body.angular_velocity, w, sizeof w);
    spatial_case *r = case_of(&body, 1);
    double lever[3], v[3], a[3];
    spatial_com(r, 0, lever, v, a);
    near(a[0], 0.0);
    near(a[1], 0.0);
    near(a[2], -g);
    near(r->derivatives[0], (0.4 - 0.5) * w[1] * w[2] / 0.3);
    near(r->derivatives[1], (0.5 - 0.3) * w[2] * w[0] / 0.4);
    near(r->derivatives[2], (0.3 - 0.4) * w[0] * w[1] / 0.5);
    for (int i = 0; i < 3; i++) {
        near(r->derivatives[3 + i], r->linear[i]);
        near(r->force[i], 0.0);
        near(r->moment[i], 0.0);
    }
    spatial_case_free(r);
}

/* Two links in a vertical plane, axes y, angles from hanging down, the second relative: the equations of the
 * textbooks, M11 = J1 + J2 + m1 c1^2 + m2 (l^2 + c2^2 + 2 l c2 cos q2) and so on. */
static void test_two_link_arm(void **state)
{
    (void)state;
    const double m1 = 2.0, m2 = 3.0, l = 1.1, c1 = 0.4, c2 = 0.6, q1 = 0.5, q2 = -0.9, u1 = 1.7,
                 u2 = -2.2;
    rct_body bodies[2] = {body_on(RCT_HINGE_REVOLUTE, m1), body_on(RCT_HINGE_REVOLUTE, m2)};
    for (int i = 0; i < 2; i++) {
        bodies[i].hinge_axis[1] = 1.0;
        bodies[i].hinge_axis[2] = 0.0;
        bodies[i].position[0] = i == 0 ? q1 : q2;
        bodies[i].rate[0] = i == 0 ? u1 : u2;
        bodies[i].com[2] = i == 0 ? -c1 : -c2;
    }
    bodies[1].parent = 0;
    bodies[1].hinge_at[2] = -l;
    bodies[0].applied[0] = 4.0;
    bodies[1].applied[0] = -2.5;
    spatial_case *r = case_of(bodies, 2);
    const double j = 0.4, a = m2 * l * c2 * cos(q2), h = m2 * l * c2 * sin(q2);
    const double m22 = j + m2 * c2 * c2, m12 = m22 + a;
    const double m11 = j + m1 * c1 * c1 + m22 + m2 * l * l + 2.0 * a;
    const double t2 = -2.5 - h * u1 * u1 - m2 * g * c2 * sin(q1 + q2);
    const double t1 = 4.0 + h * (2.0 * u1 * u2 + u2 * u2) - (m1 * c1 + m2 * l) * g * sin(q1) -
                      m2 * g * c2 * sin(q1 + q2);
    const double det = m11 * m22 - m12 * m12;
    near(r->derivatives[0], (m22 * t1 - m12 * t2) / det);
    near(r->derivatives[1], (m11 * t2 - m12 * t1) / det);
    near(r->angular[4], r->derivatives[0] + r->derivatives[1]);
    near(r->moment[1], 4.0);
    near(r->moment[4], -2.5);
    spatial_case_free(r);
}

/* ---- the ground -------------------------------------------------------------------------------- */

/* Pivot accelerated by a along x: J q'' = m c (a cos q - g sin q). A slider on a turning ground: x'' = rate^2 x. */
static void test_moving_ground(void **state)
{
    (void)state;
    const double c = 0.7, q = 0.6, a = 3.0, time = 0.5, rate = 2.0, spin = 1.4;
    rct_body body = body_on(RCT_HINGE_REVOLUTE, 2.0);
    rct_base base = rct_base_default();
    body.hinge_axis[1] = 1.0;
    body.hinge_axis[2] = 0.0;
    body.com[2] = -c;
    body.position[0] = q;
    rct_model *model = model_of(&body, 1);
    base.acceleration[0] = a;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    spatial_case *r = spatial_case_create(model, time, NULL);
    near(r->derivatives[0], 2.0 * c * (a * cos(q) - g * sin(q)) / (0.4 + 2.0 * c * c));
    near(r->pose[0].x[0], a * time * time / 2.0);
    near(r->pose[0].V[3], a * time);
    near(r->linear[0], a);
    spatial_case_free(r);

    body = body_on(RCT_HINGE_PRISMATIC, 2.0);
    body.hinge_axis[0] = 1.0;
    body.hinge_axis[2] = 0.0;
    body.position[0] = 0.8;
    body.rate[0] = 1.5;
    model = model_of(&body, 1);
    base = rct_base_default();
    base.rate = rate;
    base.angular_acceleration = spin;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    r = spatial_case_create(model, 0.0, NULL);
    near(r->derivatives[0], rate * rate * 0.8);
    near(r->force[1], 2.0 * (2.0 * rate * 1.5 + spin * 0.8));
    near(r->moment[2], 0.5 * spin);
    spatial_case_free(r);
}

/* ---- forces ------------------------------------------------------------------------------------ */

static void test_forces(void **state)
{
    (void)state;
    rct_body bodies[2] = {body_on(RCT_HINGE_FREE, 2.0), body_on(RCT_HINGE_FREE, 4.0)};
    const double turned[4] = {0.5, 0.5, 0.5, 0.5}; /* x to y to z to x */
    memcpy(bodies[0].orientation, turned, sizeof turned);
    bodies[1].position[0] = 3.0;
    bodies[1].rate[0] = 1.0;
    rct_model *model = model_of(bodies, 2);
    rct_force f = rct_force_default();
    f.force[0] = 6.0; /* body x is inertial y, and y is z */
    f.at[1] = 0.1;
    f.in_body_axes = 1;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    f = rct_force_default();
    f.moment[1] = 1.0;
    f.force[2] = 5.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    f = rct_force_default();
    f.type = RCT_FORCE_SPRING;
    f.other = 1;
    f.stiffness = 10.0;
    f.damping = 0.5;
    f.length = 1.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    f.other = RCT_GROUND; /* ends where the body is: no force */
    f.damping = 0.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    f.other_at[2] = 2.0;
    f.stiffness = 3.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    spatial_case *r = spatial_case_create(model, 0.0, NULL);
    const double pull = 10.0 * 2.0 + 0.5 * 1.0;
    near(r->linear[0], pull / 2.0);
    near(r->linear[1], 6.0 / 2.0);
    near(r->linear[2], (5.0 + 3.0) / 2.0 - g);
    near(r->linear[3], -pull / 4.0);
    near(r->angular[0], -0.1 * 6.0 / 0.5); /* body z */
    near(r->angular[1], 1.0 / 0.3);        /* body x */
    spatial_case_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),     cmocka_unit_test(test_slider_with_spring),
        cmocka_unit_test(test_screw),        cmocka_unit_test(test_freedoms_that_do_not_meet),
        cmocka_unit_test(test_gimbal),       cmocka_unit_test(test_free_body),
        cmocka_unit_test(test_two_link_arm), cmocka_unit_test(test_moving_ground),
        cmocka_unit_test(test_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
