/* Eigenvalues of symmetric matrices of up to six rows, those of the hinge of one body. */
#ifndef RCT_OPERATORS_SYMMETRIC_H
#define RCT_OPERATORS_SYMMETRIC_H

/* Jacobi's method: of the n rows of A, symmetric, A becomes diagonal, and columns of Q its unit eigenvectors. */
void rct_symmetric_eigen(int n, double A[6][6], double Q[6][6]);

#endif
