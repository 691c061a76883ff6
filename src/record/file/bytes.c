/* Bytes of an open file (bytes.h). */
#include "record/file/bytes.h"

#include <errno.h>
#include <unistd.h>

enum { LARGEST_TRANSFER = 1 << 30 }; /* bytes in one call of the system */

static size_t next_transfer(int64_t size)
{
    return (size_t)(size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER);
}

int64_t rct_bytes_read(int file, int64_t at, void *bytes, int64_t size)
{
    int64_t got = 0;
    while (got < size) {
        const ssize_t part =
            pread(file, (char *)bytes + got, next_transfer(size - got), (off_t)(at + got));
        if (part == 0) {
            break;
        }
        if (part < 0 && errno != EINTR) {
            return -1;
        }
        got += part > 0 ? part : 0;
    }
    return got;
}

int rct_bytes_write(int file, int64_t at, const void *bytes, int64_t size)
{
    int64_t put = 0;
    while (put < size) {
        const ssize_t part =
            pwrite(file, (const char *)bytes + put, next_transfer(size - put), (off_t)(at + put));
        if (part < 0 && errno != EINTR) {
            return -1;
        }
        put += part > 0 ? part : 0;
    }
    return 0;
}
