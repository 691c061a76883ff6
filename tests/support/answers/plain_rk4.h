/* The classical Runge-Kutta step written out with only set_state, evaluate and get_accelerations of
 * the public interface, stage by stage. */
#ifndef RCT_TESTS_PLAIN_RK4_H
#define RCT_TESTS_PLAIN_RK4_H

#include <riccatree/solver.h>

/* A row of a motion: quaternion, body axes to inertial, of any length; rate in body axes, rad/s. */
enum { PLAIN_ROW = 7, PLAIN_END = 4 };

/* The motion [n][PLAIN_ROW] a solver shows, and back. */
void plain_motion_get(const rct_solver *solver, int32_t n, double *x);
rct_status plain_motion_set(rct_solver *solver, int32_t n, const double *x, rct_error *error);

/* What is evaluated in `stage` 0 to 3 of the step of size dt from x, or with PLAIN_END what the step leads
 * to, of unit length. 0 if an evaluation before fails. The solver's state is lost. */
int plain_stage(rct_solver *solver, int32_t n, const double *x, double dt, int stage, double *to);

#endif
