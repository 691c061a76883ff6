/* Bytes of an open file, all that are asked for: what the system does by parts is put together here. */
#ifndef RCT_RECORD_FILE_BYTES_H
#define RCT_RECORD_FILE_BYTES_H

#include <stdint.h>

/* `size` bytes from `at` on: how many there were, fewer only where the file ends; -1 and errno on failure. */
int64_t rct_bytes_read(int file, int64_t at, void *bytes, int64_t size);

/* 0, or -1 and errno. */
int rct_bytes_write(int file, int64_t at, const void *bytes, int64_t size);

#endif
