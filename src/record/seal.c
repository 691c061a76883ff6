/* The seal of a file (seal.h): CRC-32 of what is not in the ranges, then of the seal itself up to the checksum. */
#include "record/seal.h"

#include "core/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define MAGIC "RCTSEAL1"

enum { BLOCK = 1 << 16 };

/* As it stands in the file. */
typedef struct seal {
    int64_t count;
    rct_seal_range ranges[RCT_SEAL_RANGES]; /* ascending, apart from each other                  */
    int64_t file_bytes;                     /* with the seal                                     */
    uint64_t checksum;
    char magic[8];
} seal;

/* `size` bytes from `at` on; fewer are a failure. */
static void read_bytes(rct_call *call, int file, int64_t at, void *bytes, int64_t size)
{
    char *next = bytes;
    while (size > 0 && call->status == RCT_OK) {
        const ssize_t got = rct_call_go(call) ? pread(file, next, (size_t)size, (off_t)at) : -1;
        if (got > 0) {
            next += got;
            at += got;
            size -= got;
        } else if (got == 0) {
            rct_call_fail(call, RCT_ERROR_IO, "has become shorter while it was read");
        } else if (call->told_to_fail || errno != EINTR) {
            rct_call_system(call, -1, "read the file");
        }
    }
}

static void add_bytes(rct_call *call, int file, uLong *sum, char *block, int64_t at, int64_t end)
{
    while (at < end && call->status == RCT_OK) {
        const int64_t size = end - at < BLOCK ? end - at : BLOCK;
        read_bytes(call, file, at, block, size);
        *sum = crc32_z(*sum, (const Bytef *)block, (z_size_t)size);
        at += size;
    }
}

static uint64_t checksum_of(rct_call *call, int file, const seal *s)
{
    uLong sum = crc32_z(0, NULL, 0);
    int64_t at = 0;
    char *block = rct_call_allocate(call, BLOCK, 1, "checking a file");
    for (int64_t i = 0; i < s->count; i++) {
        add_bytes(call, file, &sum, block, at, s->ranges[i].at);
        at = s->ranges[i].at + s->ranges[i].bytes;
    }
    add_bytes(call, file, &sum, block, at, s->file_bytes - (int64_t)sizeof *s);
    rct_release(block);
    return crc32_z(sum, (const Bytef *)s, offsetof(seal, checksum));
}

static int by_place(const void *a, const void *b)
{
    const rct_seal_range *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

int64_t rct_seal_put(rct_call *call, int file, int64_t end, int count, rct_seal_range *ranges)
{
    seal s = {.count = count, .file_bytes = end + (int64_t)sizeof s};
    qsort(ranges, (size_t)count, sizeof *ranges, by_place);
    memcpy(s.ranges, ranges, (size_t)count * sizeof *ranges);
    memcpy(s.magic, MAGIC, sizeof s.magic);
    rct_call_system(call, rct_call_go(call) ? ftruncate(file, (off_t)end) : -1, "give back space");
    s.checksum = checksum_of(call, file, &s);
    const char *next = (const char *)&s;
    int64_t left = (int64_t)sizeof s;
    while (left > 0 && call->status == RCT_OK) {
        const off_t at = (off_t)(s.file_bytes - left);
        const ssize_t put = rct_call_go(call) ? pwrite(file, next, (size_t)left, at) : -1;
        if (put >= 0) {
            next += put;
            left -= put;
        } else if (call->told_to_fail || errno != EINTR) {
            rct_call_system(call, -1, "write the seal of the file");
        }
    }
    return s.file_bytes;
}

/* Whether its ranges lie in the file, one after the other. */
static int is_sound(const seal *s, int64_t file_bytes)
{
    int64_t at = 0;
    const int64_t end = file_bytes - (int64_t)sizeof *s;
    int sound = s->file_bytes == file_bytes && s->count >= 0 && s->count <= RCT_SEAL_RANGES;
    for (int64_t i = 0; sound && i < s->count; i++) {
        const rct_seal_range *r = &s->ranges[i];
        sound = r->at >= at && r->at <= end && r->bytes >= 0 && r->bytes <= end - r->at;
        at = r->at + r->bytes;
    }
    return sound;
}

int rct_seal_check(rct_call *call, int file)
{
    seal s;
    struct stat found;
    if (rct_call_system(call, rct_call_go(call) ? fstat(file, &found) : -1, "look at the file") <
        0) {
        return 0;
    }
    if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file, so no results");
    }
    if (call->status != RCT_OK || found.st_size < (off_t)sizeof s) {
        return 0;
    }
    read_bytes(call, file, found.st_size - (int64_t)sizeof s, &s, (int64_t)sizeof s);
    if (call->status != RCT_OK || memcmp(s.magic, MAGIC, sizeof s.magic) != 0) {
        return 0;
    }
    const int sound = is_sound(&s, found.st_size);
    if (!sound || checksum_of(call, file, &s) != s.checksum) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged, or was changed by another program: its seal is broken; take an "
                      "older copy");
    }
    return call->status == RCT_OK;
}
