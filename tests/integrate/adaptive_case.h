/* Solvers with error control, and the difference between two solvers of one model. */
#ifndef RCT_TESTS_ADAPTIVE_CASE_H
#define RCT_TESTS_ADAPTIVE_CASE_H

#include <riccatree/solver.h>

rct_solver *adaptive_solver(const rct_model *model, rct_integrator integrator, double tolerance);

/* So far. */
int64_t evaluations_of(const rct_solver *solver);

/* The largest difference of a coordinate. */
double apart(const rct_solver *a, const rct_solver *b);

#endif
