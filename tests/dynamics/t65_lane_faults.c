/* Singular links in segments, in short lanes, beside segments, on junctions and on the trunk: every
 * place of a tree in turn, alone and two at once. The error names the body, the same one for any
 * threads and lanes, and for a single fault with any method. The state, its energies and the time
 * are as before, bit for bit, and the solver continues unharmed. Without memory no solver is made,
 * and nothing leaks. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/faults/fault_solver.h"
#include "tests/support/one_in.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *copy_of(const fault_tree *tree)
{
    const size_t bytes = 4 * (size_t)tree->bodies * sizeof(double);
    double *orientation = malloc(bytes);
    assert_non_null(orientation);
    memcpy(orientation, tree->orientation, bytes);
    return orientation;
}

static void set(rct_solver *solver, const fault_tree *tree, const double *orientation)
{
    assert_int_equal(rct_solver_set_state(solver, orientation, tree->rate, NULL), RCT_OK);
}

/* ---- one singular link -------------------------------------------------------------------- */

static void check_place(rct_solver *solver, const fault_tree *tree, int32_t i, int deep,
                        const char *what)
{
    char instead[96];
    double *orientation = copy_of(tree);
    fault_tree_align(tree, i, deep, orientation);
    set(solver, tree, orientation);
    const int32_t body = fault_expect(solver, RCT_ERROR_SINGULAR);
    snprintf(instead, sizeof instead, ", not %" PRId32 "%s, %s", i, deep ? " (deep)" : "", what);
    if (body != i) {
        fault_fail(solver, body, instead);
    }
    free(orientation);
}

static void check_places(const fault_tree *tree, rct_method method, int64_t segment, int division,
                         const char *what)
{
    rct_solver *solver = fault_solver(tree->model, method, segment, division);
    for (int32_t i = 0; i < tree->bodies && solver != NULL; i++) {
        if (tree->arm[i] >= 0 &&
            (i + division) % (5 * ONE_IN) == 0) { /* some of the divisions for each */
            check_place(solver, tree, i, 0, what);
        }
        if (tree->second[i] >= 0 && (i + division) % ONE_IN == 0) {
            check_place(solver, tree, i, 1, what);
        }
    }
    if (solver != NULL) {
        fault_expect_sound(solver, tree, method, segment, division);
    }
    rct_solver_free(solver);
}

static void check_tree(const fault_tree *tree, const int64_t *segments, int count, const char *what)
{
    for (int k = 0; k < count; k++) {
        for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
            for (int d = 0; d < DIVISIONS; d++) {
                check_places(tree, (rct_method)method, segments[k], d, what);
            }
        }
    }
}

static void test_every_place_of_a_branched_tree(void **state)
{
    (void)state;
    static const int64_t segments[] = {8, 3};
    for (int k = 0; k < FAULT_KINDS; k++) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        check_tree(tree, segments, 2, "branched");
        fault_tree_free(tree);
    }
}

/* All segments equal, cut behind the first bar of every two: each open segment is singular
 * there. */
static void test_every_place_of_a_chain(void **state)
{
    (void)state;
    static const int64_t segments[] = {6, 1, 0};
    for (int phase = 0; phase < 3; phase++) {
        const fault_kind kind = {.period = 3, .phase = phase};
        fault_tree *tree = fault_tree_chain(kind, 36);
        check_tree(tree, segments, 3, "chain");
        fault_tree_free(tree);
    }
}

/* ---- two at once -------------------------------------------------------------------------- */

enum { PAIRS = 20 / ONE_IN };

/* Two lines of the tree, far and near. */
static void pair_of(const fault_tree *tree, int k, int32_t pair[2])
{
    int32_t *sites = malloc((size_t)tree->bodies * sizeof *sites);
    int32_t count = 0;
    assert_non_null(sites);
    for (int32_t i = 0; i < tree->bodies; i++) {
        if (tree->arm[i] >= 0) {
            sites[count++] = i;
        }
    }
    pair[0] = sites[(7 * k) % count];
    pair[1] = sites[(7 * k + 1 + (11 * k) % (count - 1)) % count];
    free(sites);
}

static void check_pairs(const fault_tree *tree, rct_solver *solver, int32_t blamed[PAIRS])
{
    for (int k = 0; k < PAIRS; k++) {
        int32_t pair[2];
        char instead[96];
        double *orientation = copy_of(tree);
        pair_of(tree, k, pair);
        fault_tree_align(tree, pair[0], 0, orientation);
        fault_tree_align(tree, pair[1], 0, orientation);
        set(solver, tree, orientation);
        const int32_t body = fault_expect(solver, RCT_ERROR_SINGULAR);
        blamed[k] = blamed[k] < 0 ? body : blamed[k];
        if (body != blamed[k] || (body != pair[0] && body != pair[1])) {
            snprintf(instead, sizeof instead, " for %" PRId32 " and %" PRId32 ", before %" PRId32,
                     pair[0], pair[1], blamed[k]);
            fault_fail(solver, body, instead);
        }
        free(orientation);
    }
}

static void test_of_two_always_the_same(void **state)
{
    (void)state;
    static const int64_t segments[] = {8, 3, 0};
    for (int k = 0; k < FAULT_KINDS; k += 2) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        for (int s = 0; s < 3; s++) {
            int32_t blamed[2][PAIRS]; /* by method */
            memset(blamed, -1, sizeof blamed);
            for (int d = 0; d < 2 * DIVISIONS; d++) {
                rct_solver *solver =
                    fault_solver(tree->model, (rct_method)(d % 2), segments[s], d / 2);
                if (solver != NULL) {
                    check_pairs(tree, solver, blamed[d % 2]);
                }
                rct_solver_free(solver);
            }
        }
        fault_tree_free(tree);
    }
}

/* ---- no memory ---------------------------------------------------------------------------- */

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    fault_tree *tree = fault_tree_branched(fault_kinds[0]);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        const rct_solver_options options = {
            .method = (rct_method)method, .backend = "cpu", .threads = 3, .segment = 8};
        rct_solver *solver = NULL;
        int64_t k = 0;
        while (solver == NULL) {
            rct_error error = {.status = RCT_OK};
            rct_allocate_fail_after(k++);
            solver = rct_solver_create(tree->model, &options, &error);
            rct_allocate_fail_after(-1);
            assert_int_equal(error.status, solver == NULL ? RCT_ERROR_MEMORY : RCT_OK);
            assert_true(k < 1000);
        }
        assert_true(k > 20);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_free(solver);
        rct_allocate_fail_after(k / 2);
        solver = rct_solver_create(tree->model, &options, NULL);
        rct_allocate_fail_after(-1);
        assert_null(solver);
    }
    fault_tree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place_of_a_branched_tree),
        cmocka_unit_test(test_every_place_of_a_chain),
        cmocka_unit_test(test_of_two_always_the_same),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
