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
} rct_disk;

/* The driver. Its information for H5Pset_driver is an rct_disk *, which outlives the file. */
extern const H5FD_class_t rct_disk_driver;

/* Tests only: let `successes` further writes pass, then fail every one; -1: never fail. Holds for
 * the calling thread. */
void rct_disk_fail_after(int64_t successes);

#endif
