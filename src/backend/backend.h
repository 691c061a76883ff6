/* The contract of every backend: one table of typed operations, each a whole sweep or a whole copy.
 *
 * A run is one system on one backend: the plan's records, a state, and the work of a sweep, in the
 * backend's own layout. Arrays that cross this table are in label order, so nothing above it knows
 * a lane. No operation except create, renew and the first keep allocates.
 */
#ifndef RCT_BACKEND_BACKEND_H
#define RCT_BACKEND_BACKEND_H

#include "backend/dense.h"
#include "backend/held.h"
#include "backend/workload.h"
#include "core/share.h"
#include "kernels/records/coordinates.h"
#include "kernels/records/poses.h"
#include "kernels/records/sweep_end.h"
#include "topology/columns.h"
#include "topology/plan.h"

#include <riccatree/solver.h>

typedef struct rct_run rct_run; /* each backend has its own */

/* What a backend made of the plan. */
typedef struct rct_run_info {
    int32_t threads;
    int32_t lanes;          /* numbers handled at once by one thread       */
    int32_t segment_length; /* links a segment should have; 0: no segments */
    int32_t segments;
    int32_t tiles;    /* groups of as many segments as there are lanes                  */
    int32_t tasks;    /* small subtrees swept independently                             */
    int32_t bushes;   /* groups of tasks                                                */
    int64_t waves;    /* rows of links, one a lane, in all bushes                       */
    int32_t trunk;    /* nodes swept one after the other                                */
    int32_t wide;     /* links outside it that are swept with six components of force   */
    int64_t padding;  /* neutral links that fill the lanes                              */
    double imbalance; /* largest share of a thread over the mean, as in rct_solver_info */
    int64_t bytes;    /* memory held                                                    */
} rct_run_info;

/* Whether a run may hold loops for its solver, in its junction or its columns: yes where admittance
 * closes them, unless the solver asks operators of the host for J anyway. */
static inline int rct_run_may_hold(const rct_solver_options *options)
{
    return options->closing == RCT_CLOSING_ADMITTANCE && options->drift != RCT_DRIFT_PARTITION &&
           options->integrator != RCT_INTEGRATOR_CONSERVING;
}

/* Wrenches so many times as large make all others vanish in rounding. A power of two, so that it
 * changes no digit. */
#define RCT_BEYOND_ALL 0x1p200

/* Loops held in the junction. */
typedef struct rct_junction_operations {
    /* The trunk that holds the loops; NULL: no loops are held. */
    rct_held_trunk *(*held)(rct_run *run);

    /* Does the part of evaluate up to the accelerations of the nodes, and finds the paths of the
     * nodes. As long as the state, the ground and the loads of other links stay as they are, later
     * sweeps do the nodes alone, and evaluate and rk4_stage continue from there. Ends as evaluate
     * does. */
    rct_sweep_result (*condense)(rct_run *run);

    /* For the last answer of the nodes to wrenches (held.h). settle: adds it to their accelerations
     * that condense has found; the next rk4_stage continues from there. sway: evaluates under
     * RCT_BEYOND_ALL times these wrenches alone; what was condensed near this state is accurate
     * enough, and paths stay. */
    void (*settle)(rct_run *run);
    rct_sweep_result (*sway)(rct_run *run);
} rct_junction_operations;

/* States moved along the results of the last evaluation, for closing loops. */
typedef struct rct_move_operations {
    /* largest: of the evaluated derivatives of rates, the largest of those that turn links at their
     * hinges, rad/s^2, and of the others. move: moves all states along them; 0 if the result is not
     * a state: then nothing has moved. Rates of absolute hinges keep their inertial axes; `near`:
     * what was condensed is still accurate enough for `sway`. move_back: to where the last move
     * began. */
    void (*largest)(rct_run *run, double largest[2]);
    int (*move)(rct_run *run, const rct_move *by, int near);
    void (*move_back)(rct_run *run);

    /* To the start of the last step, of which one stage has been done; later moves are dropped. */
    void (*take_back)(rct_run *run);
} rct_move_operations;

/* The number of slots that a run has beside its states. */
static inline int32_t rct_run_slots(const rct_solver_options *options)
{
    switch (options->integrator) {
    case RCT_INTEGRATOR_RK4: return 0;
    case RCT_INTEGRATOR_DOPRI5: return RCT_SLOT_SLOPES + RCT_MOST_SLOPES;
    case RCT_INTEGRATOR_IMPLICIT: return RCT_IMPLICIT_SLOTS;
    default: return RCT_SLOT_KEPT + 1;
    }
}

/* States and slopes in slots (kernels/records/coordinates.h), for integrators other than rk4. */
typedef struct rct_slope_operations {
    /* Copies one slot to another, one of which may be the state. */
    void (*copy)(rct_run *run, int to, int from);

    /* Moves the state by slopes, under the results of the last evaluate if one slope is fresh. The
     * next evaluate finds whether the result is a state. */
    void (*weigh)(rct_run *run, const rct_weighing *by);

    /* The size of a sum of slopes as an error of the step to the state, `length` in m
     * (rct_coordinate_kernels). */
    double (*size)(rct_run *run, const rct_weighing *by, double length);

    /* For implicit stages. put_rates: numbers of all rates, as the caller has them, to a slot
     * (rct_coordinate_kernels). take: the numbers of a slot as those of a state. */
    void (*put_rates)(rct_run *run, int slot, const double *of_coordinates, const double *of_rates);
    void (*take)(rct_run *run, int slot, double *coordinates, double *rates);

    /* hold: adds moments at ball hinges to the efforts of a stage, `by` with its delta and the
     * ground; 0 where the run cannot, and nothing is done. read_efforts: the efforts of some links,
     * or of all where `links` is NULL, to their places among the caller's. */
    int (*hold)(rct_run *run, const rct_holding *by);
    void (*read_efforts)(rct_run *run, const int32_t *links, int32_t count, double *efforts);

    /* Replaces the numbers that read_derivatives gives. */
    void (*write_derivatives)(rct_run *run, const double *derivatives);
} rct_slope_operations;

/* Loops closed between whole trees in lanes: rows of J are columns of the sheaves
 * (topology/columns.h). */
typedef struct rct_column_operations {
    /* Lays columns for the ends of `rows` rows, which replace the columns before; NULL where the
     * run has none for them. They live as long as the run. On RCT_ERROR_MEMORY the columns before
     * stay. */
    rct_status (*lay)(rct_run *run, const rct_column_end *ends, int64_t count, int32_t rows,
                      rct_row_columns **columns, rct_error *error);

    /* Writes the poses of the state to the columns, for the given pose of the ground, after what
     * acts was written; 0 if all were there. */
    int (*pose)(rct_run *run, const rct_pose_of_link *ground);

    /* Does the inward sweep of evaluate, once what enters the columns is written; it leaves the
     * numbers of the rows. As long as state, ground and loads stay as they are, evaluate and
     * rk4_stage continue from there, under the multipliers in the columns besides what acts. A
     * further evaluate may follow under more multipliers that include those before. Ends as
     * evaluate does. */
    rct_sweep_result (*condense)(rct_run *run);

    /* Evaluate under the multipliers alone, which are so large that nothing else counts: what was
     * condensed near this state is accurate enough. */
    rct_sweep_result (*sway)(rct_run *run);

    /* Takes from the results of the last evaluate what the rows need. */
    void (*take)(rct_run *run);
} rct_column_operations;

typedef struct rct_backend {
    const char *name;

    /* The number of its devices on this machine, with their names: the backend's and a number.
     * options->backend may be one of them. NULL where there is nothing to choose. */
    int32_t (*devices)(const char *const **names);

    /* NULL if it can run on this machine, else the reason, in one line that lives as long as the
     * library. */
    const char *(*unavailable)(void);

    /* s: the predicted time of an evaluation here. */
    double (*predict)(const rct_workload *work);

    /* The plan must outlive the run; `loads`: whether write_loads will be called. NULL on
     * failure. */
    rct_run *(*create)(const rct_plan *plan, const rct_solver_options *options, int loads,
                       rct_error *error);
    void (*destroy)(rct_run *run);
    void (*describe)(const rct_run *run, rct_run_info *info);

    /* The state; rct_link_state says where the numbers of a link are. */
    void (*write_state)(rct_run *run, const double *state);
    void (*read_state)(const rct_run *run, double *state);

    /* Has the threads of a run work on all of [0, count), in ranges of at most `range`. NULL: it
     * has no threads. */
    void (*share)(const rct_run *run, int64_t range, int64_t count, rct_range_work *work,
                  void *context);

    /* Coordinates and rates of all hinges in the order of the caller, as in
     * rct_solver_set_coordinates and _get_coordinates. write returns 0 if any is not a state: then
     * the old state stays. For read, either array may be NULL. */
    int (*write_coordinates)(rct_run *run, const double *coordinates, const double *rates);
    void (*read_coordinates)(const rct_run *run, double *coordinates, double *rates);

    /* The numbers of some links only, in their places of a whole state. */
    void (*read_links)(const rct_run *run, const int32_t *links, int32_t count, double *state);

    /* Poses of links to [links], for the given pose of the ground: of all links, or of those that
     * want_poses was given, ascending; poses of other links may change as well. The array must
     * always be the same, and nobody else writes to it: poses of this state that it already has
     * stay. read_poses returns 0 if all were there. */
    void (*want_poses)(rct_run *run, const int32_t *links, int32_t count);
    int (*read_poses)(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses);

    /* The ground of the next evaluations; and their loads, [links][LOAD_FIELDS], of some links, for
     * runs that were created with loads. */
    void (*set_ground)(rct_run *run, const rct_ground *ground);
    void (*write_loads)(rct_run *run, const int32_t *links, int32_t count, const double *loads);

    /* exerts: whether runs of the plan compute its forces at hinges themselves; else these are
     * among the loads. set_time: the time, s, for these forces in the next evaluations. */
    int (*exerts)(const rct_plan *plan);
    void (*set_time)(rct_run *run, double time);

    /* The efforts among the loads, of all hinges, in the order of rates as in coordinates. */
    void (*write_efforts)(rct_run *run, const double *efforts);

    /* Accelerations of the present state, with results to read. A fault names a label; SINGULAR is
     * reported only of a finite state. */
    rct_sweep_result (*evaluate)(rct_run *run);

    /* Stage 0 to 3 of a Runge-Kutta step (kernels/laws/rk4_step.h): evaluate and advance. On a
     * fault the state is that at the start of the step. */
    rct_sweep_result (*rk4_stage)(rct_run *run, int stage, double dt);

    /* `steps` whole steps of four stages each, with constant ground and loads. `done`: the steps
     * before the one that failed, if one failed. NULL where whole steps are no faster. */
    rct_sweep_result (*rk4_steps)(rct_run *run, double dt, int64_t steps, int64_t *done);

    /* For the next evaluations: in an implicit stage of `delta` seconds, springs k and dampers c at
     * hinges with axes take delta c + delta^2 k times the derivatives of their rates as well; 0: no
     * such stage. At the hinges of `links`, always the same for a run, `rotors` [count][3] are
     * added to that. Only for runs of plans that yield (topology/plan.h). */
    void (*set_delta)(rct_run *run, double delta, const int32_t *links, int32_t count,
                      const double *rotors);

    /* Results of the last evaluate: accelerations of links less gravity [links][6], link axes,
     * linear first; and the derivatives of rates, as in rct_solver_get_rate_derivatives. */
    void (*read_accelerations)(const rct_run *run, double *accelerations);
    void (*read_derivatives)(const rct_run *run, double *derivatives);

    /* The force that each link gets from what it hangs on, and its moment about the origin of the
     * link, [links][6]; on ball hinges in inertial axes, else link axes. NULL: the caller finds
     * them from accelerations. */
    void (*read_forces)(const rct_run *run, double *forces);

    /* keep: begins to copy out the present state while later operations run. read_kept: the copy,
     * as read_state and read_coordinates give it; waits for it; 0 if the machine failed. NULL where
     * nothing could run meanwhile. */
    rct_status (*keep)(rct_run *run, rct_error *error);
    int (*read_kept)(rct_run *run, double *state, double *coordinates, double *rates);

    /* Why the machine failed, to complete "the backend failed ..."; "" as long as it has not. NULL
     * where it cannot fail. Any operation may find the failure; from then on every sweep ends in
     * SWEEP_LOST, and all that is read is NaN. */
    const char *(*trouble)(const rct_run *run);

    /* For runs of whole trees: takes the numbers of the plan, which was renewed by those of a model
     * that fits (topology/plan.h); everything else is then as after create. After RCT_ERROR_MEMORY
     * the run can only be destroyed. NULL where a new run is made instead. */
    rct_status (*renew)(rct_run *run, rct_error *error);

    /* NULL: junction where loops are not held in it; columns where rows of J are not columns; moves
     * where there is neither. */
    const rct_junction_operations *junction;
    const rct_column_operations *columns;
    const rct_move_operations *moves;
    const rct_slope_operations *slopes;

    /* Dense systems (backend/dense.h); NULL where it has nothing for them. */
    const rct_dense_operations *dense;
} rct_backend;

/* The backend called `name`, or with a device of that name. NULL on failure: RCT_ERROR_UNSUPPORTED
 * naming the backends there are. */
const rct_backend *rct_backend_find(const char *name, rct_error *error);

/* The same for options->backend. "auto" or NULL: the available one that is predicted to take the
 * least time for `members` systems like the model, side by side. */
const rct_backend *rct_backend_for(const rct_model *model, const rct_solver_options *options,
                                   int64_t members, rct_error *error);

extern const rct_backend rct_backend_cpu;

#endif
