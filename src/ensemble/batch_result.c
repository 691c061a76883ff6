/* Reading the data of the members of a batch (batch.h). */
#include "ensemble/batch.h"

#include "core/error.h"
#include "model/model.h"

#include <riccatree/closure.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- frames ------------------------------------------------------------------------------- */

static void take_energy(rct_placed_member *place, int64_t frame, double energy, int series)
{
    place->first = frame == 0 ? energy : place->first;
    place->last = energy;
    place->drift = frame == 0 ? NAN : fmax(place->drift, fabs(energy - place->first));
    if (series) {
        place->series_energy[frame] = energy;
        place->frames = frame + 1;
    }
}

static void take_positions(const rct_batch *b, rct_placed_member *place, int32_t slot,
                           int64_t frame)
{
    const rct_ensemble_run_options *options = b->owner->options;
    for (int32_t k = 0; k < options->tracked; k++) {
        const int64_t body = (int64_t)options->track[k] * b->systems.count + slot;
        memcpy(place->series_position + 3 * (frame * options->tracked + k), b->position + 3 * body,
               3 * sizeof *b->position);
    }
}

int32_t rct_batch_measure(rct_batch *b)
{
    int32_t s = 0;
    rct_systems_energies(&b->systems, b->kinetic, b->potential);
    while (s < b->live_count && isfinite(b->kinetic[s] + b->potential[s])) {
        s++;
    }
    return s < b->live_count ? s : -1;
}

void rct_batch_take_frame(rct_batch *b, int64_t frame)
{
    const rct_ensemble_run_options *options = b->owner->options;
    const int series = options->series > 0;
    if (series && options->tracked > 0) {
        rct_solver_get_state(b->solver, NULL, NULL, b->position, NULL);
    }
    for (int32_t s = 0; s < b->live_count; s++) {
        rct_placed_member *place = &b->places[b->live[s]];
        take_energy(place, frame, b->kinetic[s] + b->potential[s], series);
        if (frame == 0) {
            rct_systems_start(&b->systems, s, place->start);
        }
        if (series) {
            take_positions(b, place, s, frame);
        }
    }
}

/* ---- results ------------------------------------------------------------------------------ */

/* Copy coordinates and rates of one slot out of those of all. */
static void pick(rct_batch *b, int32_t slot)
{
    const rct_model *model = b->owner->ensemble->model;
    const int64_t slots = b->systems.count;
    int64_t q = 0, u = 0;
    for (int32_t i = 0; i < model->count; i++) {
        const int64_t nq = rct_hinge_coordinates(rct_bodies_at(model->bodies, i)->hinge);
        const int64_t nu = rct_hinge_freedoms(rct_bodies_at(model->bodies, i)->hinge);
        memcpy(b->own_coordinates + q, b->coordinates + q * slots + slot * nq,
               (size_t)nq * sizeof(double));
        memcpy(b->own_rates + u, b->rates + u * slots + slot * nu, (size_t)nu * sizeof(double));
        q += nq;
        u += nu;
    }
}

static void no_state(rct_batch *b)
{
    rct_batch_void(b->own_coordinates, b->q);
    rct_batch_void(b->own_rates, b->u);
}

static rct_status deliver(rct_batch *b, const rct_placed_member *place, const rct_error *fault,
                          rct_error *error)
{
    const rct_member_result result = {
        .member = place->member,
        .status = fault != NULL ? fault->status : RCT_OK,
        .text = fault != NULL ? fault->text : "",
        .body = fault != NULL ? fault->body : -1,
        .time = b->time,
        .parameters = place->values,
        .coordinates = b->own_coordinates,
        .rates = b->own_rates,
        .energy = place->last,
        .energy_drift = place->drift,
        .frames = place->frames,
        .series_energy = place->series_energy,
        .series_position = place->series_position,
        .start_position = place->start[0],
        .start_velocity = place->start[1],
    };
    return b->owner->deliver(b->owner, &result, error);
}

/* Whether the loops of the member in a slot have stayed closed; if not, `fault` says which is
 * open. */
static int stays_closed(const rct_batch *b, int32_t slot, rct_error *fault)
{
    double open;
    const int32_t loop = rct_systems_open_loop(&b->systems, slot, &open);
    if (loop < 0) {
        return 1;
    }
    char name[RCT_NAME_SIZE];
    rct_model_loop_name(b->owner->ensemble->model, loop, name);
    rct_fail(fault, RCT_ERROR_LOOP,
             "loop %" PRId32
             " \"%s\" is open by %.3g at the end, and the motion is no longer that of the model; "
             "take shorter steps, or keep loops closed by projection instead of drift %s",
             loop, name, open, rct_drift_name(b->owner->options->solver.drift));
    return 0;
}

rct_status rct_batch_deliver_live(rct_batch *b, rct_error *error)
{
    rct_status status = RCT_OK;
    rct_solver_get_coordinates(b->solver, b->coordinates, b->rates);
    for (int32_t s = 0; s < b->live_count && status == RCT_OK; s++) {
        rct_error fault;
        pick(b, s);
        status =
            deliver(b, &b->places[b->live[s]], stays_closed(b, s, &fault) ? NULL : &fault, error);
    }
    return status;
}

/* Rewrite an error of a body in a batch, or of a loop on one, with the name that the body has in the
 * base model. */
static void reword(const rct_ensemble *e, rct_error *fault)
{
    char name[RCT_NAME_SIZE], text[RCT_ERROR_TEXT_SIZE];
    const char *own = strncmp(fault->text, "body ", 5) == 0 ? fault->text : NULL;
    const char *loop = strstr(fault->text, "\" of body ");
    const char *at = own != NULL ? own : loop != NULL ? loop + 5 : NULL;
    const char *rest = at != NULL ? strstr(at, ": ") : NULL;
    if (fault->body >= 0 && fault->body < e->model->count && rest != NULL) {
        rct_model_body_name(e->model, fault->body, name);
        snprintf(text, sizeof text, "%.*sbody %" PRId32 " \"%s\"%.350s", (int)(at - fault->text),
                 fault->text, fault->body, name, rest);
        memcpy(fault->text, text, sizeof text);
    }
}

rct_status rct_batch_deliver_failed(rct_batch *b, int32_t slot, const rct_error *fault,
                                    rct_error *error)
{
    rct_placed_member *place = &b->places[b->live[slot]];
    rct_error own = *fault;
    reword(b->owner->ensemble, &own);
    if (b->solver == NULL) {
        no_state(b);
    } else {
        rct_solver_get_coordinates(b->solver, b->coordinates, b->rates);
        rct_systems_energies(&b->systems, b->kinetic, b->potential);
        pick(b, slot);
        place->last = b->kinetic[slot] + b->potential[slot];
    }
    return deliver(b, place, &own, error);
}

rct_status rct_batch_deliver_unmade(rct_batch *b, const rct_placed_member *place,
                                    const rct_error *fault, rct_error *error)
{
    no_state(b);
    return deliver(b, place, fault, error);
}
