/* Operators of a tree of any hinges in O(n), from its present state in inertial axes: the mass
 * matrix and its inverse times columns, the Jacobian of all bodies and its transpose, inverse
 * dynamics (seed 001, sections 3 and 4: the factors of M and of its inverse, which are never
 * formed).
 *
 * Spatial vectors are (angular, linear) or (moment, force) at the hinge point of the body, inertial
 * axes. Rates and columns of them are in body order, as in the public interface; for ball and free
 * hinges they are absolute. So a body takes from its parent the whole motion for most hinges, only
 * the motion of its hinge point for a ball hinge, and nothing for a free hinge.
 *
 * No positions enter, only levers from one hinge point to the next: sums over a long chain lose no
 * digits to its length. */
#ifndef RCT_OPERATORS_TREE_H
#define RCT_OPERATORS_TREE_H

#include <riccatree/force.h>
#include <riccatree/model.h>
#include <riccatree/solver.h>

/* The caller fills it, and keeps the arrays while it is in use. Bodies may come before their
 * parents. */
typedef struct rct_operator_tree {
    int32_t n;
    const int32_t *parent;       /* [n] or RCT_GROUND */
    const rct_hinge_type *hinge; /* [n] */
    const int64_t *first; /* [n + 1] first rate of each body; first[n]: the number of rates */
    /* [rates][6] spatial velocity that a rate gives its body; for ball and free hinges rows of the
     * identity */
    const double *H;
    const double *armature; /* [rates] kg, kg m^2: rotor inertia; NULL: none */
    /* 1: ball hinges have rotors too, about the axes of the body; these take the difference of the
     * angular accelerations of the body and its parent (fill.h). Used to factor and to solve */
    int holds;
    /* [n][3] m, to the hinge point from that of the parent, or from the origin of the ground; not
     * used for free hinges */
    const double *lever;
    const double *mass;    /* [n] kg */
    const double *com;     /* [n][3] m, centre of mass from the hinge point */
    const double *inertia; /* [n][6] kg m^2, xx yy zz xy xz yz about the centre of mass */
    const double *own_com; /* the same in body axes, where they are constants: used to factor */
    const double *own_inertia;
    const double *turn; /* [n][9] body axes to inertial, by rows: used to factor */

    /* For inverse dynamics; else NULL. */
    const double *rates;   /* [rates] */
    const double *load;    /* [n][6] spatial forces on the bodies, except weight; NULL: none */
    const double *gravity; /* [systems][3] m/s^2: body i has number i mod `systems` */
    int32_t systems;
    rct_base_motion ground; /* motion of the ground for hinges on it, except free ones */
} rct_operator_tree;

typedef struct rct_operator rct_operator;

/* Room for operators of `tree`, which must outlive them: about 100 bytes per body; if they are to
 * be factored, 300 bytes per body and 100 per rate more. NULL: RCT_ERROR_MEMORY. */
rct_operator *rct_operator_create(const rct_operator_tree *tree, int factored, rct_error *error);
void rct_operator_free(rct_operator *op);

/* Factor the mass matrix, by articulated inertias or by the Riccati recursion, which has no rotors
 * at ball hinges. Returns -1, or the body whose hinge has a motion that nothing resists. */
int32_t rct_operator_factor(rct_operator *op, rct_method method);

/* Below, `columns` of [rates] follow one another, as do those of [n][3]. x and y may be the same
 * array. */

/* y = M x */
void rct_operator_mass(rct_operator *op, int32_t columns, const double *x, double *y);

/* y = M^-1 x, factored before */
void rct_operator_solve(rct_operator *op, int32_t columns, const double *x, double *y);

/* Its halves, M = N N*: y = N^-1 x, inward, and y = N^-* x, outward. N = (1 + H phi K) L, with D =
 * L L* for any such L (seed 001, eq. .28). */
void rct_operator_inward(rct_operator *op, int32_t columns, const double *x, double *y);
void rct_operator_outward(rct_operator *op, int32_t columns, const double *x, double *y);

/* The same with forces on bodies besides, in two sweeps: y = M^-1 (x - J* reactions), and the
 * spatial velocities of bodies [n][6] at rates y, in memory of the operators. First get the place
 * of the reactions, spatial forces that bodies exert at their hinge points [n][6], all 0, and write
 * them there. */
double *rct_operator_reactions(rct_operator *op);
const double *rct_operator_respond(rct_operator *op, const double *x, double *y);

/* Momenta [n][6] of bodies, spin and linear, inertial axes, if their hinges move by `delta` [rates]
 * in a step of h from where the tree is: by coordinates, for ball and free hinges by a rotation
 * vector in inertial axes. NaN where a body turns by half a turn or more. They are those of the
 * discrete Lagrangian (momenta.c), the same at the start and at the end of the step. */
void rct_operator_momenta(rct_operator *op, const double *delta, double h, double *momenta);

/* The rates y at which the bodies, where the tree is, have these momenta, and rotors those of delta
 * / h: M^-1 J* momenta. Factor before. */
void rct_operator_rates_of(rct_operator *op, const double *momenta, const double *delta, double h,
                           double *y);

/* Velocities of the hinge points and angular velocities for rates x on a ground at rest; either may
 * be NULL. */
void rct_operator_velocities(rct_operator *op, int32_t columns, const double *x, double *linear,
                             double *angular);

/* Generalized forces y of forces at the hinge points and of moments; either may be NULL. */
void rct_operator_gather(rct_operator *op, int32_t columns, const double *force,
                         const double *moment, double *y);

/* The forces and moments [n][3] that parents must exert on the bodies for derivatives x [rates] of
 * the rates, and the effort [rates], their part along the freedoms of the hinge plus that of its
 * rotors; each may be NULL. */
void rct_operator_inverse(rct_operator *op, const double *x, double *force, double *moment,
                          double *effort);

/* `effort` along freedom `rate` of the hinge of a body as wrenches, (moment, force) about hinge
 * points: the least wrench on the body that has this effort and none along its other freedoms, and
 * the opposite on its parent. */
void rct_operator_wrench(const rct_operator_tree *tree, int32_t body, int64_t rate, double effort,
                         double wrench[6], double back[6]);

#endif
