/* CRC-32 as in zlib, of the content of files. The checksum of no bytes is 0. */
#ifndef RCT_RECORD_FILE_CHECKSUM_H
#define RCT_RECORD_FILE_CHECKSUM_H

#include "record/file/call.h"

/* The checksum of data with the checksum `sum`, followed by `count` bytes. */
uint32_t rct_checksum(uint32_t sum, const void *bytes, int64_t count);

/* The same for `size` bytes of a file from `at` on. */
void rct_checksum_file(rct_call *call, uint32_t *sum, int file, int64_t at, int64_t size);

/* The contribution of a part with the checksum `sum` to the checksum of the whole, in which
 * `behind` bytes follow it. The checksum of the whole is the exclusive or of the contributions,
 * in any order. */
uint32_t rct_checksum_part(uint32_t sum, int64_t behind);

#endif
