/* Structs of two versions (sized.h). A struct is one piece, which grows at its end; or three
 * pieces: the part before the struct that it holds, that struct, and the part behind it. The first
 * piece never grows, the others do. */
#include "core/sized.h"

#include "core/error.h"

#include <riccatree/version.h>

#include <string.h>

/* Copy from one version of a struct to another: the common part, then zeros. */
static void copy(char *to, int64_t room, const char *from, int64_t size)
{
    const int64_t both = room < size ? room : size;
    memcpy(to, from, (size_t)both);
    memset(to + both, 0, (size_t)(room - both));
}

/* The same over defaults, which stay; returns the first byte that would be lost, or -1. */
static int64_t copy_known(char *to, int64_t room, const char *from, int64_t size)
{
    memcpy(to, from, (size_t)(room < size ? room : size));
    for (int64_t i = room; i < size; i++) {
        if (from[i] != 0) {
            return i;
        }
    }
    return -1;
}

/* Whether a struct may have this size, `held` bytes of which are the struct that it holds. */
static int is_size(rct_sizes shape, int64_t size, int64_t held)
{
    return held >= 0 && size >= (shape.held > 0 ? shape.held_at + held : 0);
}

int rct_take(void *own, rct_sizes shape, rct_in in, const char *name, rct_error *error)
{
    char *to = own;
    const char *from = in.at;
    const int64_t before = shape.held > 0 ? shape.held_at : 0;
    if (!rct_given(from, name, error)) {
        return 0;
    }
    if (!is_size(shape, in.size, in.held)) {
        rct_fail(error, RCT_ERROR_ARGUMENT,
                 "argument `%s` has %lld bytes, %lld of them held: give the sizes of its structs",
                 name, (long long)in.size, (long long)in.held);
        return 0;
    }
    memcpy(to, from, (size_t)before);
    int64_t unknown =
        copy_known(to + before, shape.held, from + before, shape.held > 0 ? in.held : 0);
    if (unknown < 0) {
        const int64_t own_end = before + shape.held, end = before + (shape.held > 0 ? in.held : 0);
        unknown = copy_known(to + own_end, shape.size - own_end, from + end, in.size - end);
    }
    if (unknown >= 0) {
        rct_fail(error, RCT_ERROR_ARGUMENT,
                 "argument `%s` sets a field that version %s of the library does not know; use a "
                 "newer library, or leave new fields at their defaults",
                 name, rct_version());
    }
    return unknown < 0;
}

void rct_give(rct_out out, const void *own, rct_sizes shape)
{
    char *to = out.at;
    const char *from = own;
    const int64_t before = shape.held > 0 ? shape.held_at : 0;
    const int64_t own_end = before + shape.held, end = before + (shape.held > 0 ? out.held : 0);
    if (to != NULL && is_size(shape, out.size, out.held)) {
        memcpy(to, from, (size_t)before);
        copy(to + before, end - before, from + before, shape.held);
        copy(to + end, out.size - end, from + own_end, shape.size - own_end);
    }
}

rct_in rct_item(const void *array, int64_t item, int64_t i)
{
    return rct_in_of((const char *)array + i * item, (size_t)item, 0, 0);
}
