/* Operators of trees of any hinges in O(n) against the explicit matrices of the spatial-operator
 * reference, factored by either method. One file, because all cases share the random trees and
 * their bounds. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "operators/fill.h"
#include "tests/operators/operator_tree.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 };

static const rct_method methods[] = {RCT_METHOD_ABI, RCT_METHOD_RICCATI};

typedef struct bench {
    spatial_case *c;
    rct_spatial *s;
    rct_operator_tree tree;
    rct_operator *op;
    void *memory;
    int64_t n, v;
    uint64_t random;
} bench;

static void bench_fill(bench *b, spatial_case *c, uint64_t seed)
{
    *b = (bench){.c = c, .n = c->n, .v = c->freedoms, .random = seed};
    b->s = rct_spatial_create(c->model, c->pose, NULL);
    b->tree = operator_tree_of(c, &b->memory);
    b->op = rct_operator_create(&b->tree, 1, NULL);
    assert_true(b->s != NULL && b->op != NULL);
}

static void bench_free(bench *b)
{
    rct_operator_free(b->op);
    rct_spatial_free(b->s);
    spatial_case_free(b->c);
    free(b->memory);
}

static void on_random_systems(void (*check)(bench *b))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= (hinge < 0 ? 30 : 4); seed++) {
            const hinge_tree what = {.bodies = 1 + (int32_t)(seed * 5 % 14),
                                     .hinge = hinge,
                                     .floating = hinge < 0 && seed % 3 == 0,
                                     .forces = seed % 4 != 1,
                                     .moving = seed % 2 == 0,
                                     .seed = seed};
            bench b;
            bench_fill(&b, spatial_case_of(&what, 0.4), seed);
            check(&b);
            bench_free(&b);
        }
    }
}

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0, scale = 1e-300;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]));
        scale = larger(scale, fabs(b[i]));
    }
    return most / scale;
}

/* M x and M^-1 x, several columns, and in place, factored by one method. */
static void check_mass_by(bench *b, rct_method method)
{
    rct_matrix mass, inverse;
    double *x = numbers(COLUMNS * b->v), *y = numbers(COLUMNS * b->v), *own = numbers(b->v);
    assert_int_equal(rct_spatial_mass(b->c->model, b->s, &mass, &inverse, NULL), RCT_OK);
    assert_int_equal(rct_operator_factor(b->op, method), -1);
    draw_numbers(&b->random, x, (int)(COLUMNS * b->v), 1.0);
    for (int solve = 0; solve < 2; solve++) {
        (solve ? rct_operator_solve : rct_operator_mass)(b->op, COLUMNS, x, y);
        for (int64_t k = 0; k < COLUMNS; k++) {
            memset(own, 0, (size_t)b->v * sizeof *own);
            rct_matrix_apply(solve ? &inverse : &mass, 0, x + k * b->v, own);
            assert_true(apart(y + k * b->v, own, b->v) < (solve ? 1e-9 : 1e-13));
        }
    }
    memcpy(y, x, (size_t)(COLUMNS * b->v) * sizeof *y);
    rct_operator_solve(b->op, COLUMNS, y, y);
    rct_operator_mass(b->op, COLUMNS, y, y);
    assert_true(apart(y, x, COLUMNS * b->v) < 1e-11);
    free(x);
    free(y);
    free(own);
}

static void check_mass(bench *b)
{
    for (int k = 0; k < 2; k++) {
        check_mass_by(b, methods[k]);
    }
}

/* x* y */
static double work_of(const bench *b, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < b->v; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static int distinct; /* systems in which the methods differ, by rounding */

/* Both are factors of one matrix: |N^-1 x|^2 = x M^-1 x of either, and one half of each give the
 * same M^-1 x. */
static void check_halves(bench *b)
{
    double *x = numbers(b->v), *y = numbers(2 * b->v);
    draw_numbers(&b->random, x, (int)b->v, 1.0);
    for (int k = 0; k < 2; k++) {
        double *half = y + k * b->v;
        assert_int_equal(rct_operator_factor(b->op, methods[k]), -1);
        rct_operator_inward(b->op, 1, x, half);
        const double work = work_of(b, half, half);
        rct_operator_outward(b->op, 1, half, half);
        assert_true(fabs(work - work_of(b, x, half)) <= 1e-11 * work);
    }
    assert_true(apart(y, y + b->v, b->v) < 1e-10);
    distinct += memcmp(y, y + b->v, (size_t)b->v * sizeof *y) != 0;
    free(x);
    free(y);
}

static void test_both_factors_are_of_one_matrix(void **state)
{
    (void)state;
    on_random_systems(check_halves);
    assert_true(distinct > 40);
}

static void test_mass_matrix_and_inverse(void **state)
{
    (void)state;
    on_random_systems(check_mass);
}

/* J = phi* H* C^-1, and its transpose does the same work. */
static void check_jacobian(bench *b)
{
    const int64_t n = b->n, v = b->v;
    double *x = numbers(v), *beta = numbers(v), *y = numbers(v), *hinges = numbers(6 * n);
    double *own = numbers(6 * n), *linear = numbers(6 * n), *angular = linear + 3 * n;
    double *force = numbers(6 * n), *moment = force + 3 * n, power = 0.0, scale = 0.0;
    rct_matrix from, to;
    assert_int_equal(rct_spatial_absolute(b->c->model, b->s, &from, &to, NULL), RCT_OK);
    draw_numbers(&b->random, x, (int)v, 1.0);
    draw_numbers(&b->random, force, (int)(6 * n), 1.0);
    rct_matrix_apply(&to, 0, x, beta);
    rct_matrix_apply(&b->s->H, 1, beta, hinges);
    rct_matrix_apply(&b->s->phi, 1, hinges, own);
    rct_operator_velocities(b->op, 1, x, linear, angular);
    for (int64_t i = 0; i < n; i++) {
        const double *there = own + 6 * (int64_t)b->s->place[i];
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(angular[3 * i + k] - there[k]) < 1e-12);
            assert_true(fabs(linear[3 * i + k] - there[3 + k]) < 1e-12);
        }
    }
    rct_operator_gather(b->op, 1, force, moment, y);
    for (int64_t i = 0; i < 3 * n; i++) {
        power += force[i] * linear[i] + moment[i] * angular[i];
        scale += fabs(force[i] * linear[i]) + fabs(moment[i] * angular[i]);
    }
    for (int64_t i = 0; i < v; i++) {
        power -= x[i] * y[i];
        scale += fabs(x[i] * y[i]);
    }
    assert_true(fabs(power) <= 1e-14 * scale);
    rct_operator_velocities(b->op, 1, x, NULL, NULL);
    rct_operator_gather(b->op, 1, NULL, NULL, y);
    for (int64_t i = 0; i < v; i++) {
        assert_true(y[i] == 0.0);
    }
    free(x);
    free(beta);
    free(y);
    free(hinges);
    free(own);
    free(linear);
    free(force);
}

static void test_jacobian_and_transpose(void **state)
{
    (void)state;
    on_random_systems(check_jacobian);
}

static void check_inverse(bench *b)
{
    const spatial_case *c = b->c;
    double *x = numbers(b->v), *effort = numbers(2 * b->v);
    double *own = numbers(6 * b->n), *truth = numbers(6 * b->n);
    for (int k = 0; k < 2; k++) {
        memcpy(x, c->derivatives, (size_t)b->v * sizeof *x);
        if (k == 1) {
            draw_numbers(&b->random, x, (int)b->v, 3.0);
        }
        assert_int_equal(rct_spatial_inverse_at(c->model, c->time, c->q, c->u, x, truth,
                                                truth + 3 * b->n, effort + b->v, NULL),
                         RCT_OK);
        rct_operator_inverse(b->op, x, own, own + 3 * b->n, effort);
        double most = 1.0;
        for (int64_t i = 0; i < 6 * b->n; i++) {
            most = larger(most, fabs(truth[i]));
        }
        for (int64_t i = 0; i < 6 * b->n; i++) {
            assert_true(fabs(own[i] - truth[i]) <= 1e-12 * most);
        }
        for (int64_t i = 0; i < b->v; i++) {
            assert_true(fabs(effort[i] - effort[b->v + i]) <= 1e-12 * most);
        }
        rct_operator_inverse(b->op, x, NULL, NULL, x); /* in place */
        assert_memory_equal(x, effort, (size_t)b->v * sizeof *x);
    }
    rct_operator_inverse(b->op, c->derivatives, NULL, NULL, NULL);
    free(x);
    free(effort);
    free(own);
    free(truth);
}

static void test_inverse_dynamics(void **state)
{
    (void)state;
    on_random_systems(check_inverse);
}

/* ---- filling --------------------------------------------------------------------------------- */

/* The quaternion of a rotation, by the largest of its numbers. */
static void quaternion_of(const spatial_33 *R, double q[4])
{
    const double trace = R->a[0][0] + R->a[1][1] + R->a[2][2];
    double square[4] = {1.0 + trace}, most;
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        square[1 + i] = 1.0 + 2.0 * R->a[i][i] - trace;
        largest = square[1 + i] > square[largest] ? 1 + i : largest;
    }
    most = sqrt(square[largest]);
    q[largest] = 0.5 * most;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double odd = R->a[k][j] - R->a[j][k];
        if (largest == 0) {
            q[1 + i] = 0.5 * odd / most;
        } else if (largest == 1 + i) {
            q[0] = 0.5 * odd / most;
        } else {
            q[1 + i] = 0.5 * (R->a[i][largest - 1] + R->a[largest - 1][i]) / most;
        }
    }
}

/* Filled from orientations and coordinates alone, the struct agrees with the poses. */
static void check_filling(bench *b)
{
    const int64_t n = b->n;
    double *q = numbers(4 * n);
    for (int64_t i = 0; i < n; i++) {
        quaternion_of(&b->c->pose[i].R, q + 4 * i);
    }
    rct_operator_state state = {.orientation = q,
                                .coordinates = b->c->q,
                                .rates = b->tree.rates,
                                .load = b->tree.load,
                                .gravity = b->tree.gravity,
                                .systems = 1,
                                .ground = b->tree.ground};
    rct_operator_tree *tree = NULL;
    int64_t k = 0;
    for (; tree == NULL && k < 10; k++) {
        rct_allocate_fail_after(k);
        tree = rct_operator_tree_create(b->c->model->bodies, (int32_t)n, &state, NULL);
        rct_allocate_fail_after(-1);
    }
    assert_true(k == 7 && tree != NULL);
    assert_int_equal(tree->n, n);
    assert_memory_equal(tree->parent, b->tree.parent, (size_t)n * sizeof *tree->parent);
    assert_memory_equal(tree->hinge, b->tree.hinge, (size_t)n * sizeof *tree->hinge);
    assert_memory_equal(tree->first, b->tree.first, (size_t)(n + 1) * sizeof *tree->first);
    assert_memory_equal(tree->mass, b->tree.mass, (size_t)n * sizeof *tree->mass);
    assert_true(tree->gravity == b->tree.gravity && tree->systems == 1);
    assert_memory_equal(&tree->ground, &b->tree.ground, sizeof tree->ground);
    assert_true(tree->rates == b->tree.rates && tree->load == b->tree.load);
    assert_true(apart(tree->H, b->tree.H, 6 * b->v) < 1e-13);
    for (int64_t i = 0; i < n; i++) {
        assert_true(tree->hinge[i] == RCT_HINGE_FREE ||
                    apart(tree->lever + 3 * i, b->tree.lever + 3 * i, 3) < 1e-13);
    }
    assert_true(apart(tree->com, b->tree.com, 3 * n) < 1e-13);
    assert_true(apart(tree->inertia, b->tree.inertia, 6 * n) < 1e-13);
    rct_operator_tree_free(tree);
    rct_operator_tree_free(NULL);
    free(q);
}

static void test_filling(void **state)
{
    (void)state;
    on_random_systems(check_filling);
}

/* ---- what is long, singular, or short of memory ---------------------------------------------- */

/* A chain of all types in turn, with random levers and centres of mass, far longer than a stack is
 * deep. */
static void test_a_long_chain(void **state)
{
    (void)state;
    enum { N = 20000 };
    static int32_t parent[N];
    static rct_hinge_type hinge[N];
    static int64_t first[N + 1];
    static double H[6 * N][6], lever[N][3], mass[N], com[N][3], inertia[N][6], turn[N][9];
    uint64_t random = 11;
    for (int32_t i = 0; i < N; i++) { /* tips have the small numbers */
        parent[i] = i + 1 < N ? i + 1 : RCT_GROUND;
        hinge[i] = i + 1 < N ? (rct_hinge_type)(i % RCT_HINGE_FREE) : RCT_HINGE_FREE;
        first[i + 1] = first[i] + rct_hinge_freedoms(hinge[i]);
        for (int64_t r = first[i]; r < first[i + 1]; r++) {
            draw_numbers(&random, H[r], 6, 1.0);
            if (hinge[i] == RCT_HINGE_BALL || hinge[i] == RCT_HINGE_FREE) {
                memset(H[r], 0, sizeof H[r]);
                H[r][r - first[i]] = 1.0;
            }
        }
        draw_numbers(&random, lever[i], 3, 0.5);
        lever[i][0] -= 0.01;
        draw_numbers(&random, com[i], 3, 0.3);
        turn[i][0] = turn[i][4] = turn[i][8] = 1.0;
        mass[i] = draw_between(&random, 0.5, 2.0);
        inertia[i][0] = inertia[i][1] = inertia[i][2] = draw_between(&random, 0.1, 0.3);
    }
    const rct_operator_tree tree = {.n = N,
                                    .parent = parent,
                                    .hinge = hinge,
                                    .first = first,
                                    .H = H[0],
                                    .lever = lever[0],
                                    .mass = mass,
                                    .com = com[0],
                                    .inertia = inertia[0],
                                    .own_com = com[0],
                                    .own_inertia = inertia[0],
                                    .turn = turn[0]};
    rct_operator *op = rct_operator_create(&tree, 1, NULL);
    double *x = numbers(first[N]), *y = numbers(first[N]), *back = numbers(first[N]);
    assert_non_null(op);
    draw_numbers(&random, x, (int)first[N], 1.0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(rct_operator_factor(op, methods[k]), -1);
        rct_operator_solve(op, 1, x, y);
        rct_operator_mass(op, 1, y, back);
        assert_true(apart(back, x, first[N]) < 1e-8);
    }
    rct_operator_free(op);
    free(x);
    free(y);
    free(back);
}

static void test_singular_hinges_are_named(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("line", NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.com[2] = 1.0;
    body.inertia[0] = body.inertia[1] = 0.3;
    body.inertia[2] = 0.2;
    body.hinge = RCT_HINGE_REVOLUTE;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    body.hinge_at[2] = 1.0;
    body.parent = 0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    bench b;
    bench_fill(&b, spatial_case_create(model, 0.0, NULL), 1);
    double *line = (double *)b.tree.own_inertia + 6 + 2; /* of the second, about its axis */
    for (int k = 0; k < 2; k++) {
        *line = 0.2;
        assert_int_equal(rct_operator_factor(b.op, methods[k]), -1);
        *line = 1e-15; /* rounding of what it is about the others */
        assert_int_equal(rct_operator_factor(b.op, methods[k]), 1);
        *line = 0.0;
        assert_int_equal(rct_operator_factor(b.op, methods[k]), 1);
    }
    bench_free(&b);
}

static void test_short_memory(void **state)
{
    (void)state;
    const hinge_tree what = {.bodies = 5, .hinge = -1, .seed = 2};
    bench b;
    bench_fill(&b, spatial_case_of(&what, 0.0), 2);
    rct_operator *op = NULL;
    int64_t k = 0;
    for (; op == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        op = rct_operator_create(&b.tree, 1, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, op == NULL ? RCT_ERROR_MEMORY : RCT_OK);
    }
    assert_int_equal(k, 10);
    rct_operator_free(op);
    rct_operator_free(NULL);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_matrix_and_inverse),
        cmocka_unit_test(test_both_factors_are_of_one_matrix),
        cmocka_unit_test(test_jacobian_and_transpose),
        cmocka_unit_test(test_inverse_dynamics),
        cmocka_unit_test(test_filling),
        cmocka_unit_test(test_a_long_chain),
        cmocka_unit_test(test_singular_hinges_are_named),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
