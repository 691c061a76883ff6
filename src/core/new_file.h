/* A file that is written under a temporary name before it takes its final one. */
#ifndef RCT_CORE_NEW_FILE_H
#define RCT_CORE_NEW_FILE_H

#include <limits.h>

enum { RCT_NEW_NAME = 64 }; /* the most bytes by which the name is longer than `path` */

/* Create "PATH.PROCESS-K.SUFFIX", an unused name, for reading and writing; `name` has room for
 * strlen(path) + RCT_NEW_NAME bytes. No link is followed. If there is a regular file at `path`,
 * which the new file may replace, it gets the mode of that file, and its owner and group if this
 * process may give them; else the usual mode, less the umask. -1 and errno on failure. */
int rct_new_file(char *name, const char *path, const char *suffix);

/* `target` becomes the name to which `path` leads by symbolic links, whether a file is there or
 * not, so that a rename to it replaces no link. Without a link it is `path` as given. -1 and errno
 * on failure. */
int rct_follow_links(char target[PATH_MAX], const char *path);

#endif
