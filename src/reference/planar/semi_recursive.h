/* Semi-recursive I and II of seed 003 for models whose motion is planar. */
#ifndef RCT_REFERENCE_PLANAR_SEMI_RECURSIVE_H
#define RCT_REFERENCE_PLANAR_SEMI_RECURSIVE_H

#include <riccatree/reference.h>

/* Accelerations, hinge forces and derivatives of rates by formulation `which`, 1 or 2, at `time`
 * in the given state (NULL: the model's initial one). A planar model has only fixed, revolute,
 * prismatic and planar hinges, and one direction, the normal: it is along every axis of a
 * revolute or planar hinge and of the ground's turning, and perpendicular to every axis of a
 * prismatic hinge and to the ground's velocity and acceleration. If anything turns, the inertia
 * of every body must have no products with the normal. Heights along the normal are allowed,
 * because they do not change; so are forces along it and moments perpendicular to it, which
 * hinges carry. Active loops are those of view_loops.c, with their axes along the normal.
 * RCT_ERROR_UNSUPPORTED for other models, naming the body or the loop, and for more than
 * PLANAR_MOST_BODIES; RCT_ERROR_ARGUMENT for numbers that are not finite, RCT_ERROR_SINGULAR
 * naming the body, or the loop whose constraints depend on others, RCT_ERROR_MEMORY. */
rct_status rct_semi_recursive_evaluate(const rct_model *model, int which, double time,
                                       const double *coordinates, const double *rates,
                                       rct_reference_result *result, rct_error *error);

#endif
