/* The seal of a file (seal.h): CRC-32 of the bytes outside of the ranges; the list of ranges is
 * among these bytes. */
#include "record/file/seal.h"

#include "core/memory.h"
#include "record/file/checksum.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC       "RCTSEAL2"
#define OLDER_MAGIC "RCTSEAL1"
#define HDF5_MAGIC  "\211HDF\r\n\032\n"

enum { MAGIC_BYTES = 8, OLDER_RANGES = 16 };

/* The head at the beginning of the file. */
typedef struct head {
    char magic[MAGIC_BYTES];
    int64_t end;   /* of HDF5; the ranges follow                                                 */
    int64_t count; /* number of ranges                                                           */
    uint64_t checksum;
    rct_counters counters;
    uint64_t counters_checksum;
} head;

/* The part of the head that the checksum leaves out, also a range. */
static const rct_range changing = {offsetof(head, checksum),
                                   sizeof(head) - offsetof(head, checksum)};

/* The seal at the end of a file of version 1. */
typedef struct older {
    int64_t count;
    rct_range ranges[OLDER_RANGES];
    int64_t file_bytes;
    uint64_t checksum;
    char magic[MAGIC_BYTES];
} older;

/* ---- bytes -------------------------------------------------------------------------------- */

static void write_bytes(rct_call *call, int file, int64_t at, const void *bytes, int64_t size)
{
    RCT_SYSTEM(call, "write the seal of the file", rct_bytes_write(file, at, bytes, size));
}

static int64_t length_of(rct_call *call, int file)
{
    struct stat found = {.st_mode = S_IFREG};
    RCT_SYSTEM(call, "look at the file", fstat(file, &found));
    if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file");
    }
    return (int64_t)found.st_size;
}

/* ---- checksums ---------------------------------------------------------------------------- */

/* The checksum of the bytes before `end` that are in no range. */
static uint32_t checksum_of(rct_call *call, int file, int64_t end, int64_t count,
                            const rct_range *ranges)
{
    uint32_t sum = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        rct_checksum_file(call, &sum, file, at, ranges[i].at - at);
        at = ranges[i].at + ranges[i].bytes;
    }
    rct_checksum_file(call, &sum, file, at, end - at);
    return sum;
}

/* Whether the ranges are before `end` and in order. */
static int are_sound(int64_t end, int64_t count, const rct_range *ranges)
{
    int64_t at = 0;
    int sound = 1;
    for (int64_t i = 0; sound && i < count; i++) {
        const rct_range *r = &ranges[i];
        sound = r->at >= at && r->at <= end && r->bytes >= 0 && r->bytes <= end - r->at;
        at = r->at + r->bytes;
    }
    return sound;
}

/* ---- making ------------------------------------------------------------------------------- */

int64_t rct_seal_put(rct_call *call, int file, int64_t end, rct_ranges *ranges)
{
    if (call->status == RCT_OK && rct_ranges_add(ranges, changing.at, changing.bytes) != 0) {
        rct_call_fail(call, RCT_ERROR_MEMORY, "out of memory for its seal; free some");
    }
    if (call->status != RCT_OK) {
        return 0;
    }
    rct_ranges_sort(ranges);
    const int64_t size = ranges->count * (int64_t)sizeof *ranges->range;
    head h = {.end = end, .count = ranges->count};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    RCT_SYSTEM(call, "give back space", ftruncate(file, (off_t)end));
    write_bytes(call, file, end, ranges->range, size);
    write_bytes(call, file, 0, &h, sizeof h);
    h.checksum = checksum_of(call, file, end + size, ranges->count, ranges->range);
    write_bytes(call, file, offsetof(head, checksum), &h.checksum, sizeof h.checksum);
    rct_seal_count(call, file, &h.counters);
    return end + size;
}

static uint64_t sum_of_counters(const rct_counters *counters)
{
    return rct_checksum(0, counters, sizeof *counters);
}

void rct_seal_count(rct_call *call, int file, const rct_counters *counters)
{
    struct {
        rct_counters counters;
        uint64_t checksum;
    } both = {*counters, sum_of_counters(counters)};
    write_bytes(call, file, offsetof(head, counters), &both, sizeof both);
}

/* ---- checking ----------------------------------------------------------------------------- */

static void fail_broken(rct_call *call)
{
    rct_call_fail(call, RCT_ERROR_IO,
                  "is damaged, or was changed by another program: its seal is broken; take an "
                  "older copy");
}

rct_counters rct_seal_counted(rct_call *call, int file)
{
    head h = {.end = 0};
    rct_call_read(call, file, 0, &h, sizeof h);
    if (call->status == RCT_OK && h.counters_checksum != sum_of_counters(&h.counters)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: its counters are not as they were written; take an older copy");
    }
    return h.counters;
}

static void check_whole(rct_call *call, int file, int64_t length)
{
    head h = {.end = -1};
    if (length >= (int64_t)sizeof h) {
        rct_call_read(call, file, 0, &h, sizeof h);
    }
    const int64_t left = length - h.end;
    const int fits = h.end >= RCT_SEAL_BYTES && h.end <= length && h.count >= 1 &&
                     h.count <= left / (int64_t)sizeof(rct_range) &&
                     h.count * (int64_t)sizeof(rct_range) == left;
    rct_range *ranges =
        fits ? rct_call_allocate(call, h.count, sizeof *ranges, "checking a file") : NULL;
    int whole = 0;
    if (ranges != NULL) {
        rct_call_read(call, file, h.end, ranges, left);
        whole = are_sound(h.end, h.count, ranges) && ranges[0].at == changing.at &&
                ranges[0].bytes == changing.bytes &&
                checksum_of(call, file, length, h.count, ranges) == h.checksum;
    }
    rct_release(ranges);
    if (!whole) {
        fail_broken(call);
    }
}

static rct_seal check_older(rct_call *call, int file, int64_t length)
{
    older s = {.count = 0};
    const int64_t end = length - (int64_t)sizeof s;
    if (end >= 0) {
        rct_call_read(call, file, end, &s, sizeof s);
    }
    if (memcmp(s.magic, OLDER_MAGIC, sizeof s.magic) != 0) {
        return RCT_SEAL_NONE;
    }
    const int sound = s.file_bytes == length && s.count >= 0 && s.count <= OLDER_RANGES &&
                      are_sound(end, s.count, s.ranges);
    const uint32_t sum = sound ? checksum_of(call, file, end, s.count, s.ranges) : 0;
    if (!sound || rct_checksum(sum, &s, offsetof(older, checksum)) != s.checksum) {
        fail_broken(call);
    }
    return RCT_SEAL_OLDER;
}

rct_seal rct_seal_check(rct_call *call, int file)
{
    char magic[MAGIC_BYTES] = {0};
    const int64_t length = length_of(call, file);
    if (length >= (int64_t)sizeof magic) {
        rct_call_read(call, file, 0, magic, sizeof magic);
    }
    if (memcmp(magic, HDF5_MAGIC, sizeof magic) == 0) {
        return check_older(call, file, length);
    }
    if (memcmp(magic, MAGIC, sizeof magic) != 0) {
        return RCT_SEAL_FOREIGN;
    }
    check_whole(call, file, length);
    return RCT_SEAL_WHOLE;
}
