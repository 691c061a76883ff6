/* Steps that may fail, and the texts of their errors: what failed, why, and what to do. The
 * innermost reason of HDF5 replaces its stack. */
#include "record/file/call.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 160, PATH_SHOWN = 120 };

static _Thread_local int64_t successes_left = -1;

void rct_call_fail_after(int64_t successes)
{
    successes_left = successes;
}

/* Debian's HDF5 serves one thread at a time: a call locks it for itself and for calls within it. */
static pthread_mutex_t alone;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    pthread_mutexattr_t nested;
    pthread_mutexattr_init(&nested);
    pthread_mutexattr_settype(&nested, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&alone, &nested);
    pthread_mutexattr_destroy(&nested);
}

void rct_call_begin(rct_call *call, const char *path, rct_disk *disk, rct_error *error)
{
    *call = (rct_call){.path = path, .frame = -1, .status = RCT_OK, .error = error, .disk = disk};
    pthread_once(&prepared, prepare);
    pthread_mutex_lock(&alone);
    if (disk != NULL) {
        disk->failure = 0;
    }
    if (H5Eget_auto2(H5E_DEFAULT, &call->print, &call->print_data) >= 0) {
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    } else {
        call->print = NULL; /* set by HDF5's old interface, and left to it */
    }
}

rct_status rct_call_end(rct_call *call)
{
    if (call->print != NULL) {
        H5Eset_auto2(H5E_DEFAULT, call->print, call->print_data);
    }
    pthread_mutex_unlock(&alone);
    return call->status;
}

int rct_call_go(rct_call *call)
{
    if (call->status != RCT_OK) {
        return 0;
    }
    call->told_to_fail = successes_left == 0;
    successes_left -= successes_left > 0 ? 1 : 0;
    return !call->told_to_fail;
}

void rct_call_fail(rct_call *call, rct_status status, const char *format, ...)
{
    if (call->status != RCT_OK) {
        return;
    }
    char text[RCT_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* The end of a long path says more than its beginning, and the reason must fit behind it. */
    const size_t length = strlen(call->path);
    const size_t cut = length > PATH_SHOWN ? length - PATH_SHOWN : 0;
    call->status =
        rct_fail(call->error, status, "%s%s: %s", cut > 0 ? "..." : "", call->path + cut, text);
}

void rct_call_fail_as(rct_call *call, const rct_error *why)
{
    if (call->status == RCT_OK && call->error != NULL) {
        *call->error = *why;
    }
    call->status = call->status == RCT_OK ? why->status : call->status;
}

/* Fail with the reason of errno `number`, or with `says`. */
static void fail_step(rct_call *call, const char *what, int number, const char *says)
{
    char text[REASON_SIZE];
    const rct_status status = number == ENOMEM ? RCT_ERROR_MEMORY : RCT_ERROR_IO;
    const char *advice = rct_advice(number);
    if (number != 0) {
        if (strerror_r(number, text, sizeof text) != 0) {
            snprintf(text, sizeof text, "error %d", number);
        }
        says = text;
    }
    if (call->frame >= 0) {
        rct_call_fail(call, status,
                      "frame %" PRId64 " is not recorded: cannot %s: %s%s; the frames before it "
                      "are kept",
                      call->frame, what, says, advice);
    } else {
        rct_call_fail(call, status, "cannot %s: %s%s", what, says, advice);
    }
}

/* Walking from the inside out meets the reason itself first. */
static herr_t take_innermost(unsigned depth, const H5E_error2_t *entry, void *data)
{
    if (depth == 0 && entry->desc != NULL) {
        snprintf(data, REASON_SIZE, "HDF5 says: %s", entry->desc);
    }
    return 0;
}

static const char told[] = "told to by a test";

int64_t rct_call_hdf5(rct_call *call, int64_t result, const char *what)
{
    const int failure = call->disk != NULL ? call->disk->failure : 0;
    if (call->status == RCT_OK && (result < 0 || failure != 0 || call->told_to_fail)) {
        char says[REASON_SIZE] = "HDF5 does not say why";
        if (failure == 0 && !call->told_to_fail) {
            H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, says);
        }
        fail_step(call, what, failure, call->told_to_fail ? told : says);
    }
    return result;
}

int rct_call_system(rct_call *call, int result, const char *what)
{
    if (call->status == RCT_OK && (result < 0 || call->told_to_fail)) {
        fail_step(call, what, call->told_to_fail ? 0 : errno, told);
    }
    return result;
}

void rct_call_read(rct_call *call, int file, int64_t at, void *bytes, int64_t size)
{
    const int64_t got = rct_call_go(call) ? rct_bytes_read(file, at, bytes, size) : -1;
    rct_call_system(call, got < 0 ? -1 : 0, "read the file");
    if (got < size) {
        rct_call_fail(call, RCT_ERROR_IO, "became shorter while it was read");
    }
}

void *rct_call_allocate(rct_call *call, int64_t count, int64_t size, const char *what)
{
    if (call->status != RCT_OK) {
        return NULL;
    }
    void *memory = rct_allocate(count, size, what, call->error);
    call->status = memory != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    return memory;
}

char *rct_call_print(rct_call *call, int64_t room, const char *what, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    char *text = rct_call_allocate(call, (int64_t)size + room, 1, what);
    if (text != NULL) {
        vsnprintf(text, size, format, again);
    }
    va_end(again);
    va_end(arguments);
    return text;
}
