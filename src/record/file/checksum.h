/* CRC-32 as zlib has it, of all that files hold. The checksum of nothing is 0. */
#ifndef RCT_RECORD_FILE_CHECKSUM_H
#define RCT_RECORD_FILE_CHECKSUM_H

#include "record/file/call.h"

/* Of what has the checksum `sum` and `count` bytes behind it. */
uint32_t rct_checksum(uint32_t sum, const void *bytes, int64_t count);

/* The same of `size` bytes of a file from `at` on. */
void rct_checksum_file(rct_call *call, uint32_t *sum, int file, int64_t at, int64_t size);

/* What a part of the checksum `sum` adds to that of the whole, in which `behind` bytes are behind it: the checksum of the whole is
 * the exclusive or of what its parts add, in any order. */
uint32_t rct_checksum_part(uint32_t sum, int64_t behind);

#endif
