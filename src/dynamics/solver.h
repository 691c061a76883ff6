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

/* Turn what a backend says into a status naming the body at fault. */
rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error);

/* Complete the loads of heads in `loads` by those of welded bodies, from accelerations in `rows` and states in
 * `state`, and copy them out; either array may be NULL. */
void rct_solver_give_loads(const rct_solver *solver, double *force, double *moment);

#endif
