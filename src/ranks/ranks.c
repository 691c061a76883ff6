/* A process started alone: a job of one rank, in which nothing is shared with others. */
#include "ranks/ranks.h"

#include "core/memory.h"

#include <stddef.h>
#include <string.h>

struct rct_ranks {
    int64_t shared[RCT_SHARED_COUNT];
};

rct_ranks *rct_ranks_open(rct_error *error)
{
    return rct_allocate(1, sizeof(rct_ranks), "the ranks of a job", error);
}

void rct_ranks_close(rct_ranks *ranks)
{
    rct_release(ranks);
}

int32_t rct_ranks_number(const rct_ranks *ranks)
{
    (void)ranks;
    return 0;
}

int32_t rct_ranks_count(const rct_ranks *ranks)
{
    (void)ranks;
    return 1;
}

rct_status rct_ranks_agree(rct_ranks *ranks, rct_status own, rct_error *error)
{
    (void)ranks;
    (void)error;
    return own;
}

void rct_ranks_gather(rct_ranks *ranks, const void *own, int64_t bytes, void *all)
{
    (void)ranks;
    memcpy(all, own, (size_t)bytes);
}

rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error)
{
    (void)error;
    memset(ranks->shared, 0, sizeof ranks->shared);
    return RCT_OK;
}

int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount)
{
    const int64_t before = ranks->shared[which];
    ranks->shared[which] += amount;
    return before;
}

int64_t rct_ranks_swap(rct_ranks *ranks, int32_t which, int64_t expected, int64_t desired)
{
    const int64_t before = ranks->shared[which];
    ranks->shared[which] = before == expected ? desired : before;
    return before;
}

int64_t rct_ranks_read(rct_ranks *ranks, int32_t which)
{
    return ranks->shared[which];
}

void rct_ranks_poll(rct_ranks *ranks)
{
    (void)ranks;
}
