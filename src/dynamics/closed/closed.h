/* The solver of models with loops, around that of open ones (seed 001, closed chains, steps A to F): the open tree
 * accelerates, a method of src/closure finds what closes the loops, and the sweeps run once more under it as a load.
 * Everything here costs O(bodies) and what the method costs. */
#ifndef RCT_DYNAMICS_CLOSED_H
#define RCT_DYNAMICS_CLOSED_H

#include "closure/method.h"
#include "dynamics/solver.h"
#include "operators/fill.h"

#include <riccatree/closure.h>

/* What a row takes from a node of the junction: a wrench in the axes of its link, about its origin. */
typedef struct rct_held_end {
    int32_t node, link;
    double wrench[6];
} rct_held_end;

/* systems.h */
typedef struct rct_closed_system rct_closed_system;

struct rct_closed {
    rct_solver *solver;
    const rct_closure_method *method;
    void *work;
    void *parts; /* of rct_closure_partition, where that keeps loops closed; else NULL         */
    int partitioning; /* whether that closes now, in place of the method                            */
    rct_drift drift;
    double baumgarte[2];
    rct_closure_lengths lengths; /* of systems                                                    */
    rct_closures
        *factored; /* rows of the last factor, which the method may look at                */
    rct_closures *present; /* rows of the state looked at last                                   */
    rct_operator_tree *tree;
    rct_operator *operators;
    /* Where loops are held in the junction (junction.c), the trunk that holds them; else no stations, and operators. */
    rct_mobility junction;
    rct_held_trunk *trunk;
    int32_t *node_of;    /* [n] of bodies that loops hold; -1                                     */
    int32_t *held;       /* [held_count] these bodies, each as often as one does                  */
    int32_t *held_links; /* [held_links_count] their links                                        */
    int32_t *hinged;     /* [hinged_count] bodies whose hinges relations hold                     */
    int32_t *turned;     /* [turned_count] these and those that they hang on                      */
    int32_t *turned_links; /* [turned_links_count] their links                                    */
    int32_t held_count, held_links_count, hinged_count, turned_count, turned_links_count;
    double *aside;      /* [held_links_count][LOAD_FIELDS]                                        */
    rct_held_end *ends; /* [end_count] of the rows factored last, row after row                  */
    int32_t *first_end; /* [rows + 1]                                                             */
    int32_t end_count;
    double largest; /* of the change that was solved for last                                     */
    int gone;       /* whether the state has moved so far that paths are to be found anew         */
    /* Where rows are columns of the sheaves (columns.c); else NULL, and operators or the junction. */
    rct_row_columns *columns;
    rct_column_end *column_ends; /* [most ends]                                                   */
    int64_t *come_in;            /* [most ends] place in the columns of each wrench, or -1        */
    int64_t counted; /* version of the rows that room was counted for last                        */
    int64_t laid; /* version of the rows that they are laid for                                   */
    int shown, felt; /* whether J* lambda is among the loads, and the forces on bodies            */
    rct_mobility of_columns;

    /* Systems side by side, in models of users one, and whose the rows are, by systems. */
    int32_t count;
    rct_closed_system *systems; /* [count]                                                        */
    int64_t listed;             /* version of the rows                                            */
    int32_t *system_of;         /* [rows]                                                         */
    int32_t *row_of;            /* [rows] system after system                                     */

    double start_position, start_velocity; /* how far loops were open before they were closed     */
    int32_t start_position_loop, start_velocity_loop; /* where, as in rct_loop_info               */
    rct_closure_state state; /* looked at last                                                    */
    int64_t looked_at, looked_for; /* rct_solver.poses_read and the version of rows then          */
    rct_closure_seat *seats;       /* [bodies] */

    rct_pool pool;       /* behind all that follows */
    double *orientation; /* [n][4] for operators                                                 */
    double *coordinates, *rates;
    double *linear, *angular, *derivatives; /* accelerations of the last evaluation               */
    double *force, *moment, *effort;        /* J* lambda                                          */
    double *gap, *lambda, *part;            /* [rows]; lambda of the last evaluation, of a solve  */
    double *change;           /* [rates] of a solve; of loops in the junction the run has it    */
    double *start, *trial;    /* coordinates                                                    */
    double *share;            /* [links] of a move; of systems side by side                     */
    double *before, *resting; /* states of the run, label order: of a step, of a move back      */
};

/* RCT_ERROR_ARGUMENT for a closing, a drift or numbers of Baumgarte's that are none, used or not. */
rct_status rct_closed_check_options(const rct_solver_options *options, rct_error *error);

/* NULL: RCT_ERROR_MEMORY, or that the method does not cover the system. */
rct_closed *rct_closed_create(rct_solver *solver, rct_error *error);
void rct_closed_free(rct_closed *closed);
int64_t rct_closed_bytes(const rct_closed *closed);

/* ---- lengths.c: of one of `systems` side by side ---- */

/* m, from their hinge points: the farthest that a body carries another at, or has its mass centre. */
double rct_closed_farthest(const rct_plan *plan, int32_t system, int32_t systems);

/* m, what turns and what slides are compared by, and tolerances are parts of: 1 where bodies and loops reach between 1/64 m and 64 m, or
 * 64 times what they reach, or a 64th of it. And m/s, what tolerances of velocities are parts of: likewise of what falls so far, or where nothing
 * does that length a second. */
double rct_closed_length(const rct_plan *plan, int32_t system, int32_t systems);
double rct_closed_pace(const rct_plan *plan, int32_t system, double length);

/* ---- junction.c: loops in the junction ---- */

static inline int rct_closed_in_junction(const rct_closed *closed)
{
    return closed->junction.stations > 0;
}

/* What acts so many times as large is all that counts: what acts besides is lost in rounding. A power of two, so that it takes no
 * digit. */
#define RCT_BEYOND_ALL 0x1p200

/* Whether what loops hold is known one by one, there or in columns. */
static inline int rct_closed_is_held(const rct_closed *closed)
{
    return rct_closed_in_junction(closed) || closed->columns != NULL;
}

/* Hold loops in the junction, if the run does, or in columns. RCT_ERROR_MEMORY. */
rct_status rct_closed_hold(rct_closed *closed, rct_error *error);

/* Read how the hinges stand and move that relations hold. */
void rct_closed_show_hinges(rct_closed *closed);

/* Sweep to the accelerations of the junction, under the loads that the run has; and read those of the bodies held. Fails as
 * an evaluation. */
rct_status rct_closed_condense(rct_closed *closed, rct_error *error);
void rct_closed_read_junction(const rct_closed *closed);

/* What the rows written last for a factor take from nodes. */
void rct_closed_write_ends(rct_closed *closed);

/* Sweep for how all hinges move under J* of `part` alone. Fails as an evaluation. */
rct_status rct_closed_sway(const rct_closed *closed, rct_error *error);

/* ---- move.c: along the change that was solved for last ---- */

/* `turn` of each system. */
void rct_closed_turning(rct_closed *closed);

/* From the state of the run, those that are pending: coordinates `along` the change, rates by `rates` times it. They are `moving`
 * but where that is no state. And those that are moving still back to where they began. */
void rct_closed_move(rct_closed *closed, double rates);
void rct_closed_move_back(rct_closed *closed);

/* ---- columns.c: rows as columns ---- */

/* Make rows columns, if the method and the run do, for all loops at once. RCT_ERROR_MEMORY. */
rct_status rct_closed_lay(rct_closed *closed, rct_error *error);

/* Lay columns for the rows looked at last, if they are laid for others, and look once more: rows of columns are written from other
 * poses. RCT_ERROR_MEMORY. */
rct_status rct_closed_lay_again(rct_closed *closed, rct_error *error);

/* Sweep inward with the rows of the last factor, new ones of systems that are pending, which sees to their numbers. Fails as an
 * evaluation. */
rct_status rct_closed_sweep_columns(rct_closed *closed, rct_error *error);

/* J u' of the tree as it was swept last, or of the results of the last evaluation; and `terms` of each system. */
void rct_closed_read_columns(const rct_closed *closed, int results, double *gap);
void rct_closed_column_terms(rct_closed *closed);

/* Have the next sweep from there act under J* lambda too; and sweep under J* of `part` alone. The latter fails as an evaluation. */
void rct_closed_exert_columns(const rct_closed *closed, const double *lambda);
rct_status rct_closed_sway_columns(const rct_closed *closed, rct_error *error);

/* No loop is left of those that columns are laid for: the last answer, which has J* lambda, serves no more, though the state is the same. */
void rct_closed_relieve_columns(rct_closed *closed);

/* J* lambda of the last evaluation among the loads of the solver and the run, for who looks at forces; and no longer. */
void rct_closed_show_loads(rct_closed *closed);
void rct_closed_hide_loads(rct_closed *closed);

/* ---- problem.c: one state ---- */

/* Take over what was read of the run last, at the time set last, and write the rows of the present state; with poses read
 * first. */
const rct_closure_rows *rct_closed_look(rct_closed *closed, double time);
const rct_closure_rows *rct_closed_look_again(rct_closed *closed, double time);

/* Of one of the systems side by side in the present state: the loop that is furthest open, as numbered there, and by how much, if that is
 * more than what passes for closed (rct_loop_info.bound), of turns in small systems at the length of these; else -1. */
int32_t rct_closed_open_loop(const rct_solver *solver, int32_t system, double *open);

/* Rows of the last evaluation, with their ends; poses have been read. */
const rct_closure_rows *rct_closed_ends(const rct_closed *closed);

/* How the tree gives way, where operators do not say; else NULL. */
static inline const rct_mobility *rct_closed_mobility(const rct_closed *closed)
{
    return rct_closed_in_junction(closed) ? &closed->junction
           : closed->columns != NULL      ? &closed->of_columns
                                          : NULL;
}

/* Rows and operators of the state looked at, factored; rows of systems that are not pending stay those of their last factor. Fails as the method, or
 * RCT_ERROR_SINGULAR. */
rct_status rct_closed_factor(const rct_solver *solver, rct_error *error);

/* `part` of those for `gap`, else 0, and the change of all rates where that is `wanted`; what cannot be cancelled of the gap is
 * `left`. */
rct_status rct_closed_solve(rct_closed *closed, int wanted, rct_error *error);

/* The row of the largest |y| and that, in m and rad; -1 if all are 0. */
int32_t rct_closed_largest(const rct_closure_rows *rows, const double *y, double *size);

/* The body that a loop is told by. */
int32_t rct_closed_body_of(const rct_closed *closed, int32_t loop);

/* The name of a loop, as its system alone has it. */
void rct_closed_name_loop(const rct_closed *closed, int32_t loop, char name[RCT_NAME_SIZE]);

/* Rows are written from the poses of the solver, not from those of columns. */
void rct_closed_take_poses(rct_closed *closed);

/* " m", or " rad" of rows that turn; of relations what their coordinates have. */
const char *rct_closed_unit(const rct_closed *closed, int32_t row);

/* RCT_ERROR_LOOP of `loop` by its name and body, as its system alone has them: "<what> by <size><unit>, <advice>". */
rct_status rct_closed_fail(const rct_closed *closed, int32_t loop, const char *what, double size,
                           const char *unit, const char *advice, rct_error *error);

/* Advice where accelerations or velocities cannot meet constraints. */
extern const char rct_closed_contradicted[];

/* ---- forces.c: accelerations ---- */

/* The ground and all loads at `time`, with what closes the loops in the present state. */
rct_status rct_closed_forces(rct_solver *solver, double time, rct_error *error);

/* rct_solver_evaluate */
rct_status rct_closed_evaluate(rct_solver *solver, rct_error *error);

/* ---- positions.c, velocities.c: back on the constraints ---- */

/* When a state is left as it is, for how long it is tried, and what to do if that fails. */
typedef struct rct_closed_goal {
    double enough;
    int iterations;
    int anew; /* whether every iteration has a factor of its own: then all methods come to one state */
    const char *advice;
} rct_closed_goal;

/* Positions from the state looked at last; `factored` of each system before, and then. Velocities from the state looked at
 * last, which `enough` leaves as they are. */
rct_status rct_closed_close_positions(rct_solver *solver, double time, const rct_closed_goal *to,
                                      rct_error *error);
rct_status rct_closed_close_velocities(rct_solver *solver, double time, double enough,
                                       rct_error *error);

/* RCT_ERROR_DIVERGED of the body that a loop is told by, or that the machine has failed. */
rct_status rct_closed_not_finite(const rct_solver *solver, int32_t loop, rct_error *error);

/* ---- drift.c: positions and velocities ---- */

/* The state before it is assembled; and back to it. */
void rct_closed_keep(rct_closed *closed);
void rct_closed_take_back(rct_closed *closed);

/* The same of the start of a step, of which `stages` have been begun when it fails. */
void rct_closed_begin_step(rct_closed *closed);
void rct_closed_take_step_back(rct_closed *closed, int stages);

/* After a step that ends at `time`, as the drift asks. */
rct_status rct_closed_settle(rct_solver *solver, double time, rct_error *error);

/* The change of all rates in the state evaluated last that closes the positions of the present state, M^-1 J* of multipliers, to
 * `change`: of loops that operators close. Fails as the method. */
rct_status rct_closed_pull(rct_solver *solver, double time, rct_error *error);

/* Positions, then velocities, from any state; it is kept on failure. */
rct_status rct_closed_assemble(rct_solver *solver, double time, rct_error *error);

/* The same of the state that a solver starts from, which is noted. */
rct_status rct_closed_begin(rct_solver *solver, rct_error *error);

/* The method made ready for the loops that are active, in the present state: it allocates here, and in no step. */
rct_status rct_closed_warm(rct_solver *solver, rct_error *error);

/* Which loops hold, [loops], 1 or 0: read, and set without touching the state; ready for them as above. */
int32_t rct_closed_count(const rct_closed *closed);
void rct_closed_read_active(const rct_closed *closed, double *active);
rct_status rct_closed_write_active(rct_solver *solver, const double *active, rct_error *error);

/* Velocities alone, from the state looked at and factored last. */
rct_status rct_closed_impact(rct_solver *solver, double time, rct_error *error);

#endif
