/* Checkpoints of ensembles from the inside: their names, and what their state is made of. */
#ifndef RCT_RECORD_ENSEMBLE_CHECKPOINT_H
#define RCT_RECORD_ENSEMBLE_CHECKPOINT_H

#include "record/checkpoint/checkpoint.h"

#include <riccatree/ensemble_checkpoint.h>

/* Before the bytes of a batch, which are padded to a multiple of 8. */
typedef struct rct_batch_entry {
    int64_t size, steps, count;
    int64_t members_at; /* where in the bytes the [count] int64 of its members are               */
} rct_batch_entry;

/* What is wrong with a batch of a run (rct_ensemble_asked), or NULL. `members_at`: where its members begin in its bytes. */
const char *rct_begun_trouble(const rct_ensemble_begun *batch, int64_t members_at,
                              const rct_ensemble_run_options *run);

/* ---- checkpoint_names.c ---- */

/* RESULTS.checkpoint of rank 0, RESULTS.checkpoint-R of others, symbolic links of the results followed; rct_release. */
char *rct_rank_path(rct_call *call, const char *results, int32_t rank);

/* What lies beside the results: by rank, of each the present one before the previous one; with `parts` also what was left
 * over while it was written. */
typedef struct rct_checkpoint_name {
    char *path;
    int64_t order;
} rct_checkpoint_name;

typedef struct rct_checkpoint_names {
    char *directory; /* as the user gave it, so that what is in it can be named alike            */
    rct_checkpoint_name *name;
    int64_t count, room;
} rct_checkpoint_names;

void rct_checkpoint_names_find(rct_checkpoint_names *names, rct_call *call, const char *results,
                               int parts);
void rct_checkpoint_names_release(rct_checkpoint_names *names);

#endif
