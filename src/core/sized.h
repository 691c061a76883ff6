/* Structs of callers that were compiled with another version of the headers (riccatree/sized.h), into own ones and back. */
#ifndef RCT_CORE_SIZED_H
#define RCT_CORE_SIZED_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

/* How the library's own struct lies: its size, and where it holds another by value, of which size (0: it does not). */
typedef struct rct_sizes {
    int64_t size, held_at, held;
} rct_sizes;

static inline rct_sizes rct_whole(size_t size)
{
    const rct_sizes shape = {(int64_t)size, 0, 0};
    return shape;
}

/* Into `own`, which has the defaults, what the caller's struct says. 0 with RCT_ERROR_ARGUMENT if there is none, naming
 * it, or if it sets what this version does not know. */
int rct_take(void *own, rct_sizes shape, rct_in in, const char *name, rct_error *error);

/* Fill the caller's struct, what this version does not know with zeros. None: nothing is done. */
void rct_give(rct_out out, const void *own, rct_sizes shape);

/* Struct number `i` of an array of the caller's, `item` bytes each. */
rct_in rct_item(const void *array, int64_t item, int64_t i);

#endif
