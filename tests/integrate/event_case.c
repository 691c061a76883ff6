/* Shared by the tests of events (event_case.h). */
#include "tests/integrate/event_case.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 64 };

rct_body event_body(rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.hinge = hinge;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    return body;
}

rct_model *event_model(void)
{
    const double weightless[3] = {0.0, 0.0, 0.0};
    rct_model *model = rct_model_create("events", NULL);
    assert_non_null(model);
    assert_int_equal(rct_model_set_gravity(model, weightless, NULL), RCT_OK);
    return model;
}

int32_t event_add_body(rct_model *model, const rct_body *body)
{
    int32_t id = -1;
    assert_int_equal(rct_model_add_body(model, body, &id, NULL), RCT_OK);
    return id;
}

int32_t event_add_loop(rct_model *model, const rct_loop *loop)
{
    int32_t index = -1;
    assert_int_equal(rct_model_add_loop(model, loop, &index, NULL), RCT_OK);
    return index;
}

int32_t event_add(rct_model *model, const rct_event *event)
{
    int32_t index = -1;
    assert_int_equal(rct_model_add_event(model, event, &index, NULL), RCT_OK);
    return index;
}

rct_event event_of(rct_event_type type, double value, int32_t loop, rct_loop_state state)
{
    rct_event event = rct_event_default();
    event.type = type;
    event.value = value;
    event.loop = loop;
    event.of = type == RCT_EVENT_FORCE ? loop : 0;
    event.state = state;
    return event;
}

rct_solver *event_solver(const rct_model *model)
{
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    return loop_solver(model, &options);
}

void event_near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("%s is %.17g, off by %g", what, found, found - expected);
    }
}

int64_t event_count(const rct_solver *solver, int32_t k)
{
    int64_t happened[MOST];
    rct_solver_get_events(solver, happened, NULL);
    return happened[k];
}

double event_time(const rct_solver *solver, int32_t k)
{
    double time[MOST];
    rct_solver_get_events(solver, NULL, time);
    return time[k];
}

int event_holds(const rct_solver *solver, int32_t k)
{
    int32_t active[MOST];
    rct_solver_get_active_loops(solver, active);
    return active[k];
}

rct_measures event_measures(const rct_solver *solver)
{
    rct_measures sums;
    rct_solver_measure(solver, &sums);
    return sums;
}
