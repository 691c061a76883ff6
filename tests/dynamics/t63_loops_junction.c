/* Loops held in the junction (src/dynamics/closed/junction.c) against multipliers, which share
 * neither sweeps nor a reduced tree with it: random trees of every hinge with loops of every type,
 * cut into segments of several lengths, by both methods, with any lanes and threads; accelerations,
 * forces, steps and their closing, attaching. `t63_loops_junction cuda`: on an accelerator. */
#include "tests/support/cmocka_all.h"

#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *backend = "cpu"; /* where loops are held */

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, BODIES = 90 };

static rct_model *model_with(uint64_t seed, int hinges, random_shape shape, int32_t loops,
                             int types)
{
    const hinge_system system = {
        .tree = {.shape = shape, .bodies = BODIES, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = hinges,
        .joint_forces = hinges != 1 << RCT_HINGE_BALL,
        .forces = seed % 2 == 0 ? 3 : 0,
        .ground_moves = (int)(seed % 3)};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

static rct_model *model_of(uint64_t seed, int hinges, random_shape shape, int32_t loops)
{
    return model_with(seed, hinges, shape, loops, ALL_TYPES);
}

static rct_solver *solver_of(const rct_model *model, rct_closing closing, int64_t segment,
                             rct_method method)
{
    rct_solver_options options = rct_solver_options_default();
    options.closing = closing;
    options.method = method;
    options.segment = segment;
    options.backend = closing == RCT_CLOSING_ADMITTANCE ? backend : "cpu";
    return closed_solver(model, options);
}

static int is_held(const rct_solver *solver)
{
    return rct_closed_in_junction(solver->closed);
}

typedef struct trial {
    int hinges;
    random_shape shape;
} trial;

static const trial trials[] = {{ALL_HINGES, SHAPE_TREE},
                               {ALL_HINGES, SHAPE_CHAIN},
                               {1 << RCT_HINGE_BALL, SHAPE_CHAIN},
                               {1 << RCT_HINGE_BALL, SHAPE_TREE},
                               {1 << RCT_HINGE_REVOLUTE, SHAPE_CHAIN},
                               {1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE, SHAPE_TREE}};
enum { TRIALS = sizeof trials / sizeof *trials };

static void test_accelerations(void **state)
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 4, 9, 30};
    int held = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6 * TRIALS; seed++) {
        const trial *t = &trials[seed % TRIALS];
        rct_model *model = model_of(seed, t->hinges, t->shape, 1 + (int32_t)(seed % 4));
        rct_solver *other = solver_of(model, RCT_CLOSING_MULTIPLIERS, 0, RCT_METHOD_ABI);
        for (int k = 0; k < 8; k++) {
            rct_solver *solver = solver_of(model, RCT_CLOSING_ADMITTANCE, segments[k / 2],
                                           k % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI);
            held += closed_evaluate_alike(solver, other, 1e-9) && is_held(solver);
            rct_solver_free(solver);
        }
        rct_solver_free(other);
        rct_model_free(model);
    }
    assert_true(held >
                2 * 6 * TRIALS); /* some trees are not worth segments, some loops contradict */
}

/* Relations alone, and driven hinges of a long chain. */
static void test_relations(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rct_model *model = model_with(seed, ALL_HINGES, seed % 2 == 0 ? SHAPE_TREE : SHAPE_CHAIN,
                                      1 + (int32_t)(seed % 2), 1 << RCT_LOOP_RELATION);
        for (int k = 0; k < 2; k++) {
            rct_solver *solver = solver_of(model, RCT_CLOSING_ADMITTANCE, 7,
                                           k == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI);
            rct_solver *other = solver_of(model, RCT_CLOSING_MULTIPLIERS, 0, RCT_METHOD_ABI);
            assert_true(is_held(solver));
            assert_true(closed_evaluate_alike(solver, other, 1e-9));
            rct_solver_free(solver);
            rct_solver_free(other);
        }
        rct_model_free(model);
    }
}

static void test_driven_hinge(void **state)
{
    enum { DRIVEN = 40 };
    const rct_loop_term term = {.body = DRIVEN, .factor = 1.0};
    rct_family family = rct_family_default();
    rct_loop loop = rct_loop_default();
    double q[3 * BODIES], u[3 * BODIES];
    (void)state;
    family.bodies = BODIES;
    family.hinge = RCT_HINGE_REVOLUTE;
    rct_model *model = rct_model_generate(&family, NULL);
    loop.type = RCT_LOOP_RELATION;
    loop.terms = &term;
    loop.term_count = 1;
    loop.rate = -0.3; /* q = -0.3 t + t^2 */
    loop.acceleration = 2.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.segment = 7;
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL || rct_solver_step(solver, 1e-3, 50, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(is_held(solver));
    rct_solver_get_coordinates(solver, q, u);
    const double t = rct_solver_time(solver);
    assert_true(fabs(q[DRIVEN] - (t * t - 0.3 * t)) < 1e-12);
    assert_true(fabs(u[DRIVEN] - (2.0 * t - 0.3)) < 1e-11);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A loop that holds the end of a chain, and one between the ground and a body that is welded to the
 * ground. */
static void test_welded_to_ground(void **state)
{
    rct_family family = rct_family_default();
    (void)state;
    family.bodies = BODIES;
    rct_model *model = rct_model_generate(&family, NULL);
    rct_body body = rct_body_default();
    body.parent = RCT_GROUND;
    body.hinge = RCT_HINGE_FIXED;
    body.mass = 1.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    const int32_t held[] = {BODIES, BODIES - 1};
    for (int k = 0; k < 2; k++) {
        rct_loop loop = rct_loop_default();
        loop.body = held[k];
        loop.other = k == 0 ? RCT_GROUND : 40;
        loop.at[0] = loop.other_at[0] = k == 0 ? 0.5 : 0.0;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    rct_solver *solver = solver_of(model, RCT_CLOSING_ADMITTANCE, 7, RCT_METHOD_ABI);
    rct_solver *other = solver_of(model, RCT_CLOSING_MULTIPLIERS, 0, RCT_METHOD_ABI);
    assert_true(is_held(solver));
    assert_true(closed_evaluate_alike(solver, other, 1e-9));
    rct_loop_info info[2];
    rct_solver_get_loop_info(solver, &info[0]);
    rct_solver_get_loop_info(other, &info[1]);
    assert_int_equal(info[0].rank, info[1].rank);
    assert_int_equal(info[0].redundant, 4); /* the chain is straight: nothing moves along it */
    rct_solver_free(solver);
    rct_solver_free(other);
    rct_model_free(model);
}

/* Assembled, stepped and closed again as by multipliers. */
static void test_steps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2 * TRIALS; seed++) {
        const trial *t = &trials[seed % TRIALS];
        rct_model *model = model_of(seed, t->hinges, t->shape, 1 + (int32_t)(seed % 3));
        rct_solver *pair[2] = {solver_of(model, RCT_CLOSING_ADMITTANCE, 7, RCT_METHOD_ABI),
                               solver_of(model, RCT_CLOSING_MULTIPLIERS, 0, RCT_METHOD_ABI)};
        rct_status status[2];
        for (int k = 0; k < 2; k++) {
            rct_error error;
            status[k] = rct_solver_assemble(pair[k], &error);
            if (status[k] == RCT_OK && rct_solver_step(pair[k], 1e-5, 4, &error) != RCT_OK) {
                fail_msg("%s", error.text);
            }
        }
        assert_int_equal(status[0], status[1]);
        assert_true(is_held(pair[0]));
        if (status[0] == RCT_OK) {
            rct_loop_info info;
            rct_solver_get_loop_info(pair[0], &info);
            assert_true(info.position < 1e-10 && info.velocity < 1e-9);
            closed_evaluate(pair[0]);
            closed_evaluate(pair[1]);
            assert_true(closed_apart(pair[0], pair[1]) <
                        1e-6); /* states differ by rounding of the way */
        }
        rct_solver_free(pair[0]);
        rct_solver_free(pair[1]);
        rct_model_free(model);
    }
}

/* Chains so long that a device composes the parts between the held links level by level. */
static void test_long(void **state)
{
    enum { LONG = 4600 };
    (void)state;
    for (int k = 0; k < 2; k++) {
        rct_family family = rct_family_default();
        rct_solver *pair[2];
        family.bodies = LONG;
        family.perturb = 0.2;
        family.hinge = k == 0 ? RCT_HINGE_BALL : RCT_HINGE_UNIVERSAL;
        rct_model *model = rct_model_generate(&family, NULL);
        closed_add_random(model, 3, 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE, 5);
        for (int i = 0; i < 2; i++) {
            rct_error error;
            pair[i] = solver_of(model, i == 0 ? RCT_CLOSING_ADMITTANCE : RCT_CLOSING_MULTIPLIERS,
                                RCT_SEGMENT_AUTO, RCT_METHOD_ABI);
            if (rct_solver_step(pair[i], 1e-6, 2, &error) != RCT_OK) {
                fail_msg("%s", error.text);
            }
            closed_evaluate(pair[i]);
        }
        assert_true(is_held(pair[0]));
        assert_true(closed_apart(pair[0], pair[1]) < 1e-6); /* the chain multiplies rounding */
        rct_solver_free(pair[0]);
        rct_solver_free(pair[1]);
        rct_model_free(model);
    }
}

/* Loops released and attached during the motion: the nodes are those of all loops, active or
 * not. */
static void test_attach(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        rct_model *model = model_of(seed, 1 << RCT_HINGE_BALL, SHAPE_CHAIN, 2);
        rct_solver *pair[2] = {solver_of(model, RCT_CLOSING_ADMITTANCE, 7, RCT_METHOD_ABI),
                               solver_of(model, RCT_CLOSING_MULTIPLIERS, 0, RCT_METHOD_ABI)};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(rct_solver_set_loop_active(pair[k], 1, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
            closed_evaluate(pair[k]);
        }
        assert_true(closed_apart(pair[0], pair[1]) < 1e-9);
        rct_status status[2];
        for (int k = 0; k < 2; k++) {
            status[k] = rct_solver_set_loop_active(pair[k], 1, RCT_LOOP_ATTACHED, NULL);
            closed_evaluate(pair[k]);
        }
        assert_int_equal(status[0], status[1]);
        assert_true(closed_apart(pair[0], pair[1]) < 1e-8);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(rct_solver_set_loop_active(pair[k], 0, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
            assert_int_equal(rct_solver_set_loop_active(pair[k], 1, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
            closed_evaluate(pair[k]);
        }
        assert_true(closed_apart(pair[0], pair[1]) < 1e-9);
        rct_solver_free(pair[0]);
        rct_solver_free(pair[1]);
        rct_model_free(model);
    }
}

/* Efforts, forces of the user and other states between evaluations of one solver; each result is
 * that of a fresh solver. */
static void test_changes(void **state)
{
    (void)state;
    rct_model *model = model_of(6, ALL_HINGES, SHAPE_TREE, 1);
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.segment = 6;
    options.as_given = options.user_forces = 1;
    rct_solver *one = rct_solver_create(model, &options, NULL);
    options.backend = "cpu";
    options.closing = RCT_CLOSING_MULTIPLIERS;
    rct_solver *other = rct_solver_create(model, &options, NULL);
    assert_true(is_held(one));
    const int64_t u = one->plan->freedoms, q = one->plan->coordinates;
    double *x = calloc((size_t)(q + 2 * u), sizeof *x), *rates = x + q, *efforts = rates + u;
    rct_solver_get_coordinates(one, x, rates);
    for (int k = 0; k < 4; k++) {
        for (int64_t i = 0; i < u; i++) {
            rates[i] += 0.01 * (double)((i + k) % 5 - 2);
            efforts[i] = k % 2 == 0 ? 0.0 : 0.1 * (double)(i % 7 - 3);
        }
        rct_solver *const pair[2] = {one, other};
        for (int j = 0; j < 2; j++) {
            assert_int_equal(rct_solver_set_coordinates(pair[j], x, rates, NULL), RCT_OK);
            assert_int_equal(rct_solver_set_efforts(pair[j], efforts, NULL), RCT_OK);
        }
        assert_true(closed_evaluate_alike(one, other, 1e-9));
        assert_true(closed_evaluate_alike(one, other, 1e-9)); /* once more in the same state */
    }
    free(x);
    rct_solver_free(one);
    rct_solver_free(other);
    rct_model_free(model);
}

/* The same bits with any number of threads, and lanes that change nothing. */
static void test_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        const trial *t = &trials[seed % TRIALS];
        rct_model *model = model_of(seed, t->hinges, t->shape, 2);
        double *first = NULL;
        for (int k = 0; k < 4; k++) {
            rct_solver_options options = rct_solver_options_default();
            options.backend = backend;
            options.segment = 7;
            options.as_given = 1;
            options.threads = 1 + k % 3;
            options.lanes = k == 3 ? 1 : 0;
            rct_solver *solver = rct_solver_create(model, &options, NULL);
            const int64_t u = solver->plan->freedoms;
            double *du = calloc((size_t)u, sizeof *du);
            closed_evaluate(solver);
            rct_solver_get_rate_derivatives(solver, du);
            if (first == NULL) {
                first = du;
            } else {
                for (int64_t i = 0; i < u && k == 3; i++) {
                    assert_true(fabs(du[i] - first[i]) <= 1e-9 * (1.0 + fabs(first[i])));
                }
                assert_true(k == 3 || memcmp(first, du, (size_t)u * sizeof *du) == 0);
                free(du);
            }
            rct_solver_free(solver);
        }
        free(first);
        rct_model_free(model);
    }
}

int main(int count, char **arguments)
{
    backend = count > 1 ? arguments[1] : backend;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations), cmocka_unit_test(test_relations),
        cmocka_unit_test(test_driven_hinge),  cmocka_unit_test(test_welded_to_ground),
        cmocka_unit_test(test_steps),         cmocka_unit_test(test_long),
        cmocka_unit_test(test_attach),        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
