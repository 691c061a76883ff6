/* Trees of every hinge type by the riccati method: against the Lagrangian reference and the abi method, in single lanes and in
 * segments and bushes of all widths. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/tree_answer.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static rct_model *create(const hinge_system *system)
{
    rct_model *model = hinge_system_create(system);
    assert_non_null(model);
    return model;
}

/* Fails unless `own` is within `limit` of `other`. */
static void expect_near(const rct_model *model, const hinge_system *system, tree_answer own,
                        tree_answer other, double limit, const char *what)
{
    const double most = tree_answer_distance(model, own, other);
    if (getenv("RCT_SHOW") != NULL) {
        print_message("hinges %x bodies %d seed %d, %s: %.2e\n", (unsigned)system->hinges,
                      system->tree.bodies, (int)system->tree.seed, what, most);
    }
    if (!(most < limit)) {
        fail_msg("hinges %x, %d bodies, seed %d: %.2e off %s", (unsigned)system->hinges,
                 system->tree.bodies, (int)system->tree.seed, most, what);
    }
}

static void expect_right(const hinge_system *system)
{
    rct_model *model = create(system);
    const tree_answer own = tree_answer_by_solver(model, 0.3, RCT_METHOD_RICCATI, 0, 1);
    const tree_answer abi = tree_answer_by_solver(model, 0.3, RCT_METHOD_ABI, 0, 1);
    const tree_answer reference = tree_answer_by_reference(model, RCT_REFERENCE_LAGRANGE, 0.3);
    expect_near(model, system, own, reference, 1e-11, "the reference");
    expect_near(model, system, own, abi, 1e-12, "abi");
    tree_answer_free(own);
    tree_answer_free(abi);
    tree_answer_free(reference);
    rct_model_free(model);
}

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
            expect_right(&system);
        }
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
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
        expect_right(&system);
    }
}

static int has_lanes(const rct_model *model, int32_t lanes)
{
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.lanes = lanes;
    options.backend = "cpu";
    rct_solver *probe = rct_solver_create(model, &options, &error);
    rct_solver_free(probe);
    return probe != NULL;
}

/* A system in segments of all lengths and all widths, against abi in turn. */
static void expect_all_segments(const hinge_system *system)
{
    static const int64_t lengths[] = {RCT_SEGMENT_AUTO, 1, 2, 3, 5, 8, 13, 40};
    static const int32_t widths[] = {1, 2, 4, 8};
    rct_model *model = create(system);
    const tree_answer abi = tree_answer_by_solver(model, 0.3, RCT_METHOD_ABI, 0, 1);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            if (has_lanes(model, widths[w])) {
                char what[80];
                const tree_answer own =
                    tree_answer_by_solver(model, 0.3, RCT_METHOD_RICCATI, lengths[k], widths[w]);
                snprintf(what, sizeof what, "abi, segments of %d, %d lanes", (int)lengths[k],
                         (int)widths[w]);
                expect_near(model, system, own, abi, 1e-12, what);
                tree_answer_free(own);
            }
        }
    }
    tree_answer_free(abi);
    rct_model_free(model);
}

/* Chains and trees of all types, and chains of each alone: every open end crosses every hinge. */
static void test_segments_and_lanes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE,
                                              .bodies = 150,
                                              .spin = 1.0,
                                              .seed = seed},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2,
                                     .forces = seed % 3 ? 10 : 0,
                                     .ground_moves = (int)(seed % 3)};
        expect_all_segments(&system);
    }
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_FREE; type++) {
        const hinge_system system = {
            .tree = {.shape = SHAPE_CHAIN, .bodies = 20, .spin = 1.0, .seed = 10 + (uint64_t)type},
            .hinges = 1 << type,
            .joint_forces = 1,
            .ground_moves = type % 3};
        expect_all_segments(&system);
    }
}

/* The state of a model after some steps. */
static void move(const rct_model *model, rct_method method, int64_t segment, int32_t lanes,
                 double *q, double *u)
{
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.segment = segment;
    options.lanes = lanes;
    options.backend = "cpu";
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL || rct_solver_step(solver, 1e-3, 20, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_coordinates(solver, q, u);
    rct_solver_free(solver);
}

static void test_steps_are_those_of_abi(void **state)
{
    (void)state;
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 60, .spin = 1.0, .seed = 5},
        .hinges = ALL_HINGES,
        .joint_forces = 1,
        .forces = 5,
        .ground_moves = 1};
    rct_model *model = create(&system);
    const int64_t nq = hinge_coordinates(model), nu = hinge_freedoms(model);
    double *q[2], *u[2];
    for (int i = 0; i < 2; i++) {
        q[i] = calloc((size_t)nq, sizeof(double));
        u[i] = calloc((size_t)nu, sizeof(double));
    }
    move(model, RCT_METHOD_ABI, 0, 1, q[0], u[0]);
    for (int segmented = 0; segmented < 2; segmented++) {
        move(model, RCT_METHOD_RICCATI, segmented ? 5 : 0, segmented ? 2 : 1, q[1], u[1]);
        for (int64_t i = 0; i < nq; i++) {
            assert_true(fabs(q[1][i] - q[0][i]) < 1e-11 * fmax(1.0, fabs(q[0][i])));
        }
        for (int64_t i = 0; i < nu; i++) {
            assert_true(fabs(u[1][i] - u[0][i]) < 1e-10 * fmax(1.0, fabs(u[0][i])));
        }
    }
    for (int i = 0; i < 2; i++) {
        free(q[i]);
        free(u[i]);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_hinge_alone),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_segments_and_lanes),
        cmocka_unit_test(test_steps_are_those_of_abi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
