/* All motions of a small system about rest, computed slowly by differences: without operators,
 * multipliers or rows of the library. */
#ifndef RCT_TESTS_DENSE_MOTIONS_H
#define RCT_TESTS_DENSE_MOTIONS_H

#include <riccatree/solver.h>

/* Where loops are closed and nothing accelerates, accelerations change by a' = -D q' along a change of coordinates, D by central
 * differences of the reference lagrange. Accelerations keep loops closed, so that the range of D is in the motions that do: its
 * eigenvalues are omega^2 of all modes, and 0 for each constraint. Real parts to lambda [dof], ascending. The state of the solver,
 * one of rest, stays. */
void dense_motions(const rct_model *model, const rct_solver *solver, double *lambda);

/* The largest acceleration (m/s^2) of a hinge point there, and rate (1/s^2), by lagrange. */
double dense_acceleration(const rct_model *model, const rct_solver *solver);

#endif
