/* Closed systems in other units: accelerations, forces of loops, ranks, steps and attaching are
 * those in kg, m and s times powers of two, with every method of closing and drift, in lanes, in
 * the junction and by operators. */
#include "tests/support/cmocka_all.h"

#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"
#include "tests/support/systems/units.h"

#include <riccatree/closure.h>
#include <riccatree/run.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 600, LOOPS = 40, COLUMNS = 1, JUNCTION = 2, OPERATORS = 4 };

/* kg, m, s: powers of two. */
static const int units[][3] = {{0, -30, 0},     {-60, -20, 0}, {0, 20, 0},    {0, 30, 0},
                               {-60, -20, -10}, {10, 20, 10},  {0, -10, -10}, {0, -7, 0},
                               {0, 8, 0},       {0, 0, 20},    {0, 0, -20},   {40, 0, 0},
                               {-40, 0, 0},     {-60, -30, -5}};
enum { UNITS = sizeof units / sizeof *units };

typedef struct answer {
    rct_status status; /* of what failed first */
    char text[sizeof((rct_error *)NULL)->text];
    int stage; /* after making, evaluating, stepping, evaluating again */
    int32_t rank, constraints;
    double first[MOST], rates[MOST],
        last[MOST]; /* derivatives, rates after steps, derivatives then */
    double force[3 * LOOPS], moment[3 * LOOPS];
} answer;

static int places; /* where loops have been held, bits */

static void note_place(const rct_solver *solver)
{
    const rct_closed *c = solver->closed;
    places |= c->columns != NULL ? COLUMNS : rct_closed_in_junction(c) ? JUNCTION : OPERATORS;
}

static rct_status ask(const rct_model *model, const rct_solver_options *options, double dt,
                      answer *a)
{
    rct_error error = {.status = RCT_OK};
    rct_loop_info info;
    memset(a, 0, sizeof *a);
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver != NULL && ++a->stage && rct_solver_evaluate(solver, &error) == RCT_OK) {
        note_place(solver);
        rct_solver_get_rate_derivatives(solver, a->first);
        rct_solver_get_loop_forces(solver, a->force, a->moment, NULL);
        rct_solver_get_loop_info(solver, &info);
        a->rank = info.rank;
        a->constraints = info.constraints;
        if (++a->stage && rct_solver_step(solver, dt, 3, &error) == RCT_OK && ++a->stage) {
            double q[MOST];
            rct_solver_get_coordinates(solver, q, a->rates);
            if (rct_solver_evaluate(solver, &error) == RCT_OK && ++a->stage) {
                rct_solver_get_rate_derivatives(solver, a->last);
            }
        }
    }
    snprintf(a->text, sizeof a->text, "%s", error.status == RCT_OK ? "" : error.text);
    rct_solver_free(solver);
    return a->status = error.status;
}

/* The largest difference of numbers, those of `found` divided by `factor`, relative to the largest,
 * or to `least` if that is larger. */
static double apart(const double *truth, const double *found, const double *factor, int64_t count,
                    double least)
{
    double most = least, off = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double own = fabs(found[i] / factor[i] - truth[i]);
        most = fmax(most, fabs(truth[i]));
        off = own <= off ? off : own;
    }
    return off / most;
}

/* Forces only if no constraint depends on others: otherwise solutions of least length differ
 * between units. */
static double forces_apart(const answer *truth, const answer *found, const test_units *u,
                           int32_t loops)
{
    double factor[3 * LOOPS], off = 0.0, most = 1e-3;
    const double force = u->mass * u->length / u->time / u->time;
    for (int32_t i = 0; i < 3 * loops; i++) {
        factor[i] = force;
        most = fmax(most, fmax(fabs(truth->force[i]), fabs(truth->moment[i])));
    }
    off = apart(truth->force, found->force, factor, 3 * (int64_t)loops, most);
    for (int32_t i = 0; i < 3 * loops; i++) {
        factor[i] = force * u->length;
    }
    return fmax(off, apart(truth->moment, found->moment, factor, 3 * (int64_t)loops, most));
}

/* The dependent coordinates that partition chooses differ between units, and with them the error of
 * a step. */
static void expect_alike(const rct_model *model, const answer *truth, const answer *found,
                         const test_units *u, rct_drift drift, const char *what)
{
    const double least = drift == RCT_DRIFT_PARTITION ? 1e-6 : 1e-8;
    const int64_t rates = hinge_freedoms(model);
    double first[MOST], second[MOST];
    units_of_rates(model, u, 1, first);
    units_of_rates(model, u, 2, second);
    const double off = apart(truth->first, found->first, second, rates, 1.0);
    const double steps = apart(truth->rates, found->rates, first, rates, 1.0);
    const double last = apart(truth->last, found->last, second, rates, 1.0);
    const double forces = truth->rank < truth->constraints
                              ? 0.0
                              : forces_apart(truth, found, u, rct_model_loop_count(model));
    if (found->stage != truth->stage || found->status != truth->status ||
        found->rank != truth->rank || !(off <= 1e-9) || !(forces <= 1e-9) || !(steps <= least) ||
        !(last <= least)) {
        fail_msg("%s: stage %d of %d, rank %d of %d, off %g, forces %g, steps %g, then %g; %s",
                 what, found->stage, truth->stage, (int)found->rank, (int)truth->rank, off, forces,
                 steps, last, found->text);
    }
}

static void check(const char *name, const rct_model *model, rct_solver_options options, double dt)
{
    answer truth, found;
    assert_true(hinge_freedoms(model) <= MOST && rct_model_loop_count(model) <= LOOPS);
    ask(model, &options, dt, &truth);
    for (int k = 0; k < UNITS; k++) {
        const test_units u = test_units_of(units[k]);
        rct_model *other = in_units(model, &u);
        rct_solver_options own = options;
        char what[160];
        own.baumgarte[0] /= u.time;
        own.baumgarte[1] /= u.time;
        ask(other, &own, dt * u.time, &found);
        snprintf(what, sizeof what,
                 "%s, closing %d, drift %d, method %d, segment %d, 2^%d kg, 2^%d m, 2^%d s", name,
                 (int)options.closing, (int)options.drift, (int)options.method,
                 (int)options.segment, units[k][0], units[k][1], units[k][2]);
        expect_alike(model, &truth, &found, &u, options.drift, what);
        rct_model_free(other);
    }
}

/* With every closing and drift, and with admittance in lanes, in the junction and by operators, by
 * both methods. */
static void check_all(const char *name, const rct_model *model, double dt)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    options.baumgarte[0] = options.baumgarte[1] = 5.0;
    for (int n = 0; n < 5 * 4; n++) {
        options.closing = (rct_closing)(n / 4);
        options.drift = (rct_drift)(n % 4);
        options.method = n % 3 == 0 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI;
        check(name, model, options, dt);
    }
    options.closing = RCT_CLOSING_ADMITTANCE;
    options.drift = RCT_DRIFT_PROJECT;
    for (int n = 0; n < 6; n++) {
        options.method = n % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        options.segment = n < 2 ? RCT_SEGMENT_AUTO : 3;
        options.user_forces = n >= 4;
        check(name, model, options, dt);
    }
}

static void test_mechanisms(void **state)
{
    static const char *const names[] = {"andrews",        "bricard",           "cam-follower",
                                        "four-bar",       "four-bar-internal", "geared-link",
                                        "ladder",         "quick-return-1",    "quick-return-2",
                                        "quick-return-3", "six-bodies"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rct_model *model = example(names[i]);
        check_all(names[i], model, i == 0 ? 1e-5 : 1e-3);
        rct_model_free(model);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int seed = 0; seed < 24; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 3 == 0 ? SHAPE_CHAIN : SHAPE_TREE,
                                              .bodies = 3 + seed % 17,
                                              .shuffled = 1,
                                              .spin = 1.0,
                                              .seed = (uint64_t)seed + 1},
                                     .hinges = seed % 4 == 1 ? 1 << RCT_HINGE_REVOLUTE |
                                                                   1 << RCT_HINGE_PRISMATIC
                                               : seed % 4 == 2 ? 1 << RCT_HINGE_BALL
                                                               : ALL_HINGES,
                                     .joint_forces = seed % 4 != 2,
                                     .forces = seed % 2 == 0 ? 0 : 3,
                                     .ground_moves = seed % 5 == 0};
        char name[32];
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        closed_add_random(model, 1 + seed % 3, (1 << RCT_LOOP_TYPES) - 1, (uint64_t)seed + 100);
        snprintf(name, sizeof name, "seed %d", seed);
        check_all(name, model, 1e-3);
        rct_model_free(model);
    }
    assert_int_equal(places, COLUMNS | OPERATORS);
}

static void test_junction(void **state)
{
    (void)state;
    places = 0;
    for (int seed = 0; seed < 24; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 == 0 ? SHAPE_TREE : SHAPE_CHAIN,
                                              .bodies = 90,
                                              .shuffled = 1,
                                              .spin = 1.0,
                                              .seed = (uint64_t)seed + 1},
                                     .hinges = seed % 3 == 0 ? 1 << RCT_HINGE_BALL : ALL_HINGES,
                                     .joint_forces = seed % 3 != 0,
                                     .ground_moves = seed % 5 == 0};
        rct_solver_options options = rct_solver_options_default();
        char name[32];
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        closed_add_random(model, 3, (1 << RCT_LOOP_TYPES) - 1, (uint64_t)seed + 100);
        options.backend = "cpu";
        options.segment = 5 + seed % 7;
        options.method = seed % 4 < 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        snprintf(name, sizeof name, "junction, seed %d", seed);
        check(name, model, options, 1e-3);
        rct_model_free(model);
    }
    assert_int_equal(places, JUNCTION);
}

/* The four-bar with its loop released and its crank rotated by `by`. */
static rct_model *released(double by)
{
    rct_model *from = example("four-bar"), *to = rct_model_create("released", NULL);
    for (int32_t i = 0; i < rct_model_body_count(from); i++) {
        rct_body body;
        assert_int_equal(rct_model_body(from, i, &body, NULL), RCT_OK);
        body.name = NULL;
        body.position[0] += i == 0 ? by : 0.0;
        must_add(to, &body);
    }
    for (int32_t i = 0; i < rct_model_loop_count(from); i++) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(from, i, &loop, NULL), RCT_OK);
        loop.active = 0;
        assert_int_equal(rct_model_add_loop(to, &loop, NULL, NULL), RCT_OK);
    }
    rct_model_free(from);
    return to;
}

/* A closed loop is attached, and a loop that is open by a thousandth of the system is not, whatever
 * the size of the system. */
static void test_attach(void **state)
{
    (void)state;
    for (int n = 0; n < 2 * UNITS; n++) {
        const test_units u = test_units_of(units[n / 2]);
        rct_model *ordinary = released(n % 2 == 0 ? 0.0 : 1e-3);
        rct_model *model = in_units(ordinary, &u);
        rct_solver *solver = must_solver(model, NULL);
        rct_error error;
        const rct_status status = rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error);
        if (status != (n % 2 == 0 ? RCT_OK : RCT_ERROR_LOOP)) {
            fail_msg("unit %d, open %d: status %d: %s", n / 2, n % 2, (int)status,
                     status == RCT_OK ? "" : error.text);
        }
        rct_solver_free(solver);
        rct_model_free(model);
        rct_model_free(ordinary);
    }
}

/* Angles that have drifted a little do not end a run of a small system: their sines are not
 * lengths. */
static void test_drifted(void **state)
{
    static const int exponents[3] = {-60, -20, 0};
    const test_units u = test_units_of(exponents);
    rct_model *ordinary = example("bricard"), *model = in_units(ordinary, &u);
    rct_solver_options options = rct_solver_options_default();
    rct_run_options run = rct_run_options_default();
    rct_loop_info info;
    rct_error error;
    (void)state;
    options.drift = RCT_DRIFT_NONE;
    run.dt = 0.02;
    run.t_end = 3.0;
    rct_solver *solver = must_solver(model, &options);
    const rct_status status = rct_solver_run(solver, model, &run, NULL, &error);
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_loop_info(solver, &info);
    assert_true(info.position > info.bound); /* rad against m */
    assert_true(info.position < 1e-6);
    rct_solver_free(solver);
    rct_model_free(model);
    rct_model_free(ordinary);
}

/* ---- small planar mechanisms -------------------------------------------------------------- */

/* Three bodies of `length` m in a randomly oriented plane, a slider-crank that a revolute hinge
 * closes. The plane already satisfies three of its rows, and the rounding of these rows is that of
 * rotations, which are far more compliant than slides. */
static rct_model *slider_crank(double length, uint64_t draw)
{
    double m[3][3];
    draw_rotation(&draw, m);
    const double crank = length * draw_between(&draw, 0.5, 1.5);
    const double rod = crank * draw_between(&draw, 1.0, 2.0);
    const double angle = draw_between(&draw, 0.3, 1.2), back = -asin(crank * sin(angle) / rod);
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    rct_loop loop = rct_loop_default();
    body.hinge = RCT_HINGE_REVOLUTE;
    body.mass = length * length * length;
    loop.type = RCT_LOOP_REVOLUTE;
    loop.body = 1, loop.other = 2;
    for (int i = 0; i < 3; i++) {
        body.inertia[i] = body.mass * length * length;
        body.com[i] = 0.5 * crank * m[i][0];
        body.hinge_axis[i] = loop.axis[i] = m[i][1];
        loop.at[i] = rod * m[i][0];
    }
    body.parent = RCT_GROUND;
    body.position[0] = angle;
    must_add(model, &body);
    body.parent = 0;
    body.position[0] = back - angle;
    for (int i = 0; i < 3; i++) {
        body.hinge_at[i] = crank * m[i][0];
    }
    must_add(model, &body);
    body.parent = RCT_GROUND;
    body.hinge = RCT_HINGE_PRISMATIC;
    body.position[0] = crank * cos(angle) + rod * cos(back);
    for (int i = 0; i < 3; i++) {
        body.hinge_at[i] = 0.0;
        body.hinge_axis[i] = m[i][0];
    }
    must_add(model, &body);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    return model;
}

static void test_small_planar_mechanisms(void **state)
{
    (void)state;
    static const double lengths[] = {1e3, 1.0, 0.05, 0.02, 0.01, 1e-4};
    for (int k = 0; k < 6 * 12; k++) {
        rct_loop_info info;
        rct_error error;
        rct_solver_options options = rct_solver_options_default();
        options.segment = 2;
        rct_model *model = slider_crank(lengths[k / 12], (uint64_t)k % 12);
        rct_solver *solver = rct_solver_create(model, &options, &error);
        if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
            fail_msg("%g m, %d: %s", lengths[k / 12], k % 12, error.text);
        }
        rct_solver_get_loop_info(solver, &info);
        assert_int_equal(info.rank, 2);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Three carts: one is pulled, the second follows it by a relation, the third is held to the second
 * by a distance, across. */
static rct_model *carts(double factor)
{
    const double weightless[3] = {0.0};
    const rct_loop_term terms[] = {{0, 0, factor}, {1, 0, -factor}};
    rct_error error;
    rct_model *model = rct_model_create("carts", &error);
    rct_loop tie = rct_loop_default(), rod = rct_loop_default();
    assert_int_equal(rct_model_set_gravity(model, weightless, &error), RCT_OK);
    for (int i = 0; i < 3; i++) {
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_PRISMATIC;
        memset(body.hinge_axis, 0, sizeof body.hinge_axis);
        body.hinge_axis[i == 2] = 1.0;
        body.hinge_at[1] = i;
        body.mass = 1.0 + i;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.applied[0] = i == 0 ? 3.0 : 0.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    tie.type = RCT_LOOP_RELATION;
    tie.terms = terms;
    tie.term_count = 2;
    rod.type = RCT_LOOP_DISTANCE;
    rod.body = 1, rod.other = 2;
    rod.at[0] = 1.0;
    rod.length = sqrt(2.0);
    assert_int_equal(rct_model_add_loop(model, &tie, NULL, &error), RCT_OK);
    assert_int_equal(rct_model_add_loop(model, &rod, NULL, &error), RCT_OK);
    return model;
}

/* A relation may have any factor: rows of loops compare all the same. */
static void test_factors(void **state)
{
    (void)state;
    static const double factors[] = {1e-30, 1e-12, 1e-6, 3.0, 3e5, 1e6, 1e12, 1e30};
    static const double known[] = {0.5, 0.5, -0.5};
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        for (int closing = 0; closing <= RCT_CLOSING_SVD; closing++) {
            rct_solver_options options = rct_solver_options_default();
            rct_model *model = carts(factors[k]);
            rct_error error = {.status = RCT_OK};
            rct_loop_info info;
            double found[3], effort[2];
            options.closing = (rct_closing)closing;
            rct_solver *solver = rct_solver_create(model, &options, &error);
            assert_non_null(solver);
            assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
            rct_solver_get_rate_derivatives(solver, found);
            rct_solver_get_loop_forces(solver, NULL, NULL, effort);
            rct_solver_get_loop_info(solver, &info);
            assert_int_equal(info.rank, 2);
            assert_true(fabs(effort[0] * factors[k] + 2.5) < 1e-12);
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(found[i] - known[i]) < 1e-12);
            }
            assert_int_equal(rct_solver_step(solver, 1e-2, 100, &error), RCT_OK);
            rct_solver_get_coordinates(solver, found, NULL);
            assert_true(fabs(found[0] - found[1]) < 1e-10 && found[0] > 0.2);
            rct_solver_free(solver);
            rct_model_free(model);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_random),
        cmocka_unit_test(test_junction),   cmocka_unit_test(test_attach),
        cmocka_unit_test(test_drifted),    cmocka_unit_test(test_small_planar_mechanisms),
        cmocka_unit_test(test_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
