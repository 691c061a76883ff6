/* Distinct records (distinct.h). */
#include "core/distinct.h"

#include "core/memory.h"

#include <stddef.h>
#include <string.h>

enum { LOOKED_AT = 8, FIRST_ROOM = 4, SAMPLE = 16 };

static void *record_at(const rct_distinct *d, int32_t number)
{
    return (char *)d->records + (int64_t)number * d->size;
}

static rct_status widen(rct_distinct *d, int64_t room, const char *what, rct_error *error)
{
    void *records = rct_widen(d->records, d->count, room, d->size, what, error);
    if (records == NULL) {
        return RCT_ERROR_MEMORY;
    }
    d->records = records;
    d->room = (int32_t)room;
    return RCT_OK;
}

/* Doubles the room. Once a sample of the items has come, takes as much as all items need if they
 * are like the sample. Stays at the number of items as long as that is enough. */
static int64_t next_room(const rct_distinct *d, int32_t item, int32_t items)
{
    int64_t room = 2 * (int64_t)d->room + FIRST_ROOM;
    const int64_t most = d->count < items ? items : INT32_MAX;
    if (item > items / SAMPLE) {
        const int64_t all = (int64_t)((double)d->count / item * items) + FIRST_ROOM;
        room = all > room ? all : room;
    }
    return room < most ? room : most;
}

rct_status rct_distinct_put(rct_distinct *d, const void *record, int32_t item, int32_t items,
                            int32_t *number, const char *what, rct_error *error)
{
    for (int32_t k = d->count - 1; k >= 0 && k >= d->count - LOOKED_AT; k--) {
        if (memcmp(record_at(d, k), record, (size_t)d->size) == 0) {
            *number = k;
            return RCT_OK;
        }
    }
    if (d->count == d->room && widen(d, next_room(d, item, items), what, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    *number = d->count++;
    memcpy(record_at(d, *number), record, (size_t)d->size);
    return RCT_OK;
}

rct_status rct_distinct_copy(rct_distinct *d, const rct_distinct *from, const char *what,
                             rct_error *error)
{
    if (from->count == 0) {
        return RCT_OK;
    }
    if (widen(d, from->room, what, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    d->count = from->count;
    memcpy(d->records, from->records, (size_t)d->count * (size_t)d->size);
    return RCT_OK;
}

void rct_distinct_free(rct_distinct *d)
{
    rct_release(d->records);
    *d = (rct_distinct){.size = d->size};
}

int64_t rct_distinct_bytes(const rct_distinct *d)
{
    return (int64_t)d->room * d->size;
}
