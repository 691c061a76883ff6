/* Sharing members among workers. Positions 0, 1, ... are the begun batches, then, in order, the
 * members that are neither done nor in one of these. Workers, of this process or of all ranks,
 * claim consecutive positions one claim after the other. Near the end claims become smaller, so
 * that members of uneven cost keep all workers busy (Polychronopoulos and Kuck 1987, guided
 * self-scheduling). How members are shared changes no bits. */
#ifndef RCT_ENSEMBLE_CLAIMS_H
#define RCT_ENSEMBLE_CLAIMS_H

#include "core/pool.h"
#include "ranks/ranks.h"

#include <riccatree/ensemble.h>

typedef struct rct_claims {
    rct_ranks *ranks;    /* NULL: only this process                                             */
    int32_t begun_count; /* batches with a member that is not done                              */
    int32_t *begun;      /* [begun_count] their numbers                                         */
    int64_t fresh;       /* members to run from the start                                       */
    int64_t first;       /* the first of them; all from here on, unless                         */
    int64_t *members;    /* [fresh] lists them                                                  */
    const int8_t *done;  /* [end - begin]; NULL: none                                           */
    int64_t begin, end;  /* members of the run, to be run or not                                */
    int64_t next;        /* first unclaimed position, if there is only this process             */
    int64_t room, aside; /* most members of a claim, and the factor of their number             */
    int64_t workers;     /* of all ranks                                                        */
    rct_pool pool;
} rct_claims;

typedef struct rct_claim {
    int32_t begun;     /* the batch to continue, or -1: fresh members                            */
    int64_t from, end; /* rct_claims_member gives their members                                  */
} rct_claim;

/* All fields are zero first; on failure the claims are released too. The options and every batch
 * of `begun` have been checked: RCT_ERROR_ARGUMENT if a member is in two of them. Set room,
 * lanes and workers afterwards. */
rct_status rct_claims_create(rct_claims *claims, const rct_ensemble *ensemble,
                             const rct_ensemble_run_options *options, rct_error *error);
void rct_claims_release(rct_claims *claims);

/* Claim some of the remaining work; 0: none is left. One thread at a time. */
int rct_claims_take(rct_claims *claims, rct_claim *claim);

/* `count` rounded to a multiple of `to`. */
static inline int64_t rct_claims_round(int64_t count, int64_t to)
{
    return (count + to - 1) / to * to;
}

/* How many of the members left a claim takes. */
int64_t rct_claims_size(const rct_claims *claims, int64_t left);

/* Number `at` of the fresh members. */
int64_t rct_claims_member(const rct_claims *claims, int64_t at);

/* Whether the result of a member of the run exists already. */
int rct_claims_is_done(const rct_claims *claims, int64_t member);

/* How many of the begun batches are claimed. */
int32_t rct_claims_begun_taken(const rct_claims *claims);

#endif
