/* Checks that modes are found, or that finding them is refused. */
#ifndef RCT_TESTS_FOUND_MODES_H
#define RCT_TESTS_FOUND_MODES_H

#include <riccatree/analysis.h>

/* rct_solver_modes, which must succeed. */
rct_modes must_find(rct_solver *solver, int32_t count, double *square, double *shape);

/* rct_solver_modes must fail with these words and give nothing. */
void expect_no_modes(rct_solver *solver, rct_status status, const char *words);

/* At every allocation too little memory must be an error, until there is enough. */
void expect_modes_or_memory(rct_solver *solver);

/* Fails the test unless `value` is as expected, to a relative tolerance. */
void expect_near(double value, double expected, double tolerance);

#endif
