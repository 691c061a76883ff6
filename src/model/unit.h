/* Vectors and quaternions of length 1, and axes across one another: what is normalized on entry. What is so to the
 * last digits keeps its bits, so that a model written and read again keeps them. */
#ifndef RCT_MODEL_UNIT_H
#define RCT_MODEL_UNIT_H

/* Scale `x`, 2 to 4 finite numbers, to length 1; 0 if its length is zero. */
int rct_make_unit(double *x, int count);

/* Of two axes of length 1: whether less than 1e-6 rad are between them. */
int rct_are_parallel(const double a[3], const double b[3]);

/* Whether turns about both are told apart by six digits or more: 1e-3 rad. What is solved for turns about axes of an angle x apart is
 * wrong by up to 1e-16 / x^2 of itself. */
int rct_are_apart(const double a[3], const double b[3]);

/* Two vectors of length 1 across n, which has that too, and across one another. */
void rct_find_across(const double n[3], double one[3], double other[3]);

/* Turn b perpendicular to a, both of length 1 and not parallel. */
void rct_make_perpendicular(const double a[3], double b[3]);

#endif
