/* A file of a name that nobody has. */
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 1000, PERMISSIONS = 0777 };

/* What cannot be given away stays with this process; a set-user bit is not carried over. */
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
