/* The events of a solver (riccatree/event.h): what they watch, and what happens where they have crossed. When to look is the
 * business of the steps (src/integrate/event_steps.c). */
#ifndef RCT_DYNAMICS_EVENTS_H
#define RCT_DYNAMICS_EVENTS_H

#include "dynamics/solver.h"

struct rct_events {
    int32_t count;
    const rct_event *of;    /* [count] those of the plan                                         */
    double *happened;       /* [count] how often                                                 */
    double *time;           /* [count] s, when last; NaN: not yet                                */
    double *was, *now;      /* [count] what they watch, less the value, before and here          */
    double *open, *seen;    /* [count] the same before and at an instant that is tried           */
    int32_t *tally;         /* [count] how often in this step                                    */
    int32_t *active;        /* [loops] which hold                                                */
    double *force, *effort; /* [loops][3], [loops]; NULL where none watches a force              */
    double *coordinates;    /* [coordinates]; NULL where none watches one                        */
    double *start, *part;   /* raw states: of a step, of what is left of it                      */
    const double *from;     /* the one of them that is stepped from                              */
    rct_pace pace;          /* of the integrator there                                           */
    int moves;              /* whether one watches coordinates or distances                      */
    rct_pool pool;          /* behind all of it                                                  */
};

/* None has happened yet. RCT_ERROR_MEMORY: NULL. */
rct_events *rct_events_create(const rct_solver *solver, rct_error *error);
void rct_events_free(rct_events *events);

/* How often, then when, [2 count]: read and set. */
void rct_events_read(const rct_events *events, double *numbers);
void rct_events_write(rct_events *events, const double *numbers);

void rct_solver_get_events_inside(const rct_solver *solver, int64_t *happened, double *time);

/* What all of them watch in the present state, less the value, to `values`; and which loops hold. Forces cost an evaluation, and
 * fail as one. */
rct_status rct_events_look(rct_solver *solver, double *values, rct_error *error);

/* Whether event `k` is watched, as loops were looked at last, and crosses between two of its values. */
int rct_events_crosses(const rct_events *events, int32_t k, double from, double to);

/* Whether any does, from `was` to `values`. */
int rct_events_any(const rct_events *events, const double *values);

/* Do what has to be done in this state for those that have crossed from `was` to `now`, and for those that cross by that;
 * `was` is then of what came of it. Fails as rct_solver_set_loop_active, naming the event, or where one happens over and over:
 * RCT_ERROR_LOOP. */
rct_status rct_events_happen(rct_solver *solver, rct_error *error);

#endif
