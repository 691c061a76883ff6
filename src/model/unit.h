/* Vectors and quaternions of length 1. */
#ifndef RCT_MODEL_UNIT_H
#define RCT_MODEL_UNIT_H

/* Scale `x`, 2 to 4 finite numbers, to length 1; one that has it to the last digits keeps its bits, so that a
 * model written and read again keeps them. 0 if its length is zero. */
int rct_make_unit(double *x, int count);

#endif
