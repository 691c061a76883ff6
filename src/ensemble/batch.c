/* A batch of members (batch.h): filling and running it. */
#include "ensemble/batch.h"

#include "core/error.h"
#include "core/numbers.h"
#include "ensemble/claims.h"
#include "integrate/integrators.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <math.h>

/* Links times steps between two reports of progress: about 0.05 s. */
enum { CHUNK = 500000 };

/* ---- making ------------------------------------------------------------------------------- */

static void take_place(rct_batch *b, rct_placed_member *place, rct_error *error)
{
    const rct_ensemble_run_options *options = b->owner->options;
    const rct_ensemble *e = b->owner->ensemble;
    const int64_t one = sizeof(double), frames = options->series;
    place->values = rct_pool_take(&b->pool, e->count, one, error);
    place->series_energy = rct_pool_take(&b->pool, frames, one, error);
    place->series_position = rct_pool_take(&b->pool, 3 * frames * options->tracked, one, error);
    place->held = rct_pool_take(&b->pool, e->model->count, RCT_HELD_STATE * one, error);
    place->numbers = rct_member_room(e, &b->pool, error);
}

static void count_coordinates(rct_batch *b)
{
    const rct_model *model = b->owner->ensemble->model;
    for (int32_t i = 0; i < model->count; i++) {
        b->q += rct_hinge_coordinates(rct_bodies_at(model->bodies, i)->hinge);
        b->u += rct_hinge_freedoms(rct_bodies_at(model->bodies, i)->hinge);
    }
}

/* The most terms of a relation. */
static int64_t most_terms(const rct_model *model)
{
    int64_t most = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        most = model->loops[i].term_count > most ? model->loops[i].term_count : most;
    }
    return most;
}

static void take_room(rct_batch *b, rct_error *error)
{
    const int64_t one = sizeof(double), n = b->owner->ensemble->model->count;
    const int64_t slots = rct_batch_slots(b->owner, b->room);
    rct_pool *pool = &b->pool;
    b->places = rct_pool_take(pool, b->room, sizeof *b->places, error);
    b->live = rct_pool_take(pool, b->room, sizeof *b->live, error);
    b->kinetic = rct_pool_take(pool, slots, one, error);
    b->potential = rct_pool_take(pool, slots, one, error);
    b->position =
        rct_pool_take(pool, b->owner->options->tracked > 0 ? n * slots : 0, 3 * one, error);
    b->coordinates = rct_pool_take(pool, b->q * slots, one, error);
    b->rates = rct_pool_take(pool, b->u * slots, one, error);
    b->held = rct_pool_take(pool, n * slots, RCT_HELD_STATE * one, error);
    b->terms = rct_pool_take(pool, most_terms(b->owner->ensemble->model), sizeof *b->terms, error);
    b->gravity = rct_pool_take(pool, slots, 3 * one, error);
    b->own_coordinates = rct_pool_take(pool, b->q, one, error);
    b->own_rates = rct_pool_take(pool, b->u, one, error);
}

rct_status rct_batch_create(rct_batch *b, rct_batch_owner *owner, int32_t room, rct_error *error)
{
    *b = (rct_batch){.owner = owner, .room = room, .pool = {.what = "a batch of members"}};
    count_coordinates(b);
    take_room(b, error);
    for (int32_t i = 0; i < room && !b->pool.failed; i++) {
        take_place(b, &b->places[i], error);
    }
    if (b->pool.failed) {
        rct_batch_release(b);
        return RCT_ERROR_MEMORY;
    }
    return RCT_OK;
}

void rct_batch_release(rct_batch *b)
{
    rct_batch_drop_solver(b);
    rct_pool_empty(&b->pool);
    *b = (rct_batch){.owner = NULL};
}

/* ---- filling ------------------------------------------------------------------------------ */

/* Whether the hinge has a rotor, or is a ball hinge with springs or dampers, which may be swept
 * as a rotor. */
static int has_rotors(const rct_body *body)
{
    return !rct_all_zero(body->armature, 3) || rct_holds(body);
}

static int has_loads(const rct_ensemble *e, const rct_member_numbers *numbers)
{
    int loads = 0;
    for (int32_t b = 0; b < e->model->count && !loads; b++) {
        const rct_body *body = &numbers->bodies[b];
        loads = !rct_all_zero(body->stiffness, 3) || !rct_all_zero(body->damping, 3) ||
                !rct_all_zero(body->applied, 3) || has_rotors(body);
    }
    return loads;
}

static int same_rotors(const rct_ensemble *e, const rct_member_numbers *one,
                       const rct_member_numbers *other)
{
    int same = 1;
    for (int32_t b = 0; b < e->model->count && same; b++) {
        same = has_rotors(&one->bodies[b]) == has_rotors(&other->bodies[b]);
    }
    return same;
}

void rct_batch_clear(rct_batch *b)
{
    b->live_count = 0;
    b->done = b->frame = 0;
    b->time = 0.0;
}

rct_placed_member *rct_batch_seat(rct_batch *b, int64_t member, rct_error *fault)
{
    const rct_ensemble *e = b->owner->ensemble;
    const rct_ensemble_run_options *options = b->owner->options;
    rct_placed_member *place = &b->places[b->live_count];
    place->member = member;
    place->frames = 0;
    place->first = place->last = place->drift = NAN;
    place->start[0] = place->start[1] = NAN;
    rct_batch_void(place->series_energy, options->series);
    rct_batch_void(place->series_position, 3 * options->series * options->tracked);
    rct_member_values(e, member, place->values);
    fault->status = RCT_OK;
    rct_member_make(e, member, place->values, &place->numbers, fault);
    return place;
}

/* Loads and rotors at hinges choose the kernels, so all members of a batch must have the same
 * ones. */
int rct_batch_join(rct_batch *b)
{
    const rct_ensemble *e = b->owner->ensemble;
    const rct_member_numbers *own = &b->places[b->live_count].numbers;
    const int loads = has_loads(e, own);
    if (b->live_count == 0) {
        b->loads = loads;
    } else if (loads != b->loads || !same_rotors(e, own, &b->places[b->live[0]].numbers)) {
        return 0;
    }
    b->live[b->live_count] = b->live_count;
    b->live_count++;
    return 1;
}

rct_status rct_batch_fill(rct_batch *b, int64_t from, int64_t end, int64_t *next, rct_error *error)
{
    rct_batch_clear(b);
    for (*next = from; *next < end && b->live_count < b->room; ++*next) {
        rct_error own;
        const int64_t member = rct_claims_member(b->owner->claims, *next);
        const rct_placed_member *place = rct_batch_seat(b, member, &own);
        if (own.status != RCT_OK) {
            const rct_status status = rct_batch_deliver_unmade(b, place, &own, error);
            if (status != RCT_OK) {
                return status;
            }
        } else if (!rct_batch_join(b)) {
            return RCT_OK;
        }
    }
    return RCT_OK;
}

/* ---- running ------------------------------------------------------------------------------ */

/* Steps to the next report: at most up to `target`, and not past a step after which batches are
 * kept. */
static int64_t next_steps(const rct_batch *b, int64_t target)
{
    const rct_ensemble_run_options *options = b->owner->options;
    const int64_t links = (int64_t)b->owner->ensemble->model->count * b->live_count;
    const int64_t chunk = CHUNK / links + 1, left = target - b->done;
    const int64_t steps = left < chunk ? left : chunk;
    const int64_t due = b->owner->reached != NULL && options->keep_steps > 0
                            ? options->keep_steps - b->done % options->keep_steps
                            : steps;
    return steps < due ? steps : due;
}

/* Advance to step `target`; members that fail on the way are taken out. `stop` 1: the caller
 * asked to stop; the remaining members are kept as they are, after a failed step as before it. */
static rct_status advance(rct_batch *b, int64_t target, int *stop, rct_error *error)
{
    rct_batch_owner *owner = b->owner;
    rct_status status = RCT_OK;
    while (b->done < target && b->solver != NULL && status == RCT_OK && !*stop) {
        const int64_t steps = next_steps(b, target);
        rct_error own;
        int64_t made;
        const rct_status stepped =
            rct_take_steps(b->solver, owner->options->dt, steps, &made, &own);
        b->done += made;
        b->time = rct_solver_time(b->solver);
        *stop = owner->advanced(owner, made, b->live_count);
        if (stepped != RCT_OK && !*stop) {
            status = rct_batch_take_out(b, &own, error);
        }
        if (status == RCT_OK && b->solver != NULL && owner->reached != NULL) {
            status = owner->reached(owner, b, *stop, error);
        }
    }
    return status;
}

/* Energies of the present state; `slot` has the first that is not finite, or -1. An error of a
 * lost device belongs to no member. */
static rct_status measure(rct_batch *b, int32_t *slot, rct_error *error)
{
    *slot = b->solver != NULL ? rct_batch_measure(b) : -1;
    return b->solver != NULL ? rct_solver_check_inside(b->solver, error) : RCT_OK;
}

/* Take the next frame, after taking out members whose energy is not finite. */
static rct_status take_frame(rct_batch *b, rct_error *error)
{
    int32_t slot;
    rct_status status = measure(b, &slot, error);
    while (slot >= 0 && status == RCT_OK) {
        rct_error own;
        rct_fail(&own, RCT_ERROR_DIVERGED,
                 "the energy is no longer finite at t = %.9g s; take a smaller step or slower "
                 "initial rates",
                 b->time);
        status = rct_batch_take_out_slot(b, slot, &own, error);
        RCT_THEN(status, measure(b, &slot, error));
    }
    if (status == RCT_OK && b->solver != NULL) {
        rct_batch_take_frame(b, b->frame);
        b->frame++;
    }
    return status;
}

rct_status rct_batch_run(rct_batch *b, rct_error *error)
{
    const rct_ensemble_run_options *options = b->owner->options;
    const int64_t frames = rct_ensemble_frames(options);
    int stop = 0;
    rct_status status = rct_batch_make_solver(b, error);
    while (b->frame < frames && status == RCT_OK && b->solver != NULL && !stop) {
        status = advance(b, rct_ensemble_frame_step(options, b->frame), &stop, error);
        if (status == RCT_OK && b->solver != NULL && !stop) {
            status = take_frame(b, error);
        }
    }
    if (status == RCT_OK && b->solver != NULL && !stop) {
        status = rct_batch_deliver_live(b, error);
    }
    b->stopped = stop;
    rct_batch_rest_solver(b);
    return status;
}
