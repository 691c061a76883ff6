/* What inverse dynamics (inverse.c) and their derivatives (tangent.h) have in common: one body's part of the pass outward. */
#ifndef RCT_OPERATORS_INVERSE_PARTS_H
#define RCT_OPERATORS_INVERSE_PARTS_H

#include "operators/tree.h"

/* Velocity and acceleration of what a body hangs on: zero of free ones. */
typedef struct rct_carrier {
    double V[6], alpha[6];
} rct_carrier;

rct_carrier rct_operator_carrier(const rct_operator_tree *tree, const double *velocity,
                                 const double *acceleration, int32_t body);

/* Velocity [n][6] of the body, and its acceleration to the motion of the operators, at derivatives x of the rates. */
void rct_operator_move(const rct_operator *op, int32_t body, const double *x, double *velocity);

/* M (alpha - g) and what the velocity asks for, less the load. */
void rct_operator_ask(const rct_operator *op, int32_t body, const double V[6], double own[6]);

#endif
