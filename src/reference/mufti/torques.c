/* Seed 004, eqs. 51 to 53: r.. and f eliminated as in eq. 28, the torques of hinges of fewer freedoms kept.
 *
 *     [  K         -C Q ] [ w.     ]   [ u2_bar ]
 *     [ -Q^T C^T    0   ] [ lambda ] = [ u4     ] */
#include "reference/mufti/mufti.h"

rct_mufti_solution rct_mufti_torques(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_rotation k = rct_mufti_rotate(s);
    const rct_matrix *CQ = rct_algebra_product(a, s->C, s->Q);
    const rct_matrix *minus = rct_algebra_negative(a, CQ);
    const rct_matrix *u4 = rct_algebra_inner(a, s->Q, s->P_dot);
    const rct_matrix *none = rct_algebra_zeros(a, u4->rows, u4->rows);
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){k.K, minus, rct_algebra_transposed(a, minus), none});
    const rct_matrix *right = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){k.u2_bar, u4});
    const rct_matrix *x = rct_algebra_solve(a, left, right);
    const int64_t n = s->M->rows;
    const rct_matrix *w = rct_algebra_rows(a, x, 0, n);
    const rct_matrix *lambda = rct_algebra_rows(a, x, n, x->rows - n);
    return (rct_mufti_solution){
        .r = rct_mufti_translate(s, &k, w), .w = w, .g = rct_algebra_product(a, s->Q, lambda)};
}
