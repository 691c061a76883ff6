/* Keeping running batches (keep.h). */
#include "ensemble/keep.h"

#include "core/clock.h"
#include "core/memory.h"

rct_status rct_keeper_create(rct_keeper *k, const rct_ensemble_run_options *options,
                             const rct_claims *claims, int32_t workers, rct_error *error)
{
    *k = (rct_keeper){.options = options,
                      .claims = claims,
                      .workers = workers,
                      .again = rct_seconds() + options->keep_seconds,
                      .pool = {.what = "the batches kept"}};
    k->slots = rct_pool_take(&k->pool, workers, sizeof *k->slots, error);
    k->list =
        rct_pool_take(&k->pool, (int64_t)workers + claims->begun_count, sizeof *k->list, error);
    if (k->pool.failed) {
        rct_keeper_release(k);
        return RCT_ERROR_MEMORY;
    }
    return RCT_OK;
}

void rct_keeper_release(rct_keeper *k)
{
    for (int32_t w = 0; k->slots != NULL && w < k->workers; w++) {
        rct_release(k->slots[w].bytes);
    }
    rct_pool_empty(&k->pool);
    *k = (rct_keeper){.options = NULL};
}

/* ---- handing out -------------------------------------------------------------------------- */

rct_status rct_keeper_hand_out(rct_keeper *k, rct_error *error)
{
    const rct_claims *c = k->claims;
    const int ours = c->ranks == NULL || rct_ranks_number(c->ranks) == 0;
    int32_t count = 0;
    for (int32_t w = 0; w < k->workers; w++) {
        const rct_keep_slot *slot = &k->slots[w];
        if (slot->held && slot->given != NULL) {
            k->list[count++] = *slot->given;
        } else if (slot->held && slot->size > 0) {
            k->list[count++] = rct_begun_of(slot->bytes, slot->size);
        }
    }
    for (int32_t i = rct_claims_begun_taken(c); ours && i < c->begun_count; i++) {
        k->list[count++] = k->options->begun[c->begun[i]];
    }
    return count > 0 ? k->options->keep(k->options->context, count, k->list, error) : RCT_OK;
}

/* Hand out when all slots are up to date. */
static rct_status complete(rct_keeper *k, rct_error *error)
{
    int whole = k->due;
    for (int32_t w = 0; w < k->workers && whole; w++) {
        whole = !k->slots[w].held || k->slots[w].generation == k->generation;
    }
    if (!whole) {
        return RCT_OK;
    }
    const rct_status status = rct_keeper_hand_out(k, error);
    k->due = 0;
    k->again = rct_seconds() + k->options->keep_seconds;
    return status;
}

/* ---- slots -------------------------------------------------------------------------------- */

static rct_status copy(rct_keeper *k, const rct_batch *batch, rct_error *error)
{
    rct_keep_slot *slot = &k->slots[batch->worker];
    const int64_t size = rct_begun_size(batch);
    if (size > slot->room) {
        rct_release(slot->bytes);
        slot->room = slot->size = 0;
        slot->bytes = rct_allocate(size, 1, "a batch kept", error);
        if (slot->bytes == NULL) {
            return RCT_ERROR_MEMORY;
        }
        slot->room = size;
    }
    rct_begun_write(batch, slot->bytes);
    slot->size = size;
    slot->given = NULL;
    slot->generation = k->generation;
    return RCT_OK;
}

void rct_keeper_begin(rct_keeper *k, int32_t worker, const rct_ensemble_begun *given)
{
    rct_keep_slot *slot = &k->slots[worker];
    slot->held = 1;
    slot->given = given;
    slot->size = 0;
    slot->generation = k->generation;
}

rct_status rct_keeper_reached(rct_keeper *k, const rct_batch *batch, int stop, rct_error *error)
{
    const rct_ensemble_run_options *o = k->options;
    if (stop) {
        return copy(k, batch, error);
    }
    if (batch->done == o->steps) {
        return RCT_OK; /* its results come next */
    }
    const int by_steps = o->keep_steps > 0 && batch->done % o->keep_steps == 0;
    if (!k->due && (by_steps || (o->keep_seconds > 0.0 && rct_seconds() >= k->again))) {
        k->due = 1;
        k->generation++;
    }
    if (by_steps || k->slots[batch->worker].generation != k->generation) {
        const rct_status status = copy(k, batch, error);
        return status == RCT_OK ? complete(k, error) : status;
    }
    return RCT_OK;
}

rct_status rct_keeper_end(rct_keeper *k, int32_t worker, rct_error *error)
{
    k->slots[worker].held = 0;
    return complete(k, error);
}
