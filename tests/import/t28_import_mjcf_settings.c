/* MJCF: the effects of single settings. */
#include "tests/import/import_check.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static double mass_of(const rct_model *model, const char *name)
{
    rct_body body;
    const int32_t id = rct_model_find_body(model, name);
    return id >= 0 && rct_model_body(model, id, &body, NULL) == RCT_OK ? body.mass : 0.0;
}

static void test_defaults_are_inherited_from_class_to_class(void **state)
{
    (void)state;
    rct_model *model = import_text(
        "<mujoco><default><geom mass='1' type='box' size='1 1 1'/>"
        "<default class='a'><geom mass='2'/><default class='b'><joint "
        "damping='3'/></default></default>"
        "<default class='c'><geom mass='4'/></default></default><worldbody>"
        "<body name='m'><joint/><geom/></body>"
        "<body name='n' childclass='b'><joint/><geom/>"
        "  <body name='o'><joint class='main'/><geom class='c'/>"
        "    <body name='p' childclass='c'><joint/><geom mass='5'/></body></body></body>"
        "</worldbody></mujoco>",
        NULL);
    const struct {
        const char *name;
        double mass, damping;
    } expected[] = {{"m", 1, 0}, {"n", 2, 3}, {"o", 4, 0}, {"p", 5, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        rct_body body;
        const int32_t id = rct_model_find_body(model, expected[i].name);
        assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
        assert_true(body.mass == expected[i].mass && body.damping[0] == expected[i].damping);
    }
    rct_model_free(model);
}

/* Geoms count if no inertial is given, always if any geom has mass, or never; only those of some
 * groups; never on the ground. */
static void test_which_geoms_have_mass(void **state)
{
    (void)state;
    static const char body[] =
        "<worldbody><body name='floor'><geom type='mesh' mesh='m'/><geom size='9'/></body>"
        "<body name='a'><joint/><inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/>"
        "<geom mass='1' size='1'/><geom mass='2' size='1' group='4'/></body></worldbody></mujoco>";
    const struct {
        const char *compiler;
        double mass;
    } cases[] = {{"", 7},
                 {"<compiler inertiafromgeom='auto'/>", 7},
                 {"<compiler inertiafromgeom='true'/>", 3},
                 {"<compiler inertiafromgeom='false'/>", 7},
                 {"<compiler inertiafromgeom='true' inertiagrouprange='3 5'/>", 2},
                 {"<compiler inertiafromgeom='true' inertiagrouprange='5 5'/>", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static text t;
        t.size = 0;
        text_add(&t, "<mujoco>%s%s", cases[i].compiler, body);
        rct_model *model = import_text(t.at, NULL);
        assert_int_equal(rct_model_body_count(model), 1);
        assert_true(mass_of(model, "a") == cases[i].mass);
        rct_model_free(model);
    }
}

static void test_gravity_can_be_switched_off(void **state)
{
    (void)state;
    static const char *const options[] = {
        "<option gravity='1 2 3'/>",
        "<option gravity='1 2 3'><flag gravity='disable' contact='disable'/></option>", "",
        "<option><flag gravity='disable'/></option><option gravity='1 2 3'/>",
        "<option><flag gravity='disable'/></option><option><flag gravity='enable'/></option>"};
    static const double expected[][3] = {
        {1, 2, 3}, {0, 0, 0}, {0, 0, -9.81}, {0, 0, 0}, {0, 0, -9.81}};
    for (int i = 0; i < 5; i++) {
        static text t;
        double gravity[3];
        t.size = 0;
        text_add(
            &t,
            "<mujoco>%s<worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
            options[i]);
        rct_model *model = import_text(t.at, NULL);
        rct_model_gravity(model, gravity);
        assert_memory_equal(gravity, expected[i], sizeof gravity);
        rct_model_free(model);
    }
}

/* The effects of flags, of which the last value counts: constraints, and friction, with which a
 * free joint would be four hinges. */
static void test_constraints_can_be_switched_off(void **state)
{
    (void)state;
    static const char world[] =
        "<worldbody><body><freejoint/><geom size='1'/></body>"
        "<body name='a'><joint name='i' frictionloss='2'/><geom size='1'/></body>"
        "<body name='b'><joint type='free' frictionloss='3'/><geom size='1'/></body></worldbody>"
        "<tendon><fixed name='t' %s><joint joint='i' coef='1'/></fixed></tendon>"
        "<equality><joint joint1='i'/></equality></mujoco>";
    static const struct {
        const char *option;
        int loops, frictions, bodies;
    } cases[] = {
        {"", 1, 4, 6},
        {"<option><flag limit='disable' contact='disable' energy='enable'/></option>", 1, 4, 6},
        {"<option><flag equality='disable'/></option>", 0, 4, 6},
        {"<option><flag frictionloss='disable'/></option>", 1, 0, 3},
        {"<option><flag constraint='disable'/></option>", 0, 0, 3},
        {"<option><flag constraint='disable'/></option><option><flag "
         "constraint='enable'/></option>",
         1, 4, 6},
        {"<option><flag equality='disable'/></option><option gravity='0 0 1'/>", 0, 4, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text t = {.size = 0};
        rct_import_report report;
        const rct_import_options options = {.report = &report};
        text_add(&t, "<mujoco>%s", cases[i].option);
        text_add(&t, world, cases[i].frictions == 0 ? "frictionloss='5'" : "");
        rct_model *model = import_text(t.at, &options);
        assert_int_equal(rct_model_loop_count(model), cases[i].loops);
        assert_int_equal(report.frictions, cases[i].frictions);
        assert_int_equal(rct_model_body_count(model), cases[i].bodies);
        rct_model_free(model);
    }
}

/* Armature and damping of actuators are added to their joint, times the square of the gear;
 * defaults of all types are the same. */
static void test_actuators_have_rotors(void **state)
{
    (void)state;
    rct_body body;
    rct_model *model = import_text(
        "<mujoco><default><motor gear='3'/><position armature='5' kp='7'/>"
        "<default class='c'><general gear='2 1 1 1 1 1' armature='0.5'/></default></default>"
        "<worldbody><body name='a'><joint name='i' armature='1' damping='0.25'/><geom size='1'/>"
        "<body name='b'><joint name='s' type='slide'/><joint name='h'/><geom size='1'/></body>"
        "<body name='d'><joint type='ball' name='l'/><geom size='1'/></body></body></worldbody>"
        "<actuator><motor joint='i'/><velocity class='c' joint='i' damping='4'/>"
        "<position joint='s' gear='-1' damping='8'/><general joint='l' armature='0' ctrlrange='0 "
        "1'/>"
        "<motor joint='i' armature='0'/></actuator></mujoco>",
        NULL);
    assert_int_equal(rct_model_body(model, rct_model_find_body(model, "a"), &body, NULL), RCT_OK);
    assert_true(body.armature[0] == 1.0 + 9.0 * 5.0 + 4.0 * 0.5);
    assert_true(body.damping[0] == 0.25 + 4.0 * 4.0);
    assert_int_equal(rct_model_body(model, rct_model_find_body(model, "b"), &body, NULL), RCT_OK);
    assert_int_equal(body.hinge, RCT_HINGE_CYLINDRICAL); /* its slide comes second */
    assert_true(body.armature[0] == 0.0 && body.armature[1] == 5.0);
    assert_true(body.damping[0] == 0.0 && body.damping[1] == 8.0);
    rct_model_free(model);
}

/* Half a turn from z: about x. A zero rotation and an exact point keep their digits. */
static void test_numbers_are_kept_where_nothing_turns(void **state)
{
    (void)state;
    rct_model *model =
        import_text("<mujoco><worldbody><body name='a' pos='0.1 0.2 0.3'><joint type='ball'/>"
                    "<inertial pos='0.4 0.5 0.6' mass='0.7' diaginertia='0.11 0.12 0.13'/>"
                    "<body name='b' zaxis='0 0 -1'><joint/><geom size='1'/></body></body>"
                    "</worldbody></mujoco>",
                    NULL);
    rct_body body;
    static const double at[3] = {0.1, 0.2, 0.3}, com[3] = {0.4, 0.5, 0.6},
                        inertia[6] = {0.11, 0.12, 0.13, 0.0, 0.0, 0.0};
    assert_int_equal(rct_model_body(model, 0, &body, NULL), RCT_OK);
    assert_memory_equal(body.hinge_at, at, sizeof at);
    assert_memory_equal(body.com, com, sizeof com);
    assert_memory_equal(body.inertia, inertia, sizeof inertia);
    assert_int_equal(rct_model_body(model, 1, &body, NULL), RCT_OK);
    assert_true(fabs(body.hinge_orientation[1] - 1.0) < 1e-15);
    rct_model_free(model);
}

/* Every class is found by its name among thousands, and gives its own number; the second place of a
 * duplicate is refused. */
static void test_many_classes(void **state)
{
    (void)state;
    enum { CLASSES = 3000 };
    static char at[CLASSES * 128];
    int size = snprintf(at, sizeof at, "<mujoco><default>");
    for (int i = 0; i < CLASSES; i++) {
        size += snprintf(at + size, sizeof at - (size_t)size,
                         "<default class='c%d'><joint damping='%d'/></default>\n", i, i);
    }
    const int end = size;
    size +=
        snprintf(at + size, sizeof at - (size_t)size, "<joint armature='0'/></default><worldbody>");
    for (int i = 0; i < CLASSES; i++) {
        size += snprintf(at + size, sizeof at - (size_t)size,
                         "<body><joint class='c%d'/><geom size='1'/></body>", i * 1009 % CLASSES);
    }
    snprintf(at + size, sizeof at - (size_t)size, "</worldbody></mujoco>");
    rct_model *model = import_text(at, NULL);
    for (int i = 0; i < CLASSES; i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        assert_true(body.damping[0] == i * 1009 % CLASSES);
    }
    rct_model_free(model);
    snprintf(at + end, sizeof at - (size_t)end, "<default class='c77'/></default></mujoco>");
    rct_error error;
    assert_null(rct_model_import_text(at, (int64_t)strlen(at), NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_int_equal(error.line, CLASSES + 1);
    assert_non_null(strstr(error.text, "line 78 already has a class \"c77\""));
}

static void test_a_long_name_of_a_class(void **state)
{
    (void)state;
    enum { LETTERS = 200000 };
    static char name[LETTERS + 1], at[2 * LETTERS + 256];
    memset(name, 'n', LETTERS);
    snprintf(at, sizeof at,
             "<mujoco><default><default class='%s'><joint damping='3'/></default></default>"
             "<worldbody><body><joint class='%s'/><geom size='1'/></body></worldbody></mujoco>",
             name, name);
    rct_body body;
    rct_model *model = import_text(at, NULL);
    rct_model_body(model, 0, &body, NULL);
    assert_true(body.damping[0] == 3.0);
    rct_model_free(model);
}

/* Sections of defaults continue one another: the last value counts, and the depth is limited. */
static void test_many_sections_of_defaults(void **state)
{
    (void)state;
    enum { SECTIONS = 256 };
    for (int more = 0; more < 2; more++) {
        text t = {.size = 0};
        text_add(&t, "<mujoco>\n");
        for (int i = 0; i < SECTIONS + more; i++) {
            text_add(&t, "<default><joint damping='%d'/></default>\n", i);
        }
        text_add(
            &t,
            "<worldbody><body><joint class='main'/><geom size='1'/></body></worldbody></mujoco>");
        rct_error error;
        rct_body body;
        rct_model *model = rct_model_import_text(t.at, t.size, NULL, &error);
        if (more) {
            assert_null(model);
            assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
            assert_int_equal(error.line, SECTIONS + 2);
            assert_non_null(strstr(error.text, "inherit from more than 255 others; join"));
        } else {
            assert_non_null(model);
            rct_model_body(model, 0, &body, NULL);
            assert_true(body.damping[0] == SECTIONS - 1);
            rct_model_free(model);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_inherited_from_class_to_class),
        cmocka_unit_test(test_many_classes),
        cmocka_unit_test(test_a_long_name_of_a_class),
        cmocka_unit_test(test_many_sections_of_defaults),
        cmocka_unit_test(test_which_geoms_have_mass),
        cmocka_unit_test(test_gravity_can_be_switched_off),
        cmocka_unit_test(test_constraints_can_be_switched_off),
        cmocka_unit_test(test_actuators_have_rotors),
        cmocka_unit_test(test_numbers_are_kept_where_nothing_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
