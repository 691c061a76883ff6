/* Converts structs of callers that were compiled with another version of the headers
 * (riccatree/sized.h) to those of the library, and back. */
#ifndef RCT_CORE_SIZED_H
#define RCT_CORE_SIZED_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

/* The layout of a struct of the library: its size, and where it holds another struct by value, and
 * the size of that (0: none). */
typedef struct rct_sizes {
    int64_t size, held_at, held;
} rct_sizes;

static inline rct_sizes rct_whole(size_t size)
{
    const rct_sizes shape = {(int64_t)size, 0, 0};
    return shape;
}

/* Copy the struct of the caller into `own`, which has the defaults. Returns 0 with
 * RCT_ERROR_ARGUMENT, naming the struct, if it is not given, or if it sets a field that this
 * version does not know. */
int rct_take(void *own, rct_sizes shape, rct_in in, const char *name, rct_error *error);

/* Fill the struct of the caller; fields that this version does not know become zero. Without a
 * struct nothing is done. */
void rct_give(rct_out out, const void *own, rct_sizes shape);

/* Struct number `i` of an array of the caller, `item` bytes each. */
rct_in rct_item(const void *array, int64_t item, int64_t i);

#endif
