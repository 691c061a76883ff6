/* Elements of the Riccati transfer matrix recursion, in the symbols and signs of seed 000.
 *
 * State at a connection point: z_a = (m, q) moment and force, z_b = (r'', W') linear and angular
 * acceleration. The components are those in the axes of the link at hand, not in inertial axes as in
 * the seed, and are turned at each hinge (docs/decisions.md has the digits this saves). Transfer runs from tip to root; an element maps its input end I to its
 * output end O (eq. 20), and below it z_a = S z_b + e holds (eq. 21). Both kinds of element follow
 * eqs. 24, 29, 30:
 *
 *     z_b,I = P z_b,O + P q        S' = (T11 S + T12) P        e' = T11 e + f_a + S' q
 *
 * Body (eqs. 4, 5): T21 = 0, so P = T22^-1 = [1 -E1; 0 1] and q = -f_b.
 *
 * Hinge (eq. 10): T11 = 1, T12 = 0; r'' is common to both ends, W' is new at the output. Its old
 * value follows from one moment equation, the closing row u:
 *
 *     0 = u1 r'' + u2 W'_O + u3 m + u4 q + u5
 *
 * The seed takes the third block row of the body the hinge leads to: that body's m_O = 0. Written
 * so, u_{3,2}^-1 of eq. 10 cancels in P. Its moment equations then miss that of the first body, and
 * the overall equation is singular (docs/seed-notes.md); the sweeps close each hinge by its own
 * m = 0: u3 = 1, the other u zero. In the same function the seed's row gives its closed forms
 * (eqs. 46, 47).
 */
#ifndef RCT_TESTS_KERNELS_RICCATI_ELEMENTS_H
#define RCT_TESTS_KERNELS_RICCATI_ELEMENTS_H

#include "kernels/laws/riccati_step.h"

/* The closing row of a hinge: 3x3 blocks u_{3,1} ... u_{3,4} and u_{3,5}. */
typedef struct riccati_row {
    mat3 u1, u2, u3, u4;
    vec3 u5;
} riccati_row;

/* The input follows from the output across a hinge: W'_I = b r'' + w W'_O + d. */
typedef struct riccati_hinge {
    mat3 b, w;
    vec3 d;
    mask regular; /* the closing row determines W'_I */
    lu3 factor;   /* LU of the moment of inertia about the hinge, which multiplies W'_I */
} riccati_hinge;

/* A body as in eq. 5, in link axes: from the input I to centre of mass C and output O. */
typedef struct riccati_body {
    real mass;
    vec3 ic, io;
    sym3 inertia; /* about I */
    vec3 rate;
    vec3 force; /* external, at C */
} riccati_body;

static inline vec6 mat6_apply(const mat6 *a, const vec6 *x) /* 66 */
{
    vec6 y;
    for (int i = 0; i < 6; i++) {
        real sum = a->m[i][0] * x->v[0];
        for (int k = 1; k < 6; k++) {
            sum += a->m[i][k] * x->v[k];
        }
        y.v[i] = sum;
    }
    return y;
}

/* -C^-1 B */
static inline mat3 lu3_solve_negative(lu3 f, mat3 b) /* 54 */
{
    const vec3 x = lu3_solve(f, (vec3){b.xx, b.yx, b.zx});
    const vec3 y = lu3_solve(f, (vec3){b.xy, b.yy, b.zy});
    const vec3 z = lu3_solve(f, (vec3){b.xz, b.yz, b.zz});
    return (mat3){-x.x, -y.x, -z.x, -x.y, -y.y, -z.y, -x.z, -y.z, -z.z};
}

/* J about a point p, with the centre of mass at c: J_C + m (c.c 1 - c c^T). */
static inline sym3 inertia_shifted(sym3 j, real m, vec3 c) /* 30 */
{
    const vec3 mc = vec3_scale(m, c);
    return (sym3){j.xx + (c.y * mc.y + c.z * mc.z),
                  j.yy + (c.x * mc.x + c.z * mc.z),
                  j.zz + (c.x * mc.x + c.y * mc.y),
                  j.xy - c.x * mc.y,
                  j.xz - c.x * mc.z,
                  j.yz - c.y * mc.z};
}

/* The third block row of a body's transfer matrix (eq. 4): m_O = u1 r'' + u2 W' + u3 m + u4 q + u5,
 * input quantities on the right. u1 = E6 E3 + E7, u2 = E6 E4 + E8, u4 = E6, u5 = E6 E5 + E9. */
static inline riccati_row riccati_moment_row(const riccati_body *b)
{
    const real one = lane_set(1.0);
    const mat3 e4 = mat3_tilde(b->mass, b->ic);
    const mat3 e6 = mat3_tilde(one, b->io);
    const vec3 e5 = vec3_sub(b->force, vec3_scale(b->mass, vec3_centripetal(b->rate, b->ic)));
    const vec3 gyroscopic = sym3_gyroscopic(b->inertia, b->rate);
    const vec3 e9 = vec3_sub(gyroscopic, vec3_cross(b->ic, b->force));
    riccati_row row;
    row.u1 = mat3_add(mat3_tilde(-b->mass, b->io), e4);
    row.u2 = mat3_add(mat3_product(e6, e4), mat3_of_sym3(b->inertia));
    row.u3 = mat3_diagonal(one);
    row.u4 = e6;
    row.u5 = vec3_add(vec3_cross(b->io, e5), e9);
    return row;
}

/* The row that closes a smooth hinge by its own moment: 0 = m. */
static inline riccati_row riccati_smooth_row(void)
{
    const mat3 zero = mat3_diagonal(lane_set(0.0));
    return (riccati_row){zero, zero, mat3_diagonal(lane_set(1.0)), zero, vec3_zero()};
}

/* Take (S, e) from the input to the output of a body: eqs. 4, 5, 20, 24, 29, 30. */
static inline void riccati_cross_body(const riccati_body *b, riccati *z) /* about 450 */
{
    const riccati_row row = riccati_moment_row(b);
    const vec3 e2 = vec3_centripetal(b->rate, b->io);
    const vec3 e5 = vec3_sub(b->force, vec3_scale(b->mass, vec3_centripetal(b->rate, b->ic)));
    const mat3 p = mat3_tilde(lane_set(1.0), b->io); /* T22^-1 = [1 p; 0 1]: T22 = [1 E1; 0 1] */
    const mat3 s_qr = mat6_block(&z->s, 3, 0), s_qw = mat6_block(&z->s, 3, 3);
    /* T = T11 S + T12 by blocks, T11 = [1 E6; 0 1] */
    const mat3 mr = mat3_add(mat3_add(mat6_block(&z->s, 0, 0), mat3_product(row.u4, s_qr)), row.u1);
    const mat3 mw = mat3_add(mat3_add(mat6_block(&z->s, 0, 3), mat3_product(row.u4, s_qw)), row.u2);
    const mat3 qr = mat3_add(s_qr, mat3_diagonal(-b->mass));
    const mat3 qw = mat3_add(s_qw, mat3_tilde(b->mass, b->ic));
    const vec3 m = vec3_add(vec6_upper(&z->e), mat3_apply(row.u4, vec6_lower(&z->e)));
    mat6_set_block(&z->s, 0, 0, mr);
    mat6_set_block(&z->s, 0, 3, mat3_add(mat3_product(mr, p), mw));
    mat6_set_block(&z->s, 3, 0, qr);
    mat6_set_block(&z->s, 3, 3, mat3_add(mat3_product(qr, p), qw));
    z->e = vec6_of(vec3_sub(vec3_add(m, row.u5), mat3_apply(mr, e2)),
                   vec3_sub(vec3_add(vec6_lower(&z->e), e5), mat3_apply(qr, e2)));
}

/* Take (S, e) across a hinge closed by `row`: eqs. 24, 29, 30 with T11 = 1, T12 = 0. */
static inline riccati_hinge riccati_cross_hinge(const riccati_row *row, riccati *z) /* about 550 */
{
    const mat3 s_mr = mat6_block(&z->s, 0, 0);
    const mat3 s_mw = mat6_block(&z->s, 0, 3);
    const mat3 s_qr = mat6_block(&z->s, 3, 0);
    const mat3 s_qw = mat6_block(&z->s, 3, 3);
    const mat3 c = mat3_add(mat3_product(row->u3, s_mw), mat3_product(row->u4, s_qw));
    const mat3 b =
        mat3_add(row->u1, mat3_add(mat3_product(row->u3, s_mr), mat3_product(row->u4, s_qr)));
    const vec3 d = vec3_add(row->u5, vec3_add(mat3_apply(row->u3, vec6_upper(&z->e)),
                                              mat3_apply(row->u4, vec6_lower(&z->e))));
    riccati_hinge hinge;
    const lu3 f = lu3_factor(c);
    hinge.regular = f.regular;
    hinge.factor = f;
    hinge.b = lu3_solve_negative(f, b);
    hinge.w = lu3_solve_negative(f, row->u2);
    hinge.d = vec3_scale(lane_set(-1.0), lu3_solve(f, d));
    /* S P by blocks, P = [1 0; b w], and S P q, P q = (0, d) */
    mat6_set_block(&z->s, 0, 0, mat3_add(s_mr, mat3_product(s_mw, hinge.b)));
    mat6_set_block(&z->s, 0, 3, mat3_product(s_mw, hinge.w));
    mat6_set_block(&z->s, 3, 0, mat3_add(s_qr, mat3_product(s_qw, hinge.b)));
    mat6_set_block(&z->s, 3, 3, mat3_product(s_qw, hinge.w));
    z->e = vec6_of(vec3_add(vec6_upper(&z->e), mat3_apply(s_mw, hinge.d)),
                   vec3_add(vec6_lower(&z->e), mat3_apply(s_qw, hinge.d)));
    return hinge;
}

/* (S, e) in other axes: each 3x3 block B as q B q^T. */
static inline riccati riccati_turn(mat3 q, const riccati *z)
{
    const mat3 qt = {q.xx, q.yx, q.zx, q.xy, q.yy, q.zy, q.xz, q.yz, q.zz};
    riccati out = {.e =
                       vec6_of(mat3_apply(q, vec6_upper(&z->e)), mat3_apply(q, vec6_lower(&z->e)))};
    for (int i = 0; i < 6; i += 3) {
        for (int j = 0; j < 6; j += 3) {
            mat6_set_block(&out.s, i, j,
                           mat3_product(q, mat3_product(mat6_block(&z->s, i, j), qt)));
        }
    }
    return out;
}

/* Multi-hinge subsystem (eqs. 7-17): carries the k-th input of a body to its first. With r = I1 ->
 * Ik the geometric equation r''_k = r''_1 - r~ W' + W~ W~ r (eq. 14) transforms z_b, the additional
 * columns of eq. 8 transform z_a: m = m_k - r~ q_k, q = q_k. `z` is added to `sum`. */
static inline void riccati_add_input(const riccati *z, vec3 r, vec3 rate, riccati *sum)
{
    const mat3 t = mat3_tilde(lane_set(-1.0), r); /* of [1 t; 0 1] S [1 t; 0 1] */
    const mat3 mr = mat6_block(&z->s, 0, 0), qr = mat6_block(&z->s, 3, 0);
    const mat3 mw = mat3_add(mat3_product(mr, t), mat6_block(&z->s, 0, 3));
    const mat3 qw = mat3_add(mat3_product(qr, t), mat6_block(&z->s, 3, 3));
    const vec3 v = vec3_centripetal(rate, r);
    const vec3 em = vec3_add(mat3_apply(mr, v), vec6_upper(&z->e));
    const vec3 eq = vec3_add(mat3_apply(qr, v), vec6_lower(&z->e));
    const vec6 e = vec6_of(vec3_add(em, mat3_apply(t, eq)), eq);
    mat6 s;
    mat6_set_block(&s, 0, 0, mat3_add(mr, mat3_product(t, qr)));
    mat6_set_block(&s, 0, 3, mat3_add(mw, mat3_product(t, qw)));
    mat6_set_block(&s, 3, 0, qr);
    mat6_set_block(&s, 3, 3, qw);
    for (int i = 0; i < 6; i++) {
        sum->e.v[i] += e.v[i];
        for (int j = 0; j < 6; j++) {
            sum->s.m[i][j] += s.m[i][j];
        }
    }
}

#endif
