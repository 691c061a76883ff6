/* Analyses of a model about a state: where it rests, and how it oscillates about that.
 *
 * They are for models whose forces have a potential: gravity, springs and constant efforts at hinges, elastic balls, limits, servos with a
 * constant target, curves over the coordinate, springs and cables between bodies or to the ground, forces in inertial axes, buoyancy.
 * RCT_ERROR_UNSUPPORTED names what has none: a moment on a body, a force that turns with its body, a servo that follows a motion or is
 * cut off, a curve over time, a current, a force function, a ground that moves, a relation that prescribes a motion. Dampers, friction and
 * drag count for nothing.
 *
 * Loops that hold stay closed: what rests, and what moves, is the closed system, with the forces of its loops. Of constraints that
 * follow from others those count that do not.
 *
 * They work on the host, whatever the backend. A step or a factorization takes O(n) operations, and as many for each row that loops and
 * springs between two bodies couple the tree by, and the cube of their number: 3 rows for a ball closure to the ground, 6 for one of two
 * bodies, up to 6 for a spring. RCT_ERROR_UNSUPPORTED where there are more than 2,048. A call allocates about 1.5 kB a body.
 * RCT_ERROR_MEMORY, RCT_ERROR_DEVICE if the state cannot be read.
 *
 * Rates, and shapes as changes of all coordinates, are in the order of rct_solver_get_coordinates: of ball and free hinges a
 * rotation vector in inertial axes.
 */
#ifndef RICCATREE_ANALYSIS_H
#define RICCATREE_ANALYSIS_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What came of a search for rest. */
typedef struct rct_equilibrium {
    int32_t steps;    /* taken                                                                   */
    double residual;  /* the largest part that an effort left over, forces of loops counted, is of
                         what its hinge carries                                                  */
    int64_t unstable; /* directions in which the potential energy falls: 0 of a stable one       */
    int64_t
        indifferent; /* directions in which it does not change, as far as rounding tells: the spin of
                           a body that hangs by a ball hinge                                      */
    double energy; /* J, what the potential energy has fallen by since the start                  */
} rct_equilibrium;

/* Move the solver to where it rests, its rates zero, by descent of the potential energy from where it is, loops closed first and after each
 * step: Newton's method with the tangent stiffness K where that is positive definite on the motions that there are, else with one
 * made so. A start that rests already stays, stable or not. RCT_ERROR_DIVERGED where no rest is found, naming the body that is
 * furthest from it; RCT_ERROR_LOOP where the loops cannot be closed from the start; RCT_ERROR_UNSUPPORTED where the
 * ends of a spring of some length meet at rest, or where constraints of loops follow from others in that pose alone, as where an arm is
 * stretched out, and it is not seen to be stable: the state is then as it was. A cable at its length, about to pull, counts as slack. The
 * time stays. */
RCT_API rct_status rct_solver_equilibrium_sized(rct_solver *solver, rct_out found,
                                                rct_error *error);
static inline rct_status rct_solver_equilibrium(rct_solver *solver, rct_equilibrium *found,
                                                rct_error *error)
{
    return rct_solver_equilibrium_sized(solver, rct_out_of(found, sizeof *found, 0, 0), error);
}

/* Have all bodies of a model start at these coordinates and rates, body after body as rct_solver_get_coordinates gives them: so as to
 * write a model that starts where it rests. RCT_ERROR_ARGUMENT names a body whose numbers are no state: the model is as before.
 * RCT_ERROR_MEMORY: some bodies may have their new start. */
RCT_API rct_status rct_model_set_start(rct_model *model, const double *coordinates,
                                       const double *rates, rct_error *error);

/* What a linearization about rest has. */
typedef struct rct_modes {
    int64_t
        unstable; /* motions that grow: K x = omega^2 M x with omega^2 < 0                      */
    int64_t
        indifferent; /* omega = 0, as far as rounding tells, and what forces are left over where the
                      * state rests: they are none of the modes given                          */
    int32_t found;   /* modes given                                                             */
    double largest;  /* of their residuals |K x - omega^2 M x| / (|K x| + |omega^2 M x|)         */
} rct_modes;

/* The `count` modes of least omega^2 (rad^2/s^2), not counting those of 0: `square` [count] ascending, `shape`
 * [count][dof] with x . M x = 1 and loops closed, or NULL. All of them where there are fewer; what is behind them is NaN. Efforts linear in
 * small motions about the state, gravity and forces of loops on what has turned included (geometric stiffness); dampers are left out: the modes are those of
 * the system without. By shift and invert in O(n), and ARPACK, which a plugin has: RCT_ERROR_UNSUPPORTED without. A
 * `count` of 0 counts what grows and what costs nothing, without ARPACK. The state
 * must be one of rest, else RCT_ERROR_ARGUMENT, its loops closed, else RCT_ERROR_LOOP: rct_solver_equilibrium finds one. RCT_ERROR_UNSUPPORTED
 * where the ends of a spring meet that has some length, a cable is at its length and about to pull, or constraints of loops follow from others in this pose alone: nothing is linear there. RCT_ERROR_DIVERGED if not all modes of a group are
 * found. State and time stay; accelerations of a model with loops may be others than before the call, those of this state. */
RCT_API rct_status rct_solver_modes_sized(rct_solver *solver, int32_t count, double *square,
                                          double *shape, rct_out modes, rct_error *error);
static inline rct_status rct_solver_modes(rct_solver *solver, int32_t count, double *square,
                                          double *shape, rct_modes *modes, rct_error *error)
{
    return rct_solver_modes_sized(solver, count, square, shape,
                                  rct_out_of(modes, sizeof *modes, 0, 0), error);
}

#ifdef __cplusplus
}
#endif
#endif
