/* Input that the solver of plans refuses: invalid coordinates, states of bodies whose hinges need
 * coordinates, methods and lanes it does not have; and hinges that nothing resists. The state
 * survives each refusal, bit for bit, and the error names the body. One file, because refusals
 * share the kept state and the trees. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/answers/whole_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 14, MOST = 8 * BODIES };

typedef struct state {
    double q[MOST], u[MOST];
} state;

static state get(const rct_solver *solver)
{
    state s;
    memset(&s, 0, sizeof s);
    rct_solver_get_coordinates(solver, s.q, s.u);
    return s;
}

static rct_model *tree(void)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = BODIES, .shuffled = 1, .spin = 1.0, .seed = 4},
        .hinges = ALL_HINGES};
    return motion_model(&system, STAY_ALL, NULL);
}

static void expect_refused(rct_solver *solver, const state *wrong, int32_t body)
{
    whole_state before = whole_state_take(solver);
    rct_error error = {0};
    assert_int_equal(rct_solver_set_coordinates(solver, wrong->q, wrong->u, &error),
                     RCT_ERROR_ARGUMENT);
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_int_equal(error.body, body);
    assert_non_null(strstr(error.text, "its state is not valid"));
    assert_int_equal(rct_solver_set_coordinates(solver, wrong->q, wrong->u, NULL),
                     RCT_ERROR_ARGUMENT);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
}

/* Every number of every hinge in turn; quaternions of length zero. */
static void test_wrong_coordinates_are_refused(void **unused)
{
    (void)unused;
    static const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    rct_model *model = tree();
    rct_solver *solver = motion_any(model, 1);
    const state good = get(solver);
    state bad;
    for (int32_t b = 0, q = 0, u = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int nq = rct_hinge_coordinates(body.hinge), nu = rct_hinge_freedoms(body.hinge);
        for (int i = 0; i < nq + nu; i++) {
            bad = good;
            *(i < nq ? &bad.q[q + i] : &bad.u[u + i - nq]) = wrong[i % 3];
            expect_refused(solver, &bad, b);
        }
        if (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE) {
            bad = good;
            memset(bad.q + q, 0, 4 * sizeof *bad.q);
            expect_refused(solver, &bad, b);
            bad = good;
            bad.u[u] = bad.u[u + 1] = bad.u[u + 2] = 1.7e308; /* overflows in link axes */
            expect_refused(solver, &bad, b);
        }
        q += nq, u += nu;
    }
    assert_int_equal(rct_solver_set_coordinates(solver, good.q, good.u, NULL), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Coordinates of types with axes that are not finite. */
static int is_angle(rct_hinge_type type, int coordinate)
{
    return type == RCT_HINGE_REVOLUTE || type == RCT_HINGE_UNIVERSAL || type == RCT_HINGE_HELICAL ||
           (type == RCT_HINGE_CYLINDRICAL && coordinate == 0) ||
           (type == RCT_HINGE_PLANAR && coordinate == 2);
}

/* On every hinge: a coordinate below 2^50 rad is valid, and motion that goes beyond it has no
 * answer. */
static void test_angles_end(void **unused)
{
    (void)unused;
    rct_model *model = tree();
    rct_solver *solver = motion_any(model, 1);
    const state good = get(solver);
    int angles = 0;
    for (int32_t b = 0, q = 0, u = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        for (int i = 0; i < rct_hinge_coordinates(body.hinge); i++) {
            state wrong = good, last = good;
            if (!is_angle(body.hinge, i)) {
                continue;
            }
            angles++;
            wrong.q[q + i] = b % 2 == 0 ? 0x1p50 : -0x1p50;
            expect_refused(solver, &wrong, b);
            last.q[q + i] = nextafter(wrong.q[q + i], 0.0);
            last.u[u + i] = b % 2 == 0 ? 1e4 : -1e4;
            assert_int_equal(rct_solver_set_coordinates(solver, last.q, last.u, NULL), RCT_OK);
            whole_state before = whole_state_take(solver);
            rct_error error = {0};
            assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_ERROR_DIVERGED);
            whole_state_expect(solver, &before);
            whole_state_free(&before);
            assert_int_equal(rct_solver_set_coordinates(solver, good.q, good.u, NULL), RCT_OK);
        }
        q += rct_hinge_coordinates(body.hinge), u += rct_hinge_freedoms(body.hinge);
    }
    assert_true(angles > 5);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Coordinates that are read and set again keep their bits, and so do rates except for the rotation
 * into link axes and back. Quaternions are normalized. */
static void test_coordinates_come_back(void **unused)
{
    (void)unused;
    rct_model *model = tree();
    rct_solver *solver = motion_any(model, 2);
    assert_int_equal(rct_solver_step(solver, 1e-3, 20, NULL), RCT_OK);
    const state first = get(solver);
    assert_int_equal(rct_solver_set_coordinates(solver, first.q, first.u, NULL), RCT_OK);
    const state again = get(solver);
    assert_memory_equal(first.q, again.q, sizeof first.q);
    state longer = first;
    for (int32_t b = 0, q = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        for (int i = 0; i < 4 && (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE);
             i++) {
            longer.q[q + i] *= 1e200;
        }
        q += rct_hinge_coordinates(body.hinge);
    }
    assert_int_equal(rct_solver_set_coordinates(solver, longer.q, longer.u, NULL), RCT_OK);
    longer = get(solver);
    for (int i = 0; i < MOST; i++) {
        assert_true(fabs(again.u[i] - first.u[i]) < 1e-14);
        assert_true(fabs(longer.q[i] - first.q[i]) < 1e-15);
    }
    rct_solver_get_coordinates(solver, NULL, longer.u);
    rct_solver_get_coordinates(solver, longer.q, NULL);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Orientations do not determine the place of a slider. */
static void test_states_need_ball_hinges(void **unused)
{
    (void)unused;
    double q[4 * BODIES], w[3 * BODIES];
    rct_model *model = tree();
    rct_solver *solver = motion_any(model, 0);
    rct_error error = {0};
    rct_body body;
    int32_t first = 0;
    while (rct_model_body(model, first, &body, NULL) == RCT_OK && body.hinge <= RCT_HINGE_BALL) {
        first++;
    }
    whole_state before = whole_state_take(solver);
    rct_solver_get_state(solver, q, w, NULL, NULL);
    assert_int_equal(rct_solver_set_state(solver, q, w, &error), RCT_ERROR_UNSUPPORTED);
    assert_int_equal(error.body, first);
    assert_non_null(strstr(error.text, "set coordinates and rates"));
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A plan of ball hinges takes states like any other, and refuses invalid ones. */
static void test_states_of_ball_hinges(void **unused)
{
    (void)unused;
    const random_system system = {.bodies = BODIES, .fixed = 0.3, .spin = 1.0, .seed = 3};
    rct_solver_options options = rct_solver_options_default();
    rct_model *model = random_system_create(&system);
    options.backend = "cpu";
    options.user_forces = 1;
    rct_solver *solver = motion_solver(model, &options);
    double q[4 * BODIES], w[3 * BODIES], back[4 * BODIES];
    rct_error error = {0};
    assert_int_equal(rct_solver_step(solver, 1e-3, 5, NULL), RCT_OK);
    rct_solver_get_state(solver, q, w, NULL, NULL);
    assert_int_equal(rct_solver_set_state(solver, q, w, &error), RCT_OK);
    rct_solver_get_state(solver, back, NULL, NULL, NULL);
    assert_memory_equal(q, back, sizeof q);
    whole_state before = whole_state_take(solver);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const double was = w[3 * b + 1];
        w[3 * b + 1] = (double)NAN;
        const int read = body.hinge == RCT_HINGE_BALL;
        assert_int_equal(rct_solver_set_state(solver, q, w, &error),
                         read ? RCT_ERROR_ARGUMENT : RCT_OK);
        if (read) {
            assert_int_equal(error.body, b);
            whole_state_expect(solver, &before);
        }
        w[3 * b + 1] = was;
        assert_int_equal(rct_solver_set_state(solver, q, w, &error), RCT_OK);
    }
    whole_state_free(&before);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_what_there_is_not(void **unused)
{
    (void)unused;
    rct_model *model = tree();
    rct_solver_options options = rct_solver_options_default();
    rct_error error = {0};
    rct_solver *solver = motion_any(model, 0);
    assert_int_equal(rct_solver_keep(solver, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "read the state instead"));
    assert_int_equal(rct_solver_get_kept(solver, NULL, NULL, NULL, NULL, &error),
                     RCT_ERROR_ARGUMENT);
    assert_true(isnan(rct_solver_kept_time(solver)));
    assert_int_equal(rct_solver_check(solver, &error), RCT_OK);
    const double steps[] = {0.0, -1e-3, (double)NAN, (double)INFINITY};
    whole_state before = whole_state_take(solver);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rct_solver_step(solver, steps[i], 1, &error), RCT_ERROR_ARGUMENT);
    }
    assert_int_equal(rct_solver_step(solver, 1e-3, -1, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_step(solver, 1e-3, 0, &error), RCT_OK);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    rct_solver_free(solver);
    options.backend = "cpu";
    options.lanes = 3;
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "3 lanes are not available"));
    options = rct_solver_options_default();
    options.backend = "abacus";
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    rct_model_free(model);
}

/* ---- hinges that nothing resists ---------------------------------------------------------- */

/* A body of tiny mass that resists nothing along its hinge, under a body of 1 kg with an equal
 * hinge: motion of one does not move the other. */
typedef struct idle {
    rct_hinge_type hinge;
    double inertia; /* of the dust about its axis: none, or dust */
    double mass;
    const char *words;
} idle;

static rct_model *idle_model(const idle *what)
{
    rct_model *model = rct_model_create("idle", NULL);
    rct_body dust = rct_body_default();
    dust.hinge = what->hinge;
    dust.hinge_at[0] = what->hinge == RCT_HINGE_FREE ? 0.0 : 0.5;
    if (what->hinge == RCT_HINGE_UNIVERSAL || what->hinge == RCT_HINGE_PLANAR) {
        memcpy(dust.hinge_axis2, (double[]){1.0, 0.0, 0.0}, sizeof dust.hinge_axis2);
    }
    dust.mass = what->mass;
    dust.inertia[0] = dust.inertia[1] = 1.0;
    dust.inertia[2] = what->inertia;
    rct_body heavy = rct_body_default();
    heavy.parent = 0;
    heavy.hinge = what->hinge == RCT_HINGE_FREE ? RCT_HINGE_BALL : what->hinge;
    memcpy(heavy.hinge_axis2, dust.hinge_axis2, sizeof dust.hinge_axis2);
    heavy.mass = 1.0;
    heavy.inertia[0] = heavy.inertia[1] = heavy.inertia[2] = 0.3;
    rct_error error = {0};
    if (rct_model_add_body(model, &dust, NULL, &error) != RCT_OK ||
        rct_model_add_body(model, &heavy, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

static void expect_idle(const idle *what, uint64_t seed)
{
    rct_error error = {0};
    rct_model *model = idle_model(what);
    rct_solver *solver = motion_any(model, seed);
    whole_state before = whole_state_take(solver);
    const rct_status status = rct_solver_evaluate(solver, &error);
    if (status != RCT_ERROR_SINGULAR || strstr(error.text, what->words) == NULL) {
        fail_msg("%s: %d, %s", rct_hinge_name(what->hinge), (int)status, error.text);
    }
    assert_int_equal(error.body, 0);
    assert_int_equal(error.step, -1);
    assert_int_equal(rct_solver_step(solver, 1e-3, 4, &error), RCT_ERROR_SINGULAR);
    assert_int_equal(error.body, 0);
    assert_int_equal(error.step, 0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 4, NULL), RCT_ERROR_SINGULAR);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_hinges_that_nothing_resists(void **unused)
{
    (void)unused;
    static const idle all[] = {
        {RCT_HINGE_REVOLUTE, 1e-20, 1.0, "its turn about the axis of its revolute hinge"},
        {RCT_HINGE_HELICAL, 1e-20, 1.0, "its turn about the axis of its helical hinge"},
        {RCT_HINGE_PRISMATIC, 1.0, 1e-20, "its motion along the axis of its prismatic hinge"},
        {RCT_HINGE_CYLINDRICAL, 1e-20, 1.0, "its motion about or along the axis of its cyl"},
        {RCT_HINGE_CYLINDRICAL, 1.0, 1e-20, "its motion about or along the axis of its cyl"},
        {RCT_HINGE_PLANAR, 1.0, 1e-20, "its motion in one direction of its planar hinge"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            idle what = all[k];
            expect_idle(&what, seed);
        }
    }
}

/* A point mass on a revolute hinge through its centre of mass, alone; about another axis it would
 * resist. */
static void test_a_massless_axis(void **unused)
{
    (void)unused;
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_UNIVERSAL;
    memcpy(body.hinge_axis2, (double[]){1.0, 0.0, 0.0}, sizeof body.hinge_axis2);
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = 1.0; /* a line along z, the first axis at angle 2 = 0 */
    rct_body tip = rct_body_default();
    tip.parent = 0;
    tip.hinge = RCT_HINGE_PRISMATIC;
    tip.hinge_at[0] = 0.5;
    tip.mass = 1.0;
    tip.inertia[0] = tip.inertia[1] = tip.inertia[2] = 0.1;
    tip.position[0] = 0.2;
    rct_model *model = rct_model_create("axis", NULL);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_body(model, &tip, NULL, NULL), RCT_OK);
    rct_solver *solver = motion_any(model, 0);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK); /* the tip resists, off the axis */
    rct_solver_free(solver);
    rct_model_free(model);
}

/* The part behind a segment resists its rotation, though only by its mass and the place where it
 * hangs. */
static void test_what_stands_in_for_a_follower(void **unused)
{
    (void)unused;
    rct_model *model = rct_model_create("gantry", NULL);
    for (int32_t i = 0; i < 6; i++) {
        rct_body body = rct_body_default();
        body.parent = i - 1;
        body.hinge = i % 2 ? RCT_HINGE_PRISMATIC : RCT_HINGE_REVOLUTE;
        body.hinge_at[0] = i > 0 ? 0.5 : 0.0;
        if (i % 2) {
            memcpy(body.hinge_axis, (double[]){1.0, 0.0, 0.0}, sizeof body.hinge_axis);
        }
        body.mass = 1.0;
        body.position[0] = 0.1 * i;
        body.inertia[0] = i % 2 ? 0.0 : 1.0;
        body.inertia[1] = i % 2 ? 0.0 : 1.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    rct_solver *serial = motion_any(model, 0);
    assert_int_equal(rct_solver_evaluate(serial, NULL), RCT_OK);
    for (int64_t length = 1; length <= 5; length++) {
        rct_solver_options options = rct_solver_options_default();
        rct_error error = {0};
        options.backend = "cpu";
        options.segment = length;
        rct_solver *solver = motion_solver(model, &options);
        if (rct_solver_evaluate(solver, &error) != RCT_OK) {
            fail_msg("segments of %d: %s", (int)length, error.text);
        }
        double a[6], b[6];
        rct_solver_get_rate_derivatives(serial, a);
        rct_solver_get_rate_derivatives(solver, b);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(a[i] - b[i]) < 1e-12);
        }
        rct_solver_free(solver);
    }
    rct_solver_free(serial);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_coordinates_are_refused),
        cmocka_unit_test(test_angles_end),
        cmocka_unit_test(test_coordinates_come_back),
        cmocka_unit_test(test_states_need_ball_hinges),
        cmocka_unit_test(test_states_of_ball_hinges),
        cmocka_unit_test(test_what_there_is_not),
        cmocka_unit_test(test_hinges_that_nothing_resists),
        cmocka_unit_test(test_a_massless_axis),
        cmocka_unit_test(test_what_stands_in_for_a_follower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
