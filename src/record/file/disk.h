/* The bytes of the file, as a driver of HDF5 over an open descriptor.
 *
 * HDF5 1.10 does not survive a write that fails: it cannot close the file any more, and falls over
 * its remains when the process ends. So it never sees one: the first transfer that fails is kept
 * here, later writes are dropped, and rct_call_hdf5 fails in HDF5's place. The driver also leaves
 * the length of the file alone, so that space reserved behind its end stays reserved, and does not
 * lock it: its structure never changes, it may be read while it is written. */
#ifndef RCT_RECORD_FILE_DISK_H
#define RCT_RECORD_FILE_DISK_H

#include "record/file/bytes.h"

#include <hdf5.h>

typedef struct rct_disk {
    int file;    /* descriptor open for reading and writing; the driver does not close it       */
    int failure; /* errno of the first transfer that failed since this was set to 0              */
    int fixed;   /* 1: nothing but numbers of datasets is written; what would change other bytes
                    fails (EPERM)                                                               */
    rct_ranges *numbers; /* where numbers of datasets are written, is added; NULL: nowhere       */
    int64_t read_at;     /* where numbers of a dataset were read last                           */
} rct_disk;

/* The driver. Its information for H5Pset_driver is an rct_disk *, which outlives the file. */
extern const H5FD_class_t rct_disk_driver;

/* Write past HDF5, by any thread, where it has given space to numbers of datasets: 0, or -1 and errno, which is not kept. And begin
 * to bring what was written so to the disk, where the system can: who waits for that later waits less. */
int rct_disk_write(const rct_disk *disk, int64_t at, const void *bytes, int64_t size);
void rct_disk_start(const rct_disk *disk, int64_t at, int64_t size);

/* Tests only: let `successes` further writes of this process pass, then fail every one; -1: never fail. */
void rct_disk_fail_after(int64_t successes);

#endif
