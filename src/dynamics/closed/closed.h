/* The solver of models with loops, built around that of open ones (seed 001, closed chains, steps A
 * to F): the open tree accelerates, a method of src/closure finds what closes the loops, and the
 * sweeps run once more with that as a load. Everything here costs O(bodies) besides the cost of the
 * method. */
#ifndef RCT_DYNAMICS_CLOSED_H
#define RCT_DYNAMICS_CLOSED_H

#include "closure/method.h"
#include "dynamics/solver.h"
#include "operators/fill.h"

#include <riccatree/closure.h>

/* systems.h */
typedef struct rct_closed_system rct_closed_system;

struct rct_closed {
    rct_solver *solver;
    const rct_closure_method *method;
    void *work;
    void *parts;      /* of rct_closure_partition, if it keeps loops closed; else NULL */
    int partitioning; /* whether that closes now, instead of the method */
    rct_drift drift;
    double baumgarte[2];
    rct_closure_lengths lengths; /* of systems */
    rct_closures *factored;      /* rows of the last factor; the method may read them */
    rct_closures *present;       /* rows of the state looked at last */
    rct_operator_tree *tree;
    rct_operator *operators;
    /* Used where the junction holds the loops (junction.c): the trunk that holds them. Otherwise
     * there are no stations, and operators serve. */
    rct_mobility junction;
    rct_held_trunk *trunk;
    int32_t *node_of;      /* [n] node of bodies that loops hold; -1 */
    int32_t *held;         /* [held_count] these bodies, once for each loop that holds them */
    int32_t *held_links;   /* [held_links_count] their links */
    int32_t *hinged;       /* [hinged_count] bodies whose hinges relations hold */
    int32_t *turned;       /* [turned_count] these and their parents */
    int32_t *turned_links; /* [turned_links_count] their links */
    int32_t held_count, held_links_count, hinged_count, turned_count, turned_links_count;
    double largest; /* of the change found by the last solve */
    int gone;       /* whether the state has moved so far that paths must be found anew */
    /* Used where rows are columns of the sheaves (columns.c). Otherwise NULL, and operators or the
     * junction serve. */
    rct_row_columns *columns;
    rct_column_end *column_ends; /* [most ends] */
    int64_t *come_in;            /* [most ends] place of each wrench in the columns, or -1 */
    int64_t counted;             /* version of the rows for which room was counted last */
    int64_t laid;                /* version of the rows for which columns are laid */
    int in_stage;                /* rct_closed_set_stage */
    int shown, felt; /* whether the loads, and the forces on bodies, include J* lambda */
    rct_mobility of_columns;

    /* Systems side by side, and their rows; the model of a user is one system. */
    int32_t count;
    rct_closed_system *systems; /* [count] */
    int64_t listed;             /* version of the rows */
    int32_t *system_of;         /* [rows] */
    int32_t *row_of;            /* [rows] system by system */

    double start_position, start_velocity; /* the gaps of loops before they were closed */
    int32_t start_position_loop, start_velocity_loop; /* where, as in rct_loop_info */
    rct_closure_state state;                          /* looked at last */
    int64_t looked_at, looked_for; /* rct_solver.poses_read and the version of rows then */
    int looked_half;               /* whether only the bias of rows was written            */
    rct_closure_seat *seats;       /* [bodies] */

    rct_pool pool;       /* holds all that follows */
    double *orientation; /* [n][4] for operators */
    double *coordinates, *rates;
    double *linear, *angular, *derivatives; /* accelerations of the last evaluation */
    double *force, *moment, *effort;        /* J* lambda */
    double *gap, *lambda, *part; /* [rows]; lambda of the last evaluation, part of a solve */
    double *change;              /* [rates] of a solve; for loops in the junction the run has it */
    double *start, *trial;       /* coordinates */
    double *share;               /* [links] of a move, for systems side by side */
    double *before, *resting;    /* states of the run, label order: of a step, of a move back */
};

/* RCT_ERROR_ARGUMENT for an invalid closing, drift or Baumgarte number, used or not. */
rct_status rct_closed_check_options(const rct_solver_options *options, rct_error *error);

/* NULL: RCT_ERROR_MEMORY, or the method does not cover the system. */
rct_closed *rct_closed_create(rct_solver *solver, rct_error *error);
void rct_closed_free(rct_closed *closed);
int64_t rct_closed_bytes(const rct_closed *closed);

/* ---- lengths.c: of one of `systems` side by side ---- */

/* The farthest distance, m, from a hinge point of a body to the hinge point of a body that it
 * carries, or to its mass centre. */
double rct_closed_farthest(const rct_plan *plan, int32_t system, int32_t systems);

/* The length, m, that compares turns with slides, and of which tolerances are fractions: 1 where
 * bodies and loops reach between 1/64 m and 64 m; beyond that the reach / 64, or 64 times the
 * reach. And the speed, m/s, of which tolerances of velocities are fractions: the same rule for a
 * fall through that length, or, where nothing falls, that length per second. */
double rct_closed_length(const rct_plan *plan, int32_t system, int32_t systems);
double rct_closed_pace(const rct_plan *plan, int32_t system, double length);

/* ---- junction.c: loops in the junction ---- */

static inline int rct_closed_in_junction(const rct_closed *closed)
{
    return closed->junction.stations > 0;
}

/* Whether the junction or columns hold the loops. */
static inline int rct_closed_is_held(const rct_closed *closed)
{
    return rct_closed_in_junction(closed) || closed->columns != NULL;
}

/* Hold loops in the junction, if the run holds any, or in columns. RCT_ERROR_MEMORY. */
rct_status rct_closed_hold(rct_closed *closed, rct_error *error);

/* Read the coordinates and rates of the hinges that relations hold. */
void rct_closed_show_hinges(rct_closed *closed);

/* Sweep to the accelerations of the junction, under the loads of the run; and read those of the
 * bodies held. Fails as an evaluation. */
rct_status rct_closed_condense(rct_closed *closed, rct_error *error);
void rct_closed_read_junction(const rct_closed *closed);

/* Add the motion of the junction under J* of the `part` solved last to its accelerations: the next
 * stage continues from there. And sweep for the motion of all hinges under it alone. Fails as an
 * evaluation. */
void rct_closed_settle_junction(const rct_closed *closed);
rct_status rct_closed_sway(const rct_closed *closed, rct_error *error);

/* ---- move.c: along the change of the last solve ---- */

/* Find `turn` of each system. */
void rct_closed_turning(rct_closed *closed);

/* Move the pending systems from the state of the run: coordinates by `along` times the change,
 * rates by `rates` times it. They are `moving` afterwards, unless that gives no state. And move
 * those still `moving` back. */
void rct_closed_move(rct_closed *closed, double rates);
void rct_closed_move_back(rct_closed *closed);

/* ---- columns.c: rows as columns ---- */

/* Make all loops columns, if the method and the run work with them. RCT_ERROR_MEMORY. */
rct_status rct_closed_lay(rct_closed *closed, rct_error *error);

/* Lay columns for the rows looked at last, unless they are laid for these, and look once more,
 * because rows of columns are written from other poses. RCT_ERROR_MEMORY. */
rct_status rct_closed_lay_again(rct_closed *closed, rct_error *error);

/* Sweep inward with the rows of the last factor, new ones for pending systems; the sweep leaves the
 * numbers of Lambda. Fails as an evaluation. */
rct_status rct_closed_sweep_columns(rct_closed *closed, int ready, rct_error *error);

/* J u' of the tree as swept last, or of the results of the last evaluation. */
void rct_closed_read_columns(const rct_closed *closed, int results, double *gap);

/* Make the next sweep act under J* lambda too; and sweep under J* of `part` alone, which fails as
 * an evaluation. */
void rct_closed_exert_columns(const rct_closed *closed, const double *lambda);
rct_status rct_closed_sway_columns(const rct_closed *closed, rct_error *error);

/* Call when no loop is left of those that columns are laid for: the last answer includes J* lambda
 * and must not be used, although the state is the same. */
void rct_closed_relieve_columns(rct_closed *closed);

/* Add J* lambda of the last evaluation to the loads of the solver and the run, for readers of
 * forces; and take it off. */
void rct_closed_show_loads(rct_closed *closed);
void rct_closed_hide_loads(rct_closed *closed);

/* ---- problem.c: one state ---- */

/* Take over what was read last from the run, at the time set last, and write the rows of the
 * present state; the second reads poses first. */
const rct_closure_rows *rct_closed_look(rct_closed *closed, double time);
const rct_closure_rows *rct_closed_look_again(rct_closed *closed, double time);

/* The open loop of one of the systems side by side in the present state: the loop with the largest
 * gap, as numbered in the system, and the gap, if this is above the bound of closed loops
 * (rct_loop_info.bound; in small systems turns count at their length); else -1. */
int32_t rct_closed_open_loop(const rct_solver *solver, int32_t system, double *open);

/* How far open the loops of a system were at the start, before they were closed, and how fast they
 * opened: m or rad, and these per second. */
const double *rct_closed_start(const rct_solver *solver, int32_t system);

/* Rows of the last evaluation, with their ends; the poses have been read. */
const rct_closure_rows *rct_closed_ends(const rct_closed *closed);

/* The mobility of the tree, unless operators give it; then NULL. */
static inline const rct_mobility *rct_closed_mobility(const rct_closed *closed)
{
    return rct_closed_in_junction(closed) ? &closed->junction
           : closed->columns != NULL      ? &closed->of_columns
                                          : NULL;
}

/* Write rows and operators of the state looked at, and factor. Rows of systems that are not pending
 * stay those of their last factor. Fails as the method, or RCT_ERROR_SINGULAR. */
rct_status rct_closed_factor(const rct_solver *solver, rct_error *error);

/* Solve: `part` for `gap` in pending systems, 0 in others, and the change of all rates if `wanted`;
 * `left` is the part of the gap that cannot be cancelled. `most` of the gap must be known
 * (rct_closed_find_largest). */
rct_status rct_closed_solve(rct_closed *closed, int wanted, rct_error *error);

/* The row of the largest |y|, and the value in m or rad; -1 if all are 0. */
int32_t rct_closed_largest(const rct_closure_rows *rows, const double *y, double *size);

/* The body that stands for a loop in messages. */
int32_t rct_closed_body_of(const rct_closed *closed, int32_t loop);

/* The name of a loop in its system alone. */
void rct_closed_name_loop(const rct_closed *closed, int32_t loop, char name[RCT_NAME_SIZE]);

/* Rows are written from the poses of the solver, not from those of columns. */
void rct_closed_take_poses(rct_closed *closed);

/* " m", or " rad" for rows that turn; for relations the unit of their coordinates. */
const char *rct_closed_unit(const rct_closed *closed, int32_t row);

/* RCT_ERROR_LOOP of `loop`, naming it and its body as its system alone does: "<what> by
 * <size><unit>, <advice>". */
rct_status rct_closed_fail(const rct_closed *closed, int32_t loop, const char *what, double size,
                           const char *unit, const char *advice, rct_error *error);

/* Advice where accelerations or velocities cannot meet constraints. */
extern const char rct_closed_contradicted[];

/* ---- forces.c: accelerations ---- */

/* Whether states evaluated from now on are those of stages (RCT_STAGE_OPEN and others), or 0. NULL
 * does nothing. */
void rct_closed_set_stage(rct_closed *closed, int stage);

/* Set the ground and all loads at `time`, with the forces that close the loops in the present
 * state, for a stage of a step. */
rct_status rct_closed_forces(rct_solver *solver, double time, rct_error *error);

/* rct_solver_evaluate */
rct_status rct_closed_evaluate(rct_solver *solver, rct_error *error);

/* ---- positions.c, velocities.c: back on the constraints ---- */

/* When a state is good enough to stay, how many iterations are tried, and the advice if they
 * fail. */
typedef struct rct_closed_goal {
    double enough;
    int iterations;
    int anew; /* whether every iteration factors anew: then all methods reach the same state */
    const char *advice;
} rct_closed_goal;

/* Close positions from the state looked at last; `factored` of each system before, and afterwards.
 * Close velocities from the state looked at last; systems within `enough` stay. */
rct_status rct_closed_close_positions(rct_solver *solver, double time, const rct_closed_goal *to,
                                      rct_error *error);
rct_status rct_closed_close_velocities(rct_solver *solver, double time, double enough,
                                       rct_error *error);

/* RCT_ERROR_DIVERGED, naming the body of the loop; or the failure of the device. */
rct_status rct_closed_not_finite(const rct_solver *solver, int32_t loop, rct_error *error);

/* ---- drift.c: positions and velocities ---- */

/* Keep the state before assembly; and return to it. */
void rct_closed_keep(rct_closed *closed);
void rct_closed_take_back(rct_closed *closed);

/* The same for the start of a step, which fails after `stages` have begun. */
void rct_closed_begin_step(rct_closed *closed);
void rct_closed_take_step_back(rct_closed *closed, int stages);

/* Correct the drift after a step that ends at `time`, by the method of the options. */
rct_status rct_closed_settle(rct_solver *solver, double time, rct_error *error);

/* The change of all rates, M^-1 J* of multipliers in the state evaluated last, that closes the
 * positions of the present state, to `change`; for loops that operators close. Fails as the
 * method. */
rct_status rct_closed_pull(rct_solver *solver, double time, rct_error *error);

/* Close positions, then velocities, from any state; on failure the state is kept. */
rct_status rct_closed_assemble(rct_solver *solver, double time, rct_error *error);

/* The same for the start state of a solver; the gaps are noted. */
rct_status rct_closed_begin(rct_solver *solver, rct_error *error);

/* Make the method ready for the active loops, in the present state; it allocates here, and in no
 * step. */
rct_status rct_closed_warm(rct_solver *solver, rct_error *error);

/* Whether each loop holds, [loops], 1 or 0: read, and set without touching the state; setting makes
 * ready as above. */
int32_t rct_closed_count(const rct_closed *closed);
void rct_closed_read_active(const rct_closed *closed, double *active);
rct_status rct_closed_write_active(rct_solver *solver, const double *active, rct_error *error);

/* Close velocities only, from the state looked at and factored last. */
rct_status rct_closed_impact(rct_solver *solver, double time, rct_error *error);

#endif
