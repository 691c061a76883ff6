/* The solver from the inside: a plan, a run on a backend, and rows for passing results. */
#ifndef RCT_DYNAMICS_SOLVER_H
#define RCT_DYNAMICS_SOLVER_H

#include "backend/backend.h"
#include "dynamics/closed.h"
#include "dynamics/mixed.h"

struct rct_solver {
    rct_plan *plan;
    const rct_backend *backend;
    rct_run *run;       /* of a plan of ball hinges; else NULL, and                        */
    rct_mixed *mixed;   /* of a mixed plan                                                 */
    rct_closed *closed; /* of a model with loops; else NULL                                */
    rct_method method;
    rct_solver_options options; /* as given, `backend` resolved                        */
    double time;   /* s                                                               */
    double kept;   /* s, time of the state kept; NaN: none is                         */
    double *state; /* [links][STATE_FIELDS] passing states in and out                 */
    double *rows;  /* [links][6] passing results out                                  */
    double *loads; /* [bodies][6] force and moment on each body's hinge               */
};

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

/* Turn what a backend says into a status naming the body at fault. */
rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error);

/* Complete the loads of heads in `loads` by those of welded bodies, from accelerations in `rows` and states in
 * `state`, and copy them out; either array may be NULL. */
void rct_solver_give_loads(const rct_solver *solver, double *force, double *moment);

#endif
