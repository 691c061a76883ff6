/* Calls that fail the test when they fail. */
#ifndef RCT_TESTS_MUST_H
#define RCT_TESTS_MUST_H

#include <riccatree/ensemble.h>

void must_step(rct_solver *solver, double dt, int64_t steps);
rct_model *must_generate(const rct_family *family);
rct_model *must_family(const char *name, int64_t bodies, rct_hinge_type hinge); /* at rest */
void must_add(rct_model *model, const rct_body *body);

/* The model is freed. */
rct_ensemble *must_ensemble(rct_model *model, int64_t members, double perturb, int32_t count,
                            const rct_variation *variations);

#endif
