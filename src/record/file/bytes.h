/* Read and write all bytes asked for, also where the system transfers them in parts; and ranges
 * of bytes. */
#ifndef RCT_RECORD_FILE_BYTES_H
#define RCT_RECORD_FILE_BYTES_H

#include <stdint.h>

/* Read `size` bytes from `at` on. Returns how many there were, fewer only at the end of the
 * file; -1 and errno on failure. */
int64_t rct_bytes_read(int file, int64_t at, void *bytes, int64_t size);

/* Returns 0, or -1 and errno. */
int rct_bytes_write(int file, int64_t at, const void *bytes, int64_t size);

typedef struct rct_range {
    int64_t at, bytes;
} rct_range;

typedef struct rct_ranges {
    rct_range *range;
    int64_t count, room;
} rct_ranges;

/* Add a range; it extends the last one if it continues it. -1: no memory. */
int rct_ranges_add(rct_ranges *ranges, int64_t at, int64_t bytes);

/* Sort by place in the file; ranges that touch become one. */
void rct_ranges_sort(rct_ranges *ranges);
void rct_ranges_release(rct_ranges *ranges);

#endif
