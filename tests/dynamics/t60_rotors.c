/* Rotor inertia of hinges: against closed forms, by both methods and in lanes; rotors of any size
 * against the references; and the stored energy. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/answers/tree_answer.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/operators.h>

#include <math.h>
#include <string.h>

static const double g = 9.81;

static rct_solver *solver_of(const rct_model *model, rct_method method, int32_t lanes)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.lanes = lanes;
    return motion_solver(model, &options);
}

static void expect(double value, double closed)
{
    if (!(fabs(value - closed) < 1e-13 * (1.0 + fabs(closed)))) {
        fail_msg("%.17g is not %.17g", value, closed);
    }
}

/* A body about the axis y, its centre of mass at `arm` below it. */
static rct_body disc(int32_t parent, double inertia, double arm, double armature)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
    body.mass = 2.0;
    body.com[2] = -arm;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    body.armature[0] = armature;
    return body;
}

static rct_model *model_of(const rct_body *bodies, int count)
{
    rct_model *model = rct_model_create("rotors", NULL);
    for (int i = 0; i < count; i++) {
        assert_int_equal(rct_model_add_body(model, &bodies[i], NULL, NULL), RCT_OK);
    }
    return model;
}

/* (J + D) q.. = tau - m g l sin q, J about the hinge; the hinge exerts tau - D q.. */
static void check_pendulum(rct_solver *solver, double J, double D)
{
    const double q = 0.6, u = -1.4, tau = 1.7, l = 0.8, m = 2.0;
    const double a = (tau - m * g * l * sin(q)) / (J + D);
    double derivative, effort, force[3], moment[3], unit = 1.0, mass, inverse;
    rct_measures measures;
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives(solver, &derivative);
    rct_solver_get_hinge_forces(solver, force, moment);
    rct_solver_measure(solver, &measures);
    expect(derivative, a);
    expect(moment[1], tau - D * a);
    expect(force[0], m * l * (-a * cos(q) + u * u * sin(q)));
    expect(measures.kinetic, 0.5 * (J + D) * u * u);
    expect(measures.momentum[0], -m * l * u * cos(q));
    assert_int_equal(rct_solver_mass_times(solver, 1, &unit, &mass, NULL), RCT_OK);
    assert_int_equal(rct_solver_mass_solve(solver, 1, &unit, &inverse, NULL), RCT_OK);
    expect(mass, J + D);
    expect(inverse, 1.0 / (J + D));
    assert_int_equal(rct_solver_inverse_dynamics(solver, &a, NULL, moment, &effort, NULL), RCT_OK);
    expect(effort, tau);
    expect(moment[1], tau - D * a);
}

static void test_pendulum(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const double D = k < 4 ? 0.45 : 1e3;
        rct_body body = disc(RCT_GROUND, 0.7, 0.8, D);
        body.position[0] = 0.6;
        body.rate[0] = -1.4;
        body.applied[0] = 1.7;
        rct_model *model = model_of(&body, 1);
        rct_solver *solver =
            solver_of(model, k % 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI, k % 4 < 2 ? 1 : 2);
        check_pendulum(solver, 0.7 + 2.0 * 0.8 * 0.8, D);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Two discs on one axis, rates relative: (J1 + J2 + D1) a1 + J2 a2 = tau1, J2 a1 + (J2 + D2) a2 = tau2. */
static void test_rotor_between_two_discs(void **state)
{
    (void)state;
    const double J1 = 0.5, J2 = 0.2, D1 = 0.3, D2 = 4.0, tau1 = 1.5, tau2 = -0.6;
    rct_body bodies[2] = {disc(RCT_GROUND, J1, 0.0, D1), disc(0, J2, 0.0, D2)};
    bodies[0].applied[0] = tau1;
    bodies[1].applied[0] = tau2;
    rct_model *model = model_of(bodies, 2);
    const double whole = J1 + J2 + D1, last = J2 + D2, det = whole * last - J2 * J2;
    for (int k = 0; k < 2; k++) {
        rct_solver *solver = solver_of(model, k ? RCT_METHOD_ABI : RCT_METHOD_RICCATI, 1);
        double a[2];
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_rate_derivatives(solver, a);
        expect(a[0], (last * tau1 - J2 * tau2) / det);
        expect(a[1], (whole * tau2 - J2 * tau1) / det);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

static void scale_rotors(rct_body *body, const void *context)
{
    for (int i = 0; i < 3; i++) {
        body->armature[i] *= *(const double *)context;
    }
}

/* Rotors from zero to a size that almost locks a hinge. */
static void test_rotors_of_any_size(void **state)
{
    (void)state;
    static const double sizes[] = {1e-12, 1e-4, 1e3, 1e8};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE,
                                              .bodies = 60,
                                              .spin = 1.0,
                                              .seed = 90 + seed},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = 1};
        rct_model *drawn = hinge_system_create(&system);
        rct_model *model = motion_changed(drawn, scale_rotors, &sizes[seed % 4]);
        const tree_answer reference = tree_answer_by_reference(model, RCT_REFERENCE_LAGRANGE, 0.0);
        for (int k = 0; k < 4; k++) {
            const tree_answer own = tree_answer_by_solver(
                model, 0.0, k % 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI, k < 2 ? 0 : 7, 2);
            const double most = tree_answer_distance(model, own, reference);
            if (!(most < 1e-10)) {
                fail_msg("seed %d, case %d: %.2e off the reference", (int)seed, k, most);
            }
            tree_answer_free(own);
        }
        tree_answer_free(reference);
        rct_model_free(model);
        rct_model_free(drawn);
    }
}

/* Cases in which D is not diagonal: axes of universal hinges far from perpendicular, planar hinges
 * whose displacements have different rotors. */
static void test_energy_is_conserved(void **state)
{
    (void)state;
    static const rct_hinge_type types[] = {RCT_HINGE_UNIVERSAL, RCT_HINGE_PLANAR, RCT_HINGE_HELICAL,
                                           RCT_HINGE_CYLINDRICAL};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        rct_body bodies[4];
        for (int i = 0; i < 4; i++) {
            bodies[i] = disc(i - 1, 0.3 + 0.1 * i, 0.5, 0.4);
            bodies[i].hinge = types[k];
            bodies[i].hinge_at[2] = i > 0 ? -1.0 : 0.0;
            if (types[k] == RCT_HINGE_UNIVERSAL || types[k] == RCT_HINGE_PLANAR) {
                bodies[i].hinge_axis2[1] = types[k] == RCT_HINGE_UNIVERSAL ? 1.2 : 0.0;
            }
            bodies[i].hinge_pitch = types[k] == RCT_HINGE_HELICAL ? 0.2 : 0.0;
            for (int j = 0; j < rct_hinge_freedoms(types[k]); j++) {
                bodies[i].armature[j] = 0.3 + 0.9 * j;
                bodies[i].stiffness[j] = 20.0;
                bodies[i].rate[j] = 0.5 - 0.3 * j + 0.1 * i;
            }
        }
        rct_model *model = model_of(bodies, 4);
        rct_solver *solver = solver_of(model, RCT_METHOD_ABI, 1);
        const double before = motion_energy(solver);
        assert_int_equal(rct_solver_step(solver, 1e-3, 1000, NULL), RCT_OK);
        assert_true(fabs(motion_energy(solver) - before) < 1e-8);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_references_without_rotors_say_so(void **state)
{
    (void)state;
    const rct_body body = disc(RCT_GROUND, 0.7, 0.8, 0.1);
    rct_model *model = model_of(&body, 1);
    static const rct_reference refuse[] = {RCT_REFERENCE_FORCES, RCT_REFERENCE_DIRECTIONS,
                                           RCT_REFERENCE_TORQUES, RCT_REFERENCE_SEMI_RECURSIVE_1};
    for (size_t k = 0; k < sizeof refuse / sizeof refuse[0]; k++) {
        double linear[3];
        rct_reference_result result = {.linear = linear};
        rct_error error;
        assert_int_equal(rct_reference_evaluate(model, refuse[k], NULL, NULL, &result, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_int_equal(error.body, 0);
        assert_non_null(strstr(error.text, "\"body0\" has a hinge with armature; reference"));
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_rotor_between_two_discs),
        cmocka_unit_test(test_rotors_of_any_size),
        cmocka_unit_test(test_energy_is_conserved),
        cmocka_unit_test(test_references_without_rotors_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
