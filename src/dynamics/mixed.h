/* States, loads and results of a solver from the inside: hinges of every type, loads, a ground that moves. The public
 * functions of the solver come here. */
#ifndef RCT_DYNAMICS_MIXED_H
#define RCT_DYNAMICS_MIXED_H

#include "backend/backend.h"
#include "dynamics/load_lists.h"
#include "kernels/mixed_state.h"

#include <riccatree/solver.h>

/* Numbers of a body that a force function is given: orientation, angular velocity, position, velocity; and that it gives:
 * force, moment. Each in a column of all bodies. */
enum { USER_FIELDS = 4 + 3 + 3 + 3 + 3 + 3 };

typedef struct rct_mixed {
    const rct_plan *plan;
    const rct_backend *backend;
    rct_run *run;
    double *state; /* label order, numbers as plan->links.state_at counts them                  */
    rct_pose_of_link
        *poses;            /* [links] of `state`                                                  */
    double *accelerations; /* [links][6] inertial axes, true ones                                 */
    double *rates;         /* [freedoms] their derivatives, label order                           */
    double *forces;        /* [links][3] of what they hang on, link axes; NaN where not known     */
    double *
        reference; /* [links] m, height of the centre of mass along -gravity, of the model's start, times
                                its mass and gravity: J                                             */
    double reference_springs; /* J */

    rct_base_motion base; /* the ground at the time of `ground` */
    rct_pose_of_link ground;
    int ground_rests; /* 1: it does, and is known */

    /* loads; NULL all where gravity is alone */
    double *loads; /* [links][LOAD_FIELDS]                                                       */
    double
        *external; /* [bodies][6] force and moment about the hinge point, inertial axes          */
    rct_load_lists acting;
    int pushed_others; /* 1: `external` is of an evaluation with other lists                     */
    int32_t *named;    /* [named_count] bodies that forces of the user act on                    */
    int32_t named_count;
    double
        *rows; /* [bodies][USER_FIELDS], room for what forces of the user are given and give      */
    rct_force_function *function;
    void *context;
} rct_mixed;

/* What a body shows of its link; inertial axes. */
typedef struct rct_body_pose {
    double rotation[3][3];
    double rate[3];
    double position[3];
    double velocity[3];
} rct_body_pose;

rct_mixed *rct_mixed_create(const rct_plan *plan, const rct_solver_options *options,
                            const rct_backend *backend, rct_error *error);
void rct_mixed_free(rct_mixed *mixed);

/* The numbers of the plan, which has been renewed and has loads as before: as created. RCT_ERROR_MEMORY, then only to be
 * freed. */
rct_status rct_mixed_renew(rct_mixed *mixed, rct_error *error);
int64_t rct_mixed_bytes(const rct_mixed *mixed);

/* ---- mixed_state.c ---- */

/* Put the ground where it is at `time`. */
void rct_mixed_set_time(rct_mixed *mixed, double time);

/* Poses of all links from the state of the run. */
void rct_mixed_read(rct_mixed *mixed);

/* The same from the numbers in `state`. */
void rct_mixed_find(rct_mixed *mixed);

/* Of those that loads act on, and others. */
void rct_mixed_read_posed(rct_mixed *mixed);

rct_body_pose rct_mixed_body(const rct_mixed *mixed, int64_t body);
void rct_mixed_point(const rct_mixed *mixed, int64_t body, double position[3]);

/* As rct_solver_get_state and rct_solver_get_coordinates, from what was read last. */
void rct_mixed_show(const rct_mixed *mixed, double *orientation, double *angular_velocity,
                    double *position, double *velocity);

/* Of some bodies, columns one after the other: orientation [count][4], angular velocity, position, velocity [count][3]. */
void rct_mixed_show_some(const rct_mixed *mixed, const int32_t *bodies, int32_t count,
                         double *columns);
void rct_mixed_show_coordinates(const rct_mixed *mixed, double *coordinates, double *rates);

/* ---- mixed_coordinates.c ---- */

/* As the functions of the solver. */
rct_status rct_mixed_set_state(rct_mixed *mixed, const double *orientation, const double *rate,
                               rct_error *error);
rct_status rct_mixed_set_coordinates(rct_mixed *mixed, const double *coordinates,
                                     const double *rates, rct_error *error);
void rct_mixed_get_coordinates(rct_mixed *mixed, double *coordinates, double *rates);
void rct_mixed_get_state(rct_mixed *mixed, double *orientation, double *angular_velocity,
                         double *position, double *velocity);

/* The state of the model's start. */
rct_status rct_mixed_start(rct_mixed *mixed, rct_error *error);

/* ---- mixed_loads.c ---- */

/* Of springs between points, the user and loops; what acts at hinges and wrenches are no loads. */
int rct_mixed_has_loads(const rct_plan *plan, const rct_solver_options *options);

/* What loads need; all or nothing. */
rct_status rct_mixed_create_loads(rct_mixed *mixed, const rct_solver_options *options,
                                  rct_error *error);
void rct_mixed_free_loads(rct_mixed *mixed);
int64_t rct_mixed_load_bytes(const rct_mixed *mixed);

/* Forces of the user on some bodies [count], ascending, from now on; NULL: none. As rct_solver_set_body_forces. */
rct_status rct_mixed_set_function(rct_mixed *mixed, const int32_t *bodies, int32_t count,
                                  rct_force_function *function, void *context, rct_error *error);

/* Loads of the present state at `time`, to the run. */
void rct_mixed_write_loads(rct_mixed *mixed, double time);

/* Add forces of closures at the hinge points and moments about them [bodies][3], inertial axes, and efforts, body after
 * body as `first` [bodies] says, to the loads written last; nothing but what loops of the model act on is read. */
void rct_mixed_add_closing(rct_mixed *mixed, const double *force, const double *moment,
                           const double *effort, const int64_t *first);

/* J, of all springs, at hinges and between points, of systems side by side: number b mod `systems` is that of body b,
 * i mod `systems` that of force i. */
void rct_mixed_spring_energies(const rct_mixed *mixed, int32_t systems, double *energy);

/* ---- mixed_forces.c ---- */

/* Add springs between points and forces of the user to `external`, all zero before, from the poses read last. */
void rct_mixed_push(rct_mixed *mixed, double time, double *external);

/* Add `factor` times the wrenches of the model, which the sweeps know. */
void rct_mixed_add_wrenches(const rct_mixed *mixed, double factor, double *external);

/* Add those of springs between points, J. */
void rct_mixed_add_spring_energy(const rct_mixed *mixed, int32_t systems, double *energy);

/* ---- mixed_results.c ---- */

void rct_mixed_get_accelerations(rct_mixed *mixed, double *linear, double *angular);
void rct_mixed_get_rate_derivatives(rct_mixed *mixed, double *derivatives);

/* The same of the last evaluation, at the poses read last. */
void rct_mixed_show_accelerations(rct_mixed *mixed, double *linear, double *angular);
void rct_mixed_show_rate_derivatives(rct_mixed *mixed, double *derivatives);

/* Force and moment of the parent on every body, [bodies][6], about its hinge point, inertial axes. */
void rct_mixed_hinge_loads(rct_mixed *mixed, double *loads);

/* Poses, and accelerations of the last evaluation. */
void rct_mixed_read_motion(rct_mixed *mixed);

/* Linear and angular accelerations on both sides of a hinge, of the hinge point in the body and of the point of its
 * parent there, from the motion read last. */
void rct_mixed_sides(const rct_mixed *mixed, int64_t body, double own[6], double parent[6]);

/* What a link adds to the sums, [MEASURES] of measures.h, from the poses read last; without springs. */
void rct_mixed_link_measures(const rct_mixed *mixed, int64_t link, double *parts);

void rct_mixed_set_reference(rct_mixed *mixed);
void rct_mixed_measure(rct_mixed *mixed, rct_measures *measures);

#endif
