/* Pools of arrays (pool.h): before each array lies a link to the array taken before it. */
#include "core/pool.h"

#include "core/memory.h"

#include <stddef.h>

enum { LINK = 64 }; /* bytes, the alignment of arrays */

void *rct_pool_take(rct_pool *pool, int64_t count, int64_t size, rct_error *error)
{
    if (pool->failed) {
        return NULL;
    }
    void **link = rct_allocate(count + (LINK + size - 1) / size, size, pool->what, error);
    pool->failed = link == NULL;
    if (pool->failed) {
        return NULL;
    }
    *link = pool->last;
    pool->last = link;
    pool->bytes += count * size;
    return (char *)link + LINK;
}

void rct_pool_empty(rct_pool *pool)
{
    while (pool->last != NULL) {
        void **const link = pool->last;
        pool->last = *link;
        rct_release(link);
    }
    *pool = (rct_pool){.what = pool->what};
}
