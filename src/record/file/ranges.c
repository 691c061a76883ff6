/* Ranges of bytes in a file. */
#include "record/file/ranges.h"

#include "core/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

int rct_ranges_add(rct_ranges *r, int64_t at, int64_t bytes)
{
    rct_range *last = r->count > 0 ? &r->range[r->count - 1] : NULL;
    if (last != NULL && last->at + last->bytes == at) {
        last->bytes += bytes;
        return 0;
    }
    if (r->count == r->room) {
        const int64_t room = 2 * r->room + FIRST_ROOM;
        rct_range *wide =
            rct_widen(r->range, r->count, room, sizeof *wide, "ranges of a file", NULL);
        if (wide == NULL) {
            return -1;
        }
        r->range = wide;
        r->room = room;
    }
    r->range[r->count++] = (rct_range){at, bytes};
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const rct_range *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

void rct_ranges_sort(rct_ranges *r)
{
    const int64_t count = r->count;
    if (count > 1) {
        qsort(r->range, (size_t)count, sizeof *r->range, by_place);
    }
    r->count = 0;
    for (int64_t i = 0; i < count; i++) {
        rct_ranges_add(r, r->range[i].at, r->range[i].bytes); /* never behind i */
    }
}

void rct_ranges_release(rct_ranges *r)
{
    rct_release(r->range);
    *r = (rct_ranges){.range = NULL};
}
