/* Ranks from the inside: numbers that they share. */
#ifndef RCT_RANKS_RANKS_H
#define RCT_RANKS_RANKS_H

#include <riccatree/ranks.h>

/* Numbers that all ranks share; all zero after rct_ranks_begin. One thread at a time. */
enum { RCT_SHARED_NEXT, RCT_SHARED_MEMBERS, RCT_SHARED_STEPS, RCT_SHARED_STOP, RCT_SHARED_COUNT };

rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error);         /* all: set to zero */
int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount); /* gives the value before */
int64_t rct_ranks_swap(rct_ranks *ranks, int32_t which, int64_t expected,
                       int64_t desired); /* compare and swap, gives the value before */
int64_t rct_ranks_read(rct_ranks *ranks, int32_t which);
void rct_ranks_poll(rct_ranks *ranks); /* lets the others get on; call now and then on every rank */

#endif
