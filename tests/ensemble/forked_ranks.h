/* Ranks that are processes forked by a test, over shared memory: a stand-in for MPI with the same
 * functions. */
#ifndef RCT_TESTS_FORKED_RANKS_H
#define RCT_TESTS_FORKED_RANKS_H

#include "ranks/ranks.h"

enum { FORKED_MOST = 8 };

/* What a rank does: 0 if all went well. It must not use what ends a test. */
typedef int forked_body(rct_ranks *ranks, void *context);

/* Run `body` on `count` ranks; the number of those that did not give 0, or were killed or still ran after two minutes.
 * What they hand back goes through memory from forked_allocate. */
int forked_run(int32_t count, forked_body *body, void *context);

/* Zeros, shared by the ranks that are forked later. */
void *forked_allocate(int64_t bytes);
void forked_release(void *memory, int64_t bytes);

/* From now on others add so much to RCT_SHARED_NEXT whenever this rank has just read it. */
void forked_overtake(rct_ranks *ranks, int64_t amount);

/* How often a rank has called rct_ranks_poll. */
int64_t forked_polls(const rct_ranks *ranks);

#endif
