/* Ranks from the inside: numbers that all ranks of a job share. */
#ifndef RCT_RANKS_RANKS_H
#define RCT_RANKS_RANKS_H

#include <riccatree/ranks.h>

/* Numbers that all ranks share, all zero after rct_ranks_begin. One thread at a time. If MPI
 * fails, add and read return RCT_SHARED_LOST, which is more than any count, and the next
 * rct_ranks_agree reports the failure. */
enum { RCT_SHARED_NEXT, RCT_SHARED_MEMBERS, RCT_SHARED_STEPS, RCT_SHARED_STOP, RCT_SHARED_COUNT };
#define RCT_SHARED_LOST (INT64_MAX / 2)

/* Called by all ranks: set the numbers to zero, after all earlier operations of any rank. All
 * get the same result, as from rct_ranks_agree. */
rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error);

/* Add `amount`; returns the value before. */
int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount);

int64_t rct_ranks_read(rct_ranks *ranks, int32_t which);

/* Let the other ranks make progress. Call it now and then on every rank, because over some
 * networks the software of rank 0 does the additions. */
void rct_ranks_poll(rct_ranks *ranks);

#endif
