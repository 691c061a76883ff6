/* Quadruple precision: a floating point type of 113 bits and the vector algebra that the
 * reference formulations need. Only + - * / and comparisons, so that no library beyond the
 * compiler's own is needed. */
#ifndef RCT_REFERENCE_QUAD_H
#define RCT_REFERENCE_QUAD_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if LDBL_MANT_DIG == 113
typedef long double quad;
#elif defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#else
#error "the reference formulations need a floating point type of 113 bits"
#endif

typedef struct quad3 {
    quad x[3];
} quad3;

typedef struct quad33 {
    quad a[3][3];
} quad33;

static inline quad quad_abs(quad a)
{
    return a < 0 ? -a : a;
}

static inline quad3 quad3_of(const double v[3])
{
    return (quad3){{v[0], v[1], v[2]}};
}

static inline quad3 quad3_add(quad3 a, quad3 b)
{
    return (quad3){{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
}

static inline quad3 quad3_scale(quad s, quad3 a)
{
    return (quad3){{s * a.x[0], s * a.x[1], s * a.x[2]}};
}

static inline quad3 quad3_subtract(quad3 a, quad3 b)
{
    return (quad3){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static inline quad quad3_dot(quad3 a, quad3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline quad3 quad3_cross(quad3 a, quad3 b)
{
    return (quad3){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                    a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static inline quad3 quad33_apply(const quad33 *m, quad3 v)
{
    quad3 r;
    for (int i = 0; i < 3; i++) {
        r.x[i] = m->a[i][0] * v.x[0] + m->a[i][1] * v.x[1] + m->a[i][2] * v.x[2];
    }
    return r;
}

/* m^T v */
static inline quad3 quad33_apply_transposed(const quad33 *m, quad3 v)
{
    quad3 r;
    for (int i = 0; i < 3; i++) {
        r.x[i] = m->a[0][i] * v.x[0] + m->a[1][i] * v.x[1] + m->a[2][i] * v.x[2];
    }
    return r;
}

/* a b, and a b^T where `transpose` is 1. */
static inline quad33 quad33_product(const quad33 *a, const quad33 *b, int transpose)
{
    quad33 r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r.a[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                r.a[i][j] += a->a[i][k] * (transpose ? b->a[j][k] : b->a[k][j]);
            }
        }
    }
    return r;
}

/* w x (w x l): the velocity part of an acceleration. */
static inline quad3 quad3_centripetal(quad3 w, quad3 l)
{
    return quad3_cross(w, quad3_cross(w, l));
}

/* The acceleration of a point at l from one that accelerates by a, on a body that turns with w
 * and w_dot. */
static inline quad3 quad3_carried(quad3 a, quad3 w_dot, quad3 w, quad3 l)
{
    return quad3_add(a, quad3_add(quad3_cross(w_dot, l), quad3_centripetal(w, l)));
}

/* Write row number `row` of rows of three, in double; NULL: not asked for. */
static inline void quad3_give(quad3 v, double *rows, int64_t row)
{
    for (int k = 0; k < 3 && rows != NULL; k++) {
        rows[3 * row + k] = (double)v.x[k];
    }
}

/* v~ of seed 004, eq. 11: v~ u = v x u. */
static inline quad33 quad33_tilde(quad3 v)
{
    return (quad33){{{0, -v.x[2], v.x[1]}, {v.x[2], 0, -v.x[0]}, {-v.x[1], v.x[0], 0}}};
}

/* ---- roots, angles and turns by + - * / alone: Newton's iteration, and Taylor's series after
 * subtracting quarter turns ---- */

/* Newton's x = (x + a / x) / 2 from the root in double doubles the digits: 16, 32, all. For 0 <=
 * a within the range of double. */
static inline quad quad_root(quad a)
{
    if (!(a > 0)) {
        return 0;
    }
    quad x = sqrt((double)a);
    for (int k = 0; k < 3; k++) {
        x = (x + a / x) / 2;
    }
    return x;
}

/* sin x or cos x for |x| <= pi / 4: the terms x^k / k! of odd or even k with alternating signs. */
static inline quad quad_series(quad x, int first)
{
    quad term = first == 1 ? x : 1;
    quad sum = term;
    for (int k = first + 1; k < 40; k += 2) {
        term *= -x * x / (k * (k + 1));
        sum += term;
    }
    return sum;
}

/* Any angle up to 2^50 rad: n quarter turns are subtracted by the leading 212 bits of pi / 2, as
 * doubles, whose products with n are exact. */
static inline void quad_sine_cosine(quad angle, quad *sine, quad *cosine)
{
    static const double quarter[4] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                      -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-162};
    const double turns = nearbyint((double)angle / quarter[0]);
    quad rest = angle;
    for (int k = 0; k < 4; k++) {
        rest -= (quad)turns * quarter[k];
    }
    const quad s = quad_series(rest, 1), c = quad_series(rest, 0);
    switch ((int)(turns - 4.0 * floor(turns / 4.0))) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

/* v / |v|, |v| > 0 */
static inline quad3 quad3_unit(quad3 v)
{
    return quad3_scale(1 / quad_root(quad3_dot(v, v)), v);
}

/* A unit vector perpendicular to v, the same for the same v: perpendicular to the axis along
 * which v is smallest. */
static inline quad3 quad3_across(quad3 v)
{
    quad3 axis = {{0, 0, 0}};
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = quad_abs(v.x[k]) < quad_abs(v.x[least]) ? k : least;
    }
    axis.x[least] = 1;
    return quad3_unit(quad3_cross(v, axis));
}

/* The turn by `angle` about the unit vector a: cos E + sin a~ + (1 - cos) a a^T. */
static inline quad33 quad33_turn(quad3 a, quad angle)
{
    quad s, c;
    quad_sine_cosine(angle, &s, &c);
    quad33 r = quad33_tilde(quad3_scale(s, a));
    for (int i = 0; i < 3; i++) {
        r.a[i][i] += c;
        for (int j = 0; j < 3; j++) {
            r.a[i][j] += (1 - c) * a.x[i] * a.x[j];
        }
    }
    return r;
}

/* The rotation matrix of w x y z over |q|^2, so that q need not have length 1. */
static inline quad33 quad33_rotation(const double q[4])
{
    const quad w = q[0], x = q[1], y = q[2], z = q[3];
    const quad s = w * w + x * x + y * y + z * z;
    return (quad33){{
        {(w * w + x * x - y * y - z * z) / s, 2 * (x * y - w * z) / s, 2 * (x * z + w * y) / s},
        {2 * (x * y + w * z) / s, (w * w - x * x + y * y - z * z) / s, 2 * (y * z - w * x) / s},
        {2 * (x * z - w * y) / s, 2 * (y * z + w * x) / s, (w * w - x * x - y * y + z * z) / s},
    }};
}

#endif
