/* Loops of a solver: how well they are closed, which forces close them, attaching and releasing
 * them during a motion.
 *
 * The open tree is swept as without loops; its closing is one linear problem in each state
 * (rct_closing). The tree, its plan and its packing stay unchanged when loops are attached or
 * released (seed 001: primary and secondary systems). Accelerations, hinge forces, state vectors,
 * steps and measures of the solver are those of the closed system; rct_solver_inverse_dynamics and
 * the operators of riccatree/operators.h are those of the open tree.
 */
#ifndef RICCATREE_CLOSURE_H
#define RICCATREE_CLOSURE_H

#include <riccatree/event.h>
#include <riccatree/loop.h>
#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The loops of a solver in its present state. */
typedef struct rct_loop_info {
    int32_t loops;                         /* loops of the model */
    int32_t active;                        /* loops that hold */
    int32_t constraints;                   /* constraints of the active loops */
    int32_t rank;                          /* number of independent constraints, as the method
                                            * found when it ran last. With admittance it is an
                                            * estimate if 32 or more constraints of a large tree
                                            * depend on others; rct_solver_find_aggregates then
                                            * counts them */
    int32_t redundant;                     /* constraints minus rank */
    double position;                       /* largest |phi|: m; for constraints on angles the
                                            * sine of the angle */
    double velocity;                       /* largest |phi'|: m/s, rad/s */
    int32_t position_loop, velocity_loop;  /* their loops; -1: all constraints are met to the
                                            * last bit */
    double start_position, start_velocity; /* the same for the initial state before it was
                                            * closed; 0 if as_given */
    int32_t start_position_loop, start_velocity_loop;
    const char *closing; /* name of the method */
    const char *drift;
    double bound; /* m: a loop that is open by more than this no longer belongs to the motion of
                   * the model. A hundredth of the reach of the bodies, at most a hundredth of 1
                   * m; infinite if the initial state is taken as given. Angles are compared with
                   * it in rad; in systems that reach less than 1/64 m they are first multiplied
                   * by 64 times that reach */
    double open,  /* m: the largest |phi|, with angles multiplied by the length that stands for
                   * the metre (docs/closed-loops.md, Any size), so that one bound in metres
                   * covers all constraints */
        opening;  /* m/s: the same for |phi'| */
} rct_loop_info;

/* Get the info on loops; without loops it is all 0, -1, NULL. */
RCT_API void rct_solver_get_loop_info_sized(const rct_solver *solver, rct_out info);
static inline void rct_solver_get_loop_info(const rct_solver *solver, rct_loop_info *info)
{
    rct_solver_get_loop_info_sized(solver, rct_out_of(info, sizeof *info, 0, 0));
}

/* Whether violations of this size (m or rad, and these per second) are more than rounding, so that
 * loops count as open. `bound`: of rct_loop_info; INFINITY where it is not known. */
RCT_API int rct_loops_open(double bound, double position, double velocity);

/* Forces of the loops in the last rct_solver_evaluate; NaN under the same conditions as other
 * results (solver.h). Force (N) on `body` of each loop and moment (N m) about the point of the
 * closure on that body, [loops][3], inertial axes; for relations the multiplier `effort` [loops]
 * (times a factor: N or N m along that coordinate). Values are zero for loops that are not active
 * and for quantities that a loop does not have. If constraints are redundant, the solution of least
 * length is given, with moments divided by the metre, or by the length that stands for it in
 * systems far from 1 m (docs/closed-loops.md, Any size). Any array may be NULL. */
RCT_API void rct_solver_get_loop_forces(const rct_solver *solver, double *force, double *moment,
                                        double *effort);

/* Attach or release a loop. Attaching requires that the loop is closed to 1e-6 (m, rad; relative to
 * the length that stands for the metre); RCT_LOOP_PULLED attaches it from anywhere. Rates then
 * change as in an inelastic impact: the momentum of floating systems is conserved, and the energy
 * does not grow. Releasing changes no state. Attaching a loop that is already active, open or
 * closed, does nothing; rct_solver_assemble closes it.
 *
 * Unlike the functions below create it may allocate memory. RCT_ERROR_LOOP with the gap, or if the
 * impact or the pulling is impossible; RCT_ERROR_ARGUMENT for an unknown loop or state;
 * RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR; RCT_ERROR_UNSUPPORTED if the closing method does not cover
 * the system. On an error the loop and the state stay as they were. */
RCT_API rct_status rct_solver_set_loop_active(rct_solver *solver, int32_t loop,
                                              rct_loop_state active, rct_error *error);

/* Close the active loops from the present state: positions by Newton's method in the metric of M,
 * then rates by the least change. A state that is closed to rounding keeps its bits. RCT_ERROR_LOOP
 * names the loop that is furthest open; RCT_ERROR_SINGULAR, RCT_ERROR_UNSUPPORTED,
 * RCT_ERROR_DEVICE. On an error the state is not changed. */
RCT_API rct_status rct_solver_assemble(rct_solver *solver, rct_error *error);

/* Which loops hold: 1 or 0 each, [loops]. */
RCT_API void rct_solver_get_active_loops(const rct_solver *solver, int32_t *active);

/* ---- aggregates ---- */

/* The bodies that the active loops tie together (seed 002, section 4.2). An aggregate consists of
 * the bodies on the paths from the two ends of a loop, its cut edge, to the lowest body that
 * carries both, without that body; for a relation the paths start at the bodies whose hinges it
 * names and include them. Loops that share a body share an aggregate. With each aggregate taken as
 * one body the system is a tree again. Aggregates depend only on the tree and the active loops, not
 * on the closing method. */
typedef struct rct_aggregates rct_aggregates;

/* One aggregate. The rank is that of its own constraints in the state examined: as many of its
 * rates depend on the others. The rank is -1, not known, if rounding hides it, positions are beyond
 * all bounds, or 32 or more constraints of a very large aggregate (a million numbers) depend on
 * others. */
typedef struct rct_aggregate_info {
    int32_t body;        /* its head: the body that it hangs on, or RCT_GROUND */
    int32_t bodies;      /* number of its bodies */
    int32_t loops;       /* number of its loops (cut edges) */
    int32_t constraints; /* constraints of these loops */
    int32_t rates;       /* rates of the hinges of its bodies */
    int32_t rank;        /* rank of the constraints, the number of dependent rates, or -1 */
    int32_t independent; /* rates minus rank, or -1 */
    int32_t redundant;   /* constraints minus rank, or -1 */
} rct_aggregate_info;

/* Find all aggregates in the present state of a solver, in the order of their first loops. The
 * result is a copy, which later changes of the solver and its loops do not affect. A solver without
 * active loops has none. O(bodies and loops): up to 64 rates and 256 constraints, ranks come from a
 * pivoted factorization of the constraints; beyond, they cost as much as the method of admittance.
 * NULL on failure: as rct_solver_check, RCT_ERROR_MEMORY, RCT_ERROR_ARGUMENT for a time that is not
 * finite. */
RCT_API rct_aggregates *rct_solver_find_aggregates(const rct_solver *solver, rct_error *error);
RCT_API void rct_aggregates_free(rct_aggregates *aggregates); /* NULL does nothing */

/* The number of aggregates; 0 for NULL. */
RCT_API int32_t rct_aggregates_count(const rct_aggregates *aggregates);

/* Copy aggregate number `aggregate` out. RCT_ERROR_ARGUMENT if there is none of that number. */
RCT_API rct_status rct_aggregates_get_sized(const rct_aggregates *aggregates, int32_t aggregate,
                                            rct_out info, rct_error *error);
static inline rct_status rct_aggregates_get(const rct_aggregates *aggregates, int32_t aggregate,
                                            rct_aggregate_info *info, rct_error *error)
{
    return rct_aggregates_get_sized(aggregates, aggregate, rct_out_of(info, sizeof *info, 0, 0),
                                    error);
}

/* Bodies [bodies] of an aggregate, parents before their children, and its loops [loops], ascending.
 * They live as long as the aggregates. NULL if there is no aggregate of that number. */
RCT_API const int32_t *rct_aggregates_bodies(const rct_aggregates *aggregates, int32_t aggregate);
RCT_API const int32_t *rct_aggregates_loops(const rct_aggregates *aggregates, int32_t aggregate);

/* Which events of the model (riccatree/event.h) have happened so far in the steps of this solver:
 * how often, and when last (s, NaN: not yet), [events]. Either array may be NULL. */
RCT_API void rct_solver_get_events(const rct_solver *solver, int64_t *happened, double *time);

#ifdef __cplusplus
}
#endif
#endif
