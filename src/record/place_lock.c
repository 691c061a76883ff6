/* Locks on files that are written (place.h): of an open file, advisory, and gone with its process. They are not those that HDF5 takes to
 * read (flock), which are in nobody's way. On a file system without locks nobody is warned. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "core/clock.h"
#include "record/place.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const struct timespec pause_between = {.tv_nsec = 50000000};

/* F_RDLCK or F_WRLCK on the whole file; 0: another process holds one that is in the way. */
static int take(int file, short kind)
{
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static void fail(rct_call *call)
{
    rct_call_fail(call, RCT_ERROR_IO,
                  "another process writes to it; wait until it is done, or end it");
}

void rct_place_share(const rct_place *place, rct_call *call)
{
    if (rct_call_go(call) && !take(place->disk.file, F_RDLCK)) {
        fail(call);
    }
}

void rct_place_alone(const rct_place *place, rct_call *call, double seconds)
{
    const double end = rct_seconds() + seconds;
    int alone = !rct_call_go(call) || take(place->disk.file, F_WRLCK);
    while (!alone && rct_seconds() < end) {
        nanosleep(&pause_between, NULL);
        alone = take(place->disk.file, F_WRLCK);
    }
    if (!alone) {
        fail(call);
    }
    rct_place_share(place, call);
}

void rct_place_check_replaced(const rct_place *place, rct_call *call)
{
    const int file =
        rct_call_go(call) && place->overwrite ? open(place->path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0 && !take(file, F_WRLCK)) {
        fail(call);
    }
    if (file >= 0) {
        close(file);
    }
}
