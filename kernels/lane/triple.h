/* Three numbers of one link in one vector of the machine, for single lanes: vectors, and 3x3
 * matrices as three rows. Every number is computed by the operations of spatial.h. The fourth
 * number is not used; it repeats another one, because GCC sets a zero there by an instruction that
 * valgrind 3.19 does not know. */
#ifndef RCT_KERNELS_LANE_TRIPLE_H
#define RCT_KERNELS_LANE_TRIPLE_H

#include "kernels/lane/spatial.h"

typedef double triple __attribute__((vector_size(32)));

typedef struct rows3 {
    triple x, y, z;
} rows3;

/* Numbers i, j, k of two triples, those of the second counted from 4, and the fourth of the first;
 * constant. */
#define triple_pick(a, b, i, j, k) __builtin_shufflevector(a, b, i, j, k, 3)

/* Number i in all places; constant. */
#define triple_all(a, i) __builtin_shufflevector(a, a, i, i, i, i)

LANE_INLINE triple triple_set(double s)
{
    return (triple){s, s, s, s};
}

LANE_INLINE triple triple_of(vec3 v)
{
    return (triple){v.x, v.y, v.z, v.z};
}

LANE_INLINE vec3 triple_vec3(triple t)
{
    return (vec3){t[0], t[1], t[2]};
}

LANE_INLINE double triple_dot(triple a, triple b) /* 5 */
{
    const triple p = a * b;
    return p[0] + p[1] + p[2];
}

LANE_INLINE triple triple_cross(triple a, triple b) /* 9 */
{
    const triple c = a * triple_pick(b, b, 1, 2, 0) - triple_pick(a, a, 1, 2, 0) * b;
    return triple_pick(c, c, 1, 2, 0);
}

/* w x (w x r) */
LANE_INLINE triple triple_centripetal(triple w, triple r) /* 19 */
{
    return w * triple_set(triple_dot(w, r)) - r * triple_set(triple_dot(w, w));
}

/* v.x m.x + v.y m.y + v.z m.z: m^T v, or m v of a symmetric m */
LANE_INLINE triple rows3_sum(rows3 m, triple v) /* 15 */
{
    return m.x * triple_all(v, 0) + m.y * triple_all(v, 1) + m.z * triple_all(v, 2);
}

/* a b */
LANE_INLINE rows3 rows3_product(rows3 a, rows3 b) /* 45 */
{
    return (rows3){rows3_sum(b, a.x), rows3_sum(b, a.y), rows3_sum(b, a.z)};
}

LANE_INLINE rows3 rows3_add(rows3 a, rows3 b) /* 9 */
{
    return (rows3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_INLINE rows3 rows3_sub(rows3 a, rows3 b) /* 9 */
{
    return (rows3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANE_INLINE rows3 rows3_transposed(rows3 m)
{
    const triple low = __builtin_shufflevector(m.x, m.y, 0, 4, 2, 6); /* xx yx xz yz */
    const triple high = triple_pick(m.x, m.y, 1, 5, 2);               /* xy yy */
    return (rows3){triple_pick(low, m.z, 0, 1, 4), triple_pick(high, m.z, 0, 1, 5),
                   triple_pick(low, m.z, 2, 3, 6)};
}

/* Symmetric by its upper half. */
LANE_INLINE rows3 rows3_mirrored(rows3 m)
{
    return (rows3){m.x, triple_pick(m.x, m.y, 1, 5, 6),
                   triple_pick(triple_pick(m.x, m.y, 2, 6, 0), m.z, 0, 1, 6)};
}

/* s r~ of a symmetric s */
LANE_INLINE rows3 rows3_times_tilde(rows3 s, triple r) /* 27 */
{
    return (rows3){triple_cross(s.x, r), triple_cross(s.y, r), triple_cross(s.z, r)};
}

/* r~ m */
LANE_INLINE rows3 tilde_times_rows3(triple r, rows3 m) /* 27 */
{
    const triple x = triple_all(r, 0), y = triple_all(r, 1), z = triple_all(r, 2);
    return (rows3){y * m.z - z * m.y, z * m.x - x * m.z, x * m.y - y * m.x};
}

LANE_INLINE rows3 rows3_of_sym3(sym3 s)
{
    return (rows3){{s.xx, s.xy, s.xz, s.xz}, {s.xy, s.yy, s.yz, s.yz}, {s.xz, s.yz, s.zz, s.zz}};
}

LANE_INLINE rows3 rows3_of_mat3(mat3 m)
{
    return (rows3){{m.xx, m.xy, m.xz, m.xz}, {m.yx, m.yy, m.yz, m.yz}, {m.zx, m.zy, m.zz, m.zz}};
}

LANE_INLINE sym3 rows3_sym3(rows3 m)
{
    return (sym3){m.x[0], m.y[1], m.z[2], m.x[1], m.x[2], m.y[2]};
}

LANE_INLINE mat3 rows3_mat3(rows3 m)
{
    return (mat3){m.x[0], m.x[1], m.x[2], m.y[0], m.y[1], m.y[2], m.z[0], m.z[1], m.z[2]};
}

#endif
