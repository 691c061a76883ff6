/* Gauss's principle of least constraint (seed 004, eq. 39): of all accelerations x = (r.., w.)
 * that hinges and loops allow,
 *
 *     H^T x = -rest,
 *
 * the motion has those nearest in the metric of J to J^-1 u, the accelerations without
 * constraints. With J = G G^T, y = G^T x and H' = G^-1 H this is a distance. By the singular
 * values H' = V S W^T (eqs. ), with vanishing ones left out, the nearest y is
 *
 *     y = y_0 - V V^T y_0 - V S^-1 W^T rest,          y_0 = G^-1 u,
 *
 * so H need not have full rank (eqs. 63 and 64): redundant constraints take their share. No
 * multiplier is an unknown. */
#include "core/error.h"
#include "reference/mufti/mufti.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Singular values below this part of the largest are rounding. */
static const double vanishing = 1e-11;

/* G, lower triangular, of J: roots of masses, and the 3x3 Cholesky factor of each inertia. */
static rct_matrix *factor(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    rct_matrix *G = rct_mufti_J(s);
    const lapack_int n = (lapack_int)G->rows;
    if (a->status == RCT_OK && LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, G->x, n) != 0) {
        a->status = rct_fail(a->error, RCT_ERROR_SINGULAR,
                             "Gauss's principle needs the inverse of every inertia, and one is "
                             "singular; give every body inertia about every axis, or use the "
                             "lagrange reference");
    }
    return G;
}

/* G^-1 m, or G^-T m */
static rct_matrix *divide(rct_algebra *a, const rct_matrix *G, char transposed, const rct_matrix *m)
{
    rct_matrix *out = rct_algebra_sum(a, 1.0, m, 0.0, m);
    if (a->status == RCT_OK && out->columns > 0) {
        LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', transposed, 'N', (lapack_int)G->rows,
                       (lapack_int)out->columns, G->x, (lapack_int)G->rows, out->x,
                       (lapack_int)out->columns);
    }
    return out;
}

/* H' = V S W^T: V and W^T with as many columns and rows as there are singular values, S as a
 * column. */
typedef struct decomposition {
    rct_matrix *V, *S, *W;
} decomposition;

static decomposition decompose(rct_algebra *a, const rct_matrix *H)
{
    const int64_t most = H->rows < H->columns ? H->rows : H->columns;
    const decomposition d = {rct_algebra_zeros(a, H->rows, most), rct_algebra_zeros(a, most, 1),
                             rct_algebra_zeros(a, most, H->columns)};
    rct_matrix *spent = rct_algebra_sum(a, 1.0, H, 0.0, H);
    if (a->status != RCT_OK || most == 0) {
        return d;
    }
    const lapack_int info = LAPACKE_dgesdd(
        LAPACK_ROW_MAJOR, 'S', (lapack_int)H->rows, (lapack_int)H->columns, spent->x,
        (lapack_int)H->columns, d.S->x, d.V->x, (lapack_int)most, d.W->x, (lapack_int)H->columns);
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        a->status = rct_fail_memory(a->error, H->rows * H->columns * (int64_t)sizeof(double),
                                    "singular values");
    } else if (info != 0) {
        a->status = rct_fail(a->error, RCT_ERROR_SINGULAR,
                             "the singular values of the constraints were not found; use the "
                             "lagrange reference");
    }
    return d;
}

/* -V^T y_0 - S^-1 W^T rest, or 0 if the singular value vanishes. */
static rct_matrix *steps(rct_algebra *a, const decomposition *d, const rct_matrix *y_0,
                         const rct_matrix *rest)
{
    rct_matrix *step = rct_algebra_inner(a, d->V, y_0);
    const rct_matrix *moved = rct_algebra_product(a, d->W, rest);
    for (int64_t k = 0; k < step->rows && a->status == RCT_OK; k++) {
        const int counts = d->S->x[k] > vanishing * d->S->x[0];
        step->x[k] = counts ? -step->x[k] - moved->x[k] / d->S->x[k] : 0.0;
    }
    return step;
}

/* Multipliers of the independent constraints, those of hinges and then those of loops; H' lambda
 * = y - y_0 by QR, eq. A-4. */
static const rct_matrix *multipliers(rct_mufti *s, const rct_matrix *H, const rct_matrix *gap)
{
    rct_algebra *a = &s->algebra;
    const int64_t count = s->tree.H_r->columns + s->independent;
    rct_matrix *own = rct_mufti_columns(a, H, 0, count);
    rct_matrix *x = rct_algebra_sum(a, 1.0, gap, 0.0, gap);
    if (a->status == RCT_OK && count > 0 &&
        LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)own->rows, (lapack_int)count, 1, own->x,
                      (lapack_int)count, x->x, 1) < 0) {
        a->status = rct_fail_memory(a->error, own->rows * count * (int64_t)sizeof(double),
                                    "the forces of constraints");
    }
    return rct_algebra_rows(a, x, 0, count);
}

rct_mufti_solution rct_mufti_gauss(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_constraints *tree = &s->tree, *loops = &s->loops;
    const int64_t n = s->M->rows, held = tree->H_r->columns;
    const rct_matrix *H = rct_algebra_blocks(
        a, 2, 2, (const rct_matrix *[]){tree->H_r, loops->H_r, tree->H_w, loops->H_w});
    const rct_matrix *rest =
        rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){tree->rest, loops->rest});
    const rct_matrix *u = rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){s->u1, s->u2});
    const rct_matrix *G = factor(s);
    const rct_matrix *scaled = divide(a, G, 'N', H), *y_0 = divide(a, G, 'N', u);
    const decomposition d = decompose(a, scaled);
    const rct_matrix *gap = rct_algebra_product(a, d.V, steps(a, &d, y_0, rest));
    const rct_matrix *x = divide(a, G, 'T', rct_algebra_sum(a, 1.0, y_0, 1.0, gap));
    const rct_matrix *lambda = multipliers(s, scaled, gap);
    const rct_matrix *of_hinges = rct_algebra_rows(a, lambda, 0, held);
    if (a->status == RCT_OK) {
        rct_mufti_exert(s, rct_algebra_rows(a, lambda, held, s->independent));
    }
    return (rct_mufti_solution){.r = rct_algebra_rows(a, x, 0, n),
                                .w = rct_algebra_rows(a, x, n, n),
                                .f = rct_algebra_product(a, tree->force, of_hinges),
                                .g = rct_algebra_product(a, tree->torque, of_hinges)};
}
