/* URDF: joints of every type against bodies made by hand, and random robots, with links and joints in any
 * order and links without mass, against masses and places computed with matrices. */
#include "tests/import/import_check.h"
#include "tests/support/draw.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INERTIAL                                                                                   \
    "<inertial><origin xyz='0.1 0.2 0.3'/><mass value='2'/>"                                       \
    "<inertia ixx='0.3' iyy='0.4' izz='0.5' ixy='0.01' ixz='0.02' iyz='0.03'/></inertial>"

/* The body of INERTIAL, which hangs on body 0. */
static rct_body inertial_body(rct_hinge_type hinge)
{
    static const double com[3] = {0.1, 0.2, 0.3}, inertia[6] = {0.3, 0.4, 0.5, 0.01, 0.02, 0.03};
    rct_body body = rct_body_default();
    body.name = "b";
    body.parent = 0;
    body.hinge = hinge;
    body.mass = 2.0;
    memcpy(body.com, com, sizeof com);
    memcpy(body.inertia, inertia, sizeof inertia);
    return body;
}

static void check_same(const rct_body *got, const rct_body *expected)
{
    assert_string_equal(got->name, expected->name);
    assert_int_equal(got->parent, expected->parent);
    assert_int_equal(got->hinge, expected->hinge);
    const double *g = got->hinge_at, *e = expected->hinge_at;
    const size_t numbers = (sizeof *got - offsetof(rct_body, hinge_at)) / sizeof(double);
    for (size_t i = 0; i < numbers; i++) {
        if (!(fabs(g[i] - e[i]) <= 1e-15)) {
            fail_msg("number %zu of the body is %.17g, expected %.17g", i, g[i], e[i]);
        }
    }
}

/* The second of two links, with a joint of this text, is this body. */
static void check_joint(const char *type, const char *inside, const rct_body *expected)
{
    text t = {.size = 0};
    text_add(&t,
             "<robot name='r'><link name='a'>" INERTIAL "</link><link name='b'>" INERTIAL "</link>"
             "<joint name='j' type='%s'><parent link='a'/><child link='b'/>%s</joint></robot>",
             type, inside);
    rct_model *model = import_text(t.at, NULL);
    rct_body body;
    assert_string_equal(rct_model_name(model), "r");
    assert_int_equal(rct_model_body_count(model), 2);
    assert_int_equal(rct_model_body(model, 0, &body, NULL), RCT_OK);
    assert_int_equal(body.hinge, RCT_HINGE_FIXED);
    assert_int_equal(body.parent, RCT_GROUND);
    assert_int_equal(rct_model_body(model, 1, &body, NULL), RCT_OK);
    check_same(&body, expected);
    rct_model_free(model);
}

static void test_joints_become_the_bodies_made_by_hand(void **state)
{
    (void)state;
    const double half = sqrt(0.5);
    rct_body body = inertial_body(RCT_HINGE_FIXED);
    check_joint("fixed", "<axis xyz='0 0 0'/><dynamics damping='3' friction='1'/>", &body);
    body.hinge_at[0] = 1.0, body.hinge_at[2] = 3.0;
    body.hinge_orientation[0] = half, body.hinge_orientation[3] = half; /* yaw by a quarter turn */
    check_joint("fixed", "<origin xyz='1 0 3' rpy='0 0 1.5707963267948966'/>", &body);
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    check_joint("revolute", "<origin xyz='1 0 3' rpy='0 0 1.5707963267948966'/>", &body);
    body.damping[0] = 0.7;
    check_joint("continuous",
                "<dynamics damping='0.7'/><origin xyz='1 0 3' rpy='0 0 1.5707963267948966'/>"
                "<axis xyz='5 0 0'/><limit lower='-1' upper='1' effort='3' velocity='2'/>",
                &body);
    body = inertial_body(RCT_HINGE_PRISMATIC);
    body.hinge_axis[1] = 0.6, body.hinge_axis[2] = -0.8;
    check_joint("prismatic", "<axis xyz='0 3 -4'/><safety_controller k_velocity='3'/>", &body);
    body = inertial_body(RCT_HINGE_PLANAR);
    check_joint("planar", "<axis xyz='0 0 2'/>", &body); /* x along x */
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    body.hinge_axis2[0] = 0.0, body.hinge_axis2[1] = 1.0;
    check_joint("planar", "", &body); /* the normal is x, so x of the plane is y */
}

static void test_floating_joints_and_roots_are_free(void **state)
{
    (void)state;
    static const char floating[] =
        "<robot name='r'><link name='world'/><link name='b'>" INERTIAL "</link><joint name='j' "
        "type='floating'><parent link='world'/><child link='b'/><origin xyz='1 2 3' rpy='0 0 "
        "3.14159265358979'/></joint></robot>";
    static const char alone[] = "<robot name='r'><link name='b'>" INERTIAL "</link></robot>";
    rct_body body;
    rct_model *model = import_text(floating, NULL);
    rct_body expected = inertial_body(RCT_HINGE_FREE);
    expected.parent = RCT_GROUND;
    expected.position[0] = 1.0, expected.position[1] = 2.0, expected.position[2] = 3.0;
    expected.orientation[0] = cos(0.5 * 3.14159265358979);
    expected.orientation[3] = sin(0.5 * 3.14159265358979);
    assert_int_equal(rct_model_body(model, 0, &body, NULL), RCT_OK);
    check_same(&body, &expected);
    rct_model_free(model);
    model = import_text(alone, &(rct_import_options){.floating_root = 1});
    expected = inertial_body(RCT_HINGE_FREE);
    expected.parent = RCT_GROUND;
    assert_int_equal(rct_model_body(model, 0, &body, NULL), RCT_OK);
    check_same(&body, &expected);
    rct_model_free(model);
}

/* ---- random robots ------------------------------------------------------------------------- */

enum { MOST = 14 };

typedef struct random_link {
    int parent, type, host; /* host: the link whose body it becomes part of, -1: the ground */
    int bare;               /* moves, and has no mass of its own                            */
    double xyz[3], rpy[3], axis[3], damping, q[3];
    double mass, com[3], turn[3], inertia[6];
} random_link;

typedef struct robot {
    random_link link[MOST];
    int count, floating;
} robot;

static const char *const types[] = {"fixed", "revolute", "continuous", "prismatic", "planar"};

/* Moments of three masses on the axes, which any body can have, and some products. */
static void draw_inertial(uint64_t *s, random_link *l)
{
    const double x = draw_between(s, 0.1, 1.0), y = draw_between(s, 0.1, 1.0),
                 z = draw_between(s, 0.1, 1.0);
    l->mass = draw_between(s, 0.1, 5.0);
    draw_numbers(s, l->com, 3, 0.5);
    draw_numbers(s, l->turn, 3, 3.0);
    const double inertia[6] = {y + z,
                               x + z,
                               x + y,
                               draw_between(s, -0.03, 0.03),
                               draw_between(s, -0.03, 0.03),
                               draw_between(s, -0.03, 0.03)};
    memcpy(l->inertia, inertia, sizeof inertia);
}

/* Host and mass of link i. A bare link gets its mass from the next one, which is fixed to it. */
static void draw_kind(uint64_t *s, robot *r, int i)
{
    random_link *l = &r->link[i];
    const int filler = i > 0 && r->link[i - 1].bare;
    l->parent = i == 0 ? -1 : filler ? i - 1 : (int)(draw_bits(s) % (uint64_t)i);
    const int on_bare =
        i > 0 && r->link[l->parent].host >= 0 && r->link[r->link[l->parent].host].bare;
    l->type = filler ? 0 : (int)(draw_bits(s) % 5);
    l->type = !filler && on_bare && l->type == 0 ? 1 : l->type;
    l->type = i == 0 ? 0 : l->type;
    const int moves = l->type != 0 || (i == 0 && r->floating);
    const int empty = !filler && draw_bits(s) % 3 == 0;
    l->bare = moves && empty && i + 1 < r->count;
    if (filler || !empty || (moves && !l->bare)) {
        draw_inertial(s, l);
    }
    const int above = i == 0 ? -1 : r->link[l->parent].host;
    l->host = filler || (!moves && l->mass == 0.0) ? above : i;
}

static void draw_robot(uint64_t *s, robot *r)
{
    *r = (robot){.count = 2 + (int)(draw_bits(s) % (MOST - 1)), .floating = draw_bits(s) % 2 == 0};
    for (int i = 0; i < r->count; i++) {
        random_link *l = &r->link[i];
        draw_kind(s, r, i);
        draw_numbers(s, l->xyz, 3, 1.0);
        draw_numbers(s, l->rpy, 3, 4.0);
        draw_numbers(s, l->axis, 3, 2.0);
        draw_numbers(s, l->q, 3, 2.0);
        l->damping = l->type == 4 ? 0.0 : draw_between(s, 0.0, 2.0);
    }
}

static void write_link(text *t, const random_link *l, int i)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    text_add(
        t,
        "  <link name=\"l%d\">\n    <visual><geometry><sphere radius=\"1\"/></geometry></visual>\n",
        i);
    if (l->mass > 0.0) {
        text_add(t, "    <inertial>\n      <mass value=\"%.17g\"/><origin", l->mass);
        text_numbers(t, "xyz", l->com, 3);
        text_numbers(t, "rpy", l->turn, 3);
        text_add(t, "/><inertia");
        for (int k = 0; k < 6; k++) {
            text_numbers(t, names[k], &l->inertia[k], 1);
        }
        text_add(t, "/>\n    </inertial>\n");
    }
    text_add(t, "  </link>\n");
}

static void write_joint(text *t, const random_link *l, int i)
{
    if (l->parent < 0) {
        return;
    }
    text_add(t,
             "  <joint name=\"j%d\" type=\"%s\"><child link=\"l%d\"/><parent link=\"l%d\"/><origin",
             i, types[l->type], i, l->parent);
    text_numbers(t, "rpy", l->rpy, 3);
    text_numbers(t, "xyz", l->xyz, 3);
    text_add(t, "/><axis");
    text_numbers(t, "xyz", l->axis, 3);
    text_add(t, "/><dynamics");
    text_numbers(t, "damping", &l->damping, 1);
    text_add(t, "/></joint>\n");
}

static void write_robot(uint64_t *s, text *t, const robot *r)
{
    const int start = (int)(draw_bits(s) % (uint64_t)r->count);
    text_add(t, "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n");
    for (int k = 0; k < 2 * r->count; k++) { /* links and joints mixed, from anywhere round */
        const int i = (start + (k % 2 == 0 ? k : 2 * r->count - k) / 2) % r->count;
        if (k % 2 == 0) {
            write_link(t, &r->link[i], i);
        } else {
            write_joint(t, &r->link[i], i);
        }
    }
    text_add(t, "</robot>\n");
}

/* Rz(yaw) Ry(pitch) Rx(roll) */
static frame rpy_frame(const double xyz[3], const double rpy[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    frame f = frame_shift(xyz[0], xyz[1], xyz[2]);
    for (int i = 2; i >= 0; i--) {
        const frame one = frame_turn(axes[i], rpy[i]);
        f = frame_of(&f, &one);
    }
    return f;
}

static frame joint_motion(const random_link *l)
{
    const double *a = l->axis, *q = l->q;
    const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const double n[3] = {a[0] / length, a[1] / length, a[2] / length};
    if (l->type == 1 || l->type == 2) {
        return frame_turn(a, q[0]);
    }
    if (l->type == 3) {
        return frame_shift(q[0] * n[0], q[0] * n[1], q[0] * n[2]);
    }
    if (l->type == 4) { /* in the plane: the part of the x axis (y, if n is near x) across n */
        const int k = fabs(n[0]) > 0.9 ? 1 : 0;
        double x[3] = {(k == 0) - n[k] * n[0], (k == 1) - n[k] * n[1], -n[k] * n[2]};
        const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        x[0] /= size, x[1] /= size, x[2] /= size;
        const double y[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                             n[0] * x[1] - n[1] * x[0]};
        frame f = frame_shift(q[0] * x[0] + q[1] * y[0], q[0] * x[1] + q[1] * y[1],
                              q[0] * x[2] + q[1] * y[2]);
        const frame turn = frame_turn(n, q[2]);
        return frame_of(&f, &turn);
    }
    return frame_none;
}

static void check_robot(const robot *r, const rct_model *model)
{
    frame at[MOST];
    lump sum[MOST] = {{.m = 0.0}};
    double q[MOST][3] = {{0.0}};
    int bodies = 0;
    for (int i = 0; i < r->count; i++) {
        const random_link *l = &r->link[i];
        at[i] = frame_none;
        if (i > 0) {
            const frame joint = rpy_frame(l->xyz, l->rpy), motion = joint_motion(l);
            at[i] = frame_of(&at[l->parent], &joint);
            at[i] = frame_of(&at[i], &motion);
        }
        if (l->mass > 0.0) {
            const frame turned = rpy_frame(l->com, l->turn);
            const frame inertial = frame_of(&at[i], &turned);
            const double centre[3] = {0.0, 0.0, 0.0};
            const lump own = lump_of(l->mass, centre, l->inertia, &inertial);
            lump_add(&sum[l->host], &own);
        }
        char name[16];
        snprintf(name, sizeof name, "l%d", i);
        const int32_t id = rct_model_find_body(model, name);
        assert_int_equal(id >= 0, l->host == i);
        if (id >= 0) {
            bodies++;
            memcpy(q[id], l->q, sizeof l->q);
        }
    }
    assert_int_equal(rct_model_body_count(model), bodies);
    for (int i = 0; i < r->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "l%d", i);
        const int32_t id = rct_model_find_body(model, name);
        if (id >= 0) {
            const frame f = model_frame(model, id, (const double(*)[3])q);
            const lump l = model_lump(model, id, &f);
            check_frame(&f, &at[i], name);
            check_lump(&l, &sum[i], name);
            rct_body body;
            rct_model_body(model, id, &body, NULL);
            const int damped =
                body.hinge == RCT_HINGE_REVOLUTE || body.hinge == RCT_HINGE_PRISMATIC;
            assert_true(body.damping[0] == (damped ? r->link[i].damping : 0.0));
        }
    }
}

static void test_random_robots(void **state)
{
    (void)state;
    uint64_t s = 27;
    int merged = 0, dropped = 0;
    static text t;
    for (int k = 0; k < 400; k++) {
        robot r;
        double mass = 0.0;
        draw_robot(&s, &r);
        for (int i = 0; i < r.count; i++) {
            mass += r.link[i].host >= 0 ? r.link[i].mass : 0.0;
            merged += r.link[i].bare;
            dropped += r.link[i].host != i && r.link[i].mass == 0.0;
        }
        if (mass > 0.0) {
            t.size = 0;
            write_robot(&s, &t, &r);
            rct_model *model =
                import_text(t.at, &(rct_import_options){.floating_root = r.floating});
            check_robot(&r, model);
            rct_model_free(model);
        }
    }
    assert_true(merged > 100 && dropped > 100);
}

/* No recursion and no quadratic search: a long chain, written from its end. */
static void test_a_long_chain(void **state)
{
    (void)state;
    enum { LONG = 20000, BYTES = 300 };
    char *long_text = test_malloc((size_t)LONG * BYTES + 100);
    char *end = long_text + sprintf(long_text, "<robot name='long'>");
    for (int i = LONG - 1; i >= 0; i--) {
        end += sprintf(end, "<link name='l%d'>" INERTIAL "</link>\n", i);
        if (i > 0) {
            end += sprintf(end,
                           "<joint name='j%d' type='revolute'><parent link='l%d'/><child "
                           "link='l%d'/></joint>",
                           i, i - 1, i);
        }
    }
    strcpy(end, "</robot>");
    rct_model *model = import_text(long_text, NULL);
    assert_int_equal(rct_model_body_count(model), LONG);
    assert_int_equal(rct_model_find_body(model, "l19999"), LONG - 1);
    rct_model_free(model);
    test_free(long_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_become_the_bodies_made_by_hand),
        cmocka_unit_test(test_floating_joints_and_roots_are_free),
        cmocka_unit_test(test_random_robots),
        cmocka_unit_test(test_a_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
