/* CRC-32 (checksum.h): zlib's, of what the machine has folded. */
#include "record/file/checksum.h"

#include "kernels/lane/fold.h"

#include <zlib.h>

uint32_t rct_checksum(uint32_t sum, const void *bytes, int64_t count)
{
    unsigned char folded[RCT_FOLDED];
    const int64_t done = rct_fold(sum, bytes, count, folded);
    const uLong before = done > 0 ? crc32_z(UINT32_MAX, folded, sizeof folded) : sum;
    return (uint32_t)crc32_z(before, (const Bytef *)bytes + done, (z_size_t)(count - done));
}

uint32_t rct_checksum_part(uint32_t sum, int64_t behind)
{
    return (uint32_t)crc32_combine(sum, 0, (z_off_t)behind);
}
