/* Writing a checkpoint to the disk. At every moment a whole checkpoint has the name: the new one
 * is on the disk before the older one gets its second name; one rename then gives the new one
 * the first name. */
#include "record/checkpoint/checkpoint.h"

#include "core/memory.h"
#include "core/new_file.h"
#include "record/difference.h"
#include "record/file/checksum.h"
#include "record/file/place.h"

#include <riccatree/version.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROCESS_SIZE = 32 };

static const char *const magic[RCT_CHECKPOINT_KINDS] = {"RCTCHECK", "RCTBATCH"};

rct_checkpoint_kind rct_checkpoint_kind_of(const char *bytes, int64_t size)
{
    rct_checkpoint_kind kind = RCT_CHECKPOINT_RUN;
    while (kind < RCT_CHECKPOINT_KINDS &&
           (size < RCT_CHECKPOINT_MAGIC_BYTES ||
            memcmp(bytes, magic[kind], RCT_CHECKPOINT_MAGIC_BYTES) != 0)) {
        kind++;
    }
    return kind;
}

/* ---- names -------------------------------------------------------------------------------- */

static char *name_of(rct_call *call, const char *path, const char *suffix)
{
    return rct_call_print(call, RCT_NEW_NAME, "the name of a checkpoint", "%s%s", path, suffix);
}

/* Check what the target name refers to; `target` becomes the name to take. */
static void check_target(rct_call *call, char target[PATH_MAX])
{
    struct stat found;
    const int there = stat(call->path, &found) == 0;
    if (call->path[0] == '\0') {
        rct_call_fail(call, RCT_ERROR_ARGUMENT, "no path for the checkpoint; give a file name");
    } else if (strlen(call->path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        rct_call_system(call, -1, "create the checkpoint");
    } else if (there && !S_ISREG(found.st_mode)) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a regular file; choose another name");
    } else if (rct_follow_links(target, call->path) != 0) {
        rct_call_system(call, -1, "follow its links");
    }
}

/* ---- its lock ----------------------------------------------------------------------------- */

/* Whether the file still has its name: the process that had it locked may have removed it. */
static int is_there(int file, const char *path)
{
    struct stat own, named;
    return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

/* Create the lock file `path`, or open the one that a killed process left, and lock it. Returns
 * a descriptor, or -1 and errno; EWOULDBLOCK if another process has the lock. */
static int open_lock(const char *path)
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

static void close_lock(int file, const char *path)
{
    if (file >= 0) {
        if (is_there(file, path)) {
            unlink(path); /* before another process can lock it */
        }
        close(file);
    }
}

/* The lock file holds the number of the process that locked it; a killed process may have left a
 * part, which is removed. */
static void remove_left_over(const rct_checkpoint_place *place)
{
    char text[PROCESS_SIZE] = "";
    const ssize_t size = pread(place->locked, text, sizeof text - 1, 0);
    const long process = size > 0 ? strtol(text, NULL, 10) : 0;
    if (process > 0) {
        snprintf(place->part, strlen(place->path) + RCT_NEW_NAME, "%s.%ld-0.part", place->path,
                 process);
        unlink(place->part);
    }
    if (ftruncate(place->locked, 0) == 0) {
        dprintf(place->locked, "%ld\n", (long)getpid()); /* without it a part may stay */
    }
}

static void take_lock(rct_checkpoint_place *place, rct_call *call)
{
    place->locked = rct_call_go(call) ? open_lock(place->lock) : -1;
    if (place->locked < 0 && !call->told_to_fail && errno == EWOULDBLOCK) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "another run writes this checkpoint; wait until that run is done, end it, or "
                      "choose another name");
    }
    rct_call_system(call, place->locked, "create the checkpoint");
    if (place->locked >= 0) {
        remove_left_over(place);
    }
}

/* A file there that is no checkpoint has no lock file: its writer holds the file itself. */
static void check_written(const rct_checkpoint_place *place, rct_call *call)
{
    const int file = rct_call_go(call) ? open(place->path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0 && !rct_lock(file, F_WRLCK)) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "another process writes to this file; wait until that process is done, end "
                      "it, or choose another name");
    }
    if (file >= 0) {
        close(file);
    }
}

void rct_checkpoint_place_open(rct_checkpoint_place *place, rct_call *call,
                               rct_checkpoint_kind kind, char *facts, const rct_model *model)
{
    char target[PATH_MAX] = "";
    *place = (rct_checkpoint_place){.locked = -1, .kind = kind, .facts = facts};
    check_target(call, target);
    place->path = name_of(call, target, "");
    place->part = name_of(call, target, "");
    place->lock = name_of(call, target, ".lock");
    place->previous = name_of(call, target, ".previous");
    place->directory = name_of(call, dirname(target), "");
    take_lock(place, call);
    check_written(place, call);
    place->model = rct_call_model(call, model);
}

void rct_checkpoint_place_close(rct_checkpoint_place *place)
{
    if (place->lock != NULL) {
        close_lock(place->locked, place->lock);
    }
    rct_release(place->path);
    rct_release(place->lock);
    rct_release(place->part);
    rct_release(place->previous);
    rct_release(place->directory);
    rct_release(place->facts);
    rct_release(place->model);
}

/* ---- bytes -------------------------------------------------------------------------------- */

typedef struct output {
    int file;
    int64_t at;
    uint32_t checksum;
} output;

static void put(output *out, rct_call *call, const void *bytes, int64_t size)
{
    out->checksum = rct_checksum(out->checksum, bytes, size);
    RCT_SYSTEM(call, "write the checkpoint", rct_bytes_write(out->file, out->at, bytes, size));
    out->at += size;
}

static int64_t bytes_of(const rct_checkpoint_pieces *part)
{
    int64_t bytes = 0;
    for (int64_t k = 0; k < part->count; k++) {
        bytes = rct_checkpoint_padded(bytes) + part->piece[k].size;
    }
    return bytes;
}

static rct_bytes text_of(const char *text)
{
    return (rct_bytes){text, (int64_t)strlen(text) + 1};
}

static rct_checkpoint_head head_of(rct_checkpoint_kind kind, double time, int64_t steps,
                                   const rct_checkpoint_pieces parts[RCT_PARTS])
{
    rct_checkpoint_head head = {
        .version = RCT_CHECKPOINT_VERSION, .parts = RCT_PARTS, .time = time, .steps = steps};
    memcpy(head.magic, magic[kind], sizeof head.magic);
    head.file_bytes = (int64_t)(sizeof head + sizeof(uint64_t));
    for (int i = 0; i < RCT_PARTS; i++) {
        head.bytes[i] = bytes_of(&parts[i]);
        head.file_bytes += rct_checkpoint_padded(head.bytes[i]);
    }
    return head;
}

static void put_all(output *out, rct_call *call, const rct_checkpoint_head *head,
                    const rct_checkpoint_pieces parts[RCT_PARTS])
{
    static const char zeros[8] = {0};
    put(out, call, head, sizeof *head);
    for (int i = 0; i < RCT_PARTS; i++) {
        for (int64_t k = 0; k < parts[i].count; k++) {
            const rct_bytes *piece = &parts[i].piece[k];
            if (piece->size > 0) {
                put(out, call, piece->at, piece->size);
                put(out, call, zeros, rct_checkpoint_padded(piece->size) - piece->size);
            }
        }
    }
    const uint64_t checksum = out->checksum;
    put(out, call, &checksum, sizeof checksum);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* Give the present checkpoint its second name. */
static int keep_previous(const rct_checkpoint_place *place)
{
    if (access(place->path, F_OK) != 0) {
        return errno == ENOENT ? 0 : -1;
    }
    if (unlink(place->previous) != 0 && errno != ENOENT) {
        return -1;
    }
    /* where a file cannot have two names, the first name is missing for a moment */
    return link(place->path, place->previous) == 0 ? 0 : rename(place->path, place->previous);
}

/* Some file systems cannot sync a directory and need not. */
int rct_sync_directory(const char *path)
{
    const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return -1;
    }
    const int result = fsync(directory) == 0 || errno == EINVAL ? 0 : -1;
    const int reason = errno;
    close(directory);
    errno = reason;
    return result;
}

void rct_checkpoint_put(const rct_checkpoint_place *place, rct_call *call, double time,
                        int64_t steps, rct_checkpoint_pieces state, rct_bytes note)
{
    const rct_bytes texts[] = {text_of(rct_build()), text_of(place->facts), text_of(place->model)};
    const rct_checkpoint_pieces parts[RCT_PARTS] = {
        {1, &texts[0]}, {1, &texts[1]}, {1, &texts[2]}, state, {1, &note}};
    const rct_checkpoint_head head = head_of(place->kind, time, steps, parts);
    output out = {.checksum = 0};
    out.file =
        RCT_SYSTEM(call, "create the checkpoint", rct_new_file(place->part, place->path, "part"));
    if (out.file < 0) {
        return;
    }
    put_all(&out, call, &head, parts);
    RCT_SYSTEM(call, "bring it to the disk", fsync(out.file));
    rct_call_system(call, close(out.file), "close the checkpoint");
    RCT_SYSTEM(call, "keep the one before", keep_previous(place));
    RCT_SYSTEM(call, "give it its name", rename(place->part, place->path));
    if (call->status != RCT_OK) {
        unlink(place->part); /* nothing more can be done about a failure */
        return;
    }
    RCT_SYSTEM(call, "bring its name to the disk", rct_sync_directory(place->directory));
}
