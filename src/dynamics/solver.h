/* The solver from the inside: plan, run, ground, loads from outside the sweeps, closed loops. */
#ifndef RCT_DYNAMICS_SOLVER_H
#define RCT_DYNAMICS_SOLVER_H

#include "backend/backend.h"
#include "core/pool.h"
#include "dynamics/load_lists.h"
#include "dynamics/time_tables.h"
#include "kernels/records/poses.h"
#include "operators/tree.h"

#include <riccatree/closure.h>
#include <riccatree/solver.h>

#include <stdatomic.h>

/* Numbers of a body for force functions, each a column over all bodies: orientation, angular
 * velocity, position, velocity; force, moment. */
enum { USER_FIELDS = 4 + 3 + 3 + 3 + 3 + 3 };

typedef struct rct_closed rct_closed;
typedef struct rct_events rct_events;
typedef struct rct_operation rct_operation;
typedef struct rct_soft rct_soft;

/* The pace of an integrator with error control, a part of the state (raw_state.h), and its counts;
 * other integrators have counts only. All are doubles. */
typedef struct rct_pace {
    double next;  /* s, the step to try; 0: none yet */
    double error; /* of the last step taken, as a multiple of the tolerance */
    double steps, rejected, evaluations;
    double shortest, longest; /* s; 0: none yet */
} rct_pace;

enum { PACE_FIELDS = 7 };

struct rct_solver {
    atomic_int busy;    /* 1: a caller is inside (rct_solver_enter) */
    atomic_llong bytes; /* as counted last, without `late` and the plan */
    rct_run_info about; /* the run as created */
    int evaluated;      /* whether the results of the run belong to its state */
    rct_plan *plan;
    const rct_backend *backend;
    rct_run *run;
    rct_pool pool;              /* holds all arrays below except those of `acting` */
    rct_closed *closed;         /* of a model with loops, else NULL */
    rct_events *events;         /* of a model with events, else NULL */
    rct_time_tables *tables;    /* for steps with error control, else NULL */
    rct_solver_options options; /* as given, `backend` resolved */
    double time;                /* s */
    double kept;                /* s, time of the state kept; NaN: none is */
    /* the ground, at the time of its last move */
    rct_base_motion base;
    rct_pose_of_link ground;
    int ground_rests; /* 1: it rests, and is known */

    /* read last from the run, label order */
    double *state;            /* as rct_link_state counts them */
    rct_poses poses;          /* [links] of `state`; with `rest` where there are loops */
    int64_t poses_read;       /* how often other poses were found, here or in columns of loops */
    double *reference;        /* [links] J at the start, the zero of potential energy */
    double reference_springs; /* J */
    double *parts;            /* sums of some links for energies and momenta (measures.h) */

    /* the same, but NULL until first asked for (rct_solver_make_room); steps never ask */
    double *accelerations; /* [links][6] inertial axes, true ones */
    double *forces;        /* [links][6] force and moment from their parents (read_forces) */
    double *hinge_loads;   /* [bodies][6] force and moment, where the sweep does not know them */
    atomic_llong late;     /* bytes of these arrays; other threads may read it */

    /* loads; all NULL where there are none */
    double *loads;     /* [links][LOAD_FIELDS] */
    double *external;  /* [bodies][6] force and moment about the hinge point, inertial axes */
    double *efforts;   /* [freedoms] of the user, as set; NULL where there can be none */
    int pushes_hinges; /* 1: some may differ from 0 */
    rct_load_lists acting;
    /* 1: `loads` may differ from 0; other lists wrote `external`; loads are not those evaluated */
    int loaded, pushed_others, acts_otherwise;
    int32_t *named; /* [named_count] bodies that forces of the user act on */
    int32_t named_count;
    double *rows; /* [bodies][USER_FIELDS] input and output of forces of the user */
    rct_force_function *function;
    void *context;

    rct_pace pace;
    double *stages; /* room of the integrators implicit (integrate/stages.h) and conserving */
    double *rotors; /* [freedoms] of implicit stages, for operators that close loops; else NULL */
    rct_operation *operation; /* of the integrator conserving; else NULL */
    rct_soft *soft; /* of the integrator implicit with springs between points; else NULL */
};

/* Whether steps adapt to the error. */
static inline int rct_solver_adapts(const rct_solver *solver)
{
    return rct_integrator_adapts(solver->options.integrator);
}

/* How many numbers a state has in the order of the caller: coordinates, then rates. */
static inline int64_t rct_solver_numbers(const rct_solver *solver)
{
    return solver->plan->coordinates + solver->plan->freedoms;
}

/* Numbers for stages of a step (integrate/stages.h), and of conserving (conserving.c). */
enum { STAGE_ROWS = 2, STAGE_RATES = 4, TURNING_FIELDS = 12 };
int64_t rct_solver_turning(const rct_solver *solver); /* links where balls yield */
enum { CONSERVING_ROWS = 2, CONSERVING_RATES = 4, CONSERVING_FIELDS = 6 };

/* The motion of a body, found from its link; inertial axes. */
typedef struct rct_body_pose {
    double rotation[3][3];
    double rate[3];
    double position[3];
    double velocity[3];
} rct_body_pose;

/* ---- one caller at a time ----------------------------------------------------------------- */

/* Public functions enter the solver, call the function inside, and leave; `status` is passed on.
 * RCT_ERROR_ARGUMENT: the solver is NULL or busy (a force function calls, or a second thread). */
rct_status rct_solver_enter(const rct_solver *solver, rct_error *error);
rct_status rct_solver_leave(const rct_solver *solver, rct_status status);

/* The same where the time matters: RCT_ERROR_ARGUMENT also if it is not finite. */
rct_status rct_solver_enter_in_time(const rct_solver *solver, rct_error *error);

int rct_solver_is_busy(const rct_solver *solver);

/* Count the bytes for rct_solver_get_info, after allocations. */
void rct_solver_count_bytes(rct_solver *solver);

/* The public functions of the same names, for callers that have entered. Functions that may
 * allocate and have no status outside give RCT_ERROR_MEMORY here. */
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

/* The state of bodies, a row per body; NULL: not asked for. */
typedef struct rct_state_rows {
    double *orientation, *angular_velocity, *position, *velocity;
} rct_state_rows;
rct_status rct_solver_get_kept_inside(const rct_solver *solver, const rct_state_rows *rows,
                                      rct_error *error);

/* Read the kept state as if it were the present one; coordinates and rates may be NULL. The ground
 * stays where it was then until rct_solver_move_ground. */
rct_status rct_solver_read_kept(const rct_solver *solver, double *coordinates, double *rates,
                                rct_error *error);

void rct_solver_measure_inside(const rct_solver *solver, rct_measures *measures);
rct_status rct_solver_check_inside(const rct_solver *solver, rct_error *error);
/* `status`, or the loss of the device if it is lost: all that was read since then is no motion. */
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

/* Whether the solver can renew: whole trees (RCT_SEGMENT_WHOLE), no loops, a backend that renews;
 * and whether with this model: only numbers differ, and both or neither have loads. */
int rct_solver_renews(const rct_solver *solver);
int rct_solver_fits(const rct_solver *solver, const rct_model *model);

/* Begin again with a model that fits, bit for bit as if created from it, without another plan.
 * Errors are those of rct_solver_create; afterwards the solver can only be freed. */
rct_status rct_solver_renew(rct_solver *solver, const rct_model *model, rct_error *error);

/* Load the state with which the model starts, at time 0, and its loops. */
rct_status rct_solver_load_start(rct_solver *solver, rct_error *error);

/* The threads of the run, if any; and let them work on [0, count) in ranges of the usual length. */
rct_sharing rct_solver_sharing(const rct_solver *solver);
void rct_solver_share(const rct_solver *solver, int64_t count, rct_range_work *work, void *context);

/* ---- poses.c: the ground, links, bodies ---------------------------------------------------- */

/* Move the ground to where it is at `time`; the promise of `const` does not include the ground. */
void rct_solver_move_ground(const rct_solver *solver, double time);

/* Find poses of all links from the run; from the numbers in `state`; of links that loads need. */
void rct_solver_read_poses(const rct_solver *solver);
void rct_solver_find_poses(const rct_solver *solver);
void rct_solver_read_acting(const rct_solver *solver);
void rct_solver_read_acting_poses(const rct_solver *solver); /* only these */

/* Poses, and the numbers of the state where any hinge has axes. */
void rct_solver_read_places(const rct_solver *solver);

/* Read the numbers of the state, and poses if any hinge is relative, to tell how links turn. */
void rct_solver_read_turns(const rct_solver *solver);

rct_body_pose rct_solver_body_pose(const rct_solver *solver, int64_t body);
void rct_solver_orientation(const rct_solver *solver, int64_t body, double quaternion[4]);
void rct_solver_body_point(const rct_solver *solver, int64_t body, double position[3]);

/* As rct_solver_get_state, of what was read last; `count` rows from `first` on, by this thread. */
void rct_solver_show_state(const rct_solver *solver, double *orientation, double *angular_velocity,
                           double *position, double *velocity);
void rct_solver_show_rows(const rct_solver *solver, int64_t first, int64_t count,
                          const rct_state_rows *rows);

/* The same of some bodies, columns one after the other: orientation [count][4], angular velocity,
 * position, velocity [count][3]. */
void rct_solver_show_bodies(const rct_solver *solver, const int32_t *bodies, int32_t count,
                            double *columns);

/* ---- state.c ---- */

/* As rct_solver_set_coordinates, without asking whether the device has failed. */
rct_status rct_solver_write_coordinates(rct_solver *solver, const double *coordinates,
                                        const double *rates, rct_error *error);

/* Move coordinates q by `scale` times a change of rates; turns are inertial rotation vectors. */
void rct_solver_advance(const rct_solver *solver, const double *q, const double *change,
                        double scale, double *out);

/* ---- loads.c: springs between points, the user, loops --------------------------------------- */

/* Allocate for loads, if there can be any. */
rct_status rct_solver_create_loads(rct_solver *solver, rct_error *error);

/* Whether there can be loads: efforts at hinges and wrenches are none. */
int rct_solver_has_loads(const rct_solver *solver);

/* Renew the loads, as if created. */
rct_status rct_solver_renew_loads(rct_solver *solver, rct_error *error);

/* Write the loads of the present state at `time` to the run. */
void rct_solver_write_loads(rct_solver *solver, double time);

/* Replace the efforts at all hinges, [freedoms]; `any`: whether some differ from 0. For an implicit
 * stage, after which the same call brings back those of the user. */
void rct_solver_exert(rct_solver *solver, const double *efforts, int any);

/* Add forces of closures at hinge points, moments about them [bodies][3], inertial axes, and
 * efforts (`first`: the place per body) to the loads written last, where loops of the model act. */
void rct_solver_add_closing(rct_solver *solver, const double *force, const double *moment,
                            const double *effort, const int64_t *first);

/* Clear the loads of `links` that no load acts on; efforts of the user stay. */
void rct_solver_clear_others(const rct_solver *solver, const int32_t *links, int32_t count);

/* List loads anew for the loops that hold now; the user named no bodies. RCT_ERROR_MEMORY. */
rct_status rct_solver_list_loads_again(rct_solver *solver, rct_error *error);

/* ---- forces.c: on bodies ---- */

/* Add springs between points and forces of the user, at the poses read last, to zeros. */
void rct_solver_push(const rct_solver *solver, double time, double *external);

/* Add `factor` times the wrenches of the model, which the sweeps know. */
void rct_solver_add_wrenches(const rct_solver *solver, double factor, double *external);

/* Add the energies of springs between points, J: force i counts for system i mod `systems`. */
void rct_solver_add_spring_energy(const rct_solver *solver, int32_t systems, double *energy);

/* ---- forces.c: at hinges ---- */

/* Add the forces at hinges at `time` to the loads of their links, whose states are read first. */
void rct_solver_add_efforts(const rct_solver *solver, double time);

/* Add the moment of friction at a ball hinge, inertial axes, from its poses read last. */
void rct_solver_add_rubbing(const rct_solver *solver, const rct_force *force, int32_t link,
                            double moment[3]);

/* Add energies of forces at hinges, J, at the state read last: force i to i mod `systems`. */
void rct_solver_add_effort_energy(const rct_solver *solver, int32_t systems, double *energy);

/* Add -d effort / dq and -d effort / du, where positive, to numbers of all rates, at coordinates
 * and rates of all hinges and `time`. Poses read last belong to that state if balls have
 * friction. */
void rct_solver_add_slopes(const rct_solver *solver, double time, const double *coordinates,
                           const double *rates, double *stiffness, double *damping);

/* What implicit stages of `delta` seconds solve for, rate by rate; delta 0: explicit ones follow.
 * And tell the run, just created or renewed, at which hinges it will have forces in them. */
void rct_solver_set_delta(const rct_solver *solver, double delta, const double *stiffness,
                          const double *damping);
void rct_solver_expect_delta(const rct_solver *solver);

/* ---- results.c, hinge_loads.c, measures.c ---------------------------------------------------- */

/* Allocate rows of six zeros for an array of the solver that is NULL until asked for; `const` does
 * not promise these arrays. RCT_ERROR_MEMORY: nothing changes. */
rct_status rct_solver_make_room(const rct_solver *solver, double *const *array, int64_t rows,
                                rct_error *error);

/* Read poses, and the accelerations of the last evaluation; RCT_ERROR_MEMORY. */
rct_status rct_solver_read_motion(const rct_solver *solver);

/* Acceleration of a body, from the motion read last. */
void rct_solver_body_acceleration(const rct_solver *solver, int64_t body, double linear[3],
                                  double angular[3]);

/* Turn the acceleration of a link, which the backend left in its place in `accelerations`, into a
 * true one in inertial axes; `rotation` [3][3]: from its own axes to these. */
void rct_solver_turn_acceleration(const rct_solver *solver, int64_t link, const double *rotation);

/* As rct_solver_get_accelerations, at the poses read last; RCT_ERROR_MEMORY: there is no room. */
rct_status rct_solver_show_accelerations(const rct_solver *solver, double *linear, double *angular);

/* Find the forces and moments of parents on all bodies, of the last evaluation (RCT_ERROR_MEMORY);
 * then those on one body, about its hinge point, inertial axes. */
rct_status rct_solver_find_hinge_loads(const rct_solver *solver);
void rct_solver_hinge_load(const rct_solver *solver, int64_t body, double load[6]);

/* Whether the hinge points of body and parent may part; hinges that only turn have one point. */
static inline int rct_slides(rct_hinge_type type)
{
    return type == RCT_HINGE_PRISMATIC || type == RCT_HINGE_CYLINDRICAL ||
           type == RCT_HINGE_PLANAR || type == RCT_HINGE_HELICAL;
}

/* Shows the sums of `count` links from `first` on, [count][MEASURES], in the call; no springs. */
typedef void rct_parts_shown(void *context, int64_t first, int64_t count, const double *parts);

/* Show the sums of all links, found by threads from the poses read last, in label order: batches
 * give the same bits. */
void rct_solver_measure_links(const rct_solver *solver, rct_parts_shown *show, void *context);

/* Energy of all springs per system, J: body b, force i belong to systems b, i mod `systems`. */
void rct_solver_spring_energies(const rct_solver *solver, int32_t systems, double *energy);

/* Count potential energy from the present state. */
void rct_solver_set_reference(rct_solver *solver);

/* ---- faults ------------------------------------------------------------------------------- */

/* Turn the result of a backend into a status naming the body at fault. For numbers not finite that
 * is the root: they spread, and the division of the work decides which link shows them. */
rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error);

/* Factor the mass matrix in the state of the operators; RCT_ERROR_SINGULAR as in an evaluation. */
rct_status rct_solver_factor(const rct_solver *solver, rct_operator *operators, rct_error *error);

/* Operators kept ready; renewing factors, with `rotors` [rates] (rct_operator_tree_hold) unless
 * NULL. NULL: RCT_ERROR_MEMORY. Neither allocates; they fail as rct_solver_check and _factor. */
rct_operation *rct_operation_create(const rct_solver *solver, rct_error *error);
void rct_operation_free(rct_operation *operation);
int64_t rct_operation_bytes(const rct_operation *operation);
rct_operator *rct_operation_sweeps(const rct_operation *operation);
const rct_operator_tree *rct_operation_tree(const rct_operation *operation);
rct_status rct_operation_move(rct_operation *operation, const rct_solver *solver, rct_error *error);
rct_status rct_operation_renew(rct_operation *operation, const rct_solver *solver,
                               const double *rotors, rct_error *error);

/* conserves.c: whether conserving steps this model; allocates. RCT_ERROR_UNSUPPORTED or MEMORY. */
rct_status rct_solver_conserves(rct_solver *solver, rct_error *error);

/* The tree in the present state, and operators of it, factored or not; the caller frees both. NULL:
 * RCT_ERROR_MEMORY, or as rct_solver_check and rct_solver_factor. */
rct_operator *rct_solver_operators_now(const rct_solver *solver, int factored,
                                       rct_operator_tree **tree, rct_error *error);

#endif
