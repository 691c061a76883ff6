/* Seed 004, eq. 15: r.. eliminated, which the second row of eq. 10 has not.
 *
 *     [  I      -L~          ] [ w. ]   [ u2                ]
 *     [ -L~^T   -C^T M^-1 C  ] [ f  ] = [ C^T M^-1 u1 + u3  ] */
#include "reference/mufti/mufti.h"

rct_mufti_solution rct_mufti_mixed(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *L_minus = rct_algebra_negative(a, s->L);
    const rct_matrix *CMC = rct_algebra_inner(a, s->C, rct_algebra_solve(a, s->M, s->C));
    const rct_matrix *CMu = rct_algebra_inner(a, s->C, rct_algebra_solve(a, s->M, s->u1));
    const rct_matrix *corner = rct_algebra_negative(a, CMC);
    const rct_matrix *below = rct_algebra_sum(a, 1.0, CMu, 1.0, s->u3);
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){s->I, L_minus, rct_algebra_transposed(a, L_minus), corner});
    const rct_matrix *right = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){s->u2, below});
    const rct_matrix *x = rct_algebra_solve(a, left, right);
    const int64_t n = s->M->rows, h = s->C->columns;
    const rct_matrix *f = rct_algebra_rows(a, x, n, h);
    const rct_matrix *acting = rct_algebra_sum(a, 1.0, s->u1, 1.0, rct_algebra_product(a, s->C, f));
    return (rct_mufti_solution){.r = rct_algebra_solve(a, s->M, acting), /* eq. 12 */
                                .w = rct_algebra_rows(a, x, 0, n),
                                .f = f};
}
