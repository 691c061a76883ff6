/* `riccatree verify` fails if an acceleration or a hinge force of one way to compute a state
 * differs from the others on one body. It passes correct models, and differences of rounding. */
#include "tests/support/cmocka_all.h"

#include "cli/verify/verify.h"

#include <stdlib.h>

enum { BODIES = 20, WHICH = 7 };

/* A model evaluated in all ways; in one of them a number of one body is changed by a share of its
 * scale; and the resulting verdict. */
static int64_t failures(int entry, cli_quantity quantity, double share)
{
    const rct_family family = {.family = "random",
                               .bodies = BODIES,
                               .hinge = RCT_HINGE_UNIVERSAL,
                               .seed = 4,
                               .perturb = 0.5};
    cli_arguments arguments = {
        .backend = "cpu", .segment = RCT_SEGMENT_AUTO, .repeat = 1, .reference = CLI_REFERENCE_ALL};
    rct_model *model = rct_model_generate(&family, NULL);
    cli_verification v = {.arguments = &arguments, .model = model};
    assert_non_null(model);
    rct_model_take_census(model, &v.census);
    v.grounded = cli_verify_ground(model);
    assert_non_null(v.grounded);
    v.comparison.all_told = true; /* widths that this machine does not have */
    cli_comparison_fill(&v.comparison, model, &arguments);
    cli_verify_choose_entries(&v.comparison);
    assert_true(cli_comparison_evaluate(&v.comparison, &arguments));
    assert_true(cli_verify_find_rounding(&v));
    v.comparison.entries[entry].rows.vectors[quantity][3 * WHICH] +=
        share * v.comparison.scale[quantity];
    for (int64_t i = 0; i < v.comparison.count; i++) {
        v.comparison.entries[i].difference = (cli_difference){.worst = 0.0};
    }
    assert_true(cli_comparison_measure(&v.comparison));
    assert_true(cli_verify_agreement(&v));
    cli_comparison_free(&v.comparison);
    free(v.grounded);
    rct_model_free(model);
    assert_true(v.checks.passed > 0);
    return v.checks.failed;
}

static void nothing_wrong_passes(void **state)
{
    (void)state;
    assert_int_equal(failures(CLI_ENTRY_ABI, CLI_LINEAR, 0.0), 0);
    assert_int_equal(failures(CLI_ENTRY_ABI, CLI_LINEAR, 1e-15), 0);
}

static void one_wrong_acceleration_fails(void **state)
{
    (void)state;
    for (int entry = CLI_ENTRY_ABI_SERIAL; entry <= CLI_ENTRY_RICCATI; entry++) {
        assert_int_equal(failures(entry, CLI_LINEAR, 1e-9), 1);
        assert_int_equal(failures(entry, CLI_ANGULAR, 1e-9), 1);
    }
}

static void one_wrong_force_fails(void **state)
{
    (void)state;
    assert_int_equal(failures(CLI_ENTRY_RICCATI, CLI_FORCE, 1e-9), 1);
}

/* Everything differs from a wrong base. */
static void wrong_reference_fails(void **state)
{
    (void)state;
    assert_true(failures(CLI_ENTRY_LAGRANGE, CLI_LINEAR, 1e-9) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong_passes),
        cmocka_unit_test(one_wrong_acceleration_fails),
        cmocka_unit_test(one_wrong_force_fails),
        cmocka_unit_test(wrong_reference_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
