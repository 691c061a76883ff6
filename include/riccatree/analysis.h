/* Analyses of a model about a state: its equilibrium, and its oscillations about the equilibrium.
 *
 * The analyses are for models whose forces have a potential: gravity, springs and constant efforts
 * at hinges, elastic balls, limits, servos with a constant target, curves over the coordinate,
 * springs and cables between bodies or to the ground, forces in inertial axes, buoyancy.
 * RCT_ERROR_UNSUPPORTED names a force without one: a moment on a body, a force that turns with its
 * body, a servo that follows a motion or is at its saturation, a curve over time, a current, a
 * force function, a ground that moves, a relation that prescribes a motion. Dampers, friction and
 * drag are ignored.
 *
 * Active loops stay closed: the closed system, with the forces of its loops, rests or moves. Of
 * constraints that follow from others only the independent ones count.
 *
 * The analyses run on the host, on every backend. A step or a factorization takes O(n) operations;
 * in addition O(n) for each row by which loops and springs between two bodies couple the tree, and
 * the cube of the number of rows. A ball closure to the ground has 3 rows, one between two bodies
 * 6, a spring up to 6. RCT_ERROR_UNSUPPORTED for more than 2,048 rows. A call allocates about 1.5
 * kB per body. RCT_ERROR_MEMORY, RCT_ERROR_DEVICE if the state cannot be read.
 *
 * Rates, and shapes as changes of all coordinates, are in the order of rct_solver_get_coordinates;
 * for ball and free hinges rotations are rotation vectors in inertial axes.
 */
#ifndef RICCATREE_ANALYSIS_H
#define RICCATREE_ANALYSIS_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a search for an equilibrium. */
typedef struct rct_equilibrium {
    int32_t steps;       /* steps taken */
    double residual;     /* largest ratio of a remaining effort, with forces of loops, to what
                          * its hinge carries */
    int64_t unstable;    /* directions in which the potential energy falls: 0 for a stable
                          * equilibrium */
    int64_t indifferent; /* directions in which the potential energy does not change within
                          * rounding, such as the spin of a body that hangs by a ball hinge */
    double energy;       /* J, decrease of the potential energy since the start */
} rct_equilibrium;

/* Move the solver to an equilibrium with zero rates, by descent of the potential energy from its
 * present state; loops are closed first and after each step. The method is Newton's with the
 * tangent stiffness K where K is positive definite on the possible motions, else with K made
 * positive definite. A start that rests already stays, stable or not. The time stays. A cable
 * exactly at its length counts as slack.
 *
 * RCT_ERROR_DIVERGED if no equilibrium is found, naming the body that is furthest from it;
 * RCT_ERROR_LOOP if the loops cannot be closed from the start; RCT_ERROR_UNSUPPORTED if the ends of
 * a spring of nonzero length meet at rest, or if constraints of loops follow from others in that
 * pose only, as with a stretched arm, and the equilibrium is not recognized as stable. On an error
 * the state is unchanged. */
RCT_API rct_status rct_solver_equilibrium_sized(rct_solver *solver, rct_out found,
                                                rct_error *error);
static inline rct_status rct_solver_equilibrium(rct_solver *solver, rct_equilibrium *found,
                                                rct_error *error)
{
    return rct_solver_equilibrium_sized(solver, rct_out_of(found, sizeof *found, 0, 0), error);
}

/* Set the start of all bodies of a model: coordinates and rates, body after body as
 * rct_solver_get_coordinates gives them. With it a model can be written that starts at its
 * equilibrium. RCT_ERROR_ARGUMENT names a body whose numbers are no state: the model is unchanged.
 * RCT_ERROR_MEMORY: some bodies may have their new start. */
RCT_API rct_status rct_model_set_start(rct_model *model, const double *coordinates,
                                       const double *rates, rct_error *error);

/* The results of a linearization about an equilibrium. */
typedef struct rct_modes {
    int64_t unstable;    /* motions that grow: K x = omega^2 M x with omega^2 < 0 */
    int64_t indifferent; /* motions with omega = 0, within rounding and the forces that remain at
                          * the equilibrium; not among the modes given */
    int32_t found;       /* number of modes given */
    double largest;      /* largest of their residuals |K x - omega^2 M x| / (|K x| + |omega^2 M
                          * x|) */
} rct_modes;

/* Find the `count` modes with the smallest omega^2 (rad^2/s^2), except those with omega = 0:
 * `square` [count] ascending, `shape` [count][dof] with x . M x = 1 and loops closed, or NULL. If
 * there are fewer modes, all are given, and the remaining entries are NaN. A `count` of 0 counts
 * unstable and indifferent motions only.
 *
 * Forces are linearized in small motions about the state, including gravity and forces of loops on
 * turned bodies (geometric stiffness). Dampers are left out: the modes are those of the undamped
 * system. The method is shift and invert, in O(n), with ARPACK, which a plugin contains:
 * RCT_ERROR_UNSUPPORTED without the plugin, unless `count` is 0.
 *
 * The state must be an equilibrium, else RCT_ERROR_ARGUMENT, with its loops closed, else
 * RCT_ERROR_LOOP; rct_solver_equilibrium finds one. RCT_ERROR_UNSUPPORTED if the forces are not
 * linear there: the ends of a spring of nonzero length meet, a cable is exactly at its length, or
 * constraints of loops follow from others in this pose only. RCT_ERROR_DIVERGED if not all modes of
 * a group are found. State and time stay; for a model with loops the accelerations of the solver
 * are afterwards those of this state. */
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
