/* The contract every backend fulfils: one table of typed operations, each a whole sweep.
 *
 * A run is one system on one backend: the plan's records, a state, and the work of a sweep, in the
 * backend's own layout. Arrays that cross this table are in label order, so nothing above it knows a lane.
 * No operation but create, renew and the first keep allocates.
 */
#ifndef RCT_BACKEND_BACKEND_H
#define RCT_BACKEND_BACKEND_H

#include "backend/dense.h"
#include "backend/held.h"
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
    int32_t lanes;          /* numbers handled at once by one thread                             */
    int32_t segment_length; /* links a segment aimed at; 0: no segments                          */
    int32_t segments;
    int32_t tiles;    /* groups of as many segments as there are lanes                     */
    int32_t tasks;    /* small subtrees swept independently                                */
    int32_t bushes;   /* groups of tasks                                                   */
    int64_t waves;    /* rows of links, one a lane, in all bushes                          */
    int32_t trunk;    /* nodes swept one after the other                                   */
    int32_t wide;     /* links outside it swept with six components of what crosses hinges */
    int64_t padding;  /* neutral links that fill the lanes                                 */
    double imbalance; /* largest share of a thread over the mean, as in rct_solver_info    */
    int64_t bytes;    /* memory held                                                       */
} rct_run_info;

/* Whether a run may hold loops for its solver, in its junction or its columns: by admittance, unless the solver asks operators of
 * the host for J all the same. */
static inline int rct_run_may_hold(const rct_solver_options *options)
{
    return options->closing == RCT_CLOSING_ADMITTANCE && options->drift != RCT_DRIFT_PARTITION &&
           options->integrator != RCT_INTEGRATOR_CONSERVING;
}

/* Where loops are held in the junction. */
typedef struct rct_junction_operations {
    /* The trunk that holds them; NULL: none does. */
    rct_held_trunk *(*held)(rct_run *run);

    /* What evaluate does up to the accelerations of the nodes, and the paths of these. As long as state, ground and loads of other
     * links stay as they are, the nodes alone are swept then, and evaluate and rk4_stage go on from there. Ends as evaluate does. */
    rct_sweep_result (*condense)(rct_run *run);

    /* Evaluate, where the loads of nodes are so large that nothing else counts beside them: what was condensed near this state is
     * good enough, and paths stay. */
    rct_sweep_result (*sway)(rct_run *run);
} rct_junction_operations;

/* States moved along the results of the last evaluation, as closing loops asks for it. */
typedef struct rct_move_operations {
    /* Of the derivatives of rates that have been evaluated: the largest of those that turn links at their hinges, rad/s^2, and of
     * the others. Move all states along them; 0 if what moves comes to no state: then
     * nothing has moved. Rates of absolute hinges keep their inertial axes; `near`: what was condensed is still good enough for
     * `sway`. Back: to where the last move began. */
    void (*largest)(rct_run *run, double largest[2]);
    int (*move)(rct_run *run, const rct_move *by, int near);
    void (*move_back)(rct_run *run);

    /* To the start of the last step, one of whose stages has been done; moves since do not count. */
    void (*take_back)(rct_run *run);
} rct_move_operations;

/* How many slots a run has beside its states. */
static inline int32_t rct_run_slots(const rct_solver_options *options)
{
    switch (options->integrator) {
    case RCT_INTEGRATOR_RK4: return 0;
    case RCT_INTEGRATOR_DOPRI5: return RCT_SLOT_SLOPES + RCT_MOST_SLOPES;
    case RCT_INTEGRATOR_IMPLICIT: return RCT_IMPLICIT_SLOTS;
    default: return RCT_SLOT_KEPT + 1;
    }
}

/* States and slopes in slots (kernels/records/coordinates.h), as integrators besides rk4 ask for it. */
typedef struct rct_slope_operations {
    /* From one slot to another, one of which may be the state. */
    void (*copy)(rct_run *run, int to, int from);

    /* The state moved by slopes, under the results of the last evaluate if one is fresh. Whether it is one the next evaluate finds. */
    void (*weigh)(rct_run *run, const rct_weighing *by);

    /* The size of a sum of slopes as an error of the step to the state, `length` in m (rct_coordinate_kernels). */
    double (*size)(rct_run *run, const rct_weighing *by, double length);

    /* Of implicit stages: numbers of all rates, as the caller has them, to a slot (rct_coordinate_kernels), and its numbers as those of a
     * state. */
    void (*put_rates)(rct_run *run, int slot, const double *of_coordinates, const double *of_rates);
    void (*take)(rct_run *run, int slot, double *coordinates, double *rates);

    /* Moments at ball hinges to the efforts of a stage, `by` with its delta and the ground; 0 where the run cannot, and nothing is done.
     * Efforts of some links, of all where `links` is NULL, to their places among those of the caller. */
    int (*hold)(rct_run *run, const rct_holding *by);
    void (*read_efforts)(rct_run *run, const int32_t *links, int32_t count, double *efforts);

    /* In place of what read_derivatives gives. */
    void (*write_derivatives)(rct_run *run, const double *derivatives);
} rct_slope_operations;

/* Where loops are closed between whole trees in lanes: rows of J are columns of the sheaves (topology/columns.h). */
typedef struct rct_column_operations {
    /* Lay columns for the ends of so many rows, in place of those before, which go; NULL where the run has none for them. They live
     * with the run. RCT_ERROR_MEMORY, and those before stay. */
    rct_status (*lay)(rct_run *run, const rct_column_end *ends, int64_t count, int32_t rows,
                      rct_row_columns **columns, rct_error *error);

    /* Poses of the state to the columns, at a ground that stands so, after what acts was written; 0 if all stood there. */
    int (*pose)(rct_run *run, const rct_pose_of_link *ground);

    /* With what comes in written to them: the sweep inward of evaluate, which leaves the numbers of the rows. As long as state,
     * ground and loads stay as they are, evaluate and rk4_stage go on from there, under the multipliers in the columns besides
     * what acts: an evaluate under more of them, those before included, may follow another. Ends as evaluate does. */
    rct_sweep_result (*condense)(rct_run *run);

    /* Evaluate under the multipliers alone, which are so large that nothing else counts beside them: what was condensed near this
     * state is good enough. */
    rct_sweep_result (*sway)(rct_run *run);

    /* What the rows take from the results of the last evaluate. */
    void (*take)(rct_run *run);
} rct_column_operations;

typedef struct rct_backend {
    const char *name;

    /* How many devices it has here, with their names, the backend's and a number: options->backend may be one of them.
     * NULL where there is nothing to choose. */
    int32_t (*devices)(const char *const **names);

    /* NULL if it can run here, else why not, in one line that lives as long as the library. */
    const char *(*unavailable)(void);

    /* The plan must outlive the run; `loads`: whether write_loads will be called. NULL on failure. */
    rct_run *(*create)(const rct_plan *plan, const rct_solver_options *options, int loads,
                       rct_error *error);
    void (*destroy)(rct_run *run);
    void (*describe)(const rct_run *run, rct_run_info *info);

    /* The state, numbers as rct_link_state counts them. */
    void (*write_state)(rct_run *run, const double *state);
    void (*read_state)(const rct_run *run, double *state);

    /* Have the threads of a run work on all of [0, count), in ranges of no more than `range`. NULL: it has none. */
    void (*share)(const rct_run *run, int64_t range, int64_t count, rct_range_work *work,
                  void *context);

    /* Coordinates and rates of all hinges in the order of the caller, as rct_solver_set_coordinates and _get_coordinates have
     * them; 0 if any is no state: then the old one stays. Read, either array may be NULL. */
    int (*write_coordinates)(rct_run *run, const double *coordinates, const double *rates);
    void (*read_coordinates)(const rct_run *run, double *coordinates, double *rates);

    /* The numbers of some links alone, in their places of a whole state. */
    void (*read_links)(const rct_run *run, const int32_t *links, int32_t count, double *state);

    /* Poses of links to [links], at a ground that stands so: of all, or of some that were wanted before, ascending; those of others
     * may change besides. It is always the same array, which nobody else writes to: what stands there of this state already stays.
     * Read, 0 if all stood there. */
    void (*want_poses)(rct_run *run, const int32_t *links, int32_t count);
    int (*read_poses)(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses);

    /* The ground of the next evaluations; their loads, of [links][LOAD_FIELDS] those of some links, for runs made for some. */
    void (*set_ground)(rct_run *run, const rct_ground *ground);
    void (*write_loads)(rct_run *run, const int32_t *links, int32_t count, const double *loads);

    /* Whether runs of the plan know its forces at hinges; else they are among the loads. And the time (s) that the next evaluations
     * take them at. */
    int (*exerts)(const rct_plan *plan);
    void (*set_time)(rct_run *run, double time);

    /* The efforts among these, of all hinges, in the order of rates as coordinates are. */
    void (*write_efforts)(rct_run *run, const double *efforts);

    /* Accelerations of the present state, with results to read. A fault names a label; SINGULAR is
     * reported only of a finite state. */
    rct_sweep_result (*evaluate)(rct_run *run);

    /* Stage 0 to 3 of a Runge-Kutta step (kernels/laws/rk4_step.h): evaluate and advance. On a fault the
     * state is that at the start of the step. */
    rct_sweep_result (*rk4_stage)(rct_run *run, int stage, double dt);

    /* Whole steps, as many as `steps` of four stages each, with the ground and the loads as they are all the while; `done`
     * are those before the one that failed, if one did. NULL where a step gains nothing by being whole. */
    rct_sweep_result (*rk4_steps)(rct_run *run, double dt, int64_t steps, int64_t *done);

    /* Of the next evaluations: in an implicit stage of `delta` seconds what springs k and dampers c take at hinges with axes is
     * delta c + delta^2 k times the derivatives of their rates besides; 0: none. At the hinges of `links`, always the same for a
     * run, `rotors` [count][3] come to that in such a stage. Runs of plans that yield have it (topology/plan.h). */
    void (*set_delta)(rct_run *run, double delta, const int32_t *links, int32_t count,
                      const double *rotors);

    /* Results of the last evaluate: accelerations of links less gravity [links][6], link axes, linear first; and the derivatives
     * of rates, as rct_solver_get_rate_derivatives has them. */
    void (*read_accelerations)(const rct_run *run, double *accelerations);
    void (*read_derivatives)(const rct_run *run, double *derivatives);

    /* Force of what links hang on and its moment about their origins, [links][6]; of those on ball hinges inertial axes, else link
     * axes. NULL: whoever asks finds them from accelerations. */
    void (*read_forces)(const rct_run *run, double *forces);

    /* Begin to copy the state out as it is now, while later operations run; and what was kept, as read_state and
     * read_coordinates give it, which waits for the copies, 0 if the machine failed. NULL where nothing could run meanwhile. */
    rct_status (*keep)(rct_run *run, rct_error *error);
    int (*read_kept)(rct_run *run, double *state, double *coordinates, double *rates);

    /* What went wrong when the machine failed, to complete "the backend failed ..."; "" as long as it has
     * not. NULL where that cannot be. Any operation may find out; from then on every sweep ends in
     * SWEEP_LOST, and all that is read is NaN. */
    const char *(*trouble)(const rct_run *run);

    /* Take the numbers of the plan, renewed by those of a model that fits (topology/plan.h), of a run of whole trees; all
     * else is then as create leaves it. RCT_ERROR_MEMORY, then only to be destroyed. NULL where a run is made anew. */
    rct_status (*renew)(rct_run *run, rct_error *error);

    /* NULL where loops are not held in the junction; where rows of J are no columns; and where neither is. */
    const rct_junction_operations *junction;
    const rct_column_operations *columns;
    const rct_move_operations *moves;
    const rct_slope_operations *slopes;

    /* Dense systems (backend/dense.h); NULL where it has nothing for them. */
    const rct_dense_operations *dense;
} rct_backend;

/* The backend called `name`, or with a device of that name; "auto" or NULL: the first that is available. NULL on failure:
 * RCT_ERROR_UNSUPPORTED naming those there are. */
const rct_backend *rct_backend_find(const char *name, rct_error *error);

extern const rct_backend rct_backend_cpu;

#endif
