/* Kinematics of the spatial-operator reference: frames, spatial velocities, velocity-product
 * accelerations, and the loads on bodies and hinges, from pose.h and load.h of the references,
 * in double precision. Spatial vectors are (angular, linear) or (moment, force) at the hinge
 * point of the body, inertial axes. */
#ifndef RCT_REFERENCE_SPATIAL_POSE_H
#define RCT_REFERENCE_SPATIAL_POSE_H

#include "reference/pose.h"

#include <riccatree/model.h>

/* ---- vectors and 3x3 matrices: they share no code with what they prove right ---- */

typedef struct spatial_33 {
    double a[3][3];
} spatial_33;

/* c = a x b; c is neither. */
static inline void spatial_cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* y = m x; y is not x. */
static inline void spatial_apply(const spatial_33 *m, const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = m->a[i][0] * x[0] + m->a[i][1] * x[1] + m->a[i][2] * x[2];
    }
}

/* y += f x */
static inline void spatial_add(double y[3], double f, const double x[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] += f * x[i];
    }
}

/* ---- poses ---- */

typedef struct rct_spatial_pose {
    spatial_33 R; /* body axes to inertial axes                                             */
    spatial_33 J; /* kg m^2, inertia about the centre of mass, inertial axes                 */
    double x[3];  /* m, hinge point                                                         */
    double V[6];  /* rad/s, m/s, spatial velocity                                           */
    /* m, from the hinge point of the parent (for bodies on the ground: from its origin) */
    double l[3];
    int freedoms;
    double H[6][6];     /* one row for each freedom: V = phi* V of the parent + H* u              */
    double u[6];        /* rates; of a ball hinge: angular velocity less the parent's             */
    double a[6];        /* alpha = phi* alpha of the parent + H* u' + a; for bodies on the ground it
                  * includes the acceleration of the ground */
    double T[6];        /* generalized forces of springs, dampers and applied hinge forces */
    double armature[6]; /* rotor inertia of the freedoms                                      */
    double load[6];     /* N m, N: forces on the body without weight, about its hinge point       */
} rct_spatial_pose;

/* Fill pose[n] of a checked model with `coordinates` and `rates` body after body (model.h),
 * NULL: the model's initial state. RCT_ERROR_ARGUMENT names the body whose numbers are not
 * finite or whose quaternion has length zero; RCT_ERROR_MEMORY. */
rct_status rct_spatial_pose_all(const rct_model *model, double time, const double *coordinates,
                                const double *rates, rct_spatial_pose *pose, rct_error *error);

#endif
