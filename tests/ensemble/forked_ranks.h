/* Ranks that are processes forked by a test, over shared memory: a stand-in for MPI with the same
 * functions. */
#ifndef RCT_TESTS_FORKED_RANKS_H
#define RCT_TESTS_FORKED_RANKS_H

#include "ranks/ranks.h"

enum { FORKED_MOST = 8 };

/* The work of a rank: 0 on success. It must not call functions that end a test. */
typedef int forked_body(rct_ranks *ranks, void *context);

/* Runs `body` on `count` ranks. Returns the number of ranks that did not return 0, were killed, or
 * still ran after two minutes. Ranks return data through memory from forked_allocate. */
int forked_run(int32_t count, forked_body *body, void *context);

/* Zeros, shared by ranks that are forked later. */
void *forked_allocate(int64_t bytes);
void forked_release(void *memory, int64_t bytes);

/* From now on other ranks add this number to RCT_SHARED_NEXT whenever this rank has just read
 * it. */
void forked_overtake(rct_ranks *ranks, int64_t amount);

/* The number of calls of rct_ranks_poll by a rank. */
int64_t forked_polls(const rct_ranks *ranks);

#endif
