/* Operators of the present state, each in O(n): the mass matrix and its inverse times columns, the Jacobian of
 * all bodies and its transpose, inverse dynamics.
 *
 * Columns are [columns][dof], dof as rct_solver_info has it, each in the order of the rates of
 * rct_solver_get_coordinates: body after body as rct_hinge_freedoms counts them, none for a fixed hinge. Rates of
 * relative hinges are those of model.h (rad/s, m/s); of a ball hinge the angular velocity of the body, of a free
 * hinge its angular velocity and the velocity of its hinge point, inertial axes and absolute. `derivatives` of
 * references have the same order.
 *
 * A generalized force Q does the work Q . u on rates u. A rate moves its body and all that hangs on it; but what
 * hangs by a ball hinge keeps its angular velocity, which is a rate of its own. So a moment M that the parent
 * exerts on a body through a ball hinge is M in the rows of that body, and -M on the parent;
 * rct_solver_jacobian_transposed makes generalized forces of such pairs. With all rates as x and the ground at
 * rest, x . M x / 2 is the kinetic energy.
 *
 * Of a model with loops they are those of its open tree: what closes the loops is neither in M nor among the forces.
 *
 * In and out may be the same array. All run on the host, whatever the backend; a call allocates about 300 bytes a
 * body, 400 to 1,000 where there are hinges other than ball and fixed ones, or forces. RCT_ERROR_MEMORY, RCT_ERROR_ARGUMENT
 * for a number of columns below 0 and for a number that is not finite, which is named, RCT_ERROR_DEVICE if the state cannot
 * be read.
 */
#ifndef RICCATREE_OPERATORS_H
#define RICCATREE_OPERATORS_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = M x, M the mass matrix: generalized forces of derivatives x of the rates. */
RCT_API rct_status rct_solver_mass_times(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* y = M^-1 x: derivatives of the rates that generalized forces x give besides those of gravity and motion, by the
 * factors of M^-1 of the solver's method, of articulated bodies (seed 001) or of the Riccati recursion (seed 000).
 * RCT_ERROR_SINGULAR names a body whose hinge has a motion that nothing resists. */
RCT_API rct_status rct_solver_mass_solve(rct_solver *solver, int32_t columns, const double *x,
                                         double *y, rct_error *error);

/* linear = velocities of the hinge points of all bodies (m/s), angular = angular velocities of all bodies (rad/s)
 * for rates x, the ground at rest; [columns][n][3] each, either may be NULL. */
RCT_API rct_status rct_solver_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                             double *linear, double *angular, rct_error *error);

/* y = generalized forces of forces (N) at the hinge points of all bodies and of moments (N m), inertial axes;
 * [columns][n][3] each. */
RCT_API rct_status rct_solver_jacobian_transposed(rct_solver *solver, int32_t columns,
                                                  const double *force, const double *moment,
                                                  double *y, rct_error *error);

/* Inverse dynamics: what the parent must exert on each body through its hinge, for derivatives x [dof] of the rates
 * in the present state, with gravity, the motion of the ground and the forces on bodies of the model. `force` (N)
 * and `moment` about the hinge point of the body (N m) are [n][3]; `effort` [dof] is their part along the
 * freedoms of the hinge, of a ball hinge the moment, of a free hinge moment and force: applied - stiffness (q - rest) -
 * damping u of the model, and what rct_solver_set_efforts gives, of the motion of an evaluation. Effort alone has what rotors take
 * besides, armature times x. Each of the three may be NULL. Forces of the user are asked for as in an evaluation. */
RCT_API rct_status rct_solver_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                               double *moment, double *effort, rct_error *error);

/* Derivatives of the accelerations, those of rct_solver_evaluate and rct_solver_get_rate_derivatives, along directions, exact, in O(n) each:
 * da = -M^-1 dR, R what the motion asks for less what acts, differentiated pass by pass. Coordinates move by dq, in the order of the
 * rates: of ball and free hinges by a rotation vector in inertial axes, orientation exp(dq) q, and of free ones besides by a way. Rates
 * change by du; efforts as rct_solver_set_efforts takes them by dtau, those of balls on the body and back on its parent. [columns][dof]
 * each; each may be NULL: no change. Time and the motion of the ground stay.
 *
 * All that acts is differentiated: gravity, fields of hinges, forces of the model, efforts set. Where a force has a corner (a limit or a cable that
 * begins to act, a servo cut off) the derivative is that of the branch taken.
 *
 * Loops that hold act, but are not assembled: it is the derivative of rct_solver_forward along any direction, by the closing method of
 * the solver, stabilization of Baumgarte's included. Where constraints follow from others, accelerations are there only for states that
 * meet them: give directions that keep loops closed, such as dq the rates and du their derivatives; of another as much of what opens
 * them is taken back as can be. A prescribed motion stays where it is, as time does. Motions of a linearized system are those along
 * directions that keep loops closed.
 *
 * The call evaluates, and takes about 1.5 kB a body, 600 bytes a force on bodies or ball hinge where anything acts, six times that for
 * drag, 3 kB a loop and what the closing method takes. RCT_ERROR_UNSUPPORTED: a force function, a spring whose ends meet, unless it has no
 * length and no damping; otherwise as rct_solver_evaluate. */
RCT_API rct_status rct_solver_acceleration_tangent(rct_solver *solver, int32_t columns,
                                                   const double *dq, const double *du,
                                                   const double *dtau, double *da,
                                                   rct_error *error);

/* The transpose, in O(n) a column, by the same passes backward: for covectors x on da, x . da = gq . dq + gu . du + gtau . dtau. [columns][dof]
 * each; each result may be NULL. So the gradient of a function of the accelerations along all coordinates, rates and efforts costs about
 * what two directions do. Errors as above. */
RCT_API rct_status rct_solver_acceleration_adjoint(rct_solver *solver, int32_t columns,
                                                   const double *x, double *gq, double *gu,
                                                   double *gtau, rct_error *error);

/* Coordinates moved by dq [dof] as derivatives have it: `moved` [info.coordinates], which may be the array `coordinates`. Of ball and free
 * hinges orientation exp(dq) q, all others are added. The state of the solver is neither read nor changed. RCT_ERROR_ARGUMENT for
 * a number that is not finite. */
RCT_API rct_status rct_solver_move_coordinates(const rct_solver *solver, const double *coordinates,
                                               const double *dq, double *moved, rct_error *error);

/* What the model exerts at its hinges by itself in the present state, [dof] as `effort` above: applied - stiffness (q - rest) -
 * damping u, springs and dampers of ball hinges, forces at hinges; 0 of free hinges. What rct_solver_set_efforts gives is not in
 * it. `effort` of inverse dynamics less this is what must be given for the motion x. */
RCT_API rct_status rct_solver_hinge_efforts(rct_solver *solver, double *effort, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
