/* Locks on files that are written (lock.h). */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "record/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int rct_lock(int file, short kind)
{
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Whether it still has its name: the process that had it locked may have removed it. */
static int is_there(int file, const char *path)
{
    struct stat own, named;
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

int rct_lock_file_open(const char *path)
{
    for (;;) {
        const int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0) {
            return -1;
        }
        const int held = rct_lock(file, F_WRLCK);
        if (held && is_there(file, path)) {
            return file;
        }
        close(file);
        if (!held) {
            errno = EWOULDBLOCK;
            return -1;
        }
    }
}

void rct_lock_file_close(int file, const char *path)
{
    if (file >= 0) {
        if (is_there(file, path)) {
            unlink(path); /* before another process can lock it */
        }
        close(file);
    }
}
