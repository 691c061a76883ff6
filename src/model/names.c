/* Names: made-up names, names that are refused (too long, not UTF-8, which no JSON file could
 * hold, or with a special meaning where a parent is named), and their index: a hash table with
 * linear probing over names kept in blocks. */
#include "model/names.h"

#include "core/character.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

typedef struct slot {
    const char *name; /* NULL: free */
    int32_t id;
    uint32_t hash;
} slot;

struct rct_names {
    slot *slots;
    int64_t slot_count; /* a power of two */
    int64_t count;
    rct_arena text;
    atomic_int owners;
};

/* By hand, because every body of a model passes here, most of them twice. */
static void append_number(char *end, int64_t number)
{
    char digits[24];
    int count = 0;
    if (number < 0) { /* no name that a body, loop or event could have */
        *end++ = '-';
        number = -number;
    }
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *end++ = digits[--count];
    }
    *end = '\0';
}

void rct_answer(char text[RCT_NAME_SIZE], const char *name, const char *word, int64_t number)
{
    const int own = name != NULL && name[0] != '\0';
    const size_t length = own ? strnlen(name, RCT_NAME_SIZE - 1) : strlen(word);
    memcpy(text, own ? name : word, length);
    text[length] = '\0';
    if (!own) {
        append_number(text + length, number);
    }
}

int32_t rct_made_up(const char *name, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(name, word, length) != 0) {
        return -1;
    }
    const long long number = strtoll(name + length, NULL, 10);
    if (number < 0 || number > INT32_MAX) {
        return -1;
    }
    char text[RCT_NAME_SIZE];
    rct_answer(text, NULL, word, number);
    return strcmp(text, name) == 0 ? (int32_t)number : -1;
}

const char *rct_name_trouble(const char *name)
{
    const char *end = name + strlen(name);
    if (end - name >= RCT_NAME_SIZE) {
        return "is longer than 127 bytes; shorten it";
    }
    for (const char *c = name; c < end;) {
        const int size = rct_character_size(c, end - c);
        if (size == 0) {
            return "is not UTF-8 text; give it in UTF-8";
        }
        c += size;
    }
    return NULL;
}

const char *rct_body_name_trouble(const char *name)
{
    const int taken = strcmp(name, "ground") == 0 || strcmp(name, "previous") == 0;
    return taken ? "is reserved: ground and previous stand for parents; give the body another name"
                 : rct_name_trouble(name);
}

/* FNV-1a of 64 bits, folded */
static uint32_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037ULL;
    for (const char *c = name; *c != '\0'; c++) {
        h = (h ^ (uint64_t)(unsigned char)*c) * 1099511628211ULL;
    }
    return (uint32_t)(h ^ (h >> 32));
}

/* The slot of `name`, or the free slot where it belongs. */
static slot *probe(const rct_names *names, const char *name, uint32_t hash)
{
    slot *slots = names->slots;
    int64_t i = hash & (names->slot_count - 1);
    while (slots[i].name != NULL && (slots[i].hash != hash || strcmp(slots[i].name, name) != 0)) {
        i = (i + 1) & (names->slot_count - 1);
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
            int64_t k = names->slots[i].hash & (slot_count - 1);
            while (slots[k].name != NULL) {
                k = (k + 1) & (slot_count - 1);
            }
            slots[k] = names->slots[i];
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
    if (names != NULL) {
        names->slot_count = FIRST_SLOTS;
        names->slots = rct_allocate(FIRST_SLOTS, sizeof *names->slots, "the index of names", error);
    }
    if (names == NULL || names->slots == NULL) {
        rct_release(names);
        return NULL;
    }
    atomic_init(&names->owners, 1);
    return names;
}

rct_names *rct_names_share(rct_names *names)
{
    atomic_fetch_add_explicit(&names->owners, 1, memory_order_relaxed);
    return names;
}

void rct_names_free(rct_names *names)
{
    if (names == NULL || atomic_fetch_sub_explicit(&names->owners, 1, memory_order_acq_rel) > 1) {
        return;
    }
    rct_arena_free(&names->text);
    rct_release(names->slots);
    rct_release(names);
}

int64_t rct_names_bytes(const rct_names *names)
{
    return ((int64_t)sizeof *names + names->slot_count * (int64_t)sizeof *names->slots +
            rct_arena_bytes(&names->text)) /
           atomic_load_explicit(&names->owners, memory_order_relaxed);
}

const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error)
{
    const int64_t size = (int64_t)strlen(name) + 1;
    const uint32_t hash = hash_of(name);
    if (2 * (names->count + 1) > names->slot_count && grow(names, error) != RCT_OK) {
        return NULL;
    }
    slot *entry = probe(names, name, hash);
    if (entry->name == NULL) {
        char *copy = rct_arena_take(&names->text, size, "names", error);
        if (copy == NULL) {
            return NULL;
        }
        memcpy(copy, name, (size_t)size);
        entry->name = copy;
        entry->hash = hash;
        names->count++;
    }
    entry->id = id;
    return entry->name;
}

int32_t rct_names_find(const rct_names *names, const char *name)
{
    const slot *found = probe(names, name, hash_of(name));
    return found->name != NULL ? found->id : -1;
}

const char *rct_names_hint(const rct_names *names, const char *name, const char *advice,
                           char text[RCT_ERROR_TEXT_SIZE])
{
    rct_nearest nearest = {.given = name};
    for (int64_t i = 0; i < names->slot_count; i++) {
        if (names->slots[i].name != NULL) {
            rct_nearest_offer(&nearest, names->slots[i].name);
        }
    }
    return rct_nearest_hint(&nearest, advice, text);
}
