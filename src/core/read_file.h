/* A file read whole into memory. */
#ifndef RCT_CORE_READ_FILE_H
#define RCT_CORE_READ_FILE_H

#include <riccatree/status.h>

/* Everything up to the end of the file, which may be a pipe: `size` bytes, freed by rct_release.
 * `what` completes "cannot open ...". NULL with RCT_ERROR_IO or RCT_ERROR_MEMORY; the text does not
 * name the file, rct_error_name_file adds it. */
char *rct_read_file(const char *path, const char *what, int64_t *size, rct_error *error);

/* The same for a file that another file names: a pipe or a device is RCT_ERROR_IO, without waiting
 * for it. */
char *rct_read_regular_file(const char *path, const char *what, int64_t *size, rct_error *error);

/* Whether the first bytes are not those of another kind of file that users have beside `what`, which
 * begins with `own`: else RCT_ERROR_SYNTAX, "it is no `what` but ...", with what reads it. */
rct_status rct_check_kind(const char *text, int64_t size, const char *what, const char *own,
                          rct_error *error);

#endif
