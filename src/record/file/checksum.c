/* CRC-32 (checksum.h): zlib's, of the bytes that the machine has folded. */
#include "record/file/checksum.h"

#include "kernels/lane/fold.h"

#include <zlib.h>

enum { BLOCK = 1 << 14 }; /* bytes read at a time */

uint32_t rct_checksum(uint32_t sum, const void *bytes, int64_t count)
{
    unsigned char folded[RCT_FOLDED];
    const int64_t done = rct_fold(sum, bytes, count, folded);
    const uLong before = done > 0 ? crc32_z(UINT32_MAX, folded, sizeof folded) : sum;
    return (uint32_t)crc32_z(before, (const Bytef *)bytes + done, (z_size_t)(count - done));
}

void rct_checksum_file(rct_call *call, uint32_t *sum, int file, int64_t at, int64_t size)
{
    char block[BLOCK];
    while (size > 0 && call->status == RCT_OK) {
        const int64_t part = size < BLOCK ? size : BLOCK;
        rct_call_read(call, file, at, block, part);
        *sum = rct_checksum(*sum, block, part);
        at += part;
        size -= part;
    }
}

uint32_t rct_checksum_part(uint32_t sum, int64_t behind)
{
    return (uint32_t)crc32_combine(sum, 0, (z_off_t)behind);
}
