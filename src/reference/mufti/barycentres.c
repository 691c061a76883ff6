/* Seed 004, eqs. 30 to 38: the rotational equations by augmented bodies, for floating trees of
 * ball hinges. Each body i carries, at the hinge point towards body k, the mass of k. d_ik leads
 * from the centre of mass of all this, its barycentre, to that point, and d_ii to C_i.
 *
 *     K w. = -h^' + D~ F + G + C g + N 1_n
 *     K_ii = I_i - sum of m_k d_ik~ d_ik~           K_ij = m d_ij~ d_ji~
 *     h^'_i = w_i x K_ii w_i                        N_ij = -w_j~ K_ji w_j + m d_ji~ d_ij w_j . w_j
 *
 * m is the mass of the tree; d_ij = 0 between trees. Then r_k = r_barycentre + sum of d_ik over i. */
#include "model/model.h"
#include "reference/mufti/mufti.h"

typedef struct bodies {
    const rct_mufti *s;
    const rct_matrix *d; /* [3n][n] column k of block row i: d_ik */
    const rct_matrix *m; /* [n][1] mass of the tree of each body  */
} bodies;

static quad3 d_of(const bodies *b, int32_t i, int32_t k)
{
    const double *at = b->d->x + 3 * i * b->d->columns + k;
    return (quad3){{at[0], at[b->d->columns], at[2 * b->d->columns]}};
}

static double mass(const rct_mufti *s, int32_t i)
{
    return rct_bodies_at(s->model->bodies, s->body[i])->mass;
}

/* R_i l_ij to the hinge on the way from b_i to b_k: its own hinge if b_k is not outboard of it. */
static quad3 towards(const rct_mufti *s, int32_t i, int32_t k)
{
    int32_t outboard = i, at = k;
    rct_hinge_end end[2];
    while (at >= 0 && at != i) {
        outboard = at;
        at = s->initial[at];
    }
    const int own = at != i;
    rct_pose_ends(s->model, &s->ground, s->pose, s->body[own ? i : outboard], end);
    return end[own ? 0 : 1].l;
}

/* d_ik = l_ik - sum of m_k l_ik / m, with l_ii = 0 */
static void fill_d(const rct_mufti *s, rct_matrix *d, rct_matrix *m)
{
    for (int32_t i = 0; i < s->n; i++) {
        quad3 barycentre = {{0, 0, 0}};
        for (int32_t k = 0; k < s->n; k++) {
            if (s->root[k] != s->root[i]) {
                continue;
            }
            const quad3 l = k == i ? (quad3){{0, 0, 0}} : towards(s, i, k);
            m->x[i] += mass(s, k);
            barycentre = quad3_add(barycentre, quad3_scale(mass(s, k), l));
            for (int a = 0; a < 3; a++) {
                d->x[(3 * i + a) * d->columns + k] = (double)l.x[a];
            }
        }
        for (int32_t k = 0; k < s->n; k++) {
            for (int a = 0; a < 3 && s->root[k] == s->root[i]; a++) {
                d->x[(3 * i + a) * d->columns + k] -= (double)(barycentre.x[a] / m->x[i]);
            }
        }
    }
}

static void add_block(rct_matrix *K, int32_t i, int32_t j, quad factor, quad3 a, quad3 b)
{
    const quad33 left = quad33_tilde(a), right = quad33_tilde(b);
    const quad33 block = quad33_product(&left, &right, 0);
    for (int k = 0; k < 9; k++) {
        K->x[(3 * i + k / 3) * K->columns + 3 * j + k % 3] +=
            (double)(factor * block.a[k / 3][k % 3]);
    }
}

static void fill_K(const bodies *b, rct_matrix *K)
{
    for (int32_t i = 0; i < b->s->n; i++) {
        for (int32_t j = 0; j < b->s->n; j++) {
            add_block(K, i, i, -mass(b->s, j), d_of(b, i, j), d_of(b, i, j));
            if (j != i) {
                add_block(K, i, j, b->m->x[i], d_of(b, i, j), d_of(b, j, i));
            }
        }
    }
}

static quad3 apply_block(const rct_matrix *K, int32_t i, int32_t j, quad3 v)
{
    quad3 r = {{0, 0, 0}};
    for (int k = 0; k < 9; k++) {
        r.x[k / 3] += K->x[(3 * i + k / 3) * K->columns + 3 * j + k % 3] * v.x[k % 3];
    }
    return r;
}

/* -h^' + D~ F + N 1_n, plus h^, which u_2 = G + C g - h^ has subtracted; further columns have
 * only D~ F. */
static void fill_right(const bodies *b, const rct_matrix *K, rct_matrix *right)
{
    const rct_mufti *s = b->s;
    for (int64_t k = 0; k < right->columns * s->n * s->n; k++) {
        const int64_t column = k / s->n / s->n;
        const int32_t i = (int32_t)(k / s->n % s->n), j = (int32_t)(k % s->n);
        rct_mufti_add_to(right, i, column,
                         quad3_cross(d_of(b, i, j), rct_mufti_block_of(s->u1, j, column)));
    }
    for (int32_t i = 0; i < s->n; i++) {
        const quad3 w = s->pose[s->body[i]].omega;
        const quad33 I =
            rct_pose_inertia(&s->pose[s->body[i]].R, rct_bodies_at(s->model->bodies, s->body[i]));
        const quad3 h = quad3_subtract(quad33_apply(&I, w), apply_block(K, i, i, w));
        rct_mufti_add(right, i, quad3_cross(w, h));
        for (int32_t j = 0; j < s->n; j++) {
            const quad3 w_j = s->pose[s->body[j]].omega;
            if (j != i) {
                const quad3 first = quad3_cross(w_j, apply_block(K, j, i, w_j));
                const quad3 second = quad3_cross(d_of(b, j, i), d_of(b, i, j));
                rct_mufti_add(right, i, quad3_scale(-1, first));
                rct_mufti_add(right, i, quad3_scale(b->m->x[i] * quad3_dot(w_j, w_j), second));
            }
        }
    }
}

/* r_k.. = sum of F / m + sum over i of w._i x d_ik + w_i x (w_i x d_ik); the last term only in
 * the first column. */
static void fill_r(const bodies *b, const rct_matrix *w, rct_matrix *r)
{
    const rct_mufti *s = b->s;
    for (int64_t at = 0; at < r->columns * s->n * s->n; at++) {
        const int64_t column = at / s->n / s->n;
        const int32_t k = (int32_t)(at / s->n % s->n), i = (int32_t)(at % s->n);
        if (s->root[i] == s->root[k]) {
            const quad3 w_i = s->pose[s->body[i]].omega, d = d_of(b, i, k);
            const quad3 F = rct_mufti_block_of(s->u1, i, column);
            rct_mufti_add_to(r, k, column, quad3_scale(1 / (quad)b->m->x[i], F));
            rct_mufti_add_to(r, k, column, quad3_cross(rct_mufti_block_of(w, i, column), d));
            if (column == 0) {
                rct_mufti_add(r, k, quad3_centripetal(w_i, d));
            }
        }
    }
}

rct_mufti_solution rct_mufti_barycentres(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    rct_matrix *d = rct_algebra_zeros(a, 3 * s->n, s->n);
    rct_matrix *m = rct_algebra_zeros(a, s->n, 1);
    rct_matrix *K = rct_algebra_sum(a, 1.0, s->I, 0.0, s->I);
    rct_matrix *right = rct_algebra_sum(a, 1.0, s->u2, 0.0, s->u2);
    rct_matrix *r = rct_algebra_zeros(a, s->M->rows, s->u1->columns);
    const bodies b = {s, d, m};
    if (a->status == RCT_OK) {
        fill_d(s, d, m);
        fill_K(&b, K);
        fill_right(&b, K, right);
    }
    const rct_matrix *w = rct_algebra_solve(a, K, right);
    if (a->status == RCT_OK) {
        fill_r(&b, w, r);
    }
    return (rct_mufti_solution){.r = r, .w = w};
}
