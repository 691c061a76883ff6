/* The bytes of the file, as a driver of HDF5 (the interface of 1.10 and 1.12), and past HDF5. */
#define _GNU_SOURCE /* sync_file_range */
#include "record/file/disk.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMPARED = 4096 }; /* bytes compared at once */

static atomic_llong successes_left = INT64_MAX;

void rct_disk_fail_after(int64_t successes)
{
    atomic_store(&successes_left, successes < 0 ? INT64_MAX : successes);
}

/* An open file for HDF5; HDF5's own part comes first. */
typedef struct disk_file {
    H5FD_t hdf5;
    rct_disk *disk;
    haddr_t allocated, written; /* end of what HDF5 has allocated, and of what it has written */
} disk_file;

static H5FD_t *open_disk(const char *name, unsigned flags, hid_t access, haddr_t largest)
{
    (void)name;
    (void)largest;
    struct stat found;
    rct_disk *const *disk = H5Pget_driver_info(access);
    if (disk == NULL) {
        return NULL;
    }
    disk_file *file = rct_allocate(1, sizeof *file, "a file", NULL);
    if (file != NULL) {
        file->disk = *disk;
        /* a file to be made has space reserved but nothing written */
        if ((flags & H5F_ACC_TRUNC) == 0 && fstat((*disk)->file, &found) == 0) {
            file->written = (haddr_t)found.st_size;
        }
    } else {
        (*disk)->failure = ENOMEM;
    }
    return (H5FD_t *)file;
}

static herr_t close_disk(H5FD_t *hdf5)
{
    rct_release(hdf5);
    return 0;
}

static herr_t query_disk(const H5FD_t *hdf5, unsigned long *flags)
{
    (void)hdf5;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t allocated(const H5FD_t *hdf5, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)hdf5)->allocated;
}

static herr_t allocate(H5FD_t *hdf5, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((disk_file *)hdf5)->allocated = end;
    return 0;
}

static haddr_t written(const H5FD_t *hdf5, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)hdf5)->written;
}

static herr_t read_disk(H5FD_t *hdf5, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                        void *bytes)
{
    (void)transfer;
    rct_disk *disk = ((disk_file *)hdf5)->disk;
    disk->read_at = type == H5FD_MEM_DRAW ? (int64_t)at : disk->read_at;
    const int64_t got = rct_bytes_read(disk->file, (int64_t)at, bytes, (int64_t)size);
    const size_t there = got > 0 ? (size_t)got : 0;
    if (got < 0 && disk->failure == 0) {
        disk->failure = errno;
    }
    memset((char *)bytes + there, 0, size - there); /* beyond the end: zeros, as for any file */
    return 0;
}

int rct_disk_write(const rct_disk *disk, int64_t at, const void *bytes, int64_t size)
{
    if (atomic_fetch_sub_explicit(&successes_left, 1, memory_order_relaxed) <= 0) {
        errno = EIO;
        return -1;
    }
    return rct_bytes_write(disk->file, at, bytes, size);
}

void rct_disk_start(const rct_disk *disk, int64_t at, int64_t size)
{
#if defined(SYNC_FILE_RANGE_WRITE)
    (void)sync_file_range(disk->file, at, size, SYNC_FILE_RANGE_WRITE); /* fsync says what failed */
#else
    (void)disk, (void)at, (void)size;
#endif
}

/* Whether the bytes are in the file already: HDF5 rewrites the head of a file when it closes it,
 * changed or not. */
static int stands_there(const rct_disk *disk, const char *bytes, size_t size, haddr_t at)
{
    char block[COMPARED];
    int same = 1;
    while (same && size > 0) {
        const size_t part = size < sizeof block ? size : sizeof block;
        same = pread(disk->file, block, part, (off_t)at) == (ssize_t)part &&
               memcmp(block, bytes, part) == 0;
        bytes += part;
        at += part;
        size -= part;
    }
    return same;
}

static herr_t write_disk(H5FD_t *hdf5, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         const void *bytes)
{
    (void)transfer;
    disk_file *file = (disk_file *)hdf5;
    const haddr_t end = at + size;
    if (file->disk->fixed && type != H5FD_MEM_DRAW) { /* other processes write to this file too */
        const int same = stands_there(file->disk, bytes, size, at);
        file->disk->failure = same || file->disk->failure != 0 ? file->disk->failure : EPERM;
        return 0;
    }
    if (file->disk->numbers != NULL && type == H5FD_MEM_DRAW &&
        rct_ranges_add(file->disk->numbers, (int64_t)at, (int64_t)size) != 0) {
        file->disk->failure = ENOMEM;
    }
    if (file->disk->failure == 0 &&
        rct_disk_write(file->disk, (int64_t)at, bytes, (int64_t)size) != 0) {
        file->disk->failure = errno;
    }
    file->written = end > file->written ? end : file->written;
    return 0;
}

const H5FD_class_t rct_disk_driver = {
    .name = "riccatree",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(rct_disk *),
    .open = open_disk,
    .close = close_disk,
    .query = query_disk,
    .get_eoa = allocated,
    .set_eoa = allocate,
    .get_eof = written,
    .read = read_disk,
    .write = write_disk,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};
