/* The events of a solver (riccatree/event.h): what they watch, and what happens where they have
 * crossed. The steps decide when to look (src/integrate/event_steps.c). */
#ifndef RCT_DYNAMICS_EVENTS_H
#define RCT_DYNAMICS_EVENTS_H

#include "dynamics/solver.h"

struct rct_events {
    int32_t count;
    const rct_event *of; /* [count] the events of the plan */
    double *happened;    /* [count] how often each has happened */
    double *time;        /* [count] s, when it happened last; NaN: not yet */
    double *was, *now;   /* [count] watched quantity less the value of the event, before and now */
    double *open, *seen; /* [count] the same, before and at an instant that is tried */
    int32_t *tally;      /* [count] how often in this step */
    int32_t *active;     /* [loops] whether each holds */
    double *force, *effort; /* [loops][3], [loops]; NULL where no event watches a force */
    double *coordinates;    /* [coordinates]; NULL where no event watches one */
    double *start, *part; /* raw states: at the start of the step, and of the part still to step */
    const double *from;   /* the one of these two from which the step starts */
    rct_pace pace;        /* pace of the integrator at that state */
    int moves;            /* whether any event watches coordinates or distances */
    int refused;          /* whether the last one could not do what it does */
    rct_pool pool;        /* holds all arrays above */
};

/* Events that have not happened yet. NULL: RCT_ERROR_MEMORY. */
rct_events *rct_events_create(const rct_solver *solver, rct_error *error);
void rct_events_free(rct_events *events);

/* Read and set how often each event has happened, then when, [2 count]. */
void rct_events_read(const rct_events *events, double *numbers);
void rct_events_write(rct_events *events, const double *numbers);

void rct_solver_get_events_inside(const rct_solver *solver, int64_t *happened, double *time);

/* Write what each event watches in the present state, less its value, to `values`, and note which
 * loops hold. Watching forces takes an evaluation, and fails as one. */
rct_status rct_events_look(rct_solver *solver, double *values, rct_error *error);

/* Whether event `k` is watched, by the loops as noted last, and crosses between two of its
 * values. */
int rct_events_crosses(const rct_events *events, int32_t k, double from, double to);

/* Whether any event crosses from `was` to `values`. */
int rct_events_any(const rct_events *events, const double *values);

/* Before steps: look at this state, `was`, and release the loops whose own force is at or beyond
 * the value at which an event releases them. Fails as rct_events_look and rct_events_happen. */
rct_status rct_events_begin(rct_solver *solver, rct_error *error);

/* Do the events that have crossed from `was` to `now` in this state, and those that cross because
 * of these. Afterwards `was` belongs to the resulting state. Fails as rct_solver_set_loop_active,
 * naming the event; RCT_ERROR_LOOP where one event happens over and over. */
rct_status rct_events_happen(rct_solver *solver, rct_error *error);

#endif
