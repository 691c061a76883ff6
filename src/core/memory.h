/* Allocation with the size computed without overflow, and a hook with which tests make the k-th
 * allocation fail. All memory of the library comes through here and is freed with free(). */
#ifndef RCT_CORE_MEMORY_H
#define RCT_CORE_MEMORY_H

#include <riccatree/status.h>

/* `count` zeroed elements of `size` bytes, 64-byte aligned so that a lane loads from any array; at
 * least one byte, so that NULL always means failure, which fills `error`. */
void *rct_allocate(int64_t count, int64_t size, const char *what, rct_error *error);

/* Free what rct_allocate gave; NULL does nothing. */
void rct_release(void *memory);

/* Tests only: let `successes` further allocations pass, then fail every one; -1: never fail. Holds
 * for the calling thread. */
void rct_allocate_fail_after(int64_t successes);

/* The next `count` numbers of a block that several arrays share. */
static inline double *rct_next(double **next, int64_t count)
{
    double *part = *next;
    *next += count;
    return part;
}

#endif
