/* Trees of ball hinges, alone or among others, with dampers and wrenches, so that narrow paths hang
 * on narrow ones, on wide ones, on the trunk and on the ground: both methods against the Lagrangian
 * reference, in all widths. In strict builds lanes change no bit. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/tree_answer.h"
#include "tests/support/systems/hinge_system.h"

enum { WIDTHS = 4 };

static const int32_t widths[WIDTHS] = {1, 2, 4, 8};

static int has_width(const rct_model *model, int32_t lanes)
{
    rct_solver_options options = rct_solver_options_default();
    options.lanes = lanes;
    rct_solver *probe = rct_solver_create(model, &options, NULL);
    rct_solver_free(probe);
    return probe != NULL;
}

static void expect_near(const hinge_system *system, double most, double limit, const char *what)
{
    if (!(most <= limit)) {
        fail_msg("hinges %x, shape %d, %d bodies, seed %d: %.2e off %s", (unsigned)system->hinges,
                 (int)system->tree.shape, system->tree.bodies, (int)system->tree.seed, most, what);
    }
}

static void check(const hinge_system *system, rct_method method, int64_t segment)
{
    rct_model *model = hinge_system_create(system);
    assert_non_null(model);
    const tree_answer reference = tree_answer_by_reference(model, RCT_REFERENCE_LAGRANGE, 0.3);
    tree_answer single = tree_answer_by_solver(model, 0.3, method, segment, 1);
    expect_near(system, tree_answer_distance(model, single, reference), 1e-11, "the reference");
    for (int w = 1; w < WIDTHS; w++) {
        if (has_width(model, widths[w])) {
            const tree_answer own = tree_answer_by_solver(model, 0.3, method, segment, widths[w]);
#ifdef RCT_STRICT
            expect_near(system, tree_answer_distance(model, own, single), 0.0, "single lanes");
#else
            expect_near(system, tree_answer_distance(model, own, single), 1e-12, "single lanes");
#endif
            tree_answer_free(own);
        }
    }
    tree_answer_free(single);
    tree_answer_free(reference);
    rct_model_free(model);
}

static void check_all(int hinges, int32_t bodies)
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE, 0, 7};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = bodies + (int32_t)seed,
                                              .shuffled = seed % 3 == 0,
                                              .spin = 2.0,
                                              .seed = seed},
                                     .hinges = hinges,
                                     .joint_forces = seed > 4,
                                     .forces = seed % 2 ? 6 : 0,
                                     .ground_moves = seed == 8};
        for (size_t k = 0; k < sizeof segments / sizeof segments[0]; k++) {
            check(&system, RCT_METHOD_ABI, segments[k]);
            check(&system, RCT_METHOD_RICCATI, segments[k]);
        }
    }
}

static void test_balls(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL, 30);
    check_all(1 << RCT_HINGE_BALL, 180);
}

static void test_balls_among_others(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL | 1 << RCT_HINGE_UNIVERSAL, 30);
    check_all(1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE, 180);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_balls_among_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
