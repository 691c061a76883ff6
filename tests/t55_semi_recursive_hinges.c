/* Semi-recursive I and II (seed 003): what hinges bear, in space, and what is refused. */
#include "cmocka_all.h"

#include "core/memory.h"
#include "reference/planar.h"
#include "reference/semi_recursive.h"
#include "support/planar_tree.h"

#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TREE_MOST_BODIES };

typedef struct outcome {
    double linear[3 * MOST], angular[3 * MOST], force[3 * MOST], moment[3 * MOST];
} outcome;

static outcome run(const rct_model *model, int which, double time)
{
    outcome o;
    rct_error error = {.text = ""};
    rct_reference_result result = {
        .linear = o.linear, .angular = o.angular, .force = o.force, .moment = o.moment};
    if (rct_semi_recursive_evaluate(model, which, time, NULL, NULL, &result, &error) != RCT_OK) {
        fail_msg("semi-recursive %d: %s", which, error.text);
    }
    return o;
}

/* out += sign a x b */
static void add_cross(const double a[3], const double b[3], double sign, double out[3])
{
    out[0] += sign * (a[1] * b[2] - a[2] * b[1]);
    out[1] += sign * (a[2] * b[0] - a[0] * b[2]);
    out[2] += sign * (a[0] * b[1] - a[1] * b[0]);
}

/* Where a body of the tree stands: body axes to inertial, hinge point, angular velocity. */
typedef struct stance {
    double R[3][3], at[3], w[3];
} stance;

static void to_inertial(const stance *s, const double v[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = s->R[r][0] * v[0] + s->R[r][1] * v[1] + s->R[r][2] * v[2];
    }
}

/* e turned by the body's axes, about the normal by its angle, and to inertial axes. */
static void turn_all(const planar_tree *tree, double angle, int i, const double e[3], double out[3])
{
    const double *q = tree->body[i].axes, *v = q + 1;
    double once[3] = {0.0, 0.0, 0.0}, own[3] = {e[0], e[1], e[2]};
    add_cross(v, e, 2.0, once);
    add_cross(v, once, 1.0, own);
    for (int k = 0; k < 3; k++) {
        own[k] += q[0] * once[k];
    }
    const plane_vector flat = plane_turn(angle, (plane_vector){own[0], own[1]});
    const double turned[3] = {(double)flat.x, (double)flat.y, own[2]};
    planar_tree_to_inertial(tree, turned, out);
}

static stance stance_of(const planar_tree *tree, const plane_system *s, int i)
{
    stance own;
    const tree_body *t = &tree->body[i];
    const plane_body *body = &s->body[i + 1];
    const plane_vector hinge =
        plane_place(s, i + 1, (plane_vector){-(long double)t->com[0], -(long double)t->com[1]});
    double at[3] = {(double)hinge.x, (double)hinge.y, 0.0}, w[3] = {0.0, 0.0, (double)body->v[2]};
    for (int k = i; k >= 0; k = tree->body[k].parent) {
        at[2] += tree->body[k].at[2];
    }
    planar_tree_to_inertial(tree, at, own.at);
    planar_tree_to_inertial(tree, w, own.w);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        double column[3];
        turn_all(tree, (double)body->x[2], i, e, column);
        for (int r = 0; r < 3; r++) {
            own.R[r][k] = column[r];
        }
    }
    return own;
}

/* J x in inertial axes. */
static void apply_inertia(const stance *s, const double j[6], const double x[3], double out[3])
{
    double own[3];
    for (int k = 0; k < 3; k++) {
        own[k] = s->R[0][k] * x[0] + s->R[1][k] * x[1] + s->R[2][k] * x[2];
    }
    const double turned[3] = {j[0] * own[0] + j[3] * own[1] + j[4] * own[2],
                              j[3] * own[0] + j[1] * own[1] + j[5] * own[2],
                              j[4] * own[0] + j[5] * own[1] + j[2] * own[2]};
    to_inertial(s, turned, out);
}

/* Force and moment about the centre of mass. */
typedef struct load {
    double F[3], M[3];
} load;

/* F and M act at an arm from the centre of mass. */
static void add_load(load *sum, const double arm[3], const double F[3], const double M[3],
                     double sign)
{
    for (int k = 0; k < 3; k++) {
        sum->F[k] += sign * F[k];
        sum->M[k] += sign * M[k];
    }
    add_cross(arm, F, sign, sum->M);
}

/* Minus mass times acceleration, minus rate of the angular momentum, and weight. */
static load inertial(const rct_model *model, const rct_body *body, const stance *s,
                     const double c[3], const double *linear, const double *alpha)
{
    double g[3], v_c[3] = {0.0, 0.0, 0.0}, a_c[3] = {linear[0], linear[1], linear[2]};
    double J_alpha[3], J_w[3];
    load sum;
    rct_model_gravity(model, g);
    add_cross(alpha, c, 1.0, a_c);
    add_cross(s->w, c, 1.0, v_c);
    add_cross(s->w, v_c, 1.0, a_c);
    apply_inertia(s, body->inertia, alpha, J_alpha);
    apply_inertia(s, body->inertia, s->w, J_w);
    for (int k = 0; k < 3; k++) {
        sum.F[k] = body->mass * (g[k] - a_c[k]);
        sum.M[k] = -J_alpha[k];
    }
    add_cross(s->w, J_w, -1.0, sum.M);
    return sum;
}

static void add_wrench(load *sum, const stance *s, const double c[3], const rct_force *force)
{
    double arm[3], F[3], M[3];
    to_inertial(s, force->at, arm);
    memcpy(F, force->force, sizeof F);
    memcpy(M, force->moment, sizeof M);
    if (force->in_body_axes) {
        to_inertial(s, force->force, F);
        to_inertial(s, force->moment, M);
    }
    for (int k = 0; k < 3; k++) {
        arm[k] -= c[k];
    }
    add_load(sum, arm, F, M, 1.0);
}

/* What body i of the tree lacks of forces and moments. */
static double imbalance(const planar_tree *tree, const plane_system *s, const rct_model *model,
                        const outcome *o, int i)
{
    const int id = tree->id[i];
    const stance own = stance_of(tree, s, i);
    rct_body body;
    double c[3];
    rct_model_body(model, id, &body, NULL);
    to_inertial(&own, body.com, c);
    load sum = inertial(model, &body, &own, c, o->linear + 3 * id, o->angular + 3 * id);
    for (int n = 0; n < tree->n; n++) {
        if (n == i || tree->body[n].parent == i) {
            const stance hinge = stance_of(tree, s, n);
            const double arm[3] = {hinge.at[0] - own.at[0] - c[0], hinge.at[1] - own.at[1] - c[1],
                                   hinge.at[2] - own.at[2] - c[2]};
            const int at = 3 * tree->id[n];
            add_load(&sum, arm, o->force + at, o->moment + at, n == i ? 1.0 : -1.0);
        }
    }
    for (int k = 0; k < rct_model_force_count(model); k++) {
        rct_force force;
        rct_model_force(model, k, &force, NULL);
        if (force.body == id) {
            add_wrench(&sum, &own, c, &force);
        }
    }
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, fmax(fabs(sum.F[k]), fabs(sum.M[k])));
    }
    return worst;
}

/* Newton and Euler in space for each body, with what the hinges are said to bear. */
static void test_hinges_bear_what_bodies_need(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 230; seed++) {
        planar_tree tree = planar_tree_draw(1 + (int)(seed % 9), seed % 3 != 0, seed);
        for (int k = 1; k < TREE_FORCES; k += 2) { /* springs have a test of their own */
            tree.force[k].type = RCT_FORCE_WRENCH;
            tree.force[k].other = -1;
            tree.force[k].force[2] = 3.0;
        }
        static plane_system s;
        planar_tree_plane(&tree, &s);
        rct_model *model = planar_tree_model(&tree);
        const outcome o = run(model, 1 + (int)(seed % 2), tree.time);
        double scale = 1.0;
        for (int k = 0; k < 3 * tree.n; k++) {
            scale = fmax(scale, fmax(fabs(o.force[k]), fabs(o.moment[k])));
        }
        for (int i = 0; i < tree.n; i++) {
            assert_true(imbalance(&tree, &s, model, &o, i) < 1e-12 * scale);
        }
        rct_model_free(model);
    }
}

/* Two bodies held by the ground and a spring between them, 4 m apart in x and 3 m in z. */
static void test_hinges_bear_springs(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("held", NULL);
    rct_body body = rct_body_default();
    const double none[3] = {0.0, 0.0, 0.0};
    body.hinge = RCT_HINGE_FIXED;
    body.mass = 1.0;
    body.parent = RCT_GROUND;
    rct_model_add_body(model, &body, NULL, NULL);
    body.hinge_at[0] = 4.0;
    body.hinge_at[2] = 3.0;
    rct_model_add_body(model, &body, NULL, NULL);
    rct_model_set_gravity(model, none, NULL);
    rct_force spring = rct_force_default();
    spring.type = RCT_FORCE_SPRING;
    spring.other = 1;
    spring.at[1] = 2.0;
    spring.other_at[1] = 2.0;
    spring.stiffness = 10.0;
    spring.length = 3.0;
    rct_model_add_force(model, &spring, NULL, NULL);
    const outcome o = run(model, 1, 0.0); /* pulls with 20 along (4, 0, 3) / 5 */
    const double force[6] = {-16.0, 0.0, -12.0, 16.0, 0.0, 12.0};
    const double moment[6] = {-24.0, 0.0, 32.0, 24.0, 0.0, -32.0};
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(o.force[k] - force[k]) < 1e-14);
        assert_true(fabs(o.moment[k] - moment[k]) < 1e-14);
        assert_true(o.linear[k] == 0.0 && o.angular[k] == 0.0);
    }
    rct_model_free(model);
}

static rct_body disc(int32_t parent, rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = hinge;
    body.mass = 1.0;
    body.com[0] = 0.5;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    return body;
}

/* A revolute body about z on the ground, and `second`, which is refused in words. */
static void expect_refused(const rct_body *second, const char *words)
{
    for (int which = 1; which <= 2; which++) {
        rct_model *model = rct_model_create("refused", NULL);
        const rct_body first = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
        rct_reference_result result = {.linear = NULL};
        rct_error error;
        assert_int_equal(rct_model_add_body(model, &first, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_body(model, second, NULL, NULL), RCT_OK);
        assert_int_equal(
            rct_semi_recursive_evaluate(model, which, 0.0, NULL, NULL, &result, &error),
            RCT_ERROR_UNSUPPORTED);
        assert_int_equal(error.body, 1);
        assert_non_null(strstr(error.text, "body 1 \"body1\""));
        assert_non_null(strstr(error.text, words));
        assert_non_null(strstr(error.text, "use the reference lagrange"));
        rct_model_free(model);
    }
}

static void test_what_is_not_planar(void **state)
{
    (void)state;
    static const rct_hinge_type others[] = {RCT_HINGE_BALL, RCT_HINGE_UNIVERSAL,
                                            RCT_HINGE_CYLINDRICAL, RCT_HINGE_HELICAL};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const rct_body other = disc(0, others[k]);
        expect_refused(&other, "neither fixed, revolute, prismatic nor planar");
    }
    const rct_body loose = disc(RCT_GROUND, RCT_HINGE_FREE);
    expect_refused(&loose, "neither fixed, revolute, prismatic nor planar");
    rct_body tilted = disc(0, RCT_HINGE_REVOLUTE);
    tilted.hinge_axis[0] = 1e-6;
    expect_refused(&tilted, "is not along the normal");
    rct_body turned = disc(0, RCT_HINGE_PLANAR); /* its axis is tilted by the hinge's orientation */
    turned.hinge_orientation[1] = 1e-6;
    expect_refused(&turned, "is not along the normal");
    rct_body lifted = disc(0, RCT_HINGE_PRISMATIC);
    lifted.hinge_axis[0] = 1.0;
    lifted.hinge_axis[2] = 1e-6;
    expect_refused(&lifted, "leaves the plane");
    for (int k = 4; k < 6; k++) {
        rct_body skew = disc(0, RCT_HINGE_FIXED);
        skew.inertia[k] = 1e-6;
        expect_refused(&skew, "products with the normal");
    }
}

/* Status and text of an evaluation of a pendulum, after a change to it. */
static rct_status status_of(const rct_model *model, int which, double time, const double *q,
                            const double *u, rct_error *error)
{
    double linear[3 * MOST], force[3 * MOST];
    rct_reference_result result = {.linear = linear, .force = force};
    return rct_semi_recursive_evaluate(model, which, time, q, u, &result, error);
}

static rct_model *pendulum(void)
{
    rct_model *model = rct_model_create("pendulum", NULL);
    const rct_body body = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    return model;
}

static void test_motion_of_the_ground_out_of_the_plane(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 2; k++) {
        rct_model *model = pendulum();
        rct_base base = rct_base_default();
        (k == 0 ? base.velocity : base.acceleration)[2] = 1e-3;
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
        assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
        assert_int_equal(error.body, -1);
        assert_non_null(strstr(error.text, "motion of the ground: it leaves the plane"));
        rct_model_free(model);
    }
    rct_model *model = pendulum(); /* the ground turns otherwise than the hinge */
    rct_base base = rct_base_default();
    base.axis[1] = 1.0;
    base.rate = 1.0;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    assert_int_equal(status_of(model, 2, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "is not along the normal"));
    rct_model_free(model);
}

static void test_arguments(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = pendulum();
    const double good = 0.1, bad = NAN;
    assert_int_equal(status_of(model, 3, 0.0, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "semi-recursive 3 is unknown"));
    assert_int_equal(status_of(model, 1, NAN, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "time is not finite"));
    assert_int_equal(status_of(model, 1, 0.0, &bad, &good, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(error.body, 0);
    assert_int_equal(status_of(model, 1, 0.0, &good, &bad, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "body 0 \"body0\": a coordinate or rate"));
    assert_int_equal(status_of(model, 1, 0.0, &good, &good, &error), RCT_OK);
    rct_force force = rct_force_default();
    force.body = 7;
    assert_int_equal(rct_model_add_force(model, &force, NULL, NULL), RCT_OK);
    assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_MODEL);
    rct_model_free(model);
    rct_model *empty = rct_model_create("empty", NULL);
    assert_int_equal(status_of(empty, 1, 0.0, NULL, NULL, &error), RCT_ERROR_MODEL);
    rct_model_free(empty);
}

/* A body without inertia about its hinge, on one that has; and more bodies than there is room for. */
static void test_singular_and_too_large(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = rct_model_create("singular", NULL);
    rct_body point = disc(1, RCT_HINGE_REVOLUTE);
    point.com[0] = 0.0;
    memset(point.inertia, 0, sizeof point.inertia);
    const rct_body root = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
    rct_model_add_body(model, &point, NULL, NULL);
    rct_model_add_body(model, &root, NULL, NULL);
    for (int which = 1; which <= 2; which++) {
        assert_int_equal(status_of(model, which, 0.0, NULL, NULL, &error), RCT_ERROR_SINGULAR);
        assert_int_equal(error.body, 0);
        assert_non_null(strstr(error.text, "body 0 \"body0\": the acceleration of its hinge"));
    }
    rct_model_free(model);
    model = pendulum();
    for (int i = 1; i <= PLANAR_MOST_BODIES; i++) {
        rct_model_add_body(model, &root, NULL, NULL);
    }
    assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "201 bodies are too many"));
    rct_model_free(model);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const planar_tree tree = planar_tree_draw(4, 1, 5);
    rct_model *model = planar_tree_model(&tree);
    for (int which = 1; which <= 2; which++) {
        rct_error error;
        rct_status status = RCT_ERROR_MEMORY;
        int fails = 0;
        for (; status == RCT_ERROR_MEMORY && fails < 100; fails++) {
            rct_allocate_fail_after(fails);
            status = status_of(model, which, 0.0, NULL, NULL, &error);
            rct_allocate_fail_after(-1);
            assert_true(status == RCT_OK || error.status == RCT_ERROR_MEMORY);
        }
        assert_int_equal(status, RCT_OK);
        assert_true(fails > 30);
    }
    rct_model_free(model);
}

/* The public interface at the initial state; orientations are not its state. */
static void test_public_interface(void **state)
{
    (void)state;
    assert_string_equal(rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_1), "semi-recursive-1");
    assert_string_equal(rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_2), "semi-recursive-2");
    rct_model *model = pendulum();
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 1.0}, g[3] = {0.0, -9.81, 0.0};
    rct_model_set_gravity(model, g, NULL);
    for (int which = 1; which <= 2; which++) {
        const rct_reference reference = (rct_reference)(RCT_REFERENCE_SEMI_RECURSIVE_1 + which - 1);
        double angular[3];
        rct_error error;
        rct_reference_result result = {.angular = angular};
        assert_int_equal(rct_reference_evaluate(model, reference, NULL, NULL, &result, &error),
                         RCT_OK);
        assert_true(fabs(angular[2] + 0.5 * 9.81 / 0.35) < 1e-13);
        assert_int_equal(rct_reference_evaluate(model, reference, q, w, &result, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "rct_reference_evaluate_at"));
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinges_bear_what_bodies_need),
        cmocka_unit_test(test_hinges_bear_springs),
        cmocka_unit_test(test_what_is_not_planar),
        cmocka_unit_test(test_motion_of_the_ground_out_of_the_plane),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_singular_and_too_large),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_public_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
