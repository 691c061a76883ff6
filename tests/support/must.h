/* Calls that fail the test when they fail. */
#ifndef RCT_TESTS_MUST_H
#define RCT_TESTS_MUST_H

#include <riccatree/solver.h>

void must_step(rct_solver *solver, double dt, int64_t steps);
rct_model *must_generate(const rct_family *family);
void must_add(rct_model *model, const rct_body *body);

#endif
