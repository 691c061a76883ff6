/* Ranks from the inside: numbers that all ranks of a job share. */
#ifndef RCT_RANKS_RANKS_H
#define RCT_RANKS_RANKS_H

#include <riccatree/ranks.h>

/* Numbers that all ranks share; all zero after rct_ranks_begin. One thread at a time. Where MPI fails, add and read give
 * RCT_SHARED_LOST, more than any count, and the next rct_ranks_agree says what failed. */
enum { RCT_SHARED_NEXT, RCT_SHARED_MEMBERS, RCT_SHARED_STEPS, RCT_SHARED_STOP, RCT_SHARED_COUNT };
#define RCT_SHARED_LOST (INT64_MAX / 2)

/* All: set to zero, after everything that any rank did with them before. The same on all ranks, as
 * rct_ranks_agree. */
rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error);

/* `amount` is added; gives the value before. */
int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount);

int64_t rct_ranks_read(rct_ranks *ranks, int32_t which);

/* Lets the others get on: called now and then on every rank, for over some networks it is the software of rank 0
 * that adds. */
void rct_ranks_poll(rct_ranks *ranks);

#endif
