/* Events: loops attached or released during a motion, at a given time or when a quantity crosses a
 * value; nothing else of a system ever changes. A hinge that may break is a loop too:
 * rct_model_loosen makes it one. Events are part of the model, and every solver of the model
 * watches them in its steps (seed 001: a primary system, and a secondary one that varies with
 * time).
 *
 * An event watches one value x of the state and happens where x crosses `value` c in the given
 * direction: rising from x < c to x >= c, falling from x > c to x <= c. A value that is at c or
 * beyond it when steps begin does not cross it until it has come back. Exception: a loop that an
 * event releases at its own force is released at once, because it exerts nothing before it holds.
 *
 *     type         x
 *     time         the time, s
 *     coordinate   one coordinate of the hinge of `body`, rad or m
 *     distance     from a point of `body` to a point of `other` or of the ground, m
 *     force        that a loop exerts, N: |force| as in rct_solver_get_loop_forces, for a relation
 *                  |effort|; 0 while the loop is not active
 *
 * An event is watched while it can act: one that releases while its loop is active, one that
 * attaches while it is not; and until it has happened, or always with `again`.
 *
 * A step in which a value is crossed is cut there. The instant is found to rounding by steps of
 * other lengths from the same state, so that it has the order of the integrator; a time is met to
 * the bit. At the instant the loop is attached or released as by rct_solver_set_loop_active:
 * attaching is an inelastic impact, which conserves the momenta of floating systems and never
 * raises the energy; releasing changes no state. The rest of the step follows, and ends at its
 * time.
 *
 * Events that cross at one instant happen together, first those that release, then those that
 * attach; the order among these makes no difference. A force that jumps over its value because of
 * another event crosses it at that instant, so that a chain may break in several places at once. A
 * value that is crossed twice within a step is not noticed. Forces of the user are also called in
 * steps that are taken back.
 */
#ifndef RICCATREE_EVENT_H
#define RICCATREE_EVENT_H

#include <riccatree/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an event watches. */
typedef enum rct_event_type {
    RCT_EVENT_TIME = 0,
    RCT_EVENT_COORDINATE = 1,
    RCT_EVENT_DISTANCE = 2,
    RCT_EVENT_FORCE = 3,
} rct_event_type;

/* The direction in which a value crosses. */
typedef enum rct_event_way {
    RCT_EVENT_RISES = 0,
    RCT_EVENT_FALLS = 1,
    RCT_EVENT_CROSSES = 2, /* in either direction */
} rct_event_way;

/* The state that an event, or a caller of rct_solver_set_loop_active, gives a loop. */
typedef enum rct_loop_state {
    RCT_LOOP_RELEASED = 0,
    RCT_LOOP_ATTACHED = 1,
    RCT_LOOP_PULLED = 2, /* attached from anywhere, as rct_solver_assemble does: positions
                          * change, and with them what depends on them; momenta and energy are
                          * not conserved */
} rct_loop_state;

enum { RCT_EVENT_TYPES = 4, RCT_EVENT_WAYS = 3, RCT_LOOP_STATES = 3 };

/* The names of types, "time", "coordinate", "distance", "force"; of directions, "rises", "falls",
 * "crosses"; of states, "released", "attached", "pulled". NULL for a number that is none. */
RCT_API const char *rct_event_type_name(rct_event_type type);
RCT_API const char *rct_event_way_name(rct_event_way way);
RCT_API const char *rct_loop_state_name(rct_loop_state state);

/* An event. Start from rct_event_default(). A field that the type does not use must keep its
 * default. */
typedef struct rct_event {
    const char *name; /* NULL or "": the event is called "event<number>" */
    rct_event_type type;
    double value;         /* time: s, > 0; coordinate: rad or m; distance: m, > 0; force: N, > 0 */
    rct_event_way way;    /* not used by time, which rises */
    int32_t body;         /* coordinate: id of the body with the hinge, one with axes; distance:
                           * id */
    int32_t coordinate;   /* coordinate: number of the coordinate of the hinge, from 0 */
    double at[3];         /* m, distance: point of the body from its hinge point, body axes */
    int32_t other;        /* distance: id, not `body`, or RCT_GROUND */
    double other_at[3];   /* m, as `at` (ground: inertial) */
    int32_t of;           /* force: number of the loop that exerts it */
    int32_t loop;         /* number of the loop that changes */
    rct_loop_state state; /* the new state of that loop */
    int again;            /* 1: every time; 0: only the first time */
} rct_event;

/* Defaults: time 0, which is not valid for an event, releases loop 0, once; body 0, other =
 * RCT_GROUND, everything else 0. */
RCT_API void rct_event_init(rct_out out);
static inline rct_event rct_event_default(void)
{
    rct_event x;
    rct_event_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append an event; its number is the number of events before it. `index` may be NULL. Bodies and
 * loops may be added later; rct_model_check looks for them. RCT_ERROR_MODEL: an unknown type,
 * direction or state, numbers that are not finite, a time, distance or force that is not positive,
 * a distance of a body to itself, a name given twice, fields that the type does not use. */
RCT_API rct_status rct_model_add_event_sized(rct_model *model, rct_in event, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_event(rct_model *model, const rct_event *event,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_event_sized(model, rct_in_of(event, sizeof *event, 0, 0), index, error);
}
RCT_API int32_t rct_model_event_count(const rct_model *model);

/* Copy event number `index` out; its name lives as long as the model. */
RCT_API rct_status rct_model_event_sized(const rct_model *model, int32_t index, rct_out event,
                                         rct_error *error);
static inline rct_status rct_model_event(const rct_model *model, int32_t index, rct_event *event,
                                         rct_error *error)
{
    return rct_model_event_sized(model, index, rct_out_of(event, sizeof *event, 0, 0), error);
}

/* The name of an event, "event<number>" if it has none; and the number of the event called `name`,
 * or -1. */
RCT_API void rct_model_event_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE]);
RCT_API int32_t rct_model_find_event(const rct_model *model, const char *name);

/* Make the hinge of a body breakable: the body becomes free, with the pose and the velocity that it
 * has at the start of the model, and an active loop "<name of the body> hinge" of the type of the
 * hinge ties it to its former parent. The system moves as before until that loop is released; then
 * the bodies that hang on the body go with it. `loop` (may be NULL) gets its number. Call this
 * after all bodies have been added, because the pose of a body depends on all bodies that carry it.
 *
 * RCT_ERROR_MODEL as rct_model_check, and for a hinge that is free or helical, that is universal
 * with axes not perpendicular, that has springs, dampers, efforts or rotors, or whose coordinates
 * are named by forces, relations or events; RCT_ERROR_ARGUMENT for an id that does not exist;
 * RCT_ERROR_MEMORY. On an error the model is unchanged. */
RCT_API rct_status rct_model_loosen(rct_model *model, int32_t body, int32_t *loop,
                                    rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
