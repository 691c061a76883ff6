/* Checks accelerations and hinge forces of a model: Newton's and Euler's equations of every body
 * separately, and the two sides of every hinge, in long double and with code of its own. */
#ifndef RCT_TESTS_NEWTON_EULER_H
#define RCT_TESTS_NEWTON_EULER_H

#include <riccatree/model.h>

typedef struct newton_euler {
    const double *orientation;      /* [n][4], or NULL: the model's initial state */
    const double *angular_velocity; /* [n][3], or NULL                            */
    const double *linear;           /* [n][3] of the hinge points                 */
    const double *angular;          /* [n][3]                                     */
    const double *force;            /* [n][3] from the parent on the body         */
    const double *moment;           /* [n][3] about the hinge point               */
} newton_euler;

/* The largest violation of any equation, relative to the largest term in it, with the body's weight
 * and its moment among the terms: far out on a chain in free fall hinge forces vanish, and only
 * rounding is left. */
double newton_euler_violation(const rct_model *model, const newton_euler *solution);

#endif
