/* A file that is written under a name of its own before it takes the one it is to have. */
#ifndef RCT_CORE_NEW_FILE_H
#define RCT_CORE_NEW_FILE_H

#include <stdint.h>

enum { RCT_NEW_NAME = 64 }; /* more bytes than `path` has, at most */

/* Create "PATH.PROCESS-K.SUFFIX", which nobody has, for reading and writing; `name` has room for strlen(path) + RCT_NEW_NAME
 * bytes. It follows no link. Where a regular file is at `path`, whose name it may take, it has the mode of that, and its owner and
 * group as far as this process may give them away; else the usual mode, cut by the umask. -1 and errno on failure. */
int rct_new_file(char *name, const char *path, const char *suffix);

#endif
