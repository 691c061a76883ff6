/* Operators of the present state, each in O(n): the mass matrix and its inverse times columns, the Jacobian of
 * all bodies and its transpose, inverse dynamics.
 *
 * Generalized speeds are rows of three a body: the angular velocity of a body with a ball hinge, inertial
 * axes (rad/s). Rows of bodies with a fixed hinge are not read, and written as zero. A generalized force Q is a
 * row of moments (N m) that does the work Q . w on it: of moments at the hinges, that on the body less
 * those it passes to the bodies that hang on it. With all rows of velocities as x, x . M x / 2 is the
 * kinetic energy.
 *
 * `columns` of them follow one another: [columns][n][3]. In and out may be the same array. All run on the
 * host, whatever the backend; a call allocates about 250 bytes a body. RCT_ERROR_MEMORY,
 * RCT_ERROR_ARGUMENT for a number of columns below 0, RCT_ERROR_DEVICE if the state cannot be read.
 */
#ifndef RICCATREE_OPERATORS_H
#define RICCATREE_OPERATORS_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = M x, M the mass matrix (kg m^2): generalized forces of accelerations x. */
RCT_API rct_status rct_solver_mass_times(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* y = M^-1 x: accelerations that generalized forces x give besides those of gravity and motion, by the
 * articulated-body factors of M^-1 (seed 001). RCT_ERROR_SINGULAR names a body whose rotation nothing
 * resists. */
RCT_API rct_status rct_solver_mass_solve(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* linear = velocities of all hinge points (m/s), angular = angular velocities of all bodies (rad/s), those of
 * welded bodies too, for speeds x; [columns][n][3] each, either may be NULL. */
RCT_API rct_status rct_solver_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                             double *linear, double *angular, rct_error *error);

/* y = generalized forces of forces (N) at the hinge points of all bodies and of moments (N m), inertial axes;
 * [columns][n][3] each. */
RCT_API rct_status rct_solver_jacobian_transposed(rct_solver *solver, int32_t columns,
                                                  const double *force, const double *moment,
                                                  double *y, rct_error *error);

/* Inverse dynamics: the force (N) and moment about the hinge point (N m) that the parent must exert on
 * each body through its hinge, [n][3] each, either may be NULL, for angular accelerations x (rad/s^2) in the
 * present state and gravity. Those of rct_solver_evaluate ask for no moment of a ball hinge. */
RCT_API rct_status rct_solver_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                               double *moment, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
