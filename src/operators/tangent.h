/* Derivatives of the accelerations of a tree, exact, in O(n) per direction: the passes of inverse
 * dynamics (inverse.c), differentiated.
 *
 * With rates u and their derivatives a, R(q, u, a) = M a + ... = 0 is the force that the motion
 * needs, less what acts, along the rates: R = J* F, with F of each body the force that it needs
 * less its loads. Where q moves by dq, a body moves by D = J dq, a turn and a displacement of its
 * hinge point. Rows of H turn with the parent of their hinge, levers with the parent, bodies with
 * themselves. So
 *
 *     da = -M^-1 dR,      dR_r = dH_r . F + H_r . dF,      dF of the parent += phi dF + (dl x f, 0)
 *
 * and from the other end, with y = M^-1 x and Y = J y, x . da = -y . dR = -d(sum of Y . F of all
 * bodies): the same passes backward, from the weights of each body to those of its velocity, its
 * acceleration and its place (adjoint.c). */
#ifndef RCT_OPERATORS_TANGENT_H
#define RCT_OPERATORS_TANGENT_H

#include "operators/tree.h"

/* A force and a moment between two bodies, of which `other` may be the ground: they act on `body`
 * at arm[0] from its hinge point, the opposite on `other` at arm[1]; inertial axes. With ends that
 * move by p at velocities v, matrices by rows, and turns d of the bodies
 *
 *     d force  = hold (p1 - p0)' + damp (v1 - v0)' + turn d0
 *     d moment = twist d0 + back d1 + spin (w1 - w0)' */
typedef struct rct_operator_pair {
    int32_t body, other;
    double arm[2][3], force[3], moment[3];
    double hold[9], damp[9], turn[9], spin[9], twist[9], back[9];
} rct_operator_pair;

/* The effect of loops on two bodies, of which the second may be the ground: moments about their
 * hinge points and forces, inertial axes; and the change of these with turns and displacements of
 * both, by rows. */
typedef struct rct_operator_tie {
    int32_t body[2];
    double wrench[12], hold[144];
} rct_operator_tie;

/* A number that changes with the places, the velocities and the accelerations of two bodies, of
 * which the second may be the ground. */
typedef struct rct_operator_form {
    int32_t body[2];
    double place[12], rate[12], acceleration[12];
} rct_operator_form;

/* What acts besides gravity: pairs, ties, and at hinges with axes efforts that fall by `stiffness`
 * times their coordinate and by `damping` times their rate, [rates] each. And forms whose
 * derivatives are asked for besides. */
typedef struct rct_operator_laws {
    rct_operator_pair *pair;
    int64_t pairs;
    rct_operator_tie *tie;
    int64_t ties;
    double *stiffness, *damping;
    rct_operator_form *form;
    int64_t forms;
} rct_operator_laws;

typedef struct rct_tangent rct_tangent;

/* Derivatives at the state of the tree of `op`, which must be factored, have no load, and outlive
 * the result, as `laws` must; a [rates], the derivatives of the rates there, is copied. About 300
 * bytes per body and 40 per rate. NULL: RCT_ERROR_MEMORY. */
rct_tangent *rct_tangent_create(rct_operator *op, const rct_operator_laws *laws, const double *a,
                                rct_error *error);
void rct_tangent_free(rct_tangent *t);

/* da [rates] where coordinates move by dq, rates change by du and efforts at hinges by dtau; each
 * may be NULL: no change. An effort at a ball is a moment on its body and the opposite on its
 * parent. `change` [forms]: that of forms while accelerations of hinges stay. */
void rct_tangent_times(rct_tangent *t, const double *dq, const double *du, const double *dtau,
                       double *da, double *change);

/* The transpose: x . da + z . change = gq . dq + gu . du + gtau . dtau, z [forms]. Each result may
 * be NULL. */
void rct_tangent_transposed(rct_tangent *t, const double *x, const double *z, double *gq,
                            double *gu, double *gtau);

#endif
