/* The dense reference on an accelerator against the Lagrangian one on the host: families and random
 * trees, also with fixed hinges; refused input; a lost accelerator, and failing allocations. Exit
 * status 77 where there is no accelerator or no library for it: most cases were skipped. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <stdlib.h>
#include <string.h>

static int skipped;

/* The smallest system tells. */
static int absent(void)
{
    reference_case *one = reference_swinging_chain(1);
    const rct_status status = reference_case_run(one, RCT_REFERENCE_DENSE);
    skipped = status == RCT_ERROR_UNSUPPORTED;
    if (skipped) {
        print_message("skipped: %s\n", one->error.text);
    }
    reference_case_free(one);
    return skipped;
}

/* Takes ownership of the two models, which are the same. */
static void compare(rct_model *model, rct_model *same)
{
    reference_case *dense = reference_case_create(model), *host = reference_case_create(same);
    if (reference_case_run(dense, RCT_REFERENCE_DENSE) != RCT_OK) {
        fail_msg("%s", dense->error.text);
    }
    assert_int_equal(reference_case_run(host, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(dense->result.residual < 1e-20);
    assert_true(reference_case_difference(dense, host) < 1e-14);
    reference_case_free(dense);
    reference_case_free(host);
}

static void test_agrees(void **state)
{
    (void)state;
    if (absent()) {
        return;
    }
    for (int f = 0; tree_families[f] != NULL; f++) {
        rct_family family = rct_family_default();
        family.family = tree_families[f];
        family.bodies = 30;
        family.perturb = 1.0;
        compare(rct_model_generate(&family, NULL), rct_model_generate(&family, NULL));
    }
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const random_system system = {
            .shape = SHAPE_TREE, .bodies = 20, .fixed = 0.3, .spin = 2.0, .seed = seed};
        compare(random_system_create(&system), random_system_create(&system));
    }
}

static void test_what_it_refuses(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.bodies = 3641;
    reference_case *large = reference_case_create(rct_model_generate(&family, NULL));
    assert_int_equal(reference_case_run(large, RCT_REFERENCE_DENSE), RCT_ERROR_UNSUPPORTED);
    assert_string_equal(large->error.text,
                        "32769 unknowns are too many for a dense matrix, which has at most 32760; "
                        "use a smaller model, or the reference lagrange");
    reference_case_free(large);
    if (absent()) {
        return;
    }
    rct_body bar = reference_rod(-1, 1.0);
    bar.inertia[2] = 0.0; /* nothing resists its spin */
    reference_case *singular = reference_case_of(&bar, 1);
    assert_int_equal(reference_case_run(singular, RCT_REFERENCE_DENSE), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(singular->error.text, "undetermined"));
    reference_case_free(singular);
}

static void test_short_memory(void **state)
{
    (void)state;
    if (absent()) {
        return;
    }
    reference_case *r = reference_swinging_chain(5);
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status == RCT_ERROR_MEMORY && k < 100; k++) {
        rct_allocate_fail_after(k);
        status = reference_case_run(r, RCT_REFERENCE_DENSE);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    reference_case_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees),
        cmocka_unit_test(test_what_it_refuses),
        cmocka_unit_test(test_short_memory),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed == 0 && skipped ? 77 : failed;
}
