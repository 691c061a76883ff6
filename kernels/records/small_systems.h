/* Small symmetric systems side by side in lanes: Lambda of loops that are coupled with few others.
 * The contract between src/closure and the lane kernels (kernels/laws/small_systems.h). A bundle
 * holds as many systems of one size as there are lanes; lanes behind the last system repeat it.
 * With W lanes, number k of lane l of a bundle lies at (first + k) W + l; number b (b + 1) / 2 + a
 * of a matrix is that of row b and column a <= b. In row b, all numbers before column begin[b] are
 * 0, also in L: where rows are coupled only with near ones, as in mechanisms, the work is linear in
 * their number. */
#ifndef RCT_KERNELS_RECORDS_SMALL_SYSTEMS_H
#define RCT_KERNELS_RECORDS_SMALL_SYSTEMS_H

#include <stdint.h>

/* Most rows of a system. */
enum { SMALL_ROWS = 48 };

typedef struct rct_small_systems {
    int32_t lanes, bundles;
    const int32_t *rows;         /* [bundles] of a system                           */
    const int64_t *first_row;    /* [bundles + 1]                                   */
    const int64_t *first_number; /* [bundles + 1]                                   */
    const int32_t *begin;        /* [rows] first column that is not 0 in all lanes  */
    const int32_t *row;          /* [rows][W] number among all rows                 */
    const int32_t *number;       /* [numbers][W] place among the values             */
    double *matrix;              /* [numbers][W] 0 before `begin`                   */
    double *factor;              /* [numbers][W] L below the diagonal, 1 / D on it  */
    double *scale;               /* [bundles][W] largest number on the diagonal     */
    double *least;               /* [bundles][W] the least D, relative to the scale */
} rct_small_systems;

typedef struct rct_small_kernels {
    /* L D L* of each, from values and from `ready`, which enters the scale of the diagonal. A
     * factor is good for solves where all D are positive. Arrays [all rows]. */
    void (*factor)(const rct_small_systems *systems, const double *values, const double *ready);

    /* x = -A^-1 b, refined once by solving for the residual b + A x; `left` is the residual after
     * that. All [all rows]. */
    void (*solve)(const rct_small_systems *systems, const double *b, double *x, double *left);
} rct_small_kernels;

#endif
