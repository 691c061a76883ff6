/* The tangent stiffness K of a tree at rest in O(n): the second derivative of its potential energy
 * along its rates, where rates of balls and free hinges are turns about inertial axes. Gives K x,
 * and K - shift M factored, whatever its signs.
 *
 * Bodies that move at rates u from rest, with constant rates, have accelerations that are quadratic
 * in u (inverse.c), so forces on them do work of second order. With F = (n, f) the force that a
 * hinge passes on, summed from the tips,
 *
 *     u . K u = sum over hinges    f . w_p x (w_p x l) + 2 f . w_p x v_r + n . w_p x w_r + u1 u2 n . a1 x a2
 *             + sum over bodies   -m g . w x (w x c)
 *             + springs
 *
 * where w_p is the rate of the parent, w_r and v_r are those that the hinge adds, and a1 and a2 are
 * the axes of a universal hinge. All of that belongs to one body, except what couples the turn of a
 * body with the rates of the next hinge, springs at balls included. So a hinge is eliminated as
 * that of an articulated body (factor.c), F = S A + e, except that its row has that coupling c
 * besides H S:
 *
 *     D = H S H* + springs - shift rotors       g = H S + c*       S' = S - g* D^-1 g
 *
 * The signs of all D are those of K - shift M (Sylvester): they count its eigenvalues below the
 * shift. */
#ifndef RCT_OPERATORS_STIFFNESS_H
#define RCT_OPERATORS_STIFFNESS_H

#include "operators/tree.h"

typedef struct rct_stiffness rct_stiffness;

/* Room for the stiffness of the tree of `op`, which must outlive it and be made to be factored: its
 * factors go there, and those of M are lost. `length`, m, turns angles into lengths where
 * eigenvectors have both, so that eigenvectors do not depend on the metre. About 300 bytes per body
 * and 40 per rate. NULL: RCT_ERROR_MEMORY. */
rct_stiffness *rct_stiffness_create(rct_operator *op, double length, rct_error *error);
void rct_stiffness_free(rct_stiffness *k);

/* Build K where the tree is now: begin with its weight, then add what else acts, then sum up by
 * rct_stiffness_end. */
void rct_stiffness_begin(rct_stiffness *k);

/* Add a force of constant direction at `arm` from the hinge point of a body, inertial axes. */
void rct_stiffness_push(rct_stiffness *k, int32_t body, const double arm[3], const double force[3]);

/* Add a force that changes by -C times the motion of its point; C symmetric. */
void rct_stiffness_hold(rct_stiffness *k, int32_t body, const double arm[3], const double C[3][3]);

/* Add a moment about the hinge point of a body and a force on it; and their second-order effect as
 * a symmetric form in the motion (w, v) of the body. Each function takes one of the two. */
void rct_stiffness_load(rct_stiffness *k, int32_t body, const double wrench[6]);
void rct_stiffness_add(rct_stiffness *k, int32_t body, const double form[36]);

/* Add a spring at the ball hinge of a body: the gradient and the symmetric second derivative H of
 * its energy where the body turns and its parent does not, inertial axes. With turns a of the body
 * and p of the parent it adds (a - p) . H (a - p) - gradient . p x a to u . K u: one turn after the
 * other, exp(-p) exp(a), is a - p - p x a / 2. */
void rct_stiffness_bend(rct_stiffness *k, int32_t body, const double gradient[3],
                        const double H[3][3]);

/* Sum up. `gradient` [rates], of the potential energy: what hinges must exert besides `effort`
 * [rates], which they do exert; efforts change by -slope [rates] times their coordinates. Both are
 * copied. */
void rct_stiffness_end(rct_stiffness *k, const double *effort, const double *slope,
                       double *gradient);

/* y = K x, which may be the same array. */
void rct_stiffness_times(rct_stiffness *k, const double *x, double *y);

/* Signs of the eigenvalues of K - shift M. */
typedef struct rct_inertia {
    int64_t negative, zero; /* zero: pivots that are rounding; a solution has no part along them */
} rct_inertia;

rct_inertia rct_stiffness_factor(rct_stiffness *k, double shift);

/* What becomes positive definite instead of K: the pivots without their signs; or, before the
 * factor, the part of each body without its couplings. */
typedef enum rct_upright { RCT_UPRIGHT_PIVOTS, RCT_UPRIGHT_BODIES } rct_upright;

/* Factor that, with pivots no less than `least` [rates] along the rates of their hinge. Returns how
 * many pivots were negative by more than rounding. If there are none, the pivots are those of K
 * where `least` is 0. */
int64_t rct_stiffness_factor_upright(rct_stiffness *k, rct_upright upright, const double *least);

/* y = (K - shift M)^-1 x by the last factor; x and y may be the same array. */
void rct_stiffness_solve(rct_stiffness *k, const double *x, double *y);

/* 1/s^2: the size that eigenvalues of (K, M) may have by the numbers of bodies and hinges; times
 * the rounding of numbers it is an upper bound of the rounding of eigenvalues. */
double rct_stiffness_scale(const rct_stiffness *k);

/* 1/s^2: the possible error of eigenvalues where a state rests except for this gradient [rates]:
 * the forces left over do work on turns, and, over a length, on slides. */
double rct_stiffness_unrest(const rct_stiffness *k, const double *gradient, double length);

#endif
