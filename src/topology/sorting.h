/* A stable counting sort. It also lists members by owners: children by parents, wrenches by
 * links. */
#ifndef RCT_TOPOLOGY_SORTING_H
#define RCT_TOPOLOGY_SORTING_H

#include <stdint.h>
#include <string.h>

/* Sorts the numbers 0 .. count - 1 by keys 0 .. keys - 1, among equals in order: those of key k
 * stand from begin[k] to begin[k + 1]. Numbers with negative keys are left out. `begin`:
 * [keys + 1]. */
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
