/* Closing loops by the admittance of seed 001: every allocation, its own and those in SuiteSparse,
 * fails in turn, and each failure is clean. */
#include "tests/support/cmocka_all.h"

#include "closure/admittance.h"
#include "core/memory.h"
#include "tests/closure/admittance_check.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_models.h"

#include <SuiteSparse_config.h>
#include <riccatree/loop.h>

#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_admittance;

/* ---- many loops --------------------------------------------------------------------------- */

static rct_model *four_bars(int32_t loops, rct_loop_type type)
{
    rct_model *model = loop_model_four_bars(loops, type, NULL);
    assert_non_null(model);
    return model;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* Allocations of SuiteSparse, and the number that may still succeed. */
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

/* One attempt; RCT_OK if there was enough memory. */
static rct_status attempt(closed_system *s, const int32_t *most, rct_error *error)
{
    rct_closure_report report;
    rct_status status = RCT_ERROR_MEMORY;
    rct_admittance *work = rct_admittance_create(most, error);
    if (work != NULL) {
        status = method->factor(work, &s->problem, &report, error);
    }
    if (status != RCT_OK && work != NULL) { /* and everything works when there is memory again */
        rct_allocate_fail_after(-1);
        sparse_left = -1;
        assert_int_equal(method->factor(work, &s->problem, &report, NULL), RCT_OK);
    }
    rct_closure_work_destroy(work);
    return status;
}

/* With more and more memory, of ours or of SuiteSparse, until there is enough; returns the number
 * of failures. */
static int64_t starve(closed_system *s, const int32_t *most, int sparse)
{
    int64_t allowed = 0;
    for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; allowed++) {
        rct_error error = {.text = ""};
        rct_allocate_fail_after(sparse ? -1 : allowed);
        sparse_left = sparse ? allowed : -1;
        status = attempt(s, most, &error);
        rct_allocate_fail_after(-1);
        sparse_left = -1;
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_true(status == RCT_OK || strstr(error.text, "out of memory") != NULL);
    }
    return allowed;
}

static void test_memory(void **state)
{
    (void)state;
    watch_sparse();
    rct_model *model = admittance_model(8, 14, ALL_HINGES, 5, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    for (int k = 0; k < 4; k++) {
        const int64_t times = starve(&s, k % 2 ? &tight : &usual, k >= 2);
        assert_true(k == 3 ? times == 1 : times > (k < 2 ? 10 : 2)); /* a front uses none of it */
    }
    closed_system_free(&s);
    rct_model_free(model);
}

static rct_model *hub(int32_t arms)
{
    rct_family family = rct_family_default();
    family.family = "hub";
    family.bodies = 2 * arms + 1;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* A dense tail, and a front. */
static void test_memory_of_hubs(void **state)
{
    (void)state;
    watch_sparse();
    for (int32_t arms = 30; arms <= 40; arms += 10) {
        rct_model *model = hub(arms);
        closed_system s = closed_system_create(model, 0.0);
        assert_true(starve(&s, &usual, 0) > 10);
        assert_true((starve(&s, &usual, 1) > 1) == (arms == 30));
        closed_system_free(&s);
        rct_model_free(model);
    }
}

static void check_allocates_once(const rct_model *model)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    double gap[800], lambda[800];
    double *change = calloc((size_t)s.rates, sizeof *change);
    admittance_draw_gap(&s, 1, gap);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    const int64_t before = sparse_allocations;
    rct_allocate_fail_after(0);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_int_equal(sparse_allocations, before);
    method->destroy(work);
    free(change);
    closed_system_free(&s);
}

/* Factors in another state, and solving, allocate nothing, with and without dense tails, and with a
 * front. */
static void test_allocates_once(void **state)
{
    (void)state;
    watch_sparse();
    for (int i = 0; i < 3; i++) {
        rct_model *model =
            i == 0 ? four_bars(400, RCT_LOOP_PLANAR_REVOLUTE) : hub(i == 1 ? 30 : 90);
        check_allocates_once(model);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_memory_of_hubs),
        cmocka_unit_test(test_allocates_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
