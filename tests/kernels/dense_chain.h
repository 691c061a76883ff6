/* A run of links of a plan as Newton's and Euler's equations of all of them at once, in long double and
 * inertial axes: what two-handle segments are held against. */
#ifndef RCT_TESTS_DENSE_CHAIN_H
#define RCT_TESTS_DENSE_CHAIN_H

#include "kernels/links.h"
#include "tests/support/dense.h"

#include <stdint.h>

enum { DENSE_CHAIN_MOST = 16 };

/* What a run answers: of each link acceleration of the hinge point, angular acceleration, force at the
 * hinge from inboard; row [count] has the acceleration of the outboard point and the force there. */
typedef struct dense_chain {
    long double a[DENSE_CHAIN_MOST + 1][3];
    long double alpha[DENSE_CHAIN_MOST][3];
    long double force[DENSE_CHAIN_MOST + 1][3];
} dense_chain;

/* The outboard end is closed by force = s a + e. */
typedef struct dense_end {
    long double s[3][3], e[3];
} dense_end;

static inline void dense_put(int n, long double *m, int row, int column, long double factor,
                             long double b[3][3])
{
    for (int i = 0; i < 9; i++) {
        m[(row + i / 3) * n + column + i % 3] += factor * b[i / 3][i % 3];
    }
}

/* A vector of link axes in inertial ones. */
static inline void dense_turned(const double *q, const double *v, long double out[3])
{
    long double m[3][3];
    const long double wide[3] = {v[0], v[1], v[2]};
    dense_rotation(q, m);
    dense_apply(m, wide, out);
}

/* J about the hinge point in inertial axes. */
static inline void dense_inertia(const double *q, const double *j, long double out[3][3])
{
    long double m[3][3], t[3][3], mj[3][3];
    long double own[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    dense_rotation(q, m);
    for (int i = 0; i < 9; i++) {
        t[i / 3][i % 3] = m[i % 3][i / 3];
    }
    dense_product(m, own, mj);
    dense_product(mj, t, out);
}

/* The nine equations of link k of n, unknowns a_k+1, alpha_k, F_k and their like:
 *
 *     a_k+1 - a_k + r~ alpha = w x (w x r)
 *     F_k - F_k+1 - m a_k + m c~ alpha = m w x (w x c)
 *     J alpha + m c~ a_k + r~ F_k+1 = -(w x J w)
 *
 * a_0 is known, F_n is s a_n + e. Columns: a_1 .. a_n, alpha_0 .., F_0 .. F_n. */
static inline void dense_link(const rct_links *links, const double *state, int32_t i, int k, int n,
                              long double *m, long double *b, const long double *a0)
{
    const int size = 9 * n + 3, row = 9 * k, alpha = 3 * n + 3 * k, force = 6 * n + 3 * k;
    const double *record = links->sweep + (int64_t)i * LINK_FIELDS;
    const double *q = state + (int64_t)i * STATE_FIELDS + STATE_ORIENTATION;
    static const double none[3] = {0.0, 0.0, 0.0};
    const int32_t children = links->child_begin[i + 1] - links->child_begin[i];
    long double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    long double c[3], r[3], w[3], j[3][3], ct[3][3], rt[3][3], jw[3], x[3], y[3];
    dense_turned(q, record + LINK_COM, c);
    dense_turned(q, children > 0 ? record + LINK_FIELDS + LINK_AT : none, r);
    dense_turned(q, state + (int64_t)i * STATE_FIELDS + STATE_RATE, w);
    dense_inertia(q, record + LINK_INERTIA, j);
    dense_tilde(c, ct);
    dense_tilde(r, rt);
    const long double mass = record[LINK_MASS];
    dense_put(size, m, row, 3 * k, 1.0L, one);
    dense_put(size, m, row, alpha, 1.0L, rt);
    dense_put(size, m, row + 3, force, 1.0L, one);
    dense_put(size, m, row + 3, force + 3, -1.0L, one);
    dense_put(size, m, row + 3, alpha, mass, ct);
    dense_put(size, m, row + 6, alpha, 1.0L, j);
    dense_put(size, m, row + 6, force + 3, 1.0L, rt);
    if (k > 0) {
        dense_put(size, m, row, 3 * k - 3, -1.0L, one);
        dense_put(size, m, row + 3, 3 * k - 3, -mass, one);
        dense_put(size, m, row + 6, 3 * k - 3, mass, ct);
    }
    dense_cross(w, r, x);
    dense_cross(w, x, &b[row]);
    dense_cross(w, c, x);
    dense_cross(w, x, y);
    dense_apply(j, w, jw);
    dense_cross(w, jw, x);
    for (int d = 0; d < 3; d++) {
        b[row + 3 + d] = mass * y[d];
        b[row + 6 + d] = -x[d];
    }
    if (k == 0) {
        dense_cross(c, a0, y);
        for (int d = 0; d < 3; d++) {
            b[row + d] += a0[d];
            b[row + 3 + d] += mass * a0[d];
            b[row + 6 + d] -= mass * y[d];
        }
    }
}

/* Links first .. first + n - 1, each the first child of the one before, from the acceleration a0 of the
 * first one's hinge point. */
static inline dense_chain dense_chain_solve(const rct_links *links, const double *state,
                                            int32_t first, int n, const long double a0[3],
                                            const dense_end *end)
{
    const int size = 9 * n + 3;
    dense_chain out;
    long double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, s[3][3];
    long double *m = calloc((size_t)size * (size_t)size, sizeof *m);
    long double *b = calloc((size_t)size, sizeof *b);
    if (m == NULL || b == NULL || n > DENSE_CHAIN_MOST) {
        abort();
    }
    for (int k = 0; k < n; k++) {
        dense_link(links, state, first + k, k, n, m, b, a0);
    }
    for (int i = 0; i < 9; i++) {
        s[i / 3][i % 3] = end->s[i / 3][i % 3];
    }
    dense_put(size, m, 9 * n, 9 * n, 1.0L, one);
    dense_put(size, m, 9 * n, 3 * n - 3, -1.0L, s);
    for (int d = 0; d < 3; d++) {
        b[9 * n + d] = end->e[d];
    }
    dense_solve(size, m, b);
    for (int d = 0; d < 3; d++) {
        out.a[0][d] = a0[d];
        for (int k = 0; k <= n; k++) {
            out.force[k][d] = b[6 * n + 3 * k + d];
            if (k < n) {
                out.a[k + 1][d] = b[3 * k + d];
                out.alpha[k][d] = b[3 * n + 3 * k + d];
            }
        }
    }
    free(m);
    free(b);
    return out;
}

#endif
