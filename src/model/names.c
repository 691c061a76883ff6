/* An index of names: a hash table with linear probing over names kept in blocks. */
#include "model/names.h"

#include "core/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 64, BLOCK_BYTES = 1 << 16 };

typedef struct block {
    struct block *previous;
    int64_t used, room; /* bytes of text */
    char text[];
} block;

typedef struct slot {
    const char *name; /* NULL: free */
    int32_t id;
} slot;

struct rct_names {
    slot *slots;
    int64_t slot_count; /* a power of two */
    int64_t count;
    block *last;
};

/* FNV-1a, 64 bits */
static int64_t hash(const char *name, int64_t slot_count)
{
    uint64_t h = 14695981039346656037ULL;
    for (const char *c = name; *c != '\0'; c++) {
        h = (h ^ (uint64_t)(unsigned char)*c) * 1099511628211ULL;
    }
    return (int64_t)((h ^ (h >> 32)) & (uint64_t)(slot_count - 1));
}

/* The slot that holds `name`, or the free one where it belongs. */
static slot *probe(slot *slots, int64_t slot_count, const char *name)
{
    int64_t i = hash(name, slot_count);
    while (slots[i].name != NULL && strcmp(slots[i].name, name) != 0) {
        i = (i + 1) & (slot_count - 1);
    }
    return &slots[i];
}

static rct_status grow(rct_names *names, rct_error *error)
{
    const int64_t slot_count = 2 * names->slot_count;
    slot *slots = rct_allocate(slot_count, sizeof *slots, "the index of names", error);
    if (slots == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < names->slot_count; i++) {
        if (names->slots[i].name != NULL) {
            *probe(slots, slot_count, names->slots[i].name) = names->slots[i];
        }
    }
    rct_release(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    return RCT_OK;
}

rct_names *rct_names_create(rct_error *error)
{
    rct_names *names = rct_allocate(1, sizeof *names, "the index of names", error);
    if (names == NULL) {
        return NULL;
    }
    names->slot_count = FIRST_SLOTS;
    names->slots = rct_allocate(FIRST_SLOTS, sizeof *names->slots, "the index of names", error);
    if (names->slots == NULL) {
        rct_release(names);
        return NULL;
    }
    return names;
}

void rct_names_free(rct_names *names)
{
    if (names == NULL) {
        return;
    }
    while (names->last != NULL) {
        block *previous = names->last->previous;
        rct_release(names->last);
        names->last = previous;
    }
    rct_release(names->slots);
    rct_release(names);
}

int64_t rct_names_bytes(const rct_names *names)
{
    int64_t bytes = (int64_t)sizeof *names + names->slot_count * (int64_t)sizeof *names->slots;
    for (const block *b = names->last; b != NULL; b = b->previous) {
        bytes += (int64_t)sizeof *b + b->room;
    }
    return bytes;
}

/* Room for `size` bytes of text; a name longer than a block has one of its own. */
static char *take(rct_names *names, int64_t size, rct_error *error)
{
    block *last = names->last;
    if (last == NULL || last->used + size > last->room) {
        const int64_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        last = rct_allocate((int64_t)sizeof *last + room, 1, "names", error);
        if (last == NULL) {
            return NULL;
        }
        last->previous = names->last;
        last->room = room;
        names->last = last;
    }
    char *text = last->text + last->used;
    last->used += size;
    return text;
}

const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error)
{
    const int64_t size = (int64_t)strlen(name) + 1;
    if (2 * (names->count + 1) > names->slot_count && grow(names, error) != RCT_OK) {
        return NULL;
    }
    slot *entry = probe(names->slots, names->slot_count, name);
    if (entry->name == NULL) {
        char *copy = take(names, size, error);
        if (copy == NULL) {
            return NULL;
        }
        memcpy(copy, name, (size_t)size);
        entry->name = copy;
        names->count++;
    }
    entry->id = id;
    return entry->name;
}

int32_t rct_names_find(const rct_names *names, const char *name)
{
    const slot *found = probe(names->slots, names->slot_count, name);
    return found->name != NULL ? found->id : -1;
}
