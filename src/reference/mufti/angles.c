/* Seed 004, eqs. 55 to 61: constraint torques eliminated too, by P^T g^c = 0; the unknowns are w.1 of trees that
 * float, and the relative accelerations gamma.. of the hinges. With W = (1_n  -T2^T P), w. = W x - T2^T P. gamma.,
 *
 *     W^T K W x = W^T (u2_bar + K T2^T P. gamma.)
 *
 * which is eq. 61 with the transposes that its print has lost. Where the ground moves, P. gamma. has its w.0
 * (Remark 3). */
#include "reference/mufti/mufti.h"

rct_mufti_solution rct_mufti_angles(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_rotation k = rct_mufti_rotate(s);
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
    return (rct_mufti_solution){.r = rct_mufti_translate(s, &k, w), .w = w};
}
