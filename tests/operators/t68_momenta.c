/* Momenta of the discrete Lagrangian of trees (operators/momenta.c) against its derivatives by all
 * hinges at both ends of a step, from the poses of the spatial-operator reference. */
#include "tests/support/cmocka_all.h"

#include "model/model.h"
#include "operators/fill.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"

#include <math.h>
#include <stdlib.h>

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* With rotors. */
static rct_model *tree(int32_t bodies, int hinge, int floating, uint64_t seed)
{
    const hinge_tree what = {.bodies = bodies, .hinge = hinge, .floating = floating, .seed = seed};
    rct_model *model = hinge_tree_create(&what);
    for (int32_t b = 0; b < bodies && seed % 2 == 0; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int axes = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int i = 0; axes && i < rct_hinge_freedoms(body.hinge); i++) {
            body.armature[i] = draw_between(&seed, 0.0, 0.1);
        }
        must_put(model, b, &body);
    }
    return model;
}

/* The coordinates q moved by d, of ball and free hinges by a rotation vector. */
static void moved(const rct_model *model, const double *q, const double *d, double *to)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        int32_t slid = rct_hinge_coordinates(body.hinge);
        if (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE) {
            const double a = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            const double c = cos(0.5 * a), s = a > 0.0 ? sin(0.5 * a) / a : 0.5;
            const double x = s * d[0], y = s * d[1], z = s * d[2];
            to[0] = c * q[0] - x * q[1] - y * q[2] - z * q[3];
            to[1] = c * q[1] + x * q[0] + y * q[3] - z * q[2];
            to[2] = c * q[2] - x * q[3] + y * q[0] + z * q[1];
            to[3] = c * q[3] + x * q[2] - y * q[1] + z * q[0];
            q += 4, to += 4, d += 3, slid -= 4;
        }
        for (int32_t i = 0; i < slid; i++) {
            *to++ = *q++ + *d++;
        }
    }
}

typedef struct lagrangian {
    const rct_model *model;
    rct_spatial_pose *from, *to;
    double *zero, *q;
    double h;
} lagrangian;

/* T of the bodies between poses `from` and those of coordinates `to`. */
static double energy_between(const rct_spatial_pose *from, const rct_spatial_pose *to,
                             const rct_model *model, double h)
{
    double sum = 0.0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        double c[3], c2[3], way = 0.0;
        rct_model_body(model, b, &body, NULL);
        const double *j = body.inertia, half = 0.5 * (j[0] + j[1] + j[2]);
        const double J[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
        spatial_apply(&from[b].R, body.com, c);
        spatial_apply(&to[b].R, body.com, c2);
        for (int i = 0; i < 3; i++) {
            const double s = to[b].x[i] + c2[i] - from[b].x[i] - c[i];
            way += s * s;
        }
        sum += body.mass * way / (2.0 * h);
        for (int i = 0; i < 3; i++) { /* tr((1 - F) Jd) / h */
            for (int k = 0; k < 3; k++) {
                double f = 0.0;
                for (int l = 0; l < 3; l++) {
                    f += from[b].R.a[l][i] * to[b].R.a[l][k];
                }
                sum += ((i == k ? 1.0 : 0.0) - f) * ((i == k ? half : 0.0) - J[k][i]) / h;
            }
        }
    }
    return sum;
}

/* In direction r, of the start (0) or the end (1): central differences of two lengths, to the
 * fourth order. */
static double slope_of(const lagrangian *l, const double *q, int end, int64_t r, int64_t rates)
{
    static const double step = 1e-3;
    double *d = numbers(rates), slope[2];
    for (int k = 0; k < 2; k++) {
        const double e = k == 0 ? step : 0.5 * step;
        double value[2];
        for (int side = 0; side < 2; side++) {
            d[r] = side == 0 ? e : -e;
            moved(l->model, q, d, l->q);
            rct_spatial_pose *pose = end ? l->to : l->from;
            assert_int_equal(rct_spatial_pose_all(l->model, 0.0, l->q, l->zero, pose, NULL),
                             RCT_OK);
            value[side] = energy_between(l->from, l->to, l->model, l->h);
        }
        slope[k] = (value[0] - value[1]) / (2.0 * e);
    }
    free(d);
    return (4.0 * slope[1] - slope[0]) / 3.0;
}

static double armature_of(const rct_model *model, int64_t rate)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        const int32_t own = rct_hinge_freedoms(body.hinge);
        if (rate < own) {
            return rct_hinge_coordinates(body.hinge) == own ? body.armature[rate] : 0.0;
        }
        rate -= own;
    }
    return 0.0;
}

/* The moved numbers: coordinates q, or orientations where the operators need these. */
typedef struct stand {
    rct_model *model;
    int32_t n;
    int64_t rates;
    double *q, *zero, *orientation;
    rct_spatial_pose *pose;
    rct_operator_tree *tree;
    rct_operator *op;
} stand;

/* The pose gives rotations; operators take quaternions. */
static void orient(const spatial_33 *R, double q[4])
{
    const double trace = R->a[0][0] + R->a[1][1] + R->a[2][2];
    int most = 0;
    for (int i = 1; i < 3; i++) {
        most = R->a[i][i] > R->a[most][most] ? i : most;
    }
    if (trace > 0.0) {
        q[0] = 0.5 * sqrt(1.0 + trace);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            q[1 + i] = (R->a[k][j] - R->a[j][k]) / (4.0 * q[0]);
        }
        return;
    }
    const int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
    const double root = sqrt(1.0 + R->a[i][i] - R->a[j][j] - R->a[k][k]);
    q[1 + i] = 0.5 * root;
    q[0] = (R->a[k][j] - R->a[j][k]) / (2.0 * root);
    q[1 + j] = (R->a[j][i] + R->a[i][j]) / (2.0 * root);
    q[1 + k] = (R->a[k][i] + R->a[i][k]) / (2.0 * root);
}

/* Operators with the bodies at s->q. */
static void stand_at(stand *s, const double *q)
{
    assert_int_equal(rct_spatial_pose_all(s->model, 0.0, q, s->zero, s->pose, NULL), RCT_OK);
    for (int32_t b = 0; b < s->n; b++) {
        orient(&s->pose[b].R, s->orientation + 4 * (int64_t)b);
    }
    rct_operator_state state = {.orientation = s->orientation, .coordinates = q};
    rct_model_base_motion(s->model, 0.0, &state.ground);
    if (s->tree == NULL) {
        s->tree = rct_operator_tree_create(s->model->bodies, s->n, &state, NULL);
        assert_non_null(s->tree);
        s->op = rct_operator_create(s->tree, 1, NULL);
        assert_non_null(s->op);
    }
    rct_operator_tree_refill(s->tree, s->model->bodies, &state);
    assert_int_equal(rct_operator_factor(s->op, RCT_METHOD_ABI), -1);
}

/* Both ends of a step that moves hinges by up to 0.3. */
static void expect_momenta(rct_model *model, uint64_t seed)
{
    static const double h = 0.1;
    stand s = {.model = model, .n = rct_model_body_count(model)};
    const int64_t coordinates = hinge_tree_coordinates(model), rates = hinge_tree_freedoms(model);
    double *q[2] = {numbers(coordinates), numbers(coordinates)}, *out = numbers(rates);
    double *delta = numbers(rates), *momenta = numbers(6 * (int64_t)s.n);
    double most = 0.0, size = 0.0;
    lagrangian l = {.model = model, .h = h, .zero = numbers(rates), .q = numbers(coordinates)};
    l.from = calloc((size_t)s.n, sizeof *l.from);
    l.to = calloc((size_t)s.n, sizeof *l.to);
    s.pose = calloc((size_t)s.n, sizeof *s.pose);
    assert_true(l.from != NULL && l.to != NULL && s.pose != NULL);
    s.zero = l.zero;
    s.orientation = numbers(4 * (int64_t)s.n);
    hinge_tree_state(model, &seed, q[0], out);
    draw_numbers(&seed, delta, (int)rates, 0.3);
    moved(model, q[0], delta, q[1]);
    stand_at(&s, q[0]);
    rct_operator_momenta(s.op, delta, h, momenta);
    for (int end = 0; end < 2; end++) {
        stand_at(&s, q[end]);
        rct_operator_rates_of(s.op, momenta, delta, h, out);
        rct_operator_mass(s.op, 1, out, out);
        rct_spatial_pose_all(model, 0.0, q[0], l.zero, l.from, NULL);
        rct_spatial_pose_all(model, 0.0, q[1], l.zero, l.to, NULL);
        for (int64_t r = 0; r < rates; r++) {
            const double rotor = armature_of(model, r) * delta[r] / h;
            const double slope = slope_of(&l, q[end], end, r, rates);
            most = larger(most, fabs((end ? slope : -slope) + rotor - out[r]));
            size = larger(size, fabs(out[r]));
        }
    }
    if (!(most <= 1e-9 * size)) {
        fail_msg("momenta are off by %.2e of %.2e", most, size);
    }
    double *const all[] = {q[0], q[1], out, delta, momenta, l.zero, l.q, s.orientation};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    free(l.from);
    free(l.to);
    free(s.pose);
    rct_operator_free(s.op);
    rct_operator_tree_free(s.tree);
    rct_model_free(model);
}

static void test_momenta_are_derivatives_of_the_lagrangian(void **state)
{
    (void)state;
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            const int32_t bodies = 1 + (int32_t)(seed * 3 % 8);
            expect_momenta(tree(bodies, hinge, hinge < 0 && seed % 2 == 0, seed), seed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momenta_are_derivatives_of_the_lagrangian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
