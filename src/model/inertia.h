/* Principal moments of a symmetric 3x3 matrix, and the inertias that a rigid body can have.
 * Matrices are xx yy zz xy xz yz. */
#ifndef RCT_MODEL_INERTIA_H
#define RCT_MODEL_INERTIA_H

/* Eigenvalues, ascending; the absolute error is a few ulp of the largest. */
void rct_principal_moments(const double inertia[6], double moments[3]);

typedef enum rct_inertia_state {
    RCT_INERTIA_SOUND = 0,
    RCT_INERTIA_NEGATIVE, /* a moment is less than 0                     */
    RCT_INERTIA_UNEVEN,   /* a moment is more than the sum of the other two */
} rct_inertia_state;

/* Moments p <= q <= r of a rigid body have p >= 0 and r <= p + q, with a slack of 1e-9 of the
 * largest. `moments` is filled unless the inertia is SOUND. */
rct_inertia_state rct_inertia_trouble(const double inertia[6], double moments[3]);

/* The closest inertia that a rigid body can have: negative second moments, 1/2 tr(J) - J in the
 * principal axes of J, become 0. */
void rct_inertia_repair(double inertia[6]);

#endif
