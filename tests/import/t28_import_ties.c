/* Ties between bodies outside the tree: <equality> of MJCF between random bodies, whose two ends
 * coincide by frames computed with matrices; relations of joints and tendons, and <mimic> of URDF,
 * by their terms. */
#include "tests/import/import_check.h"
#include "tests/import/random_world.h"
#include "tests/support/draw.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- closures ----------------------------------------------------------------------------- */

/* A body of a closure in its start pose, and the frame on it. */
static frame end_of(const rct_model *model, int32_t id, const double at[3], const double turn[4])
{
    static double q[3 * MOST_BODIES][3];
    frame own = frame_quaternion(turn);
    memcpy(own.t, at, sizeof own.t);
    if (id == RCT_GROUND) {
        return own;
    }
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        memcpy(q[i], body.position, sizeof q[i]);
    }
    const frame there = model_frame(model, id, (const double(*)[3])q);
    return frame_of(&there, &own);
}

static rct_loop loop_of(const rct_model *model, int32_t number, frame end[2])
{
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, number, &loop, NULL), RCT_OK);
    end[0] = end_of(model, loop.body, loop.at, loop.orientation);
    end[1] = end_of(model, loop.other, loop.other_at, loop.other_orientation);
    return loop;
}

static double apart(const double a[3], const double b[3])
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
}

/* Two bodies of the world; `a` is never fixed to the ground, nor the parent of the other. */
static void draw_pair(uint64_t *s, const world *w, int *a, int *b)
{
    *a = (int)(draw_bits(s) % (uint64_t)w->count);
    *b = (int)(draw_bits(s) % (uint64_t)w->count);
}

static int32_t id_of(const rct_model *model, int number)
{
    char name[16];
    snprintf(name, sizeof name, "b%d", number);
    return rct_model_find_body(model, name);
}

/* The start pose of the body of the file, and a place on it. */
static frame place_on(const world *w, int number, const frame *place)
{
    return frame_of(&w->body[number].at, place);
}

/* Bodies of the file at the start, ids in the order of parents. */
static void stand(world *w)
{
    for (int i = 0; i < w->count; i++) {
        random_body *b = &w->body[i];
        b->at = b->parent >= 0 ? frame_of(&w->body[b->parent].at, &b->place) : b->place;
    }
}

static void check_pair(const rct_model *model, const world *w, int a, int b, const double anchor[3],
                       const frame *pose)
{
    const frame to = frame_shift(anchor[0], anchor[1], anchor[2]);
    const frame expected = place_on(w, a, &to);
    frame end[2];
    rct_loop loop = loop_of(model, 0, end);
    assert_int_equal(loop.type, RCT_LOOP_BALL);
    assert_int_equal(loop.body, id_of(model, a));
    assert_int_equal(loop.other, id_of(model, b));
    assert_true(apart(end[0].t, expected.t) < 1e-11 && apart(end[1].t, expected.t) < 1e-11);
    loop = loop_of(model, 1, end); /* as the bodies stand */
    assert_int_equal(loop.type, RCT_LOOP_FIXED);
    check_frame(&end[0], &end[1], "weld");
    loop = loop_of(model, 2, end); /* the second end is the pose on a, the first the anchor on b */
    const frame on_a = place_on(w, a, pose), on_b = place_on(w, b, &to);
    check_frame(&end[0], &on_a, "pose on a");
    check_frame(&end[1], &on_b, "anchor on b");
    loop = loop_of(model, 3, end);
    assert_int_equal(loop.other, RCT_GROUND);
    assert_int_equal(loop.active, 0);
    assert_true(apart(end[0].t, expected.t) < 1e-11 && apart(end[1].t, expected.t) < 1e-11);
}

static void test_random_closures(void **state)
{
    (void)state;
    uint64_t s = 7;
    static text t;
    int checked = 0;
    for (int k = 0; k < 300; k++) {
        world w;
        int a, b;
        double anchor[3], pose[7];
        t.size = 0;
        random_world_draw(&s, &w);
        random_world_write(&s, &t, &w);
        draw_pair(&s, &w, &a, &b);
        if (a == b) {
            continue;
        }
        draw_numbers(&s, anchor, 3, 1.0);
        draw_numbers(&s, pose, 7, 1.0);
        frame relative = frame_quaternion(pose + 3);
        memcpy(relative.t, pose, sizeof relative.t);
        t.size -= (int)strlen("</mujoco>\n");
        text_add(&t, "<equality><connect body1=\"b%d\" body2=\"b%d\"", a, b);
        text_numbers(&t, "anchor", anchor, 3);
        text_add(&t, "/><weld body1=\"b%d\" body2=\"b%d\"/><weld body1=\"b%d\" body2=\"b%d\"", a, b,
                 a, b);
        text_numbers(&t, "relpose", pose, 7);
        text_numbers(&t, "anchor", anchor, 3);
        text_add(&t, "/><connect active=\"false\" body1=\"b%d\"", a);
        text_numbers(&t, "anchor", anchor, 3);
        text_add(&t, "/></equality></mujoco>\n");
        rct_model *model = import_text(t.at, NULL);
        stand(&w);
        check_pair(model, &w, a, b, anchor, &relative);
        checked++;
        rct_model_free(model);
    }
    assert_true(checked > 100);
}

/* Sites, one in a frame and one on the ground; the ends of the closure are those of the sites. */
static void test_sites(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><worldbody><site name='there' pos='0 0 3'/>"
        "<body name='a' pos='1 0 0'><joint pos='0 0 0.5'/><geom size='1'/>"
        "<frame pos='0 1 0'><site name='here' pos='0 0 2' quat='0 1 0 0'/></frame></body>"
        "</worldbody><equality><weld site1='here' site2='there'/></equality></mujoco>";
    rct_model *model = import_text(from, NULL);
    static const double there[3] = {0.0, 0.0, 3.0}, here[3] = {0.0, 1.0, 1.5};
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, 0, &loop, NULL), RCT_OK);
    assert_int_equal(loop.type, RCT_LOOP_FIXED);
    assert_int_equal(loop.other, RCT_GROUND);
    assert_true(apart(loop.other_at, there) < 1e-15 && apart(loop.at, here) < 1e-15);
    assert_true(loop.orientation[1] == 1.0 && loop.other_orientation[0] == 1.0);
    rct_model_free(model);
}

/* Sites between two points, z towards the first, of a class or their own. */
static void test_sites_between_points(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><default><site type='capsule' size='1' fromto='0 0 0 0 0 4'/></default>"
        "<worldbody><site name='there'/><body name='a'><joint/><geom size='1'/>"
        "<site name='here' fromto='3 0 0 1 0 0'/></body></worldbody>"
        "<equality><weld site1='here' site2='there'/></equality></mujoco>";
    rct_model *model = import_text(from, NULL);
    static const double there[3] = {0.0, 0.0, 2.0}, here[3] = {2.0, 0.0, 0.0};
    const double half = sqrt(0.5);
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, 0, &loop, NULL), RCT_OK);
    assert_true(apart(loop.other_at, there) < 1e-15 && apart(loop.at, here) < 1e-15);
    assert_true(fabs(loop.orientation[0] - half) < 1e-15);
    assert_true(fabs(loop.orientation[2] - half) < 1e-15);
    assert_true(fabs(loop.other_orientation[1] - 1.0) < 1e-15);
    rct_model_free(model);
}

/* ---- relations ---------------------------------------------------------------------------- */

static rct_loop relation(const rct_model *model, int32_t number)
{
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, number, &loop, NULL), RCT_OK);
    assert_int_equal(loop.type, RCT_LOOP_RELATION);
    return loop;
}

static void expect_term(const rct_model *model, const rct_loop *loop, int number, const char *body,
                        int freedom, double factor)
{
    const rct_loop_term *term = &loop->terms[number];
    assert_int_equal(term->body, rct_model_find_body(model, body));
    assert_int_equal(term->freedom, freedom);
    assert_true(fabs(term->factor - factor) < 1e-15);
}

/* y - y0 = a0 + a1 (x - x0), for the coordinates of hinges made of several joints, too. */
static void test_relations(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><compiler angle='radian'/><worldbody>"
        "<body name='a'><joint name='s' type='slide' axis='0 0 1' ref='0.25'/><joint name='h'/>"
        "<geom size='1'/>"
        "<body name='b'><joint name='i' axis='1 0 0' ref='0.5'/><joint name='j' axis='0 1 0' "
        "pos='1 0 0'/>"
        "<geom size='1'/></body></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='h' coef='2'/><joint joint='s' coef='3'/></fixed>"
        "<fixed name='u'><joint joint='j' coef='5'/></fixed><spatial name='v'/></tendon>"
        "<default><default class='off'><equality active='false'/></default></default>"
        "<equality><joint name='one' joint1='i' joint2='s' polycoef='0.125 4'/>"
        "<joint class='off' joint1='h'/><tendon tendon1='t' tendon2='u' polycoef='1 -0.5'/>"
        "</equality></mujoco>";
    rct_import_report report;
    const rct_import_options options = {.report = &report};
    rct_model *model = import_text(from, &options);
    assert_int_equal(report.loops, 3);
    rct_loop loop = relation(model, 0);
    assert_string_equal(loop.name, "one");
    assert_int_equal(loop.term_count, 2);
    expect_term(model, &loop, 0, "b.i", 0, 1.0);
    expect_term(model, &loop, 1, "a", 1, -4.0); /* cylindrical: the displacement comes second */
    assert_true(fabs(loop.offset - (0.125 + 0.5 - 4.0 * 0.25)) < 1e-15);
    loop = relation(model, 1);
    assert_int_equal(loop.active, 0);
    assert_int_equal(loop.term_count, 1);
    expect_term(model, &loop, 0, "a", 0, 1.0);
    loop = relation(model, 2);
    assert_int_equal(loop.term_count, 3);
    expect_term(model, &loop, 0, "a", 0, 2.0);
    expect_term(model, &loop, 1, "a", 1, 3.0);
    expect_term(model, &loop, 2, "b", 0, 2.5);
    assert_true(fabs(loop.offset - (1.0 + 3.0 * 0.25)) < 1e-15);
    rct_model_free(model);
}

static const char link_of_mass[] = "<link name='%s'><inertial><mass value='1'/><inertia ixx='1' "
                                   "iyy='1' izz='1'/></inertial></link>";

static void add_link(text *t, const char *name, int mass)
{
    if (mass) {
        char link[256];
        snprintf(link, sizeof link, "%.*s%s%s", (int)(strstr(link_of_mass, "%s") - link_of_mass),
                 link_of_mass, name, strstr(link_of_mass, "%s") + 2);
        text_add(t, "%s", link);
    } else {
        text_add(t, "<link name='%s'/>", name);
    }
}

static void add_joint(text *t, const char *name, const char *type, const char *child,
                      const char *mimic)
{
    text_add(t, "<joint name='%s' type='%s'><parent link='base'/><child link='%s'/>%s</joint>",
             name, type, child, mimic);
}

static void test_mimic(void **state)
{
    (void)state;
    static text t;
    text_add(&t, "<robot name='r'>");
    add_link(&t, "base", 0);
    add_link(&t, "a", 1);
    add_link(&t, "b", 1);
    add_link(&t, "c", 1);
    add_link(&t, "d", 1);
    add_link(&t, "tip", 0);
    add_joint(&t, "ja", "revolute", "a", "<mimic joint='jb' multiplier='-2' offset='0.25'/>");
    add_joint(&t, "jb", "prismatic", "b", "");
    add_joint(&t, "jc", "revolute", "c", "<mimic joint='jd' offset='0.5'/>");
    add_joint(&t, "jd", "fixed", "d", "<mimic joint='jb'/>");
    add_joint(&t, "jt", "revolute", "tip", "<mimic joint='jb'/>");
    text_add(&t, "</robot>");
    rct_import_report report;
    const rct_import_options options = {.report = &report};
    rct_model *model = import_text(t.at, &options);
    assert_int_equal(rct_model_loop_count(model), 2);
    assert_int_equal(report.massless_left_out, 1);
    rct_loop loop = relation(model, 0);
    assert_string_equal(loop.name, "ja");
    assert_int_equal(loop.term_count, 2);
    expect_term(model, &loop, 0, "a", 0, 1.0);
    expect_term(model, &loop, 1, "b", 0, 2.0);
    assert_true(loop.offset == 0.25);
    loop = relation(model, 1);
    assert_int_equal(loop.term_count, 1);
    expect_term(model, &loop, 0, "c", 0, 1.0);
    assert_true(loop.offset == 0.5);
    rct_model_free(model);
}

/* A planar joint follows and leads no other, not even by its first coordinate; such a tie is left
 * out on request. */
static void test_planar_joints_are_not_tied(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        text t = {.size = 0};
        rct_import_report report;
        const rct_import_options options = {.ignore_unsupported = 1, .report = &report};
        text_add(&t, "<robot name='r'>");
        add_link(&t, "base", 0);
        add_link(&t, "a", 1);
        add_link(&t, "b", 1);
        add_joint(&t, "ja", i ? "planar" : "revolute", "a", "<mimic joint='jb'/>");
        add_joint(&t, "jb", i ? "prismatic" : "planar", "b", "");
        text_add(&t, "</robot>");
        rct_model *model = import_text(t.at, &options);
        assert_int_equal(report.ignored, 1);
        assert_int_equal(rct_model_loop_count(model), 0);
        rct_model_free(model);
    }
}

/* A massless tip that two others follow would tie them to each other. */
static void test_a_tip_that_leads(void **state)
{
    (void)state;
    static text t;
    rct_error error = {.text = ""};
    text_add(&t, "<robot name='r'>");
    add_link(&t, "base", 0);
    add_link(&t, "a", 1);
    add_link(&t, "b", 1);
    add_link(&t, "tip", 0);
    add_joint(&t, "jt", "revolute", "tip", "");
    add_joint(&t, "ja", "revolute", "a", "<mimic joint='jt'/>");
    add_joint(&t, "jb", "revolute", "b", "<mimic joint='jt'/>");
    text_add(&t, "</robot>");
    assert_null(rct_model_import_text(t.at, t.size, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "<mimic>: a joint that moves no mass"));
}

/* A massless rod between two bodies, and forces on a tip that follows, are refused; tips without a
 * relation are not. */
static void test_tips_without_mass(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *tie, *refused;
    } cases[] = {
        {"<joint name='k'/>", "<connect body1='tip' body2='b' anchor='1 0 0'/>",
         "<connect>: tying a body that moves, has no mass"},
        {"<joint name='k'/>", "<weld body1='end' body2='b'/>", "<weld>: tying a body"},
        {"<joint name='k' damping='1'/>", "<joint joint1='k' joint2='j'/>",
         "<joint>: a joint that moves no mass"},
        {"<joint name='k' stiffness='1'/>", "<joint joint1='k' joint2='j'/>", "<joint>: a joint"},
        {"<joint name='k' frictionloss='1'/>", "<joint joint1='k' joint2='j'/>", "<joint>: a"},
        {"<joint name='k' damping='1'/>", "<tendon tendon1='t' tendon2='u'/>", NULL},
        {"<joint name='k'/>", "<connect body1='tip' body2='a' anchor='1 0 0'/>", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text t = {.size = 0};
        rct_error error = {.text = ""};
        text_add(&t,
                 "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='1'/>"
                 "<body name='tip'>%s<body name='end' pos='1 0 0'/></body></body>"
                 "<body name='b'><joint/><geom size='1'/></body></worldbody>"
                 "<tendon><fixed name='t'><joint joint='j' coef='2'/><joint joint='k' coef='1'/>"
                 "</fixed><fixed name='u'><joint joint='k' coef='1'/></fixed></tendon>"
                 "<equality>%s</equality></mujoco>",
                 cases[i].joint, cases[i].tie);
        rct_model *model = rct_model_import_text(t.at, t.size, NULL, &error);
        assert_int_equal(model == NULL, cases[i].refused != NULL);
        if (model == NULL) {
            assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.text, cases[i].refused));
        } else { /* the tendons are one but for j, which stands still */
            assert_int_equal(rct_model_loop_count(model), i == 5);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_closures),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_sites_between_points),
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_mimic),
        cmocka_unit_test(test_a_tip_that_leads),
        cmocka_unit_test(test_planar_joints_are_not_tied),
        cmocka_unit_test(test_tips_without_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
