/* Seed 004, eq. 49 with Remark 5: the Lagrangian system with the constraint directions chosen, Q of torques where a
 * hinge does not turn and Q_bar of forces where it does not slide.
 *
 *     [  M             0            -C Q_bar  0    ] [ r..    ]   [ u1         ]
 *     [  0             I            -L~ Q_bar -C Q ] [ w.     ]   [ u2         ]
 *     [ -Q_bar^T C^T  -Q_bar^T L~^T  0        0    ] [ f_bar  ] = [ Q_bar^T u3 ]
 *     [  0            -Q^T C^T       0        0    ] [ lambda ]   [ u4         ]
 *
 * Directions are fixed in body j+ or follow from axes that turn; their rates are in u3 and u4, where
 * q. P gamma. = -q P. gamma. . */
#include "reference/mufti/mufti.h"

rct_mufti_solution rct_mufti_directions(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *CF = rct_algebra_product(a, s->C, s->Q_bar);
    const rct_matrix *LF = rct_algebra_product(a, s->L, s->Q_bar);
    const rct_matrix *CQ = rct_algebra_product(a, s->C, s->Q);
    const rct_matrix *H = rct_algebra_blocks(a, 2, 2, (const rct_matrix *[]){CF, NULL, LF, CQ});
    const rct_matrix *minus = rct_algebra_negative(a, H);
    const rct_matrix *J =
        rct_algebra_blocks(a, 2, 2, (const rct_matrix *[]){s->M, NULL, NULL, s->I});
    const rct_matrix *none = rct_algebra_zeros(a, H->columns, H->columns);
    const rct_matrix *left = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){J, minus, rct_algebra_transposed(a, minus), none});
    const rct_matrix *u3 = rct_algebra_inner(a, s->Q_bar, s->u3);
    const rct_matrix *u4 = rct_algebra_inner(a, s->Q, s->P_dot);
    const rct_matrix *right =
        rct_algebra_blocks(a, 4, 1, (const rct_matrix *[]){s->u1, s->u2, u3, u4});
    const rct_matrix *x = rct_algebra_solve(a, left, right);
    const int64_t n = s->M->rows, at = 2 * n;
    const rct_matrix *f_bar = rct_algebra_rows(a, x, at, u3->rows);
    const rct_matrix *lambda = rct_algebra_rows(a, x, at + u3->rows, u4->rows);
    return (rct_mufti_solution){.r = rct_algebra_rows(a, x, 0, n),
                                .w = rct_algebra_rows(a, x, n, n),
                                .f = rct_algebra_product(a, s->Q_bar, f_bar),
                                .g = rct_algebra_product(a, s->Q, lambda)};
}
