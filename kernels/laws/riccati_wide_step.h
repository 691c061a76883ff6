/* One link of a tree as elements of the Riccati transfer matrix recursion, symbols and signs of
 * seed 000 (kernels/laws/riccati_step.h). Link axes, about the link's origin; r'' less gravity.
 *
 * State at a connection point: z_a = (m, q), z_b = (r'', W'). Below it z_a = S z_b + e + E lambda,
 * S any 6x6 matrix (eq. 21), and the open outboard end, which must supply lambda, accelerates by D
 * z_b + h - Psi lambda. D is E transposed, its rows q with the other sign (reciprocity). The wrench
 * asked for is F = (-q, m).
 *
 * Body (eqs. 4, 5), in three factors, so that every input has its own way to the output (eqs.
 * 7-17): axes turned; the arm from input to output, T11 = [1 E6; 0 1], P = T22^-1 = [1 E6; 0 1], E6
 * = r_IO~; and the mass at the output, T11 = T22 = 1, T12 = [m c~  J; -m 1  m c~]. Hinge:
 * kernels/laws/riccati_hinge.h.
 */
#ifndef RCT_KERNELS_LAWS_RICCATI_WIDE_STEP_H
#define RCT_KERNELS_LAWS_RICCATI_WIDE_STEP_H

#include "kernels/laws/hinge.h"
#include "kernels/laws/riccati_step.h"

/* ---- records ------------------------------------------------------------------------------ *
 *
 * Records of paths hold F = S A + e with S symmetric. Stored is the symmetric part of S: in exact
 * arithmetic S is symmetric, so the rest is rounding. */

LANE_INLINE mat3 riccati_transposed(mat3 a)
{
    return (mat3){a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
}

LANE_INLINE riccati riccati_of_record(const wide_handle *h)
{
    const sym3 l = h->ll;
    const mat3 b = h->la;
    riccati z;
    mat6_set_block(&z.s, 0, 0, riccati_transposed(b));
    mat6_set_block(&z.s, 0, 3, mat3_of_sym3(h->aa));
    mat6_set_block(&z.s, 3, 0,
                   (mat3){-l.xx, -l.xy, -l.xz, -l.xy, -l.yy, -l.yz, -l.xz, -l.yz, -l.zz});
    mat6_set_block(&z.s, 3, 3,
                   (mat3){-b.xx, -b.xy, -b.xz, -b.yx, -b.yy, -b.yz, -b.zx, -b.zy, -b.zz});
    z.e = vec6_of(h->e.a, vec3_scale(lane_set(-1.0), h->e.l));
    return z;
}

LANE_INLINE sym3 riccati_symmetric(mat3 a, real sign)
{
    const real half = lane_set(0.5) * sign;
    return (sym3){sign * a.xx,          sign * a.yy,          sign * a.zz,
                  half * (a.xy + a.yx), half * (a.xz + a.zx), half * (a.yz + a.zy)};
}

LANE_INLINE wide_handle riccati_record(const riccati *z)
{
    const real half = lane_set(0.5), minus = lane_set(-1.0);
    const mat3 mr = mat6_block(&z->s, 0, 0), qw = mat6_block(&z->s, 3, 3);
    return (wide_handle){riccati_symmetric(mat6_block(&z->s, 3, 0), minus),
                         {half * (mr.xx - qw.xx), half * (mr.yx - qw.xy), half * (mr.zx - qw.xz),
                          half * (mr.xy - qw.yx), half * (mr.yy - qw.yy), half * (mr.zy - qw.yz),
                          half * (mr.xz - qw.zx), half * (mr.yz - qw.zy), half * (mr.zz - qw.zz)},
                         riccati_symmetric(mat6_block(&z->s, 0, 3), lane_set(1.0)),
                         {vec3_scale(minus, vec6_lower(&z->e)), vec6_upper(&z->e)}};
}

/* ---- body --------------------------------------------------------------------------------- */

LANE_INLINE void riccati_add(riccati *z, const riccati *more)
{
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            z->s.m[i][j] = z->s.m[i][j] + more->s.m[i][j];
        }
        z->e.v[i] = z->e.v[i] + more->e.v[i];
    }
}

/* Add v x to the block of S that begins at row i and column j. */
LANE_INLINE void riccati_add_tilde(mat6 *s, int i, int j, vec3 v)
{
    s->m[i][j + 1] = s->m[i][j + 1] - v.z, s->m[i][j + 2] = s->m[i][j + 2] + v.y;
    s->m[i + 1][j] = s->m[i + 1][j] + v.z, s->m[i + 1][j + 2] = s->m[i + 1][j + 2] - v.x;
    s->m[i + 2][j] = s->m[i + 2][j] - v.y, s->m[i + 2][j + 1] = s->m[i + 2][j + 1] + v.x;
}

/* The mass, its inputs brought to its output: S + T12, e + f_a. */
LANE_INLINE void riccati_cross_mass(riccati *z, const link_lanes *link, vec3 w)
{
    const vec3 mc = vec3_scale(link->mass, link->com);
    riccati_add_tilde(&z->s, 0, 0, mc);
    mat6_set_block(&z->s, 0, 3, mat3_add(mat6_block(&z->s, 0, 3), mat3_of_sym3(link->inertia)));
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        z->s.m[3 + i][i] = z->s.m[3 + i][i] - link->mass;
    }
    riccati_add_tilde(&z->s, 3, 3, mc);
    z->e = vec6_of(vec3_add(vec6_upper(&z->e), sym3_gyroscopic(link->inertia, w)),
                   vec3_sub(vec6_lower(&z->e), vec3_centripetal(w, mc)));
}

/* f and m of eq. 5, acting at the output */
LANE_INLINE void riccati_add_load(riccati *z, spatial load)
{
    z->e = vec6_of(vec3_sub(vec6_upper(&z->e), load.a), vec3_add(vec6_lower(&z->e), load.l));
}

/* b t */
LANE_INLINE mat3 riccati_times_tilde(mat3 b, vec3 t)
{
    const mat3 minus = riccati_transposed(tilde_times(t, riccati_transposed(b)));
    return (mat3){-minus.xx, -minus.xy, -minus.xz, -minus.yx, -minus.yy,
                  -minus.yz, -minus.zx, -minus.zy, -minus.zz};
}

enum { RX = 0, RZ = 2, WX = 3, WY = 4, WZ = 5 }; /* of z_b */

/* The row of z_a that closes coordinate k of z_b, and its sign: m goes with W', -q with r''. */
LANE_INLINE int riccati_row_of(int k)
{
    return k < WX ? k + 3 : k - 3;
}

/* S' v, by which velocities change z_b at the hinge. */
LANE_INLINE void riccati_add_velocities(riccati *z, const link_motion *m, int solved)
{
    const vec6 v = vec6_of(m->bias.l, m->bias.a);
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        if ((solved >> riccati_row_of(i) & 1) == 0) {
            real sum = lane_set(0.0);
            int any = 0;
            LANE_UNROLL
            for (int j = 0; j < 6; j++) {
                if ((solved >> j & 1) == 0) {
                    sum = any ? sum + z->s.m[i][j] * v.v[j] : z->s.m[i][j] * v.v[j];
                    any = 1;
                }
            }
            z->e.v[i] = z->e.v[i] + sum;
        }
    }
}

/* S' v; then, block by block, into the axes of the link inboard, and by the arm to its origin. For
 * coordinates in `solved` (bits; constant) the columns of S and their closing rows are zero. */
LANE_INLINE void riccati_inboard(riccati *z, const link_motion *m,
                                 int solved) /* 620; 500 beyond revolute hinges */
{
    const int l = solved & 7, a = solved >> 3;
    const mat3 turn = m->turn;
    const vec3 io = vec3_scale(lane_set(-1.0), m->r);
    riccati_add_velocities(z, m, solved);
    const mat3 qr = mat3_rotate_but(turn, mat6_block(&z->s, 3, 0), l, l);
    const mat3 qw = mat3_add(mat3_rotate_but(turn, mat6_block(&z->s, 3, 3), l, a),
                             riccati_times_tilde(qr, io)); /* S P */
    const mat3 mr = mat3_rotate_but(turn, mat6_block(&z->s, 0, 0), a, l);
    const mat3 mw =
        mat3_add(mat3_rotate_but(turn, mat6_block(&z->s, 0, 3), a, a), riccati_times_tilde(mr, io));
    mat6_set_block(&z->s, 0, 0, mat3_add(mr, tilde_times(io, qr))); /* T11 S P */
    mat6_set_block(&z->s, 0, 3, mat3_add(mw, tilde_times(io, qw)));
    mat6_set_block(&z->s, 3, 0, qr);
    mat6_set_block(&z->s, 3, 3, qw);
    const vec3 q = mat3_apply(turn, vec6_lower(&z->e));
    z->e = vec6_of(vec3_add(mat3_apply(turn, vec6_upper(&z->e)), vec3_cross(io, q)), q);
}

/* ---- the open end ------------------------------------------------------------------------- *
 *
 * Rows of `t->e` are those of z_a; columns, h and Psi are spatial vectors, linear part first, as in
 * records. */

/* At the open end F = lambda. */
LANE_INLINE wide_through riccati_open_end(void)
{
    const real zero = lane_set(0.0);
    wide_through t;
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            t.e[i][j] = lane_set(i < 3 && j == i + 3 ? 1.0 : i >= 3 && j == i - 3 ? -1.0 : 0.0);
            t.psi[i][j] = zero;
        }
        t.h[i] = zero;
    }
    return t;
}

/* E in a record: row i of F, linear part first */
LANE_INLINE real riccati_through(const wide_through *t, int i, int j)
{
    return i < 3 ? -t->e[i + 3][j] : t->e[i - 3][j];
}

LANE_INLINE void riccati_open_inboard(wide_through *t, const link_motion *m, int solved)
{
    const int l = solved & 7, a = solved >> 3;
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        const vec3 moment = {t->e[0][c], t->e[1][c], t->e[2][c]};
        const vec3 force = {t->e[3][c], t->e[4][c], t->e[5][c]};
        t->h[c] = t->h[c] + (dot_but(moment, m->bias.a, a) - dot_but(force, m->bias.l, l));
        const vec3 q = mat3_apply_but(m->turn, force, 0, l);
        const vec3 turned = vec3_sub(mat3_apply_but(m->turn, moment, 0, a), vec3_cross(m->r, q));
        t->e[0][c] = turned.x, t->e[1][c] = turned.y, t->e[2][c] = turned.z;
        t->e[3][c] = q.x, t->e[4][c] = q.y, t->e[5][c] = q.z;
    }
}

#endif
