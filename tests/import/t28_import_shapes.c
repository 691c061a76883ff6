/* Shapes of bodies from URDF and MJCF files: primitives at the places that matrices give, also for
 * links that become part of others and for bodies whose hinge point is elsewhere; omitted shapes
 * are counted, and no file is refused for a shape. */
#include "tests/import/import_check.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/shape.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MASS "<inertial><mass value='1.5'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"

static rct_import_report report;

static rct_model *import(const char *from)
{
    return import_text(from, &(rct_import_options){.report = &report});
}

static rct_shape shape_at(const rct_model *model, int32_t index)
{
    rct_shape shape = rct_shape_default();
    assert_int_equal(rct_model_shape(model, index, &shape, NULL), RCT_OK);
    return shape;
}

static void expect_frame(const rct_shape *shape, const frame *wanted)
{
    frame got = frame_quaternion(shape->orientation);
    memcpy(got.t, shape->at, sizeof got.t);
    check_frame(&got, wanted, "the shape");
}

static void expect_sizes(const rct_shape *s, rct_shape_type type, int32_t body, double radius,
                         double length, const double size[3])
{
    assert_int_equal(s->type, type);
    assert_int_equal(s->body, body);
    assert_true(fabs(s->radius - radius) < 1e-15 && fabs(s->length - length) < 1e-15);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(s->size[i] - size[i]) < 1e-15);
    }
}

static const double none[3] = {0.0, 0.0, 0.0}, edges[3] = {1.0, 2.0, 3.0};

/* Roll, pitch, yaw about fixed axes, then a shift. */
static frame rolled(const double angles[3], double x, double y, double z)
{
    frame f = frame_shift(x, y, z);
    for (int i = 2; i >= 0; i--) {
        const double axis[3] = {i == 0, i == 1, i == 2};
        const frame turn = frame_turn(axis, angles[i]);
        f = frame_of(&f, &turn);
    }
    return f;
}

/* Visuals of a link, of a massless link that is fixed to it, and of one that is fixed to the
 * ground. */
static void test_visuals_of_urdf(void **state)
{
    (void)state;
    static const char robot[] =
        "<robot name='r'><link name='world'><visual><geometry><box size='1 1 "
        "1'/></geometry></visual>"
        "</link><link name='a'>" MASS
        "<visual><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><geometry><box size='1 2 3'/></geometry>"
        "<material name='red'/></visual>"
        "<visual name='v'><geometry><cylinder radius='0.5' length='4'/></geometry></visual>"
        "<collision><geometry><sphere radius='9'/></geometry></collision>"
        "<visual><geometry><mesh filename='package://a.dae'/></geometry></visual></link>"
        "<link name='tool'><visual><origin xyz='0 0 1' rpy='0.4 0 0'/><geometry>"
        "<sphere radius='0.25'/></geometry></visual></link>"
        "<joint name='j' type='revolute'><parent link='world'/><child link='a'/></joint>"
        "<joint name='k' type='fixed'><parent link='a'/><child link='tool'/>"
        "<origin xyz='0 5 0' rpy='0 0 0.7'/></joint></robot>";
    static const double angles[3] = {0.1, 0.2, 0.3}, yaw[3] = {0.0, 0.0, 0.7},
                        roll[3] = {0.4, 0, 0};
    rct_model *model = import(robot);
    assert_int_equal(report.ignored, 0);
    assert_int_equal(report.shapes_left_out, 1); /* the mesh; the box is of the ground */
    assert_int_equal(rct_model_shape_count(model), 3);
    const rct_shape box = shape_at(model, 0), cylinder = shape_at(model, 1);
    const rct_shape sphere = shape_at(model, 2);
    expect_sizes(&box, RCT_SHAPE_BOX, 0, 0.0, 0.0, edges);
    expect_sizes(&cylinder, RCT_SHAPE_CYLINDER, 0, 0.5, 4.0, none);
    expect_sizes(&sphere, RCT_SHAPE_SPHERE, 0, 0.25, 0.0, none);
    const frame box_frame = rolled(angles, 1.0, 2.0, 3.0), tool = rolled(yaw, 0.0, 5.0, 0.0);
    const frame in_tool = rolled(roll, 0.0, 0.0, 1.0), sphere_frame = frame_of(&tool, &in_tool);
    expect_frame(&box, &box_frame);
    expect_frame(&cylinder, &frame_none);
    expect_frame(&sphere, &sphere_frame);
    rct_model_free(model);
}

static const char world[] =
    "<mujoco><compiler angle='radian'/><default><geom size='0.1 0.2 0.3'/>"
    "<default class='thin'><geom type='capsule' size='0.01'/></default></default><worldbody>"
    "<geom type='plane' size='9 9 9'/>"
    "<body name='a' pos='0 0 7'><joint type='hinge' axis='0 1 0' pos='1 0 0'/>"
    "<geom/>"
    "<geom type='box' pos='1 2 3' euler='0 0 0.5'/>"
    "<geom type='cylinder' quat='0.6 0 0.8 0' group='4'/>"
    "<geom class='thin' fromto='0 0 0 0 3 4'/>"
    "<geom type='ellipsoid'/>"
    "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    "<geom type='box' size='0.5 1 1.5' pos='0 0 1'/><geom type='mesh' mesh='m'/>"
    "<geom type='sphere' size='-1'/><geom class='nobody'/>"
    "<geom type='capsule' fromto='1 1 1 1 1 1'/><geom type='sphere' size='1' pos='0 0 x'/></body>"
    "</body></worldbody></mujoco>";

/* The hinge point of body a is at 1 0 0 of its frame in the file; body 1 is welded to it. */
static void test_geoms_of_mjcf(void **state)
{
    (void)state;
    static const double turn[3] = {0.0, 0.0, 0.5}, box_size[3] = {0.2, 0.4, 0.6};
    static const double turned[4] = {0.6, 0.0, 0.8, 0.0};
    rct_model *model = import(world);
    assert_int_equal(rct_model_body_count(model), 2);
    assert_int_equal(report.shapes_left_out, 6);
    assert_int_equal(rct_model_shape_count(model), 5);
    const frame back = frame_shift(-1.0, 0.0, 0.0);
    const rct_shape sphere = shape_at(model, 0), box = shape_at(model, 1);
    const rct_shape cylinder = shape_at(model, 2), thin = shape_at(model, 3);
    const rct_shape inner = shape_at(model, 4);
    expect_sizes(&sphere, RCT_SHAPE_SPHERE, 0, 0.1, 0.0, none);
    expect_sizes(&box, RCT_SHAPE_BOX, 0, 0.0, 0.0, box_size);
    expect_sizes(&cylinder, RCT_SHAPE_CYLINDER, 0, 0.1, 0.4, none);
    expect_sizes(&thin, RCT_SHAPE_CAPSULE, 0, 0.01, 5.0, none);
    expect_sizes(&inner, RCT_SHAPE_BOX, 1, 0.0, 0.0, edges);
    expect_frame(&sphere, &back);
    const frame placed = rolled(turn, 1.0, 2.0, 3.0), box_frame = frame_of(&back, &placed);
    expect_frame(&box, &box_frame);
    const frame about = frame_quaternion(turned), cylinder_frame = frame_of(&back, &about);
    expect_frame(&cylinder, &cylinder_frame);
    const frame axis = frame_quaternion(thin.orientation); /* ends: at +- z 5 / 2 */
    for (int i = 0; i < 3; i++) {
        static const double first[3] = {-1.0, 0.0, 0.0}, last[3] = {-1.0, 3.0, 4.0};
        assert_true(fabs(thin.at[i] + 2.5 * axis.r[i][2] - first[i]) < 1e-14);
        assert_true(fabs(thin.at[i] - 2.5 * axis.r[i][2] - last[i]) < 1e-14);
    }
    const frame up = frame_shift(0.0, 0.0, 1.0);
    expect_frame(&inner, &up); /* body 1 has its own hinge point */
    rct_model_free(model);
}

/* A visual that cannot be read is left out, whatever it contains. */
static void test_no_file_is_refused_for_its_looks(void **state)
{
    (void)state;
    static const char *const visuals[] = {
        "<visual/>",
        "<visual><geometry/></visual>",
        "<visual><geometry><mesh filename='m.stl' scale='1 1 1'/></geometry></visual>",
        "<visual><geometry><capsule radius='1' length='1'/></geometry></visual>",
        "<visual><geometry><box/></geometry></visual>",
        "<visual><geometry><box size='1 2'/></geometry></visual>",
        "<visual><geometry><box size='1 2 wide'/></geometry></visual>",
        "<visual><geometry><box size='1 -2 3'/></geometry></visual>",
        "<visual><geometry><sphere radius='0'/></geometry></visual>",
        "<visual><geometry><cylinder radius='1'/></geometry></visual>",
        "<visual><origin xyz='1 2'/><geometry><sphere radius='1'/></geometry></visual>",
        "<visual><origin/><origin/><geometry><sphere radius='1'/></geometry></visual>",
    };
    for (size_t i = 0; i < sizeof visuals / sizeof visuals[0]; i++) {
        text t = {.size = 0};
        text_add(&t, "<robot name='r'><link name='a'>" MASS "%s</link></robot>", visuals[i]);
        rct_model *model = import(t.at);
        assert_int_equal(rct_model_shape_count(model), 0);
        assert_int_equal(report.shapes_left_out, 1);
        assert_int_equal(report.ignored, 0);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visuals_of_urdf),
        cmocka_unit_test(test_geoms_of_mjcf),
        cmocka_unit_test(test_no_file_is_refused_for_its_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
