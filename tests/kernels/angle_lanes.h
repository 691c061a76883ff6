/* Sines and cosines of one angle per lane. */
#ifndef RCT_TESTS_ANGLE_LANES_H
#define RCT_TESTS_ANGLE_LANES_H

void angle_lanes_1(const double *x, double *s, double *c);
void angle_lanes_2(const double *x, double *s, double *c);
void angle_lanes_4(const double *x, double *s, double *c);
void angle_lanes_8(const double *x, double *s, double *c);

#endif
