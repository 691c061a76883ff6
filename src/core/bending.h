/* Springs at ball hinges (kernels/laws/bending.h), on the host. A body turned from its hinge frame
 * by the rotation vector theta, which has the same components in both, has the energy theta . K
 * theta / 2; K is diagonal. */
#ifndef RCT_CORE_BENDING_H
#define RCT_CORE_BENDING_H

#include "core/rotation.h"

#include <math.h>

/* theta of a quaternion of any length > 0, |theta| <= pi. */
static inline void rct_rotation_vector(const double q[4], double theta[3])
{
    const double sine = sqrt(rct_dot(q + 1, q + 1)), cosine = fabs(q[0]);
    const double ratio = 2.0 * (sine > 0.0 ? atan2(sine, cosine) / sine : 1.0 / cosine);
    for (int i = 0; i < 3; i++) {
        theta[i] = q[0] < 0.0 ? -ratio * q[1 + i] : ratio * q[1 + i];
    }
}

/* A quaternion of any length with the rotation m: the row of q q^T with the largest component. */
static inline void rct_quaternion_along(double m[3][3], double q[4])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    double most = trace;
    int k = -1;
    for (int i = 0; i < 3; i++) {
        if (m[i][i] > most) {
            most = m[i][i];
            k = i;
        }
    }
    q[0] = k < 0 ? 1.0 + trace : m[(k + 2) % 3][(k + 1) % 3] - m[(k + 1) % 3][(k + 2) % 3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        q[1 + i] = k < 0 ? m[l][j] - m[j][l] : m[i][k] + m[k][i] + (i == k ? 1.0 - trace : 0.0);
    }
}

/* theta of a link with axes `own` on a link with axes `up`, both to inertial, by rows; `frame`:
 * quaternion from the hinge frame to the axes `up`. */
static inline void rct_bending_vector(const double up[9], const double frame[4],
                                      const double own[9], double theta[3])
{
    double turn[3][3] = {{0.0}}, q[4], both[4];
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) {
            turn[i / 3][i % 3] += up[3 * k + i / 3] * own[3 * k + i % 3];
        }
    }
    const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
    rct_quaternion_along(turn, q);
    rct_quaternion_product(back, q, both);
    rct_rotation_vector(both, theta);
}

/* A turn eta of the body changes theta by
 *
 *     J eta = eta - theta x eta / 2 + c theta x (theta x eta)        c = (1 - (t / 2) cot(t / 2)) / t^2, t = |theta|
 *
 * with eta in the axes of the hinge frame; in those of the body the transpose of J applies. Gives
 * c, and (dc / dt) / t: */
static inline void rct_bending_factors(const double theta[3], double *c, double *slope)
{
    /* below this angle a sum is used, with terms 2 zeta(2 k) / (2 pi)^(2 k) t^(2 k - 2), because
     * the closed form cancels */
    static const double small = 0.5;
    static const double terms[] = {1.0 / 12.0,          1.0 / 720.0,
                                   1.0 / 30240.0,       1.0 / 1209600.0,
                                   1.0 / 47900160.0,    691.0 / 1307674368000.0,
                                   1.0 / 74724249600.0, 3617.0 / 10670622842880000.0};
    const int last = sizeof terms / sizeof terms[0] - 1;
    const double square = rct_dot(theta, theta), t = sqrt(square), half = 0.5 * t;
    *c = terms[last];
    *slope = 2.0 * last * terms[last];
    for (int k = last - 1; k >= 0; k--) {
        *c = *c * square + terms[k];
        *slope = k > 0 ? *slope * square + 2.0 * k * terms[k] : *slope;
    }
    if (t > small) {
        const double cot = cos(half) / sin(half);
        *c = (1.0 - half * cot) / square;
        *slope = (-2.0 / t + 0.5 * cot + 0.25 * t / (sin(half) * sin(half))) / (square * t);
    }
}

/* J eta for `sign` 1; the transpose of J for -1. */
static inline void rct_bending_turn(const double theta[3], double c, double sign,
                                    const double eta[3], double out[3])
{
    double once[3], twice[3];
    rct_cross(theta, eta, once);
    rct_cross(theta, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = eta[i] - 0.5 * sign * once[i] + c * twice[i];
    }
}

#endif
