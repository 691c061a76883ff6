/* exp and tanh of one number per lane. */
#ifndef RCT_TESTS_EXPONENTIAL_LANES_H
#define RCT_TESTS_EXPONENTIAL_LANES_H

void exponential_lanes_1(const double *x, double *e, double *t);
void exponential_lanes_2(const double *x, double *e, double *t);
void exponential_lanes_4(const double *x, double *e, double *t);
void exponential_lanes_8(const double *x, double *e, double *t);

#endif
