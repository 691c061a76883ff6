/* Checks that a state of rest is found, or that finding it is refused. */
#ifndef RCT_TESTS_FOUND_REST_H
#define RCT_TESTS_FOUND_REST_H

#include <riccatree/analysis.h>

/* rct_solver_equilibrium, which must succeed. */
rct_equilibrium must_rest(rct_solver *solver);

/* rct_solver_equilibrium must fail with these words and leave the state unchanged; frees the
 * solver. */
void expect_no_rest(rct_solver *solver, rct_status status, const char *words);

/* At every allocation too little memory must be an error, until there is enough. */
void expect_rest_or_memory(const rct_model *model);

#endif
