/* Symbolic links followed one by one, as the system does; realpath() follows only those to a file that is there. */
#include "core/follow_links.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* in a row, as on Linux */

/* What the link at `target` leads to: beside it, unless it begins with a slash. */
static int step(char target[PATH_MAX], const char *link)
{
    const char *slash = strrchr(target, '/');
    const size_t kept = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - target);
    const size_t size = strlen(link) + 1;
    if (kept + size > PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(target + kept, link, size);
    return 0;
}

int rct_follow_links(char target[PATH_MAX], const char *path)
{
    char link[PATH_MAX];
    target[0] = '\0';
    int result = step(target, path);
    for (int k = 0; k < MOST_LINKS && result == 0; k++) {
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) { /* no link, or nothing there */
            return errno == EINVAL || errno == ENOENT ? 0 : -1;
        }
        link[length] = '\0';
        result = step(target, link);
    }
    errno = result == 0 ? ELOOP : errno;
    return -1;
}
