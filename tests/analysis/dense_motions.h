/* All motions of a small system about rest, computed slowly by differences: without operators,
 * multipliers or rows of the library. */
#ifndef RCT_TESTS_DENSE_MOTIONS_H
#define RCT_TESTS_DENSE_MOTIONS_H

#include <riccatree/solver.h>

/* If loops are closed and nothing accelerates, accelerations change by a' = -D q' with a change of
 * coordinates. D comes from central differences of the reference lagrange. Accelerations keep loops
 * closed, so the range of D lies in the motions that keep loops closed: the eigenvalues of D are
 * omega^2 of all modes, and 0 for each constraint. Writes their real parts to lambda [dof],
 * ascending. The state of the solver must be a state of rest and stays. */
void dense_motions(const rct_model *model, const rct_solver *solver, double *lambda);

/* The largest acceleration (m/s^2) of a hinge point in this state, and of a rate (1/s^2), by
 * lagrange. */
double dense_acceleration(const rct_model *model, const rct_solver *solver);

#endif
