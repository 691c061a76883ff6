/* Calls that fail the test on an error. */
#ifndef RCT_TESTS_MUST_H
#define RCT_TESTS_MUST_H

#include <riccatree/ensemble.h>
#include <riccatree/force.h>

/* With the default options if none are given. */
rct_solver *must_solver(const rct_model *model, const rct_solver_options *options);

void must_step(rct_solver *solver, double dt, int64_t steps);
rct_model *must_generate(const rct_family *family);
rct_model *must_family(const char *name, int64_t bodies, rct_hinge_type hinge); /* at rest */
void must_add(rct_model *model, const rct_body *body);
void must_force(rct_model *model, const rct_force *force);
void must_put(rct_model *model, int32_t id,
              const rct_body *body); /* replaces the body of this number */

/* `lanes`, or the widest lanes of this build on this machine if these are narrower. */
int32_t lanes_up_to(int32_t lanes);

/* The model is freed. */
rct_ensemble *must_ensemble(rct_model *model, int64_t members, double perturb, int32_t count,
                            const rct_variation *variations);

#endif
