/* A composition of two spans by columns, for lanes that share one: each has a row of E or the free
 * acceleration (abi_span_step.h has the symbols). With M = 1 + Psi_P S_C, row j of E_P as y0,
 * column j of E_C as x, and y = M^-1 y0, z = M^-1 Psi_P x, u = M^-1 (h_P - Psi_P e_C):
 *
 *     S:   column j gains E_P S_C y            e:  entry j gains y . (e_C + S_C h_P)
 *     E:   row j is E_C^T y                    Psi:  column j gains E_C^T z
 *     h:   h_C + E_C^T u
 *
 * T = S_C M^-1 and its counterpart at the outboard end are never formed, and nothing is passed
 * between columns. Of the symmetric sums column j gives the entries (j, j) and (j, j + 1).
 */
#ifndef RCT_KERNELS_LAWS_ABI_COLUMN_STEP_H
#define RCT_KERNELS_LAWS_ABI_COLUMN_STEP_H

#include "kernels/laws/abi_span_step.h"

/* Rows of the matrix with up to three right-hand sides. */
enum { MEET_WIDTH = 6 };

/* Swap rows a and b of n entries where b has the larger entry k. */
LANE_FUNCTION void abi_order_rows(real *a, real *b, int k, int n)
{
    const mask swap = lane_greater(lane_abs(b[k]), lane_abs(a[k]));
    for (int j = k; j < n; j++) {
        const real upper = lane_select(swap, b[j], a[j]);
        b[j] = lane_select(swap, a[j], b[j]);
        a[j] = upper;
    }
}

/* b = a_k b - b_k a: the result of elimination times a_k, without waiting for its reciprocal */
LANE_FUNCTION void abi_reduce_row(const real *a, real *b, int k, int n)
{
    const real factor = b[k];
    for (int j = k + 1; j < n; j++) {
        b[j] = a[k] * b[j] - factor * a[j];
    }
}

/* v = (1 + a b)^-1 v for `count` columns, by elimination with rows in order of size; each of the
 * three reciprocals waits only for its pivot. Returns the size of 1 + a b. */
LANE_FUNCTION real abi_meet_columns(sym3 a, sym3 b, vec3 *v, int count)
{
    const real one = lane_set(1.0);
    const vec3 x = sym3_apply(a, (vec3){b.xx, b.xy, b.xz}); /* columns of a b */
    const vec3 y = sym3_apply(a, (vec3){b.xy, b.yy, b.yz});
    const vec3 z = sym3_apply(a, (vec3){b.xz, b.yz, b.zz});
    const int n = 3 + count;
    real p[MEET_WIDTH] = {one + x.x, y.x, z.x};
    real q[MEET_WIDTH] = {x.y, one + y.y, z.y};
    real r[MEET_WIDTH] = {x.z, y.z, one + z.z};
    const real size = mat3_size((mat3){p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2]});
    for (int j = 3; j < n; j++) {
        p[j] = v[j - 3].x, q[j] = v[j - 3].y, r[j] = v[j - 3].z;
    }
    abi_order_rows(p, q, 0, n);
    abi_order_rows(p, r, 0, n);
    const real ip = lane_reciprocal(p[0]);
    abi_reduce_row(p, q, 0, n);
    abi_reduce_row(p, r, 0, n);
    abi_order_rows(q, r, 1, n);
    const real iq = lane_reciprocal(q[1]);
    abi_reduce_row(q, r, 1, n);
    const real ir = lane_reciprocal(r[2]);
    for (int j = 3; j < n; j++) {
        r[j] = r[j] * ir;
        q[j] = (q[j] - q[2] * r[j]) * iq;
        p[j] = ((p[j] - p[2] * r[j]) - p[1] * q[j]) * ip;
        v[j - 3] = (vec3){p[j], q[j], r[j]};
    }
    return size;
}

/* What column j of M^-1 adds to S and e. */
typedef struct abi_close_column {
    real diagonal, beside; /* what S gains at (j, j) and (j, j + 1) */
    real bias;             /* what e gains at j                     */
    real size;             /* |M^-1 unit|                           */
    real whole;            /* |M|                                   */
} abi_close_column;

/* From y = M^-1 row. */
LANE_FUNCTION abi_close_column abi_close_gains(vec3 y, vec3 row, vec3 next, vec3 free, abi_handle c)
{
    const vec3 sy = sym3_apply(c.s, y);
    const real zero = lane_set(0.0);
    return (abi_close_column){vec3_dot(row, sy), vec3_dot(next, sy),
                              vec3_dot(y, c.e) + vec3_dot(sy, free), zero, zero};
}

LANE_FUNCTION real vec3_size(vec3 a)
{
    return lane_abs(a.x) + lane_abs(a.y) + lane_abs(a.z);
}

/* Whether the joint resists every acceleration by more than rounding: `size` is that of M times
 * that of M^-1, its columns together. */
LANE_FUNCTION mask abi_resists(real size)
{
    return lane_greater(lane_set(0x1p46), size);
}

/* Column j of closing a span (Psi, h, rows j and j + 1 of E) by c, which is less the stand-in;
 * `unit` has a one at j. */
LANE_FUNCTION abi_close_column abi_close_by_column(sym3 psi, vec3 free, vec3 row, vec3 next,
                                                   vec3 unit, abi_handle c) /* 180 */
{
    vec3 v[2] = {row, unit};
    const real whole = abi_meet_columns(psi, c.s, v, 2);
    abi_close_column column = abi_close_gains(v[0], row, next, free, c);
    column.size = vec3_size(v[1]);
    column.whole = whole;
    return column;
}

/* The acceleration of the outboard end of a span, M^-1 (free - Psi e_C). free = E^T A + h is the
 * acceleration with nothing hung on the end. */
LANE_FUNCTION vec3 abi_reach_by_column(sym3 psi, vec3 free, abi_handle c) /* 120 */
{
    vec3 v = vec3_minus_applied(free, psi, c.e);
    abi_meet_columns(psi, c.s, &v, 1);
    return v;
}

typedef struct abi_compose_column {
    abi_close_column close;
    vec3 row;              /* of E; of the fourth column, what h gains */
    real diagonal, beside; /* what Psi gains                           */
} abi_compose_column;

/* What the columns of a composition have in common. */
typedef struct abi_joining {
    sym3 psi;     /* of P                   */
    vec3 free;    /* of P                   */
    abi_handle c; /* less the stand-in of P */
    mat3 through; /* of C                   */
} abi_joining;

/* Column j < 3: rows j and j + 1 of E_P, columns j and j + 1 of E_C. Where `fourth` holds, only the
 * row of the result counts. */
LANE_FUNCTION abi_compose_column abi_compose_by_column(const abi_joining *joining, mask fourth,
                                                       vec3 row, vec3 next, vec3 column,
                                                       vec3 beside, vec3 unit) /* 260 */
{
    const vec3 u = vec3_minus_applied(joining->free, joining->psi, joining->c.e);
    vec3 v[3] = {{lane_select(fourth, u.x, row.x), lane_select(fourth, u.y, row.y),
                  lane_select(fourth, u.z, row.z)},
                 sym3_apply(joining->psi, column),
                 unit};
    const real whole = abi_meet_columns(joining->psi, joining->c.s, v, 3);
    abi_compose_column out;
    out.close = abi_close_gains(v[0], row, next, joining->free, joining->c);
    out.close.size = vec3_size(v[2]);
    out.close.whole = whole;
    out.row = mat3_apply_transposed(joining->through, v[0]);
    out.diagonal = vec3_dot(column, v[1]);
    out.beside = vec3_dot(beside, v[1]);
    return out;
}

#endif
