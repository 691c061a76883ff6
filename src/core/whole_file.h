/* A file that appears whole or not at all: it is written under another name in the same directory,
 * put on disk, then renamed. It gets mode and owner of the file that it replaces. If the path
 * exists and is no regular file (a pipe, a device), it is written directly. */
#ifndef RCT_CORE_WHOLE_FILE_H
#define RCT_CORE_WHOLE_FILE_H

#include <riccatree/status.h>

#include <stdint.h>
#include <stdio.h>

typedef struct rct_whole_file {
    FILE *stream;    /* write here, stop when ferror() is set; closing the file gives the reason */
    char *path;      /* its final name, symbolic links followed */
    char *temporary; /* its name until then; NULL if written directly */
    int descriptor;  /* of a file written directly, and the bytes that were written to it */
    int64_t bytes;
} rct_whole_file;

/* RCT_ERROR_ARGUMENT where `path` leads to the file `from`, which is read while `path` is
 * written. */
rct_status rct_whole_file_apart(const char *path, const char *from, rct_error *error);

/* RCT_ERROR_IO: the file cannot be made, with the reason; RCT_ERROR_ARGUMENT: `path` is NULL or
 * "". */
rct_status rct_whole_file_open(rct_whole_file *file, const char *path, rct_error *error);

/* How many bytes were written. */
int64_t rct_whole_file_bytes(const rct_whole_file *file);

/* Give the file its name if `status` is RCT_OK and every byte is on disk, else remove it. Returns
 * `status`, or RCT_ERROR_IO with the reason of a failure here. */
rct_status rct_whole_file_close(rct_whole_file *file, rct_status status, rct_error *error);

#endif
