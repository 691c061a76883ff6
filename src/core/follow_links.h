/* Where a file lies that is written under a name that may be a link. */
#ifndef RCT_CORE_FOLLOW_LINKS_H
#define RCT_CORE_FOLLOW_LINKS_H

#include <limits.h>

/* `target` becomes the name to which `path` leads by symbolic links, whether or not a file is there yet: what is renamed to it
 * replaces no link. Without a link it is `path` as it was given. -1 and errno on failure. */
int rct_follow_links(char target[PATH_MAX], const char *path);

#endif
