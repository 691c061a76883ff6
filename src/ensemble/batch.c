/* A batch of members (batch.h): filling it and running it. */
#include "ensemble/batch.h"

#include "core/memory.h"
#include "ensemble/batch_result.h"
#include "ensemble/batch_solver.h"
#include "ensemble/claims.h"
#include "integrate/rk4.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>

/* Links times steps between two looks at the progress: some 0.05 s. */
enum { CHUNK = 500000 };

/* ---- making ------------------------------------------------------------------------------- */

static rct_status allocate_place(const rct_batch *b, rct_placed_member *place, rct_error *error)
{
    static const char what[] = "the members of a batch";
    const rct_ensemble_run_options *options = b->owner->options;
    const rct_ensemble *e = b->owner->ensemble;
    const int64_t one = sizeof(double), frames = options->series;
    place->values = rct_allocate(e->count, one, what, error);
    place->series_energy = rct_allocate(frames, one, what, error);
    place->series_position = rct_allocate(3 * frames * options->tracked, one, what, error);
    place->held = rct_allocate(e->model->count, RCT_HELD_STATE * one, what, error);
    if (place->values == NULL || place->series_energy == NULL || place->series_position == NULL ||
        place->held == NULL) {
        return RCT_ERROR_MEMORY;
    }
    return rct_member_allocate(e, &place->numbers, error);
}

static void count_coordinates(rct_batch *b)
{
    const rct_model *model = b->owner->ensemble->model;
    for (int32_t i = 0; i < model->count; i++) {
        b->q += rct_hinge_coordinates(model->bodies[i].hinge);
        b->u += rct_hinge_freedoms(model->bodies[i].hinge);
    }
}

static rct_status allocate(rct_batch *b, rct_error *error)
{
    static const char what[] = "a batch of members";
    const int64_t one = sizeof(double), n = b->owner->ensemble->model->count;
    const int64_t slots = rct_batch_slots(b->owner, b->room);
    b->places = rct_allocate(b->room, sizeof *b->places, what, error);
    b->live = rct_allocate(b->room, sizeof *b->live, what, error);
    b->kinetic = rct_allocate(slots, one, what, error);
    b->potential = rct_allocate(slots, one, what, error);
    b->position =
        rct_allocate(b->owner->options->tracked > 0 ? n * slots : 0, 3 * one, what, error);
    b->coordinates = rct_allocate(b->q * slots, one, what, error);
    b->rates = rct_allocate(b->u * slots, one, what, error);
    b->held = rct_allocate(n * slots, RCT_HELD_STATE * one, what, error);
    b->gravity = rct_allocate(slots, 3 * one, what, error);
    b->own_coordinates = rct_allocate(b->q, one, what, error);
    b->own_rates = rct_allocate(b->u, one, what, error);
    const int whole = b->places != NULL && b->live != NULL && b->kinetic != NULL &&
                      b->potential != NULL && b->position != NULL && b->coordinates != NULL &&
                      b->rates != NULL && b->held != NULL && b->gravity != NULL &&
                      b->own_coordinates != NULL && b->own_rates != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_batch_create(rct_batch *b, rct_batch_owner *owner, int32_t room, rct_error *error)
{
    *b = (rct_batch){.owner = owner, .room = room};
    count_coordinates(b);
    rct_status status = allocate(b, error);
    for (int32_t i = 0; i < room && status == RCT_OK; i++) {
        status = allocate_place(b, &b->places[i], error);
    }
    if (status != RCT_OK) {
        rct_batch_release(b);
    }
    return status;
}

void rct_batch_release(rct_batch *b)
{
    rct_batch_drop_solver(b);
    for (int32_t i = 0; b->places != NULL && i < b->room; i++) {
        rct_placed_member *place = &b->places[i];
        rct_member_release(&place->numbers);
        rct_release(place->values);
        rct_release(place->series_energy);
        rct_release(place->series_position);
        rct_release(place->held);
    }
    rct_release(b->places);
    rct_release(b->live);
    rct_release(b->kinetic);
    rct_release(b->potential);
    rct_release(b->position);
    rct_release(b->coordinates);
    rct_release(b->rates);
    rct_release(b->held);
    rct_release(b->gravity);
    rct_release(b->own_coordinates);
    rct_release(b->own_rates);
    *b = (rct_batch){.owner = NULL};
}

/* ---- filling ------------------------------------------------------------------------------ */

static int has_rotors(const rct_body *body)
{
    return body->armature[0] != 0.0 || body->armature[1] != 0.0 || body->armature[2] != 0.0;
}

static int has_loads(const rct_ensemble *e, const rct_member_numbers *numbers)
{
    int loads = 0;
    for (int32_t b = 0; b < e->model->count; b++) {
        const rct_body *body = &numbers->bodies[b];
        for (int i = 0; i < 3; i++) {
            loads = loads || body->stiffness[i] != 0.0 || body->damping[i] != 0.0 ||
                    body->applied[i] != 0.0;
        }
        loads = loads || has_rotors(body);
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

/* Loads and rotors at hinges choose the kernels, which a member's neighbours must not. */
static int can_join(rct_batch *b, const rct_placed_member *place)
{
    const int loads = has_loads(b->owner->ensemble, &place->numbers);
    if (b->live_count == 0) {
        b->loads = loads;
        return 1;
    }
    return loads == b->loads &&
           same_rotors(b->owner->ensemble, &place->numbers, &b->places[b->live[0]].numbers);
}

static void clear_place(const rct_batch *b, rct_placed_member *place, int64_t member)
{
    const rct_ensemble_run_options *options = b->owner->options;
    place->member = member;
    place->frames = 0;
    place->first = place->last = NAN;
    place->drift = 0.0;
    for (int64_t f = 0; f < options->series; f++) {
        place->series_energy[f] = NAN;
        for (int32_t k = 0; k < 3 * options->tracked; k++) {
            place->series_position[3 * options->tracked * f + k] = NAN;
        }
    }
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
    rct_placed_member *place = &b->places[b->live_count];
    clear_place(b, place, member);
    rct_member_values(e, member, place->values);
    fault->status = RCT_OK;
    rct_member_make(e, member, place->values, &place->numbers, fault);
    return place;
}

int rct_batch_join(rct_batch *b)
{
    const int joins = can_join(b, &b->places[b->live_count]);
    if (joins) {
        b->live[b->live_count] = b->live_count;
        b->live_count++;
    }
    return joins;
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

/* Steps to the next look: at most up to `target`, and not past steps that are due to be kept. */
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

/* Towards step `target`; the members that fail on the way are gone. 1 in `stop`: told to, and what goes on is kept as it
 * stands: of a step that failed, before it. */
static rct_status advance(rct_batch *b, int64_t target, int *stop, rct_error *error)
{
    rct_batch_owner *owner = b->owner;
    rct_status status = RCT_OK;
    while (b->done < target && b->solver != NULL && status == RCT_OK && !*stop) {
        const int64_t steps = next_steps(b, target);
        rct_error own;
        int64_t made;
        const rct_status stepped = rct_rk4_steps(b->solver, owner->options->dt, steps, &made, &own);
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

rct_status rct_batch_run(rct_batch *b, rct_error *error)
{
    const rct_ensemble_run_options *options = b->owner->options;
    const int64_t frames = rct_ensemble_frames(options);
    int stop = 0;
    rct_status status = rct_batch_make_solver(b, error);
    while (b->frame < frames && status == RCT_OK && b->solver != NULL && !stop) {
        status = advance(b, rct_ensemble_frame_step(options, b->frame), &stop, error);
        if (status == RCT_OK && b->solver != NULL && !stop) {
            rct_batch_take_frame(b, b->frame);
            b->frame++;
        }
    }
    if (status == RCT_OK && b->solver != NULL && !stop) {
        status = rct_batch_deliver_live(b, error);
    }
    b->stopped = stop;
    rct_batch_rest_solver(b);
    return status;
}
