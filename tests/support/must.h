/* Calls that fail the test on an error. */
#ifndef RCT_TESTS_MUST_H
#define RCT_TESTS_MUST_H

#include <riccatree/ensemble.h>
#include <riccatree/force.h>

/* By the default options where none are given. */
rct_solver *must_solver(const rct_model *model, const rct_solver_options *options);

void must_step(rct_solver *solver, double dt, int64_t steps);
rct_model *must_generate(const rct_family *family);
rct_model *must_family(const char *name, int64_t bodies, rct_hinge_type hinge); /* at rest */
void must_add(rct_model *model, const rct_body *body);
void must_force(rct_model *model, const rct_force *force);
void must_put(rct_model *model, int32_t id,
              const rct_body *body); /* in place of the one there is */

/* `lanes`, or the widest of this build on this machine where that is less. */
int32_t lanes_up_to(int32_t lanes);

/* The model is freed. */
rct_ensemble *must_ensemble(rct_model *model, int64_t members, double perturb, int32_t count,
                            const rct_variation *variations);

#endif
