/* The Lagrangian reference against closed forms, statics, and Newton's and Euler's equations of
 * every body, checked by code of their own. */
#include "tests/support/cmocka_all.h"

#include "reference/lagrange/lagrange.h"
#include "tests/support/answers/newton_euler.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static double det3(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* J_O w. = c x m g - w x J_O w, J_O = J_C + m (c.c E - c c^T), all in the axes of a body turned by
 * nothing; solved by Cramer's rule. */
static void test_single_pendulum(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    const double c[3] = {0.3, -0.2, -0.5}, w[3] = {0.7, -1.1, 0.4}, m = 2.5;
    const double j[6] = {0.4, 0.5, 0.3, 0.05, -0.02, 0.03};
    body.mass = m;
    for (int a = 0; a < 3; a++) {
        body.com[a] = c[a];
        body.angular_velocity[a] = w[a];
        body.inertia[a] = j[a];
        body.inertia[3 + a] = j[3 + a];
    }
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    const double J[3][3] = {
        {j[0] + m * (cc - c[0] * c[0]), j[3] - m * c[0] * c[1], j[4] - m * c[0] * c[2]},
        {j[3] - m * c[1] * c[0], j[1] + m * (cc - c[1] * c[1]), j[5] - m * c[1] * c[2]},
        {j[4] - m * c[2] * c[0], j[5] - m * c[2] * c[1], j[2] + m * (cc - c[2] * c[2])},
    };
    double Jw[3];
    for (int a = 0; a < 3; a++) {
        Jw[a] = J[a][0] * w[0] + J[a][1] * w[1] + J[a][2] * w[2];
    }
    const double right[3] = {-m * g * c[1] - (w[1] * Jw[2] - w[2] * Jw[1]),
                             m * g * c[0] - (w[2] * Jw[0] - w[0] * Jw[2]),
                             -(w[0] * Jw[1] - w[1] * Jw[0])};
    reference_case *r = reference_case_of(&body, 1);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    double whole[3][3];
    memcpy(whole, J, sizeof whole);
    for (int a = 0; a < 3; a++) {
        double replaced[3][3];
        memcpy(replaced, J, sizeof replaced);
        for (int b = 0; b < 3; b++) {
            replaced[b][a] = right[b];
        }
        assert_true(fabs(r->angular[a] - det3(replaced) / det3(whole)) < 1e-13);
        assert_true(fabs(r->linear[a]) < 1e-20);
    }
    reference_case_free(r);
}

/* A hanging chain at rest: every hinge carries the weight below it, upward. */
static void test_statics_of_a_hanging_chain(void **state)
{
    (void)state;
    enum { N = 30 };
    rct_body bodies[N];
    double weight = 0.0;
    for (int i = 0; i < N; i++) {
        bodies[i] = reference_rod(i - 1, 1.0 + i);
        weight += bodies[i].mass * g;
    }
    reference_case *r = reference_case_of(bodies, N);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(r->force[3 * i + 2] - weight) < 1e-12 * weight);
        weight -= bodies[i].mass * g;
        for (int a = 0; a < 3; a++) {
            assert_true(fabs(r->linear[3 * i + a]) < 1e-20);
            assert_true(fabs(r->angular[3 * i + a]) < 1e-20);
            assert_true(r->moment[3 * i + a] == 0.0);
        }
    }
    reference_case_free(r);
}

/* A bracket fixed to the ground along x: force m g up, moment -m g l about y. A second one fixed to
 * its end adds to both. */
static void test_statics_of_a_bracket(void **state)
{
    (void)state;
    rct_body bodies[2];
    for (int i = 0; i < 2; i++) {
        bodies[i] = reference_rod(i - 1, 2.0);
        bodies[i].hinge = RCT_HINGE_FIXED;
    }
    bodies[0].hinge_orientation[0] = bodies[0].hinge_orientation[2] = -sqrt(0.5); /* -z to x */
    bodies[0].hinge_orientation[0] *= -1.0;
    reference_case *r = reference_case_of(bodies, 2);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    const double force[2] = {4.0 * g, 2.0 * g}, moment[2] = {-4.0 * g, -1.0 * g};
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(r->force[3 * i + 2] - force[i]) < 1e-12);
        assert_true(fabs(r->moment[3 * i + 1] - moment[i]) < 1e-12);
        assert_true(fabs(r->force[3 * i]) + fabs(r->moment[3 * i]) < 1e-12);
        assert_true(fabs(r->linear[3 * i]) + fabs(r->angular[3 * i + 1]) < 1e-20);
    }
    reference_case_free(r);
}

/* Two rods in the x-z plane at angles t1, t2 from the downward vertical (turned by -t about y):
 * (m1 a^2 + I + m2 l^2) t1.. + m2 l a cos(t1-t2) t2.. = -m2 l a sin(t1-t2) t2.^2 - (m1 a + m2 l) g
 * sin t1, (m2 a^2 + I) t2.. + m2 l a cos(t1-t2) t1.. = m2 l a sin(t1-t2) t1.^2 - m2 g a sin t2. */
static void test_planar_double_pendulum(void **state)
{
    (void)state;
    const double t1 = 0.7, t2 = -0.4, v1 = 1.3, v2 = -2.1, l = 1.0, a = 0.5, m1 = 1.0, m2 = 3.0;
    rct_body bodies[2] = {reference_rod(-1, m1), reference_rod(0, m2)};
    const double angle[2] = {t1, t2}, rate[2] = {v1, v2};
    for (int i = 0; i < 2; i++) {
        bodies[i].orientation[0] = cos(angle[i] / 2);
        bodies[i].orientation[2] = -sin(angle[i] / 2);
        bodies[i].angular_velocity[1] = -rate[i];
    }
    const double m11 = m1 * a * a + bodies[0].inertia[1] + m2 * l * l;
    const double m12 = m2 * l * a * cos(t1 - t2), m22 = m2 * a * a + bodies[1].inertia[1];
    const double b1 = -m2 * l * a * sin(t1 - t2) * v2 * v2 - (m1 * a + m2 * l) * g * sin(t1);
    const double b2 = m2 * l * a * sin(t1 - t2) * v1 * v1 - m2 * g * a * sin(t2);
    const double det = m11 * m22 - m12 * m12;
    reference_case *r = reference_case_of(bodies, 2);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(fabs(-r->angular[1] - (b1 * m22 - b2 * m12) / det) < 1e-12);
    assert_true(fabs(-r->angular[4] - (b2 * m11 - b1 * m12) / det) < 1e-12);
    assert_true(fabs(r->angular[0]) + fabs(r->angular[3]) + fabs(r->force[1]) < 1e-14);
    reference_case_free(r);
}

static void expect_newton_euler(const random_system *system)
{
    reference_case *r = reference_case_create(random_system_create(system));
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(r->result.residual < 1e-20);
    const newton_euler solution = {NULL, NULL, r->linear, r->angular, r->force, r->moment};
    const double violation = newton_euler_violation(r->model, &solution);
    if (!(violation < 1e-14)) {
        fail_msg("shape %d, %d bodies, seed %d: violation %g", (int)system->shape, system->bodies,
                 (int)system->seed, violation);
    }
    reference_case_free(r);
}

static void test_random_systems_obey_newton_and_euler(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const random_system system = {
            .shape = (random_shape)(k % 4),
            .bodies = 1 + k * k / 10,
            .fixed = k % 5 * 0.25,
            .shuffled = k % 2,
            .spin = k % 3,
            .seed = (uint64_t)k,
        };
        expect_newton_euler(&system);
    }
}

static void test_large_systems(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        const random_system system = {(random_shape)shape, 3000, 0.2, 1, 1.0, 5};
        expect_newton_euler(&system);
    }
}

/* The pose must be found without recursion, in any order of the bodies. */
static void test_deep_chains_of_fixed_hinges(void **state)
{
    (void)state;
    enum { N = 200000 };
    for (int backward = 0; backward < 2; backward++) {
        rct_model *model = rct_model_create(NULL, NULL);
        for (int32_t i = 0; i < N; i++) {
            rct_body body = reference_rod(backward ? (i + 1 < N ? i + 1 : -1) : i - 1, 1.0);
            body.hinge = RCT_HINGE_FIXED;
            body.hinge_orientation[0] = 0.0; /* half a turn about z each */
            body.hinge_orientation[3] = 1.0;
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        }
        rct_pose *pose = malloc(N * sizeof *pose);
        assert_int_equal(rct_pose_all(model, 0.0, NULL, NULL, pose, NULL), RCT_OK);
        const int32_t last = backward ? 0 : N - 1;
        assert_true((double)pose[last].R.a[0][0] == 1.0 && (double)pose[last].R.a[2][2] == 1.0);
        free(pose);
        rct_model_free(model);
    }
}

static void test_dense_and_sparse_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        const random_system system = {(random_shape)(k % 4), 3 + 4 * k, 0.3, 1, 2.0, 77};
        reference_case *dense = reference_case_create(random_system_create(&system));
        reference_case *sparse = reference_case_create(random_system_create(&system));
        rct_pose *pose = malloc((size_t)system.bodies * sizeof *pose);
        assert_int_equal(rct_pose_all(dense->model, 0.0, NULL, NULL, pose, NULL), RCT_OK);
        assert_int_equal(rct_lagrange_evaluate(dense->model, 0.0, pose, RCT_FACTORIZATION_DENSE,
                                               &dense->result, NULL),
                         RCT_OK);
        assert_int_equal(rct_lagrange_evaluate(sparse->model, 0.0, pose, RCT_FACTORIZATION_SPARSE,
                                               &sparse->result, NULL),
                         RCT_OK);
        assert_true(dense->result.residual < 1e-24 && sparse->result.residual < 1e-24);
        assert_true(reference_case_difference(dense, sparse) < 1e-15);
        free(pose);
        reference_case_free(sparse);
        reference_case_free(dense);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_pendulum),
        cmocka_unit_test(test_statics_of_a_hanging_chain),
        cmocka_unit_test(test_statics_of_a_bracket),
        cmocka_unit_test(test_planar_double_pendulum),
        cmocka_unit_test(test_random_systems_obey_newton_and_euler),
        cmocka_unit_test(test_large_systems),
        cmocka_unit_test(test_deep_chains_of_fixed_hinges),
        cmocka_unit_test(test_dense_and_sparse_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
