/* A file that is written under a name of its own before it takes the one it is to have. */
#ifndef RCT_CORE_NEW_FILE_H
#define RCT_CORE_NEW_FILE_H

#include <limits.h>

enum { RCT_NEW_NAME = 64 }; /* more bytes than `path` has, at most */

/* Create "PATH.PROCESS-K.SUFFIX", which nobody has, for reading and writing; `name` has room for strlen(path) + RCT_NEW_NAME
 * bytes. It follows no link. Where a regular file is at `path`, whose name it may take, it has the mode of that, and its owner and
 * group as far as this process may give them away; else the usual mode, cut by the umask. -1 and errno on failure. */
int rct_new_file(char *name, const char *path, const char *suffix);

/* `target` becomes the name to which `path` leads by symbolic links, whether or not a file is there yet: what is renamed to it
 * replaces no link. Without a link it is `path` as it was given. -1 and errno on failure. */
int rct_follow_links(char target[PATH_MAX], const char *path);

#endif
