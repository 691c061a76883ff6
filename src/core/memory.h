/* Allocation with the size computed without overflow, and a hook with which tests make the k-th
 * allocation fail. All memory of the library comes from here and is freed with free(). */
#ifndef RCT_CORE_MEMORY_H
#define RCT_CORE_MEMORY_H

#include <riccatree/status.h>

/* `count` zeroed elements of `size` bytes, 64-byte aligned so that a lane can load from any array;
 * at least one byte, so that NULL always means failure, which fills `error`. */
void *rct_allocate(int64_t count, int64_t size, const char *what, rct_error *error);

/* The same, not zeroed: for arrays that are written before they are read. */
void *rct_allocate_unset(int64_t count, int64_t size, const char *what, rct_error *error);

/* As rct_allocate, but with the first `count` elements of `old`, which is freed; on failure `old`
 * stays. */
void *rct_widen(void *old, int64_t count, int64_t capacity, int64_t size, const char *what,
                rct_error *error);

/* Whether so many bytes are left (memory_left.h); only large numbers are checked. Systems promise
 * more memory than there is, and end a process that uses it. Allocations ask this; before several
 * allocations that belong together, ask for their sum. */
int rct_memory_has(int64_t bytes);

/* Free what rct_allocate gave; NULL does nothing. */
void rct_release(void *memory);

/* Pieces of memory, zeroed, that are freed at once. Pieces whose size is a multiple of 8 are
 * aligned to 8; others, such as names, are not aligned. All zero: no pieces. */
typedef struct rct_arena {
    struct rct_block *last;
} rct_arena;

void *rct_arena_take(rct_arena *arena, int64_t bytes, const char *what, rct_error *error);
int64_t rct_arena_bytes(const rct_arena *arena); /* held, used or not */
void rct_arena_free(rct_arena *arena);

/* An array that a struct owns: the address of its pointer, and how many elements it has or is to
 * have. */
typedef struct rct_array {
    void *pointer;
    int64_t count, size;
} rct_array;

#define RCT_ARRAY(pointer, count)                                                                  \
    {                                                                                              \
        &(pointer), count, sizeof *(pointer)                                                       \
    }

/* Allocate all `arrays`, as by rct_allocate. After a failure rct_release_arrays frees those that
 * were made; the others are NULL. */
rct_status rct_allocate_arrays(const rct_array *arrays, int32_t count, const char *what,
                               rct_error *error);
void rct_release_arrays(const rct_array *arrays, int32_t count);

/* The bytes of the arrays that are allocated. */
int64_t rct_array_bytes(const rct_array *arrays, int32_t count);

/* Tests only: the memory left, as the calling thread sees it; -1: the true one. */
void rct_memory_assume(int64_t bytes);

/* Tests only: let `successes` further allocations pass, then fail every one; -1: never fail.
 * Applies to the calling thread. */
void rct_allocate_fail_after(int64_t successes);

#endif
