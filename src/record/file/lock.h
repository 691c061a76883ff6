/* Locks on files that are written: of an open file, advisory, and gone with the process that has it open. They are not those
 * that HDF5 takes to read (flock), which are in nobody's way. */
#ifndef RCT_RECORD_FILE_LOCK_H
#define RCT_RECORD_FILE_LOCK_H

/* F_RDLCK or F_WRLCK on the whole file; 0: another process holds one that is in the way. 1 also on a file system without locks,
 * where nobody is warned. */
int rct_lock(int file, short kind);

/* Create the lock file `path`, or open what a killed process left of it, and lock it: a descriptor. -1 and errno on failure,
 * EWOULDBLOCK if another process has it. Let go of it by rct_lock_file_close, which removes it. */
int rct_lock_file_open(const char *path);
void rct_lock_file_close(int file, const char *path);

#endif
