/* The place of a recording while it is made: a file of its own beside the final one. It takes
 * the final name only when it is whole and its space is reserved. Until then an older file stays
 * unchanged. */
#ifndef RCT_RECORD_FILE_PLACE_H
#define RCT_RECORD_FILE_PLACE_H

#include "record/file/call.h"

typedef struct rct_place {
    char *path; /* final name, symbolic links followed                                           */
    char *part; /* name while it is made: "PATH.<process>-<k>.part"; NULL when it is settled    */
    rct_disk disk; /* the file under either name; descriptor -1 if none                          */
    int overwrite;
} rct_place;

/* Check the final name and create the file under the temporary one. */
void rct_place_open(rct_place *place, rct_call *call, int overwrite);

/* Open an existing file, which has its final name. */
void rct_place_reopen(rct_place *place, rct_call *call);

/* Reserve `bytes` of disk space for it, or fail at once with the advice to free space or to do
 * `less`; NULL: no such advice. */
void rct_place_reserve(const rct_place *place, rct_call *call, int64_t bytes, const char *less);

/* Free the space behind the first `bytes`, and give the file its final name. */
void rct_place_settle(rct_place *place, rct_call *call, int64_t bytes);

/* Hold a shared lock on the file until it is closed, if the file system has locks. */
void rct_place_share(const rct_place *place, rct_call *call);

/* Fail if another process holds a lock on it during all these seconds. */
void rct_place_alone(const rct_place *place, rct_call *call, double seconds);

/* Fail if another process holds a lock on the file that this one is to replace. */
void rct_place_check_replaced(const rct_place *place, rct_call *call);

/* Locks belong to an open file, are advisory, and end with the process that has it open. They
 * are not the locks that HDF5 takes to read (flock), and do not conflict with those. Put F_RDLCK
 * or F_WRLCK on the whole file; 0: another process holds a conflicting lock. 1 also on a file
 * system without locks, where nobody is warned. */
int rct_lock(int file, short kind);

/* Wait until everything written is on the disk. */
void rct_place_sync(const rct_place *place, rct_call *call);

/* Close it; a file without its final name is removed. */
void rct_place_close(rct_place *place, rct_call *call);

#endif
