/* Spatial operators of seed 001, as explicit matrices: E_phi, phi, H, M, and both factorizations
 * of the mass matrix and of its inverse. For systems small enough to look at. */
#ifndef RCT_REFERENCE_SPATIAL_SPATIAL_H
#define RCT_REFERENCE_SPATIAL_SPATIAL_H

#include "reference/algebra.h"
#include "reference/spatial/pose.h"

#include <riccatree/reference.h>

enum { SPATIAL_MOST_BODIES = 200 };

/* Bodies are ordered from tips to base: place[k] is the place of body k, and E_phi is strictly
 * lower triangular. Spatial vectors are (angular, linear) at the hinge points, inertial axes.
 * Generalized speeds beta are the rates of the hinges in the order of places: for a ball hinge
 * those relative to the parent, inertial axes; for a free hinge angular velocity, then velocity.
 * rct_spatial_absolute converts to the rates of the public interface. */
typedef struct rct_spatial {
    int32_t n;
    rct_algebra algebra;  /* memory of the following fields                                     */
    int32_t *body;        /* [n] body at each place                                             */
    int32_t *place;       /* [n]                                                                */
    int64_t *first;       /* [n + 1] first generalized speed of each place                      */
    int64_t *row;         /* [n] first public rate of each body                                 */
    rct_matrix E_phi;     /* (0.4), (0.10)                                          [6n][6n]    */
    rct_matrix phi;       /* (I - E_phi)^-1, (0.6), (0.12)                          [6n][6n]    */
    rct_matrix H;         /* (0.5)                                                   [N][6n]    */
    rct_matrix M;         /* spatial inertias, block diagonal                       [6n][6n]    */
    rct_matrix P;         /* articulated-body inertias (0.25), block diagonal       [6n][6n]    */
    rct_matrix D;         /* H P H* and armature, block diagonal (0.26)               [N][N]    */
    rct_matrix D_inverse; /*                                                          [N][N]    */
    rct_matrix G;         /* P H* D^-1                                               [6n][N]    */
    rct_matrix K;         /* E_phi G                                                 [6n][N]    */
    rct_matrix psi;       /* (I - E_psi)^-1, E_psi = E_phi (I - G H), (0.27)        [6n][6n]    */
    rct_matrix mass;      /* H phi M phi* H*, the Newton-Euler factorization, and armature [N][N] */
    rct_matrix inverse;   /* (I - H psi K)* D^-1 (I - H psi K), Lemma 0.3             [N][N]    */
    double *a;            /* (0.2), with the motion of the ground                        [6n]    */
    double *b;            /* gyroscopic forces less weight and forces on the body        [6n]    */
    double *T;            /* effort of springs, dampers and drives of the hinges [N]             */
    double *armature;     /* rotor inertia of hinges, on the diagonal of the mass matrix  [N]    */
} rct_spatial;

/* NULL on failure: RCT_ERROR_UNSUPPORTED for more than SPATIAL_MOST_BODIES; RCT_ERROR_SINGULAR
 * names the body whose block of D is singular; RCT_ERROR_MEMORY. */
rct_spatial *rct_spatial_create(const rct_model *model, const rct_spatial_pose *pose,
                                rct_error *error);
void rct_spatial_free(rct_spatial *spatial);

/* Accelerations and hinge forces by (0.7) and (0.31), refined, at `time` with coordinates and
 * rates as in rct_reference_evaluate_at; the model is checked first. Hinge force and moment are
 * everything that the hinge transmits, including springs, dampers and drives, the moment about
 * the hinge point of the body. `residual` is the relative size of the last correction. */
rct_status rct_spatial_evaluate_at(const rct_model *model, double time, const double *coordinates,
                                   const double *rates, rct_reference_result *result,
                                   rct_error *error);

/* The same for a model with active loops, by steps (A) to (F) of seed 001 (closed.c).
 * RCT_ERROR_LOOP and RCT_ERROR_UNSUPPORTED name a loop that contradicts others or is a relation.
 * `residual` is the error of the constraints before the last correction. */
rct_status rct_spatial_close_at(const rct_model *model, double time, const double *coordinates,
                                const double *rates, rct_reference_result *result,
                                rct_error *error);

/* The difference of the sides of each identity of seed 001 (identities.c),
 * [RCT_REFERENCE_IDENTITIES]. */
rct_status rct_spatial_identities_at(const rct_model *model, double time, const double *coordinates,
                                     const double *rates, double *apart, rct_error *error);

/* Inverse dynamics for derivatives [N] of the public rates: the forces and moments that hinges
 * carry, [n][3] as above, and the efforts [N] along their freedoms, in the order of the public
 * rates and including rotors. Any of the three may be NULL. */
rct_status rct_spatial_inverse_at(const rct_model *model, double time, const double *coordinates,
                                  const double *rates, const double *derivatives, double *force,
                                  double *moment, double *effort, rct_error *error);

/* Public rates are C beta: in body order, absolute for ball hinges. Both matrices [N][N] are
 * kept with the operators: `from` is C, `to` its inverse, each written directly from the tree.
 * So the mass matrix of the public rates is to* M to, its inverse from M^-1 from*. */
rct_status rct_spatial_absolute(const rct_model *model, rct_spatial *spatial, rct_matrix *from,
                                rct_matrix *to, rct_error *error);

/* These two matrices, likewise. */
rct_status rct_spatial_mass(const rct_model *model, rct_spatial *spatial, rct_matrix *mass,
                            rct_matrix *inverse, rct_error *error);

#endif
