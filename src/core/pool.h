/* Arrays that are made one by one and freed together: there is no list of arrays to free, and one
 * check covers all failures. */
#ifndef RCT_CORE_POOL_H
#define RCT_CORE_POOL_H

#include <riccatree/status.h>

/* All zero except `what` before the first array. */
typedef struct rct_pool {
    const char *what; /* for errors */
    void *last;       /* array; it leads to the others */
    int64_t bytes;    /* of all arrays */
    int failed;       /* then nothing more is taken */
} rct_pool;

/* As rct_allocate. */
void *rct_pool_take(rct_pool *pool, int64_t count, int64_t size, rct_error *error);

/* Free all arrays; the pool is empty again. */
void rct_pool_empty(rct_pool *pool);

#endif
