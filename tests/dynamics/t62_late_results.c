/* Rarely used results allocate their memory at the first request: from then on the bytes that a
 * solver reports contain it. If memory runs out, all numbers are NaN, nothing is lost, and the next
 * call returns them. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 5000, RESULTS = 3, ROW = 24 };

#ifdef RCT_SANITIZED
static const int counts = 0; /* another allocator, which counts nothing */
#else
static const int counts = 1;
#endif

static double held(void)
{
    const struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* Result `which` of all bodies; the numbers of a row. */
static int ask(const rct_solver *solver, int which, int64_t n, double *out)
{
    switch (which) {
    case 0: rct_solver_get_accelerations(solver, out, out + 3 * n); return 6;
    case 1: rct_solver_get_hinge_forces(solver, out, out + 3 * n); return 6;
    default: rct_solver_get_state_vectors(solver, out, out + 12 * n); return ROW;
    }
}

/* A chain or a random tree; `welded`: every third body is welded to its parent. */
static rct_model *model_of(const char *name, rct_hinge_type hinge, int welded)
{
    rct_model *model = must_family(name, BODIES, hinge);
    for (int32_t b = 2; welded && b < model->count; b += 3) {
        rct_body body = rct_bodies_get(model->bodies, b);
        body.hinge = RCT_HINGE_FIXED;
        must_put(model, b, &body);
    }
    return model;
}

static rct_solver *solver_of(const rct_model *model)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 2;
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    assert_non_null(solver);
    must_step(solver, 1e-4, 2);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    return solver;
}

/* The result in another solver, after `k` failing allocations if it makes that many; else returns
 * 0. */
static int runs_out(const rct_model *model, int which, int64_t k, const double *expected,
                    double *out)
{
    rct_solver *solver = solver_of(model);
    rct_allocate_fail_after(k);
    const int64_t row = ask(solver, which, model->count, out);
    rct_allocate_fail_after(-1);
    const int failed = isnan(out[0]);
    for (int64_t i = 0; failed && i < row * model->count; i++) {
        assert_true(isnan(out[i]));
    }
    ask(solver, which, model->count, out);
    assert_memory_equal(out, expected, (size_t)(row * model->count) * sizeof *out);
    rct_solver_free(solver);
    return failed;
}

static void check(const rct_model *model)
{
    const int64_t n = model->count;
    double *expected = malloc((size_t)(n * ROW) * sizeof *expected);
    double *out = malloc((size_t)(n * ROW) * sizeof *out);
    assert_true(expected != NULL && out != NULL);
    for (int which = 0; which < RESULTS; which++) {
        rct_solver_info before, after;
        rct_solver *solver = solver_of(model);
        rct_solver_get_info(solver, &before);
        const double at_first = held();
        const int64_t row = ask(solver, which, n, expected);
        const double taken = held() - at_first;
        rct_solver_get_info(solver, &after);
        assert_true(after.bytes > before.bytes);
        if (counts) {
            assert_true(fabs((double)(after.bytes - before.bytes) - taken) < 1000.0);
        }
        ask(solver, which, n, out);
        assert_memory_equal(out, expected, (size_t)(row * n) * sizeof *out);
        rct_solver_get_info(solver, &before);
        assert_int_equal(before.bytes, after.bytes);
        rct_solver_free(solver);
        int64_t k = 0;
        while (runs_out(model, which, k, expected, out)) {
            k++;
        }
        assert_in_range(k, 1, 3);
    }
    free(expected);
    free(out);
}

static void test_results_that_come_late(void **state)
{
    (void)state;
    static const char *const names[] = {"chain", "random"};
    for (int k = 0; k < 8; k++) {
        rct_model *model =
            model_of(names[k % 2], k / 2 % 2 == 0 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE, k / 4);
        check(model);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_that_come_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
