/* The classical Runge-Kutta step written out with only set_state, evaluate and get_accelerations of
 * the public interface, stage by stage. */
#ifndef RCT_TESTS_PLAIN_RK4_H
#define RCT_TESTS_PLAIN_RK4_H

#include <riccatree/solver.h>

/* A row of a motion: quaternion from body axes to inertial axes, of any length; rate in body axes,
 * rad/s. */
enum { PLAIN_ROW = 7, PLAIN_END = 4 };

/* Reads the motion [n][PLAIN_ROW] of a solver, and sets it. */
void plain_motion_get(const rct_solver *solver, int32_t n, double *x);
rct_status plain_motion_set(rct_solver *solver, int32_t n, const double *x, rct_error *error);

/* The state evaluated in `stage` 0 to 3 of the step of size dt from x, or with PLAIN_END the result
 * of the step, of unit length. Returns 0 if an evaluation before it fails. The solver's state is
 * lost. */
int plain_stage(rct_solver *solver, int32_t n, const double *x, double dt, int stage, double *to);

#endif
