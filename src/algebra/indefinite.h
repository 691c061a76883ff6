/* L D L* of a dense symmetric matrix of any signs. D has blocks of one and two rows, chosen by rook
 * pivoting (Ashcraft, Grimes, Lewis 1998). So the numbers of L stay bounded, and the signs of D are
 * those of the matrix (Sylvester). */
#ifndef RCT_ALGEBRA_INDEFINITE_H
#define RCT_ALGEBRA_INDEFINITE_H

#include <stdint.h>

typedef struct rct_indefinite {
    int64_t size;
    double
        *A; /* [size][size] its lower triangle by rows; then L, and D on and below the diagonal */
    int32_t *order;      /* [size] the row in each place */
    unsigned char *pair; /* [size] 1: the first row of a block of two */
    double *scale;       /* [size] factor of each row and column before factoring, a power of two */
    double *work;        /* [2 size] */
    int64_t negative, zero; /* its signs */
} rct_indefinite;

/* The caller owns all arrays. */
void rct_indefinite_factor(rct_indefinite *f);

/* x [size] = A^-1 x, with no part along pivots that are zero. */
void rct_indefinite_solve(const rct_indefinite *f, double *x);

#endif
