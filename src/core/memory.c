/* Allocation: overflow-safe, zeroed, 64-byte aligned, with a failure hook for the tests. Large
 * blocks ask for large pages: the first touch of small pages takes a third of the time of making a
 * model and its solver. */
#include "core/memory.h"

#include "core/error.h"
#include "core/memory_left.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, PIECE = 8, BLOCK_BYTES = 1 << 16, PAGE = 1 << 12, LARGE_PAGE = 1 << 21 };

typedef struct rct_block {
    struct rct_block *previous;
    int64_t used, room;
    char bytes[];
} block;

/* B; for at least this, the memory left is checked. */
static const int64_t many = INT64_C(1) << 28;

static _Thread_local int64_t successes_left = -1, assumed = -1;

void rct_allocate_fail_after(int64_t successes)
{
    successes_left = successes;
}

void rct_memory_assume(int64_t bytes)
{
    assumed = bytes;
}

int rct_memory_has(int64_t bytes)
{
    return bytes < many || bytes <= (assumed >= 0 ? assumed : rct_memory_left(""));
}

/* The bytes of `count` elements; 0 with the error: impossible. */
static int64_t bytes_of(int64_t count, int64_t size, const char *what, rct_error *error)
{
    if (count < 0 || size <= 0 || count > (INT64_MAX - ALIGNMENT) / size) {
        rct_fail(error, RCT_ERROR_MEMORY, "out of memory: %s asks for an impossible size", what);
        return 0;
    }
    const int64_t bytes = count * size;
    return bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *rct_allocate_unset(int64_t count, int64_t size, const char *what, rct_error *error)
{
    const int64_t bytes = bytes_of(count, size, what, error);
    void *memory = NULL;
    if (bytes == 0) {
        return NULL;
    }
    if (successes_left != 0 && rct_memory_has(bytes)) {
        memory = aligned_alloc(ALIGNMENT, (size_t)bytes);
        successes_left -= successes_left > 0 ? 1 : 0;
    }
    if (memory == NULL) {
        rct_fail_memory(error, bytes, what);
        return NULL;
    }
    if (bytes >= LARGE_PAGE) {
        /* advice, from the start of the first page on; nothing changes if it is refused */
        const size_t into = (uintptr_t)memory % PAGE;
        madvise((char *)memory - into, (size_t)bytes + into, MADV_HUGEPAGE);
    }
    return memory;
}

void *rct_allocate(int64_t count, int64_t size, const char *what, rct_error *error)
{
    void *memory = rct_allocate_unset(count, size, what, error);
    if (memory != NULL) {
        memset(memory, 0, (size_t)bytes_of(count, size, what, error));
    }
    return memory;
}

void *rct_widen(void *old, int64_t count, int64_t capacity, int64_t size, const char *what,
                rct_error *error)
{
    void *wide = rct_allocate_unset(capacity, size, what, error);
    if (wide != NULL && count > 0) {
        memcpy(wide, old, (size_t)(count * size));
    }
    if (wide != NULL) {
        const int64_t old_bytes = count * size;
        memset((char *)wide + old_bytes, 0,
               (size_t)(bytes_of(capacity, size, what, error) - old_bytes));
        rct_release(old);
    }
    return wide;
}

void rct_release(void *memory)
{
    free(memory);
}

/* A piece larger than a block gets a block of its own. */
void *rct_arena_take(rct_arena *arena, int64_t bytes, const char *what, rct_error *error)
{
    block *last = arena->last;
    if (last != NULL && bytes % PIECE == 0) {
        last->used = (last->used + PIECE - 1) / PIECE * PIECE;
    }
    if (last == NULL || last->room - last->used < bytes) {
        const int64_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        last = rct_allocate((int64_t)sizeof *last + room, 1, what, error);
        if (last == NULL) {
            return NULL;
        }
        last->previous = arena->last;
        last->room = room;
        arena->last = last;
    }
    void *memory = last->bytes + last->used;
    last->used += bytes;
    return memory;
}

int64_t rct_arena_bytes(const rct_arena *arena)
{
    int64_t bytes = 0;
    for (const block *b = arena->last; b != NULL; b = b->previous) {
        bytes += (int64_t)sizeof *b + b->room;
    }
    return bytes;
}

void rct_arena_free(rct_arena *arena)
{
    while (arena->last != NULL) {
        block *previous = arena->last->previous;
        rct_release(arena->last);
        arena->last = previous;
    }
}

static void *pointer_of(const rct_array *array)
{
    void *memory;
    memcpy(&memory, array->pointer, sizeof memory);
    return memory;
}

rct_status rct_allocate_arrays(const rct_array *arrays, int32_t count, const char *what,
                               rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < count; i++) {
        void *memory =
            status == RCT_OK ? rct_allocate(arrays[i].count, arrays[i].size, what, error) : NULL;
        memcpy(arrays[i].pointer, &memory, sizeof memory);
        status = memory == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    return status;
}

void rct_release_arrays(const rct_array *arrays, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        rct_release(pointer_of(&arrays[i]));
    }
}

int64_t rct_array_bytes(const rct_array *arrays, int32_t count)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < count; i++) {
        bytes += pointer_of(&arrays[i]) != NULL ? arrays[i].count * arrays[i].size : 0;
    }
    return bytes;
}
