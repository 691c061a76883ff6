/* The events of a solver (events.h). */
#include "dynamics/events.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/raw_state.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How often one event may happen in one step; more is chatter. */
enum { MOST_IN_A_STEP = 20 };

/* How far from its value a loop may have held a quantity, as a fraction of its size. */
static const double held_within = 1e-9;

static int watches(const rct_events *e, rct_event_type type)
{
    int any = 0;
    for (int32_t k = 0; k < e->count; k++) {
        any = any || e->of[k].type == type;
    }
    return any;
}

static rct_status allocate(rct_events *e, const rct_solver *solver, rct_error *error)
{
    const int64_t one = sizeof(double), n = e->count, raw = rct_raw_count(solver) + 2 * n;
    const int64_t loops = rct_closed_count(solver->closed);
    rct_pool *pool = &e->pool;
    pool->what = "the events of a solver";
    e->happened = rct_pool_take(pool, n, one, error);
    e->time = rct_pool_take(pool, n, one, error);
    e->was = rct_pool_take(pool, n, one, error);
    e->now = rct_pool_take(pool, n, one, error);
    e->open = rct_pool_take(pool, n, one, error);
    e->seen = rct_pool_take(pool, n, one, error);
    e->tally = rct_pool_take(pool, n, sizeof *e->tally, error);
    e->active = rct_pool_take(pool, loops, sizeof *e->active, error);
    e->start = rct_pool_take(pool, raw, one, error);
    e->part = rct_pool_take(pool, raw, one, error);
    if (watches(e, RCT_EVENT_FORCE)) {
        e->force = rct_pool_take(pool, 3 * loops, one, error);
        e->effort = rct_pool_take(pool, loops, one, error);
    }
    if (watches(e, RCT_EVENT_COORDINATE)) {
        e->coordinates = rct_pool_take(pool, solver->plan->coordinates, one, error);
    }
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

rct_events *rct_events_create(const rct_solver *solver, rct_error *error)
{
    rct_events *e = rct_allocate(1, sizeof *e, "the events of a solver", error);
    if (e == NULL) {
        return NULL;
    }
    e->count = solver->plan->surroundings->event_count;
    e->of = solver->plan->surroundings->events;
    e->moves = watches(e, RCT_EVENT_COORDINATE) || watches(e, RCT_EVENT_DISTANCE);
    if (allocate(e, solver, error) != RCT_OK) {
        rct_events_free(e);
        return NULL;
    }
    for (int32_t k = 0; k < e->count; k++) {
        e->time[k] = NAN;
    }
    return e;
}

void rct_events_free(rct_events *events)
{
    if (events != NULL) {
        rct_pool_empty(&events->pool);
        rct_release(events);
    }
}

void rct_events_read(const rct_events *e, double *numbers)
{
    memcpy(numbers, e->happened, (size_t)e->count * sizeof *numbers);
    memcpy(numbers + e->count, e->time, (size_t)e->count * sizeof *numbers);
}

void rct_events_write(rct_events *e, const double *numbers)
{
    memcpy(e->happened, numbers, (size_t)e->count * sizeof *numbers);
    memcpy(e->time, numbers + e->count, (size_t)e->count * sizeof *numbers);
}

void rct_solver_get_events_inside(const rct_solver *solver, int64_t *happened, double *time)
{
    const rct_events *e = solver->events;
    for (int32_t k = 0; e != NULL && k < e->count; k++) {
        if (happened != NULL) {
            happened[k] = (int64_t)e->happened[k];
        }
        if (time != NULL) {
            time[k] = e->time[k];
        }
    }
}

/* ---- what is watched ---------------------------------------------------------------------- */

/* A point of a body or of the ground, m, inertial axes. */
static void point_of(const rct_solver *s, int32_t body, const double at[3], double point[3])
{
    if (body == RCT_GROUND) {
        memcpy(point, at, 3 * sizeof *point);
        return;
    }
    rct_body_pose pose = rct_solver_body_pose(s, body);
    rct_rotate(pose.rotation, at, point);
    for (int i = 0; i < 3; i++) {
        point[i] += pose.position[i];
    }
}

static double distance_of(const rct_solver *s, const rct_event *event)
{
    double from[3], to[3];
    point_of(s, event->other, event->other_at, from);
    point_of(s, event->body, event->at, to);
    for (int i = 0; i < 3; i++) {
        to[i] -= from[i];
    }
    return sqrt(rct_dot(to, to));
}

static double coordinate_of(const rct_solver *s, const rct_event *event)
{
    const int32_t link = s->plan->link_of[event->body];
    return s->events->coordinates[rct_plan_coordinates_at(s->plan, link) + event->coordinate];
}

static double force_of(const rct_events *e, int32_t loop)
{
    const double *f = e->force + 3 * (int64_t)loop;
    return e->active[loop] ? sqrt(rct_dot(f, f)) + fabs(e->effort[loop]) : 0.0;
}

static double value_of(const rct_solver *s, const rct_event *event)
{
    switch (event->type) {
    case RCT_EVENT_TIME: return s->time;
    case RCT_EVENT_COORDINATE: return coordinate_of(s, event);
    case RCT_EVENT_DISTANCE: return distance_of(s, event);
    case RCT_EVENT_FORCE: return force_of(s->events, event->of);
    }
    return 0.0;
}

rct_status rct_events_look(rct_solver *solver, double *values, rct_error *error)
{
    rct_events *e = solver->events;
    rct_status status = RCT_OK;
    rct_solver_move_ground(solver, solver->time);
    rct_solver_get_active_loops_inside(solver, e->active);
    if (e->force != NULL) {
        status = rct_solver_evaluate_inside(solver, error);
        rct_solver_get_loop_forces_inside(solver, e->force, NULL, e->effort);
    }
    if (e->moves) {
        rct_solver_read_poses(solver);
    }
    if (e->coordinates != NULL) {
        rct_solver_get_coordinates_inside(solver, e->coordinates, NULL);
    }
    for (int32_t k = 0; k < e->count; k++) {
        values[k] = value_of(solver, &e->of[k]) - e->of[k].value;
    }
    return status;
}

/* ---- what happens ------------------------------------------------------------------------- */

static int is_watched(const rct_events *e, int32_t k)
{
    const rct_event *event = &e->of[k];
    return (event->again || e->happened[k] == 0.0) &&
           (e->active[event->loop] != 0) == (event->state == RCT_LOOP_RELEASED);
}

int rct_events_crosses(const rct_events *e, int32_t k, double from, double to)
{
    const rct_event_way way = e->of[k].way;
    const int rises = from < 0.0 && to >= 0.0, falls = from > 0.0 && to <= 0.0;
    return is_watched(e, k) &&
           ((rises && way != RCT_EVENT_FALLS) || (falls && way != RCT_EVENT_RISES));
}

int rct_events_any(const rct_events *e, const double *values)
{
    int any = 0;
    for (int32_t k = 0; k < e->count; k++) {
        any = any || rct_events_crosses(e, k, e->was[k], values[k]);
    }
    return any;
}

/* The error of an event that happens over and over within one step. */
static rct_status chatter(const rct_solver *solver, int32_t k, rct_error *error)
{
    const rct_model *model = solver->plan->surroundings;
    char name[RCT_NAME_SIZE], loop[RCT_NAME_SIZE];
    rct_model_event_name(model, k, name);
    rct_model_loop_name(model, model->events[k].loop, loop);
    return rct_fail(
        error, RCT_ERROR_LOOP,
        "event \"%s\" has happened %d times within one step, last at %.9g s: events attach and "
        "release loop \"%s\" in turn; set their values further apart, or leave \"again\" out",
        name, MOST_IN_A_STEP, solver->time, loop);
}

static rct_status do_event(rct_solver *solver, int32_t k, rct_error *error)
{
    rct_events *e = solver->events;
    const rct_event *event = &e->of[k];
    e->refused = 1; /* until it is done */
    if (e->tally[k] >= MOST_IN_A_STEP) {
        return chatter(solver, k, error);
    }
    const rct_status status =
        rct_solver_set_loop_active_inside(solver, event->loop, event->state, error);
    if (status != RCT_OK) {
        char name[RCT_NAME_SIZE];
        rct_model_event_name(solver->plan->surroundings, k, name);
        rct_error_prefix(error, "event \"%s\" at %.9g s: ", name, solver->time);
        return status;
    }
    e->tally[k]++;
    e->happened[k] += 1.0;
    e->time[k] = solver->time;
    e->refused = 0;
    return RCT_OK;
}

/* Do the events that have crossed. Releases come first, so that attaching knows all loops that
 * hold. Events are marked before any happens, because an event changes what the others watch. */
static rct_status do_all(rct_solver *solver, rct_error *error)
{
    rct_events *e = solver->events;
    rct_status status = RCT_OK;
    for (int32_t k = 0; k < e->count; k++) {
        e->open[k] = rct_events_crosses(e, k, e->was[k], e->now[k]) ? 1.0 : 0.0;
    }
    for (int attaches = 0; attaches < 2; attaches++) {
        for (int32_t k = 0; k < e->count && status == RCT_OK; k++) {
            if (e->open[k] != 0.0 && (e->of[k].state != RCT_LOOP_RELEASED) == attaches) {
                status = do_event(solver, k, error);
            }
        }
    }
    return status;
}

/* Whether an event has released the loop at this very time. */
static int has_let_go(const rct_solver *solver, int32_t loop)
{
    const rct_events *e = solver->events;
    int any = 0;
    for (int32_t k = 0; k < e->count; k++) {
        any = any || (e->of[k].loop == loop && e->of[k].state == RCT_LOOP_RELEASED &&
                      e->time[k] == solver->time);
    }
    return any;
}

/* The size of what an event watches, a coordinate or a distance; of turns 1 rad at least, of others
 * the length of closed systems. */
static double size_of(const rct_solver *solver, const rct_event *event)
{
    const int turns =
        event->type == RCT_EVENT_COORDINATE &&
        rct_hinge_turns(rct_bodies_at(solver->plan->bodies, event->body)->hinge, event->coordinate);
    return fabs(event->value) + (turns ? 1.0 : solver->closed->lengths.length[0]);
}

/* What is watched continues from its present values. A loop that was attached at a value has held
 * it there but for rounding: when it lets go, the quantity is at the value, and must come back
 * before it crosses. */
static void go_on(const rct_solver *solver)
{
    const rct_events *e = solver->events;
    for (int32_t k = 0; k < e->count; k++) {
        const rct_event *event = &e->of[k];
        const int moves = event->type == RCT_EVENT_COORDINATE || event->type == RCT_EVENT_DISTANCE;
        const int held = moves && event->state != RCT_LOOP_RELEASED &&
                         has_let_go(solver, event->loop) &&
                         fabs(e->now[k]) <= held_within * size_of(solver, event);
        e->was[k] = held ? 0.0 : e->now[k];
    }
}

rct_status rct_events_happen(rct_solver *solver, rct_error *error)
{
    rct_events *e = solver->events;
    rct_status status = RCT_OK;
    while (status == RCT_OK && rct_events_any(e, e->now)) {
        status = do_all(solver, error);
        memcpy(e->was, e->now, (size_t)e->count * sizeof *e->was);
        RCT_THEN(status, rct_events_look(solver, e->now, error));
    }
    go_on(solver);
    return status;
}

/* Whether the event releases a loop at its own force when this rises. */
static int breaks(const rct_event *event)
{
    return event->type == RCT_EVENT_FORCE && event->of == event->loop &&
           event->state == RCT_LOOP_RELEASED && event->way != RCT_EVENT_FALLS;
}

/* A loop exerts nothing before it holds, so such an event rises from 0. */
rct_status rct_events_begin(rct_solver *solver, rct_error *error)
{
    rct_events *e = solver->events;
    rct_status status = rct_events_look(solver, e->now, error);
    e->refused = 0;
    memset(e->tally, 0, (size_t)e->count * sizeof *e->tally);
    go_on(solver);
    for (int32_t k = 0; k < e->count; k++) {
        e->was[k] = breaks(&e->of[k]) ? -e->of[k].value : e->was[k];
    }
    RCT_THEN(status, rct_events_happen(solver, error));
    return status;
}
