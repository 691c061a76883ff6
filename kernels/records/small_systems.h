/* Small symmetric systems side by side in lanes: Lambda of loops that are coupled with few others. The contract between src/closure
 * and the lane kernels (kernels/laws/small_systems.h). A bundle is as many systems of one size as there are lanes; lanes behind the
 * last have it once more. With W lanes, number k of lane l of a bundle lies at (first + k) W + l; number b (b + 1) / 2 + a of a matrix
 * is that of row b and column a <= b. Of row b no number before column begin[b] is other than 0, in L neither: where rows are coupled
 * with near ones, as in rows of mechanisms, work grows with their number alone. */
#ifndef RCT_KERNELS_RECORDS_SMALL_SYSTEMS_H
#define RCT_KERNELS_RECORDS_SMALL_SYSTEMS_H

#include <stdint.h>

/* Rows of a system at most. */
enum { SMALL_ROWS = 48 };

typedef struct rct_small_systems {
    int32_t lanes, bundles;
    const int32_t *rows;         /* [bundles] of a system                                      */
    const int64_t *first_row;    /* [bundles + 1]                                              */
    const int64_t *first_number; /* [bundles + 1]                                              */
    const int32_t *begin;        /* [rows] first column that is not 0 in all lanes             */
    const int32_t *row;          /* [rows][W] which of all                                     */
    const int32_t *number;       /* [numbers][W] place among the values                        */
    double *matrix;              /* [numbers][W] 0 before `begin`                              */
    double *factor;              /* [numbers][W] L below the diagonal, there 1 / D             */
    double *scale;               /* [bundles][W] largest number on the diagonal                */
    double *least;               /* [bundles][W] D at least, in parts of the scale             */
} rct_small_systems;

typedef struct rct_small_kernels {
    /* From values and what is added to the diagonal for its scale, [all rows]: L D L* of each. It is good for solves where D are
     * positive. */
    void (*factor)(const rct_small_systems *systems, const double *values, const double *ready);

    /* x = -A^-1 b, what rounding left of b + A x solved for once more; and what is left then. All [all rows]. */
    void (*solve)(const rct_small_systems *systems, const double *b, double *x, double *left);
} rct_small_kernels;

#endif
