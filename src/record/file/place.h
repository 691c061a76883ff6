/* Where the recording lies while it is made: in a file of its own next to the final one, whose name
 * it takes only when it is whole and its space reserved. Until then an older file stays as is. */
#ifndef RCT_RECORD_FILE_PLACE_H
#define RCT_RECORD_FILE_PLACE_H

#include "record/file/call.h"

typedef struct rct_place {
    char *path; /* final name, symbolic links followed                                           */
    char *part; /* name while it is made: "PATH.<process>-<k>.part"; NULL when it is settled    */
    rct_disk disk; /* the file under either name, or descriptor -1                               */
    int overwrite;
} rct_place;

/* Check the final name and create the file under the temporary one. */
void rct_place_open(rct_place *place, rct_call *call, int overwrite);

/* Open a file that is there, settled already. */
void rct_place_reopen(rct_place *place, rct_call *call);

/* Take `bytes` of disk space for it, or fail at once. */
void rct_place_reserve(const rct_place *place, rct_call *call, int64_t bytes);

/* Give back what lies behind the first `bytes`, and the file its final name. */
void rct_place_settle(rct_place *place, rct_call *call, int64_t bytes);

/* Hold a shared lock on it until it is closed, where the file system has locks. */
void rct_place_share(const rct_place *place, rct_call *call);

/* Fail if another process holds one for so long. */
void rct_place_alone(const rct_place *place, rct_call *call, double seconds);

/* Fail if another process holds one on the file that this one is to replace. */
void rct_place_check_replaced(const rct_place *place, rct_call *call);

/* Locks are of an open file, advisory, and gone with the process that has it open; they are not those that HDF5 takes to read
 * (flock), which are in nobody's way. F_RDLCK or F_WRLCK on the whole file; 0: another process holds one that is in the way. 1 also
 * on a file system without locks, where nobody is warned. */
int rct_lock(int file, short kind);

/* Wait until the disk holds everything written. */
void rct_place_sync(const rct_place *place, rct_call *call);

/* Close it; a file that is not settled is removed. */
void rct_place_close(rct_place *place, rct_call *call);

#endif
