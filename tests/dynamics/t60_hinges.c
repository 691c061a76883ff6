/* Trees of every hinge type: the sweeps against the Lagrangian reference and the spatial operators, in single lanes and in
 * segments and bushes of all widths. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/tree_answer.h"
#include "tests/support/systems/hinge_system.h"

#include <stdlib.h>

static rct_model *create(const hinge_system *system)
{
    rct_model *model = hinge_system_create(system);
    assert_non_null(model);
    return model;
}

static void expect_close(const hinge_system *system, rct_reference by, int64_t segment,
                         int32_t lanes, double limit)
{
    rct_model *model = create(system);
    const tree_answer reference = tree_answer_by_reference(model, by, 0.3);
    const tree_answer own = tree_answer_by_solver(model, 0.3, RCT_METHOD_ABI, segment, lanes);
    const double most = tree_answer_distance(model, own, reference);
    if (getenv("RCT_SHOW") != NULL) {
        print_message("hinges %x bodies %d seed %d segment %d lanes %d: %.2e\n",
                      (unsigned)system->hinges, system->tree.bodies, (int)system->tree.seed,
                      (int)segment, lanes, most);
    }
    if (!(most < limit)) {
        fail_msg("hinges %x, %d bodies, seed %d, segment %d, lanes %d: %.2e off the reference",
                 (unsigned)system->hinges, system->tree.bodies, (int)system->tree.seed,
                 (int)segment, lanes, most);
    }
    tree_answer_free(reference);
    tree_answer_free(own);
    rct_model_free(model);
}

/* Every type alone, ball and free next to the ground, with and without all kinds of forces. */
static void test_every_hinge_alone(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_TYPES; type++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_TREE : SHAPE_CHAIN,
                                                  .bodies = 12,
                                                  .spin = 2.0,
                                                  .seed = seed},
                                         .hinges = 1 << type,
                                         .joint_forces = seed > 2,
                                         .forces = seed > 4 ? 6 : 0,
                                         .ground_moves = (int)(seed % 3)};
            expect_close(&system, RCT_REFERENCE_LAGRANGE, 0, 1, 1e-11);
            expect_close(&system, RCT_REFERENCE_SPATIAL, 0, 1, 1e-11);
        }
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 10 + 5 * (int32_t)seed,
                                              .shuffled = 1,
                                              .spin = 2.0,
                                              .seed = seed},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2,
                                     .forces = seed % 3 ? 10 : 0,
                                     .floating = seed % 5 == 0,
                                     .ground_moves = (int)(seed % 3)};
        expect_close(&system, RCT_REFERENCE_LAGRANGE, 0, 1, 1e-11);
        if (system.tree.bodies <= 60) {
            expect_close(&system, RCT_REFERENCE_SPATIAL, RCT_SEGMENT_AUTO, 0, 1e-11);
        }
    }
}

/* A thousand bodies, divided by default: bushes, or a chain in segments whose hinge types begin in
 * step. */
static void test_a_thousand_bodies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        const hinge_system system = {.tree = {.shape = seed == 1 ? SHAPE_TREE : SHAPE_CHAIN,
                                              .bodies = 1000,
                                              .shuffled = 1,
                                              .spin = 1.0,
                                              .seed = seed},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = 1,
                                     .forces = 50,
                                     .ground_moves = 1};
        expect_close(&system, RCT_REFERENCE_LAGRANGE, RCT_SEGMENT_AUTO, 0, 1e-11);
    }
}

/* Segments of all lengths in all widths: chains, whose hinge types differ from lane to lane, and trees. */
static void test_segments_and_lanes(void **state)
{
    (void)state;
    static const int64_t lengths[] = {RCT_SEGMENT_AUTO, 1, 2, 3, 5, 8, 13, 40};
    static const int32_t widths[] = {1, 2, 4, 8};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE,
                                              .bodies = 150,
                                              .spin = 1.0,
                                              .seed = seed},
                                     .hinges = seed <= 4 ? ALL_HINGES : 1 << RCT_HINGE_REVOLUTE,
                                     .joint_forces = seed % 2,
                                     .forces = seed % 3 ? 10 : 0,
                                     .ground_moves = (int)(seed % 3)};
        rct_model *model = create(&system);
        const tree_answer serial = tree_answer_by_solver(model, 0.3, RCT_METHOD_ABI, 0, 1);
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                rct_error error;
                rct_solver_options options = rct_solver_options_default();
                options.lanes = widths[w];
                rct_solver *probe = rct_solver_create(model, &options, &error);
                if (probe == NULL) {
                    continue; /* a width this machine does not have */
                }
                rct_solver_free(probe);
                const tree_answer own =
                    tree_answer_by_solver(model, 0.3, RCT_METHOD_ABI, lengths[k], widths[w]);
                const double most = tree_answer_distance(model, own, serial);
                if (getenv("RCT_SHOW") != NULL) {
                    print_message("seed %d segment %d lanes %d: %.2e\n", (int)seed, (int)lengths[k],
                                  widths[w], most);
                }
                if (!(most < 1e-12)) {
                    fail_msg("seed %d, segments of %d, %d lanes: %.2e off the serial sweep",
                             (int)seed, (int)lengths[k], widths[w], most);
                }
                tree_answer_free(own);
            }
        }
        tree_answer_free(serial);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_hinge_alone),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_a_thousand_bodies),
        cmocka_unit_test(test_segments_and_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
