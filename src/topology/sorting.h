/* A stable counting sort, which also lists what belongs to what: children by parents, wrenches by links. */
#ifndef RCT_TOPOLOGY_SORTING_H
#define RCT_TOPOLOGY_SORTING_H

#include <stdint.h>
#include <string.h>

/* The numbers 0 .. count - 1 by keys 0 .. keys - 1, among equals in order: those of key k stand from begin[k] to
 * begin[k + 1]. Negative keys leave them out. `begin`: [keys + 1]. */
static inline void rct_sort_by_key(int32_t *sorted, int32_t *begin, const int32_t *key,
                                   int32_t count, int32_t keys)
{
    memset(begin, 0, ((size_t)keys + 1) * sizeof *begin);
    for (int32_t i = 0; i < count; i++) {
        if (key[i] >= 0) {
            begin[key[i] + 1]++;
        }
    }
    for (int32_t k = 0; k < keys; k++) {
        begin[k + 1] += begin[k];
    }
    for (int32_t i = 0; i < count; i++) {
        if (key[i] >= 0) {
            sorted[begin[key[i]]++] = i; /* begin[k] becomes where k ends */
        }
    }
    memmove(begin + 1, begin, (size_t)keys * sizeof *begin);
    begin[0] = 0;
}

#endif
