/* Keeping running batches. Every worker has a slot with the bytes of its batch. When batches are
 * due, a generation is counted. Each worker then updates its slot at its next rest, and the last
 * of them hands out all slots. So the set is always complete, with every batch at one of its own
 * rests. Only one thread at a time calls these functions. */
#ifndef RCT_ENSEMBLE_KEEP_H
#define RCT_ENSEMBLE_KEEP_H

#include "ensemble/begun.h"
#include "ensemble/claims.h"

typedef struct rct_keep_slot {
    int held;                        /* the worker has a batch                                   */
    const rct_ensemble_begun *given; /* its begun batch, not moved yet; else NULL                */
    void *bytes;                     /* [room]                                                   */
    int64_t room, size;              /* 0: no rest yet                                           */
    int64_t generation;              /* with which it is up to date                              */
} rct_keep_slot;

typedef struct rct_keeper {
    const rct_ensemble_run_options *options;
    const rct_claims *claims;
    int32_t workers;
    rct_keep_slot *slots;     /* [workers]                                                       */
    rct_ensemble_begun *list; /* [workers + batches begun] to be handed out                      */
    int64_t generation;
    int due;      /* some slots are not up to date with it                                       */
    double again; /* s, on a clock, when batches are next due by time                            */
    rct_pool pool;
} rct_keeper;

/* All fields are zero first; on failure the keeper is released too. */
rct_status rct_keeper_create(rct_keeper *keeper, const rct_ensemble_run_options *options,
                             const rct_claims *claims, int32_t workers, rct_error *error);
void rct_keeper_release(rct_keeper *keeper);

/* A worker has a batch from now on: a begun one, or NULL for a fresh one. */
void rct_keeper_begin(rct_keeper *keeper, int32_t worker, const rct_ensemble_begun *given);

/* The batch is at rest: copy it if that is due, and hand out all if it was the last; with `stop`
 * copy it in any case. */
rct_status rct_keeper_reached(rct_keeper *keeper, const rct_batch *batch, int stop,
                              rct_error *error);

/* All members of the batch are delivered. */
rct_status rct_keeper_end(rct_keeper *keeper, int32_t worker, rct_error *error);

/* Hand the content of the slots to the caller, and on rank 0 also the batches nobody has
 * claimed. */
rct_status rct_keeper_hand_out(rct_keeper *keeper, rct_error *error);

#endif
