/* Closing loops by the admittance of seed 001 against dense singular values, on random systems and on chains of many
 * loops. */
#include "cmocka_all.h"

#include "closure/admittance.h"
#include "core/memory.h"
#include "support/closed_system.h"
#include "support/draw.h"
#include "support/loop_models.h"

#include <SuiteSparse_config.h>
#include <lapacke.h>
#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, MOST_ROWS = 400 };

static const rct_closure_method *const method = &rct_closure_admittance;

/* With kept nodes wherever there can be any. */
static const rct_reduced_limits tight = {.tree = 0, .piece = 6};
static const rct_reduced_limits usual = {.tree = 96, .piece = 24};

static rct_model *model_of(uint64_t seed, int32_t bodies, int hinges, int32_t loops, int types)
{
    const mixed_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = hinges};
    rct_model *model = mixed_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

static double norm(const double *v, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

static double distance(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* How far the method is from the dense answer. */
typedef struct difference {
    int32_t rank, dense_rank, rows, kept;
    double lambda, change, residual;
    double least; /* singular value of J L^-* over the largest, of those that count */
} difference;

/* As closed_system_answer takes them. */
static double least_value(const closed_system *s, int32_t rank)
{
    const int v = (int)s->rates, rows = s->problem.rows->count;
    double *M = closed_system_mass(s), *A = closed_system_jacobian(s), values[MOST_ROWS];
    double least = 1.0, rest[MOST_ROWS];
    if (rank > 0) {
        LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', v, M, v);
        for (int i = 0; i < rows; i++) {
            LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', v, 1, M, v, A + (size_t)i * (size_t)v,
                           1);
        }
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, v, A, v, values, NULL, 1, NULL, 1, rest);
        least = values[rank - 1] / values[0];
    }
    free(M);
    free(A);
    return least;
}

static difference compare(closed_system *s, const rct_reduced_limits *limits, const double *gap)
{
    const int32_t rows = s->problem.rows->count;
    difference d = {.rows = rows};
    rct_closure_report report;
    rct_error error;
    double *x = calloc((size_t)(2 * rows + 2 * s->rates) + 1, sizeof *x);
    double *lambda = x + rows, *change = lambda + rows, *other = change + s->rates;
    rct_admittance *work = rct_admittance_create(limits, NULL);
    assert_non_null(work);
    if (method->factor(work, &s->problem, &report, &error) != RCT_OK ||
        method->solve(work, gap, lambda, change, &report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    d.rank = report.rank;
    d.residual = report.residual;
    d.kept = work->reduced != NULL ? work->reduced->kept : 0;
    d.dense_rank = closed_system_answer(s, gap, x, other);
    d.least = least_value(s, d.dense_rank);
    d.lambda = distance(x, lambda, rows) / (norm(x, rows) + 1e-300);
    d.change = distance(other, change, s->rates) / (norm(other, s->rates) + 1e-300);
    method->destroy(work);
    free(x);
    return d;
}

/* Without kept nodes and with them. What Lambda is wrong by, 1e-16, is seen through the square of the least singular
 * value; but the change of a gap that can be cancelled only through itself. */
static void check(closed_system *s, const double *gap, int consistent, int seed)
{
    const rct_reduced_limits *const limits[] = {&usual, &tight};
    for (int k = 0; k < 2; k++) {
        const difference d = compare(s, limits[k], gap);
        const double tolerance = 1e-12 + 1e-16 / (d.least * d.least);
        if (d.rank != d.dense_rank || !(d.lambda <= tolerance) ||
            !(d.change <= (consistent ? 1e-12 + 1e-14 / d.least : tolerance))) {
            fail_msg("seed %d, %d rows, %d kept: rank %d, not %d; lambda off by %g, change by %g, "
                     "least singular value %g",
                     seed, (int)d.rows, (int)d.kept, (int)d.rank, (int)d.dense_rank, d.lambda,
                     d.change, d.least);
        }
        if (consistent && !(d.residual <= 1e-12 + 1e-14 / d.least)) {
            fail_msg("seed %d: %g of the gap is left", seed, d.residual);
        }
    }
}

/* A gap that motions of the tree cancel. */
static void draw_consistent(closed_system *s, uint64_t seed, double *gap)
{
    double *linear = calloc((size_t)(6 * s->n + s->rates), sizeof *linear);
    double *angular = linear + 3 * s->n, *rates = angular + 3 * s->n;
    draw_numbers(&seed, rates, (int32_t)s->rates, 1.0);
    rct_operator_velocities(s->problem.operators, 1, rates, linear, angular);
    rct_closure_take(s->problem.rows, angular, linear, rates, gap);
    free(linear);
}

/* Up to 12 loops of all types among 14 bodies: far more rows than rates; most gaps cannot be cancelled. */
static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_model *model =
            model_of(seed, 14, MIXED_ALL_HINGES, 1 + (int32_t)(seed % 12), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        uint64_t random = seed;
        draw_numbers(&random, gap, s.problem.rows->count, 1.0);
        check(&s, gap, 0, (int)seed);
        draw_consistent(&s, seed, gap);
        check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Trees that ride on nothing: a free hinge passes no wrench inward. */
static void test_floating(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const mixed_system system = {
            .tree = {.shape = SHAPE_TREE, .bodies = 20, .shuffled = 1, .spin = 1.0, .seed = seed},
            .hinges = MIXED_ALL_HINGES,
            .floating = 1};
        rct_model *model = mixed_system_create(&system);
        closed_add_random(model, 4, ALL_TYPES, seed);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        draw_consistent(&s, seed, gap);
        check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

static void test_relations(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rct_model *model = model_of(seed, 30, MIXED_ALL_HINGES, 8, 1 << RCT_LOOP_RELATION);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        assert_int_equal(s.problem.rows->count, 8);
        draw_consistent(&s, seed, gap);
        check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* The same loop twice: its multipliers are shared, which is the least length; and then the gap asks one of the two for
 * something else. */
static void test_twice(void **state)
{
    (void)state;
    rct_model *model = model_of(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    rct_loop loop;
    rct_model_loop(model, 0, &loop, NULL);
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    double lambda[6], gap[6] = {0.3, -0.2, 0.5, 0.3, -0.2, 0.5};
    double *change = calloc((size_t)s.rates, sizeof *change);
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(report.rank, 3);
    assert_true(report.dependent >= 0 && report.dependent < 6);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(lambda[i] - lambda[i + 3]) <= 1e-11 * norm(lambda, 6));
    }
    assert_true(report.residual <= 1e-12);
    check(&s, gap, 1, 0);
    gap[3] = 0.7; /* 0.5 either way is what can be had */
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_true(fabs(report.residual - 0.2 / 0.7) <= 1e-10);
    assert_true(report.worst == 0 || report.worst == 3);
    check(&s, gap, 0, 0);
    method->destroy(work);
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

/* No loop, then one, then none again. */
static void test_none(void **state)
{
    (void)state;
    rct_model *model = model_of(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    closed_system s = closed_system_create(model, 0.0);
    void *work = method->create(s.closures, NULL);
    double lambda[3], gap[3] = {1.0, 2.0, 3.0};
    double *change = calloc((size_t)s.rates, sizeof *change);
    rct_closure_report report;
    for (int round = 0; round < 4; round++) {
        const int active = round % 2;
        rct_closures_set_active(s.closures, 0, active);
        closed_system_renew(&s, 0.0);
        change[0] = 7.0;
        assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
        assert_int_equal(report.rank, 3 * active);
        assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
        assert_true(report.residual <= 1e-13);
        assert_true(active ? norm(change, s.rates) > 0.0 : norm(change, s.rates) == 0.0);
        assert_true(method->bytes(work) >= (active ? 1000 : 100));
    }
    method->destroy(work);
    method->destroy(NULL);
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

/* All rows on one body, more of them than it has freedoms. */
static void test_one_body(void **state)
{
    (void)state;
    rct_model *model = model_of(5, 3, 1 << RCT_HINGE_UNIVERSAL, 0, ALL_TYPES);
    for (int i = 0; i < 4; i++) {
        rct_loop loop = rct_loop_default();
        loop.body = 2;
        loop.at[i % 3] = 0.5 + 0.1 * i;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    closed_system s = closed_system_create(model, 0.0);
    double gap[12];
    draw_consistent(&s, 8, gap);
    check(&s, gap, 1, 0);
    closed_system_free(&s);
    rct_model_free(model);
}

/* A revolute loop along a revolute hinge: nothing is free that it could hold. */
static void test_held(void **state)
{
    (void)state;
    rct_model *model = model_of(5, 3, 1 << RCT_HINGE_REVOLUTE, 0, ALL_TYPES);
    rct_loop loop = rct_loop_default();
    rct_body body;
    rct_model_body(model, 1, &body, NULL);
    loop.type = RCT_LOOP_REVOLUTE;
    loop.body = 1;
    loop.other = body.parent;
    memcpy(loop.other_at, body.hinge_at, sizeof loop.other_at);
    memcpy(loop.other_orientation, body.hinge_orientation, sizeof loop.other_orientation);
    memcpy(loop.axis, body.hinge_axis, sizeof loop.axis);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    double lambda[5], gap[5] = {0.0, 1.0, 0.0, 0.5, 0.0}, change[3];
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(report.rank, 0);
    assert_in_range(report.dependent, 0, 4);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_true(norm(lambda, 5) == 0.0 && norm(change, 3) == 0.0);
    assert_true(report.residual == 1.0);
    assert_int_equal(report.worst, 1);
    method->destroy(work);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_not_finite(void **state)
{
    (void)state;
    rct_model *model = model_of(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_end *end = (rct_closure_end *)(uintptr_t)s.problem.rows->ends;
    rct_closure_report report;
    rct_error error;
    void *work = method->create(s.closures, NULL);
    end[1].wrench[4] = NAN;
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "finite"));
    end[1].wrench[4] = 0.1;
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_OK);
    method->destroy(work);
    closed_system_free(&s);
    rct_model_free(model);
}

/* ---- many loops --------------------------------------------------------------------------- */

static rct_model *four_bars(int32_t loops, rct_loop_type type)
{
    rct_model *model = loop_model_four_bars(loops, type, NULL);
    assert_non_null(model);
    return model;
}

/* Side by side, closed in the plane and, three rows of five too many, in space. */
static void test_four_bars(void **state)
{
    (void)state;
    static const int32_t loops[] = {1, 5, 40};
    for (int i = 0; i < 6; i++) {
        const int spatial = i % 2;
        rct_model *model =
            four_bars(loops[i / 2], spatial ? RCT_LOOP_REVOLUTE : RCT_LOOP_PLANAR_REVOLUTE);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        draw_consistent(&s, 4, gap);
        const difference d = compare(&s, &usual, gap);
        assert_int_equal(d.rank, 2 * loops[i / 2]);
        check(&s, gap, 1, i);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Of a large system: the gap is closed, the change is M^-1 J* lambda, Lambda is symmetric, and factors made anew are the
 * same. Returns the rank. */
static int32_t check_large(const rct_model *model, const rct_reduced_limits *limits,
                           double tolerance)
{
    closed_system s = closed_system_create(model, 0.0);
    const int32_t rows = s.problem.rows->count;
    const int64_t n = s.n, rates = s.rates;
    double *x = calloc((size_t)(6 * rows + 4 * rates + 6 * n), sizeof *x);
    double *gap[2] = {x, x + rows}, *lambda[2] = {x + 2 * rows, x + 3 * rows},
           *again = x + 4 * rows;
    double *change = x + 6 * rows, *force = change + 2 * rates, *moment = force + 3 * n;
    double *effort = moment + 3 * n, *whole = effort + rates;
    rct_closure_report report, solved;
    rct_admittance *work = rct_admittance_create(limits, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    for (int k = 0; k < 2; k++) {
        draw_consistent(&s, 10 + (uint64_t)k, gap[k]);
        assert_int_equal(method->solve(work, gap[k], lambda[k], change, &solved, NULL), RCT_OK);
        if (!(solved.residual <= tolerance)) {
            fail_msg("%d rows: %g of the gap is left", (int)rows, solved.residual);
        }
    }
    rct_closure_give(s.problem.rows, lambda[1], force, moment, effort); /* M change = J* lambda */
    rct_operator_gather(s.problem.operators, 1, force, moment, whole);
    rct_operator_mass(s.problem.operators, 1, change, change);
    for (int64_t i = 0; i < rates; i++) {
        whole[i] += effort[i];
    }
    assert_true(distance(whole, change, rates) <= 1e-9 * norm(whole, rates));
    double cross[2] = {0.0, 0.0};
    for (int32_t i = 0; i < rows; i++) {
        cross[0] += gap[0][i] * lambda[1][i];
        cross[1] += gap[1][i] * lambda[0][i];
    }
    assert_true(fabs(cross[0] - cross[1]) <=
                1e3 * tolerance * norm(gap[0], rows) * norm(lambda[1], rows));
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(method->solve(work, gap[1], again, change, &solved, NULL), RCT_OK);
    assert_memory_equal(again, lambda[1], (size_t)rows * sizeof *again);
    method->destroy(work);
    free(x);
    closed_system_free(&s);
    return report.rank;
}

static void test_large(void **state)
{
    (void)state;
    rct_model *model = four_bars(1000, RCT_LOOP_PLANAR_REVOLUTE);
    assert_int_equal(check_large(model, &usual, 1e-11), 2000);
    rct_model_free(model);
    model = four_bars(1000, RCT_LOOP_REVOLUTE);
    assert_int_equal(check_large(model, &usual, 1e-11), 2000);
    rct_model_free(model);
    model = loop_model_ladder(8, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    assert_int_equal(check_large(model, &tight, 1e-11), 16);
    rct_model_free(model);
    model = loop_model_ladder(300, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    assert_int_equal(check_large(model, &usual, 1e-10), 600);
    rct_model_free(model);
    model = loop_model_necklace(10000, NULL);
    assert_int_equal(check_large(model, &usual, 1e-9), 3);
    rct_model_free(model);
}

/* Two hundred closures along one chain; then fifty, two of them once more among five others. */
static void test_one_chain(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.bodies = 2000;
    family.perturb = 0.5;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    assert_int_equal(loop_model_close(model, 200, 7, NULL), RCT_OK);
    assert_int_equal(check_large(model, &usual, 1e-10), 600);
    rct_model_free(model);
    model = rct_model_generate(&family, NULL);
    assert_int_equal(loop_model_close(model, 50, 7, NULL), RCT_OK);
    assert_int_equal(loop_model_close(model, 5, 7, NULL), RCT_OK);
    assert_int_equal(check_large(model, &usual, 1e-10), 165 - 6);
    rct_model_free(model);
}

static rct_model *closed_family(const char *name, int32_t bodies, int32_t closures)
{
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    family.perturb = 0.5;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    assert_int_equal(loop_model_close(model, closures, 12, NULL), RCT_OK);
    return model;
}

/* Trees that branch; the hub of the star has more arms that can be held in two directions of three than null vectors
 * are looked for. */
static void test_trees(void **state)
{
    (void)state;
    static const char *const families[] = {"binary", "random", "comb", "star"};
    for (int i = 0; i < 4; i++) {
        double gap[MOST_ROWS];
        rct_model *model = closed_family(families[i], 121, 40);
        closed_system s = closed_system_create(model, 0.0);
        draw_consistent(&s, 4, gap);
        assert_true(compare(&s, &usual, gap).kept > 0);
        check(&s, gap, 1, i);
        closed_system_free(&s);
        rct_model_free(model);
        model = closed_family(families[i], 901, 300);
        check_large(model, &usual, 1e-9);
        rct_model_free(model);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

/* What SuiteSparse allocates, and how often it may yet. */
static int64_t sparse_allocations, sparse_left = -1;

static int sparse_may(void)
{
    sparse_allocations++;
    return sparse_left < 0 || sparse_left-- > 0;
}
static void *sparse_malloc(size_t size)
{
    return sparse_may() ? malloc(size) : NULL;
}
static void *sparse_calloc(size_t count, size_t size)
{
    return sparse_may() ? calloc(count, size) : NULL;
}
static void *sparse_realloc(void *memory, size_t size)
{
    return sparse_may() ? realloc(memory, size) : NULL;
}

static void watch_sparse(void)
{
    SuiteSparse_config.malloc_func = sparse_malloc;
    SuiteSparse_config.calloc_func = sparse_calloc;
    SuiteSparse_config.realloc_func = sparse_realloc;
}

/* One attempt; RCT_OK when there was enough memory. */
static rct_status attempt(closed_system *s, const rct_reduced_limits *limits, rct_error *error)
{
    rct_closure_report report;
    rct_status status = RCT_ERROR_MEMORY;
    rct_admittance *work = rct_admittance_create(limits, error);
    if (work != NULL) {
        status = method->factor(work, &s->problem, &report, error);
    }
    if (status != RCT_OK && work != NULL) { /* and all is well when there is memory again */
        rct_allocate_fail_after(-1);
        sparse_left = -1;
        assert_int_equal(method->factor(work, &s->problem, &report, NULL), RCT_OK);
    }
    rct_admittance_destroy(work);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    watch_sparse();
    rct_model *model = model_of(8, 14, MIXED_ALL_HINGES, 5, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    for (int k = 0; k < 4; k++) {
        const rct_reduced_limits *limits = k % 2 ? &tight : &usual;
        int64_t allowed = 0;
        for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; allowed++) {
            rct_error error = {.text = ""};
            rct_allocate_fail_after(k < 2 ? allowed : -1);
            sparse_left = k < 2 ? -1 : allowed;
            status = attempt(&s, limits, &error);
            rct_allocate_fail_after(-1);
            sparse_left = -1;
            assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
            assert_true(status == RCT_OK || strstr(error.text, "out of memory") != NULL);
        }
        assert_true(allowed > 10);
    }
    closed_system_free(&s);
    rct_model_free(model);
}

/* Factors in another state, and solving, allocate nothing where no nodes are kept. */
static void test_allocates_once(void **state)
{
    (void)state;
    watch_sparse();
    rct_model *model = four_bars(400, RCT_LOOP_PLANAR_REVOLUTE);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    double gap[800], lambda[800];
    double *change = calloc((size_t)s.rates, sizeof *change);
    draw_consistent(&s, 1, gap);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    const int64_t before = sparse_allocations;
    rct_allocate_fail_after(0);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_true(before > 0);
    assert_int_equal(sparse_allocations, before);
    method->destroy(work);
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_floating),
        cmocka_unit_test(test_relations), cmocka_unit_test(test_twice),
        cmocka_unit_test(test_none),      cmocka_unit_test(test_one_body),
        cmocka_unit_test(test_held),      cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_four_bars), cmocka_unit_test(test_large),
        cmocka_unit_test(test_one_chain), cmocka_unit_test(test_trees),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_allocates_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
