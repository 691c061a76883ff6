/* Random spans, and the difference between two spans. */
#ifndef RCT_TESTS_SPANS_H
#define RCT_TESTS_SPANS_H

#include "kernels/laws/abi_span_step.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <math.h>

static inline double sym3_norm(sym3 s)
{
    return sqrt(s.xx * s.xx + s.yy * s.yy + s.zz * s.zz +
                2.0 * (s.xy * s.xy + s.xz * s.xz + s.yz * s.yz));
}

/* Q diag(d) Q^T with eigenvalues scale * 10^(-spread .. 0), the last `null` of them zero. */
static inline sym3 draw_semidefinite(uint64_t *random, double scale, double spread, int null)
{
    double q[3][3], d[3], m[3][3] = {{0.0}};
    draw_rotation(random, q);
    for (int k = 0; k < 3; k++) {
        d[k] = k >= 3 - null ? 0.0 : scale * pow(10.0, -spread * draw_between(random, 0.0, 1.0));
        for (int i = 0; i < 9; i++) {
            m[i / 3][i % 3] += q[i / 3][k] * d[k] * q[i % 3][k];
        }
    }
    return (sym3){m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
}

static inline vec3 draw_vector(uint64_t *random, double size)
{
    double v[3];
    draw_numbers(random, v, 3, size);
    return (vec3){v[0], v[1], v[2]};
}

/* A random span: S, Psi semidefinite, E no larger than that of a free chain. */
static inline abi_span draw_span(uint64_t *random, double mass)
{
    double e[9];
    draw_numbers(random, e, 9, 0.6);
    return (abi_span){{draw_semidefinite(random, mass, 2.0, 0), draw_vector(random, 10.0 * mass)},
                      {e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]},
                      draw_vector(random, 10.0),
                      draw_semidefinite(random, 1.0 / mass, 2.0, 0)};
}

static inline double mat3_off(mat3 a, mat3 b)
{
    const double x[9] = {a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz};
    const double y[9] = {b.xx, b.xy, b.xz, b.yx, b.yy, b.yz, b.zx, b.zy, b.zz};
    double most = 0.0;
    for (int i = 0; i < 9; i++) {
        most = larger(most, fabs(x[i] - y[i]));
    }
    return most;
}

static inline double sym3_off(sym3 a, sym3 b)
{
    return sym3_norm(
        (sym3){a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz});
}

static inline double vec3_off(vec3 a, vec3 b)
{
    const vec3 d = vec3_sub(a, b);
    return sqrt(vec3_dot(d, d));
}

#endif
