/* A file with an unused name; and symbolic links followed one by one, as the system does.
 * realpath() follows only links to a file that exists. */
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 1000, PERMISSIONS = 0777 };
enum { MOST_LINKS = 40 }; /* in a row, as on Linux */

/* If ownership cannot be given away, the file stays with this process; a set-user bit is not
 * copied. */
static void be_like(int file, const char *path)
{
    struct stat old;
    if (stat(path, &old) == 0 && S_ISREG(old.st_mode)) {
        if (fchown(file, old.st_uid, old.st_gid) != 0 && fchown(file, (uid_t)-1, old.st_gid) != 0) {
            errno = 0;
        }
        fchmod(file, old.st_mode & PERMISSIONS);
    }
}

int rct_new_file(char *name, const char *path, const char *suffix)
{
    const size_t size = strlen(path) + RCT_NEW_NAME;
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    int file = -1;
    for (int k = 0; k < ATTEMPTS && file < 0; k++) {
        snprintf(name, size, "%s.%ld-%d.%s", path, (long)getpid(), k, suffix);
        file = open(name, flags, 0666);
        if (file < 0 && errno != EEXIST) {
            break;
        }
    }
    if (file >= 0) {
        be_like(file, path);
    }
    return file;
}

/* The path that the link at `target` leads to: relative to its folder, unless it begins with a
 * slash. */
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
        if (length < 0) { /* no link, or no file there */
            return errno == EINVAL || errno == ENOENT ? 0 : -1;
        }
        link[length] = '\0';
        result = step(target, link);
    }
    errno = result == 0 ? ELOOP : errno;
    return -1;
}
