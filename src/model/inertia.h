/* Principal moments of a symmetric 3x3 matrix: what the checks of inertia need. */
#ifndef RCT_MODEL_INERTIA_H
#define RCT_MODEL_INERTIA_H

/* Eigenvalues, ascending, of the matrix xx yy zz xy xz yz; absolute error a few ulp of the largest. */
void rct_principal_moments(const double inertia[6], double moments[3]);

#endif
