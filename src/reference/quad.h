/* Quadruple precision: a floating point type of 113 bits and the little vector algebra the
 * reference formulations need. Only + - * / and comparisons, so that no library beyond the
 * compiler's own is needed. */
#ifndef RCT_REFERENCE_QUAD_H
#define RCT_REFERENCE_QUAD_H

#include <float.h>
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

/* w x (w x l): the part of an acceleration that velocities make. */
static inline quad3 quad3_centripetal(quad3 w, quad3 l)
{
    return quad3_cross(w, quad3_cross(w, l));
}

/* The acceleration of a point that is l from one that accelerates by a, on what turns with w and w_dot. */
static inline quad3 quad3_carried(quad3 a, quad3 w_dot, quad3 w, quad3 l)
{
    return quad3_add(a, quad3_add(quad3_cross(w_dot, l), quad3_centripetal(w, l)));
}

/* Row number `row` of rows of three, in double; NULL: it is not asked for. */
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

#endif
