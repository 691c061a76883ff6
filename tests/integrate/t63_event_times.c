/* Event times close to the times that the steps add up to; and a loop that lets go at the value at
 * which it was attached. */
#include "tests/integrate/event_case.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"

#include <math.h>
#include <string.h>

/* Two rods, each released at a time of its own. */
static rct_model *two_releases(double first, double second)
{
    const double times[2] = {first, second};
    rct_model *model = event_model();
    for (int i = 0; i < 2; i++) {
        const rct_body body = event_body(RCT_HINGE_REVOLUTE);
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_DISTANCE;
        loop.body = event_add_body(model, &body);
        loop.at[0] = loop.length = 1.0;
        event_add_loop(model, &loop);
        const rct_event event = event_of(RCT_EVENT_TIME, times[i], i, RCT_LOOP_RELEASED);
        event_add(model, &event);
    }
    return model;
}

/* An event at the end time of a number of steps happens within these steps, even if their sum is
 * short of that time; and in no step before. */
static void test_times_at_the_end_of_steps(void **state)
{
    (void)state;
    const struct {
        double dt, end;
        int64_t steps;
    } runs[] = {{0.1, 0.8, 8},        {0.1, 1.0, 10},      {0.1, 2.5, 25},
                {0.01, 0.8, 80},      {1e-3, 5.0, 5000},   {1e-4, 1.0, 10000},
                {1.0 / 3.0, 7.0, 21}, {1e-5, 1.0, 100000}, {7e-5, 3.5, 50000}};
    int short_of_it = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        rct_model *model = two_releases(runs[i].end, nextafter(runs[i].end, 9.0));
        rct_solver *solver = event_solver(model);
        double sum = 0.0;
        for (int64_t k = 0; k < runs[i].steps; k++) {
            sum += runs[i].dt;
        }
        short_of_it += sum < runs[i].end;
        must_step(solver, runs[i].dt, runs[i].steps - 1);
        assert_int_equal(event_count(solver, 0), 0);
        must_step(solver, runs[i].dt, 1);
        assert_int_equal(event_count(solver, 0), 1);
        assert_true(event_time(solver, 0) == runs[i].end);
        assert_true(fabs(rct_solver_time(solver) - runs[i].end) <= 1e-9 * runs[i].end);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(short_of_it >= 4);
}

/* Sums of steps miss times by their last bit, in both directions: events still happen at their
 * time. */
static void test_times_beside_steps(void **state)
{
    (void)state;
    for (int i = RCT_INTEGRATOR_RK4; i <= RCT_INTEGRATOR_CONSERVING; i++) {
        for (int k = 1; k <= 20; k++) {
            const double at = 0.1 * k;
            rct_model *model = two_releases(at, nextafter(at, 3.0));
            rct_solver_options options = rct_solver_options_default();
            options.integrator = (rct_integrator)i;
            options.as_given = 1;
            rct_solver *solver = must_solver(model, &options);
            must_step(solver, 0.1, 22);
            for (int e = 0; e < 2; e++) {
                assert_int_equal(event_count(solver, e), 1);
                assert_true(event_time(solver, e) == (e == 0 ? at : nextafter(at, 3.0)));
            }
            rct_solver_free(solver);
            rct_model_free(model);
        }
    }
}

/* Slides on springs that pass a value within rounding of one another: the next event is closer than
 * any step. */
static void test_instants_side_by_side(void **state)
{
    (void)state;
    enum { SLIDES = 4 };
    for (int k = 0; k < 200; k++) {
        rct_model *model = event_model();
        for (int i = 0; i < SLIDES; i++) {
            rct_body body = event_body(RCT_HINGE_PRISMATIC);
            rct_loop_term term = {.freedom = 0, .factor = 1.0};
            rct_loop lock = rct_loop_default();
            body.stiffness[0] = 1.0;
            body.position[0] = i == 0 ? -1.0 : -1.0 - pow(10.0, -16.0 + 0.01 * k + i);
            rct_event event = event_of(RCT_EVENT_COORDINATE, 0.1 + 1e-3 * k, i, RCT_LOOP_RELEASED);
            event.body = event_add_body(model, &body);
            body.stiffness[0] = body.position[0] = 0.0;
            term.body = event_add_body(model, &body);
            lock.type = RCT_LOOP_RELATION;
            lock.terms = &term;
            lock.term_count = 1;
            event_add_loop(model, &lock);
            event_add(model, &event);
        }
        rct_solver_options options = rct_solver_options_default();
        options.integrator = k % 2 == 0 ? RCT_INTEGRATOR_DOPRI5 : RCT_INTEGRATOR_IMPLICIT;
        rct_solver *solver = must_solver(model, &options);
        must_step(solver, 0.1, 20);
        for (int i = 0; i < SLIDES; i++) {
            event_near("the instant", event_time(solver, i), event_time(solver, 0), 1e-11);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A pendulum that is caught where it hangs down, again and again, and let go once: rounding of what
 * held it there is no crossing. */
static void test_let_go_at_the_value(void **state)
{
    (void)state;
    static const double lengths[] = {1e-3, 5e-4, 0.01, 0.02};
    for (int k = 0; k < 8; k++) {
        rct_error error;
        rct_model *model = rct_model_create("latch", &error);
        rct_body body = event_body(RCT_HINGE_REVOLUTE);
        const rct_loop_term term = {0, 0, 1.0};
        rct_loop latch = rct_loop_default();
        rct_event stop = rct_event_default(), go = rct_event_default();
        rct_solver_options options = rct_solver_options_default();
        double angle;
        int64_t happened[2];
        memcpy(body.hinge_axis, (double[]){0.0, 1.0, 0.0}, sizeof body.hinge_axis);
        body.com[2] = -0.5;
        body.position[0] = 1.2;
        body.applied[0] = -1.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
        latch.type = RCT_LOOP_RELATION;
        latch.active = 0;
        latch.terms = &term;
        latch.term_count = 1;
        assert_int_equal(rct_model_add_loop(model, &latch, NULL, &error), RCT_OK);
        stop.type = RCT_EVENT_COORDINATE;
        stop.way = RCT_EVENT_FALLS;
        stop.state = RCT_LOOP_ATTACHED;
        stop.again = 1;
        go.value = 0.9;
        go.state = RCT_LOOP_RELEASED;
        assert_int_equal(rct_model_add_event(model, &stop, NULL, &error), RCT_OK);
        assert_int_equal(rct_model_add_event(model, &go, NULL, &error), RCT_OK);
        options.integrator = k < 4 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_DOPRI5;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        for (int i = 0; i < 10; i++) { /* one call ends where it is let go */
            must_step(solver, lengths[k % 4], (int64_t)round(0.1 / lengths[k % 4]));
        }
        rct_solver_get_events(solver, happened, NULL);
        rct_solver_get_coordinates(solver, &angle, NULL);
        assert_true(happened[0] == 1 && happened[1] == 1 && angle < -1e-3);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_at_the_end_of_steps),
        cmocka_unit_test(test_times_beside_steps),
        cmocka_unit_test(test_instants_side_by_side),
        cmocka_unit_test(test_let_go_at_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
