/* The solver of a batch (batch.h). Body b of slot s is body b slots + s of its model; forces and
 * loops are numbered alike. Trees of the same shape then have consecutive labels and stand side
 * by side in lanes. */
#include "ensemble/batch.h"

#include "core/error.h"
#include "core/memory.h"
#include "dynamics/solver.h"
#include "integrate/rk4.h"
#include "model/model.h"

#include <string.h>

int32_t rct_batch_slots(const rct_batch_owner *owner, int32_t members)
{
    return (members + owner->aside - 1) / owner->aside * owner->aside;
}

static const rct_placed_member *in_slot(const rct_batch *b, int32_t slot)
{
    return &b->places[b->live[slot < b->live_count ? slot : b->live_count - 1]];
}

/* ---- the model ---------------------------------------------------------------------------- */

static int32_t shifted(int32_t body, int32_t slots, int32_t slot)
{
    return body == RCT_GROUND ? RCT_GROUND : body * slots + slot;
}

/* The numbers have been checked already. */
static rct_status add_bodies(const rct_batch *b, int32_t slots, rct_model *model, rct_error *error)
{
    const int32_t n = b->owner->ensemble->model->count;
    rct_status status = rct_model_reserve(model, (int64_t)n * slots, error);
    for (int32_t i = 0; i < n && status == RCT_OK; i++) {
        for (int32_t s = 0; s < slots && status == RCT_OK; s++) {
            rct_body body = in_slot(b, s)->numbers.bodies[i];
            body.parent = shifted(body.parent, slots, s);
            status = rct_bodies_put(model->bodies, model->count, &body, error);
            model->count += status == RCT_OK;
        }
    }
    return status;
}

static rct_status add_forces(const rct_batch *b, int32_t slots, rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < b->owner->ensemble->model->force_count; i++) {
        for (int32_t s = 0; s < slots && status == RCT_OK; s++) {
            rct_force force = in_slot(b, s)->numbers.forces[i];
            force.body = shifted(force.body, slots, s);
            force.other = shifted(force.other, slots, s);
            status = rct_model_add_force(model, &force, NULL, error);
        }
    }
    return status;
}

/* The loops of the base model, which members share. Those of the first slot have the names. */
static rct_status add_loops(const rct_batch *b, int32_t slots, rct_model *model, rct_error *error)
{
    const rct_model *base = b->owner->ensemble->model;
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < base->loop_count; i++) {
        for (int32_t s = 0; s < slots && status == RCT_OK; s++) {
            rct_loop loop = base->loops[i];
            for (int32_t k = 0; k < loop.term_count; k++) {
                b->terms[k] = loop.terms[k];
                b->terms[k].body = shifted(loop.terms[k].body, slots, s);
            }
            loop.terms = loop.term_count > 0 ? b->terms : NULL;
            loop.name = s == 0 ? loop.name : NULL;
            if (loop.type != RCT_LOOP_RELATION) {
                loop.body = shifted(loop.body, slots, s);
                loop.other = shifted(loop.other, slots, s);
            }
            status = rct_model_add_loop(model, &loop, NULL, error);
        }
    }
    return status;
}

/* Each member's own gravity, or the shared one. */
static void set_gravity(const rct_batch *b, int32_t slots, rct_model *model)
{
    const size_t size = sizeof model->gravity;
    memcpy(model->gravity, in_slot(b, 0)->numbers.gravity, size);
    for (int32_t s = 0; s < slots && b->owner->own_gravity; s++) {
        memcpy(b->gravity + 3 * (int64_t)s, in_slot(b, s)->numbers.gravity, size);
    }
    model->own_gravity = b->owner->own_gravity ? b->gravity : NULL;
    model->systems = slots;
}

/* The solver owns the bodies of the previous model until it is renewed, so two rooms alternate;
 * bodies are neither copied nor allocated again. */
static rct_status turn_bodies(rct_batch *b, rct_error *error)
{
    rct_bodies *next = b->others != NULL ? b->others : rct_bodies_create(error);
    if (next == NULL) {
        return RCT_ERROR_MEMORY;
    }
    b->others = b->model->bodies;
    b->model->bodies = next;
    return RCT_OK;
}

/* Make the whole model in b->model, replacing its previous content if it was kept. */
static rct_status assemble(rct_batch *b, int32_t slots, rct_error *error)
{
    const rct_model *base = b->owner->ensemble->model;
    const int fresh = b->model == NULL;
    rct_model *model = fresh ? rct_model_create(NULL, error) : b->model;
    if (model == NULL) {
        return RCT_ERROR_MEMORY;
    }
    b->model = model;
    model->count = 0;
    rct_model_drop_forces(model);
    rct_status status = fresh ? RCT_OK : turn_bodies(b, error);
    RCT_THEN(status, add_bodies(b, slots, model, error));
    if (status == RCT_OK) {
        set_gravity(b, slots, model);
        status = add_forces(b, slots, model, error);
    }
    if (status == RCT_OK && fresh) {
        status = rct_model_set_base(model, &base->base, error);
    }
    if (status == RCT_OK && fresh) {
        status = slots > 1 ? add_loops(b, slots, model, error)
                           : rct_model_copy_loops(model, base, error); /* and events */
    }
    return status;
}

/* ---- the solver --------------------------------------------------------------------------- */

static void drop_model(rct_batch *b)
{
    rct_model_free(b->model);
    rct_bodies_release(b->others);
    b->model = NULL;
    b->others = NULL;
}

void rct_batch_drop_solver(rct_batch *b)
{
    rct_systems_release(&b->systems);
    rct_solver_free(b->solver);
    rct_solver_free(b->rested);
    b->solver = b->rested = NULL;
    drop_model(b);
}

void rct_batch_rest_solver(rct_batch *b)
{
    if (b->solver != NULL && rct_solver_renews(b->solver)) {
        b->rested = b->solver;
        b->solver = NULL;
    } else {
        rct_batch_drop_solver(b);
    }
}

/* Renew the rested solver if it fits; else make a new one. `fault` has errors about the model. */
static rct_status begin_solver(rct_batch *b, int32_t slots, rct_error *fault, rct_error *error)
{
    if (b->rested != NULL && b->systems.count == slots && rct_solver_fits(b->rested, b->model)) {
        const rct_status status = rct_solver_renew(b->rested, b->model, fault);
        if (status == RCT_OK) {
            b->solver = b->rested;
            b->rested = NULL;
            rct_systems_renew(&b->systems);
        }
        return RCT_OK;
    }
    rct_solver_free(b->rested);
    rct_systems_release(&b->systems);
    b->rested = NULL;
    b->solver = rct_solver_create(b->model, &b->owner->solver, fault);
    return b->solver != NULL ? rct_systems_create(&b->systems, b->solver, slots, error) : RCT_OK;
}

/* Whether a member is at fault: the one of the body, or the only one, if its motion failed. */
static int is_members(const rct_batch *b, const rct_error *fault)
{
    const int of_motion = rct_is_of_motion(fault->status);
    const int of_model = fault->status == RCT_ERROR_MODEL || fault->status == RCT_ERROR_ARGUMENT;
    return fault->body >= 0 ? of_motion || of_model : of_motion && b->live_count == 1;
}

/* Deliver the member of live[at], which failed with `fault`, and remove it. */
static rct_status strike_at(rct_batch *b, int32_t at, const rct_error *fault, rct_error *error)
{
    const rct_status status = rct_batch_deliver_failed(b, at, fault, error);
    b->live_count--;
    memmove(b->live + at, b->live + at + 1, (size_t)(b->live_count - at) * sizeof *b->live);
    return status;
}

/* Remove the member at fault in a model of this many slots. */
static rct_status strike(rct_batch *b, int32_t slots, const rct_error *fault, rct_error *error)
{
    if (!is_members(b, fault)) {
        if (error != NULL) {
            *error = *fault;
        }
        return fault->status;
    }
    const int32_t slot = fault->body >= 0 ? fault->body % slots : 0;
    const int32_t at = slot < b->live_count ? slot : b->live_count - 1;
    rct_error own = *fault;
    own.body = fault->body >= 0 ? fault->body / slots : -1;
    return strike_at(b, at, &own, error);
}

rct_status rct_batch_try_solver(rct_batch *b, rct_error *fault, rct_error *error)
{
    const int32_t slots = rct_batch_slots(b->owner, b->live_count);
    rct_status status = assemble(b, slots, error);
    RCT_THEN(status, begin_solver(b, slots, fault, error));
    if (b->solver == NULL) {
        rct_batch_drop_solver(b);
    } else if (!rct_solver_renews(b->solver)) { /* large beside an accelerator */
        drop_model(b);
    }
    return status;
}

static rct_status strike_until_made(rct_batch *b, rct_error *error)
{
    rct_status status = RCT_OK;
    while (b->solver == NULL && b->live_count > 0 && status == RCT_OK) {
        const int32_t slots = rct_batch_slots(b->owner, b->live_count);
        rct_error fault;
        status = rct_batch_try_solver(b, &fault, error);
        if (status == RCT_OK && b->solver == NULL) {
            status = strike(b, slots, &fault, error);
        }
    }
    return status;
}

/* Of `some` members at the places `from`, find those with which a solver can be made, and
 * deliver the others. `sound` gets their places, `count` their number. */
static rct_status sift_some(rct_batch *b, const int32_t *from, int32_t some, int32_t *sound,
                            int32_t *count, rct_error *error)
{
    memcpy(b->live, from, (size_t)some * sizeof *b->live);
    b->live_count = some;
    const rct_status status = strike_until_made(b, error);
    rct_batch_drop_solver(b);
    memcpy(sound + *count, b->live, (size_t)b->live_count * sizeof *sound);
    *count += b->live_count;
    return status;
}

/* Find the members with which a solver can be made, few at a time, because loops that cannot be
 * closed take many attempts, and all members of the attempt wait. */
static rct_status sift(rct_batch *b, rct_error *error)
{
    const int32_t all = b->live_count, aside = b->owner->aside;
    int32_t *places = rct_allocate(2 * (int64_t)all, sizeof *places, "a batch of members", error);
    rct_status status = places != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    int32_t count = 0;
    if (status == RCT_OK) {
        memcpy(places, b->live, (size_t)all * sizeof *places);
    }
    for (int32_t k = 0; k < all && status == RCT_OK; k += aside) {
        status = sift_some(b, places + k, all - k < aside ? all - k : aside, places + all, &count,
                           error);
    }
    if (status == RCT_OK) {
        memcpy(b->live, places + all, (size_t)count * sizeof *b->live);
        b->live_count = count;
    }
    rct_release(places);
    return status;
}

rct_status rct_batch_make_solver(rct_batch *b, rct_error *error)
{
    const int32_t slots = rct_batch_slots(b->owner, b->live_count);
    const int needs = b->solver == NULL && b->live_count > 0;
    rct_error fault;
    rct_status status = needs ? rct_batch_try_solver(b, &fault, error) : RCT_OK;
    if (status == RCT_OK && needs && b->solver == NULL) {
        status = strike(b, slots, &fault, error);
        if (status == RCT_OK && slots > b->owner->aside && fault.status == RCT_ERROR_LOOP) {
            status = sift(b, error);
        }
    }
    return status == RCT_OK ? strike_until_made(b, error) : status;
}

/* ---- side by side, or one by one ------------------------------------------------------------ */

/* Give every body mass and inertia, so that all motion meets resistance. */
static void make_sound(rct_body *bodies, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        bodies[i].mass = 1.0;
        for (int k = 0; k < 6; k++) {
            bodies[i].inertia[k] = k < 3 ? 1.0 : 0.0;
        }
    }
}

rct_status rct_batch_shares_solver(const rct_batch_owner *owner, int *shares, rct_error *error)
{
    rct_batch_owner trial = *owner;
    rct_batch b;
    rct_error fault = {.status = RCT_OK};
    trial.solver.as_given = 1; /* the test is not whether the base can be closed, or moves */
    rct_status status = rct_batch_create(&b, &trial, 1, error);
    if (status == RCT_OK) {
        rct_member_base(owner->ensemble, &b.places[0].numbers);
        make_sound(b.places[0].numbers.bodies, owner->ensemble->model->count);
        b.live[b.live_count++] = 0;
        status = rct_batch_try_solver(&b, &fault, error);
        rct_batch_release(&b);
    }
    *shares = fault.status != RCT_ERROR_UNSUPPORTED;
    if (status == RCT_OK && fault.status == RCT_ERROR_MEMORY) {
        *error = fault;
    }
    return status == RCT_OK && fault.status == RCT_ERROR_MEMORY ? RCT_ERROR_MEMORY : status;
}

/* ---- falling out -------------------------------------------------------------------------- */

/* Copy states between the slots of a solver and the places. */
static void carry(rct_batch *b, int32_t slots, int in)
{
    const int64_t n = b->owner->ensemble->model->count;
    for (int64_t i = 0; i < n; i++) {
        for (int32_t s = 0; s < slots; s++) {
            double *row = b->held + (i * slots + s) * RCT_HELD_STATE;
            double *own = in_slot(b, s)->held + i * RCT_HELD_STATE;
            memcpy(in ? own : row, in ? row : own, RCT_HELD_STATE * sizeof *row);
        }
    }
}

static void hold(rct_batch *b)
{
    rct_systems_read(&b->systems, b->held);
    carry(b, b->systems.count, 1);
}

/* Continue with the remaining members in a solver made again. */
static rct_status go_on(rct_batch *b, rct_error *error)
{
    rct_batch_drop_solver(b);
    rct_status status = rct_batch_make_solver(b, error);
    if (status == RCT_OK && b->solver != NULL) {
        carry(b, b->systems.count, 0);
        rct_systems_write(&b->systems, b->held);
        rct_solver_set_time(b->solver, b->time);
        status = rct_solver_check(b->solver, error);
    }
    return status;
}

rct_status rct_batch_take_out(rct_batch *b, const rct_error *fault, rct_error *error)
{
    const int32_t slots = b->systems.count;
    if (is_members(b, fault)) {
        hold(b);
    }
    const rct_status status = strike(b, slots, fault, error);
    return status == RCT_OK ? go_on(b, error) : status;
}

rct_status rct_batch_take_out_slot(rct_batch *b, int32_t slot, const rct_error *fault,
                                   rct_error *error)
{
    hold(b);
    const rct_status status = strike_at(b, slot, fault, error);
    return status == RCT_OK ? go_on(b, error) : status;
}
