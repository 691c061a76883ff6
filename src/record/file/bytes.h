/* Bytes of an open file, all that are asked for, what the system does by parts being put together here; and ranges of them. */
#ifndef RCT_RECORD_FILE_BYTES_H
#define RCT_RECORD_FILE_BYTES_H

#include <stdint.h>

/* `size` bytes from `at` on: how many there were, fewer only where the file ends; -1 and errno on failure. */
int64_t rct_bytes_read(int file, int64_t at, void *bytes, int64_t size);

/* 0, or -1 and errno. */
int rct_bytes_write(int file, int64_t at, const void *bytes, int64_t size);

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
