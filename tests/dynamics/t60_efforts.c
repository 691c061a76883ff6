/* Efforts of the user at hinges, and forward dynamics in one call, on trees of every hinge. Inverse
 * dynamics, which shares no code with the sweeps, recovers the efforts from the resulting
 * derivatives; efforts of the model at its hinges have the same effect; moments at ball hinges keep
 * their inertial direction during steps; closed systems move under them. One file: all cases use
 * one fixture. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/zeros.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, TEAMS = 5 };

static const int64_t segments[SEGMENTS] = {RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE, 0, 5};

static const struct {
    int32_t lanes, threads;
} teams[TEAMS] = {{1, 1}, {2, 3}, {4, 1}, {4, 2}, {8, 3}};

typedef struct numbers {
    int64_t coordinates, rates;
    double *q, *u, *efforts, *du, *other;
} numbers;

static numbers numbers_of(const rct_model *model, uint64_t seed)
{
    uint64_t random = seed;
    const int64_t u = hinge_freedoms(model);
    numbers n = {.coordinates = hinge_coordinates(model),
                 .rates = u,
                 .q = initial_coordinates(model),
                 .u = initial_rates(model),
                 .efforts = zeros(u),
                 .du = zeros(u),
                 .other = zeros(u)};
    assert_true(n.q != NULL && n.u != NULL);
    for (int64_t i = 0; i < u; i++) {
        n.efforts[i] = draw_between(&random, -1.0, 1.0);
    }
    return n;
}

static void discard(numbers *n)
{
    free(n->q);
    free(n->u);
    free(n->efforts);
    free(n->du);
    free(n->other);
}

static void expect_ok(rct_status status, const rct_error *error)
{
    if (status != RCT_OK) {
        fail_msg("%s", error->text);
    }
}

static rct_solver_options options_of(int64_t segment, int team, rct_method method)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.segment = segment;
    options.lanes = teams[team].lanes;
    options.threads = teams[team].threads;
    options.method = method;
    options.user_forces = 1;
    return options;
}

/* NULL if the machine has no such lanes. */
static rct_solver *solver_of(const rct_model *model, int64_t segment, int team, rct_method method)
{
    const rct_solver_options options = options_of(segment, team, method);
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL && error.status != RCT_ERROR_UNSUPPORTED) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static rct_solver *plain_solver(const rct_model *model)
{
    rct_solver *solver = solver_of(model, RCT_SEGMENT_AUTO, 0, RCT_METHOD_ABI);
    assert_non_null(solver);
    return solver;
}

static double largest(const double *x, int64_t count)
{
    double most = 1.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i]));
    }
    return most;
}

static void expect_near(const double *found, const double *wanted, int64_t count, double tolerance)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(fabs(found[i] - wanted[i]) <= tolerance)) {
            fail_msg("number %lld: %.17g, not %.17g", (long long)i, found[i], wanted[i]);
        }
    }
}

static rct_model *tree_of(uint64_t seed, int hinges, int joint_forces)
{
    const hinge_system system = {.tree = {.shape = (random_shape)(seed % (SHAPE_STAR + 1)),
                                          .bodies = 30 + (int32_t)(seed % 3) * 40,
                                          .spin = 1.0,
                                          .seed = seed},
                                 .hinges = hinges,
                                 .joint_forces = joint_forces,
                                 .forces = seed % 2 ? 6 : 0,
                                 .floating = hinges == ALL_HINGES && seed % 3 == 0,
                                 .ground_moves = (int)(seed % 2)};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

/* ---- inverse dynamics --------------------------------------------------------------------- */

/* In inverse dynamics the derivatives with efforts and those without need efforts that differ by
 * the given ones. */
static void expect_inverse(rct_solver *solver, const numbers *n)
{
    rct_error error;
    double *none = zeros(n->rates), *asked = zeros(n->rates);
    expect_ok(rct_solver_forward(solver, 1, n->q, n->u, NULL, n->du, &error), &error);
    expect_ok(rct_solver_inverse_dynamics(solver, n->du, NULL, NULL, none, &error), &error);
    expect_ok(rct_solver_forward(solver, 1, n->q, n->u, n->efforts, n->du, &error), &error);
    expect_ok(rct_solver_inverse_dynamics(solver, n->du, NULL, NULL, asked, &error), &error);
    const double scale = largest(n->du, n->rates); /* what cancels in the sums */
    for (int64_t i = 0; i < n->rates; i++) {
        asked[i] -= none[i];
    }
    expect_near(asked, n->efforts, n->rates, 1e-10 * scale);
    free(none);
    free(asked);
}

static void test_inverse_dynamics_asks_for_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const int one = seed <= 16 ? 1 << (1 + seed % 8) : ALL_HINGES;
        rct_model *model = tree_of(seed, one == 1 << RCT_HINGE_FREE ? ALL_HINGES : one, seed % 2);
        numbers n = numbers_of(model, seed);
        for (int k = 0; k < SEGMENTS; k++) {
            for (int m = RCT_METHOD_ABI; m <= RCT_METHOD_RICCATI; m++) {
                rct_solver *solver =
                    solver_of(model, segments[k], (int)(seed % TEAMS), (rct_method)m);
                if (solver != NULL) {
                    expect_inverse(solver, &n);
                    rct_solver_free(solver);
                }
            }
        }
        discard(&n);
        rct_model_free(model);
    }
}

/* ---- efforts of the model ----------------------------------------------------------------- */

/* The same model with efforts applied at its hinges, which are relative. */
static rct_model *with_efforts(const rct_model *model, const double *efforts)
{
    rct_error error;
    rct_model *other = rct_model_create("applied", &error);
    double gravity[3];
    assert_non_null(other);
    rct_model_gravity(model, gravity);
    expect_ok(rct_model_set_gravity(other, gravity, &error), &error);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        expect_ok(rct_model_body(model, b, &body, &error), &error);
        for (int32_t i = 0; i < rct_hinge_freedoms(body.hinge); i++) {
            body.applied[i] += *efforts++;
        }
        expect_ok(rct_model_add_body(other, &body, NULL, &error), &error);
    }
    return other;
}

static void test_efforts_of_the_model_do_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed <= 20; seed += 2) { /* nothing else in them that is not copied */
        const int relative = ALL_HINGES & ~(1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE);
        rct_model *model = tree_of(seed, relative, 1);
        numbers n = numbers_of(model, seed);
        rct_model *other = with_efforts(model, n.efforts);
        rct_solver *applied = plain_solver(other);
        rct_error error;
        expect_ok(rct_solver_forward(applied, 1, n.q, n.u, NULL, n.other, &error), &error);
        for (int team = 0; team < TEAMS; team++) {
            rct_solver *solver =
                solver_of(model, segments[seed / 2 % SEGMENTS], team, RCT_METHOD_ABI);
            if (solver != NULL) {
                expect_ok(rct_solver_forward(solver, 1, n.q, n.u, n.efforts, n.du, &error), &error);
                expect_near(n.du, n.other, n.rates, 1e-11 * largest(n.other, n.rates));
                rct_solver_free(solver);
            }
        }
        rct_solver_free(applied);
        rct_model_free(other);
        discard(&n);
        rct_model_free(model);
    }
}

/* ---- one call for four -------------------------------------------------------------------- */

static void expect_same(const double *a, const double *b, int64_t count)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Forward dynamics by the four separate calls. */
static void go_apart(rct_solver *solver, const numbers *n, const double *efforts, double *du)
{
    rct_error error;
    expect_ok(rct_solver_set_coordinates(solver, n->q, n->u, &error), &error);
    expect_ok(rct_solver_set_efforts(solver, efforts, &error), &error);
    expect_ok(rct_solver_evaluate(solver, &error), &error);
    rct_solver_get_rate_derivatives(solver, du);
}

static void test_one_call_does_what_four_do(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rct_model *model = tree_of(seed, seed % 4 == 0 ? 1 << RCT_HINGE_BALL : ALL_HINGES, 0);
        numbers n = numbers_of(model, seed);
        const int team = (int)(seed % TEAMS);
        rct_solver *one = solver_of(model, segments[seed % SEGMENTS], team, RCT_METHOD_ABI);
        rct_solver *four = solver_of(model, segments[seed % SEGMENTS], team, RCT_METHOD_ABI);
        rct_error error;
        if (one != NULL && four != NULL) {
            go_apart(four, &n, n.efforts, n.other);
            expect_ok(rct_solver_forward(one, 1, n.q, n.u, n.efforts, n.du, &error), &error);
            expect_same(n.du, n.other, n.rates);
            go_apart(four, &n, NULL, n.other);
            expect_ok(rct_solver_forward(one, 1, n.q, n.u, NULL, n.du, &error), &error);
            expect_same(n.du, n.other, n.rates);
        }
        rct_solver_free(one);
        rct_solver_free(four);
        discard(&n);
        rct_model_free(model);
    }
}

/* Two states, their derivatives written over their efforts; then a third, invalid state. */
static void test_several_states(void **state)
{
    (void)state;
    enum { STATES = 3 };
    rct_model *model = tree_of(6, ALL_HINGES, 0);
    numbers n = numbers_of(model, 5);
    rct_solver *solver = plain_solver(model);
    double *q = zeros(STATES * n.coordinates), *u = zeros(STATES * n.rates);
    double *efforts = zeros(STATES * n.rates), *du = zeros(STATES * n.rates);
    rct_error error;
    for (int64_t k = 0; k < STATES; k++) {
        memcpy(q + k * n.coordinates, n.q, (size_t)n.coordinates * sizeof *q);
        for (int64_t i = 0; i < n.rates; i++) {
            u[k * n.rates + i] = n.u[i] * (double)(k + 1);
            efforts[k * n.rates + i] = n.efforts[i] - (double)k;
        }
    }
    memcpy(du, efforts, (size_t)(STATES * n.rates) * sizeof *du);
    expect_ok(rct_solver_forward(solver, STATES - 1, q, u, du, du, &error), &error);
    for (int64_t k = 0; k < STATES - 1; k++) {
        expect_ok(rct_solver_forward(solver, 1, q + k * n.coordinates, u + k * n.rates,
                                     efforts + k * n.rates, n.du, &error),
                  &error);
        expect_same(du + k * n.rates, n.du, n.rates);
    }
    memset(du, 0, (size_t)(STATES * n.rates) * sizeof *du);
    u[2 * n.rates] = NAN;
    assert_int_equal(rct_solver_forward(solver, STATES, q, u, efforts, du, &error),
                     RCT_ERROR_ARGUMENT);
    assert_memory_equal(error.text, "state 2: body ", 14);
    assert_true(du[2 * n.rates - 1] != 0.0 && du[2 * n.rates] == 0.0);
    expect_ok(rct_solver_forward(solver, 0, NULL, NULL, NULL, NULL, &error), &error);
    free(q);
    free(u);
    free(efforts);
    free(du);
    rct_solver_free(solver);
    discard(&n);
    rct_model_free(model);
}

/* ---- motion ------------------------------------------------------------------------------- */

/* Without gravity, at a time other than 0, the angular momentum about the ground grows by the
 * moment at the ball hinge there, and no other hinge adds to it; the moment at a hinge is the given
 * one. */
static void test_moments_are_inertial(void **state)
{
    (void)state;
    const hinge_system system = {
        .tree = {.shape = SHAPE_CHAIN, .bodies = 12, .spin = 1.0, .seed = 3},
        .hinges = 1 << RCT_HINGE_BALL};
    const double none[3] = {0.0, 0.0, 0.0}, dt = 1e-4;
    const int64_t steps = 200;
    rct_model *model = hinge_system_create(&system);
    rct_error error;
    assert_non_null(model);
    expect_ok(rct_model_set_gravity(model, none, &error), &error);
    numbers n = numbers_of(model, 9);
    for (int k = 0; k < SEGMENTS; k++) {
        rct_solver *solver = solver_of(model, segments[k], 0, RCT_METHOD_ABI);
        rct_measures before, after;
        double *force = zeros(n.rates);
        int32_t root = 0;
        rct_body body;
        while (rct_model_body(model, root, &body, NULL) == RCT_OK && body.parent != RCT_GROUND) {
            root++;
        }
        rct_solver_measure(solver, &before);
        expect_ok(rct_solver_set_efforts(solver, n.efforts, &error), &error);
        expect_ok(rct_solver_step(solver, dt, steps, &error), &error);
        rct_solver_measure(solver, &after);
        for (int i = 0; i < 3; i++) {
            const double gained = after.angular_momentum[i] - before.angular_momentum[i];
            const int y = (i + 1) % 3, z = (i + 2) % 3; /* and what the ground pushes with */
            const double pushed = body.hinge_at[y] * (after.momentum[z] - before.momentum[z]) -
                                  body.hinge_at[z] * (after.momentum[y] - before.momentum[y]);
            const double given = n.efforts[3 * root + i] * dt * (double)steps;
            assert_true(fabs(gained - pushed - given) <= 1e-9);
        }
        expect_ok(rct_solver_evaluate(solver, &error), &error);
        rct_solver_get_hinge_forces(solver, force, n.other);
        expect_near(n.other, n.efforts, n.rates, 1e-11 * largest(n.other, n.rates));
        free(force);
        rct_solver_free(solver);
    }
    discard(&n);
    rct_model_free(model);
}

/* In a closed loop the energy grows by the work of an effort. */
static void test_loops_give_way(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    rct_error error;
    family.family = "fourbars";
    family.bodies = 3;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    numbers n = numbers_of(model, 2);
    rct_solver *solver = plain_solver(model);
    rct_measures before, after;
    memset(n.efforts, 0, (size_t)n.rates * sizeof *n.efforts);
    n.efforts[0] = 3.0;
    rct_solver_measure(solver, &before);
    expect_ok(rct_solver_set_efforts(solver, n.efforts, &error), &error);
    expect_ok(rct_solver_step(solver, 1e-3, 100, &error), &error);
    rct_solver_measure(solver, &after);
    double *q = zeros(n.coordinates);
    rct_solver_get_coordinates(solver, q, NULL);
    const double work = n.efforts[0] * (q[0] - n.q[0]);
    const double gained = after.kinetic + after.potential - before.kinetic - before.potential;
    assert_true(fabs(work) > 1e-6);
    assert_true(fabs(gained - work) <= 1e-6 * fabs(work));
    free(q);
    rct_solver_free(solver);
    discard(&n);
    rct_model_free(model);
}

/* ---- errors ------------------------------------------------------------------------------- */

static void test_refused_efforts_change_nothing(void **state)
{
    (void)state;
    rct_model *model = tree_of(1, ALL_HINGES, 0);
    numbers n = numbers_of(model, 3);
    rct_solver *solver = plain_solver(model), *other;
    rct_error error;
    expect_ok(rct_solver_forward(solver, 1, n.q, n.u, n.efforts, n.du, &error), &error);
    const double kept = n.efforts[1];
    n.efforts[1] = INFINITY;
    assert_int_equal(rct_solver_set_efforts(solver, n.efforts, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "efforts[1] is inf"));
    n.efforts[1] = kept;
    expect_ok(rct_solver_evaluate(solver, &error), &error);
    rct_solver_get_rate_derivatives(solver, n.other);
    expect_same(n.du, n.other, n.rates);
    assert_int_equal(rct_solver_forward(solver, -1, n.q, n.u, NULL, n.du, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "-1 states"));
    rct_solver_free(solver);

    other = rct_solver_create(model, &(rct_solver_options){.backend = "cpu"}, &error);
    assert_non_null(other);
    assert_int_equal(rct_solver_set_efforts(other, n.efforts, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "user_forces"));
    expect_ok(rct_solver_set_efforts(other, NULL, &error), &error);
    expect_ok(rct_solver_forward(other, 1, n.q, n.u, NULL, n.du, &error), &error);
    rct_solver_free(other);
    discard(&n);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_dynamics_asks_for_them),
        cmocka_unit_test(test_efforts_of_the_model_do_the_same),
        cmocka_unit_test(test_one_call_does_what_four_do),
        cmocka_unit_test(test_several_states),
        cmocka_unit_test(test_moments_are_inertial),
        cmocka_unit_test(test_loops_give_way),
        cmocka_unit_test(test_refused_efforts_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
