/* Semi-recursive I and II (seed 003): the forces that hinges bear, in space. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "reference/planar/semi_recursive.h"
#include "tests/reference/planar_tree.h"

#include <riccatree/reference.h>

#include <math.h>
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

/* The pose of a body of the tree: body axes to inertial, hinge point, angular velocity. */
typedef struct stance {
    double R[3][3], at[3], w[3];
} stance;

static void to_inertial(const stance *s, const double v[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = s->R[r][0] * v[0] + s->R[r][1] * v[1] + s->R[r][2] * v[2];
    }
}

/* e rotated by the body's axes, about the normal by its angle, and to inertial axes. */
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

/* The missing forces and moments of body i of the tree. */
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
        worst = larger(worst, fmax(fabs(sum.F[k]), fabs(sum.M[k])));
    }
    return worst;
}

/* Newton and Euler in space for each body, with the reported forces of the hinges. */
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
            scale = larger(scale, fmax(fabs(o.force[k]), fabs(o.moment[k])));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinges_bear_what_bodies_need),
        cmocka_unit_test(test_hinges_bear_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
