/* Checkpoints of ensembles from the inside: their names and their state. */
#ifndef RCT_RECORD_ENSEMBLE_CHECKPOINT_H
#define RCT_RECORD_ENSEMBLE_CHECKPOINT_H

#include "record/checkpoint/checkpoint.h"

#include <riccatree/ensemble_checkpoint.h>

/* The header of a batch; the bytes of the batch follow, padded to a multiple of 8. */
typedef struct rct_batch_entry {
    int64_t size, steps, count;
    int64_t members_at; /* where the [count] int64 of its members are in the bytes               */
} rct_batch_entry;

/* What is wrong with a batch of a run (rct_ensemble_asked), or NULL. `members_at` is where its
 * members begin in its bytes. */
const char *rct_begun_trouble(const rct_ensemble_begun *batch, int64_t members_at,
                              const rct_ensemble_run_options *run);

/* ---- checkpoint_names.c ---- */

/* RESULTS.checkpoint for rank 0, RESULTS.checkpoint-R for others, with symbolic links of the
 * results followed; free by rct_release. */
char *rct_rank_path(rct_call *call, const char *results, int32_t rank);

/* The checkpoints beside the results, by rank, the present one of each rank before the previous
 * one; with `parts` also files left over from writing. */
typedef struct rct_checkpoint_name {
    char *path;
    int64_t order;
} rct_checkpoint_name;

typedef struct rct_checkpoint_names {
    char *directory; /* as the user gave it, so that its files can be named alike                */
    rct_checkpoint_name *name;
    int64_t count, room;
} rct_checkpoint_names;

void rct_checkpoint_names_find(rct_checkpoint_names *names, rct_call *call, const char *results,
                               int parts);
void rct_checkpoint_names_release(rct_checkpoint_names *names);

#endif
