/* Locks on files of results (place.h). */
#include "core/clock.h"
#include "record/file/lock.h"
#include "record/file/place.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const struct timespec pause_between = {.tv_nsec = 50000000};

static void fail(rct_call *call)
{
    rct_call_fail(call, RCT_ERROR_IO,
                  "another process writes to it; wait until it is done, or end it");
}

void rct_place_share(const rct_place *place, rct_call *call)
{
    if (rct_call_go(call) && !rct_lock(place->disk.file, F_RDLCK)) {
        fail(call);
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
        fail(call);
    }
    rct_place_share(place, call);
}

void rct_place_check_replaced(const rct_place *place, rct_call *call)
{
    const int file =
        rct_call_go(call) && place->overwrite ? open(place->path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0 && !rct_lock(file, F_WRLCK)) {
        fail(call);
    }
    if (file >= 0) {
        close(file);
    }
}
