/* Arrays that are made one by one and end together: no list of what to free, and one question for all failures. */
#ifndef RCT_CORE_POOL_H
#define RCT_CORE_POOL_H

#include <riccatree/status.h>

/* All zero but `what` before the first array. */
typedef struct rct_pool {
    const char *what; /* for errors */
    void *last;       /* array, from which the others are found */
    int64_t bytes;    /* of all arrays */
    int failed;       /* nothing more is taken then */
} rct_pool;

/* As rct_allocate. */
void *rct_pool_take(rct_pool *pool, int64_t count, int64_t size, rct_error *error);

/* Free all arrays; the pool is as before the first one. */
void rct_pool_empty(rct_pool *pool);

#endif
