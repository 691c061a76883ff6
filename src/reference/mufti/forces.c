/* Seed 004, eqs. 12 to 14, and with hinges of fewer freedoms eq. 50: accelerations eliminated, the unknowns are
 * hinge forces f and constraint torques g^c = Q lambda.
 *
 *     -[ C^T M^-1 C + L~^T I^-1 L~   L~^T I^-1 C Q    ] [ f      ]   [ C^T M^-1 u1 + L~^T I^-1 u2 + u3 ]
 *      [ Q^T C^T I^-1 L~             Q^T C^T I^-1 C Q ] [ lambda ] = [ Q^T C^T I^-1 u2 + u4            ] */
#include "reference/mufti/mufti.h"

rct_mufti_solution rct_mufti_forces(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *CQ = rct_algebra_product(a, s->C, s->Q);
    const rct_matrix *u4 = rct_algebra_inner(a, s->Q, s->P_dot);

    /* H = (C 0; L~ CQ), J = (M 0; 0 I): -H^T J^-1 H (f, lambda) = H^T J^-1 (u1, u2) + (u3, u4) */
    const rct_matrix *H = rct_algebra_blocks(a, 2, 2, (const rct_matrix *[]){s->C, NULL, s->L, CQ});
    const rct_matrix *J =
        rct_algebra_blocks(a, 2, 2, (const rct_matrix *[]){s->M, NULL, NULL, s->I});
    const rct_matrix *u = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){s->u1, s->u2});
    const rct_matrix *rest = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){s->u3, u4});
    const rct_matrix *left = rct_algebra_inner(a, H, rct_algebra_solve(a, J, H));
    const rct_matrix *right = rct_algebra_inner(a, H, rct_algebra_solve(a, J, u));
    right = rct_algebra_sum(a, -1.0, right, -1.0, rest);
    const rct_matrix *x = rct_algebra_solve(a, left, right);

    /* eqs. 12, 13 */
    const int64_t n = s->M->rows, h = s->C->columns;
    const rct_matrix *acting = rct_algebra_sum(a, 1.0, u, 1.0, rct_algebra_product(a, H, x));
    const rct_matrix *y = rct_algebra_solve(a, J, acting);
    const rct_matrix *lambda = rct_algebra_rows(a, x, h, x->rows - h);
    return (rct_mufti_solution){.r = rct_algebra_rows(a, y, 0, n),
                                .w = rct_algebra_rows(a, y, n, n),
                                .f = rct_algebra_rows(a, x, 0, h),
                                .g = rct_algebra_product(a, s->Q, lambda)};
}
