/* The solver from the inside: a plan, what moves of it on a backend, and what closes its loops. */
#ifndef RCT_DYNAMICS_SOLVER_H
#define RCT_DYNAMICS_SOLVER_H

#include "backend/backend.h"
#include "dynamics/closed.h"
#include "dynamics/mixed.h"

#include <stdatomic.h>

struct rct_solver {
    atomic_int busy; /* 1: somebody is inside (rct_solver_enter)                         */
    rct_plan *plan;
    const rct_backend *backend;
    rct_mixed *mixed;
    rct_closed *closed; /* of a model with loops; else NULL                                */
    rct_method method;
    rct_solver_options options; /* as given, `backend` resolved                        */
    double time;   /* s                                                               */
    double kept;   /* s, time of the state kept; NaN: none is                         */
    double *loads; /* [bodies][6] force and moment on each body's hinge               */
};

/* ---- one caller at a time ----------------------------------------------------------------- */

/* A public function enters the solver, calls what is inside, and leaves; `status` is passed on. RCT_ERROR_ARGUMENT
 * for a solver that is NULL or at work: a force function has called, or a second thread. */
rct_status rct_solver_enter(const rct_solver *solver, rct_error *error);
rct_status rct_solver_leave(const rct_solver *solver, rct_status status);

/* The same where the time matters: RCT_ERROR_ARGUMENT too if it is not finite. */
rct_status rct_solver_enter_in_time(const rct_solver *solver, rct_error *error);

int rct_solver_is_busy(const rct_solver *solver);

/* The public functions of the same names, for who has entered. */
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

/* And coordinates and rates of what is kept; NULL: not asked for. */
rct_status rct_solver_get_kept_inside(const rct_solver *solver, double *orientation,
                                      double *angular_velocity, double *position, double *velocity,
                                      double *coordinates, double *rates, rct_error *error);

void rct_solver_measure_inside(const rct_solver *solver, rct_measures *measures);
rct_status rct_solver_check_inside(const rct_solver *solver, rct_error *error);
rct_status rct_solver_evaluate_inside(rct_solver *solver, rct_error *error);
rct_status rct_solver_set_force_function_inside(rct_solver *solver, rct_force_function *function,
                                                void *context, rct_error *error);
rct_status rct_solver_set_body_forces_inside(rct_solver *solver, const int32_t *bodies,
                                             int32_t count, rct_force_function *function,
                                             void *context, rct_error *error);
void rct_solver_get_accelerations_inside(const rct_solver *solver, double *linear, double *angular);
void rct_solver_get_rate_derivatives_inside(const rct_solver *solver, double *derivatives);
void rct_solver_get_hinge_forces_inside(const rct_solver *solver, double *force, double *moment);
void rct_solver_get_state_vectors_inside(const rct_solver *solver, double *outboard,
                                         double *inboard);
void rct_solver_get_loop_info_inside(const rct_solver *solver, rct_loop_info *info);
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

/* ---- other numbers ------------------------------------------------------------------------ */

/* Whether the solver can go on with another model: one of whole trees (RCT_SEGMENT_WHOLE), without loops, on a backend that
 * knows how. And whether it can with this one: it differs from the first in numbers alone, and where one has loads, the
 * other has. */
int rct_solver_renews(const rct_solver *solver);
int rct_solver_fits(const rct_solver *solver, const rct_model *model);

/* Begin again with a model that fits, as if made of it, bit for bit, without another plan. Errors are those of
 * rct_solver_create; then the solver is only to be freed. */
rct_status rct_solver_renew(rct_solver *solver, const rct_model *model, rct_error *error);

/* The state that the model starts with, at time 0; loops as they are there. */
rct_status rct_solver_load_start(rct_solver *solver, rct_error *error);

/* The state of all links as the backend table passes it, label order. */
void rct_solver_read_state(const rct_solver *solver, double *state);

/* ---- results ------------------------------------------------------------------------------ */

/* Turn what a backend says into a status naming the body at fault. What is not finite spoils all from the root on, so that how
 * the work was divided decides which link shows it: the root is named. */
rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error);

/* Factor the mass matrix in the state that the operators are of. RCT_ERROR_SINGULAR, in the words of an evaluation. */
rct_status rct_solver_factor(const rct_solver *solver, rct_operator *operators, rct_error *error);

/* Copy out the loads in `loads`; either array may be NULL. */
void rct_solver_give_loads(const rct_solver *solver, double *force, double *moment);

#endif
