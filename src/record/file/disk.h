/* The bytes of the file, as a driver of HDF5 over an open descriptor.
 *
 * HDF5 1.10 does not survive a failed write: it can no longer close the file, and fails on the
 * remains when the process ends. So it never sees a failure: the driver keeps the first transfer
 * that fails and drops later writes, and rct_call_hdf5 fails instead of HDF5. The driver also
 * leaves the length of the file unchanged, so that space reserved behind its end stays reserved.
 * It does not lock the file: its structure never changes, so it may be read while it is written. */
#ifndef RCT_RECORD_FILE_DISK_H
#define RCT_RECORD_FILE_DISK_H

#include "record/file/bytes.h"

#include <hdf5.h>

typedef struct rct_disk {
    int file;    /* descriptor open for reading and writing; the driver does not close it       */
    int failure; /* errno of the first transfer that failed since this was set to 0              */
    int fixed;   /* 1: only numbers of datasets are written; changing other bytes fails (EPERM) */
    rct_ranges *numbers; /* collects where numbers of datasets are written; may be NULL          */
    int64_t read_at;     /* where numbers of a dataset were read last                           */
} rct_disk;

/* The driver. Its information for H5Pset_driver is an rct_disk *, which outlives the file. */
extern const H5FD_class_t rct_disk_driver;

/* Write past HDF5, from any thread, where HDF5 has allocated space for numbers of datasets.
 * Returns 0, or -1 and errno, which is not kept. The second function starts to bring these bytes
 * to the disk, if the system can, so that a later wait for the disk is shorter. */
int rct_disk_write(const rct_disk *disk, int64_t at, const void *bytes, int64_t size);
void rct_disk_start(const rct_disk *disk, int64_t at, int64_t size);

/* Tests only: let `successes` further writes of this process pass, then fail every write; -1:
 * never fail. */
void rct_disk_fail_after(int64_t successes);

#endif
