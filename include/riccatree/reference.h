/* Reference formulations: slow, obvious, sharing no code with the sweeps. They prove them right. They are a library of
 * their own, libriccatree_reference, beside libriccatree and of the same build: RCT_ERROR_UNSUPPORTED if it is not. */
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
                                   force, every active loop (eqs. 63-73); dense LU for small
                                   systems, sparse LU for large ones, residual and update in
                                   quadruple precision                                           */
    RCT_REFERENCE_TRANSFER = 1, /* plain transfer matrices of seed 000, eqs. 3-19 and 56, for trees
                                   of ball, free and fixed hinges with up to 200 tips; loses all
                                   digits on long chains                                          */
    RCT_REFERENCE_SPATIAL = 2,  /* spatial operators of seed 001 as explicit matrices, the mass
                                   matrix inverted by Lemma 0.3: up to 200 bodies                 */
    RCT_REFERENCE_DENSE = 3,    /* as LAGRANGE, by dense LU on an accelerator: up to 3,640 bodies
                                   of ball hinges                                                 */

    /* Reductions of the system of seed 004, by what is left to solve for. Dense, up to 2000 bodies. Ball and
     * free hinges; all hinges: forces, mixed, directions; also universal, revolute and fixed ones: torques, angles; all that
     * floats freely, on ball hinges: barycentres. Loops by eq. 73 on top of each. */
    RCT_REFERENCE_FORCES = 4,    /* eqs. 14 and 50: hinge forces, constraint torques             */
    RCT_REFERENCE_MIXED = 5,     /* eq. 15: angular accelerations and hinge forces               */
    RCT_REFERENCE_SPINS = 6,     /* eq. 16: angular accelerations                                */
    RCT_REFERENCE_AUGMENTED = 7, /* eq. 28: the same, the inverse by the graph                   */
    RCT_REFERENCE_BARYCENTRES =
        8,                        /* eq. 38: the same by augmented bodies and their barycentres   */
    RCT_REFERENCE_DIRECTIONS = 9, /* eq. 49, Remark 5: everything, in the constraint directions   */
    RCT_REFERENCE_TORQUES = 10,   /* eq. 51: angular accelerations and constraint torques         */
    RCT_REFERENCE_ANGLES = 11,    /* eq. 61: relative accelerations of the hinges                 */
    RCT_REFERENCE_SEMI_RECURSIVE_1 =
        12, /* seed 003: up to 200 bodies that move in a plane, on fixed,
                                            revolute, prismatic and planar hinges; reference points on
                                            the bodies (eq. 48), quadruple precision             */
    RCT_REFERENCE_SEMI_RECURSIVE_2 = 13, /* the same, all reference points in the origin (eq. 55) */
    RCT_REFERENCE_GAUSS = 14, /* seed 004, eqs. 39 and 63: Gauss's least constraint, by singular
                                 values; all hinges, loops, up to 200 bodies                   */
    RCT_REFERENCE_CLOSED_CHAIN =
        15, /* SPATIAL with loops but relations by steps (A) to (F) of seed 001 */
} rct_reference;

/* The name of a formulation; "unknown" of a number that is none. */
RCT_API const char *rct_reference_name(rct_reference reference);

/* What a reference returns, rows in body order, inertial axes. Any array may be NULL. */
typedef struct rct_reference_result {
    double *linear;  /* [n][3] m/s^2, acceleration of the hinge point                           */
    double *angular; /* [n][3] rad/s^2                                                          */
    double *force;   /* [n][3] N, from the parent on the body                                   */
    double *moment;  /* [n][3] N m, from the parent on the body, about the hinge point          */
    double *
        derivatives; /* [dof] of the rates of all hinges, in the order of rct_solver_get_coordinates */
    double residual; /* written: relative size of the last correction (lagrange, dense, spatial,
                        semi-recursive), of the acceleration left at roots and junctions (transfer), that hinges
                        forbid (others)                                                      */
} rct_reference_result;

/* Accelerations of the model with the given orientation [n][4] and angular velocity [n][3] (NULL: the model's
 * initial state). Where a hinge is neither ball nor fixed they are no state, and both must be NULL
 * (RCT_ERROR_UNSUPPORTED): use rct_reference_evaluate_at. RCT_ERROR_UNSUPPORTED too where the formulation does not
 * cover the model (transfer: too many tips; semi-recursive: a motion that is not planar; all but
 * lagrange: too many bodies; a hinge type; transfer, spatial: active loops;
 * semi-recursive: those that no plane has) and where dense finds no accelerator or not the library it needs there, RCT_ERROR_SINGULAR where a
 * matrix is.
 *
 * With active loops the accelerations are those that close them, phi'' = 0 of every constraint of
 * riccatree/loop.h, whatever phi and phi' are. Constraints that follow from others, to 1e-10 on the freedoms of the
 * tree, are left out; if the accelerations contradict one of them, RCT_ERROR_LOOP names its loop. Forces and moments
 * of hinges are unique only where no loop holds what hinges or other loops hold. To find them out takes a dense matrix
 * of constraints by freedoms, RCT_ERROR_UNSUPPORTED above 1 GiB. */
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

/* The same at `time` (s, for the motion of the ground) with coordinates and rates of all hinges, body after
 * body (model.h); NULL: the model's initial state. */
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

/* The identities of seed 001, Lemmas 0.1 to 0.4, (0.34), .5 to .7, on the operators that RCT_REFERENCE_SPATIAL makes of the model's
 * tree, loops left out: number 0 to RCT_REFERENCE_IDENTITIES - 1, its name (else NULL), and into apart
 * [RCT_REFERENCE_IDENTITIES] the largest entry by which the two sides of each differ, relative to the largest of the right one.
 * Coordinates and rates as above, NULL: the initial state. Errors are those of RCT_REFERENCE_SPATIAL. */
enum { RCT_REFERENCE_IDENTITIES = 10 };
RCT_API const char *rct_reference_identity_name(int32_t number);
RCT_API rct_status rct_reference_identities(const rct_model *model, double time,
                                            const double *coordinates, const double *rates,
                                            double *apart, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
