/* Who runs what: positions 0, 1, ... are the batches that were begun, then the members that are neither done nor in one of
 * them, in order. Workers claim positions one run of them after the other, of this process or of all ranks. Near the end they
 * claim less at once, so that members of uneven cost keep all busy (Polychronopoulos and Kuck 1987, guided self-scheduling);
 * how members are shared out changes no bits. */
#ifndef RCT_ENSEMBLE_CLAIMS_H
#define RCT_ENSEMBLE_CLAIMS_H

#include "core/pool.h"
#include "ranks/ranks.h"

#include <riccatree/ensemble.h>

typedef struct rct_claims {
    rct_ranks *ranks;    /* NULL: this process alone                                            */
    int32_t begun_count; /* batches of which a member is not done                               */
    int32_t *begun;      /* [begun_count] their numbers                                         */
    int64_t fresh;       /* members to be run from the start                                    */
    int64_t first;       /* the first of them, and all from it on, unless                       */
    int64_t *members;    /* [fresh] says which                                                  */
    const int8_t *done;  /* [end - begin]; NULL: none                                           */
    int64_t begin, end;  /* members of the run, run or not                                      */
    int64_t next;        /* position that nobody has, of a process alone                        */
    int64_t room, aside; /* most members of a claim, and what their number is a multiple of     */
    int64_t workers;     /* of all ranks                                                        */
    rct_pool pool;
} rct_claims;

typedef struct rct_claim {
    int32_t begun;     /* the batch that is gone on with, or -1: fresh ones                      */
    int64_t from, end; /* rct_claims_member has their members                                    */
} rct_claim;

/* All zero first; on failure released too. The options and every batch of `begun` have been checked: RCT_ERROR_ARGUMENT if
 * a member is in two of them. Room, lanes and workers are set afterwards. */
rct_status rct_claims_create(rct_claims *claims, const rct_ensemble *ensemble,
                             const rct_ensemble_run_options *options, rct_error *error);
void rct_claims_release(rct_claims *claims);

/* What is left; 0: nothing. One thread at a time. */
int rct_claims_take(rct_claims *claims, rct_claim *claim);

/* `count` to a multiple of `to`. */
static inline int64_t rct_claims_round(int64_t count, int64_t to)
{
    return (count + to - 1) / to * to;
}

/* So many of the members that are left are claimed at once. */
int64_t rct_claims_size(const rct_claims *claims, int64_t left);

/* Number `at` of the fresh members. */
int64_t rct_claims_member(const rct_claims *claims, int64_t at);

/* Whether the result of a member of the run is there already. */
int rct_claims_is_done(const rct_claims *claims, int64_t member);

/* How many of the batches begun somebody has claimed. */
int32_t rct_claims_begun_taken(const rct_claims *claims);

#endif
