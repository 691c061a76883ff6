/* Accelerations of closed systems by the solver against the dense answer of singular values, which
 * shares neither sweeps nor loads with the solver: random trees of every hinge with random loops,
 * forces, and a moving ground. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"

#include "core/rotation.h"
#include "model/model.h"
#include "operators/fill.h"

#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, BODIES = 14 };

/* The factors of the tree, and the way of closing its loops. */
typedef struct way {
    rct_method method;
    rct_closing closing;
} way;

static const way ways[] = {
    {RCT_METHOD_ABI, RCT_CLOSING_ADMITTANCE},  {RCT_METHOD_ABI, RCT_CLOSING_EMBEDDING},
    {RCT_METHOD_ABI, RCT_CLOSING_MULTIPLIERS}, {RCT_METHOD_ABI, RCT_CLOSING_QR},
    {RCT_METHOD_ABI, RCT_CLOSING_SVD},         {RCT_METHOD_RICCATI, RCT_CLOSING_ADMITTANCE},
    {RCT_METHOD_RICCATI, RCT_CLOSING_QR}};
enum { WAYS = sizeof ways / sizeof *ways };

static rct_model *model_of(uint64_t seed, int32_t bodies, int32_t loops, int types)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = (int)(seed % 3)};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

/* NULL if the loops cannot be closed. */
static rct_solver *solver_of(const rct_model *model, way by, int as_given)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = "cpu";
    options.method = by.method;
    options.closing = by.closing;
    options.as_given = as_given;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL && (as_given || error.status != RCT_ERROR_LOOP)) {
        fail_msg("%s", error.text);
    }
    return solver;
}

typedef struct dense_answer {
    int32_t rank;
    double left; /* of phi'', relative to the largest gap: contradiction                         */
} dense_answer;

/* Derivatives of the rates: those of the open tree, and the dense change. */
static dense_answer dense_derivatives(closed_system *s, double *derivatives)
{
    const rct_closure_rows *rows = s->problem.rows;
    double *linear = calloc((size_t)(6 * s->n + s->rates + 2 * rows->count), sizeof *linear);
    double *angular = linear + 3 * s->n, *change = angular + 3 * s->n, *gap = change + s->rates;
    double *J = closed_system_jacobian(s), size = 0.0;
    assert_int_equal(rct_solver_evaluate(s->open, NULL), RCT_OK);
    rct_solver_get_accelerations(s->open, linear, angular);
    rct_solver_get_rate_derivatives(s->open, derivatives);
    rct_closure_take(rows, angular, linear, derivatives, gap);
    for (int32_t i = 0; i < rows->count; i++) {
        gap[i] += rows->bias[i];
        size = larger(size, fabs(gap[i]));
    }
    dense_answer answer = {closed_system_answer(s, gap, gap + rows->count, change), 0.0};
    for (int32_t i = 0; i < rows->count; i++) {
        for (int64_t k = 0; k < s->rates; k++) {
            gap[i] += J[i * s->rates + k] * change[k];
        }
        answer.left = larger(answer.left, fabs(gap[i]) / size);
    }
    for (int64_t k = 0; k < s->rates; k++) {
        derivatives[k] += change[k];
    }
    free(J);
    free(linear);
    return answer;
}

static double difference(const double *a, const double *b, int64_t count)
{
    double off = 0.0, size = 1.0;
    for (int64_t k = 0; k < count; k++) {
        off = larger(off, fabs(a[k] - b[k]));
        size = larger(size, fabs(b[k]));
    }
    return off / size;
}

/* phi'' of all active rows from the solver's own accelerations, relative to its terms. */
static double violation(const closed_system *s, const rct_solver *solver)
{
    const rct_closure_rows *rows = s->problem.rows;
    double *linear = calloc((size_t)(6 * s->n + s->rates + rows->count), sizeof *linear);
    double *angular = linear + 3 * s->n, *derivatives = angular + 3 * s->n;
    double *second = derivatives + s->rates, worst = 0.0, size = 0.0;
    rct_solver_get_accelerations(solver, linear, angular);
    rct_solver_get_rate_derivatives(solver, derivatives);
    rct_closure_take(rows, angular, linear, derivatives, second);
    for (int32_t i = 0; i < rows->count; i++) {
        worst = larger(worst, fabs(second[i] + rows->bias[i]));
        size = larger(size, fabs(second[i]));
    }
    free(linear);
    return size > 0.0 ? worst / size : worst;
}

/* The dense system in the state of the solver. */
static void follow(closed_system *s, const rct_model *model, const rct_solver *solver, double time)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double *q = calloc((size_t)(info.coordinates + info.dof), sizeof *q);
    rct_solver_get_coordinates(solver, q, q + info.coordinates);
    assert_int_equal(rct_solver_set_coordinates(s->open, q, q + info.coordinates, NULL), RCT_OK);
    closed_system_renew(s, time);
    const rct_operator_state at = {.orientation = s->state.orientation,
                                   .coordinates = s->state.coordinates,
                                   .ground = s->state.ground};
    rct_operator_tree_refill((rct_operator_tree *)(uintptr_t)s->problem.tree, model->bodies, &at);
    assert_int_equal(rct_operator_factor(s->problem.operators, RCT_METHOD_ABI), -1);
    free(q);
}

/* Adds a force and a moment about a point to the loads at a hinge point. */
static void add_at(const closed_system *s, int32_t body, const double point[3], const double *force,
                   const double *moment, double sign, double *forces, double *moments)
{
    double arm[3], turning[3];
    if (body == RCT_GROUND) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        arm[i] = point[i] - s->state.position[3 * (int64_t)body + i];
    }
    rct_cross(arm, force, turning);
    for (int i = 0; i < 3; i++) {
        forces[3 * (int64_t)body + i] += sign * force[i];
        moments[3 * (int64_t)body + i] += sign * (moment[i] + turning[i]);
    }
}

/* Action on the body, reaction on the other body at the same point, efforts of relations: as
 * generalized forces. */
static void gather_loop_forces(closed_system *s, const rct_model *model, const rct_solver *solver,
                               double *along)
{
    const int32_t loops = rct_model_loop_count(model);
    const int64_t n = s->n;
    double *force = calloc((size_t)(7 * loops + 6 * n + s->rates + 1), sizeof *force);
    double *moment = force + 3 * loops, *effort = moment + 3 * loops, *forces = effort + loops;
    double *moments = forces + 3 * n, *efforts = moments + 3 * n;
    rct_solver_get_loop_forces(solver, force, moment, effort);
    for (int32_t i = 0; i < loops; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        for (int32_t k = 0; k < loop.term_count; k++) {
            efforts[s->problem.tree->first[loop.terms[k].body] + loop.terms[k].freedom] +=
                loop.terms[k].factor * effort[i];
        }
        if (loop.type != RCT_LOOP_RELATION) {
            double m[3][3], point[3];
            rct_rotation(s->state.orientation + 4 * (int64_t)loop.body, m);
            rct_rotate(m, loop.at, point);
            for (int j = 0; j < 3; j++) {
                point[j] += s->state.position[3 * (int64_t)loop.body + j];
            }
            add_at(s, loop.body, point, force + 3 * i, moment + 3 * i, 1.0, forces, moments);
            add_at(s, loop.other, point, force + 3 * i, moment + 3 * i, -1.0, forces, moments);
            assert_true(effort[i] == 0.0);
        }
    }
    rct_operator_gather(s->problem.operators, 1, forces, moments, along);
    for (int64_t k = 0; k < s->rates; k++) {
        along[k] += efforts[k];
    }
    free(force);
}

/* Loop forces explain the change from the accelerations of the open tree: M (u' - u' open). */
static void check_loop_forces(closed_system *s, const rct_model *model, const rct_solver *solver,
                              const double *derivatives, uint64_t seed)
{
    double *asked = calloc((size_t)(2 * s->rates), sizeof *asked), *given = asked + s->rates;
    rct_solver_get_rate_derivatives(s->open, asked);
    for (int64_t k = 0; k < s->rates; k++) {
        asked[k] = derivatives[k] - asked[k];
    }
    rct_operator_mass(s->problem.operators, 1, asked, asked);
    gather_loop_forces(s, model, solver, given);
    const double off = difference(given, asked, s->rates);
    if (off > 1e-9) {
        fail_msg("seed %d: loop forces are off by %g", (int)seed, off);
    }
    free(asked);
}

/* The outcome: contradictory loops are an error, all others have the dense accelerations. */
static void check_accelerations(closed_system *s, const rct_model *model, rct_solver *solver,
                                uint64_t seed, const char *by)
{
    double *expected = calloc((size_t)(2 * s->rates), sizeof *expected);
    double *found = expected + s->rates;
    rct_error error;
    rct_loop_info info;
    const dense_answer answer = dense_derivatives(s, expected);
    const rct_status status = rct_solver_evaluate(solver, &error);
    if (answer.left > 1e-5) {
        assert_int_equal(status, RCT_ERROR_LOOP);
    } else if (status != RCT_OK) {
        fail_msg("seed %d by %s: %s", (int)seed, by, error.text);
    } else {
        rct_solver_get_rate_derivatives(solver, found);
        rct_solver_get_loop_info(solver, &info);
        const double off = difference(found, expected, s->rates), left = violation(s, solver);
        if (off > 1e-9 || left > 1e-10 || info.rank != answer.rank) {
            fail_msg("seed %d by %s: off by %g, constraints by %g, rank %d of %d", (int)seed, by,
                     off, left, (int)info.rank, (int)answer.rank);
        }
        check_loop_forces(s, model, solver, found, seed);
    }
    free(expected);
}

/* 0: it cannot be assembled. */
static int check_random(uint64_t seed, way by, int32_t loops, int types, int as_given)
{
    rct_model *model = model_of(seed, BODIES, loops, types);
    const double time = as_given && seed % 2 ? 0.4 : 0.0;
    rct_solver *solver = solver_of(model, by, as_given);
    const int made = solver != NULL;
    if (made) {
        closed_system s = closed_system_create(model, time);
        rct_solver_set_time(solver, time);
        follow(&s, model, solver, time);
        check_accelerations(&s, model, solver, seed, rct_closing_name(by.closing));
        closed_system_free(&s);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return made;
}

static void test_random(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
            check_random(seed, ways[k], 1 + (int32_t)(seed % 4), ALL_TYPES, 1);
        }
    }
}

/* Velocities satisfy the constraints, so that redundant ones do not contradict. */
static void test_assembled(void **state)
{
    (void)state;
    int made = 0;
    for (int k = 0; k < WAYS; k++) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
            made += check_random(seed, ways[k], 1 + (int32_t)(seed % 4), ALL_TYPES, 0);
        }
    }
    print_message("%d of %d can be assembled\n", made, 40 * WAYS);
    assert_true(made > 20 * WAYS);
}

static void test_cams(void **state)
{
    (void)state;
    int made = 0;
    for (int k = 0; k < WAYS; k++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const int32_t loops = 1 + (int32_t)(seed % 4);
            check_random(seed, ways[k], loops, 1 << RCT_LOOP_CAM, 1);
            made += check_random(seed, ways[k], loops, 1 << RCT_LOOP_CAM, 0);
        }
    }
    assert_true(made > 10 * WAYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cams),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_assembled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
