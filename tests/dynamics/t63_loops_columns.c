/* Loops of small trees as columns of the sheaves (src/dynamics/closed/columns.c) against
 * multipliers, which share neither sweeps nor columns with them: groves of equal and different
 * small trees with loops of every type inside them and between them, by abi and riccati, with any
 * lanes and threads; accelerations, forces, ranks, steps and their closing, attaching, hinges that
 * nothing resists. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1,
    LIGHT_TYPES = 1 << RCT_LOOP_DISTANCE | 1 << RCT_LOOP_SLOT | 1 << RCT_LOOP_RELATION |
                  1 << RCT_LOOP_PLANAR_REVOLUTE,
    NO_BALLS = ALL_HINGES & ~(1 << RCT_HINGE_BALL),
    REVOLUTE = 1 << RCT_HINGE_REVOLUTE
};

/* A grove: `count` trees of `bodies` bodies, of `kinds` kinds in turn, with loops drawn among all
 * bodies. */
typedef struct grove {
    int hinges;
    random_shape shape;
    int32_t bodies, count, kinds, loops;
    int types;
    uint64_t seed;
} grove;

static rct_model *tree_of(const grove *g, int32_t kind)
{
    const hinge_system system = {.tree = {.shape = g->shape,
                                          .bodies = g->bodies,
                                          .spin = 1.0,
                                          .seed = g->seed + 31 * (uint64_t)kind},
                                 .hinges = g->hinges,
                                 .joint_forces = 1,
                                 .forces = 0};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

static rct_model *model_of(const grove *g)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t k = 0; k < g->count; k++) {
        rct_model *tree = tree_of(g, k % g->kinds);
        for (int32_t b = 0; b < rct_model_body_count(tree); b++) {
            rct_body body;
            rct_model_body(tree, b, &body, NULL);
            body.name = NULL;
            body.parent = body.parent == RCT_GROUND ? RCT_GROUND : body.parent + k * g->bodies;
            for (int i = 0; i < 3 && body.parent == RCT_GROUND; i++) {
                *(body.hinge == RCT_HINGE_FREE ? &body.position[i] : &body.hinge_at[i]) += 0.3 * k;
            }
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        }
        rct_model_free(tree);
    }
    closed_add_random(model, g->loops, g->types, g->seed + 100);
    return model;
}

/* By admittance. */
static rct_solver *solver_of(const rct_model *model, rct_method method, int32_t lanes,
                             int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.lanes = lanes;
    options.threads = threads;
    return closed_solver(model, options);
}

/* By a method without columns. */
static rct_solver *other_of(const rct_model *model, rct_closing closing)
{
    rct_solver_options options = rct_solver_options_default();
    options.closing = closing;
    options.lanes = options.threads = 1;
    return closed_solver(model, options);
}

static rct_method method_of(int k)
{
    return k % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
}

static int is_laid(const rct_solver *solver)
{
    return solver->closed->columns != NULL;
}

static const grove groves[] = {
    {.hinges = REVOLUTE, .shape = SHAPE_CHAIN, .bodies = 3, .count = 40, .kinds = 1, .loops = 20},
    {.hinges = REVOLUTE, .shape = SHAPE_TREE, .bodies = 7, .count = 24, .kinds = 1, .loops = 12},
    {.hinges = NO_BALLS, .shape = SHAPE_CHAIN, .bodies = 4, .count = 32, .kinds = 1, .loops = 16},
    {.hinges = NO_BALLS, .shape = SHAPE_BINARY, .bodies = 9, .count = 24, .kinds = 3, .loops = 9},
    {.hinges = NO_BALLS, .shape = SHAPE_STAR, .bodies = 6, .count = 20, .kinds = 2, .loops = 10},
    {.hinges = ALL_HINGES, .shape = SHAPE_TREE, .bodies = 8, .count = 16, .kinds = 4, .loops = 4},
    {.hinges = NO_BALLS, .shape = SHAPE_TREE, .bodies = 12, .count = 1, .kinds = 1, .loops = 3},
    {.hinges = REVOLUTE, .shape = SHAPE_CHAIN, .bodies = 20, .count = 2, .kinds = 1, .loops = 3},
};
enum { GROVES = sizeof groves / sizeof *groves };

static grove grove_of(uint64_t seed, int types)
{
    grove g = groves[seed % GROVES];
    g.seed = seed;
    g.types = types;
    return g;
}

static void test_accelerations(void **state)
{
    static const int32_t lanes[] = {0, 1, 2, 4};
    int laid = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 6 * GROVES; seed++) {
        const grove g = grove_of(seed, seed / GROVES % 2 == 0 ? ALL_TYPES : LIGHT_TYPES);
        rct_model *model = model_of(&g);
        rct_solver *other = other_of(model, RCT_CLOSING_MULTIPLIERS);
        for (int k = 0; k < 8; k++) {
            rct_solver *solver =
                solver_of(model, method_of(k / 4), lanes_up_to(lanes[k % 4]), 1 + k % 2);
            laid += closed_evaluate_alike(solver, other, 1e-9) && is_laid(solver);
            rct_solver_free(solver);
        }
        rct_solver_free(other);
        rct_model_free(model);
    }
    assert_true(laid > 12 * GROVES); /* some hang on balls, some loops contradict */
}

static void test_relations(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2 * GROVES; seed++) {
        const grove g = grove_of(seed, 1 << RCT_LOOP_RELATION);
        rct_model *model = model_of(&g);
        rct_solver *other = other_of(model, RCT_CLOSING_MULTIPLIERS);
        for (int k = 0; k < 2; k++) {
            rct_solver *solver = solver_of(model, method_of(k), 0, 1);
            assert_true(is_laid(solver) || (g.hinges & 1 << RCT_HINGE_BALL) != 0);
            assert_true(closed_evaluate_alike(solver, other, 1e-9));
            rct_solver_free(solver);
        }
        rct_solver_free(other);
        rct_model_free(model);
    }
}

/* The ranks that other methods find, also with duplicate loops. */
static void test_ranks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GROVES; seed++) {
        const grove g = grove_of(seed, 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_REVOLUTE);
        rct_model *model = model_of(&g);
        for (int32_t i = 0; i < 2; i++) {
            rct_loop loop;
            rct_model_loop(model, i, &loop, NULL);
            loop.name = NULL;
            assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        }
        rct_loop_info info[3];
        for (int k = 0; k < 3; k++) {
            rct_solver *solver =
                k < 2 ? solver_of(model, method_of(k), 0, 1) : other_of(model, RCT_CLOSING_SVD);
            (void)rct_solver_evaluate(solver, NULL);
            rct_solver_get_loop_info(solver, &info[k]);
            rct_solver_free(solver);
        }
        assert_int_equal(info[0].rank, info[2].rank);
        assert_int_equal(info[1].rank, info[2].rank);
        assert_true(info[0].redundant >= 3);
        rct_model_free(model);
    }
}

static void test_steps(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2 * GROVES; seed++) {
        const grove g = grove_of(seed, ALL_TYPES);
        rct_model *model = model_of(&g);
        rct_solver *pair[2] = {solver_of(model, method_of((int)seed), 0, 1),
                               other_of(model, RCT_CLOSING_MULTIPLIERS)};
        rct_status status[2];
        for (int k = 0; k < 2; k++) {
            rct_error error;
            status[k] = rct_solver_assemble(pair[k], &error);
            if (status[k] == RCT_OK && rct_solver_step(pair[k], 1e-5, 4, &error) != RCT_OK) {
                fail_msg("%s", error.text);
            }
        }
        assert_int_equal(status[0], status[1]);
        if (status[0] == RCT_OK) {
            rct_loop_info info;
            rct_solver_get_loop_info(pair[0], &info);
            assert_true(info.position < 1e-10 && info.velocity < 1e-9);
            closed_evaluate(pair[0]);
            closed_evaluate(pair[1]);
            assert_true(closed_apart(pair[0], pair[1]) < 1e-6); /* rounding of the way */
        }
        rct_solver_free(pair[0]);
        rct_solver_free(pair[1]);
        rct_model_free(model);
    }
}

/* Loops released and attached during the motion: columns are set up anew for the active loops. */
static void test_attach(void **state)
{
    static const rct_loop_state events[] = {RCT_LOOP_RELEASED, RCT_LOOP_ATTACHED,
                                            RCT_LOOP_RELEASED};
    (void)state;
    for (uint64_t seed = 0; seed < GROVES; seed++) {
        const grove g = grove_of(seed, 1 << RCT_LOOP_BALL);
        rct_model *model = model_of(&g);
        rct_solver *pair[2] = {solver_of(model, method_of((int)seed), 0, 1),
                               other_of(model, RCT_CLOSING_MULTIPLIERS)};
        for (int e = 0; e < 3; e++) {
            rct_status status[2];
            for (int k = 0; k < 2; k++) {
                status[k] = rct_solver_set_loop_active(pair[k], 1, events[e], NULL);
            }
            assert_int_equal(status[0], status[1]);
            (void)closed_evaluate_alike(pair[0], pair[1], 1e-8);
        }
        rct_solver_free(pair[0]);
        rct_solver_free(pair[1]);
        rct_model_free(model);
    }
}

/* With any allocation failing, a solver is not made or a loop not attached, and everything else
 * works as before. */
static void check_memory(rct_method method)
{
    const grove g = {.hinges = REVOLUTE,
                     .shape = SHAPE_TREE,
                     .bodies = 5,
                     .count = 3,
                     .kinds = 1,
                     .loops = 3,
                     .types = 1 << RCT_LOOP_DISTANCE,
                     .seed = 2};
    rct_model *model = model_of(&g);
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.backend = "cpu";
    options.threads = 1;
    rct_solver *solver = NULL;
    for (int64_t k = 0; solver == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        solver = rct_solver_create(model, &options, &error);
        rct_allocate_fail_after(-1);
        assert_true(solver != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(is_laid(solver));
    for (int turn = 0; turn < 2; turn++) {
        rct_status status = RCT_ERROR_MEMORY;
        for (int64_t k = 0; status != RCT_OK; k++) {
            rct_allocate_fail_after(k);
            status = rct_solver_set_loop_active(
                solver, 1, turn == 0 ? RCT_LOOP_RELEASED : RCT_LOOP_ATTACHED, NULL);
            rct_allocate_fail_after(-1);
            assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
            closed_evaluate(solver);
        }
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_memory(void **state)
{
    (void)state;
    check_memory(RCT_METHOD_ABI);
    check_memory(RCT_METHOD_RICCATI);
}

/* Both methods name the same hinge that nothing resists, the last one of a chain that is also
 * closed. */
static void test_singular_hinges(void **state)
{
    const grove g = {.hinges = REVOLUTE,
                     .shape = SHAPE_CHAIN,
                     .bodies = 4,
                     .count = 3,
                     .kinds = 1,
                     .loops = 1,
                     .types = 1 << RCT_LOOP_BALL,
                     .seed = 5};
    (void)state;
    for (int rod = 0; rod < 2; rod++) {
        rct_model *model = model_of(&g);
        rct_body body = rct_body_default();
        int32_t tip;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.parent = 7;
        body.mass = 1.0;
        body.com[2] = 0.5;
        body.inertia[0] = body.inertia[1] = 0.1;
        body.inertia[2] = rod ? 1e-17 : 0.0; /* about the axis of the hinge */
        assert_int_equal(rct_model_add_body(model, &body, &tip, NULL), RCT_OK);
        for (int k = 0; k < 2; k++) {
            rct_solver_options options = rct_solver_options_default();
            rct_error error;
            options.method = method_of(k);
            options.backend = "cpu";
            rct_solver *solver = rct_solver_create(model, &options, &error);
            assert_true(solver == NULL && error.status == RCT_ERROR_SINGULAR);
            assert_int_equal(error.body, tip);
        }
        rct_model_free(model);
    }
}

/* The same bits with any number of threads, and again. */
static void test_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GROVES; seed++) {
        const grove g = grove_of(seed, 1 << RCT_LOOP_BALL);
        rct_model *model = model_of(&g);
        double *first = NULL;
        for (int k = 0; k < 4; k++) {
            rct_solver *solver = solver_of(model, method_of((int)seed), 0, 1 + k % 3);
            const int64_t u = solver->plan->freedoms;
            double *du = calloc((size_t)u, sizeof *du);
            if (rct_solver_evaluate(solver, NULL) == RCT_OK) {
                rct_solver_get_rate_derivatives(solver, du);
            }
            if (first == NULL) {
                first = du;
            } else {
                assert_memory_equal(first, du, (size_t)u * sizeof *du);
                free(du);
            }
            rct_solver_free(solver);
        }
        free(first);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations), cmocka_unit_test(test_relations),
        cmocka_unit_test(test_ranks),         cmocka_unit_test(test_steps),
        cmocka_unit_test(test_attach),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_bits),          cmocka_unit_test(test_singular_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
