/* The system of seed 004, eqs. 10 and 49, reduced in the ways of its sections 2 and 3. */
#include "reference/mufti/mufti.h"

/* H = (H_r; H_w), J = (M 0; 0 I), u = (u1; u2): eq. 49 is J x - H lambda = u, -H^T x = rest.
 * Eqs. 10 and 49 write H out for ball hinges and for hinges that turn about fewer axes; Remark 5
 * adds those that slide. */
static const rct_matrix *stack(rct_mufti *s, const rct_matrix *upper, const rct_matrix *lower)
{
    return rct_algebra_blocks(&s->algebra, 2, 1, (const rct_matrix *[]){upper, lower});
}

rct_matrix *rct_mufti_J(rct_mufti *s)
{
    return rct_algebra_blocks(&s->algebra, 2, 2, (const rct_matrix *[]){s->M, NULL, NULL, s->I});
}

static rct_mufti_solution unstack(rct_mufti *s, const rct_matrix *x, const rct_matrix *lambda)
{
    rct_algebra *a = &s->algebra;
    const int64_t n = s->M->rows;
    return (rct_mufti_solution){.r = rct_algebra_rows(a, x, 0, n),
                                .w = rct_algebra_rows(a, x, n, n),
                                .f = rct_algebra_product(a, s->tree.force, lambda),
                                .g = rct_algebra_product(a, s->tree.torque, lambda)};
}

/* Eqs. 12 to 14 and 50: accelerations eliminated, the unknowns are hinge forces and constraint torques.
 *
 *     -H^T J^-1 H lambda = H^T J^-1 u + rest */
rct_mufti_solution rct_mufti_forces(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *H = stack(s, s->tree.H_r, s->tree.H_w), *u = stack(s, s->u1, s->u2);
    const rct_matrix *J = rct_mufti_J(s);
    const rct_matrix *left = rct_algebra_inner(a, H, rct_algebra_solve(a, J, H));
    const rct_matrix *right = rct_algebra_inner(a, H, rct_algebra_solve(a, J, u));
    right = rct_algebra_sum(a, -1.0, right, -1.0, s->tree.rest);
    const rct_matrix *lambda = rct_algebra_solve(a, left, right);

    /* eqs. 12, 13 */
    const rct_matrix *acting = rct_algebra_sum(a, 1.0, u, 1.0, rct_algebra_product(a, H, lambda));
    return unstack(s, rct_algebra_solve(a, J, acting), lambda);
}

/* Eq. 15: r.. eliminated, which is not in the second row of eq. 49.
 *
 *     [  I       -H_w            ] [ w.     ]   [ u2                   ]
 *     [ -H_w^T   -H_r^T M^-1 H_r ] [ lambda ] = [ H_r^T M^-1 u1 + rest ] */
rct_mufti_solution rct_mufti_mixed(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *H_r = s->tree.H_r, *minus = rct_algebra_negative(a, s->tree.H_w);
    const rct_matrix *HMH = rct_algebra_inner(a, H_r, rct_algebra_solve(a, s->M, H_r));
    const rct_matrix *HMu = rct_algebra_inner(a, H_r, rct_algebra_solve(a, s->M, s->u1));
    const rct_matrix *corner = rct_algebra_negative(a, HMH);
    const rct_matrix *below = rct_algebra_sum(a, 1.0, HMu, 1.0, s->tree.rest);
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){s->I, minus, rct_algebra_transposed(a, minus), corner});
    const rct_matrix *x = rct_algebra_solve(a, left, stack(s, s->u2, below));
    const int64_t n = s->M->rows;
    const rct_matrix *lambda = rct_algebra_rows(a, x, n, H_r->columns);
    const rct_matrix *acting =
        rct_algebra_sum(a, 1.0, s->u1, 1.0, rct_algebra_product(a, H_r, lambda));
    const rct_matrix *r = rct_algebra_solve(a, s->M, acting); /* eq. 12 */
    return unstack(s, stack(s, r, rct_algebra_rows(a, x, 0, n)), lambda);
}

/* Eq. 16: r.. and f eliminated, with A = (C^T M^-1 C)^-1 found numerically.
 *
 *     (I + L~ A L~^T) w. = -L~ A (C^T M^-1 u1 + u3) + u2 */
rct_mufti_solution rct_mufti_spins(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *CMC = rct_algebra_inner(a, s->C, rct_algebra_solve(a, s->M, s->C));
    const rct_matrix *CMu = rct_algebra_inner(a, s->C, rct_algebra_solve(a, s->M, s->u1));
    const rct_matrix *known = rct_algebra_sum(a, 1.0, CMu, 1.0, s->u3);
    const rct_matrix *A = rct_algebra_solve(a, CMC, rct_algebra_unit(a, CMC->rows));
    const rct_matrix *LA = rct_algebra_product(a, s->L, A);
    const rct_matrix *LAL = rct_algebra_product(a, LA, rct_algebra_transposed(a, s->L));
    const rct_matrix *right =
        rct_algebra_sum(a, -1.0, rct_algebra_product(a, LA, known), 1.0, s->u2);
    const rct_matrix *w = rct_algebra_solve(a, rct_algebra_sum(a, 1.0, s->I, 1.0, LAL), right);

    /* the second row of eq. 15, and eq. 12 */
    const rct_matrix *both = rct_algebra_sum(a, -1.0, known, -1.0, rct_algebra_inner(a, s->L, w));
    const rct_matrix *f = rct_algebra_product(a, A, both);
    const rct_matrix *acting = rct_algebra_sum(a, 1.0, s->u1, 1.0, rct_algebra_product(a, s->C, f));
    return (rct_mufti_solution){.r = rct_algebra_solve(a, s->M, acting), .w = w, .f = f};
}

/* K = I + D~ M D~^T and its right-hand side, eq. 28; also B, A and E, for r.. and f. */
typedef struct rotation {
    rct_matrix *K, *u2_bar, *A, *B, *E;
} rotation;

/* Eqs. 19 to 28: as eq. 16, with the inverse of C^T M^-1 C from the graph.
 *
 *     (I + D~ M D~^T) w. = D~ u1 + u2 + D~ M B^T u3
 *     D = -L B      B = T2 - T2 M E      A = B M B^T      E = T1^T (T1 M T1^T)^-1 T1
 *
 * T1 = -1_n^T, one row for every floating tree; its sign does not matter in E. E = 0 if all
 * trees are hinged to the ground: then B = T, as in Remark 3. */
static rotation rotate(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    rotation k;
    const rct_matrix *masses = rct_algebra_inner(a, s->ones, rct_algebra_product(a, s->M, s->ones));
    const rct_matrix *shares = rct_algebra_solve(a, masses, rct_algebra_transposed(a, s->ones));
    k.E = rct_algebra_product(a, s->ones, shares);
    const rct_matrix *T2ME = rct_algebra_product(a, s->T2, rct_algebra_product(a, s->M, k.E));
    k.B = rct_algebra_sum(a, 1.0, s->T2, -1.0, T2ME);
    const rct_matrix *MB = rct_algebra_product(a, s->M, rct_algebra_transposed(a, k.B));
    k.A = rct_algebra_product(a, k.B, MB);
    const rct_matrix *LB = rct_algebra_product(a, s->L, k.B);
    const rct_matrix *D = rct_algebra_negative(a, LB);
    const rct_matrix *MD = rct_algebra_product(a, s->M, rct_algebra_transposed(a, D));
    k.K = rct_algebra_sum(a, 1.0, s->I, 1.0, rct_algebra_product(a, D, MD));
    const rct_matrix *acting = rct_algebra_product(a, D, s->u1);
    const rct_matrix *moved = rct_algebra_product(a, D, rct_algebra_product(a, MB, s->u3));
    k.u2_bar = rct_algebra_sum(a, 1.0, s->u2, 1.0, rct_algebra_sum(a, 1.0, acting, 1.0, moved));
    return k;
}

/* r.. = E u1 - B^T (u3 + L~^T w.), from eq. 19. */
static rct_matrix *translate(rct_mufti *s, const rotation *k, const rct_matrix *w)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *both = rct_algebra_sum(a, 1.0, s->u3, 1.0, rct_algebra_inner(a, s->L, w));
    return rct_algebra_sum(a, 1.0, rct_algebra_product(a, k->E, s->u1), -1.0,
                           rct_algebra_inner(a, k->B, both));
}

rct_mufti_solution rct_mufti_augmented(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rotation k = rotate(s);
    const rct_matrix *w = rct_algebra_solve(a, k.K, k.u2_bar);
    /* f = -(B u1 + A (u3 + L~^T w.)), the second row of eq. 18 */
    const rct_matrix *both = rct_algebra_sum(a, 1.0, s->u3, 1.0, rct_algebra_inner(a, s->L, w));
    const rct_matrix *f = rct_algebra_sum(a, -1.0, rct_algebra_product(a, k.B, s->u1), -1.0,
                                          rct_algebra_product(a, k.A, both));
    return (rct_mufti_solution){.r = translate(s, &k, w), .w = w, .f = f};
}

/* Eqs. 51 to 53: r.. and f eliminated as in eq. 28, the torques of hinges of fewer freedoms kept.
 *
 *     [  K         -C Q ] [ w.     ]   [ u2_bar ]
 *     [ -Q^T C^T    0   ] [ lambda ] = [ u4     ] */
rct_mufti_solution rct_mufti_torques(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rotation k = rotate(s);
    const rct_matrix *CQ = rct_algebra_product(a, s->C, s->Q);
    const rct_matrix *minus = rct_algebra_negative(a, CQ);
    const rct_matrix *u4 = rct_algebra_inner(a, s->Q, s->P_dot);
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){k.K, minus, rct_algebra_transposed(a, minus), NULL});
    const rct_matrix *right = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){k.u2_bar, u4});
    const rct_matrix *x = rct_algebra_solve(a, left, right);
    const int64_t n = s->M->rows;
    const rct_matrix *w = rct_algebra_rows(a, x, 0, n);
    const rct_matrix *lambda = rct_algebra_rows(a, x, n, x->rows - n);
    return (rct_mufti_solution){
        .r = translate(s, &k, w), .w = w, .g = rct_algebra_product(a, s->Q, lambda)};
}

/* Eqs. 55 to 61: constraint torques eliminated too, by P^T g^c = 0; the unknowns are w.1 of
 * floating trees and the relative accelerations gamma.. of the hinges. With W = (1_n  -T2^T P),
 * w. = W x - T2^T P. gamma.,
 *
 *     W^T K W x = W^T (u2_bar + K T2^T P. gamma.)
 *
 * which is eq. 61 with the transposes that are missing in print. If the ground moves, P. gamma.
 * includes its w.0 (Remark 3). */
rct_mufti_solution rct_mufti_angles(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rotation k = rotate(s);
    const rct_matrix *TP = rct_algebra_inner(a, s->T2, s->P);
    const rct_matrix *minus = rct_algebra_negative(a, TP);
    const rct_matrix *W = rct_algebra_blocks(a, 1, 2, (const rct_matrix *[]){s->ones, minus});
    const rct_matrix *turning = rct_algebra_inner(a, s->T2, s->P_dot);
    const rct_matrix *left = rct_algebra_inner(a, W, rct_algebra_product(a, k.K, W));
    const rct_matrix *sum =
        rct_algebra_sum(a, 1.0, k.u2_bar, 1.0, rct_algebra_product(a, k.K, turning));
    const rct_matrix *x = rct_algebra_solve(a, left, rct_algebra_inner(a, W, sum));
    const rct_matrix *w = /* eq. 60, differentiated */
        rct_algebra_sum(a, 1.0, rct_algebra_product(a, W, x), -1.0, turning);
    return (rct_mufti_solution){.r = translate(s, &k, w), .w = w};
}

/* Eq. 49 with Remark 5: the Lagrangian system with chosen constraint directions, of torques
 * where a hinge does not turn, of forces where it does not slide, of both together where it
 * screws.
 *
 *     [  J     -H ] [ x      ]   [ u    ]
 *     [ -H^T    0 ] [ lambda ] = [ rest ]
 *
 * Directions are fixed in body j+ or follow from axes that turn; their rates are in the rest, where
 * q. P gamma. = -q P gamma. . */
rct_mufti_solution rct_mufti_directions(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *minus = rct_algebra_negative(a, stack(s, s->tree.H_r, s->tree.H_w));
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2,
        (const rct_matrix *[]){rct_mufti_J(s), minus, rct_algebra_transposed(a, minus), NULL});
    const rct_matrix *u = stack(s, s->u1, s->u2);
    const rct_matrix *x = rct_algebra_solve(a, left, stack(s, u, s->tree.rest));
    return unstack(s, rct_algebra_rows(a, x, 0, u->rows),
                   rct_algebra_rows(a, x, u->rows, minus->columns));
}
