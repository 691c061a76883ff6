/* Sharing members among workers (claims.h). */
#include "ensemble/claims.h"

#include "core/error.h"
#include "ensemble/begun.h"
#include "ensemble/ensemble.h"

#include <assert.h>
#include <inttypes.h>

/* ---- available work ------------------------------------------------------------------------ */

int rct_claims_is_done(const rct_claims *c, int64_t member)
{
    return c->done != NULL && c->done[member - c->begin] != 0;
}

/* Mark the members of all begun batches in `taken`, and list the batches that still need to run. */
static rct_status list_begun(rct_claims *c, const rct_ensemble_run_options *o, int8_t *taken,
                             rct_error *error)
{
    for (int32_t i = 0; i < o->begun_count; i++) {
        const int64_t *members = rct_begun_members(&o->begun[i]);
        int left = 0;
        for (int32_t k = 0; k < o->begun[i].count; k++) {
            const int64_t member = members[k];
            if (taken[member - c->begin] && !rct_claims_is_done(c, member)) {
                return rct_fail(error, RCT_ERROR_ARGUMENT,
                                "member %" PRId64
                                " is in two of the batches to continue; give one of them",
                                member);
            }
            taken[member - c->begin] = 1;
            left = left || !rct_claims_is_done(c, member);
        }
        if (left) {
            c->begun[c->begun_count++] = i;
        }
    }
    return RCT_OK;
}

static rct_status list_members(rct_claims *c, const int8_t *taken, rct_error *error)
{
    c->fresh = 0;
    for (int64_t member = c->begin; member < c->end; member++) {
        c->fresh += !taken[member - c->begin] && !rct_claims_is_done(c, member);
    }
    c->members = rct_pool_take(&c->pool, c->fresh, sizeof *c->members, error);
    if (c->members == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t member = c->begin, k = 0; member < c->end; member++) {
        if (!taken[member - c->begin] && !rct_claims_is_done(c, member)) {
            c->members[k++] = member;
        }
    }
    return RCT_OK;
}

rct_status rct_claims_create(rct_claims *c, const rct_ensemble *ensemble,
                             const rct_ensemble_run_options *o, rct_error *error)
{
    *c = (rct_claims){.ranks = o->ranks,
                      .first = o->first,
                      .done = o->done,
                      .begin = o->first,
                      .pool = {.what = "the members to be run"}};
    c->end = o->count > 0 ? o->first + o->count : ensemble->members;
    c->fresh = c->end - c->begin;
    c->room = c->aside = c->workers = 1;
    if (o->done == NULL && o->begun_count == 0) {
        return RCT_OK;
    }
    int8_t *taken = rct_pool_take(&c->pool, c->fresh, 1, error);
    c->begun = rct_pool_take(&c->pool, o->begun_count, sizeof *c->begun, error);
    rct_status status = c->pool.failed ? RCT_ERROR_MEMORY : list_begun(c, o, taken, error);
    RCT_THEN(status, list_members(c, taken, error));
    if (status != RCT_OK) {
        rct_claims_release(c);
    }
    return status;
}

void rct_claims_release(rct_claims *c)
{
    rct_pool_empty(&c->pool);
    *c = (rct_claims){.ranks = NULL};
}

int64_t rct_claims_member(const rct_claims *c, int64_t at)
{
    return c->members != NULL ? c->members[at] : c->first + at;
}

/* ---- claiming ----------------------------------------------------------------------------- */

/* A single worker takes as many as it has room for. */
int64_t rct_claims_size(const rct_claims *c, int64_t left)
{
    const int64_t share = c->workers > 1 ? (left + 2 * c->workers - 1) / (2 * c->workers) : left;
    const int64_t lanes = rct_claims_round(share, c->aside);
    const int64_t most = left < c->room ? left : c->room;
    return lanes < most ? lanes : most;
}

static int64_t next_position(const rct_claims *c)
{
    return c->ranks != NULL ? rct_ranks_read(c->ranks, RCT_SHARED_NEXT) : c->next;
}

/* Claim `size` positions for this worker alone; returns the first. */
static int64_t advance(rct_claims *c, int64_t size)
{
    if (c->ranks != NULL) {
        return rct_ranks_add(c->ranks, RCT_SHARED_NEXT, size);
    }
    c->next += size;
    return c->next - size;
}

/* Other ranks may claim between the two reads of the next position: then `from` is beyond
 * `next`, and the claim has the size of one at `next`, cut at the end. A begun batch is always
 * claimed alone: the size is 1 as long as `next` is among them. */
int rct_claims_take(rct_claims *c, rct_claim *claim)
{
    const int64_t positions = c->begun_count + c->fresh, next = next_position(c);
    if (next >= positions) {
        return 0;
    }
    const int64_t size = next < c->begun_count ? 1 : rct_claims_size(c, positions - next);
    const int64_t from = advance(c, size);
    const int64_t end = size < positions - from ? from + size : positions;
    assert(size > 0 && from >= next);
    *claim = (rct_claim){.begun = from < c->begun_count ? c->begun[from] : -1,
                         .from = from - c->begun_count,
                         .end = end - c->begun_count};
    return from < positions;
}

int32_t rct_claims_begun_taken(const rct_claims *c)
{
    const int64_t next = next_position(c);
    return next < c->begun_count ? (int32_t)next : c->begun_count;
}
