/* Shared by inverse dynamics (inverse.c) and their derivatives (tangent.h): the part of one body in
 * the pass outward. */
#ifndef RCT_OPERATORS_INVERSE_PARTS_H
#define RCT_OPERATORS_INVERSE_PARTS_H

#include "operators/tree.h"

/* Velocity and acceleration of the parent of a body: zero for free hinges. */
typedef struct rct_carrier {
    double V[6], alpha[6];
} rct_carrier;

rct_carrier rct_operator_carrier(const rct_operator_tree *tree, const double *velocity,
                                 const double *acceleration, int32_t body);

/* The velocity [n][6] of the body, and its acceleration to the motion of the operators, at
 * derivatives x of the rates. */
void rct_operator_move(const rct_operator *op, int32_t body, const double *x, double *velocity);

/* The force that the body needs: M (alpha - g) and the velocity terms, less the load. */
void rct_operator_ask(const rct_operator *op, int32_t body, const double V[6], double own[6]);

#endif
