/* Seed 004, eqs. 19 to 28: as eq. 16, with the inverse of C^T M^-1 C from the graph.
 *
 *     (I + D~ M D~^T) w. = D~ u1 + u2 + D~ M B^T u3
 *     D = -L B      B = T2 - T2 M E      A = B M B^T      E = T1^T (T1 M T1^T)^-1 T1
 *
 * T1 = -1_n^T, a row for every tree that floats; its sign is of no consequence in E, and E = 0 where all trees are
 * hinged to the ground: then B = T, as Remark 3 has it. */
#include "reference/mufti/mufti.h"

rct_mufti_rotation rct_mufti_rotate(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    rct_mufti_rotation k;
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

rct_matrix *rct_mufti_translate(rct_mufti *s, const rct_mufti_rotation *k, const rct_matrix *w)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *both = rct_algebra_sum(a, 1.0, s->u3, 1.0, rct_algebra_inner(a, s->L, w));
    return rct_algebra_sum(a, 1.0, rct_algebra_product(a, k->E, s->u1), -1.0,
                           rct_algebra_inner(a, k->B, both));
}

rct_mufti_solution rct_mufti_augmented(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_rotation k = rct_mufti_rotate(s);
    const rct_matrix *w = rct_algebra_solve(a, k.K, k.u2_bar);
    /* f = -(B u1 + A (u3 + L~^T w.)), the second row of eq. 18 */
    const rct_matrix *both = rct_algebra_sum(a, 1.0, s->u3, 1.0, rct_algebra_inner(a, s->L, w));
    const rct_matrix *f = rct_algebra_sum(a, -1.0, rct_algebra_product(a, k.B, s->u1), -1.0,
                                          rct_algebra_product(a, k.A, both));
    return (rct_mufti_solution){.r = rct_mufti_translate(s, &k, w), .w = w, .f = f};
}
