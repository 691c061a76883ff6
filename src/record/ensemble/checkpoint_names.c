/* The names of checkpoints beside a file of results, and the removal of these files. */
#include "record/ensemble/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIX = 32, FIRST_ROOM = 16 };

static const char ending[] = ".checkpoint", what[] = "look for checkpoints beside the results";

/* The path of the results with symbolic links followed. */
static void follow(rct_call *call, const char *results, char followed[PATH_MAX])
{
    followed[0] = '\0';
    if (results[0] == '\0') {
        rct_call_fail(call, RCT_ERROR_ARGUMENT, "no path of the results; give a file name");
    } else if (strlen(results) >= PATH_MAX - SUFFIX) {
        errno = ENAMETOOLONG;
        rct_call_system(call, -1, what);
    } else if (rct_follow_links(followed, results) != 0) {
        rct_call_system(call, -1, "follow the links of the results");
    }
}

char *rct_rank_path(rct_call *call, const char *results, int32_t rank)
{
    char followed[PATH_MAX];
    follow(call, results, followed);
    return rank == 0 ? rct_call_print(call, 0, "the name of a checkpoint", "%s%s", followed, ending)
                     : rct_call_print(call, 0, "the name of a checkpoint", "%s%s-%" PRId32,
                                      followed, ending, rank);
}

/* ---- finding them ------------------------------------------------------------------------- */

/* Whether a killed process left this file: its lock, or ".PROCESS-K.part". */
static int is_left_over(const char *rest)
{
    const char *at = rest;
    if (at[0] == '.' && at[1] >= '0' && at[1] <= '9') {
        at += 1 + strspn(at + 1, "0123456789-");
    }
    return strcmp(rest, ".lock") == 0 || strcmp(at, ".part") == 0;
}

/* The place of a name among the checkpoints of these results, by rank, the previous one after
 * the present one; -1: it is no checkpoint. `is_part`: it was left over from writing. */
static int64_t read_name(const char *name, const char *base, int *is_part)
{
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 ||
        strncmp(name + length, ending, sizeof ending - 1) != 0) {
        return -1;
    }
    int64_t rank = 0;
    const char *rest = name + length + sizeof ending - 1;
    if (rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9') {
        char *end;
        rank = strtoll(rest + 1, &end, 10);
        rest = end;
    }
    const int is_previous = strcmp(rest, ".previous") == 0;
    *is_part = rest[0] != '\0' && !is_previous;
    return rank > INT32_MAX || (*is_part && !is_left_over(rest)) ? -1 : 2 * rank + is_previous;
}

static void add(rct_checkpoint_names *names, rct_call *call, const char *name, int64_t order)
{
    if (names->count == names->room) {
        const int64_t room = 2 * names->room + FIRST_ROOM;
        rct_checkpoint_name *wide = rct_widen(names->name, names->count, room, sizeof *wide,
                                              "names of checkpoints", call->error);
        if (wide == NULL) {
            call->status = RCT_ERROR_MEMORY;
            return;
        }
        names->name = wide;
        names->room = room;
    }
    char *path =
        rct_call_print(call, 0, "the name of a checkpoint", "%s%s", names->directory, name);
    if (path != NULL) {
        names->name[names->count++] = (rct_checkpoint_name){path, order};
    }
}

static int by_order(const void *a, const void *b)
{
    const rct_checkpoint_name *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static const char *directory_of(const rct_checkpoint_names *names)
{
    return names->directory[0] != '\0' ? names->directory : ".";
}

static void scan(rct_checkpoint_names *names, rct_call *call, const char *base, int parts)
{
    DIR *open = rct_call_go(call) ? opendir(directory_of(names)) : NULL;
    if (rct_call_system(call, open != NULL ? 0 : -1, what) < 0) {
        return;
    }
    int more = 1;
    while (more && call->status == RCT_OK) {
        errno = 0;
        const struct dirent *entry = rct_call_go(call) ? readdir(open) : NULL;
        more = entry != NULL;
        rct_call_system(call, more || errno == 0 ? 0 : -1, what);
        int is_part = 0;
        const int64_t order = more ? read_name(entry->d_name, base, &is_part) : -1;
        if (order >= 0 && (parts || !is_part)) {
            add(names, call, entry->d_name, order);
        }
    }
    closedir(open);
}

void rct_checkpoint_names_find(rct_checkpoint_names *names, rct_call *call, const char *results,
                               int parts)
{
    char path[PATH_MAX];
    follow(call, results, path);
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    *names = (rct_checkpoint_names){.count = 0};
    names->directory =
        rct_call_print(call, 0, "the name of a checkpoint", "%.*s", (int)(base - path), path);
    if (names->directory != NULL) {
        scan(names, call, base, parts);
    }
    if (names->count > 1) {
        qsort(names->name, (size_t)names->count, sizeof *names->name, by_order);
    }
}

void rct_checkpoint_names_release(rct_checkpoint_names *names)
{
    for (int64_t k = 0; k < names->count; k++) {
        rct_release(names->name[k].path);
    }
    rct_release(names->name);
    rct_release(names->directory);
}

rct_status rct_ensemble_checkpoints_remove(const char *results, rct_error *error)
{
    if (!rct_given(results, "results", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    rct_checkpoint_names names;
    rct_call_begin(&call, results, NULL, error);
    rct_checkpoint_names_find(&names, &call, results, 1);
    for (int64_t k = 0; k < names.count && call.status == RCT_OK; k++) {
        const int gone = rct_call_go(&call) &&
                         (unlink(names.name[k].path) == 0 || errno == ENOENT); /* another process */
        rct_call_system(&call, gone ? 0 : -1, "remove its checkpoints");
    }
    if (names.count > 0) {
        RCT_SYSTEM(&call, "bring the removal of its checkpoints to the disk",
                   rct_sync_directory(directory_of(&names)));
    }
    rct_checkpoint_names_release(&names);
    return rct_call_end(&call);
}
