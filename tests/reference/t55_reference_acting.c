/* Friction, limits, servos, curves, cables and drag in evaluations, against the references, which
 * use other code; additional efforts of the user; the same bits for any number of threads, and no
 * effect of earlier loads. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/acting_forces.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/reference.h>
#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 40 };

static hinge_system system_of(uint64_t seed)
{
    return (hinge_system){.tree = {.shape = (random_shape)(seed % 4),
                                   .bodies = BODIES,
                                   .shuffled = 1,
                                   .spin = 2.0,
                                   .seed = seed},
                          .hinges = ALL_HINGES,
                          .joint_forces = seed % 2,
                          .forces = 4,
                          .acting = 30,
                          .ground_moves = (int)(seed % 3)};
}

static rct_solver *solver_of(const rct_model *model, uint64_t seed, int32_t threads, int user)
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 8, RCT_SEGMENT_WHOLE, 0};
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.method = seed % 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
    options.segment = segments[seed % 4];
    options.lanes = lanes_up_to(seed % 3 ? 4 : 1);
    options.threads = threads;
    options.user_forces = user;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* [linear, angular, force, moment] of n bodies, then the derivatives of rates. */
typedef struct answer {
    double *rows;
    int64_t count, n;
} answer;

static answer room_of(const rct_model *model)
{
    const int64_t n = rct_model_body_count(model), count = 12 * n + hinge_freedoms(model);
    answer a = {calloc((size_t)count, sizeof(double)), count, n};
    assert_non_null(a.rows);
    return a;
}

static answer solved(const rct_model *model, rct_solver *solver)
{
    answer a = room_of(model);
    rct_error error;
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, a.rows, a.rows + 3 * a.n);
    rct_solver_get_hinge_forces(solver, a.rows + 6 * a.n, a.rows + 9 * a.n);
    rct_solver_get_rate_derivatives(solver, a.rows + 12 * a.n);
    return a;
}

static answer referred(const rct_model *model, rct_reference reference, const rct_solver *solver)
{
    answer a = room_of(model);
    rct_error error;
    double *q = calloc((size_t)hinge_coordinates(model) + 1, sizeof *q);
    double *u = calloc((size_t)hinge_freedoms(model) + 1, sizeof *u);
    rct_reference_result result = {.linear = a.rows,
                                   .angular = a.rows + 3 * a.n,
                                   .force = a.rows + 6 * a.n,
                                   .moment = a.rows + 9 * a.n,
                                   .derivatives = a.rows + 12 * a.n};
    rct_solver_get_coordinates(solver, q, u);
    const rct_status status =
        rct_reference_evaluate_at(model, reference, rct_solver_time(solver), q, u, &result, &error);
    if (status == RCT_ERROR_UNSUPPORTED) { /* hinges that it does not know */
        free(a.rows);
        a.rows = NULL;
    } else if (status != RCT_OK) {
        fail_msg("%s: %s", rct_reference_name(reference), error.text);
    }
    free(q), free(u);
    return a;
}

/* Relative to the largest number. */
static double apart(answer a, answer b)
{
    double most = 0.0, size = 0.0;
    for (int64_t i = 0; i < a.count; i++) {
        most = larger(most, fabs(a.rows[i] - b.rows[i]));
        size = larger(size, fabs(b.rows[i]));
    }
    return most / size;
}

static void test_evaluations_are_those_of_references(void **state)
{
    (void)state;
    static const rct_reference references[] = {RCT_REFERENCE_LAGRANGE, RCT_REFERENCE_SPATIAL,
                                               RCT_REFERENCE_FORCES};
    for (uint64_t seed = 1; seed <= 24; seed += ONE_IN) {
        hinge_system system = system_of(seed);
        system.no_rotors = 1; /* which `forces` does not know */
        rct_model *model = hinge_system_create(&system);
        rct_solver *solver = solver_of(model, seed, 1, 0);
        for (int k = 0; k < 3; k++) {
            answer own = solved(model, solver);
            for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
                answer other = referred(model, references[i], solver);
                const double error = apart(own, other);
                if (!(error <= (i == 0 ? 1e-11 : 1e-10))) { /* lagrange is in quadruple precision */
                    fail_msg("seed %d, time %g, %s: %.2e", (int)seed, rct_solver_time(solver),
                             rct_reference_name(references[i]), error);
                }
                free(other.rows);
            }
            free(own.rows);
            must_step(solver, 2e-4, 5);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A chain in the plane y = 0, which semi-recursive formulations need, with forces in it. */
static rct_model *planar_chain(uint64_t seed)
{
    enum { LINKS = 8 };
    rct_model *model = rct_model_create("planar", NULL);
    rct_draw draw = rct_draw_start(seed, 33);
    for (int32_t b = 0; b < LINKS; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = b == 3 ? RCT_HINGE_PRISMATIC : RCT_HINGE_REVOLUTE;
        body.hinge_axis[0] = b == 3, body.hinge_axis[1] = b != 3, body.hinge_axis[2] = 0.0;
        body.hinge_at[2] = b > 0 ? -1.0 : 0.0;
        body.mass = 1.0;
        body.com[2] = -0.5;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.position[0] = rct_draw_between(&draw, -0.5, 0.5);
        body.rate[0] = rct_draw_between(&draw, -1.0, 1.0);
        must_add(model, &body);
    }
    for (int k = 0; k < 3 * LINKS; k++) {
        double table[2 * ACTING_MOST_ROWS];
        rct_force f = any_acting(&draw, k % ACTING_TYPES, 0, table);
        f.body = rct_draw_index(&draw, LINKS);
        f.other = f.type == RCT_FORCE_CABLE ? f.body - 1 : RCT_GROUND;
        f.at[1] = f.other_at[1] = f.end[1] = f.current[1] = 0.0;
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_all_references_know_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed += ONE_IN) {
        rct_model *model = planar_chain(seed);
        rct_solver *solver = solver_of(model, seed, 1, 0);
        answer own = solved(model, solver);
        int known = 0;
        for (int r = RCT_REFERENCE_LAGRANGE; r <= RCT_REFERENCE_CLOSED_CHAIN; r++) {
            answer other = referred(model, (rct_reference)r, solver);
            if (other.rows == NULL) {
                continue;
            }
            known++;
            const double error = apart(own, other);
            if (!(error <= 1e-11)) {
                fail_msg("seed %d, %s: %.2e", (int)seed, rct_reference_name((rct_reference)r),
                         error);
            }
            free(other.rows);
        }
        assert_true(known >= 9);
        free(own.rows);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* The model without its forces at hinges, whose efforts the user supplies. */
static rct_model *without(const rct_model *model, double *efforts, double time)
{
    rct_model *bare = rct_model_create("bare", NULL);
    double gravity[3];
    rct_base base = rct_base_default();
    int64_t *first = calloc(BODIES + 1, sizeof *first),
            *q_first = calloc(BODIES + 1, sizeof *first);
    double *q = initial_coordinates(model), *u = initial_rates(model);
    rct_model_gravity(model, gravity);
    assert_int_equal(rct_model_set_gravity(bare, gravity, NULL), RCT_OK);
    rct_model_base(model, &base);
    assert_int_equal(rct_model_set_base(bare, &base, NULL), RCT_OK);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        must_add(bare, &body);
        first[b + 1] = first[b] + rct_hinge_freedoms(body.hinge);
        q_first[b + 1] = q_first[b] + rct_hinge_coordinates(body.hinge);
    }
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force f = rct_force_default();
        rct_force_effort effort;
        assert_int_equal(rct_model_force(model, i, &f, NULL), RCT_OK);
        rct_body own = rct_body_default();
        assert_int_equal(rct_model_body(model, f.body, &own, NULL), RCT_OK);
        if (f.type >= RCT_FORCE_FRICTION && f.type <= RCT_FORCE_CURVE &&
            own.hinge != RCT_HINGE_BALL) {
            const int64_t r = first[f.body] + f.coordinate;
            assert_int_equal(rct_model_force_effort(model, i, time,
                                                    q[q_first[f.body] + f.coordinate], u[r],
                                                    &effort, NULL),
                             RCT_OK);
            efforts[r] += effort.effort;
        } else {
            assert_int_equal(rct_model_add_force(bare, &f, NULL, NULL), RCT_OK);
        }
    }
    free(first), free(q_first), free(q), free(u);
    return bare;
}

/* Efforts of the user act additionally; those of forces at hinges, supplied by the user, have the
 * same effect. */
static void test_efforts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed += ONE_IN) {
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
        const int64_t n = hinge_freedoms(model);
        double *own = calloc((size_t)n, sizeof *own), *all = calloc((size_t)n, sizeof *all);
        for (int64_t r = 0; r < n; r++) {
            own[r] = all[r] = 0.1 * (double)(r % 7) - 0.3;
        }
        rct_model *bare = without(model, all, 0.0);
        rct_solver *one = solver_of(model, seed, 1, 1), *other = solver_of(bare, seed, 1, 1);
        assert_int_equal(rct_solver_set_efforts(one, own, NULL), RCT_OK);
        assert_int_equal(rct_solver_set_efforts(other, all, NULL), RCT_OK);
        answer a = solved(model, one), b = solved(bare, other);
        assert_true(apart(a, b) <= 1e-12);
        free(a.rows);
        assert_int_equal(rct_solver_set_efforts(one, NULL, NULL), RCT_OK);
        a = solved(model, one);
        assert_true(apart(a, b) > 1e-6);
        rct_solver *again = solver_of(model, seed, 1, 1);
        answer c = solved(model, again);
        assert_memory_equal(a.rows, c.rows, (size_t)a.count * sizeof *a.rows);
        free(a.rows), free(b.rows), free(c.rows), free(own), free(all);
        rct_solver_free(one), rct_solver_free(other), rct_solver_free(again);
        rct_model_free(model), rct_model_free(bare);
    }
}

static void test_threads_and_time_leave_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed += ONE_IN) {
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
        rct_solver *one = solver_of(model, seed, 1, 0), *four = solver_of(model, seed, 4, 0);
        answer first = solved(model, one);
        must_step(one, 2e-4, 4);
        must_step(four, 2e-4, 4);
        answer a = solved(model, one), b = solved(model, four);
        assert_memory_equal(a.rows, b.rows, (size_t)a.count * sizeof *a.rows);
        free(b.rows);
        double *q = initial_coordinates(model), *u = initial_rates(model);
        assert_int_equal(rct_solver_set_coordinates(one, q, u, NULL), RCT_OK);
        rct_solver_set_time(one, 0.0);
        b = solved(model, one);
        assert_true(apart(b, first) <= 1e-13); /* quaternions are normalized on the way */
        free(first.rows), free(a.rows), free(b.rows), free(q), free(u);
        rct_solver_free(one), rct_solver_free(four);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evaluations_are_those_of_references),
        cmocka_unit_test(test_all_references_know_them),
        cmocka_unit_test(test_efforts_add_up),
        cmocka_unit_test(test_threads_and_time_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
