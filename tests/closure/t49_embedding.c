/* Constraint embedding, by dense and by sparse matrices of aggregates, against the dense answer on
 * random closed systems, in every state of their loops; and its failures. */
#include "tests/support/cmocka_all.h"
#include "tests/support/must.h"

#include "core/memory.h"
#include "tests/closure/embedding_case.h"
#include "tests/support/draw.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

static const rct_closure_method *const method = &rct_closure_embedding;

static rct_model *random_model(uint64_t seed, random_shape shape, int32_t bodies, int32_t loops,
                               int types)
{
    const hinge_system system = {
        .tree = {.shape = shape, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = (int)(seed % 2)};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

/* ---- random systems ---------------------------------------------------------------------------- */

/* J of a random motion, which can be cancelled whatever the rank. */
static void draw_consistent(const closed_system *s, uint64_t *random, double *gap)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), *u = zeros(s->rates);
    draw_numbers(random, u, (int)s->rates, 1.0);
    for (int64_t i = 0; i < rows; i++) {
        gap[i] = 0.0;
        for (int64_t j = 0; j < s->rates; j++) {
            gap[i] += J[i * s->rates + j] * u[j];
        }
    }
    free(J);
    free(u);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 900; seed++) {
        rct_model *model = random_model(seed, (random_shape)(seed % 4), 4 + (int32_t)(seed % 23),
                                        1 + (int32_t)(seed % 7), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.2);
        solution x = embed_begin(&s);
        uint64_t random = seed;
        assert_int_equal(((const rct_embedding *)x.work)->block[0].sparse != NULL,
                         embed_limits == &all_sparse);
        double *J = closed_system_jacobian(&s);
        const int nothing = largest(J, s.rates * s.problem.rows->count) < 1e-12;
        free(J);
        if (nothing) { /* between bodies that cannot move: the dense answer is rounding */
            assert_int_equal(x.report.rank, 0);
        } else {
            draw_consistent(&s, &random, x.gap);
            embed_compare(&s, &x, seed);
            draw_numbers(&random, x.gap, s.problem.rows->count,
                         1.0); /* most cannot be cancelled completely */
            embed_compare(&s, &x, seed);
        }
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* The bits of a state are the same whatever was factored before. */
static void test_no_state_before_counts(void **state)
{
    (void)state;
    static const rct_embed_limits *const limits[] = {&all_sparse, &all_dense};
    for (uint64_t k = 0; k < 20; k++) {
        rct_model *model = random_model(k + 1, SHAPE_TREE, 12, 3, ALL_TYPES);
        closed_system s = closed_system_create(model, 0.0);
        embed_limits = limits[k % 2];
        solution long_ago = embed_begin(&s);
        for (int i = 0; i < 3; i++) {
            must_step(s.open, 0.005, 20);
            closed_system_renew(&s, 0.0);
            embed_again(&s, &long_ago);
        }
        solution fresh = embed_begin(&s);
        embed_limits = NULL;
        uint64_t random = k;
        draw_numbers(&random, fresh.gap, s.problem.rows->count, 1.0);
        memcpy(long_ago.gap, fresh.gap, (size_t)s.problem.rows->count * sizeof *fresh.gap);
        embed_solve(&long_ago);
        embed_solve(&fresh);
        assert_memory_equal(long_ago.change, fresh.change, (size_t)s.rates * sizeof(double));
        embed_end(&long_ago);
        embed_end(&fresh);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* ---- loops that come and go, and none ------------------------------------------------------------- */

static void test_active(void **state)
{
    (void)state;
    rct_model *model = random_model(11, SHAPE_TREE, 20, 6, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    solution x = embed_begin(&s);
    uint64_t random = 3;
    const int64_t whole = method->bytes(x.work);
    assert_true(whole > 1000);
    for (int32_t step = 0; step < 12; step++) { /* released one by one, and attached again */
        rct_closures_set_active(s.closures, step % 6, step >= 6);
        closed_system_renew(&s, 0.0);
        embed_again(&s, &x);
        if (step == 5) {
            memset(x.change, 1, (size_t)s.rates * sizeof *x.change);
            embed_solve(&x);
            assert_int_equal(s.problem.rows->count, 0);
            assert_int_equal(x.report.rank, 0);
            assert_int_equal(x.report.dependent, -1);
            assert_int_equal(x.report.worst, -1);
            assert_true(largest(x.change, s.rates) == 0.0 && x.report.residual == 0.0);
            continue;
        }
        draw_numbers(&random, x.gap, s.problem.rows->count, 1.0);
        embed_compare(&s, &x, (uint64_t)step);
    }
    assert_int_equal(method->bytes(x.work), whole);
    memset(x.gap, 0, (size_t)s.problem.rows->count * sizeof *x.gap);
    embed_solve(&x);
    assert_true(largest(x.change, s.rates) == 0.0 && x.report.residual == 0.0);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Nothing is kept between solves in one state: the same gap gives the same bits. */
static void test_repeated(void **state)
{
    (void)state;
    rct_model *model = random_model(13, SHAPE_TREE, 20, 5, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    solution x = embed_begin(&s);
    uint64_t random = 3;
    const int32_t rows = s.problem.rows->count;
    double *change = zeros(s.rates), *lambda = zeros(rows), *gap = zeros(rows);
    draw_numbers(&random, gap, rows, 1.0);
    memcpy(x.gap, gap, (size_t)rows * sizeof *gap);
    embed_solve(&x);
    memcpy(change, x.change, (size_t)s.rates * sizeof *change);
    memcpy(lambda, x.lambda, (size_t)rows * sizeof *lambda);
    draw_numbers(&random, x.gap, rows, 1.0);
    embed_solve(&x);
    memcpy(x.gap, gap, (size_t)rows * sizeof *gap);
    embed_solve(&x);
    assert_memory_equal(x.change, change, (size_t)s.rates * sizeof *change);
    assert_memory_equal(x.lambda, lambda, (size_t)rows * sizeof *lambda);
    free(change);
    free(lambda);
    free(gap);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* ---- failures ------------------------------------------------------------------------------------- */

/* Factors two rods in a row, the second at `at` on the first, with other masses than those of the
 * model, whose hinges all move some mass: a slot ties `body` to the ground. Returns the body at
 * fault. */
static int32_t fault(double at, int32_t body, const double mass[2])
{
    rct_model *model = upright();
    rct_error error;
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.3, 0.0);
    add_rod(model, 0, at, 1.0, 1.0, 0.3, 0.0);
    add_closure(model, RCT_LOOP_SLOT, body, 1.0, RCT_GROUND, 1.0);
    closed_system s = closed_system_create(model, 0.0);
    solution x = embed_begin(&s);
    const double inertia[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, mass[1], mass[1], mass[1]};
    rct_operator_tree tree = *s.problem.tree;
    const rct_closure_problem other = {
        .tree = &tree, .operators = s.problem.operators, .rows = s.problem.rows};
    tree.mass = mass;
    tree.inertia = inertia;
    assert_int_equal(method->factor(x.work, &other, &x.report, &error), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(error.text, "nothing resists"));
    embed_again(&s, &x); /* and none is left */
    assert_int_equal(x.report.rank, 1);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
    return error.body;
}

/* A single body without mass, an aggregate without mass, and one with a motion without mass: two
 * coaxial hinges with nothing between. */
static void test_singular(void **state)
{
    (void)state;
    assert_int_equal(fault(1.0, 0, (double[2]){0.0, 0.0}), 1);
    assert_int_equal(fault(1.0, 1, (double[2]){0.0, 0.0}), 0);
    assert_int_equal(fault(0.0, 1, (double[2]){0.0, 1.0}), 0);
}

static void test_memory(void **state)
{
    (void)state;
    rct_model *model = random_model(17, SHAPE_TREE, 12, 4, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    int64_t failures = 0;
    rct_allocate_fail_after(0);
    assert_null(embed_create(s.closures, &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    rct_allocate_fail_after(-1);
    void *work = embed_create(s.closures, &error);
    for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; failures++) {
        error.status = RCT_OK;
        rct_allocate_fail_after(failures);
        status = method->factor(work, &s.problem, &report, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_int_equal(error.status, status);
    }
    assert_true(failures > 25);
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_OK);
    double *gap = calloc((size_t)s.problem.rows->count, sizeof *gap);
    double *lambda = calloc((size_t)s.problem.rows->count, sizeof *lambda);
    double *change = calloc((size_t)s.rates, sizeof *change);
    gap[0] = 1.0;
    rct_allocate_fail_after(0); /* a solve allocates nothing */
    assert_int_equal(method->solve(work, gap, lambda, change, &report, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_true(largest(change, s.rates) > 0.0);
    free(gap);
    free(lambda);
    free(change);
    method->destroy(work);
    method->destroy(NULL);
    closed_system_free(&s);
    rct_model_free(model);
}

static int make_dense(void **state)
{
    (void)state;
    embed_limits = &all_dense;
    return 0;
}

static int make_sparse(void **state)
{
    (void)state;
    embed_limits = &all_sparse;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),   cmocka_unit_test(test_no_state_before_counts),
        cmocka_unit_test(test_active),   cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_singular), cmocka_unit_test(test_memory),
    };
    const int failed = cmocka_run_group_tests_name("dense", tests, make_dense, NULL);
    return failed + cmocka_run_group_tests_name("sparse", tests, make_sparse, NULL);
}
