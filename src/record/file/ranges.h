/* Ranges of bytes in a file. */
#ifndef RCT_RECORD_FILE_RANGES_H
#define RCT_RECORD_FILE_RANGES_H

#include <stdint.h>

typedef struct rct_range {
    int64_t at, bytes;
} rct_range;

typedef struct rct_ranges {
    rct_range *range;
    int64_t count, room;
} rct_ranges;

/* Add one, to the last where it goes on from there; -1: no memory. */
int rct_ranges_add(rct_ranges *ranges, int64_t at, int64_t bytes);

/* In the order of the file; those that touch become one. */
void rct_ranges_sort(rct_ranges *ranges);
void rct_ranges_release(rct_ranges *ranges);

#endif
