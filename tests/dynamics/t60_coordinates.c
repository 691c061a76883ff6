/* Coordinates and rates that are set are those of the tree and are read back, whatever lanes,
 * threads and segments pass them on: quaternions with length 1, rates unchanged, derivatives those
 * of the bodies. An invalid state changes nothing. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, TEAMS = 5 };

static const int64_t segments[SEGMENTS] = {RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE, 0, 5};

static const struct {
    int32_t lanes, threads;
} teams[TEAMS] = {{1, 1}, {1, 3}, {2, 1}, {4, 2}, {8, 3}};

typedef struct numbers {
    int64_t coordinates, rates;
    double *q, *u, *du;
} numbers;

static numbers room(const rct_model *model)
{
    numbers n = {hinge_coordinates(model), hinge_freedoms(model), NULL, NULL, NULL};
    n.q = calloc((size_t)n.coordinates + 1, sizeof *n.q);
    n.u = calloc((size_t)n.rates + 1, sizeof *n.u);
    n.du = calloc((size_t)n.rates + 1, sizeof *n.du);
    assert_true(n.q != NULL && n.u != NULL && n.du != NULL);
    return n;
}

static void discard(numbers *n)
{
    free(n->q);
    free(n->u);
    free(n->du);
}

/* NULL if the machine has no such lanes. */
static rct_solver *solver_of(const rct_model *model, int64_t segment, int team)
{
    const rct_solver_options options = {.backend = "cpu",
                                        .segment = segment,
                                        .lanes = teams[team].lanes,
                                        .threads = teams[team].threads};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL && error.status != RCT_ERROR_UNSUPPORTED) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* A state with quaternions of all lengths, and in `unit` the same state with unit quaternions. */
static void draw_state(const rct_model *model, uint64_t *random, const numbers *drawn,
                       const numbers *unit)
{
    int64_t at = 0;
    for (int64_t i = 0; i < drawn->coordinates; i++) {
        drawn->q[i] = draw_between(random, -1.0, 1.0);
    }
    for (int64_t i = 0; i < drawn->rates; i++) {
        drawn->u[i] = unit->u[i] = draw_between(random, -1.0, 1.0);
    }
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int count = rct_hinge_coordinates(body.hinge);
        const int absolute = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        double square = 0.0, factor = pow(10.0, draw_between(random, -200.0, 200.0));
        memcpy(unit->q + at, drawn->q + at, (size_t)count * sizeof(double));
        for (int i = 0; i < 4 && absolute; i++) {
            square += drawn->q[at + i] * drawn->q[at + i];
        }
        for (int i = 0; i < 4 && absolute; i++) {
            unit->q[at + i] /= sqrt(square);
            drawn->q[at + i] *= factor;
        }
        at += count;
    }
}

static void expect_near(const double *found, const double *wanted, int64_t count, double tolerance)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(fabs(found[i] - wanted[i]) <= tolerance)) {
            fail_msg("number %lld: %.17g, not %.17g", (long long)i, found[i], wanted[i]);
        }
    }
}

/* On absolute hinges the derivatives are the accelerations of the bodies. */
static void expect_derivatives(const rct_model *model, rct_solver *solver, const numbers *n)
{
    const int32_t bodies = rct_model_body_count(model);
    double *linear = calloc((size_t)bodies * 3, sizeof *linear);
    double *angular = calloc((size_t)bodies * 3, sizeof *angular);
    double scale = 1.0;
    int64_t at = 0;
    rct_error error;
    assert_true(linear != NULL && angular != NULL);
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_rate_derivatives(solver, n->du);
    rct_solver_get_accelerations(solver, linear, angular);
    for (int64_t i = 0; i < 3 * (int64_t)bodies; i++) {
        scale = larger(scale, larger(fabs(linear[i]), fabs(angular[i])));
    }
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        if (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE) {
            expect_near(n->du + at, angular + 3 * b, 3, 1e-13 * scale);
        }
        if (body.hinge == RCT_HINGE_FREE) {
            expect_near(n->du + at + 3, linear + 3 * b, 3, 1e-13 * scale);
        }
        at += rct_hinge_freedoms(body.hinge);
    }
    free(linear);
    free(angular);
}

/* Setting what was read changes nothing; also a state with a number that is not finite, and one
 * array alone. */
static void expect_kept(rct_solver *solver, const numbers *n, uint64_t *random)
{
    rct_error error;
    double *q = calloc((size_t)n->coordinates + 1, sizeof *q);
    double *u = calloc((size_t)n->rates + 1, sizeof *u);
    assert_true(q != NULL && u != NULL);
    assert_int_equal(rct_solver_set_coordinates(solver, n->q, n->u, &error), RCT_OK);
    rct_solver_get_coordinates(solver, q, NULL);
    rct_solver_get_coordinates(solver, NULL, u);
    assert_memory_equal(q, n->q, (size_t)n->coordinates * sizeof *q);
    expect_near(u, n->u, n->rates, 1e-14);
    if (n->rates > 0) {
        u[draw_bits(random) % (uint64_t)n->rates] = (double)NAN;
        assert_int_equal(rct_solver_set_coordinates(solver, q, u, &error), RCT_ERROR_ARGUMENT);
        rct_solver_get_coordinates(solver, q, u);
        assert_memory_equal(q, n->q, (size_t)n->coordinates * sizeof *q);
        expect_near(u, n->u, n->rates, 1e-14);
    }
    free(q);
    free(u);
}

static void check_tree(const hinge_system *system)
{
    rct_model *model = hinge_system_create(system);
    uint64_t random = system->tree.seed;
    assert_non_null(model);
    numbers drawn = room(model), unit = room(model), out = room(model);
    draw_state(model, &random, &drawn, &unit);
    for (int s = 0; s < SEGMENTS; s++) {
        for (int t = 0; t < TEAMS; t++) {
            rct_error error;
            rct_solver *solver = solver_of(model, segments[s], t);
            if (solver == NULL) {
                continue;
            }
            assert_int_equal(rct_solver_set_coordinates(solver, drawn.q, drawn.u, &error), RCT_OK);
            rct_solver_get_coordinates(solver, out.q, out.u);
            expect_near(out.q, unit.q, out.coordinates, 1e-15);
            expect_near(out.u, unit.u, out.rates, 1e-14);
            expect_kept(solver, &out, &random);
            expect_derivatives(model, solver, &out);
            rct_solver_free(solver);
        }
    }
    discard(&drawn);
    discard(&unit);
    discard(&out);
    rct_model_free(model);
}

static void test_trees_of_all_hinges(void **unused)
{
    (void)unused;
    static const int32_t bodies[] = {1, 2, 9, 40, 300, 2000};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        check_tree(&(hinge_system){.tree = {.shape = seed % 3 == 0 ? SHAPE_CHAIN : SHAPE_TREE,
                                            .bodies = bodies[seed % 6],
                                            .shuffled = (int)(seed % 2),
                                            .spin = 1.0,
                                            .seed = seed},
                                   .hinges = ALL_HINGES,
                                   .floating = (int)(seed / 2 % 2)});
    }
}

static void test_trees_of_balls(void **unused)
{
    (void)unused;
    static const int32_t bodies[] = {1, 70, 1500, 3};
    for (uint64_t seed = 21; seed <= 28; seed++) {
        check_tree(&(hinge_system){.tree = {.shape = seed % 2 == 0 ? SHAPE_CHAIN : SHAPE_TREE,
                                            .bodies = bodies[seed % 4],
                                            .shuffled = (int)(seed / 2 % 2),
                                            .spin = 1.0,
                                            .seed = seed},
                                   .hinges = 1 << RCT_HINGE_BALL});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_of_all_hinges),
        cmocka_unit_test(test_trees_of_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
