/* Dense systems of linear equations on an accelerator, for the reference formulations: a backend
 * with such systems has these operations in its table. */
#ifndef RCT_BACKEND_DENSE_H
#define RCT_BACKEND_DENSE_H

#include <riccatree/status.h>

#include <stdint.h>

typedef struct rct_dense rct_dense; /* factors; each backend has its own */

typedef struct rct_dense_operations {
    /* LU factors of a matrix [n][n] by columns, with partial pivoting. They are kept for `solve`,
     * and written over the matrix, where a vanished pivot shows. NULL on failure; `status` says
     * which: RCT_ERROR_UNSUPPORTED where the library is missing, RCT_ERROR_MEMORY,
     * RCT_ERROR_DEVICE. */
    rct_dense *(*factor)(double *matrix, int32_t n, rct_status *status, rct_error *error);

    /* x [n] holds the right-hand side, then the solution. */
    rct_status (*solve)(rct_dense *factors, double *x, rct_error *error);
    void (*destroy)(rct_dense *factors);
} rct_dense_operations;

#endif
