/* The Lagrangian reference of systems with closed loops. */
#ifndef RCT_TESTS_LOOP_REFERENCE_H
#define RCT_TESTS_LOOP_REFERENCE_H

#include <riccatree/reference.h>

/* Derivatives of the rates by the reference; and those in the state of the model, where a failure
 * fails the test. */
rct_status refer(const rct_model *model, double time, const double *q, const double *u,
                 double *derivatives, rct_error *error);
void must_refer(const rct_model *model, double *derivatives);

/* The largest difference, relative to the largest number of b. */
double difference(const double *a, const double *b, int64_t count);

#endif
