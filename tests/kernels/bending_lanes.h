/* Moments of springs at ball hinges, one hinge per lane: turn [9][W], frame [4][W], stiffness and
 * moment [3][W]. */
#ifndef RCT_TESTS_BENDING_LANES_H
#define RCT_TESTS_BENDING_LANES_H

void bending_lanes_1(const double *turn, const double *frame, const double *stiffness,
                     double *moment);
void bending_lanes_2(const double *turn, const double *frame, const double *stiffness,
                     double *moment);
void bending_lanes_4(const double *turn, const double *frame, const double *stiffness,
                     double *moment);
void bending_lanes_8(const double *turn, const double *frame, const double *stiffness,
                     double *moment);

#endif
