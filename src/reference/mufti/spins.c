/* Seed 004, eq. 16: r.. and f eliminated, with A = (C^T M^-1 C)^-1 found numerically.
 *
 *     (I + L~ A L~^T) w. = -L~ A (C^T M^-1 u1 + u3) + u2 */
#include "reference/mufti/mufti.h"

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
