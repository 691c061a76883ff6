/* What integrators besides rk4 have in common: a step on its way and the way back; and where they are of rows of numbers, sums of
 * these, accelerations in a stage, and the size of an error.
 *
 * A row has the coordinates of all hinges in the order of the caller, then the rates (rct_solver_get_coordinates). The derivative
 * of a quaternion q at the angular velocity w, inertial axes, is (1/2) (0, w) q: linear in q, so that stages need not be units,
 * and no acceleration depends on their length. */
#ifndef RCT_INTEGRATE_STAGES_H
#define RCT_INTEGRATE_STAGES_H

#include "dynamics/solver.h"
#include "integrate/tables.h"

/* A step on its way, in the room of the solver. */
typedef struct rct_steps {
    rct_solver *solver;
    int64_t positions, numbers; /* of a row: coordinates, all                                  */
    double length;              /* m, of the system                                            */
    double time, end;           /* s, of the start of the step and of its end                  */
    int begun;                  /* whether the start and slope 0 are those of the present state */
    double steepness;           /* the size of slope 0, 1/s                                    */
    int first;                  /* of dopri5: which of the slopes in slots is slope 0          */

    /* rows */
    double *start;              /* the state that the step starts from                         */
    double *next;               /* a stage; at last the state that it ends in                  */
    double *other;              /* a stage's other state, then the error                       */
    double *slope[ARK4_STAGES]; /* derivatives                                                 */

    /* of implicit stages, [freedoms]; those of free hinges are 0, and of balls that are swept as if they had none */
    double *stiffness, *damping;
    double *given;   /* efforts of the user                                                      */
    double *added;   /* and with what a stage adds                                               */
    double *turning; /* [links][TURNING_FIELDS] where balls yield (implicit_balls.c)          */

    /* to go back to */
    double kept_time; /* of the state in RCT_SLOT_KEPT */
    rct_pace kept_pace;
} rct_steps;

/* The time of a stage at share c of a step of h. */
static inline double rct_steps_time(const rct_steps *steps, double c, double h)
{
    return c == 1.0 ? steps->end : steps->time + c * h;
}

/* At the present state and time. */
rct_steps rct_steps_begin(rct_solver *solver);

/* Stiffness and damping of implicit stages, those of the start of the step. */
rct_status rct_steps_linearize(const rct_steps *steps, rct_error *error);

/* Keep the present state; and back to it. */
void rct_steps_keep(rct_steps *steps);
void rct_steps_take_back(rct_steps *steps);

/* to = from + h (w[0] slope[0] + ... ), `count` of them; `from` NULL: 0. */
void rct_steps_sum(const rct_steps *steps, double *to, const double *from, double h,
                   const double *weights, int count);

/* Accelerations of the state `row` at `time`, which the solver has then, to the rates of `slope`. What is no state is
 * RCT_ERROR_DIVERGED; else it fails as an evaluation. */
rct_status rct_steps_accelerate(const rct_steps *steps, double time, const double *row,
                                double *slope, rct_error *error);

/* Have the solver in the state `row`. Fails as above. */
rct_status rct_steps_write(const rct_steps *steps, const double *row, rct_error *error);

/* The derivatives of coordinates at those of `row` and `rates`, to the coordinates of `slope`. */
void rct_steps_turn(const rct_steps *steps, const double *row, const double *rates, double *slope);

/* The largest number of `error`, a difference of states, between those of the step: rad and lengths of the system; of rates, rad/s
 * and lengths/s, parts of the rates there are where these are above 1. INFINITY: not all are finite. */
double rct_steps_size(const rct_steps *steps, const double *error, const double *end);

#endif
