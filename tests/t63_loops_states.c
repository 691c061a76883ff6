/* States of closed systems: assembled, attached, released, taken back; and every way it can fail. */
#include "cmocka_all.h"

#include "core/memory.h"
#include "support/closed_system.h"
#include "support/draw.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTLIKE = 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE | 1 << RCT_LOOP_UNIVERSAL };

static rct_solver_options options_of(rct_closing closing)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.closing = closing;
    return options;
}

static rct_solver *solver_of(const rct_model *model, const rct_solver_options *options)
{
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* Coordinates, then rates, for free(). */
static double *state_of(const rct_solver *solver, int64_t *count)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double *state = calloc((size_t)(info.coordinates + info.dof), sizeof *state);
    assert_non_null(state);
    rct_solver_get_coordinates(solver, state, state + info.coordinates);
    *count = info.coordinates + info.dof;
    return state;
}

static void set_state(rct_solver *solver, const double *state)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    assert_int_equal(rct_solver_set_coordinates(solver, state, state + info.coordinates, NULL),
                     RCT_OK);
}

static void check_kept(const rct_solver *solver, const double *state)
{
    int64_t count;
    double *now = state_of(solver, &count);
    assert_memory_equal(now, state, (size_t)count * sizeof *now);
    free(now);
}

static rct_loop_info info_of(const rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    return info;
}

static void expect(rct_status found, rct_status expected, const rct_error *error, int32_t body,
                   const char *text)
{
    if (found != expected || error->body != body || strstr(error->text, text) == NULL) {
        fail_msg("%s of body %d, not \"%s\": %s", rct_status_name(found), (int)error->body, text,
                 error->text);
    }
}

/* ---- models ------------------------------------------------------------------------------- */

static rct_body rod(int32_t parent, rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = hinge;
    body.mass = 1.0;
    body.com[0] = 0.5;
    body.inertia[1] = body.inertia[2] = 1.0 / 12.0;
    body.inertia[0] = 0.01;
    if (parent != RCT_GROUND) {
        body.hinge_at[0] = 1.0;
    }
    return body;
}

/* A chain of rods of 1 m in zigzag along x, each so much off it, its end to be pinned `off` where it is. */
static rct_model *pinned_chain(int32_t bodies, rct_hinge_type hinge, double bend, double off,
                               int active)
{
    rct_model *model = rct_model_create("pinned", NULL);
    rct_loop loop = rct_loop_default();
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = rod(b == 0 ? RCT_GROUND : b - 1, hinge);
        const double angle = b % 2 == 0 ? bend : -bend;
        if (hinge == RCT_HINGE_BALL) {
            body.orientation[0] = cos(0.5 * angle);
            body.orientation[3] = sin(0.5 * angle);
        } else {
            body.position[0] = b == 0 ? angle : 2.0 * angle;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    loop.name = "pin";
    loop.type = hinge == RCT_HINGE_REVOLUTE ? RCT_LOOP_PLANAR_REVOLUTE : RCT_LOOP_BALL;
    loop.active = active;
    loop.body = bodies - 1;
    loop.at[0] = 1.0;
    loop.other = RCT_GROUND;
    loop.other_at[0] = bodies * cos(bend) + off;
    loop.other_at[1] = bodies % 2 == 0 ? 0.0 : sin(bend);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    return model;
}

static rct_model *random_model(uint64_t seed, int types, int floating)
{
    const mixed_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = MIXED_ALL_HINGES,
        .floating = floating,
        .joint_forces = !floating};
    rct_model *model = mixed_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, 2, types, seed + 500);
    return model;
}

/* The same with the coordinates of hinges with axes off by up to `by`. */
static rct_model *pulled_open(const rct_model *model, double by, uint64_t seed)
{
    rct_model *open = rct_model_create("open", NULL);
    double gravity[3];
    uint64_t random = seed;
    rct_model_gravity(model, gravity);
    rct_model_set_gravity(open, gravity, NULL);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++) {
            if (body.hinge > RCT_HINGE_BALL && body.hinge < RCT_HINGE_FREE) {
                body.position[i] += draw_between(&random, -by, by);
            }
        }
        assert_int_equal(rct_model_add_body(open, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        assert_int_equal(rct_model_add_loop(open, &loop, NULL, NULL), RCT_OK);
    }
    return open;
}

/* ---- assembly ----------------------------------------------------------------------------- */

static void test_assembly(void **state)
{
    (void)state;
    int closed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rct_model *model = random_model(seed, POINTLIKE | 1 << RCT_LOOP_REVOLUTE, 0);
        rct_model *open = pulled_open(model, 0.2, seed);
        const rct_solver_options options = options_of((rct_closing)(seed % 5));
        rct_error error;
        rct_solver *solver = rct_solver_create(open, &options, &error);
        if (solver != NULL) {
            const rct_loop_info info = info_of(solver);
            rct_measures sums;
            assert_true(info.position < 1e-9 && info.velocity < 1e-9);
            rct_solver_measure(solver, &sums);
            assert_true(sums.potential == 0.0);
            closed++;
        } else {
            assert_int_equal(error.status, RCT_ERROR_LOOP);
        }
        rct_solver_free(solver);
        rct_model_free(open);
        rct_model_free(model);
    }
    print_message("%d of 40 assembled\n", closed);
    assert_true(closed >= 30);
}

/* Rates of a start whose positions are closed: those given and the dense projection. */
static void test_velocities(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rct_model *model = random_model(seed, POINTLIKE | 1 << RCT_LOOP_FIXED, 0);
        closed_system s = closed_system_create(model, 0.0);
        const rct_solver_options options = options_of((rct_closing)(seed % 5));
        rct_error error;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        double lambda[32], *change = calloc((size_t)s.rates, sizeof *change);
        int64_t count;
        closed_system_answer(&s, s.problem.rows->speed, lambda, change);
        if (solver != NULL) {
            double *found = state_of(solver, &count);
            const double *rates = found + count - s.rates;
            for (int64_t k = 0; k < s.rates; k++) {
                const double expected = s.state.rates[k] + change[k];
                assert_true(fabs(rates[k] - expected) <= 1e-9 * (1.0 + fabs(expected)));
            }
            free(found);
        } else {
            assert_int_equal(error.status, RCT_ERROR_LOOP);
        }
        free(change);
        rct_solver_free(solver);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* What is closed stays bit for bit; `as_given` leaves what is open. */
static void test_nothing_moves(void **state)
{
    (void)state;
    rct_model *closed = pinned_chain(4, RCT_HINGE_REVOLUTE, 0.0, 0.0, 1);
    rct_model *open = pinned_chain(4, RCT_HINGE_REVOLUTE, 0.0, -1.0, 1);
    rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = solver_of(closed, &options);
    const double zeros[8] = {0.0};
    check_kept(solver, zeros);
    assert_int_equal(rct_solver_assemble(solver, NULL), RCT_OK);
    check_kept(solver, zeros);
    rct_solver_free(solver);
    options.as_given = 1;
    solver = solver_of(open, &options);
    check_kept(solver, zeros);
    assert_true(info_of(solver).position == 1.0);
    assert_int_equal(info_of(solver).position_loop, 0);
    rct_solver_free(solver);
    rct_model_free(open);
    rct_model_free(closed);
}

static void test_impossible(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 5; k++) {
        const rct_solver_options options = options_of((rct_closing)k);
        rct_model *model = pinned_chain(3, RCT_HINGE_REVOLUTE, 0.3, 0.5, 1);
        assert_null(rct_solver_create(model, &options, &error));
        expect(error.status, RCT_ERROR_LOOP, &error, 2,
               "loop \"pin\" of body 2: it cannot be closed: it stays open by 0.");
        rct_model_free(model);
    }
}

/* A revolute closure whose axes point away from each other meets its rows turned round. */
static void test_turned_round(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("flipped", NULL);
    rct_body body = rod(RCT_GROUND, RCT_HINGE_BALL);
    rct_loop loop = rct_loop_default();
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_error error;
    body.orientation[0] = 0.0;
    body.orientation[1] = 1.0; /* half a turn about x */
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_REVOLUTE;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    assert_null(rct_solver_create(model, &options, &error));
    expect(error.status, RCT_ERROR_LOOP, &error, 0, "frames turned round");
    rct_model_free(model);
}

/* ---- constraints that contradict one another ---------------------------------------------- */

/* A rod whose angle is told to follow two motions. */
static rct_model *torn(double second)
{
    rct_model *model = rct_model_create("torn", NULL);
    rct_body body = rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
    const rct_loop_term term = {0, 0, 1.0};
    rct_loop loop = rct_loop_default();
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_RELATION;
    loop.term_count = 1;
    loop.terms = &term;
    loop.rate = 1.0;
    for (int k = 0; k < 2; k++, loop.rate = 1.0, loop.acceleration = second) {
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_contradiction(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 5; k++) {
        const rct_solver_options options = options_of((rct_closing)k);
        int64_t count;
        rct_model *model = torn(0.5), *agreed = torn(0.0);
        rct_solver *solver = solver_of(model, &options);
        double *before = state_of(solver, &count);
        expect(rct_solver_evaluate(solver, &error), RCT_ERROR_LOOP, &error, 0,
               "its accelerations cannot meet the constraints");
        expect(rct_solver_step(solver, 1e-3, 5, &error), RCT_ERROR_LOOP, &error, 0, "of rank 1)");
        assert_int_equal(error.step, 0);
        assert_true(rct_solver_time(solver) == 0.0);
        check_kept(solver, before);
        assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_RELEASED, &error), RCT_OK);
        assert_int_equal(rct_solver_step(solver, 1e-3, 5, &error), RCT_OK);
        free(before);
        rct_solver_free(solver);
        solver = solver_of(agreed, &options);
        assert_int_equal(rct_solver_step(solver, 1e-3, 1000, &error), RCT_OK);
        before = state_of(solver, &count);
        assert_true(fabs(before[0] - 1.0) < 1e-12 && fabs(before[1] - 1.0) < 1e-12);
        assert_int_equal(info_of(solver).redundant, 1);
        free(before);
        rct_solver_free(solver);
        rct_model_free(agreed);
        rct_model_free(model);
    }
}

/* A slider that is pulled by a prescribed motion until the chain behind it is stretched: the step that cannot be is
 * taken back whole. */
static void test_pulled_apart(void **state)
{
    (void)state;
    rct_error error;
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_model *model = pinned_chain(2, RCT_HINGE_REVOLUTE, 0.3, 0.0, 0);
    rct_body slider = rod(RCT_GROUND, RCT_HINGE_PRISMATIC);
    const rct_loop_term term = {2, 0, 1.0};
    rct_loop pin = rct_loop_default(), pull = rct_loop_default();
    slider.hinge_axis[0] = 1.0;
    slider.hinge_axis[2] = 0.0;
    slider.position[0] = 2.0 * cos(0.3);
    assert_int_equal(rct_model_add_body(model, &slider, NULL, NULL), RCT_OK);
    pin.name = "hook";
    pin.type = RCT_LOOP_PLANAR_REVOLUTE;
    pin.body = 1;
    pin.at[0] = 1.0;
    pin.other = 2;
    pull.type = RCT_LOOP_RELATION;
    pull.term_count = 1;
    pull.terms = &term;
    pull.offset = 2.0 * cos(0.3);
    pull.rate = 0.5;
    assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_loop(model, &pull, NULL, NULL), RCT_OK);
    rct_solver *solver = solver_of(model, &options), *other = solver_of(model, &options);
    const rct_status status = rct_solver_step(solver, 1e-3, 1000, &error);
    assert_int_equal(status, RCT_ERROR_LOOP);
    assert_true(error.step > 150 && error.step < 210);
    assert_true(strstr(error.text, "hook") != NULL || strstr(error.text, "loop2") != NULL);
    const int64_t whole = error.step;
    int64_t count;
    assert_int_equal(rct_solver_step(other, 1e-3, whole, &error), RCT_OK);
    double *kept = state_of(other, &count);
    check_kept(solver, kept);
    assert_true(rct_solver_time(solver) == rct_solver_time(other));
    free(kept);
    rct_solver_free(solver);
    rct_solver_free(other);
    rct_model_free(model);
}

/* ---- attach and release ------------------------------------------------------------------- */

static double length(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Systems that float: whatever is attached, momenta stay and energy is lost. */
static void test_impact(void **state)
{
    (void)state;
    int attached = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rct_model *model = random_model(seed, POINTLIKE | 1 << RCT_LOOP_FIXED, 1);
        rct_solver_options options = options_of((rct_closing)(seed % 5));
        options.as_given = 1;
        rct_solver *solver = solver_of(model, &options);
        rct_measures before, after;
        rct_loop loop;
        for (int32_t i = 0; i < 2; i++) {
            assert_int_equal(rct_solver_set_loop_active(solver, i, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
        }
        assert_int_equal(info_of(solver).active, 0);
        rct_solver_measure(solver, &before);
        const rct_status status = rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL);
        rct_model_loop(model, 0, &loop, NULL);
        rct_solver_measure(solver, &after);
        if (status == RCT_OK && loop.other != RCT_GROUND) {
            const double size = 1.0 + before.kinetic;
            assert_true(length(before.momentum, after.momentum) < 1e-9 * size);
            assert_true(length(before.angular_momentum, after.angular_momentum) < 1e-9 * size);
            assert_true(after.kinetic <= before.kinetic * (1.0 + 1e-12));
            assert_true(info_of(solver).velocity < 1e-10 * size);
            attached++;
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    print_message("%d of 30 attached\n", attached);
    assert_true(attached > 15);
}

/* Attached on the way, then released: the tree again, from where it was. */
static void test_release(void **state)
{
    (void)state;
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_model *model = pinned_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 0);
    const double gravity[3] = {0.0, 0.0, -9.81};
    rct_model_set_gravity(model, gravity, NULL);
    rct_solver *solver = solver_of(model, &options), *open = solver_of(model, &options);
    double linear[2][18], force[3], moment[3], effort[1];
    int64_t count;
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL), RCT_OK);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 100, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_loop_forces(solver, force, moment, effort);
    assert_true(fabs(force[2]) > 1.0 && moment[2] == 0.0 && effort[0] == 0.0);
    double *now = state_of(solver, &count);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, NULL), RCT_OK);
    check_kept(solver, now);
    set_state(open, now);
    rct_solver_set_time(open, rct_solver_time(solver));
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(open, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, linear[0], NULL);
    rct_solver_get_accelerations(open, linear[1], NULL);
    assert_memory_equal(linear[0], linear[1], sizeof linear[0]);
    rct_solver_get_loop_forces(solver, force, moment, effort);
    assert_true(force[0] == 0.0 && force[1] == 0.0 && force[2] == 0.0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 100, NULL), RCT_OK);
    free(now);
    rct_solver_free(solver);
    rct_solver_free(open);
    rct_model_free(model);
}

static void test_attach_what_is_open(void **state)
{
    (void)state;
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_model *model = pinned_chain(4, RCT_HINGE_REVOLUTE, 0.0, -0.5, 0);
    rct_solver *solver = solver_of(model, &options);
    rct_error error;
    const double bent[8] = {0.3, -0.2, 0.1, 0.2, 1.0, 0.0, 0.0, 2.0};
    set_state(solver, bent);
    expect(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error), RCT_ERROR_LOOP, &error,
           3, "it cannot be attached, it is open by 0.");
    check_kept(solver, bent);
    assert_int_equal(info_of(solver).active, 0);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_PULLED, &error), RCT_OK);
    assert_int_equal(info_of(solver).active, 1);
    assert_true(info_of(solver).position < 1e-12 && info_of(solver).velocity < 1e-12);
    assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_ATTACHED, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "loop 1 does not exist; the model has 1 loops"));
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- everything else that fails ----------------------------------------------------------- */

static void test_options(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(2, RCT_HINGE_REVOLUTE, 0.0, 0.0, 1);
    rct_error error;
    rct_solver_options options = options_of((rct_closing)17);
    assert_null(rct_solver_create(model, &options, &error));
    expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "unknown closing 17");
    options = options_of(RCT_CLOSING_QR);
    options.drift = (rct_drift)5;
    assert_null(rct_solver_create(model, &options, &error));
    expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "unknown drift 5");
    options.drift = RCT_DRIFT_BAUMGARTE;
    options.baumgarte[1] = NAN;
    assert_null(rct_solver_create(model, &options, &error));
    expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "give numbers of 0 or more");
    assert_string_equal(rct_closing_name((rct_closing)17), "unknown");
    assert_string_equal(rct_drift_name((rct_drift)5), "unknown");
    assert_string_equal(rct_closing_name(RCT_CLOSING_ADMITTANCE), "admittance");
    assert_string_equal(rct_closing_name(RCT_CLOSING_EMBEDDING), "embedding");
    assert_string_equal(rct_closing_name(RCT_CLOSING_MULTIPLIERS), "multipliers");
    assert_string_equal(rct_closing_name(RCT_CLOSING_QR), "qr");
    assert_string_equal(rct_closing_name(RCT_CLOSING_SVD), "svd");
    rct_model_free(model);
}

/* Solvers of models without loops have the functions too. */
static void test_without_loops(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("open", NULL);
    const rct_body body = rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
    rct_error error;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = solver_of(model, &options);
    const rct_loop_info info = info_of(solver);
    assert_int_equal(info.loops, 0);
    assert_int_equal(info.position_loop, -1);
    assert_null(info.closing);
    rct_solver_get_loop_forces(solver, NULL, NULL, NULL);
    assert_int_equal(rct_solver_assemble(solver, &error), RCT_OK);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error),
                     RCT_ERROR_ARGUMENT);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A tip without mass: the open tree has no inertia there, the solver says so at once. */
static void test_singular_tree(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(2, RCT_HINGE_REVOLUTE, 0.0, 0.0, 0);
    rct_body tip = rod(1, RCT_HINGE_REVOLUTE);
    rct_loop loop = rct_loop_default();
    rct_error error;
    tip.com[0] = 0.0;
    memset(tip.inertia, 0, sizeof tip.inertia);
    assert_int_equal(rct_model_add_body(model, &tip, NULL, NULL), RCT_OK);
    loop.body = 2;
    loop.other_at[0] = 2.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    const rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    assert_null(rct_solver_create(model, &options, &error));
    expect(error.status, RCT_ERROR_SINGULAR, &error, 2, "nothing resists");
    rct_model_free(model);
}

static void test_diverged(void **state)
{
    (void)state;
    for (int drift = 0; drift < 3; drift++) {
        rct_model *model = pinned_chain(4, RCT_HINGE_BALL, 0.3, 0.0, 1);
        rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
        options.drift = (rct_drift)drift;
        rct_solver *solver = solver_of(model, &options);
        rct_error error;
        int64_t count;
        double *fast = state_of(solver, &count);
        fast[count - 1] = 1e200;
        set_state(solver, fast);
        assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_ERROR_DIVERGED);
        assert_true(error.body >= 0 && error.step == 0);
        check_kept(solver, fast);
        free(fast);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void check_memory(const rct_model *model, const rct_solver_options *options)
{
    rct_solver *solver = NULL;
    int64_t k = 0, count;
    rct_error error;
    while (solver == NULL) {
        rct_allocate_fail_after(k++);
        solver = rct_solver_create(model, options, &error);
        rct_allocate_fail_after(-1);
        assert_true(solver != NULL || error.status == RCT_ERROR_MEMORY);
        assert_true(k < 2000);
    }
    rct_allocate_fail_after(0); /* nothing is allocated in a step, or when loops are pulled */
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_OK);
    assert_int_equal(rct_solver_assemble(solver, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    double *state = state_of(solver, &count);
    for (k = 0;; k++) { /* but when they come and go */
        rct_allocate_fail_after(k);
        const rct_status status = rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, &error);
        rct_allocate_fail_after(-1);
        if (status == RCT_OK) {
            break;
        }
        assert_int_equal(status, RCT_ERROR_MEMORY);
        assert_int_equal(info_of(solver).active, 2);
        check_kept(solver, state);
        assert_true(k < 1000);
    }
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error), RCT_OK);
    rct_allocate_fail_after(0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    free(state);
    rct_solver_free(solver);
}

static void test_memory(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 1);
    rct_loop loop = rct_loop_default();
    loop.body = 2;
    loop.other_at[0] = 2.0 * cos(0.3);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    for (int k = 0; k < 5; k++) {
        const rct_solver_options options = options_of((rct_closing)k);
        print_message("%s\n", rct_closing_name((rct_closing)k));
        check_memory(model, &options);
    }
    rct_model_free(model);
}

/* ---- the user's forces, and threads ------------------------------------------------------- */

static void count_calls(void *context, double time, int32_t bodies, const double *orientation,
                        const double *angular_velocity, const double *position,
                        const double *velocity, double *force, double *moment)
{
    (void)time, (void)bodies, (void)orientation, (void)angular_velocity, (void)position;
    (void)velocity, (void)moment;
    *(int *)context += 1;
    force[1] += 2.0;
}

static void test_user_forces(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(6, RCT_HINGE_REVOLUTE, 0.0, -1.0, 1);
    rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
    options.user_forces = 1;
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_null(solver); /* straight: no direction to fold in */
    assert_int_equal(error.status, RCT_ERROR_LOOP);
    rct_model_free(model);
    model = pinned_chain(6, RCT_HINGE_REVOLUTE, 0.3, -0.1, 1);
    solver = solver_of(model, &options);
    int calls = 0;
    assert_int_equal(rct_solver_set_force_function(solver, count_calls, &calls, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(rct_solver_step(solver, 1e-3, 2, &error), RCT_OK);
    assert_int_equal(calls, 9);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Many chains pinned at their ends, long enough that the sweeps are shared among threads. */
static rct_model *many_chains(int32_t chains, int32_t bodies)
{
    rct_model *model = rct_model_create("chains", NULL);
    const double gravity[3] = {0.0, 0.0, -9.81};
    rct_model_set_gravity(model, gravity, NULL);
    for (int32_t b = 0; b < chains * bodies; b++) {
        rct_body body = rod(b % bodies == 0 ? RCT_GROUND : b - 1, RCT_HINGE_BALL);
        const double angle = b % 2 == 0 ? 0.2 : -0.2;
        body.hinge_at[1] = b % bodies == 0 ? 2.0 * (b / bodies) : 0.0;
        body.orientation[0] = cos(0.5 * angle);
        body.orientation[3] = sin(0.5 * angle);
        body.angular_velocity[0] = 0.001 * b;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < chains; k++) {
        rct_loop loop = rct_loop_default();
        loop.body = (k + 1) * bodies - 1;
        loop.at[0] = 1.0;
        loop.other_at[0] = bodies * cos(0.2);
        loop.other_at[1] = 2.0 * k;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_threads(void **state)
{
    (void)state;
    rct_model *model = many_chains(3, 1000);
    double *states[3];
    int64_t count = 0;
    for (int k = 0; k < 3; k++) {
        rct_solver_options options = options_of(RCT_CLOSING_ADMITTANCE);
        rct_solver_info info;
        options.threads = k + 1;
        rct_solver *solver = solver_of(model, &options);
        rct_solver_get_info(solver, &info);
        assert_int_equal(info.threads, k + 1);
        assert_int_equal(rct_solver_step(solver, 1e-4, 3, NULL), RCT_OK);
        assert_true(info_of(solver).position < 1e-9);
        states[k] = state_of(solver, &count);
        rct_solver_free(solver);
    }
    assert_memory_equal(states[0], states[1], (size_t)count * sizeof(double));
    assert_memory_equal(states[0], states[2], (size_t)count * sizeof(double));
    for (int k = 0; k < 3; k++) {
        free(states[k]);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly),      cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_nothing_moves), cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_turned_round),  cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_pulled_apart),  cmocka_unit_test(test_impact),
        cmocka_unit_test(test_release),       cmocka_unit_test(test_attach_what_is_open),
        cmocka_unit_test(test_options),       cmocka_unit_test(test_without_loops),
        cmocka_unit_test(test_singular_tree), cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_user_forces),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
