/* Shared by the integrators other than rk4: a step in progress, and the way back; sums of slopes,
 * which the run keeps beside its states (kernels/records/coordinates.h); and states as rows of
 * numbers. A row has the coordinates of all hinges in the order of the caller, then the rates
 * (rct_solver_get_coordinates). */
#ifndef RCT_INTEGRATE_STAGES_H
#define RCT_INTEGRATE_STAGES_H

#include "dynamics/solver.h"
#include "integrate/tables.h"

/* A step in progress. */
typedef struct rct_steps {
    rct_solver *solver;
    int64_t positions, numbers; /* in a row: coordinates, all numbers */
    double length;              /* m, of the system */
    double time, end;           /* s, of the start and the end of the step */
    int begun;                  /* whether start and slope 0 are those of the present state */
    double steepness;           /* the size of slope 0, 1/s */
    int first;                  /* which of the slopes in slots is slope 0 */

    /* Rows in the room of the solver. For conserving: the state where a step starts, and the next.
     * For implicit stages: q, u, and p, v where the host asks for them. */
    double *start, *next, *other;

    /* For implicit stages, [freedoms]; 0 for free hinges, and for balls that are swept as if they
     * had none. */
    double *stiffness, *damping;
    double *given;         /* efforts of the user */
    double *accelerations; /* where springs between points give way */
    double *turning;       /* [links][TURNING_FIELDS] where balls yield (implicit_balls.c) */

    /* the state to go back to */
    double kept_time; /* of the state in RCT_SLOT_KEPT */
    rct_pace kept_pace;
} rct_steps;

/* The time of a stage at share c of a step of h. */
static inline double rct_steps_time(const rct_steps *steps, double c, double h)
{
    return c == 1.0 ? steps->end : steps->time + c * h;
}

/* Begin at the present state and time. */
rct_steps rct_steps_begin(rct_solver *solver);

/* Keep the present state; and go back to it. */
void rct_steps_keep(rct_steps *steps);
void rct_steps_take_back(rct_steps *steps);

/* h times the weights of the first `count` of `all` slopes. */
rct_weighing rct_steps_weigh(const rct_steps *steps, double h, const double *weights, int count,
                             int all);

/* Move the state by slopes; and the size of their sum. */
void rct_steps_move(const rct_steps *steps, const rct_weighing *by);
double rct_steps_size(const rct_steps *steps, const rct_weighing *by);

/* An evaluation at `time`. */
rct_status rct_steps_evaluate(const rct_steps *steps, double time, rct_error *error);

/* Start steps from the present state, whose slope is evaluated. */
rct_status rct_steps_start(rct_steps *steps, int all, rct_error *error);

/* Put the solver into the state `row`; RCT_ERROR_DIVERGED if it is no state. */
rct_status rct_steps_write(const rct_steps *steps, const double *row, rct_error *error);

#endif
