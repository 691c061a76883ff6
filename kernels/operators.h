/* Operators of a tree of ball hinges, one lane, link after link in label order: the mass matrix and its
 * inverse times a column, in O(n) (seed 001, sections 3 and 4: the factors of M and of its inverse, never
 * formed). Generalized speeds are the rates of the links; columns are [links][3] in link axes, so are the
 * generalized forces, moments that do the work Q . w.
 */
#ifndef RCT_KERNELS_OPERATORS_H
#define RCT_KERNELS_OPERATORS_H

#include "kernels/links.h"

/* What the state leaves for all columns. */
enum {
    OPERATOR_TURN = 0, /* 9: rotation, link axes to the parent's (root: to inertial)             */
    OPERATOR_GAIN = 9, /* 9: G of alpha = -(G A + h)                       (factored)            */
    OPERATOR_PIVOT = 18, /* 6: L and 1 / D of A22 = L D L^T                 (factored)            */
    OPERATOR_FIELDS = 24
};

/* Rotations of all links, [links][OPERATOR_FIELDS]. */
void rct_operators_turn(const rct_links *links, const double *state, double *operators);

/* Factor the mass matrix, turned before; the label whose pivot vanishes, or -1. handles: [links][6]. */
int32_t rct_operators_factor(const rct_links *links, double *operators, double *handles);

/* y = M x. points: [links][6] of scratch. */
void rct_operators_mass(const rct_links *links, const double *operators, const double *x, double *y,
                        double *scratch);

/* y = M^-1 x, factored before. */
void rct_operators_solve(const rct_links *links, const double *operators, const double *x,
                         double *y, double *scratch);

/* Velocities of the hinge points [links][3], link axes, that the rates x give. */
void rct_operators_points(const rct_links *links, const double *operators, const double *x,
                          double *velocities);

/* Generalized forces y of forces and moments about the hinge points on the links, rows of 6, link axes,
 * which are summed inward on the way. */
void rct_operators_gather(const rct_links *links, const double *operators, double *loads,
                          double *y);

/* What the hinges carry, rows of 6, force and moment about the hinge point, for angular accelerations x in
 * this state: inverse dynamics, gravity included, [links][3]. */
void rct_operators_inverse(const rct_links *links, const double *gravity, const double *operators,
                           const double *state, const double *x, double *loads, double *scratch);

#endif
