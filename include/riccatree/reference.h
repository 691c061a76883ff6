/* Reference formulations: slow and simple, without code shared with the sweeps, to prove the sweeps
 * right. They are in a library of their own, libriccatree_reference, which must be of the same
 * build as libriccatree, else RCT_ERROR_UNSUPPORTED. */
#ifndef RICCATREE_REFERENCE_H
#define RICCATREE_REFERENCE_H

#include <riccatree/force.h>
#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The formulations. */
typedef enum rct_reference {
    RCT_REFERENCE_LAGRANGE = 0, /* Lagrangian system of seed 004, eq. 10: every body, every hinge
                                 * force, every active loop (eqs. 63-73); dense LU for small
                                 * systems, sparse LU for large ones, residual and update in
                                 * quadruple precision */
    RCT_REFERENCE_TRANSFER = 1, /* plain transfer matrices of seed 000, eqs. 3-19 and 56, for
                                 * trees of ball, free and fixed hinges with up to 200 tips;
                                 * loses all digits on long chains */
    RCT_REFERENCE_SPATIAL = 2,  /* spatial operators of seed 001 as explicit matrices, the mass
                                 * matrix inverted by Lemma 0.3: up to 200 bodies */
    RCT_REFERENCE_DENSE = 3,    /* as LAGRANGE, by dense LU on an accelerator: up to 3,640 bodies
                                 * on ball hinges */

    /* Reductions of the system of seed 004, named by their unknowns. Dense, up to 2000 bodies.
     * All take ball and free hinges; forces, mixed, directions take all hinges; torques, angles
     * also take universal, revolute and fixed ones; barycentres takes only systems that float
     * freely, on ball hinges. Loops are added by eq. 73. */
    RCT_REFERENCE_FORCES = 4,            /* eqs. 14 and 50: hinge forces, constraint torques */
    RCT_REFERENCE_MIXED = 5,             /* eq. 15: angular accelerations and hinge forces */
    RCT_REFERENCE_SPINS = 6,             /* eq. 16: angular accelerations */
    RCT_REFERENCE_AUGMENTED = 7,         /* eq. 28: the same unknowns, the inverse by the graph */
    RCT_REFERENCE_BARYCENTRES = 8,       /* eq. 38: the same unknowns, by augmented bodies and
                                          * their barycentres */
    RCT_REFERENCE_DIRECTIONS = 9,        /* eq. 49, Remark 5: all unknowns, in the constraint
                                          * directions */
    RCT_REFERENCE_TORQUES = 10,          /* eq. 51: angular accelerations and constraint torques */
    RCT_REFERENCE_ANGLES = 11,           /* eq. 61: relative accelerations of the hinges */
    RCT_REFERENCE_SEMI_RECURSIVE_1 = 12, /* seed 003: up to 200 bodies that move in a plane, on
                                          * fixed, revolute, prismatic and planar hinges;
                                          * reference points on the bodies (eq. 48), quadruple
                                          * precision */
    RCT_REFERENCE_SEMI_RECURSIVE_2 = 13, /* the same, with all reference points at the origin
                                          * (eq. 55) */
    RCT_REFERENCE_GAUSS = 14,            /* seed 004, eqs. 39 and 63: Gauss's principle of least
                                          * constraint, by singular values; all hinges, loops, up
                                          * to 200 bodies */
    RCT_REFERENCE_CLOSED_CHAIN = 15,     /* SPATIAL with loops except relations, by steps (A) to
                                          * (F) of seed 001 */
} rct_reference;

/* The name of a formulation; "unknown" for a number that is none. */
RCT_API const char *rct_reference_name(rct_reference reference);

/* The results of a reference, rows in body order, inertial axes. Any array may be NULL. */
typedef struct rct_reference_result {
    double *linear;      /* [n][3] m/s^2, acceleration of the hinge point */
    double *angular;     /* [n][3] rad/s^2 */
    double *force;       /* [n][3] N, from the parent on the body */
    double *moment;      /* [n][3] N m, from the parent on the body, about the hinge point */
    double *derivatives; /* [dof] derivatives of the rates of all hinges, in the order of
                          * rct_solver_get_coordinates */
    double residual;     /* written: relative size of the last correction (lagrange, dense,
                          * spatial, semi-recursive), of the acceleration that remains at roots
                          * and junctions (transfer), or of the acceleration that remains in
                          * directions which hinges forbid (others) */
} rct_reference_result;

/* Compute accelerations of the model for the given orientation [n][4] and angular velocity [n][3]
 * (NULL: the model's initial state). If a hinge is neither ball nor fixed, these do not determine a
 * state, and both must be NULL (else RCT_ERROR_UNSUPPORTED): use rct_reference_evaluate_at.
 *
 * RCT_ERROR_UNSUPPORTED also if the formulation does not cover the model (transfer: too many tips;
 * semi-recursive: a motion that is not planar; all except lagrange: too many bodies; a hinge type; all
 * except lagrange, dense, spatial, closed-chain: a hinge with armature;
 * transfer, spatial: active loops; semi-recursive: loops that are not planar), and if dense finds
 * no accelerator or not the library that it needs there. RCT_ERROR_SINGULAR if a matrix is
 * singular.
 *
 * With active loops the accelerations meet phi'' = 0 for every constraint of riccatree/loop.h,
 * whatever phi and phi' are. Constraints that follow from others, to 1e-10 on the freedoms of the
 * tree, are left out; if the accelerations contradict one of them, RCT_ERROR_LOOP names its loop.
 * Forces and moments of hinges are unique only if no loop constrains what hinges or other loops
 * constrain. Finding dependent constraints takes a dense matrix of constraints by freedoms,
 * RCT_ERROR_UNSUPPORTED above 1 GiB. */
RCT_API rct_status rct_reference_evaluate_sized(const rct_model *model, rct_reference reference,
                                                const double *orientation,
                                                const double *angular_velocity, rct_out result,
                                                rct_error *error);
static inline rct_status rct_reference_evaluate(const rct_model *model, rct_reference reference,
                                                const double *orientation,
                                                const double *angular_velocity,
                                                rct_reference_result *result, rct_error *error)
{
    return rct_reference_evaluate_sized(model, reference, orientation, angular_velocity,
                                        rct_out_of(result, sizeof *result, 0, 0), error);
}

/* Compute the same at `time` (s, for the motion of the ground) with coordinates and rates of all
 * hinges, body after body (model.h); NULL: the model's initial state. */
RCT_API rct_status rct_reference_evaluate_at_sized(const rct_model *model, rct_reference reference,
                                                   double time, const double *coordinates,
                                                   const double *rates, rct_out result,
                                                   rct_error *error);
static inline rct_status rct_reference_evaluate_at(const rct_model *model, rct_reference reference,
                                                   double time, const double *coordinates,
                                                   const double *rates,
                                                   rct_reference_result *result, rct_error *error)
{
    return rct_reference_evaluate_at_sized(model, reference, time, coordinates, rates,
                                           rct_out_of(result, sizeof *result, 0, 0), error);
}

/* Check the identities of seed 001, Lemmas 0.1 to 0.4, (0.34), .5 to .7, on the operators that
 * RCT_REFERENCE_SPATIAL makes of the model's tree without loops. Identities have numbers from 0 to
 * RCT_REFERENCE_IDENTITIES - 1 and names (NULL for another number). `apart`
 * [RCT_REFERENCE_IDENTITIES] gets the largest difference between entries of the two sides, relative
 * to the largest entry of the right side. Coordinates and rates as above, NULL: the initial state.
 * Errors are those of RCT_REFERENCE_SPATIAL. */
enum { RCT_REFERENCE_IDENTITIES = 10 };
RCT_API const char *rct_reference_identity_name(int32_t number);
RCT_API rct_status rct_reference_identities(const rct_model *model, double time,
                                            const double *coordinates, const double *rates,
                                            double *apart, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
