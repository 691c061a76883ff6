/* Reading a checkpoint: the whole file, and every error it can have. */
#include "record/checkpoint/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/difference.h"
#include "record/file/bytes.h"
#include "record/file/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMAND_SIZE = 256, PATH_TYPED = 200 };

/* ---- the bytes ---------------------------------------------------------------------------- */

/* Fail with the text of errno. */
static void fail_reading(rct_call *call, const char *what)
{
    rct_call_fail(call, RCT_ERROR_IO, "cannot %s the checkpoint: %s", what,
                  call->told_to_fail ? "told to by a test" : strerror(errno));
}

/* The command that continues from the first `length` bytes of `path` and `suffix`; FILE replaces
 * them if they are empty, too long, or hard to quote. */
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
        rct_call_fail(
            call, RCT_ERROR_IO,
            "there is no such checkpoint, but the one before it exists; continue from that: %s",
            command_of(command, call->path, strlen(call->path), ".previous"));
    }
    rct_call_fail(call, RCT_ERROR_IO, "there is no such checkpoint");
}

/* Read all bytes of the file. */
static void read_whole(rct_call *call, rct_checkpoint *c, int file)
{
    struct stat found = {.st_size = 0};
    if (!rct_call_go(call) || fstat(file, &found) != 0) {
        fail_reading(call, "look at");
    } else if (!S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file, so it is not a checkpoint");
    } else {
        c->file = rct_call_allocate(call, found.st_size, 1, "a checkpoint");
    }
    if (c->file != NULL) {
        c->size = rct_call_go(call) ? rct_bytes_read(file, 0, c->file, found.st_size) : -1;
    }
    if (c->size < 0) {
        fail_reading(call, "read");
    }
    c->head = (const void *)c->file;
}

static void read_file(rct_call *call, rct_checkpoint *c)
{
    const int file = rct_call_go(call) ? open(call->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file >= 0) {
        read_whole(call, c, file);
        close(file);
    } else if (!call->told_to_fail && errno == ENOENT) {
        fail_absent(call);
    } else {
        fail_reading(call, "open");
    }
}

/* ---- what they say ------------------------------------------------------------------------ */

/* Bytes of the path of the results whose checkpoint has this name; 0: the name is another. */
static size_t results_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *end = NULL;
    for (const char *at = strstr(slash != NULL ? slash : path, ".checkpoint"); at != NULL;
         at = strstr(at + 1, ".checkpoint")) {
        end = at;
    }
    return end != NULL ? (size_t)(end - path) : 0;
}

/* Check which of the two kinds it is, and say what to do with the other kind. */
static void check_magic(rct_call *call, rct_checkpoint *c)
{
    char command[COMMAND_SIZE];
    const char *path = call->path;
    const rct_checkpoint_kind kind = rct_checkpoint_kind_of(c->file, c->size);
    if (kind == c->kind) {
        return;
    }
    if (kind == RCT_CHECKPOINT_ENSEMBLE) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is a checkpoint of an ensemble; continue with the file of its results: %s",
                      command_of(command, path, results_length(path), ""));
    } else if (kind == RCT_CHECKPOINT_RUN) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is a checkpoint of a single run, not of an ensemble; move it away, or "
                      "continue from it: %s",
                      command_of(command, path, strlen(path), ""));
    } else {
        rct_call_fail(call, RCT_ERROR_IO, "is not a checkpoint: it does not begin like one; %s",
                      c->kind == RCT_CHECKPOINT_ENSEMBLE ? "remove it or move it away"
                                                         : "give the file of a checkpoint");
    }
}

/* The advice to continue without this checkpoint. */
static const char *way_out(const rct_checkpoint *c)
{
    return c->kind == RCT_CHECKPOINT_ENSEMBLE ? "remove it, and its batches start again"
                                              : "take the one before it, or an older copy";
}

static void check_head(rct_call *call, rct_checkpoint *c)
{
    const rct_checkpoint_head *head = c->head;
    if (c->size < (int64_t)(sizeof *head + sizeof(uint64_t))) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is cut short: its %" PRId64 " bytes are less than a head; %s", c->size,
                      way_out(c));
    } else if (head->version != RCT_CHECKPOINT_VERSION || head->parts != RCT_PARTS) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "is a checkpoint of format version %" PRIu32 " with %" PRIu32
                      " parts; this library reads version %d with %d",
                      head->version, head->parts, RCT_CHECKPOINT_VERSION, RCT_PARTS);
    } else if (head->file_bytes != c->size) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is %s: it has %" PRId64 " bytes, and its head says %" PRId64 "; %s",
                      c->size < head->file_bytes ? "cut short" : "damaged", c->size,
                      head->file_bytes, way_out(c));
    }
}

static void check_sum(rct_call *call, rct_checkpoint *c)
{
    uint64_t said = 0;
    const int64_t before = c->size - (int64_t)sizeof said;
    memcpy(&said, c->file + before, sizeof said);
    const uint64_t found = rct_checksum(0, c->file, before);
    if (found != said) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: its checksum is %08" PRIx64 ", but it records %08" PRIx64 "; %s",
                      found, said, way_out(c));
    }
}

/* Refuse numbers that no run has, whatever the checksum says. */
static void check_numbers(rct_call *call, rct_checkpoint *c)
{
    if (c->head->steps < 0 || !isfinite(c->head->time)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: it says %" PRId64 " steps and a time of %g s; %s",
                      c->head->steps, c->head->time, way_out(c));
    }
}

/* Find where the parts begin; the texts among them end with a zero. */
static void find_parts(rct_call *call, rct_checkpoint *c)
{
    const rct_checkpoint_head *head = c->head;
    const int64_t end = c->size - (int64_t)sizeof(uint64_t);
    int64_t at = sizeof *head;
    int whole = 1;
    for (int i = 0; i < RCT_PARTS && whole; i++) {
        whole = head->bytes[i] >= (i <= RCT_PART_MODEL) && head->bytes[i] <= end - at;
        if (whole) {
            c->part[i] = c->file + at;
            at += rct_checkpoint_padded(head->bytes[i]);
            whole = i > RCT_PART_MODEL || c->part[i][head->bytes[i] - 1] == '\0';
        }
    }
    if (!whole || at != end) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: its parts do not add up to the whole file");
    }
}

static void check_build(rct_call *call, rct_checkpoint *c)
{
    rct_check_same_build(call, c->part[RCT_PART_BUILD]);
}

rct_checkpoint *rct_checkpoint_read(const char *path, rct_checkpoint_kind kind, rct_error *error)
{
    static void (*const stages[])(rct_call *, rct_checkpoint *) = {
        read_file, check_magic, check_head, check_sum, check_numbers, find_parts, check_build};
    rct_call call;
    rct_call_begin(&call, path, NULL, error);
    rct_checkpoint *c = rct_call_allocate(&call, 1, sizeof *c, "a checkpoint");
    if (c != NULL) {
        c->kind = kind;
        c->path = rct_call_print(&call, 0, "the name of a checkpoint", "%s", path);
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && call.status == RCT_OK; i++) {
        stages[i](&call, c);
    }
    if (rct_call_end(&call) != RCT_OK) {
        rct_checkpoint_close(c);
        c = NULL;
    }
    return c;
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
