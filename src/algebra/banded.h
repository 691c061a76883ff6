/* L D L* of a banded positive definite matrix (sparse_system.h), such as that of mechanisms that are
 * coupled in a row. It is cut into pieces of a fixed length, which lanes eliminate side by side
 * (kernels/records/bands.h); the separators between them are a smaller system. The order of all
 * sums depends on the size and the band alone, not on the lanes. */
#ifndef RCT_ALGEBRA_BANDED_H
#define RCT_ALGEBRA_BANDED_H

#include "algebra/sparse_system.h"
#include "kernels/sweeps/lanes.h"

typedef struct rct_banded rct_banded;

/* Whether the matrix may be cut, has a narrow band in the order of its unknowns, and some pieces. */
int rct_banded_suits(const rct_sparse_places *places);

/* For the lanes of `kernels`. NULL: RCT_ERROR_MEMORY. */
rct_banded *rct_banded_create(const rct_sparse_places *places, const rct_lane_kernels *kernels,
                              rct_error *error);
void rct_banded_free(rct_banded *banded);
int64_t rct_banded_bytes(const rct_banded *banded);

/* Factor with values [count]. RCT_ERROR_SINGULAR: a pivot is 0 or not finite. */
rct_status rct_banded_factor(rct_banded *banded, const double *values, rct_error *error);

/* x [size] = A^-1 x */
void rct_banded_solve(rct_banded *banded, double *x);

/* D of all unknowns, [size]. */
void rct_banded_pivots(const rct_banded *banded, double *pivots);

#endif
