/* Spatial operators of seed 001, as explicit matrices: E_phi, phi, H, M, and both factorizations of the mass
 * matrix and of its inverse. For systems small enough to look at. */
#ifndef RCT_REFERENCE_SPATIAL_H
#define RCT_REFERENCE_SPATIAL_H

#include "reference/matrix.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

enum { SPATIAL_MOST_BODIES = 200 };

/* Bodies stand from tips to base: place[k] is the place of body k, and E_phi is strictly lower triangular.
 * Spatial vectors are (angular, linear) at the hinge points, inertial axes; generalized speeds are relative:
 * three rates, inertial axes, for a ball hinge, none for a fixed one. */
typedef struct rct_spatial {
    int32_t n;
    int32_t *body;        /* [n] body at each place                                             */
    int32_t *place;       /* [n]                                                                */
    int64_t *first;       /* [n + 1] first generalized speed of each place                      */
    rct_matrix E_phi;     /* (0.4), (0.10)                                          [6n][6n]    */
    rct_matrix phi;       /* (I - E_phi)^-1, (0.6), (0.12)                          [6n][6n]    */
    rct_matrix H;         /* (0.5)                                                   [N][6n]    */
    rct_matrix M;         /* spatial inertias, block diagonal                       [6n][6n]    */
    rct_matrix P;         /* articulated-body inertias (0.25), block diagonal       [6n][6n]    */
    rct_matrix D;         /* H P H*, block diagonal (0.26)                            [N][N]    */
    rct_matrix D_inverse; /*                                                          [N][N]    */
    rct_matrix G;         /* P H* D^-1                                               [6n][N]    */
    rct_matrix K;         /* E_phi G                                                 [6n][N]    */
    rct_matrix psi;       /* (I - E_psi)^-1, E_psi = E_phi (I - G H), (0.27)        [6n][6n]    */
    rct_matrix mass;      /* H phi M phi* H*, the Newton-Euler factorization          [N][N]    */
    rct_matrix inverse;   /* (I - H psi K)* D^-1 (I - H psi K), Lemma 0.3             [N][N]    */
    double *a;            /* (0.2)                                                       [6n]    */
    double *b;            /* gyroscopic forces less weight                               [6n]    */
} rct_spatial;

/* NULL on failure: RCT_ERROR_UNSUPPORTED for more than SPATIAL_MOST_BODIES, RCT_ERROR_SINGULAR names the body
 * whose block of D is, RCT_ERROR_MEMORY. */
rct_spatial *rct_spatial_create(const rct_model *model, const rct_pose *pose, rct_error *error);
void rct_spatial_free(rct_spatial *spatial);

/* Accelerations and hinge forces of a checked model in the given pose [n], by (0.7) and
 * (0.31), refined. `residual` is the relative size of the last correction. */
rct_status rct_spatial_evaluate(const rct_model *model, const rct_pose *pose,
                                rct_reference_result *result, rct_error *error);

#endif
