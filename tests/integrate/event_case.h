/* Shared by the tests of events. All functions fail the test on errors. */
#ifndef RCT_TESTS_EVENT_CASE_H
#define RCT_TESTS_EVENT_CASE_H

#include <riccatree/riccatree.h>

/* A body of 1 kg and 1 kg m^2 on the ground, free or on a hinge whose axis is z along x, z or the
 * axis of the type. */
rct_body event_body(rct_hinge_type hinge);

/* An empty model without gravity. */
rct_model *event_model(void);

int32_t event_add_body(rct_model *model, const rct_body *body);
int32_t event_add_loop(rct_model *model, const rct_loop *loop);
int32_t event_add(rct_model *model, const rct_event *event);

/* An event of this type and value that sets the state of loop `loop` to `state`. */
rct_event event_of(rct_event_type type, double value, int32_t loop, rct_loop_state state);

/* By admittance, with the other options of the tests of loops. */
rct_solver *event_solver(const rct_model *model);

/* |found - expected| <= tolerance. */
void event_near(const char *what, double found, double expected, double tolerance);

/* The number of times that event `k` has happened, and the last time. */
int64_t event_count(const rct_solver *solver, int32_t k);
double event_time(const rct_solver *solver, int32_t k);

/* Whether loop `k` is active. */
int event_holds(const rct_solver *solver, int32_t k);

rct_measures event_measures(const rct_solver *solver);

#endif
