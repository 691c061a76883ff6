/* The solver from the inside: a plan, a run of it on a backend, the ground it hangs on, what acts on it from outside the sweeps,
 * and what closes its loops. */
#ifndef RCT_DYNAMICS_SOLVER_H
#define RCT_DYNAMICS_SOLVER_H

#include "backend/backend.h"
#include "core/pool.h"
#include "dynamics/load_lists.h"
#include "kernels/records/poses.h"
#include "operators/tree.h"

#include <riccatree/closure.h>
#include <riccatree/solver.h>

#include <stdatomic.h>

/* Numbers of a body that a force function is given: orientation, angular velocity, position, velocity; and that it gives:
 * force, moment. Each in a column of all bodies. */
enum { USER_FIELDS = 4 + 3 + 3 + 3 + 3 + 3 };

typedef struct rct_closed rct_closed;
typedef struct rct_events rct_events;
typedef struct rct_operation rct_operation;
typedef struct rct_soft rct_soft;

/* What an integrator with error control goes on from, a part of the state (raw_state.h), and what it has counted; of others the
 * counts alone. Doubles all. */
typedef struct rct_pace {
    double next;  /* s, the step to try; 0: none yet                      */
    double error; /* of the last step taken, in parts of the tolerance    */
    double steps, rejected, evaluations;
    double shortest, longest; /* s; 0: none yet                                       */
} rct_pace;

enum { PACE_FIELDS = 7 };

struct rct_solver {
    atomic_int busy;    /* 1: somebody is inside (rct_solver_enter)                  */
    atomic_llong bytes; /* as counted last, without `late` and the plan              */
    rct_run_info about; /* the run as it was made                                    */
    int evaluated;      /* whether the results of the run are those of its state     */
    rct_plan *plan;
    const rct_backend *backend;
    rct_run *run;
    rct_pool pool;              /* behind all arrays below but those of `acting` */
    rct_closed *closed;         /* of a model with loops; else NULL        */
    rct_events *events;         /* of a model with events; else NULL       */
    rct_solver_options options; /* as given, `backend` resolved            */
    double time;                /* s                                       */
    double kept;                /* s, time of the state kept; NaN: none is */

    /* the ground, at the time it was moved to last */
    rct_base_motion base;
    rct_pose_of_link ground;
    int ground_rests; /* 1: it does, and is known */

    /* read of the run last, label order */
    double *state;            /* as rct_link_state counts them */
    rct_poses poses;          /* [links] of `state`; with `rest` where there are loops            */
    int64_t poses_read;       /* how often others were found, here or in columns of loops         */
    double *reference;        /* [links] J, what potential energy is counted from: the start's    */
    double reference_springs; /* J                                                               */
    double *parts; /* of some links, what they add to energies and momenta (measures.h) */

    /* the same, but NULL until they are asked for first (rct_solver_make_room), which steps never do */
    double *accelerations; /* [links][6] inertial axes, true ones                              */
    double *forces;        /* [links][6] force and moment of what they hang on (read_forces)   */
    double *hinge_loads;   /* [bodies][6] force and moment, where the sweep does not know them */
    atomic_llong late;     /* bytes of these; others may read them meanwhile                   */

    /* loads; NULL all where there are none */
    double *loads;     /* [links][LOAD_FIELDS]                                               */
    double *external;  /* [bodies][6] force and moment about the hinge point, inertial axes  */
    double *efforts;   /* [freedoms] of the user, as set; NULL where there will be none      */
    int pushes_hinges; /* 1: there may be others than 0                                      */
    rct_load_lists acting;
    int pushed_others;  /* 1: `external` is of an evaluation with other lists                 */
    int acts_otherwise; /* 1: something else acts than in the last evaluation                */
    int32_t *named;     /* [named_count] bodies that forces of the user act on                */
    int32_t named_count;
    double *rows; /* [bodies][USER_FIELDS] what forces of the user are given and give   */
    rct_force_function *function;
    void *context;

    rct_pace pace;
    double *stages; /* room of the integrators implicit (integrate/stages.h) and conserving    */
    double *rotors; /* [freedoms] of implicit stages, for operators that close loops; else NULL */
    rct_operation *operation; /* of the integrator conserving; else NULL                        */
    rct_soft *soft; /* of the integrator implicit with springs between points; else NULL */
};

/* Whether steps adapt to the error. */
static inline int rct_solver_adapts(const rct_solver *solver)
{
    return rct_integrator_adapts(solver->options.integrator);
}

/* Numbers of a state in the order of the caller: coordinates, then rates. */
static inline int64_t rct_solver_numbers(const rct_solver *solver)
{
    return solver->plan->coordinates + solver->plan->freedoms;
}

/* Numbers of room for the stages of a step (integrate/stages.h), and for one of conserving (integrate/conserving.c). */
enum { STAGE_ROWS = 2, STAGE_RATES = 4, TURNING_FIELDS = 12 };
int64_t rct_solver_turning(const rct_solver *solver); /* of links where balls yield */
enum { CONSERVING_ROWS = 2, CONSERVING_RATES = 4, CONSERVING_FIELDS = 6 };

/* What a body shows of its link; inertial axes. */
typedef struct rct_body_pose {
    double rotation[3][3];
    double rate[3];
    double position[3];
    double velocity[3];
} rct_body_pose;

/* ---- one caller at a time ----------------------------------------------------------------- */

/* A public function enters the solver, calls what is inside, and leaves; `status` is passed on. RCT_ERROR_ARGUMENT
 * for a solver that is NULL or at work: a force function has called, or a second thread. */
rct_status rct_solver_enter(const rct_solver *solver, rct_error *error);
rct_status rct_solver_leave(const rct_solver *solver, rct_status status);

/* The same where the time matters: RCT_ERROR_ARGUMENT too if it is not finite. */
rct_status rct_solver_enter_in_time(const rct_solver *solver, rct_error *error);

int rct_solver_is_busy(const rct_solver *solver);

/* Of whatever allocated, for rct_solver_get_info. */
void rct_solver_count_bytes(rct_solver *solver);

/* The public functions of the same names, for who has entered; those that may allocate and have no status outside give
 * RCT_ERROR_MEMORY. */
void rct_solver_set_time_inside(rct_solver *solver, double time);
rct_status rct_solver_set_state_inside(rct_solver *solver, const double *orientation,
                                       const double *angular_velocity, rct_error *error);
void rct_solver_get_state_inside(const rct_solver *solver, double *orientation,
                                 double *angular_velocity, double *position, double *velocity);
rct_status rct_solver_set_coordinates_inside(rct_solver *solver, const double *coordinates,
                                             const double *rates, rct_error *error);
void rct_solver_get_coordinates_inside(const rct_solver *solver, double *coordinates,
                                       double *rates);
rct_status rct_solver_keep_inside(rct_solver *solver, rct_error *error);

/* What bodies show of the state, a row a body; NULL: not asked for. */
typedef struct rct_state_rows {
    double *orientation, *angular_velocity, *position, *velocity;
} rct_state_rows;
rct_status rct_solver_get_kept_inside(const rct_solver *solver, const rct_state_rows *rows,
                                      rct_error *error);

/* Read what is kept as if it were the present state, with coordinates and rates if they are not NULL; then the ground is where it was,
 * until rct_solver_move_ground. */
rct_status rct_solver_read_kept(const rct_solver *solver, double *coordinates, double *rates,
                                rct_error *error);

void rct_solver_measure_inside(const rct_solver *solver, rct_measures *measures);
rct_status rct_solver_check_inside(const rct_solver *solver, rct_error *error);
/* How what ended in `status` failed: by the loss of the machine, if it is lost: what was read since is no motion. */
rct_status rct_solver_failed(const rct_solver *solver, rct_status status, rct_error *error);
rct_status rct_solver_evaluate_inside(rct_solver *solver, rct_error *error);
rct_status rct_solver_set_force_function_inside(rct_solver *solver, rct_force_function *function,
                                                void *context, rct_error *error);
rct_status rct_solver_set_body_forces_inside(rct_solver *solver, const int32_t *bodies,
                                             int32_t count, rct_force_function *function,
                                             void *context, rct_error *error);
rct_status rct_solver_set_efforts_inside(rct_solver *solver, const double *efforts,
                                         rct_error *error);
rct_status rct_solver_forward_inside(rct_solver *solver, int64_t states, const double *coordinates,
                                     const double *rates, const double *efforts,
                                     double *derivatives, rct_error *error);
rct_status rct_solver_get_accelerations_inside(const rct_solver *solver, double *linear,
                                               double *angular);
void rct_solver_get_rate_derivatives_inside(const rct_solver *solver, double *derivatives);
rct_status rct_solver_get_hinge_forces_inside(const rct_solver *solver, double *force,
                                              double *moment);
rct_status rct_solver_get_state_vectors_inside(const rct_solver *solver, double *outboard,
                                               double *inboard);
void rct_solver_get_loop_info_inside(const rct_solver *solver, rct_loop_info *info);
void rct_solver_get_active_loops_inside(const rct_solver *solver, int32_t *active);
void rct_solver_get_loop_forces_inside(const rct_solver *solver, double *force, double *moment,
                                       double *effort);
rct_status rct_solver_set_loop_active_inside(rct_solver *solver, int32_t loop,
                                             rct_loop_state active, rct_error *error);
rct_status rct_solver_assemble_inside(rct_solver *solver, rct_error *error);
rct_status rct_solver_mass_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error);
rct_status rct_solver_mass_solve_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error);
rct_status rct_solver_jacobian_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                            double *linear, double *angular, rct_error *error);
rct_status rct_solver_jacobian_transposed_inside(rct_solver *solver, int32_t columns,
                                                 const double *force, const double *moment,
                                                 double *y, rct_error *error);
rct_status rct_solver_inverse_dynamics_inside(rct_solver *solver, const double *x, double *force,
                                              double *moment, double *effort, rct_error *error);

/* ---- hinge_efforts.c: riccatree/operators.h ------------------------------------------------ */

rct_status rct_solver_hinge_efforts_inside(rct_solver *solver, double *effort, rct_error *error);

/* ---- other numbers ------------------------------------------------------------------------ */

/* Whether the solver can go on with another model: one of whole trees (RCT_SEGMENT_WHOLE), without loops, on a backend that knows how.
 * And whether it can with this one: it differs from the first in numbers alone, and where one has loads, the other has. */
int rct_solver_renews(const rct_solver *solver);
int rct_solver_fits(const rct_solver *solver, const rct_model *model);

/* Begin again with a model that fits, as if made of it, bit for bit, without another plan. Errors are those of
 * rct_solver_create; then the solver is only to be freed. */
rct_status rct_solver_renew(rct_solver *solver, const rct_model *model, rct_error *error);

/* The state that the model starts with, at time 0; loops as they are there. */
rct_status rct_solver_load_start(rct_solver *solver, rct_error *error);

/* The threads of the run, if it has any; and have them work on all of [0, count) in ranges of a usual length. */
rct_sharing rct_solver_sharing(const rct_solver *solver);
void rct_solver_share(const rct_solver *solver, int64_t count, rct_range_work *work, void *context);

/* ---- poses.c: the ground, links, bodies ---------------------------------------------------- */

/* Put the ground where it is at `time`; where it is meanwhile is no part of what `const` promises of a solver. */
void rct_solver_move_ground(const rct_solver *solver, double time);

/* Poses of all links from the state of the run; from the numbers in `state`; of the run again, of the links alone that loads
 * ask for. */
void rct_solver_read_poses(const rct_solver *solver);
void rct_solver_find_poses(const rct_solver *solver);
void rct_solver_read_acting(const rct_solver *solver);
void rct_solver_read_acting_poses(const rct_solver *solver); /* alone */

/* Poses, and the numbers of the state where any hinge has axes. */
void rct_solver_read_places(const rct_solver *solver);

/* The numbers of the state, and poses if any hinge is relative: all that says how links stand and turn. */
void rct_solver_read_turns(const rct_solver *solver);

rct_body_pose rct_solver_body_pose(const rct_solver *solver, int64_t body);
void rct_solver_orientation(const rct_solver *solver, int64_t body, double quaternion[4]);
void rct_solver_body_point(const rct_solver *solver, int64_t body, double position[3]);

/* As rct_solver_get_state, from what was read last; and `count` rows of it, from body `first` on, by the calling thread. */
void rct_solver_show_state(const rct_solver *solver, double *orientation, double *angular_velocity,
                           double *position, double *velocity);
void rct_solver_show_rows(const rct_solver *solver, int64_t first, int64_t count,
                          const rct_state_rows *rows);

/* Of some bodies, columns one after the other: orientation [count][4], angular velocity, position, velocity [count][3]. */
void rct_solver_show_bodies(const rct_solver *solver, const int32_t *bodies, int32_t count,
                            double *columns);

/* ---- state.c ---- */

/* As rct_solver_set_coordinates, but whether the machine has failed is not asked. */
rct_status rct_solver_write_coordinates(rct_solver *solver, const double *coordinates,
                                        const double *rates, rct_error *error);

/* Coordinates q moved along `scale` times a change of all rates, turns as rotation vectors in inertial axes. */
void rct_solver_advance(const rct_solver *solver, const double *q, const double *change,
                        double scale, double *out);

/* ---- loads.c: springs between points, the user, loops --------------------------------------- */

/* What loads need, if there can be any. */
rct_status rct_solver_create_loads(rct_solver *solver, rct_error *error);

/* Whether there can be: what acts at hinges and wrenches are none. */
int rct_solver_has_loads(const rct_solver *solver);

/* As created. */
rct_status rct_solver_renew_loads(rct_solver *solver, rct_error *error);

/* Loads of the present state at `time`, to the run. */
void rct_solver_write_loads(rct_solver *solver, double time);

/* Efforts at all hinges, [freedoms], in place of those there are; `any`: whether others than 0 are among them. For an implicit
 * stage, after which those of the user come back in the same way. */
void rct_solver_exert(rct_solver *solver, const double *efforts, int any);

/* Add forces of closures at the hinge points and moments about them [bodies][3], inertial axes, and efforts, body after
 * body as `first` [bodies] says, to the loads written last; nothing but what loops of the model act on is read. */
void rct_solver_add_closing(rct_solver *solver, const double *force, const double *moment,
                            const double *effort, const int64_t *first);

/* Loads of links that nothing acts on but the efforts of the user, and now and then somebody else. */
void rct_solver_clear_others(const rct_solver *solver, const int32_t *links, int32_t count);

/* What acts, as loops are held now, on a solver whose user has named no bodies. RCT_ERROR_MEMORY. */
rct_status rct_solver_list_loads_again(rct_solver *solver, rct_error *error);

/* ---- forces.c: on bodies ---- */

/* Add springs between points and forces of the user to `external`, all zero before, from the poses read last. */
void rct_solver_push(const rct_solver *solver, double time, double *external);

/* Add `factor` times the wrenches of the model, which the sweeps know. */
void rct_solver_add_wrenches(const rct_solver *solver, double factor, double *external);

/* Add the energies of springs between points, J: that of force i to number i mod `systems`. */
void rct_solver_add_spring_energy(const rct_solver *solver, int32_t systems, double *energy);

/* ---- forces.c: at hinges ---- */

/* Read the states of the links that they act on, and add what they do at `time` to the loads of these. */
void rct_solver_add_efforts(const rct_solver *solver, double time);

/* Add the moment of friction at the ball hinge of a link, inertial axes, from the poses of that and of what it hangs on, read last. */
void rct_solver_add_rubbing(const rct_solver *solver, const rct_force *force, int32_t link,
                            double moment[3]);

/* Add their energies, J, at the state read last: that of force i to number i mod `systems`. */
void rct_solver_add_effort_energy(const rct_solver *solver, int32_t systems, double *energy);

/* Add how they resist, - d effort / dq and - d effort / du where these are positive, to numbers of all rates, at coordinates and rates
 * of all hinges and `time`; where balls are rubbed, the poses read last are of that state. */
void rct_solver_add_slopes(const rct_solver *solver, double time, const double *coordinates,
                           const double *rates, double *stiffness, double *damping);

/* What implicit stages of `delta` seconds solve for, rate by rate; delta 0: explicit ones follow. And tell the run, just made or
 * renewed, at which hinges forces will come to them. */
void rct_solver_set_delta(const rct_solver *solver, double delta, const double *stiffness,
                          const double *damping);
void rct_solver_expect_delta(const rct_solver *solver);

/* ---- results.c, hinge_loads.c, measures.c ---------------------------------------------------- */

/* Rows of six numbers, zeros, in one of the arrays of the solver that are NULL until they are asked for, unless it has them. What
 * it takes late is no part of what `const` promises of a solver. RCT_ERROR_MEMORY: all is as before. */
rct_status rct_solver_make_room(const rct_solver *solver, double *const *array, int64_t rows,
                                rct_error *error);

/* Poses, and accelerations of the last evaluation; RCT_ERROR_MEMORY. */
rct_status rct_solver_read_motion(const rct_solver *solver);

/* Acceleration of a body, from the motion read last. */
void rct_solver_body_acceleration(const rct_solver *solver, int64_t body, double linear[3],
                                  double angular[3]);

/* The acceleration of a link as the backend gives it, in its place in `accelerations`, to a true one in inertial axes, at the
 * turns read last. */
void rct_solver_turn_acceleration(const rct_solver *solver, int64_t link);

/* As rct_solver_get_accelerations, at the poses read last; RCT_ERROR_MEMORY, if no room has been made. */
rct_status rct_solver_show_accelerations(const rct_solver *solver, double *linear, double *angular);

/* Forces and moments of parents on all bodies, of the last evaluation (RCT_ERROR_MEMORY); then those on a body, about its hinge
 * point, inertial axes. */
rct_status rct_solver_find_hinge_loads(const rct_solver *solver);
void rct_solver_hinge_load(const rct_solver *solver, int64_t body, double load[6]);

/* Whether a hinge has its point in the body elsewhere than in the parent; all that turn about a point have it in common. */
static inline int rct_slides(rct_hinge_type type)
{
    return type == RCT_HINGE_PRISMATIC || type == RCT_HINGE_CYLINDRICAL ||
           type == RCT_HINGE_PLANAR || type == RCT_HINGE_HELICAL;
}

/* What `count` links from `first` on add to the sums, [count][MEASURES], until the call ends; without springs. */
typedef void rct_parts_shown(void *context, int64_t first, int64_t count, const double *parts);

/* Show the parts of all links, by threads, from the poses read last, in label order: batches come to the same bits. */
void rct_solver_measure_links(const rct_solver *solver, rct_parts_shown *show, void *context);

/* J, of all springs, at hinges and between points, of systems side by side: number b mod `systems` is that of body b,
 * i mod `systems` that of force i. */
void rct_solver_spring_energies(const rct_solver *solver, int32_t systems, double *energy);

/* The present state is where potential energy is zero. */
void rct_solver_set_reference(rct_solver *solver);

/* ---- faults ------------------------------------------------------------------------------- */

/* Turn what a backend says into a status naming the body at fault. What is not finite spoils all from the root on, so that how
 * the work was divided decides which link shows it: the root is named. */
rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error);

/* Factor the mass matrix in the state that the operators are of. RCT_ERROR_SINGULAR, in the words of an evaluation. */
rct_status rct_solver_factor(const rct_solver *solver, rct_operator *operators, rct_error *error);

/* Operators kept ready, where the bodies are once they are moved there, and factored once they are renewed, with `rotors` [rates] at hinges
 * besides their own unless NULL (rct_operator_tree_hold). NULL: RCT_ERROR_MEMORY. Moving
 * and renewing allocate nothing, and fail as rct_solver_check and rct_solver_factor. */
rct_operation *rct_operation_create(const rct_solver *solver, rct_error *error);
void rct_operation_free(rct_operation *operation);
int64_t rct_operation_bytes(const rct_operation *operation);
rct_operator *rct_operation_sweeps(const rct_operation *operation);
const rct_operator_tree *rct_operation_tree(const rct_operation *operation);
rct_status rct_operation_move(rct_operation *operation, const rct_solver *solver, rct_error *error);
rct_status rct_operation_renew(rct_operation *operation, const rct_solver *solver,
                               const double *rotors, rct_error *error);

/* conserves.c: whether the integrator conserving can step this model, and what it needs. RCT_ERROR_UNSUPPORTED, RCT_ERROR_MEMORY. */
rct_status rct_solver_conserves(rct_solver *solver, rct_error *error);

/* The tree in the present state, and operators of it, factored or not; both are the caller's to free. NULL: RCT_ERROR_MEMORY, or as
 * rct_solver_check and rct_solver_factor. */
rct_operator *rct_solver_operators_now(const rct_solver *solver, int factored,
                                       rct_operator_tree **tree, rct_error *error);

#endif
