/* Operators of the present state, each in O(n): the mass matrix and its inverse times columns, the
 * Jacobian of all bodies and its transpose, inverse dynamics.
 *
 * Columns are [columns][dof], with dof from rct_solver_info, each in the order of the rates of
 * rct_solver_get_coordinates: body after body, as many as rct_hinge_freedoms says, none for a fixed
 * hinge. Rates of relative hinges are those of model.h (rad/s, m/s). Rates of a ball hinge are the
 * angular velocity of the body; rates of a free hinge are the angular velocity of the body and the
 * velocity of its hinge point, absolute and in inertial axes. `derivatives` of the reference
 * formulations have the same order.
 *
 * A generalized force Q does the work Q . u on rates u. A rate moves its body and all bodies that
 * hang on it; but a body that hangs by a ball hinge keeps its angular velocity, which is a rate of
 * its own. A moment M that the parent exerts on a body through a ball hinge is therefore M in the
 * rows of that body and -M on the parent; rct_solver_jacobian_transposed makes generalized forces
 * of such pairs. With x all rates and the ground at rest, x . M x / 2 is the kinetic energy.
 *
 * For a model with loops the operators are those of its open tree: the closing of loops is neither
 * in M nor among the forces.
 *
 * Input and output may be the same array. All functions run on the host, on every backend. A call
 * allocates about 300 bytes per body, or 400 to 1,000 if there are forces or hinges other than ball
 * and fixed. RCT_ERROR_MEMORY; RCT_ERROR_ARGUMENT for a negative number of columns, and for a
 * number that is not finite, which the error names; RCT_ERROR_DEVICE if the state cannot be read.
 */
#ifndef RICCATREE_OPERATORS_H
#define RICCATREE_OPERATORS_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = M x with the mass matrix M: the generalized forces for derivatives x of the rates. */
RCT_API rct_status rct_solver_mass_times(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* y = M^-1 x: the derivatives of the rates caused by generalized forces x alone, without gravity
 * and motion. It uses the factors of M^-1 of the solver's method: articulated bodies (seed 001) or
 * the Riccati recursion (seed 000). RCT_ERROR_SINGULAR names a body whose hinge has a motion that
 * nothing resists. */
RCT_API rct_status rct_solver_mass_solve(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* linear = velocities of the hinge points of all bodies (m/s), angular = angular velocities of all
 * bodies (rad/s), for rates x and the ground at rest; [columns][n][3] each, inertial axes. Either
 * may be NULL. */
RCT_API rct_status rct_solver_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                             double *linear, double *angular, rct_error *error);

/* y = the generalized forces of forces (N) at the hinge points of all bodies and of moments (N m),
 * [columns][n][3] each, inertial axes. */
RCT_API rct_status rct_solver_jacobian_transposed(rct_solver *solver, int32_t columns,
                                                  const double *force, const double *moment,
                                                  double *y, rct_error *error);

/* Inverse dynamics: the force (N) and the moment about the hinge point of the body (N m), [n][3]
 * each, that the parent must exert on each body through its hinge, for derivatives x [dof] of the
 * rates in the present state, with gravity, the motion of the ground and the forces of the model on
 * bodies. Forces of the user are called as in an evaluation. Any of the three results may be NULL.
 *
 * `effort` [dof] is the part along the freedoms of the hinge; for a ball hinge the moment, for a
 * free hinge moment and force. For the motion of an evaluation it equals applied - stiffness (q -
 * rest) - damping u of the model plus the efforts of rct_solver_set_efforts. `effort`, unlike force
 * and moment, includes what accelerates rotors: armature times x. */
RCT_API rct_status rct_solver_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                               double *moment, double *effort, rct_error *error);

/* Exact derivatives of the accelerations (rct_solver_evaluate, rct_solver_get_rate_derivatives)
 * along directions, in O(n) each: da = -M^-1 dR, with R the forces that the motion requires minus
 * the forces that act, differentiated pass by pass. All arrays are [columns][dof]; dq, du, dtau may
 * be NULL: no change. Coordinates change by dq, in the order of the rates: for ball and free hinges
 * by a rotation vector in inertial axes, orientation exp(dq) q, for free hinges also by a
 * displacement. Rates change by du. Efforts, as rct_solver_set_efforts takes them, change by dtau;
 * those of balls act on the body and back on its parent. Time and the motion of the ground stay.
 *
 * All forces are differentiated: gravity, fields of hinges, forces of the model, efforts set. At a
 * corner of a force (a limit or a cable that begins to act, a servo at its saturation) the
 * derivative is that of the branch taken.
 *
 * Active loops act, but are not assembled: the result is the derivative of rct_solver_forward along
 * any direction, by the closing method of the solver, including Baumgarte stabilization. If some
 * constraints follow from others, accelerations exist only for states that meet them: give
 * directions that keep loops closed, such as dq the rates and du their derivatives. From another
 * direction, the part that opens loops is removed as far as possible. A prescribed motion stays
 * unchanged, as the time does. Motions of a linearized system are those along directions that keep
 * loops closed.
 *
 * The call evaluates. It takes about 1.5 kB per body, 600 bytes per force on bodies or per ball
 * hinge where a force acts, six times that for drag, 3 kB per loop, and the memory of the closing
 * method. RCT_ERROR_UNSUPPORTED: a force function, or a spring whose ends meet, unless its length
 * and its damping are 0; otherwise as rct_solver_evaluate. */
RCT_API rct_status rct_solver_acceleration_tangent(rct_solver *solver, int32_t columns,
                                                   const double *dq, const double *du,
                                                   const double *dtau, double *da,
                                                   rct_error *error);

/* The transpose of rct_solver_acceleration_tangent, in O(n) per column, by the same passes
 * backward: for covectors x on da, x . da = gq . dq + gu . du + gtau . dtau. All arrays are
 * [columns][dof]; each result may be NULL. The gradient of a function of the accelerations by all
 * coordinates, rates and efforts costs about as much as two directions. Errors as above. */
RCT_API rct_status rct_solver_acceleration_adjoint(rct_solver *solver, int32_t columns,
                                                   const double *x, double *gq, double *gu,
                                                   double *gtau, rct_error *error);

/* Move coordinates by dq [dof], as the derivatives do: `moved` [info.coordinates], which may be the
 * array `coordinates`. For ball and free hinges the orientation becomes exp(dq) q; all other
 * coordinates are added. The state of the solver is neither read nor changed. RCT_ERROR_ARGUMENT
 * for a number that is not finite. */
RCT_API rct_status rct_solver_move_coordinates(const rct_solver *solver, const double *coordinates,
                                               const double *dq, double *moved, rct_error *error);

/* Efforts that the model itself exerts at its hinges in the present state, [dof] as `effort` above:
 * applied - stiffness (q - rest) - damping u, springs and dampers of ball hinges, forces at hinges;
 * 0 for free hinges. Efforts of rct_solver_set_efforts are not included. `effort` of inverse
 * dynamics minus this result is what drives must supply for the motion x. */
RCT_API rct_status rct_solver_hinge_efforts(rct_solver *solver, double *effort, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
