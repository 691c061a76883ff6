/* Bytes of an open file (bytes.h). */
#include "record/file/bytes.h"

#include "core/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGEST_TRANSFER = 1 << 30, FIRST_ROOM = 64 }; /* bytes in one call of the system; ranges */

static size_t next_transfer(int64_t size)
{
    return (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER);
}

int64_t rct_bytes_read(int file, int64_t at, void *bytes, int64_t size)
{
    int64_t got = 0;
    while (got < size) {
        const ssize_t part =
            pread(file, (char *)bytes + got, next_transfer(size - got), (off_t)(at + got));
        if (part == 0) {
            break;
        }
        if (part < 0 && errno != EINTR) {
            return -1;
        }
        got += part > 0 ? part : 0;
    }
    return got;
}

int rct_bytes_write(int file, int64_t at, const void *bytes, int64_t size)
{
    int64_t put = 0;
    while (put < size) {
        const ssize_t part =
            pwrite(file, (const char *)bytes + put, next_transfer(size - put), (off_t)(at + put));
        if (part < 0 && errno != EINTR) {
            return -1;
        }
        put += part > 0 ? part : 0;
    }
    return 0;
}

/* ---- ranges ------------------------------------------------------------------------------- */

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
