/* Vectors and quaternions of length 1, and perpendicular axes: they are normalized on entry.
 * Those that are normalized to the last digits keep their bits, so that a model keeps its bits
 * when it is written and read again. */
#ifndef RCT_MODEL_UNIT_H
#define RCT_MODEL_UNIT_H

/* Scale `x`, 2 to 4 finite numbers, to length 1; 0 if its length is zero. */
int rct_make_unit(double *x, int count);

/* Whether two axes of length 1 are less than 1e-6 rad apart. */
int rct_are_parallel(const double a[3], const double b[3]);

/* Whether turns about both axes differ by six digits or more: 1e-3 rad. A solution for turns
 * about axes an angle x apart has a relative error of up to 1e-16 / x^2. */
int rct_are_apart(const double a[3], const double b[3]);

/* Two vectors of length 1, perpendicular to n, which has length 1 too, and to each other. */
void rct_find_across(const double n[3], double one[3], double other[3]);

/* Make b perpendicular to a; both have length 1 and are not parallel. */
void rct_make_perpendicular(const double a[3], double b[3]);

#endif
