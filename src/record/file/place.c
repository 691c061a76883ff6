/* The place of a recording while it is made. The file system reserves the space, so a disk that
 * is too small, a quota or a limit shows before the computation. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "record/file/place.h"

#include "core/clock.h"
#include "core/memory.h"
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { LINK_SHOWN = 160 };

/* Check what the final name refers to; `target` becomes the name to take. */
static void check_target(rct_place *place, rct_call *call, char target[PATH_MAX])
{
    struct stat found;
    if (!rct_call_go(call) || stat(call->path, &found) != 0) {
        if (call->told_to_fail || errno != ENOENT) {
            rct_call_system(call, -1, "look at the file");
        }
    } else if (S_ISDIR(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is a directory; give the name of a file");
    } else if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file; choose another name");
    } else if (!place->overwrite) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "already exists; choose another name or ask to overwrite it");
    }
    RCT_SYSTEM(call, "follow its links", rct_follow_links(target, call->path));
}

static void create_part(rct_place *place, rct_call *call)
{
    char what[LINK_SHOWN + 64] = "create the file";
    char *part = rct_call_print(call, RCT_NEW_NAME, "the name of a recording", "%s", place->path);
    if (strcmp(place->path, call->path) != 0) {
        snprintf(what, sizeof what, "create the file %.*s, to which it is a link", LINK_SHOWN,
                 place->path);
    }
    place->disk.file = RCT_SYSTEM(call, what, rct_new_file(part, place->path, "part"));
    if (place->disk.file >= 0) {
        place->part = part;
    } else {
        rct_release(part);
    }
}

void rct_place_open(rct_place *place, rct_call *call, int overwrite)
{
    char target[PATH_MAX] = "";
    *place = (rct_place){.disk.file = -1, .overwrite = overwrite};
    if (strlen(call->path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        rct_call_system(call, -1, "create the file");
    }
    check_target(place, call, target);
    place->path = rct_call_print(call, 0, "the name of a recording", "%s", target);
    if (place->path != NULL) {
        create_part(place, call);
    }
}

void rct_place_reopen(rct_place *place, rct_call *call)
{
    struct stat found = {.st_mode = S_IFREG};
    *place = (rct_place){.disk.file = -1};
    place->path = rct_call_print(call, 0, "the name of a recording", "%s", call->path);
    place->disk.file = rct_call_go(call) ? open(call->path, O_RDWR | O_CLOEXEC) : -1;
    if (place->disk.file < 0 && !call->told_to_fail && errno == ENOENT) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "there is no such recording; if it was moved, give its present path (--out)");
    }
    rct_call_system(call, place->disk.file, "open the file");
    RCT_SYSTEM(call, "look at the file", fstat(place->disk.file, &found));
    if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file, so it is not a recording");
    }
}

/* Asking first avoids filling the disk of others only to find it too small. */
static void check_room(const rct_place *place, rct_call *call, int64_t bytes, const char *less)
{
    struct statvfs disk;
    const int known = rct_call_go(call) && fstatvfs(place->disk.file, &disk) == 0;
    rct_call_system(call, known ? 0 : -1, "ask for the space on the disk");
    if (known && disk.f_blocks > 0 &&
        (double)disk.f_bavail * (double)disk.f_frsize < (double)bytes) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "needs %" PRId64 " bytes, but %.0f are free: No space left on device; free "
                      "space or choose another disk%s%s",
                      bytes, (double)disk.f_bavail * (double)disk.f_frsize,
                      less != NULL ? ", or " : "", less != NULL ? less : "");
    }
}

void rct_place_reserve(const rct_place *place, rct_call *call, int64_t bytes, const char *less)
{
    char what[64];
    check_room(place, call, bytes, less);
    int number = rct_call_go(call) ? EINTR : EIO;
    while (number == EINTR) {
        number = posix_fallocate(place->disk.file, 0, (off_t)bytes);
    }
    /* Where the file system cannot reserve space, HDF5's filling takes it. */
    const int taken = number == 0 || number == EOPNOTSUPP || number == EINVAL;
    errno = number;
    snprintf(what, sizeof what, "reserve %" PRId64 " bytes", bytes);
    rct_call_system(call, taken ? 0 : -1, what);
}

/* Take the final name. link() refuses a name that was taken since the check; file systems that
 * cannot link rename. */
static int take_name(const rct_place *place)
{
    if (!place->overwrite) {
        if (link(place->part, place->path) == 0) {
            unlink(place->part); /* a second name left over does no harm */
            return 0;
        }
        if (errno == EEXIST) {
            return -1;
        }
    }
    return rename(place->part, place->path);
}

void rct_place_settle(rct_place *place, rct_call *call, int64_t bytes)
{
    RCT_SYSTEM(call, "give back space", ftruncate(place->disk.file, (off_t)bytes));
    if (RCT_SYSTEM(call, "give it its name", take_name(place)) == 0) {
        rct_release(place->part);
        place->part = NULL;
    }
}

void rct_place_sync(const rct_place *place, rct_call *call)
{
    RCT_SYSTEM(call, "bring it to the disk", fsync(place->disk.file));
}

void rct_place_close(rct_place *place, rct_call *call)
{
    if (place->part != NULL) {
        unlink(place->part); /* nothing more can be done about a failure */
    }
    if (place->disk.file >= 0) {
        const int go = rct_call_go(call);
        const int result = close(place->disk.file);
        rct_call_system(call, go ? result : -1, "close the file");
    }
    rct_release(place->part);
    rct_release(place->path);
    *place = (rct_place){.disk.file = -1};
}

/* ---- locks -------------------------------------------------------------------------------- */

int rct_lock(int file, short kind)
{
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static const struct timespec pause_between = {.tv_nsec = 50000000};

static void fail_locked(rct_call *call)
{
    rct_call_fail(call, RCT_ERROR_IO,
                  "another process writes to it; wait until that process is done, or end it");
}

void rct_place_share(const rct_place *place, rct_call *call)
{
    if (rct_call_go(call) && !rct_lock(place->disk.file, F_RDLCK)) {
        fail_locked(call);
    }
}

void rct_place_alone(const rct_place *place, rct_call *call, double seconds)
{
    const double end = rct_seconds() + seconds;
    int alone = !rct_call_go(call) || rct_lock(place->disk.file, F_WRLCK);
    while (!alone && rct_seconds() < end) {
        nanosleep(&pause_between, NULL);
        alone = rct_lock(place->disk.file, F_WRLCK);
    }
    if (!alone) {
        fail_locked(call);
    }
    rct_place_share(place, call);
}

void rct_place_check_replaced(const rct_place *place, rct_call *call)
{
    const int file =
        rct_call_go(call) && place->overwrite ? open(place->path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0 && !rct_lock(file, F_WRLCK)) {
        fail_locked(call);
    }
    if (file >= 0) {
        close(file);
    }
}
