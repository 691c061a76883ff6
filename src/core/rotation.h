/* Plain 3-vectors, quaternions and rotation matrices for the host: planning, input and output. The
 * kernels have their own on lanes (kernels/lane/spatial.h). */
#ifndef RCT_CORE_ROTATION_H
#define RCT_CORE_ROTATION_H

/* Rotation matrix of q = w x y z, of any length > 0: v_out = m v_in. */
static inline void rct_rotation(const double q[4], double m[3][3])
{
    const double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double xx = s * q[1] * q[1], yy = s * q[2] * q[2], zz = s * q[3] * q[3];
    const double xy = s * q[1] * q[2], xz = s * q[1] * q[3], yz = s * q[2] * q[3];
    const double wx = s * q[0] * q[1], wy = s * q[0] * q[2], wz = s * q[0] * q[3];
    m[0][0] = 1.0 - (yy + zz), m[0][1] = xy - wz, m[0][2] = xz + wy;
    m[1][0] = xy + wz, m[1][1] = 1.0 - (xx + zz), m[1][2] = yz - wx;
    m[2][0] = xz - wy, m[2][1] = yz + wx, m[2][2] = 1.0 - (xx + yy);
}

/* p = a b: first b, then a. `p` must not be a or b. */
static inline void rct_quaternion_product(const double a[4], const double b[4], double p[4])
{
    p[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    p[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    p[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    p[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* out = m v; `out` must not be v. */
static inline void rct_rotate(double m[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

/* out = m^T v; `out` must not be v. */
static inline void rct_rotate_back(double m[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2];
    }
}

static inline double rct_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a x b; `out` must not be a or b. */
static inline void rct_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
