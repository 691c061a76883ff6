/* Lists that grow (sparse_lists.h), each in one piece: a list without room moves to the end of
 * all. */
#include "algebra/sparse_lists.h"

#include "core/memory.h"

#include <string.h>

rct_lists rct_lists_create(int32_t size, int64_t capacity, int64_t most, int values, rct_pool *pool,
                           rct_error *error)
{
    rct_lists l = {.capacity = capacity, .most = most, .what = pool->what, .error = error};
    l.start = rct_pool_take(pool, size, sizeof *l.start, error);
    l.count = rct_pool_take(pool, size, sizeof *l.count, error);
    l.room = rct_pool_take(pool, size, sizeof *l.room, error);
    l.item = rct_allocate_unset(capacity, sizeof *l.item, l.what, error);
    l.value = values ? rct_allocate_unset(capacity, sizeof *l.value, l.what, error) : NULL;
    if (pool->failed || l.item == NULL || (values && l.value == NULL)) {
        l.status = RCT_ERROR_MEMORY;
    }
    return l;
}

void rct_lists_free(rct_lists *l)
{
    rct_release(l->item);
    rct_release(l->value);
}

static void widen(rct_lists *l, int64_t capacity)
{
    int32_t *item = rct_widen(l->item, l->used, capacity, sizeof *item, l->what, l->error);
    l->item = item != NULL ? item : l->item;
    l->status = item != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    if (item != NULL && l->value != NULL) {
        double *value = rct_widen(l->value, l->used, capacity, sizeof *value, l->what, l->error);
        l->value = value != NULL ? value : l->value;
        l->status = value != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    l->capacity = l->status == RCT_OK ? capacity : l->capacity;
}

/* Move list i to the end, with twice the room. */
static void move(rct_lists *l, int32_t i)
{
    const int32_t room = 2 * l->room[i] + 4;
    const size_t count = (size_t)l->count[i];
    if (l->used + room > l->most) {
        l->status = RCT_ERROR_UNSUPPORTED;
    } else if (l->used + room > l->capacity) {
        widen(l, 2 * (l->used + room));
    }
    if (l->status == RCT_OK) {
        memcpy(l->item + l->used, l->item + l->start[i], count * sizeof *l->item);
        if (l->value != NULL) {
            memcpy(l->value + l->used, l->value + l->start[i], count * sizeof *l->value);
        }
        l->start[i] = l->used;
        l->room[i] = room;
        l->used += room;
    }
}

void rct_lists_append(rct_lists *l, int32_t i, int32_t item, double value)
{
    if (l->status == RCT_OK && l->count[i] == l->room[i]) {
        move(l, i);
    }
    if (l->status == RCT_OK) {
        const int64_t k = l->start[i] + l->count[i]++;
        l->item[k] = item;
        if (l->value != NULL) {
            l->value[k] = value;
        }
    }
}

int64_t rct_lists_find(const rct_lists *l, int32_t i, int32_t item)
{
    int64_t k = l->start[i];
    while (l->item[k] != item) {
        k++;
    }
    return k;
}

void rct_lists_erase(rct_lists *l, int32_t i, int64_t where)
{
    const int64_t end = l->start[i] + --l->count[i];
    l->item[where] = l->item[end];
    if (l->value != NULL) {
        l->value[where] = l->value[end];
    }
}

rct_ranks rct_ranks_create(int32_t size, int32_t most, rct_pool *pool, rct_error *error)
{
    rct_ranks r = {.head = rct_pool_take(pool, most + 1, sizeof *r.head, error)};
    r.next = rct_pool_take(pool, size, sizeof *r.next, error);
    r.before = rct_pool_take(pool, size, sizeof *r.before, error);
    r.in = rct_pool_take(pool, size, sizeof *r.in, error);
    if (!pool->failed) {
        memset(r.head, -1, (size_t)(most + 1) * sizeof *r.head);
        memset(r.in, -1, (size_t)size * sizeof *r.in);
    }
    return r;
}

void rct_ranks_leave(rct_ranks *r, int32_t i)
{
    if (r->in[i] < 0) {
        return;
    }
    if (r->before[i] >= 0) {
        r->next[r->before[i]] = r->next[i];
    } else {
        r->head[r->in[i]] = r->next[i];
    }
    if (r->next[i] >= 0) {
        r->before[r->next[i]] = r->before[i];
    }
    r->in[i] = -1;
}

void rct_ranks_enter(rct_ranks *r, int32_t i, int32_t number)
{
    rct_ranks_leave(r, i);
    if (number > 0) {
        r->in[i] = number;
        r->before[i] = -1;
        r->next[i] = r->head[number];
        if (r->next[i] >= 0) {
            r->before[r->next[i]] = i;
        }
        r->head[number] = i;
        r->widest = number > r->widest ? number : r->widest;
    }
}
