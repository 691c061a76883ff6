/* Reading a checkpoint: the whole file, and every way in which it can be none. */
#include "record/checkpoint/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/difference.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { REASON_SIZE = 160, COMMAND_SIZE = 256, PATH_TYPED = 200 };

/* ---- the bytes ---------------------------------------------------------------------------- */

/* Fail in the words of errno. */
static void fail_reading(rct_call *call, const char *what)
{
    char reason[REASON_SIZE] = "told to by a test";
    if (!call->told_to_fail && strerror_r(errno, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", errno);
    }
    rct_call_fail(call, RCT_ERROR_IO, "cannot %s the checkpoint: %s", what, reason);
}

/* What to type to go on from the first `length` bytes of `path` and `suffix`; from FILE where they are none, too many, or hard to
 * quote. */
static const char *command_of(char command[COMMAND_SIZE], const char *path, size_t length,
                              const char *suffix)
{
    const char *quote = path[strcspn(path, " \t\"$&();<>*?[]{}|\\`~#!")] != '\0' ? "'" : "";
    const int shown = length > 0 && length <= PATH_TYPED && strchr(path, '\'') == NULL;
    snprintf(command, COMMAND_SIZE, "riccatree resume %s%.*s%s%s", shown ? quote : "",
             shown ? (int)length : 4, shown ? path : "FILE", suffix, shown ? quote : "");
    return command;
}

static void fail_absent(rct_call *call)
{
    char previous[PATH_MAX], command[COMMAND_SIZE];
    snprintf(previous, sizeof previous, "%s.previous", call->path);
    if (access(previous, F_OK) == 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "there is no such checkpoint, but the one before it; go on from that: %s",
                      command_of(command, call->path, strlen(call->path), ".previous"));
    }
    rct_call_fail(call, RCT_ERROR_IO, "there is no such checkpoint");
}

static int open_file(rct_call *call)
{
    const int file = rct_call_go(call) ? open(call->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0 && !call->told_to_fail && errno == ENOENT) {
        fail_absent(call);
    } else if (file < 0) {
        fail_reading(call, "open");
    }
    return file;
}

static int64_t size_of(rct_call *call, int file)
{
    struct stat found;
    if (!rct_call_go(call) || fstat(file, &found) != 0) {
        fail_reading(call, "look at");
        return 0;
    }
    if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file, so no checkpoint");
    }
    return (int64_t)found.st_size;
}

/* Up to `size` bytes; `size` becomes what there was. */
static void read_bytes(rct_call *call, int file, char *bytes, int64_t *size)
{
    int64_t got = 0;
    int more = 1;
    while (more && got < *size && call->status == RCT_OK) {
        const ssize_t now = rct_call_go(call) ? read(file, bytes + got, (size_t)(*size - got)) : -1;
        if (now >= 0) {
            got += now;
            more = now > 0;
        } else if (call->told_to_fail || errno != EINTR) {
            fail_reading(call, "read");
        }
    }
    *size = got;
}

static char *read_file(rct_call *call, int64_t *size)
{
    char *bytes = NULL;
    const int file = open_file(call);
    if (file >= 0) {
        *size = size_of(call, file);
        bytes = rct_call_allocate(call, *size, 1, "a checkpoint");
        if (bytes != NULL) {
            read_bytes(call, file, bytes, size);
        }
        close(file);
    }
    return bytes;
}

/* ---- what they say ------------------------------------------------------------------------ */

static int begins_as(rct_checkpoint_kind kind, const char *bytes, int64_t size)
{
    return size >= RCT_CHECKPOINT_MAGIC_BYTES &&
           memcmp(bytes, rct_checkpoint_magic[kind], RCT_CHECKPOINT_MAGIC_BYTES) == 0;
}

/* Bytes of the path of the results beside which a checkpoint of this name lies; 0: it was given another name. */
static size_t results_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *end = NULL;
    for (const char *at = strstr(slash != NULL ? slash : path, ".checkpoint"); at != NULL;
         at = strstr(at + 1, ".checkpoint")) {
        end = at;
    }
    return end != NULL ? (size_t)(end - path) : 0;
}

/* Which of both it is, and what to do with the other one. */
static void check_magic(rct_call *call, rct_checkpoint_kind kind, const char *bytes, int64_t size)
{
    char command[COMMAND_SIZE];
    if (begins_as(kind, bytes, size)) {
        return;
    }
    if (begins_as(RCT_CHECKPOINT_ENSEMBLE, bytes, size)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is a checkpoint of an ensemble; go on with the file of its results: %s",
                      command_of(command, call->path, results_length(call->path), ""));
    } else if (begins_as(RCT_CHECKPOINT_RUN, bytes, size)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is a checkpoint of a single run, not of an ensemble; move it away, or go on "
                      "from it: %s",
                      command_of(command, call->path, strlen(call->path), ""));
    } else {
        rct_call_fail(call, RCT_ERROR_IO, "is no checkpoint: it does not begin like one; %s",
                      kind == RCT_CHECKPOINT_ENSEMBLE ? "remove it or move it away"
                                                      : "give the file of one");
    }
}

/* What to do without this one. */
static const char *way_out(const char *bytes, int64_t size)
{
    return begins_as(RCT_CHECKPOINT_ENSEMBLE, bytes, size)
               ? "remove it, and its batches begin anew"
               : "take the one before it, or an older copy";
}

static void check_head(rct_call *call, const char *bytes, int64_t size)
{
    const rct_checkpoint_head *head = (const void *)bytes;
    const int64_t least = (int64_t)(sizeof *head + sizeof(uint64_t));
    if (size < least) {
        rct_call_fail(call, RCT_ERROR_IO, "is cut short: %" PRId64 " bytes are not even a head; %s",
                      size, way_out(bytes, size));
    } else if (head->version != RCT_CHECKPOINT_VERSION || head->parts != RCT_PARTS) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "is a checkpoint of format version %" PRIu32 " with %" PRIu32
                      " parts; this library reads version %d with %d",
                      head->version, head->parts, RCT_CHECKPOINT_VERSION, RCT_PARTS);
    } else if (head->file_bytes != size) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is %s: it has %" PRId64 " bytes, and says %" PRId64 "; %s",
                      size < head->file_bytes ? "cut short" : "damaged", size, head->file_bytes,
                      way_out(bytes, size));
    }
}

static void check_sum(rct_call *call, const char *bytes, int64_t size)
{
    uint64_t said = 0;
    const int64_t before = size - (int64_t)sizeof said;
    memcpy(&said, bytes + before, sizeof said);
    const uint64_t found = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)bytes, (z_size_t)before);
    if (found != said) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: its checksum is %08" PRIx64 ", and it says %08" PRIx64 "; %s",
                      found, said, way_out(bytes, size));
    }
}

/* Numbers that no run has, whatever the checksum says. */
static void check_numbers(rct_call *call, const rct_checkpoint_head *head)
{
    if (head->steps < 0 || !isfinite(head->time)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: it says %" PRId64 " steps and a time of %g s; %s", head->steps,
                      head->time, way_out((const char *)head, (int64_t)sizeof *head));
    }
}

/* Where the parts begin; the texts among them end in a zero. */
static void find_parts(rct_call *call, rct_checkpoint *checkpoint, int64_t size)
{
    const rct_checkpoint_head *head = checkpoint->head;
    const int64_t end = size - (int64_t)sizeof(uint64_t);
    int64_t at = sizeof *head;
    int whole = 1;
    for (int i = 0; i < RCT_PARTS && whole; i++) {
        whole = head->bytes[i] >= (i <= RCT_PART_MODEL) && head->bytes[i] <= end - at;
        if (whole) {
            checkpoint->part[i] = checkpoint->file + at;
            at += rct_checkpoint_padded(head->bytes[i]);
            whole = i > RCT_PART_MODEL || checkpoint->part[i][head->bytes[i] - 1] == '\0';
        }
    }
    if (!whole || at != end) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: its parts do not make up the whole");
    }
}

static void take(rct_call *call, rct_checkpoint *checkpoint, rct_checkpoint_kind kind)
{
    int64_t size = 0;
    const size_t length = strlen(call->path) + 1;
    checkpoint->path = rct_call_allocate(call, (int64_t)length, 1, "the name of a checkpoint");
    if (checkpoint->path != NULL) {
        memcpy(checkpoint->path, call->path, length);
    }
    checkpoint->file = read_file(call, &size);
    checkpoint->head = (const void *)checkpoint->file;
    void (*const checks[])(rct_call *, const char *, int64_t) = {check_head, check_sum};
    if (call->status == RCT_OK) {
        check_magic(call, kind, checkpoint->file, size);
    }
    for (int i = 0; i < 2 && call->status == RCT_OK; i++) {
        checks[i](call, checkpoint->file, size);
    }
    if (call->status == RCT_OK) {
        check_numbers(call, checkpoint->head);
        find_parts(call, checkpoint, size);
    }
    if (call->status == RCT_OK) {
        rct_check_same_build(call, checkpoint->part[RCT_PART_BUILD]);
    }
}

rct_checkpoint *rct_checkpoint_read(const char *path, rct_checkpoint_kind kind, rct_error *error)
{
    rct_call call;
    rct_call_begin(&call, path, NULL, error);
    rct_checkpoint *checkpoint = rct_call_allocate(&call, 1, sizeof *checkpoint, "a checkpoint");
    if (checkpoint != NULL) {
        take(&call, checkpoint, kind);
    }
    if (rct_call_end(&call) != RCT_OK) {
        rct_checkpoint_close(checkpoint);
        checkpoint = NULL;
    }
    return checkpoint;
}

rct_checkpoint *rct_checkpoint_open(const char *path, rct_error *error)
{
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    return rct_checkpoint_read(path, RCT_CHECKPOINT_RUN, error);
}

void rct_checkpoint_close(rct_checkpoint *checkpoint)
{
    if (checkpoint != NULL) {
        rct_release(checkpoint->file);
        rct_release(checkpoint->path);
        rct_release(checkpoint);
    }
}

static rct_checkpoint_info info_of(const rct_checkpoint *checkpoint)
{
    const rct_checkpoint_head *head = checkpoint->head;
    return (rct_checkpoint_info){
        .options = rct_checkpoint_options(checkpoint->part[RCT_PART_FACTS]),
        .time = head->time,
        .steps = head->steps,
        .note = checkpoint->part[RCT_PART_NOTE],
        .note_bytes = head->bytes[RCT_PART_NOTE],
    };
}

void rct_checkpoint_get_info_sized(const rct_checkpoint *checkpoint, rct_out info)
{
    const rct_checkpoint_info own =
        checkpoint != NULL ? info_of(checkpoint) : (rct_checkpoint_info){.steps = 0};
    const rct_sizes shape = {sizeof own, offsetof(rct_checkpoint_info, options),
                             sizeof own.options};
    rct_give(info, &own, shape);
}

rct_model *rct_checkpoint_model(const rct_checkpoint *checkpoint, rct_error *error)
{
    if (!rct_given(checkpoint, "checkpoint", error)) {
        return NULL;
    }
    return rct_model_parse(checkpoint->part[RCT_PART_MODEL],
                           checkpoint->head->bytes[RCT_PART_MODEL] - 1, error);
}
