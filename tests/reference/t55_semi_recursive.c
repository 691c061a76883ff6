/* Semi-recursive I and II (seed 003) of models: random planar trees against absolute coordinates with
 * multipliers and against each other, closed forms, and motions. */
#include "tests/support/cmocka_all.h"

#include "reference/planar/semi_recursive.h"
#include "tests/reference/planar_tree.h"

#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TREE_MOST_BODIES };

typedef struct outcome {
    double linear[3 * MOST], angular[3 * MOST], derivatives[3 * MOST];
    double force[3 * MOST], moment[3 * MOST];
    double residual;
} outcome;

static outcome run(const rct_model *model, int which, double time, const double *q, const double *u)
{
    outcome o;
    rct_error error = {.text = ""};
    rct_reference_result result = {o.linear, o.angular, o.force, o.moment, o.derivatives, NAN};
    if (rct_semi_recursive_evaluate(model, which, time, q, u, &result, &error) != RCT_OK) {
        fail_msg("semi-recursive %d: %s", which, error.text);
    }
    o.residual = result.residual;
    return o;
}

static double largest(double a, double b)
{
    return fabs(a) > b ? fabs(a) : b;
}

/* Largest difference of accelerations and derivatives, relative to the largest: lengths are about 1 m. */
static double difference(const planar_tree *tree, const plane_system *s, const outcome *o)
{
    double scale = 0.0, worst = 0.0;
    int first[MOST + 1] = {0};
    for (int id = 0; id < tree->n; id++) {
        for (int i = 0; i < tree->n; i++) {
            first[id + 1] +=
                tree->id[i] == id ? first[id] + rct_hinge_freedoms(tree->body[i].hinge) : 0;
        }
    }
    for (int i = 0; i < tree->n; i++) {
        const tree_body *t = &tree->body[i];
        const int id = tree->id[i];
        const plane_vector a = planar_tree_linear(tree, s, i);
        const double linear[3] = {(double)a.x, (double)a.y, 0.0};
        const double angular[3] = {0.0, 0.0, (double)s->a[i + 1][2]};
        double seen[3], turned[3];
        long double derivatives[3];
        planar_tree_to_inertial(tree, linear, seen);
        planar_tree_to_inertial(tree, angular, turned);
        planar_tree_derivatives(tree, s, i, derivatives);
        for (int k = 0; k < 3; k++) {
            scale = largest(seen[k], scale);
            scale = largest(turned[k], scale);
            worst = largest(seen[k] - o->linear[3 * id + k], worst);
            worst = largest(turned[k] - o->angular[3 * id + k], worst);
        }
        for (int j = 0; j < rct_hinge_freedoms(t->hinge); j++) {
            const double right = planar_tree_sign(t, j) * (double)derivatives[j];
            scale = largest(right, scale);
            worst = largest(right - o->derivatives[first[id] + j], worst);
        }
    }
    return worst / scale;
}

static double apart(const double *a, const double *b, int count)
{
    double scale = 0.0, worst = 0.0;
    for (int k = 0; k < count; k++) {
        scale = largest(b[k], scale);
        worst = largest(a[k] - b[k], worst);
    }
    return scale > 0.0 ? worst / scale : worst;
}

static void check_tree(int n, int branching, uint64_t seed)
{
    const planar_tree tree = planar_tree_draw(n, branching, seed);
    static plane_system s;
    planar_tree_plane(&tree, &s);
    assert_true(plane_solve(&s));
    rct_model *model = planar_tree_model(&tree);
    const outcome one = run(model, 1, tree.time, NULL, NULL);
    const outcome two = run(model, 2, tree.time, NULL, NULL);
    const double d[2] = {difference(&tree, &s, &one), difference(&tree, &s, &two)};
    if (!(d[0] < 1e-11 && d[1] < 1e-11)) {
        fail_msg("%d bodies, seed %d: off by %g and %g", n, (int)seed, d[0], d[1]);
    }
    assert_true(apart(one.linear, two.linear, 3 * n) < 1e-15);
    assert_true(apart(one.angular, two.angular, 3 * n) < 1e-15);
    assert_true(apart(one.force, two.force, 3 * n) < 1e-15);
    assert_true(apart(one.moment, two.moment, 3 * n) < 1e-15);
    assert_true(one.residual < 1e-20 && two.residual < 1e-20);
    rct_model_free(model);
}

static void test_random_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        check_tree(1 + (int)(seed % 12), seed % 4 != 0, seed);
    }
}

static void test_random_trees_of_50(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        check_tree(50, seed % 3 != 0, 1000 + seed);
    }
}

/* The same state, passed as coordinates and rates to a model with another start. */
static void test_state_given(void **state)
{
    (void)state;
    planar_tree tree = planar_tree_draw(9, 1, 31);
    double q[3 * MOST], u[3 * MOST];
    planar_tree_state(&tree, q, u);
    rct_model *there = planar_tree_model(&tree);
    for (int i = 0; i < tree.n; i++) {
        memset(tree.body[i].z, 0, sizeof tree.body[i].z);
        memset(tree.body[i].u, 0, sizeof tree.body[i].u);
    }
    rct_model *elsewhere = planar_tree_model(&tree);
    for (int which = 1; which <= 2; which++) {
        const outcome a = run(there, which, 0.5, NULL, NULL);
        const outcome b = run(elsewhere, which, 0.5, q, u);
        const outcome c = run(elsewhere, which, 0.5, NULL, NULL);
        assert_true(apart(a.linear, b.linear, 27) == 0.0);
        assert_true(apart(a.linear, c.linear, 27) > 1e-3);
    }
    rct_model_free(elsewhere);
    rct_model_free(there);
}

/* Links of mass 1 kg and length 1 m along x in the x-z plane, gravity along -z, hinges about y: rods, or points
 * at their ends. A turn by q about -y lifts the tip by sin q. */
static rct_model *links(int count, int points)
{
    rct_model *model = rct_model_create("links", NULL);
    for (int i = 0; i < count; i++) {
        rct_body body = rct_body_default();
        body.parent = i - 1;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[1] = -1.0;
        body.hinge_axis[2] = 0.0;
        body.hinge_at[0] = i > 0 ? 1.0 : 0.0;
        body.mass = 1.0;
        body.com[0] = points ? 1.0 : 0.5;
        for (int k = 1; k < 3 && !points; k++) {
            body.inertia[k] = 1.0 / 12.0;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_pendulum(void **state)
{
    (void)state;
    for (int which = 1; which <= 2; which++) {
        rct_model *model = links(1, 0);
        const double q = 0.3, u = 1.7, right = -1.5 * 9.81 * cos(q), lift = 0.5 * right;
        const outcome o = run(model, which, 0.0, &q, &u);
        assert_true(fabs(o.derivatives[0] - right) < 1e-14);
        assert_true(fabs(o.angular[1] + right) < 1e-14);
        /* m (a_c - g) with a_c = (- u^2 c - q.. s, - u^2 s + q.. c) / 2 */
        assert_true(fabs(o.force[0] - (-0.5 * u * u * cos(q) - lift * sin(q))) < 1e-13);
        assert_true(fabs(o.force[2] - (-0.5 * u * u * sin(q) + lift * cos(q) + 9.81)) < 1e-13);
        assert_true(fabs(o.moment[1]) < 1e-13);
        rct_model_free(model);
    }
}

/* Two rods: in absolute angles (4/3) a.. + (1/2) cos(a - b) b.. = -(1/2) sin(a - b) b.^2 - (3/2) g cos a and
 * (1/3) b.. + (1/2) cos(a - b) a.. = (1/2) sin(a - b) a.^2 - (1/2) g cos b. */
static void test_double_pendulum(void **state)
{
    (void)state;
    rct_model *model = links(2, 0);
    const double q[2] = {0.4, -1.1}, u[2] = {0.9, -2.3}, g = 9.81;
    const double a = q[0], b = q[0] + q[1], va = u[0], vb = u[0] + u[1];
    const double m = 0.5 * cos(a - b), s = 0.5 * sin(a - b);
    const double f = -s * vb * vb - 1.5 * g * cos(a), h = s * va * va - 0.5 * g * cos(b);
    const double det = 4.0 / 9.0 - m * m, aa = (f / 3.0 - m * h) / det,
                 bb = (4.0 / 3.0 * h - m * f) / det;
    for (int which = 1; which <= 2; which++) {
        const outcome o = run(model, which, 0.0, q, u);
        assert_true(fabs(o.derivatives[0] - aa) < 1e-12);
        assert_true(fabs(o.derivatives[1] - (bb - aa)) < 1e-12);
        assert_true(fabs(o.angular[4] + bb) < 1e-12);
    }
    rct_model_free(model);
}

static void slope(const rct_model *model, int which, const double x[4], double rate[4])
{
    rct_reference_result result = {.derivatives = rate + 2};
    assert_int_equal(rct_semi_recursive_evaluate(model, which, 0.0, x, x + 2, &result, NULL),
                     RCT_OK);
    rate[0] = x[2];
    rate[1] = x[3];
}

static void step(const rct_model *model, int which, double dt, double x[4])
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[4] = {0.0, 0.0, 0.0, 0.0}, sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int stage = 0; stage < 4; stage++) {
        double y[4];
        for (int i = 0; i < 4; i++) {
            y[i] = x[i] + node[stage] * dt * k[i];
        }
        slope(model, which, y, k);
        for (int i = 0; i < 4; i++) {
            sum[i] += weight[stage] * k[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        x[i] += dt / 6.0 * sum[i];
    }
}

/* Two links, horizontal at rest: the tip at 1 s and 2 s, from a solution in quadruple precision. */
static void test_motion_of_chains(void **state)
{
    (void)state;
    static const double right[2][2][2] = {{{-1.662115135816127581, -1.041466637193224740},
                                           {0.313524776450181586, -1.914746617562305245}},
                                          {{-1.444818849943475797, -1.321794461381464556},
                                           {-1.434124817464276637, -1.129870195647157978}}};
    enum { STEPS = 800 };
    for (int points = 0; points < 2; points++) {
        rct_model *model = links(2, points);
        const int which = 1 + points;
        double x[4] = {0.0, 0.0, 0.0, 0.0};
        for (int second = 0; second < 2; second++) {
            for (int k = 0; k < STEPS; k++) {
                step(model, which, 1.0 / STEPS, x);
            }
            const double along = cos(x[0]) + cos(x[0] + x[1]), up = sin(x[0]) + sin(x[0] + x[1]);
            assert_true(fabs(along - right[points][second][0]) < 1e-8);
            assert_true(fabs(up - right[points][second][1]) < 1e-8);
        }
        rct_model_free(model);
    }
}

/* Prismatic hinges alone: nothing rotates, inertia does not matter, and any normal across them
 * gives the same. */
static void test_slides_alone(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++) {
        rct_model *model = rct_model_create("slides", NULL);
        for (int i = 0; i < count; i++) {
            rct_body body = rct_body_default();
            body.parent = i - 1;
            body.hinge = RCT_HINGE_PRISMATIC;
            body.mass = 1.0 + i;
            body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
            body.inertia[4] = 0.3;
            const double axis[2][3] = {{0.0, 0.6, 0.8}, {1.0, 0.0, 0.0}};
            memcpy(body.hinge_axis, axis[i], sizeof axis[i]);
            body.applied[0] = i == 1 ? 4.0 : 0.0;
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        }
        for (int which = 1; which <= 2; which++) {
            const outcome o = run(model, which, 0.0, NULL, NULL);
            assert_true(fabs(o.derivatives[0] + 9.81 * 0.8) < 1e-14);
            assert_true(fabs(o.linear[1] + 9.81 * 0.8 * 0.6) < 1e-14);
            assert_true(count == 1 || fabs(o.linear[3] - 2.0) < 1e-14);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),    cmocka_unit_test(test_random_trees_of_50),
        cmocka_unit_test(test_state_given),     cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_double_pendulum), cmocka_unit_test(test_motion_of_chains),
        cmocka_unit_test(test_slides_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
