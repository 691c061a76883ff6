/* Solvers, and the modes that must be found of them. */
#ifndef RCT_TESTS_FOUND_MODES_H
#define RCT_TESTS_FOUND_MODES_H

#include <riccatree/analysis.h>

/* By the default options; fails the test without. */
rct_solver *solver_of(const rct_model *model);

/* rct_solver_modes, which must do it. */
rct_modes must_find(rct_solver *solver, int32_t count, double *square, double *shape);

/* Fails the test unless `value` is as expected, within a share of that. */
void expect_near(double value, double expected, double tolerance);

#endif
