/* Eigenvalues of symmetric matrices of up to six rows, the blocks of one hinge. */
#ifndef RCT_OPERATORS_SYMMETRIC_H
#define RCT_OPERATORS_SYMMETRIC_H

/* Jacobi's method for n rows: A, symmetric, becomes diagonal, and columns of Q its unit
 * eigenvectors. */
void rct_symmetric_eigen(int n, double A[6][6], double Q[6][6]);

#endif
