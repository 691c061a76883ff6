/* The effects of events: impacts and their conserved quantities, several events at once, an event
 * that follows from another, chatter, and failing steps. */
#include "tests/integrate/event_case.h"

#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "model/families/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* ---- impacts ------------------------------------------------------------------------------ */

/* A ball that flies and spins: its orientation and its centre at a time. */
static rct_body draw_ball(rct_draw *draw, double time, double turn[4], double centre[3])
{
    rct_body body = event_body(RCT_HINGE_FREE);
    double *w = body.angular_velocity;
    for (int i = 0; i < 3; i++) {
        body.position[i] = rct_draw_between(draw, -1.0, 1.0);
        body.rate[i] = rct_draw_between(draw, -1.0, 1.0);
        w[i] = rct_draw_between(draw, -1.0, 1.0);
        centre[i] = body.position[i] + time * body.rate[i];
    }
    body.mass = rct_draw_between(draw, 0.5, 2.0);
    const double speed = sqrt(rct_dot(w, w)), half = 0.5 * speed * time;
    turn[0] = cos(half);
    for (int i = 0; i < 3; i++) {
        turn[1 + i] = sin(half) * w[i] / speed;
    }
    return body;
}

/* The place of `point` in a body, and the inertial axes in its frame. */
static void place(const double point[3], const double turn[4], const double centre[3], double at[3],
                  double orientation[4])
{
    double m[3][3], arm[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = point[i] - centre[i];
        orientation[1 + i] = -turn[1 + i];
    }
    orientation[0] = turn[0];
    rct_rotation(turn, m);
    rct_rotate_back(m, arm, at);
}

/* Two balls that a closure of every type joins while they fly. */
static void test_impacts_conserve_momenta_and_lose_energy(void **state)
{
    (void)state;
    const double time = 0.6271;
    rct_draw draw = rct_draw_start(63, 0);
    for (int i = 0; i < 60; i++) {
        double turn[2][4], centre[2][3];
        const double point[3] = {rct_draw_between(&draw, -1.0, 1.0), 0.3, -0.2};
        rct_model *model = event_model();
        rct_loop loop = rct_loop_default();
        for (int k = 0; k < 2; k++) {
            const rct_body ball = draw_ball(&draw, time, turn[k], centre[k]);
            event_add_body(model, &ball);
        }
        loop.type = (rct_loop_type)(i % 7);
        loop.active = 0;
        loop.body = 1;
        loop.other = 0;
        place(point, turn[1], centre[1], loop.at, loop.orientation);
        place(point, turn[0], centre[0], loop.other_at, loop.other_orientation);
        if (loop.type == RCT_LOOP_BALL) {
            memcpy(loop.orientation, rct_loop_default().orientation, sizeof loop.orientation);
            memcpy(loop.other_orientation, loop.orientation, sizeof loop.orientation);
        }
        event_add_loop(model, &loop);
        const rct_event event = event_of(RCT_EVENT_TIME, time, 0, RCT_LOOP_ATTACHED);
        event_add(model, &event);
        rct_solver *solver = event_solver(model);
        const rct_measures before = event_measures(solver);
        must_step(solver, 0.01, 62);
        event_near("the energy of flight", event_measures(solver).kinetic, before.kinetic, 1e-9);
        must_step(solver, 0.01, 1);
        assert_int_equal(event_count(solver, 0), 1);
        const rct_measures after = event_measures(solver);
        for (int k = 0; k < 3; k++) {
            event_near("momentum", after.momentum[k], before.momentum[k], 1e-12);
            event_near("angular momentum", after.angular_momentum[k], before.angular_momentum[k],
                       1e-9);
        }
        assert_true(after.kinetic < before.kinetic);
        assert_true(loop_info(solver).velocity < 1e-12 && loop_info(solver).position < 1e-12);
        must_step(solver, 0.01, 50);
        event_near("the energy of both", event_measures(solver).kinetic, after.kinetic, 1e-8);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- at the start ------------------------------------------------------------------------- */

/* A chain of two balls that hangs on two loops, each with an event that breaks it. A loop that
 * carries too much from the start breaks at once, then the one that is left with all; the balls
 * fall. With a larger value nothing breaks. */
static void test_what_carries_too_much_at_the_start(void **state)
{
    (void)state;
    const double gravity[3] = {0.0, 0.0, -g}, values[2] = {0.9, 1.1};
    for (int i = 0; i < 2; i++) {
        rct_model *model = event_model();
        rct_body body = event_body(RCT_HINGE_FREE);
        rct_model_set_gravity(model, gravity, NULL);
        for (int k = 0; k < 2; k++) {
            rct_loop loop = rct_loop_default();
            body.position[2] = -1.0 - k;
            body.com[2] = 0.0;
            event_add_body(model, &body);
            loop.type = RCT_LOOP_BALL;
            loop.body = k;
            loop.at[2] = 1.0;
            loop.other = k - 1; /* the ground, the first ball */
            event_add_loop(model, &loop);
        }
        for (int k = 0; k < 2; k++) {
            rct_event event = event_of(RCT_EVENT_FORCE, values[i] * (2 - k) * body.mass * g, k,
                                       RCT_LOOP_RELEASED);
            event.of = k;
            event_add(model, &event);
        }
        rct_solver *solver = event_solver(model);
        double q[14], u[12];
        must_step(solver, 0.01, 10);
        rct_solver_get_coordinates(solver, q, u);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(event_count(solver, k), i == 0);
            assert_true(i == 0 ? event_time(solver, k) == 0.0 : isnan(event_time(solver, k)));
            event_near("height", q[7 * k + 6], -1.0 - k - (i == 0 ? 0.5 * g * 0.01 : 0.0), 1e-12);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- several at once ---------------------------------------------------------------------- */

/* A bar that falls on two stops at once, each of which locks one of its freedoms; in both orders.
 * It comes to rest, as if both were one. */
static void test_events_at_one_instant(void **state)
{
    (void)state;
    const double gravity[3] = {0.0, 0.0, -g};
    double q[2][14], u[2][12];
    for (int order = 0; order < 2; order++) {
        rct_model *model = event_model();
        rct_body body = event_body(RCT_HINGE_FREE);
        rct_model_set_gravity(model, gravity, NULL);
        body.angular_velocity[2] = 0.5;
        body.position[2] = 1.0;
        event_add_body(model, &body);
        body.position[0] = 5.0; /* one that nothing happens to */
        event_add_body(model, &body);
        for (int k = 0; k < 2; k++) {
            rct_loop stop = rct_loop_default();
            stop.active = 0;
            stop.type = k == 0 ? RCT_LOOP_PLANAR : RCT_LOOP_PRISMATIC;
            event_add_loop(model, &stop);
        }
        for (int k = 0; k < 2; k++) {
            rct_event event = event_of(RCT_EVENT_DISTANCE, 1.0, k == order ? 1 : 0,
                                       k == order ? RCT_LOOP_PULLED : RCT_LOOP_ATTACHED);
            event.way = RCT_EVENT_FALLS;
            event.other_at[2] = -1.0;
            event_add(model, &event);
        }
        rct_solver *solver = event_solver(model);
        must_step(solver, 0.01, 60);
        event_near("when", event_time(solver, 0), sqrt(2.0 / g), 1e-9);
        assert_true(event_time(solver, 0) == event_time(solver, 1));
        rct_solver_get_coordinates(solver, q[order], u[order]);
        event_near("its fall", u[order][5], 0.0, 1e-12);
        event_near("its turn", u[order][2], 0.0, 1e-12);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    for (int i = 0; i < 14; i++) {
        event_near("a coordinate in the other order", q[1][i], q[0][i], 1e-9);
    }
}

/* A load on two strings side by side; when one is cut the other carries everything, and breaks at
 * the same time; a third one, which held the load from the side, follows. */
static rct_model *hung(double strength)
{
    const double gravity[3] = {0.0, 0.0, -g};
    rct_model *model = event_model();
    rct_body body = event_body(RCT_HINGE_FREE);
    rct_model_set_gravity(model, gravity, NULL);
    event_add_body(model, &body);
    for (int k = 0; k < 2; k++) {
        rct_loop string = rct_loop_default();
        string.type = RCT_LOOP_DISTANCE;
        string.length = 1.0;
        string.at[0] = string.other_at[0] = k == 0 ? -0.5 : 0.5;
        string.other_at[2] = 1.0;
        event_add_loop(model, &string);
    }
    rct_event cut = event_of(RCT_EVENT_TIME, 0.105, 0, RCT_LOOP_RELEASED);
    rct_event snaps = event_of(RCT_EVENT_FORCE, strength, 1, RCT_LOOP_RELEASED);
    event_add(model, &cut);
    event_add(model, &snaps);
    return model;
}

static void test_what_breaks_takes_others_along(void **state)
{
    (void)state;
    /* hung off its centre by one string: the force jumps from 0.5 m g to m g / (1 + m a^2 / J), 0.8 m g */
    const double strengths[2] = {0.79 * g, 0.81 * g};
    for (int i = 0; i < 2; i++) {
        rct_model *model = hung(strengths[i]);
        rct_solver *solver = event_solver(model);
        must_step(solver, 0.01, 11);
        assert_true(event_time(solver, 0) == 0.105);
        assert_int_equal(event_count(solver, 1), i == 0);
        if (i == 0) {
            double p[3], v[3];
            assert_true(event_time(solver, 1) == 0.105);
            must_step(solver, 0.01, 40);
            rct_solver_get_state(solver, NULL, NULL, p, v);
            const double left = rct_solver_time(solver) - 0.105;
            event_near("its fall", p[2], -0.5 * g * left * left, 1e-12);
            event_near("its speed", v[2], -g * left, 1e-12);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- chatter and failures ----------------------------------------------------------------- */

/* The state, times and loops of a solver are those read before. */
static void expect_kept(const rct_solver *solver, const double *state, double time, int active)
{
    loop_check_kept(solver, state);
    assert_true(rct_solver_time(solver) == time);
    assert_int_equal(loop_info(solver).active, active);
}

/* A prop is attached when the string carries much, and released when it carries little, which
 * happens once the prop is there. */
static void test_chatter_is_an_error(void **state)
{
    (void)state;
    rct_model *model = hung(1e6);
    rct_loop prop = rct_loop_default();
    prop.name = "prop";
    prop.type = RCT_LOOP_BALL;
    prop.active = 0;
    const int32_t index = event_add_loop(model, &prop);
    rct_event comes = event_of(RCT_EVENT_FORCE, 0.6 * g, index, RCT_LOOP_ATTACHED);
    rct_event goes = event_of(RCT_EVENT_FORCE, 0.55 * g, index, RCT_LOOP_RELEASED);
    comes.of = goes.of = 1;
    comes.again = goes.again = 1;
    comes.name = "comes";
    goes.way = RCT_EVENT_FALLS;
    event_add(model, &comes);
    event_add(model, &goes);
    rct_solver *solver = event_solver(model);
    must_step(solver, 0.01, 8);
    int64_t count;
    must_step(solver, 0.01, 2);
    double *before = loop_state(solver, &count);
    const double time = rct_solver_time(solver);
    rct_error error;
    assert_int_equal(rct_solver_step(solver, 0.01, 3, &error), RCT_ERROR_LOOP);
    assert_non_null(strstr(error.text, "event \"comes\" has happened 20 times within one step"));
    assert_non_null(strstr(error.text, "events attach and release loop \"prop\" in turn"));
    assert_int_equal(error.step, 0);
    expect_kept(solver, before, time, 2);
    for (int32_t k = 0; k < 4; k++) {
        assert_int_equal(event_count(solver, k), 0);
    }
    free(before);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* An impossible attachment: the step before stays, with all its events; also when repeated. */
static void test_a_step_that_fails(void **state)
{
    (void)state;
    rct_model *model = event_model();
    rct_body body = event_body(RCT_HINGE_FREE);
    rct_loop loop = rct_loop_default();
    body.position[0] = 1.0;
    body.rate[1] = 1.0;
    event_add_body(model, &body);
    loop.name = "port";
    loop.active = 0;
    event_add_loop(model, &loop);
    loop.name = "rope";
    loop.type = RCT_LOOP_DISTANCE;
    loop.length = 1.0;
    event_add_loop(model, &loop);
    const rct_event tied = event_of(RCT_EVENT_TIME, 0.0205, 1, RCT_LOOP_PULLED);
    rct_event dock = event_of(RCT_EVENT_TIME, 0.026, 0, RCT_LOOP_ATTACHED);
    dock.name = "dock";
    event_add(model, &tied);
    event_add(model, &dock);
    rct_solver *solver = event_solver(model);
    rct_error error;
    double *before = NULL;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rct_solver_step(solver, 0.01, i == 0 ? 5 : 1, &error), RCT_ERROR_LOOP);
        assert_non_null(strstr(error.text, "event \"dock\" at 0.026 s: loop \"port\" of body 0: it "
                                           "cannot be attached, it is open by 1 m"));
        assert_int_equal(error.step, i == 0 ? 2 : 0);
        int64_t count;
        before = i == 0 ? loop_state(solver, &count) : before;
        expect_kept(solver, before, 0.02, 0);
        assert_int_equal(event_count(solver, 0), 0);
        assert_int_equal(event_count(solver, 1), 0);
    }
    free(before);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Requests without a step, or with an invalid one. */
static void test_no_steps(void **state)
{
    (void)state;
    rct_model *model = hung(1e6);
    rct_solver *solver = event_solver(model);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 0.01, 0, NULL), RCT_OK);
    double force[6];
    rct_solver_get_loop_forces(solver, force, NULL, NULL);
    event_near("a string", force[2], 0.5 * g, 1e-12); /* results stay */
    assert_int_equal(rct_solver_step(solver, -1.0, 1, NULL), RCT_ERROR_ARGUMENT);
    must_step(solver, 0.01, 1);
    rct_solver_get_loop_forces(solver, force, NULL, NULL);
    assert_true(isnan(force[2]));
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts_conserve_momenta_and_lose_energy),
        cmocka_unit_test(test_what_carries_too_much_at_the_start),
        cmocka_unit_test(test_events_at_one_instant),
        cmocka_unit_test(test_what_breaks_takes_others_along),
        cmocka_unit_test(test_chatter_is_an_error),
        cmocka_unit_test(test_a_step_that_fails),
        cmocka_unit_test(test_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
