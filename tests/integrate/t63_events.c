/* The quantities that events watch, against closed forms: times, coordinates, distances and forces,
 * in each direction, once and repeatedly; the convergence of the event time, and that it does not
 * depend on how steps are requested. */
#include "tests/integrate/event_case.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A relation that holds coordinate 0 of a body at `offset`, once it is attached. */
static int32_t add_lock(rct_model *model, int32_t body, double offset)
{
    const rct_loop_term term = {body, 0, 1.0};
    rct_loop lock = rct_loop_default();
    lock.type = RCT_LOOP_RELATION;
    lock.active = 0;
    lock.terms = &term;
    lock.term_count = 1;
    lock.offset = offset;
    return event_add_loop(model, &lock);
}

/* A slide on a spring, -cos t, and a lock of another slide, which rests. */
static rct_model *oscillator(void)
{
    rct_model *model = event_model();
    rct_body body = event_body(RCT_HINGE_PRISMATIC);
    event_add_body(model, &body);
    body.stiffness[0] = 1.0;
    body.position[0] = -1.0;
    event_add_body(model, &body);
    add_lock(model, 0, 0.0);
    return model;
}

static rct_event crossing(double value, rct_event_way way, int32_t loop, rct_loop_state state)
{
    rct_event event = event_of(RCT_EVENT_COORDINATE, value, loop, state);
    event.body = 1;
    event.way = way;
    return event;
}

/* ---- time --------------------------------------------------------------------------------- */

/* A payload on a rotating arm; after its release it flies straight on. */
static void test_a_payload_is_released_at_a_time(void **state)
{
    (void)state;
    const double release = 1.0 / 3.0, radius = 2.0, dt = 0.01;
    rct_model *model = event_model();
    rct_body arm = event_body(RCT_HINGE_REVOLUTE), payload = event_body(RCT_HINGE_FREE);
    rct_loop hold = rct_loop_default();
    arm.rate[0] = 1.0;
    event_add_body(model, &arm);
    payload.position[0] = radius;
    payload.rate[1] = radius;
    payload.angular_velocity[2] = 1.0;
    event_add_body(model, &payload);
    hold.type = RCT_LOOP_FIXED;
    hold.body = 1;
    hold.other = 0;
    hold.other_at[0] = radius;
    event_add_loop(model, &hold);
    const rct_event event = event_of(RCT_EVENT_TIME, release, 0, RCT_LOOP_RELEASED);
    event_add(model, &event);
    rct_solver *solver = event_solver(model);
    assert_true(isnan(event_time(solver, 0)) && event_count(solver, 0) == 0);
    must_step(solver, dt, 33);
    assert_int_equal(event_count(solver, 0), 0);
    assert_true(event_holds(solver, 0));
    must_step(solver, dt, 67);
    assert_int_equal(event_count(solver, 0), 1);
    assert_true(event_time(solver, 0) == release); /* to the bit */
    assert_false(event_holds(solver, 0));
    double position[2][3], left = rct_solver_time(solver) - release;
    rct_solver_get_state(solver, NULL, NULL, position[0], NULL);
    event_near("x", position[1][0], radius * (cos(release) - left * sin(release)), 1e-9);
    event_near("y", position[1][1], radius * (sin(release) + left * cos(release)), 1e-9);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Times on the grid, two in one step, before the time that the solver was set to. */
static void test_times_on_the_way(void **state)
{
    (void)state;
    const double times[4] = {0.25, 0.5, 0.625, 0.6875}, dt = 0.25;
    rct_model *model = oscillator();
    for (int i = 0; i < 4; i++) {
        const rct_event event = event_of(RCT_EVENT_TIME, times[i], 0,
                                         i % 2 == 0 ? RCT_LOOP_ATTACHED : RCT_LOOP_RELEASED);
        event_add(model, &event);
    }
    rct_solver *solver = event_solver(model);
    must_step(solver, dt, 1);
    assert_true(event_time(solver, 0) == times[0] && event_holds(solver, 0));
    must_step(solver, dt, 1);
    assert_true(event_time(solver, 1) == times[1] && !event_holds(solver, 0));
    must_step(solver, dt, 1);
    assert_true(event_time(solver, 2) == times[2] && event_time(solver, 3) == times[3]);
    assert_true(rct_solver_time(solver) == 0.75 && !event_holds(solver, 0));
    rct_solver_free(solver);
    solver = event_solver(model);
    rct_solver_set_time(solver, 0.3);
    must_step(solver, dt, 1);
    assert_int_equal(event_count(solver, 0), 0);
    assert_int_equal(event_count(solver, 1), 0); /* nothing to release */
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- coordinates -------------------------------------------------------------------------- */

/* The error of the event time decreases with the fourth power of the step; the lock is in its
 * place, and holds. */
static void test_a_coordinate_is_located_at_the_order_of_the_steps(void **state)
{
    (void)state;
    double errors[3];
    for (int i = 0; i < 3; i++) {
        const double dt = 0.1 / (1 << i);
        rct_model *model = oscillator();
        const int32_t lock = add_lock(model, 1, 0.5);
        const rct_event event = crossing(0.5, RCT_EVENT_RISES, lock, RCT_LOOP_ATTACHED);
        event_add(model, &event);
        rct_solver *solver = event_solver(model);
        must_step(solver, dt, 30 << i);
        assert_int_equal(event_count(solver, 0), 1);
        errors[i] = fabs(event_time(solver, 0) - 2.0 * pi / 3.0);
        double q[2], u[2];
        rct_solver_get_coordinates(solver, q, u);
        event_near("the locked coordinate", q[1], 0.5, 1e-14);
        event_near("its rate", u[1], 0.0, 1e-14);
        event_near("the energy", event_measures(solver).kinetic, 0.0, 1e-28);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    print_message("errors %g %g %g\n", errors[0], errors[1], errors[2]);
    assert_true(errors[0] < 1e-5);
    assert_true(errors[0] / errors[1] > 12.0 && errors[1] / errors[2] > 12.0);
}

/* -cos t over three and a half periods: rising, falling, both; once, and every time. */
static void test_ways_and_again(void **state)
{
    (void)state;
    const struct {
        rct_event_way way;
        int64_t again;
        double last; /* of pi */
    } cases[] = {{RCT_EVENT_RISES, 4, 6.5}, {RCT_EVENT_FALLS, 3, 5.5}};
    for (int i = 0; i < 2; i++) {
        for (int again = 0; again < 2; again++) {
            rct_model *model = oscillator();
            const rct_event_way back = i == 0 ? RCT_EVENT_FALLS : RCT_EVENT_RISES;
            rct_event attach = crossing(0.0, cases[i].way, 0, RCT_LOOP_ATTACHED);
            rct_event release = crossing(0.0, back, 0, RCT_LOOP_RELEASED);
            attach.again = release.again = again;
            event_add(model, &attach);
            event_add(model, &release);
            rct_solver *solver = event_solver(model);
            must_step(solver, 7.0 * pi / 700.0, 700);
            assert_int_equal(event_count(solver, 0), again ? cases[i].again : 1);
            event_near("the last time", event_time(solver, 0),
                       (again ? cases[i].last : 0.5 + i) * pi, 1e-6);
            assert_int_equal(event_count(solver, 1), again ? 3 : 1);
            rct_solver_free(solver);
            rct_model_free(model);
        }
    }
    for (int from = 0; from < 2; from++) { /* either, from both sides */
        rct_model *model = oscillator();
        rct_event first = crossing(0.0, RCT_EVENT_CROSSES, 0, RCT_LOOP_ATTACHED);
        event_add(model, &first);
        rct_solver *solver = event_solver(model);
        const double start[2] = {0.0, from == 0 ? -1.0 : 1.0}, rest[2] = {0.0, 0.0};
        assert_int_equal(rct_solver_set_coordinates(solver, start, rest, NULL), RCT_OK);
        must_step(solver, 0.01, 200);
        event_near("its time", event_time(solver, 0), 0.5 * pi, 1e-8);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A value that holds from the start is not crossed; nor is a value in the other direction, or if
 * there is nothing to do. */
static void test_what_is_no_event(void **state)
{
    (void)state;
    rct_model *model = oscillator();
    rct_event met = crossing(-1.0, RCT_EVENT_RISES, 0, RCT_LOOP_ATTACHED);
    rct_event other = crossing(0.0, RCT_EVENT_FALLS, 0, RCT_LOOP_ATTACHED);
    rct_event idle = crossing(0.0, RCT_EVENT_RISES, 0, RCT_LOOP_RELEASED);
    event_add(model, &met);
    event_add(model, &other);
    event_add(model, &idle);
    rct_solver *solver = event_solver(model);
    must_step(solver, 0.01, 310);
    for (int32_t k = 0; k < 3; k++) {
        assert_int_equal(event_count(solver, k), 0);
    }
    /* attached by the caller, an event that attaches has nothing to do */
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL), RCT_OK);
    must_step(solver, 0.01, 180);
    assert_int_equal(event_count(solver, 1), 0);
    must_step(solver, 0.01, 310);
    assert_int_equal(event_count(solver, 2), 1);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- distances and forces ----------------------------------------------------------------- */

/* A point of a spinning body whose centre flies past: 5 m, then 4, then 5; from a point of the
 * ground and of a body there. */
static void test_distances(void **state)
{
    (void)state;
    for (int on_body = 0; on_body < 2; on_body++) {
        rct_model *model = oscillator();
        rct_body body = event_body(RCT_HINGE_FREE);
        body.rate[0] = 1.0;
        body.angular_velocity[0] = 3.0;
        const int32_t flying = event_add_body(model, &body);
        body = event_body(RCT_HINGE_FIXED);
        body.hinge_at[0] = 1.0;
        const int32_t post = event_add_body(model, &body);
        for (int k = 0; k < 2; k++) {
            rct_event event = event_of(RCT_EVENT_DISTANCE, 4.5, 0,
                                       k == 0 ? RCT_LOOP_ATTACHED : RCT_LOOP_RELEASED);
            event.way = k == 0 ? RCT_EVENT_FALLS : RCT_EVENT_RISES;
            event.body = flying;
            event.at[0] = 0.5; /* on the axis that it spins about */
            event.other = on_body ? post : RCT_GROUND;
            event.other_at[0] = on_body ? 2.5 : 3.5;
            event.other_at[1] = 4.0;
            event_add(model, &event);
        }
        rct_solver *solver = event_solver(model);
        must_step(solver, 0.125, 48);
        event_near("it comes", event_time(solver, 0), 3.0 - sqrt(4.25), 1e-13);
        event_near("it goes", event_time(solver, 1), 3.0 + sqrt(4.25), 1e-13);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A bob on a string of 1 m falls from the horizontal: the string carries 3 m g sin, and breaks at 2
 * m g. With every method of closing and every drift. */
static void test_a_string_breaks_at_a_force(void **state)
{
    (void)state;
    const double g = 9.81, gravity[3] = {0.0, 0.0, -g};
    for (int i = 0; i < 7; i++) {
        rct_model *model = event_model();
        rct_body bob = event_body(RCT_HINGE_FREE);
        rct_loop string = rct_loop_default();
        rct_model_set_gravity(model, gravity, NULL);
        bob.position[0] = 1.0;
        event_add_body(model, &bob);
        string.type = RCT_LOOP_DISTANCE;
        string.length = 1.0;
        event_add_loop(model, &string);
        const rct_event event = event_of(RCT_EVENT_FORCE, 2.0 * g, 0, RCT_LOOP_RELEASED);
        event_add(model, &event);
        rct_solver_options options = loop_options((rct_closing)(i % 5));
        options.drift = i < 5 ? RCT_DRIFT_PROJECT : i == 5 ? RCT_DRIFT_BAUMGARTE : RCT_DRIFT_NONE;
        rct_solver *solver = loop_solver(model, &options);
        double p[3], v[3];
        const rct_measures before = event_measures(solver);
        must_step(solver, 1e-3, 1000);
        assert_int_equal(event_count(solver, 0), 1);
        rct_solver_get_state(solver, NULL, NULL, p, v);
        const double left = rct_solver_time(solver) - event_time(solver, 0);
        const double speed = sqrt(2.0 * g * 2.0 / 3.0); /* to the side and down, where it broke */
        event_near("x", p[0], sqrt(5.0) / 3.0 - left * speed * 2.0 / 3.0, 1e-8);
        event_near("z", p[2], -2.0 / 3.0 - left * speed * sqrt(5.0) / 3.0 - 0.5 * g * left * left,
                   1e-8);
        const rct_measures after = event_measures(solver);
        event_near("the energy", after.kinetic + after.potential, before.kinetic + before.potential,
                   1e-8);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Steps one by one, or all at once, to the same bits; a step over all events is right to its
 * order. */
static void test_how_steps_are_asked_for(void **state)
{
    (void)state;
    double q[3][4], times[3][2];
    for (int i = 0; i < 3; i++) {
        const int64_t chunks[3] = {1, 7, 630};
        rct_model *model = oscillator();
        const int32_t lock = add_lock(model, 1, 0.9);
        rct_event attach = crossing(0.9, RCT_EVENT_RISES, lock, RCT_LOOP_ATTACHED);
        const rct_event release = event_of(RCT_EVENT_TIME, 3.21, lock, RCT_LOOP_RELEASED);
        event_add(model, &attach);
        event_add(model, &release);
        rct_solver *solver = event_solver(model);
        for (int64_t k = 0; k < 630; k += chunks[i]) {
            must_step(solver, 0.01, chunks[i]);
        }
        rct_solver_get_coordinates(solver, q[i], q[i] + 2);
        times[i][0] = event_time(solver, 0);
        times[i][1] = event_time(solver, 1);
        event_near("it swings on from where it was", q[i][1], 0.9 * cos(6.3 - 3.21), 1e-8);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_memory_equal(q[0], q[1], sizeof q[0]);
    assert_memory_equal(q[0], q[2], sizeof q[0]);
    assert_memory_equal(times[0], times[1], sizeof times[0]);
    assert_memory_equal(times[0], times[2], sizeof times[0]);
}

/* Integrators with error control find the same event times in steps of their own; trial steps have
 * no effect. */
static void test_integrators_with_error_control(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rct_model *model = oscillator();
        const int32_t lock = add_lock(model, 1, 0.5);
        const rct_event event = crossing(0.5, RCT_EVENT_RISES, lock, RCT_LOOP_ATTACHED);
        event_add(model, &event);
        rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
        options.integrator = i % 2 == 0 ? RCT_INTEGRATOR_DOPRI5 : RCT_INTEGRATOR_IMPLICIT;
        options.tolerance = 1e-9;
        rct_solver *solver = loop_solver(model, &options);
        double q[2];
        rct_stepping paces;
        for (int k = 0; k < (i < 2 ? 1 : 30); k++) {
            must_step(solver, 0.1, i < 2 ? 30 : 1);
        }
        rct_solver_get_coordinates(solver, q, NULL);
        rct_solver_get_stepping(solver, &paces);
        event_near("the instant", event_time(solver, 0), 2.0 * pi / 3.0, 1e-7);
        event_near("where it is held", q[1], 0.5, 1e-9);
        assert_true(paces.rejected > 0 && paces.steps >= 31 && paces.shortest > 1e-4);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A step shorter than the resolution of times is valid. */
static void test_a_step_beyond_the_digits_of_time(void **state)
{
    (void)state;
    rct_model *model = oscillator();
    const rct_event event = event_of(RCT_EVENT_TIME, 2e6, 0, RCT_LOOP_ATTACHED);
    double q[2], u[2];
    event_add(model, &event);
    rct_solver *solver = event_solver(model);
    rct_solver_set_time(solver, 1e6);
    must_step(solver, 1e-12, 10);
    rct_solver_get_coordinates(solver, q, u);
    event_near("the rate", u[1], 1e-11, 1e-20);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_payload_is_released_at_a_time),
        cmocka_unit_test(test_times_on_the_way),
        cmocka_unit_test(test_a_coordinate_is_located_at_the_order_of_the_steps),
        cmocka_unit_test(test_ways_and_again),
        cmocka_unit_test(test_what_is_no_event),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_a_string_breaks_at_a_force),
        cmocka_unit_test(test_how_steps_are_asked_for),
        cmocka_unit_test(test_integrators_with_error_control),
        cmocka_unit_test(test_a_step_beyond_the_digits_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
