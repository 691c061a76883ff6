/* Keeping the batches on their way. Every worker has a slot, in which its batch stands as bytes. When batches are due, a
 * generation is counted; each worker brings its slot up to date at its next rest, and the last of them hands all out. What
 * is handed out is therefore always whole, every batch as of a rest of its own. All functions are called by one thread at
 * a time. */
#ifndef RCT_ENSEMBLE_KEEP_H
#define RCT_ENSEMBLE_KEEP_H

#include "ensemble/begun.h"
#include "ensemble/claims.h"

typedef struct rct_keep_slot {
    int held;                        /* the worker has a batch                                   */
    const rct_ensemble_begun *given; /* which stands here as it was begun; else NULL             */
    void *bytes;                     /* [room]                                                   */
    int64_t room, size;              /* 0: it has not come to a rest yet                         */
    int64_t generation;              /* that it is up to date with                               */
} rct_keep_slot;

typedef struct rct_keeper {
    const rct_ensemble_run_options *options;
    const rct_claims *claims;
    int32_t workers;
    rct_keep_slot *slots;     /* [workers]                                                       */
    rct_ensemble_begun *list; /* [workers + batches begun] that are handed out                   */
    int64_t generation;
    int due;      /* not all slots are up to date with it                                        */
    double again; /* s, on a clock, when batches are due by time                                 */
    rct_pool pool;
} rct_keeper;

/* All zero first; on failure released too. */
rct_status rct_keeper_create(rct_keeper *keeper, const rct_ensemble_run_options *options,
                             const rct_claims *claims, int32_t workers, rct_error *error);
void rct_keeper_release(rct_keeper *keeper);

/* A worker has a batch from now on: one that was begun, or NULL. */
void rct_keeper_begin(rct_keeper *keeper, int32_t worker, const rct_ensemble_begun *given);

/* The batch is at rest. Copied if that is due, handed out with the others if it was the last; with `stop` copied. */
rct_status rct_keeper_reached(rct_keeper *keeper, const rct_batch *batch, int stop,
                              rct_error *error);

/* All its members are delivered. */
rct_status rct_keeper_end(rct_keeper *keeper, int32_t worker, rct_error *error);

/* What the slots hold, and what nobody has claimed, which is rank 0's: to the caller. */
rct_status rct_keeper_hand_out(rct_keeper *keeper, rct_error *error);

#endif
