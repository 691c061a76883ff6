/* Checks that a state of rest is found, or that finding it is refused. */
#ifndef RCT_TESTS_FOUND_REST_H
#define RCT_TESTS_FOUND_REST_H

#include <riccatree/analysis.h>

/* rct_solver_equilibrium, which must do it. */
rct_equilibrium must_rest(rct_solver *solver);

/* It fails with these words and leaves the state as it was; the solver is freed. */
void expect_no_rest(rct_solver *solver, rct_status status, const char *words);

/* Too little memory at every place is an error, until there is enough. */
void expect_rest_or_memory(const rct_model *model);

#endif
