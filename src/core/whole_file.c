/* A file that appears whole or not at all, by way of a temporary name and rename(2). */
#define _GNU_SOURCE /* fopencookie() */
#include "core/whole_file.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rct_status fail_io(rct_error *error, const char *path, const char *what, int reason)
{
    rct_fail(error, RCT_ERROR_IO, "cannot %s the file: %s%s", what, strerror(reason),
             rct_advice(reason));
    rct_error_name_file(error, path);
    return RCT_ERROR_IO;
}

/* A copy of `path` with `room` bytes to spare. */
static char *copy_path(const char *path, int64_t room, rct_error *error)
{
    const size_t size = strlen(path) + 1;
    char *copy = rct_allocate((int64_t)size + room, 1, "the name of a file", error);
    if (copy != NULL) {
        memcpy(copy, path, size);
    }
    return copy;
}

static void forget(rct_whole_file *file)
{
    rct_release(file->path);
    rct_release(file->temporary);
    *file = (rct_whole_file){.stream = NULL};
}

/* A file that is written directly may be a pipe or a device, which does not tell how far it is. */
static ssize_t put(void *cookie, const char *bytes, size_t size)
{
    rct_whole_file *file = cookie;
    size_t done = 0;
    ssize_t more = 0;
    while (done < size && more >= 0) {
        more = write(file->descriptor, bytes + done, size - done);
        done += more > 0 ? (size_t)more : 0;
    }
    file->bytes += (int64_t)done;
    return (ssize_t)done;
}

static int close_direct(void *cookie)
{
    const rct_whole_file *file = cookie;
    return close(file->descriptor);
}

/* Open the descriptor and the stream; 0 or the errno. */
static int open_stream(rct_whole_file *file)
{
    const int descriptor = file->temporary != NULL
                               ? rct_new_file(file->temporary, file->path, "tmp")
                               : open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    file->descriptor = descriptor;
    file->stream =
        file->temporary != NULL
            ? fdopen(descriptor, "wb")
            : fopencookie(file, "wb", (cookie_io_functions_t){.write = put, .close = close_direct});
    if (file->stream == NULL) {
        const int reason = errno;
        close(descriptor);
        if (file->temporary != NULL) {
            unlink(file->temporary);
        }
        return reason;
    }
    return 0;
}

/* Files to write directly: pipes and devices, and anything under /dev, links included, also if it
 * leads to a regular file, because others hold it open and must keep it. Files in /dev/shm are
 * ordinary. */
static int is_direct(const char *path, const struct stat *about)
{
    return !S_ISREG(about->st_mode) ||
           (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0);
}

rct_status rct_whole_file_apart(const char *path, const char *from, rct_error *error)
{
    struct stat one, other;
    if (stat(path, &one) != 0 || stat(from, &other) != 0 || one.st_dev != other.st_dev ||
        one.st_ino != other.st_ino) {
        return RCT_OK;
    }
    rct_fail(error, RCT_ERROR_ARGUMENT, "that is also the file that is read; name another file");
    rct_error_name_file(error, path);
    return RCT_ERROR_ARGUMENT;
}

rct_status rct_whole_file_open(rct_whole_file *file, const char *path, rct_error *error)
{
    *file = (rct_whole_file){.stream = NULL};
    if (path == NULL || path[0] == '\0') {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "no name was given for the file to write");
    }
    struct stat about;
    const int exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) {
        return fail_io(error, path, "create", EISDIR);
    }
    /* a rename must replace the file, not a link to it */
    char target[PATH_MAX];
    const int direct = exists && is_direct(path, &about);
    if (!direct && rct_follow_links(target, path) != 0) {
        return fail_io(error, path, "create", errno);
    }
    file->path = copy_path(direct ? path : target, 0, error);
    if (file->path != NULL && !direct) {
        file->temporary = copy_path(target, RCT_NEW_NAME, error);
    }
    if (file->path == NULL || (file->temporary == NULL && !direct)) {
        forget(file);
        return RCT_ERROR_MEMORY;
    }
    rct_status status = RCT_OK;
    const int reason = open_stream(file);
    if (reason != 0) {
        status = fail_io(error, path, "create", reason);
        forget(file);
    }
    errno = 0;
    return status;
}

/* Write everything, to disk if it is a file, and close; 0 or the errno. A writer stops at the first
 * error, so errno still holds its reason. */
static int finish(rct_whole_file *file)
{
    int good = !ferror(file->stream) && fflush(file->stream) == 0;
    if (good && file->temporary != NULL) {
        good = fsync(fileno(file->stream)) == 0;
    }
    int reason = good ? 0 : errno;
    if (fclose(file->stream) != 0 && good) {
        good = 0;
        reason = errno;
    }
    return good || reason != 0 ? reason : EIO;
}

int64_t rct_whole_file_bytes(const rct_whole_file *file)
{
    fflush(file->stream);
    return file->temporary != NULL ? ftell(file->stream) : file->bytes;
}

rct_status rct_whole_file_close(rct_whole_file *file, rct_status status, rct_error *error)
{
    const int reason = finish(file);
    if (status == RCT_OK && reason != 0) {
        status = fail_io(error, file->path, "write", reason);
    }
    if (status == RCT_OK && file->temporary != NULL && rename(file->temporary, file->path) != 0) {
        status = fail_io(error, file->path, "rename", errno);
    }
    if (status != RCT_OK && file->temporary != NULL) {
        unlink(file->temporary);
    }
    forget(file);
    return status;
}
