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

/* What is wrong with a batch of a run of members [first, first + rows) and so many steps, or NULL. `members_at`: where its
 * members begin in its bytes. */
const char *rct_begun_trouble(const rct_ensemble_begun *batch, int64_t members_at, int64_t first,
                              int64_t rows, int64_t steps);

/* ---- checkpoint_names.c ---- */

/* The results' path, symbolic links followed; rct_release. */
char *rct_results_path(rct_call *call, const char *results);

/* RESULTS.checkpoint of rank 0, RESULTS.checkpoint-R of others; rct_release. */
char *rct_rank_path(rct_call *call, const char *results, int32_t rank);

/* What lies beside the results: by rank, of each the present one before the previous one; with `parts` also what was left
 * over while it was written. */
typedef struct rct_checkpoint_names {
    char *directory; /* with a slash behind it; "": the present one */
    char **path;     /* [count] */
    int64_t count, room;
} rct_checkpoint_names;

void rct_checkpoint_names_find(rct_checkpoint_names *names, rct_call *call, const char *results,
                               int parts);
void rct_checkpoint_names_release(rct_checkpoint_names *names);

#endif
