/* Loops of a solver: how well they are closed, what closes them, opening and closing them on the way.
 *
 * The open tree is swept as ever; what closes it is one linear problem in each state (rct_closing). The tree, its plan
 * and its packing stay when loops come and go (seed 001: primary and secondary systems). Accelerations, hinge forces,
 * state vectors, steps and measures of the solver are those of the closed system; rct_solver_inverse_dynamics and the
 * operators of riccatree/operators.h are those of the open tree.
 */
#ifndef RICCATREE_CLOSURE_H
#define RICCATREE_CLOSURE_H

#include <riccatree/event.h>
#include <riccatree/loop.h>
#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The loops in the present state. */
typedef struct rct_loop_info {
    int32_t loops;       /* of the model                                                         */
    int32_t active;      /* those that hold                                                      */
    int32_t constraints; /* of the active ones                                                   */
    int32_t rank;        /* as many are independent, as the method found when it ran last; by
                          * admittance an estimate where 32 and more of a large tree depend on
                          * others: rct_solver_find_aggregates counts then                      */
    int32_t redundant;   /* constraints less rank                                                */
    double position;     /* largest |phi|: m; of rows that turn the sine of an angle             */
    double velocity;     /* largest |phi'|: m/s, rad/s                                           */
    int32_t position_loop, velocity_loop;  /* where, or -1: all are met to the last bit           */
    double start_position, start_velocity; /* the same of the initial state, before the solver was
                                            * made with it closed; 0 if that is taken as given   */
    int32_t start_position_loop, start_velocity_loop;
    const char *closing; /* name of the method                                                   */
    const char *drift;
    double
        bound; /* m: open by more, the motion is no longer that of the model; a hundredth of what bodies reach, and
                   * of 1 m at most; infinite where the initial state is taken as given. Rows that turn are held
                   * against it in rad, in systems that reach less than 1/64 m at 64 times what they reach */
    double
        open, /* m: the largest |phi| where rows that turn count times the length that stands for the metre
                  * (docs/closed-loops.md, Any size), so that a bound in metres is one for all       */
        opening; /* m/s: the same of |phi'|                                                      */
} rct_loop_info;

/* Of a solver without loops all 0, -1, NULL. */
RCT_API void rct_solver_get_loop_info_sized(const rct_solver *solver, rct_out info);
static inline void rct_solver_get_loop_info(const rct_solver *solver, rct_loop_info *info)
{
    rct_solver_get_loop_info_sized(solver, rct_out_of(info, sizeof *info, 0, 0));
}

/* What the loops exert, by the last rct_solver_evaluate; NaN as other results are (solver.h). Force (N) on `body` of each loop and
 * moment (N m) about the point of the closure on it, [loops][3], inertial axes, and of relations the multiplier
 * `effort` [loops] (times a factor: N or N m along that coordinate). Zero where they have none and of loops that are
 * not active. Where constraints are redundant they are those of least length, moments over the metre, or over what stands for it in
 * systems that are far from 1 m (docs/closed-loops.md, Any size). Any array may be NULL. */
RCT_API void rct_solver_get_loop_forces(const rct_solver *solver, double *force, double *moment,
                                        double *effort);

/* Attach or release a loop. To be attached it must be closed to 1e-6 (m, rad; of what stands for the metre); then rates change by what an inelastic
 * impact does to them: momentum of systems that float is conserved, energy does not grow. Release changes no state.
 * Nothing is done to a loop that is active, open or not: see rct_solver_assemble.
 * It may allocate, as no other function below create. RCT_ERROR_LOOP with the gap, or if the impact or pulling cannot
 * be, RCT_ERROR_ARGUMENT for a number that is no loop's or no such state, RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR,
 * RCT_ERROR_UNSUPPORTED by a method that does not cover the system; the loop and the state then stay as they were. */
RCT_API rct_status rct_solver_set_loop_active(rct_solver *solver, int32_t loop,
                                              rct_loop_state active, rct_error *error);

/* Pull the active loops together from the present state: positions by Newton's method, in the metric of M, then rates
 * by the least change. A state that is closed to rounding keeps its bits. RCT_ERROR_LOOP names the loop that is furthest
 * open, RCT_ERROR_SINGULAR, RCT_ERROR_UNSUPPORTED, RCT_ERROR_DEVICE; the state is then kept. */
RCT_API rct_status rct_solver_assemble(rct_solver *solver, rct_error *error);

/* Which loops hold: 1 or 0, [loops]. */
RCT_API void rct_solver_get_active_loops(const rct_solver *solver, int32_t *active);

/* ---- aggregates ---- */

/* What the active loops tie together (seed 002, section 4.2): an aggregate is the bodies on the paths from the ends of a loop, its cut
 * edge, to the lowest body that carries both, without that body; of a relation the paths from the bodies whose hinges it names, with
 * these. Loops that share a body share an aggregate. With each aggregate as one body the system is a tree again. They follow from the
 * tree and the active loops alone, whatever closes the loops. */
typedef struct rct_aggregates rct_aggregates;

/* One of them. Ranks are those of its own constraints in the state that was looked at: of all its rates as many depend on the others.
 * -1: not known, for rounding hides it, places are beyond all bounds, or 32 constraints and more of a very large aggregate (a million
 * numbers) depend on others. */
typedef struct rct_aggregate_info {
    int32_t body;        /* that it hangs on, or RCT_GROUND: its head                             */
    int32_t bodies;      /* how many                                                              */
    int32_t loops;       /* cut edges                                                             */
    int32_t constraints; /* of these                                                              */
    int32_t rates;       /* of the hinges of its bodies                                           */
    int32_t rank;        /* of the constraints: so many rates are dependent, or -1                */
    int32_t independent; /* rates less rank, or -1                                                */
    int32_t redundant;   /* constraints less rank, or -1                                          */
} rct_aggregate_info;

/* All of them in the present state of a solver, by the first loop of each; a copy, which neither the solver nor loops that come and
 * go change. None for a solver without active loops. O(bodies and loops): up to 64 rates and 256 constraints ranks come from a
 * factorization with pivots of the constraints; beyond they cost what the method of admittance costs. NULL: as rct_solver_check, RCT_ERROR_MEMORY,
 * RCT_ERROR_ARGUMENT for a time that is not finite. */
RCT_API rct_aggregates *rct_solver_find_aggregates(const rct_solver *solver, rct_error *error);
RCT_API void rct_aggregates_free(rct_aggregates *aggregates); /* NULL does nothing */

/* 0 of NULL. */
RCT_API int32_t rct_aggregates_count(const rct_aggregates *aggregates);

/* RCT_ERROR_ARGUMENT for a number that is none's. */
RCT_API rct_status rct_aggregates_get_sized(const rct_aggregates *aggregates, int32_t aggregate,
                                            rct_out info, rct_error *error);
static inline rct_status rct_aggregates_get(const rct_aggregates *aggregates, int32_t aggregate,
                                            rct_aggregate_info *info, rct_error *error)
{
    return rct_aggregates_get_sized(aggregates, aggregate, rct_out_of(info, sizeof *info, 0, 0),
                                    error);
}

/* Its bodies [bodies], parents before what hangs on them, and its loops [loops], ascending; they live as long as the
 * aggregates do. NULL for a number that is none's. */
RCT_API const int32_t *rct_aggregates_bodies(const rct_aggregates *aggregates, int32_t aggregate);
RCT_API const int32_t *rct_aggregates_loops(const rct_aggregates *aggregates, int32_t aggregate);

/* Which events of the model (riccatree/event.h) have happened in the steps of this solver so far: how often, and when last (s,
 * NaN: not yet), [events]. Either may be NULL. */
RCT_API void rct_solver_get_events(const rct_solver *solver, int64_t *happened, double *time);

#ifdef __cplusplus
}
#endif
#endif
