/* The tangent stiffness K of a tree at rest in O(n): the second derivative of its potential energy along its rates, those of
 * balls and free hinges turns about inertial axes; K x, and K - shift M factored, whatever its signs.
 *
 * Bodies that move at rates u from rest and go on without a change of the rates have accelerations that are quadratic in u
 * (inverse.c), so that forces on them do work of second order. With F = (n, f) what a hinge passes on, summed from the tips,
 *
 *     u . K u = sum over hinges    f . w_p x (w_p x l) + 2 f . w_p x v_r + n . w_p x w_r + u1 u2 n . a1 x a2
 *             + sum over bodies   -m g . w x (w x c)
 *             + springs
 *
 * w_p of what the hinge hangs on, w_r and v_r what the hinge adds, a1 and a2 the axes of a universal hinge. All of that is of one
 * body, but for what couples the turn of one with the rates of the hinge of the next: that of springs at balls too. So a hinge is eliminated as that of an
 * articulated body (factor.c), F = S A + e, except that its row has that coupling c besides H S:
 *
 *     D = H S H* + springs - shift rotors       g = H S + c*       S' = S - g* D^-1 g
 *
 * The signs of all D are those of K - shift M (Sylvester): how many of its eigenvalues lie below the shift. */
#ifndef RCT_OPERATORS_STIFFNESS_H
#define RCT_OPERATORS_STIFFNESS_H

#include "operators/tree.h"

typedef struct rct_stiffness rct_stiffness;

/* Room for that of the tree of `op`, which must outlive it, made to be factored: its factors go there, and those of M are lost. By
 * `length`, m, turns are ways where eigenvectors have both: what they are does not depend on the metre. About 300 bytes a body and 40 a
 * rate. NULL: RCT_ERROR_MEMORY. */
rct_stiffness *rct_stiffness_create(rct_operator *op, double length, rct_error *error);
void rct_stiffness_free(rct_stiffness *k);

/* Where the tree is now: first its weight alone, then what else acts, then the sum of all. */
void rct_stiffness_begin(rct_stiffness *k);

/* A force of constant direction at `arm` from the hinge point of a body, inertial axes. */
void rct_stiffness_push(rct_stiffness *k, int32_t body, const double arm[3], const double force[3]);

/* A force that changes by -C of the motion of that point; C symmetric. */
void rct_stiffness_hold(rct_stiffness *k, int32_t body, const double arm[3], const double C[3][3]);

/* A moment about the hinge point of a body and a force on it, and what it does to second order as a form in the motion (w, v) of the
 * body, symmetric: of each alone. */
void rct_stiffness_load(rct_stiffness *k, int32_t body, const double wrench[6]);
void rct_stiffness_add(rct_stiffness *k, int32_t body, const double form[36]);

/* A spring at the ball hinge of a body: the gradient and the symmetric second derivative H of its energy where the body turns and what it
 * hangs on does not, inertial axes. With turns a of the body and p of the other u . K u has (a - p) . H (a - p) - gradient . p x a of it:
 * one turn after the other, exp(-p) exp(a), is a - p - p x a / 2. */
void rct_stiffness_bend(rct_stiffness *k, int32_t body, const double gradient[3],
                        const double H[3][3]);

/* `gradient` [rates], of the potential energy: what hinges must exert besides `effort` [rates], which they do; they change by
 * -slope [rates] of their coordinates. Both are copied. */
void rct_stiffness_end(rct_stiffness *k, const double *effort, const double *slope,
                       double *gradient);

/* y = K x, which may be the same array. */
void rct_stiffness_times(rct_stiffness *k, const double *x, double *y);

/* Signs of the eigenvalues of K - shift M. */
typedef struct rct_inertia {
    int64_t negative, zero; /* zero: a pivot is rounding; what is solved for has nothing along it */
} rct_inertia;

rct_inertia rct_stiffness_factor(rct_stiffness *k, double shift);

/* What is made positive definite in place of K: its pivots without their signs; or before that what each body has of it, without its
 * couplings. */
typedef enum rct_upright { RCT_UPRIGHT_PIVOTS, RCT_UPRIGHT_BODIES } rct_upright;

/* Factors of that, pivots no less than `least` [rates] along the rates of their hinge; how many were negative by more than rounding. With
 * none, the pivots are those of K, where `least` is 0. */
int64_t rct_stiffness_factor_upright(rct_stiffness *k, rct_upright upright, const double *least);

/* y = (K - shift M)^-1 x, factored before; x and y may be the same array. */
void rct_stiffness_solve(rct_stiffness *k, const double *x, double *y);

/* 1/s^2: what eigenvalues of (K, M) may be by the size of the numbers that bodies and hinges have, an upper bound of their rounding when it
 * is multiplied by that of numbers. */
double rct_stiffness_scale(const rct_stiffness *k);

/* 1/s^2: what eigenvalues may be off by where a state rests but for this gradient [rates]: forces that are left over do work on what turns
 * along, and, over a length, on what slides. */
double rct_stiffness_unrest(const rct_stiffness *k, const double *gradient, double length);

#endif
