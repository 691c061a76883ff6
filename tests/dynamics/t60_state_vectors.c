/* State vectors of connection points in the signs of seed 000, eqs. 1-2: the motion and the forces
 * in them, the parts that a hinge leaves unchanged, and the transfer of a body from its inputs to
 * its output by eqs. 3-5 and 8, in long double and with code of its own. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <stdlib.h>

typedef struct vec {
    long double x[3];
} vec;

/* An evaluated random system with all its results. */
typedef struct shown {
    rct_model *model;
    int32_t n;
    solution s;
    double *outboard, *inboard; /* [n][12] */
    double *orientation, *rate; /* [n][4], [n][3] */
    double *again;              /* [n][12], outboard asked for alone */
} shown;

static vec of(const double *v)
{
    return (vec){{v[0], v[1], v[2]}};
}

static vec sum(vec a, long double s, vec b)
{
    return (vec){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static vec cross(vec a, vec b)
{
    return (vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static long double size(vec a)
{
    return sqrtl(a.x[0] * a.x[0] + a.x[1] * a.x[1] + a.x[2] * a.x[2]);
}

/* v + 2 w (u x v) + 2 u x (u x v) */
static vec turn(const double *q, long double sign, vec v)
{
    const vec u = {{sign * q[1], sign * q[2], sign * q[3]}};
    const vec once = cross(u, v);
    return sum(sum(v, 2 * q[0], once), 2, cross(u, once));
}

static double *numbers(int32_t n, int width)
{
    double *v = malloc((size_t)n * (size_t)width * sizeof *v);
    assert_non_null(v);
    return v;
}

static shown show(const random_system *system, rct_method method)
{
    rct_model *model = random_system_create(system);
    const int32_t n = rct_model_body_count(model);
    rct_solver *solver = solution_solver(model, method);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    shown all = {.model = model, .n = n, .s = solution_of(solver)};
    all.outboard = numbers(n, 12);
    all.inboard = numbers(n, 12);
    all.again = numbers(n, 12);
    all.orientation = numbers(n, 4);
    all.rate = numbers(n, 3);
    rct_solver_get_state(solver, all.orientation, all.rate, NULL, NULL);
    rct_solver_get_state_vectors(solver, all.outboard, all.inboard);
    rct_solver_get_state_vectors(solver, all.again, NULL);
    rct_solver_get_state_vectors(solver, NULL, NULL);
    rct_solver_free(solver);
    return all;
}

static void hide(shown *all)
{
    rct_model_free(all->model);
    solution_free(&all->s);
    free(all->outboard);
    free(all->inboard);
    free(all->orientation);
    free(all->rate);
    free(all->again);
}

/* At an output moments on the body are positive, and forces against the axes (eqs. 1-2). */
static void check_signs(const shown *all)
{
    for (int64_t i = 0; i < all->n; i++) {
        const double *z = all->outboard + 12 * i;
        for (int a = 0; a < 3; a++) {
            assert_true(z[a] == all->s.linear[3 * i + a]);
            assert_true(z[3 + a] == all->s.angular[3 * i + a]);
            assert_true(z[6 + a] == all->s.moment[3 * i + a]);
            assert_true(z[9 + a] == -all->s.force[3 * i + a]);
        }
        for (int k = 0; k < 12; k++) {
            assert_true(z[k] == all->again[12 * i + k]);
        }
    }
}

/* Across a hinge only the angular acceleration changes, from that of the body to its parent's. */
static void check_hinges(const shown *all)
{
    for (int32_t i = 0; i < all->n; i++) {
        rct_body body;
        rct_model_body(all->model, i, &body, NULL);
        for (int k = 0; k < 12; k++) {
            const double out = all->outboard[12 * (int64_t)i + k];
            const double in = all->inboard[12 * (int64_t)i + k];
            if (k < 3 || k >= 6) {
                assert_true(in == out);
            } else if (body.parent == RCT_GROUND) {
                assert_true(in == 0.0);
            } else {
                assert_true(in == all->outboard[12 * (int64_t)body.parent + k]);
                assert_true(body.hinge == RCT_HINGE_BALL || fabs(in - out) <= 1e-12 * fabs(in));
            }
        }
    }
}

/* The terms of the transfer of one body: z_O = U z_I with one input, eq. 8 with more inputs; a tip
 * has no input, and its free end O itself serves as input. */
typedef struct transfer {
    vec r, w, m, q;    /* at the output, from the first input               */
    long double force; /* largest terms, to measure what is left against   */
    long double moment;
    int32_t inputs;
} transfer;

/* r''_O = r''_I + E1 W' + E2, m_O = m_I + E6 q_O + E7 r''_I + E8 W' + E9, q_O = q_I + E3 r''_I + E4
 * W' + E5 (eqs. 4, 5): the rows for m and q without the other inputs. */
static void cross_body(const shown *all, int32_t i, vec at, const double *z, transfer *t)
{
    rct_body b;
    double g[3];
    rct_model_body(all->model, i, &b, NULL);
    rct_model_gravity(all->model, g);
    const double *turned = all->orientation + 4 * (int64_t)i;
    const vec w = of(all->rate + 3 * (int64_t)i), a = of(z), alpha = of(z + 3);
    const vec io = turn(turned, 1, sum((vec){{0}}, -1, at));
    const vec ic = turn(turned, 1, sum(of(b.com), -1, at));
    const vec f = sum((vec){{0}}, b.mass, of(g));
    const vec e2 = cross(w, cross(w, io)), e5 = sum(f, -b.mass, cross(w, cross(w, ic)));
    const double *j = b.inertia;
    vec inner[2]; /* J'_C turned, times alpha and times w */
    for (int k = 0; k < 2; k++) {
        const vec v = turn(turned, -1, k == 0 ? alpha : w);
        inner[k] = turn(turned, 1,
                        (vec){{j[0] * v.x[0] + j[3] * v.x[1] + j[4] * v.x[2],
                               j[3] * v.x[0] + j[1] * v.x[1] + j[5] * v.x[2],
                               j[4] * v.x[0] + j[5] * v.x[1] + j[2] * v.x[2]}});
        const vec s = k == 0 ? alpha : w; /* J_I = J_C - m r~ r~ */
        inner[k] = sum(inner[k], -b.mass, cross(ic, cross(ic, s)));
    }
    const vec e9 = sum(cross(w, inner[1]), -1, cross(ic, f));
    const vec q = sum(sum(sum(of(z + 9), -b.mass, a), b.mass, cross(ic, alpha)), 1, e5);
    t->r = sum(sum(a, -1, cross(io, alpha)), 1, e2);
    t->w = alpha;
    t->q = q;
    t->m = sum(sum(of(z + 6), 1, cross(io, q)), b.mass, cross(ic, a));
    t->m = sum(sum(t->m, 1, inner[0]), 1, e9);
    t->force = size(of(z + 9)) + b.mass * size(a) + size(e5);
    t->moment = size(io) * t->force + size(of(z + 6)) + size(inner[0]) + size(e9) +
                b.mass * size(ic) * size(a);
}

/* A further input adds q = q_k and, about O, m = m_k - r x q_k with r = O -> I_k. */
static void add_input(const shown *all, int32_t i, vec at, const double *z, transfer *t)
{
    const vec r = turn(all->orientation + 4 * (int64_t)i, 1, at); /* from O to I_k */
    const vec lever = cross(r, of(z + 9));
    t->q = sum(t->q, 1, of(z + 9));
    t->m = sum(sum(t->m, 1, of(z + 6)), -1, lever);
    t->force += size(of(z + 9));
    t->moment += size(of(z + 6)) + size(r) * size(of(z + 9));
}

static void check_transfers(const shown *all)
{
    transfer *t = calloc((size_t)all->n, sizeof *t);
    assert_non_null(t);
    for (int32_t i = 0; i < all->n; i++) { /* the inputs of a body are its children's hinges */
        rct_body body;
        rct_model_body(all->model, i, &body, NULL);
        const double *z = all->inboard + 12 * (int64_t)i;
        if (body.parent != RCT_GROUND && t[body.parent].inputs++ == 0) {
            cross_body(all, body.parent, of(body.hinge_at), z, &t[body.parent]);
        } else if (body.parent != RCT_GROUND) {
            add_input(all, body.parent, of(body.hinge_at), z, &t[body.parent]);
        }
    }
    for (int32_t i = 0; i < all->n; i++) {
        const double *z = all->outboard + 12 * (int64_t)i;
        if (t[i].inputs == 0) {
            double end[12] = {0.0};
            for (int k = 0; k < 6; k++) {
                end[k] = z[k];
            }
            cross_body(all, i, (vec){{0}}, end, &t[i]);
        }
        const long double w = size(of(all->rate + 3 * (int64_t)i));
        const long double motion = size(t[i].r) + size(t[i].w) + w * w;
        assert_true(size(sum(t[i].r, -1, of(z))) <= 1e-14L * (motion + 9.81L));
        assert_true(size(sum(t[i].q, -1, of(z + 9))) <= 1e-11L * t[i].force);
        assert_true(size(sum(t[i].m, -1, of(z + 6))) <= 1e-11L * t[i].moment);
    }
    free(t);
}

static void check(random_shape shape, int32_t bodies, double fixed, uint64_t seed)
{
    const random_system system = {shape, bodies, fixed, (int)(seed % 2), 3.0, seed};
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        shown all = show(&system, (rct_method)method);
        check_signs(&all);
        check_hinges(&all);
        check_transfers(&all);
        hide(&all);
    }
}

static void test_chains(void **state)
{
    (void)state;
    for (int32_t n = 1; n < 100; n += n) {
        check(SHAPE_CHAIN, n, 0.0, (uint64_t)n);
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (int32_t n = 1; n < 100; n += n) {
        check(SHAPE_TREE, n, 0.0, (uint64_t)n);
        check(SHAPE_STAR, n, 0.0, (uint64_t)n + 1);
    }
}

static void test_welded_bodies(void **state)
{
    (void)state;
    for (int32_t n = 1; n < 100; n += n) {
        check(SHAPE_CHAIN, n, 0.4, (uint64_t)n);
        check(SHAPE_TREE, n, 0.4, (uint64_t)n + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_welded_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
