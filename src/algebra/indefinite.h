/* L D L* of a dense symmetric matrix of any signs, with D of blocks of one and two rows chosen by rook pivoting (Ashcraft, Grimes,
 * Lewis 1998), so that the numbers of L stay bounded, and its signs are those of the matrix (Sylvester). */
#ifndef RCT_ALGEBRA_INDEFINITE_H
#define RCT_ALGEBRA_INDEFINITE_H

#include <stdint.h>

typedef struct rct_indefinite {
    int64_t size;
    double
        *A; /* [size][size] its lower triangle by rows; then L, and D on and below the diagonal */
    int32_t *order;         /* [size] which row is in each place                                 */
    unsigned char *pair;    /* [size] 1: the first row of a block of two                         */
    double *scale;          /* [size] rows and columns are multiplied by it first, a power of two */
    double *work;           /* [2 size]                                                          */
    int64_t negative, zero; /* its signs                                                         */
} rct_indefinite;

/* All arrays are the caller's. */
void rct_indefinite_factor(rct_indefinite *f);

/* x [size] = A^-1 x, with nothing along pivots that are zero. */
void rct_indefinite_solve(const rct_indefinite *f, double *x);

#endif
