/* Events: what happens to loops while a system moves. At a time, or when a quantity crosses a value, a loop is attached or
 * released; nothing else of a system ever changes. A hinge that may break is a loop too: rct_model_loosen makes it one. Events
 * are part of the model, and every solver of the model watches them in its steps (seed 001: a primary system, and a secondary
 * one that varies with time).
 *
 * What is watched has one value x in every state, and an event happens where x crosses `value` c in the way that is asked for:
 * rising from x < c to x >= c, falling from x > c to x <= c. A value that is met from the start on is no crossing.
 *
 *     type         x
 *     time         the time, s
 *     coordinate   one coordinate of the hinge of `body`, rad or m
 *     distance     from a point of `body` to a point of `other` or of the ground, m
 *     force        that a loop exerts, N: |force| as rct_solver_get_loop_forces has it, of a relation |effort|; 0 while it does
 *                  not hold
 *
 * An event is watched while it can do something: one that releases while its loop holds, one that attaches while it does not;
 * and until it has happened, or always, if it may happen `again`.
 *
 * A step in which a value is crossed is cut there. The instant is found to rounding by steps of other lengths from the same
 * state, so that it has the order of the integrator; a time is met to the bit. There the loop is attached or released, as
 * rct_solver_set_loop_active does: attaching is an inelastic impact, which conserves the momenta of what floats and never
 * raises the energy, releasing changes no state. The rest of the step follows, and ends at its time. Events that cross at one
 * instant happen together: those that release first, then those that attach; in what order among these makes no difference. A
 * force that jumps over its value by what has happened counts as crossing it at that instant, so that a chain may break in
 * several places at once. What crosses a value twice within a step is not seen. Forces of the user are asked for in steps that
 * are taken back, too.
 */
#ifndef RICCATREE_EVENT_H
#define RICCATREE_EVENT_H

#include <riccatree/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an event watches: the time, or a value that crosses another. */
typedef enum rct_event_type {
    RCT_EVENT_TIME = 0,
    RCT_EVENT_COORDINATE = 1,
    RCT_EVENT_DISTANCE = 2,
    RCT_EVENT_FORCE = 3,
} rct_event_type;

/* In which direction a value crosses. */
typedef enum rct_event_way {
    RCT_EVENT_RISES = 0,
    RCT_EVENT_FALLS = 1,
    RCT_EVENT_CROSSES = 2, /* either */
} rct_event_way;

/* What an event makes of a loop, or a caller of rct_solver_set_loop_active. */
typedef enum rct_loop_state {
    RCT_LOOP_RELEASED = 0,
    RCT_LOOP_ATTACHED = 1,
    RCT_LOOP_PULLED =
        2, /* attached from wherever it is, as rct_solver_assemble does: positions change, and with them what
                            depends on them; momenta and energy are not kept */
} rct_loop_state;

enum { RCT_EVENT_TYPES = 4, RCT_EVENT_WAYS = 3, RCT_LOOP_STATES = 3 };

/* "time", "coordinate", "distance", "force"; "rises", "falls", "crosses"; "released", "attached", "pulled"; NULL for a number
 * that is none. */
RCT_API const char *rct_event_type_name(rct_event_type type);
RCT_API const char *rct_event_way_name(rct_event_way way);
RCT_API const char *rct_loop_state_name(rct_loop_state state);

/* Start from rct_event_default(). What a type has no use for must keep its default. */
typedef struct rct_event {
    const char *name; /* NULL or "": the event is called "event<number>"                         */
    rct_event_type type;
    double value;       /* s, > 0; rad or m; m, > 0; N, > 0                                      */
    rct_event_way way;  /* not of a time, which rises                                            */
    int32_t body;       /* coordinate: whose hinge, one with axes; distance: id                  */
    int32_t coordinate; /* coordinate: which of the hinge, from 0                                */
    double at[3];       /* m, distance: point of the body from its hinge point, body axes        */
    int32_t other;      /* distance: id, not `body`, or RCT_GROUND                               */
    double other_at[3]; /* m, as `at` (ground: inertial)                                         */
    int32_t of;         /* force: number of the loop that exerts it                              */
    int32_t loop;       /* number of the loop that changes                                       */
    rct_loop_state state; /* what becomes of it                                                  */
    int again; /* 1: every time; 0: the first time alone                                         */
} rct_event;

/* At time 0, which is no time of an event, loop 0 is released, once; body 0, other = RCT_GROUND, all else 0. */
RCT_API void rct_event_init(rct_out out);
static inline rct_event rct_event_default(void)
{
    rct_event x;
    rct_event_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append an event; its number is that of events before. RCT_ERROR_MODEL: an unknown type, way or state, numbers that are not
 * finite, a time, distance or force that is not positive, a distance of a body to itself, a name given twice, fields that the
 * type has no use for. Bodies and loops may be added later; rct_model_check looks for them. `index` may be NULL. */
RCT_API rct_status rct_model_add_event_sized(rct_model *model, rct_in event, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_event(rct_model *model, const rct_event *event,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_event_sized(model, rct_in_of(event, sizeof *event, 0, 0), index, error);
}
RCT_API int32_t rct_model_event_count(const rct_model *model);

/* Copy event number `index` out; its name lives with the model. */
RCT_API rct_status rct_model_event_sized(const rct_model *model, int32_t index, rct_out event,
                                         rct_error *error);
static inline rct_status rct_model_event(const rct_model *model, int32_t index, rct_event *event,
                                         rct_error *error)
{
    return rct_model_event_sized(model, index, rct_out_of(event, sizeof *event, 0, 0), error);
}

/* The name of an event, made up as "event<number>" if it has none; and the number of the event called `name`, or -1. */
RCT_API void rct_model_event_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE]);
RCT_API int32_t rct_model_find_event(const rct_model *model, const char *name);

/* Make the hinge of a body one that can break: the body becomes free, where and as fast as the model starts it, and an active
 * loop "<name of the body> hinge" of the type of the hinge ties it to what it hung on. The system moves as before, until that
 * loop is released; what hangs on the body goes with it. `loop` (may be NULL) gets its number. The whole model must be there,
 * for the place of a body is that of all it hangs on. RCT_ERROR_MODEL as rct_model_check, and for a hinge that is free or
 * helical, or universal with axes that are not across one another, that has springs, dampers, efforts or rotors, whose coordinates forces, relations or events name; RCT_ERROR_ARGUMENT for a
 * body that is none; RCT_ERROR_MEMORY. The model is then as before. */
RCT_API rct_status rct_model_loosen(rct_model *model, int32_t body, int32_t *loop,
                                    rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
