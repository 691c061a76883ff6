/* How parts of a file are settled: inertia that no single body can have in a group whose total is
 * valid, parts without mass between others and at the tips, repaired inertia, dry friction, free
 * joints with forces on them. */
#include "tests/import/import_check.h"

#include "tests/support/answers/motion.h"
#include "tests/support/cmocka_all.h"

#include <riccatree/shape.h>

#include <math.h>
#include <string.h>

static rct_import_report report;
static rct_error error;

static rct_model *import_any(const char *from, int repair)
{
    const rct_import_options options = {.report = &report, .repair_inertia = repair};
    error.text[0] = '\0';
    return rct_model_import_text(from, (int64_t)strlen(from), &options, &error);
}

static rct_body body_of(const rct_model *model, const char *name)
{
    rct_body body;
    const int32_t id = rct_model_find_body(model, name);
    if (id < 0) {
        fail_msg("no body is called %s", name);
    }
    rct_model_body(model, id, &body, NULL);
    return body;
}

#define INERTIAL(mass, xx, yy, zz)                                                                 \
    "<inertial><mass value='" mass "'/><inertia ixx='" xx "' iyy='" yy "' izz='" zz "'/></"        \
    "inertial>"
#define LINK(name, inertial)       "<link name='" name "'>" inertial "</link>"
#define JOINT(type, parent, child) JOINT_WITH(type, parent, child, "")
#define JOINT_WITH(type, parent, child, more)                                                      \
    "<joint name='j" child "' type='" type "'><parent link='" parent "'/><child link='" child      \
    "'/>" more "</joint>"

/* Inertia of links fixed to each other counts as one, whichever link is invalid alone, also without
 * mass; a valid group stays unchanged. */
static void test_groups(void **state)
{
    (void)state;
    static const char from[] = "<robot name='r'>" LINK("base", INERTIAL("1", "1", "1", "9"))
        LINK("a", INERTIAL("1", "1", "1", "1")) LINK("odd", INERTIAL("1", "1", "1", "2.5"))
            LINK("rotor", INERTIAL("0", "0.5", "0.5", "0")) LINK("b", INERTIAL("1", "0", "0", "3"))
                LINK("more", INERTIAL("1", "3", "3", "1")) LINK("c", INERTIAL("1", "1", "1", "1"))
                    LINK("plain", INERTIAL("1", "1", "1", "1")) JOINT("revolute", "base", "a")
                        JOINT("fixed", "a", "odd") JOINT("fixed", "odd", "rotor")
                            JOINT("revolute", "odd", "b") JOINT("fixed", "b", "more")
                                JOINT("revolute", "more", "c")
                                    JOINT("fixed", "c", "plain") "</robot>";
    rct_model *model = import_any(from, 0);
    assert_non_null(model);
    assert_int_equal(rct_model_body_count(model), 4); /* a b c plain */
    const rct_body a = body_of(model, "a"), b = body_of(model, "b"), c = body_of(model, "c");
    assert_true(a.mass == 2.0 && a.inertia[0] == 2.5 && a.inertia[2] == 3.5);
    assert_true(b.mass == 2.0 && b.inertia[0] == 3.0 && b.inertia[2] == 4.0);
    assert_true(c.mass == 1.0 && b.parent == rct_model_find_body(model, "a"));
    assert_true(c.parent == rct_model_find_body(model, "b"));
    assert_int_equal(body_of(model, "plain").hinge, RCT_HINGE_FIXED);
    rct_model_free(model);
}

/* Hinges directly after one another stay; a part that has no mass and carries none is removed, with
 * everything on it. */
static void test_parts_without_mass(void **state)
{
    (void)state;
    static const char from[] = "<robot name='r'>" LINK("base", "") LINK("x", "") LINK("y", "")
        LINK("a", INERTIAL("1", "1", "1", "1")) LINK("tip", "") LINK("tip2", "")
            LINK("end", "<visual><geometry><sphere radius='1'/></geometry></visual>") JOINT(
                "prismatic", "base", "x") JOINT("prismatic", "x", "y") JOINT("revolute", "y", "a")
                JOINT_WITH("revolute", "a", "tip", "<origin xyz='1 0 0'/>")
                    JOINT_WITH("prismatic", "tip", "tip2", "<origin xyz='0 2 0'/>")
                        JOINT_WITH("fixed", "tip2", "end", "<origin xyz='0 0 3'/>") "</robot>";
    rct_model *model = import_any(from, 0);
    assert_non_null(model);
    assert_int_equal(rct_model_body_count(model), 3);
    assert_int_equal(report.massless_left_out, 2);
    assert_true(body_of(model, "x").mass == 0.0 && body_of(model, "y").mass == 0.0);
    assert_int_equal(body_of(model, "a").parent, rct_model_find_body(model, "y"));
    rct_shape shape; /* what it looks like stays, where it stands */
    assert_int_equal(rct_model_shape(model, 0, &shape, NULL), RCT_OK);
    assert_int_equal(shape.body, rct_model_find_body(model, "a"));
    assert_true(shape.at[0] == 1.0 && shape.at[1] == 2.0 && shape.at[2] == 3.0);
    rct_model_free(model);
}

static void test_repair(void **state)
{
    (void)state;
    static const char from[] = "<robot name='r'>" LINK("base", "")
        LINK("a", INERTIAL("1", "1", "1", "4")) LINK("b", INERTIAL("1", "1", "1", "1"))
            JOINT("revolute", "base", "a") JOINT("revolute", "a", "b") "</robot>";
    assert_null(import_any(from, 0));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_non_null(strstr(error.text, "repair_inertia"));
    rct_model *model = import_any(from, 1);
    assert_non_null(model);
    assert_int_equal(report.inertias_repaired, 1);
    const rct_body a = body_of(model, "a"), b = body_of(model, "b");
    /* second moments 2 2 -1 become 2 2 0 */
    assert_true(fabs(a.inertia[0] - 2.0) < 1e-15 && fabs(a.inertia[1] - 2.0) < 1e-15);
    assert_true(fabs(a.inertia[2] - 4.0) < 1e-15 && b.inertia[0] == 1.0);
    rct_model_free(model);
}

static void test_dry_friction(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name='r'>" LINK("base", "") LINK("a", INERTIAL("1", "1", "1", "1"))
            JOINT_WITH("revolute", "base", "a", "<dynamics friction='0.5'/>") "</robot>";
    static const char mjcf[] =
        "<mujoco><default><joint frictionloss='2'/></default><worldbody><body><joint type='slide'/>"
        "<joint axis='1 0 0'/><geom size='1'/><body><joint frictionloss='0'/><geom "
        "size='1'/></body>"
        "</body></worldbody></mujoco>";
    static const char ball[] = "<mujoco><worldbody><body><joint type='ball' "
                               "frictionloss='3'/><geom size='1'/></body></worldbody></mujoco>";
    rct_force force = rct_force_default();
    rct_model *model = import_any(urdf, 0);
    assert_int_equal(report.frictions, 1);
    assert_int_equal(rct_model_force(model, 0, &force, NULL), RCT_OK);
    assert_int_equal(force.type, RCT_FORCE_FRICTION);
    assert_true(force.body == 0 && force.coulomb == 0.5 && force.slip == RCT_IMPORT_SLIP);
    rct_model_free(model);
    model = import_any(mjcf, 0);
    assert_int_equal(report.frictions, 2);
    assert_int_equal(rct_model_force_count(model), 2);
    assert_int_equal(rct_model_force(model, 1, &force, NULL), RCT_OK);
    assert_true(force.coulomb == 2.0 && report.frictions_left_out == 0);
    rct_model_free(model);
    model = import_any(ball, 0);
    assert_int_equal(report.frictions_left_out, 1);
    assert_int_equal(rct_model_force_count(model), 0);
    rct_model_free(model);
}

/* (m + a) x.. = m g - d x., and (J + a) w. = M - w x J w - d w about the centre: a free joint with
 * damping d and armature a. */
static void test_free_joints_with_forces(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><option gravity='1 2 -9'/><worldbody><body pos='1 2 3' quat='0.6 0.8 0 0'>"
        "<body name='b'><joint name='f' type='free' damping='0.5' armature='0.25'/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='1 1.5 2'/></body></body></worldbody></mujoco>";
    static const double v[3] = {0.3, -0.2, 0.7}, w[3] = {0.5, 0.4, -0.6}, g[3] = {1.0, 2.0, -9.0};
    rct_model *model = import_any(from, 0);
    assert_non_null(model);
    assert_int_equal(rct_model_body_count(model), 4);
    rct_model *moving = rct_model_create("moving", NULL);
    rct_model_set_gravity(moving, g, NULL);
    for (int32_t i = 0; i < 4; i++) {
        static const char *const names[4] = {"b.f.x", "b.f.y", "b.f.z", "b"};
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        assert_string_equal(body.name, names[i]);
        assert_true(i == 3 || body.position[0] == i + 1.0);
        body.rate[0] = i < 3 ? v[i] : 0.0;
        for (int k = 0; k < 3 && i == 3; k++) {
            body.angular_velocity[k] = w[k];
        }
        assert_int_equal(rct_model_add_body(moving, &body, NULL, NULL), RCT_OK);
    }
    rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = motion_solver(moving, &options);
    double rates[6];
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives(solver, rates);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(rates[i] - (2.0 * g[i] - 0.5 * v[i]) / 2.25) < 1e-13);
    }
    /* in body axes, turned about x by the quaternion: w' = R^T w, J w'. = -w' x J w' - d w' */
    const double c = -0.28, s = 0.96, J[3] = {1.25, 1.75, 2.25};
    const double own[3] = {w[0], c * w[1] + s * w[2], -s * w[1] + c * w[2]};
    const double a[3] = {((J[1] - J[2]) * own[1] * own[2] - 0.5 * own[0]) / J[0],
                         ((J[2] - J[0]) * own[2] * own[0] - 0.5 * own[1]) / J[1],
                         ((J[0] - J[1]) * own[0] * own[1] - 0.5 * own[2]) / J[2]};
    assert_true(fabs(rates[3] - a[0]) < 1e-13);
    assert_true(fabs(rates[4] - (c * a[1] - s * a[2])) < 1e-13);
    assert_true(fabs(rates[5] - (s * a[1] + c * a[2])) < 1e-13);
    rct_solver_free(solver);
    rct_model_free(moving);
    rct_model_free(model);
}

/* The sum of all masses is the requested one; bodies at rest count too. */
static void test_total_mass(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><compiler settotalmass='12'/><worldbody><body><geom size='1' mass='3'/></body>"
        "<body name='b'><joint/><geom type='box' size='1 1 1' "
        "mass='3'/></body></worldbody></mujoco>";
    rct_model *model = import_any(from, 0);
    assert_non_null(model);
    const rct_body b = body_of(model, "b");
    assert_true(fabs(b.mass - 6.0) < 1e-15 && fabs(b.inertia[1] - 4.0) < 1e-15);
    rct_model_free(model);
}

/* Rotors are no mass: a scale of masses leaves the armature of a free joint unchanged. */
static void test_total_mass_with_rotor(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><compiler settotalmass='12'/><worldbody><body name='b'><joint type='free' "
        "armature='5'/><geom type='box' size='1 1 1' mass='3'/></body></worldbody></mujoco>";
    rct_model *model = import_any(from, 0);
    assert_non_null(model);
    const rct_body b = body_of(model, "b");
    assert_true(fabs(b.mass - 12.0) < 1e-14 && fabs(b.inertia[1] - 13.0) < 1e-14);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_parts_without_mass),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_dry_friction),
        cmocka_unit_test(test_free_joints_with_forces),
        cmocka_unit_test(test_total_mass),
        cmocka_unit_test(test_total_mass_with_rotor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
