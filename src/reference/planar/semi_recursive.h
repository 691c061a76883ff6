/* Semi-recursive I and II of seed 003 for models whose motion is planar. */
#ifndef RCT_REFERENCE_PLANAR_SEMI_RECURSIVE_H
#define RCT_REFERENCE_PLANAR_SEMI_RECURSIVE_H

#include <riccatree/reference.h>

/* Accelerations, hinge forces and derivatives of rates by formulation `which`, 1 or 2, at `time` in the state
 * given (NULL: the model's initial one). Planar is a model with fixed, revolute, prismatic and planar hinges
 * alone where one direction, the normal, is along every axis of a revolute or planar hinge, and of the ground's
 * turning, and across every axis of a prismatic one and the ground's velocity and acceleration. Where
 * anything turns, the inertia of every body must have no products with the normal. Heights along it are harmless, for
 * they do not change; so are forces along it and moments across it, which hinges bear.
 * Active loops are those of view_loops.c, with their axes along the normal.
 * RCT_ERROR_UNSUPPORTED for other models, naming the body or the loop, and for more than PLANAR_MOST_BODIES;
 * RCT_ERROR_ARGUMENT for numbers that are not finite, RCT_ERROR_SINGULAR naming the body, or the loop whose
 * constraints depend on others, RCT_ERROR_MEMORY. */
rct_status rct_semi_recursive_evaluate(const rct_model *model, int which, double time,
                                       const double *coordinates, const double *rates,
                                       rct_reference_result *result, rct_error *error);

#endif
