/* CRC-32 as zlib has it, of all that files hold. The checksum of nothing is 0. */
#ifndef RCT_RECORD_FILE_CHECKSUM_H
#define RCT_RECORD_FILE_CHECKSUM_H

#include <stdint.h>

/* Of what has the checksum `sum` and `count` bytes behind it. */
uint32_t rct_checksum(uint32_t sum, const void *bytes, int64_t count);

/* What a part of the checksum `sum` adds to that of the whole, in which `behind` bytes are behind it: the checksum of the whole is
 * the exclusive or of what its parts add, in any order. */
uint32_t rct_checksum_part(uint32_t sum, int64_t behind);

#endif
