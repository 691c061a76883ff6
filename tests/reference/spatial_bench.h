/* Random trees of any hinges for the spatial-operator reference, and the points where their forces
 * act. */
#ifndef RCT_TESTS_SPATIAL_BENCH_H
#define RCT_TESTS_SPATIAL_BENCH_H

#include "tests/support/answers/spatial_case.h"

/* Hinges of every type in turn, and all of them together; floating: one tree on a free body. */
void on_random_systems(int floating, void (*check)(const spatial_case *c));

/* Position and velocity of a point of a body, or of the inertial ground. */
void point_of(const spatial_case *c, int32_t body, const double at[3], double x[3], double v[3]);

/* Force and moment at x, moving with v, that f exerts at its own end (1) or its other end (0). */
void end_of_force(const spatial_case *c, const rct_force *f, int own, double x[3], double v[3],
                  double force[3], double moment[3]);

#endif
