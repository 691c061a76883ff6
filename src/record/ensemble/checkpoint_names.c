/* The names of checkpoints beside a file of results, and removing the files. */
#include "record/ensemble/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIX = 32, FIRST_ROOM = 16 };

static const char ending[] = ".checkpoint";

static char *copy(rct_call *call, const char *text, int64_t more)
{
    const int64_t size = (int64_t)strlen(text) + 1;
    char *own = rct_call_allocate(call, size + more, 1, "the name of a checkpoint");
    return own != NULL ? memcpy(own, text, (size_t)size) : NULL;
}

char *rct_results_path(rct_call *call, const char *results)
{
    char followed[PATH_MAX] = "";
    if (results[0] == '\0') {
        rct_call_fail(call, RCT_ERROR_ARGUMENT, "no path of the results; give a file name");
    } else if (strlen(results) >= PATH_MAX - SUFFIX) {
        errno = ENAMETOOLONG;
        rct_call_system(call, -1, "look for checkpoints beside the results");
    } else if (rct_follow_links(followed, results) != 0) {
        rct_call_system(call, -1, "follow the links of the results");
    }
    return copy(call, followed, 0);
}

char *rct_rank_path(rct_call *call, const char *results, int32_t rank)
{
    char *path = results != NULL ? copy(call, results, SUFFIX) : NULL;
    if (path != NULL) {
        char *end = path + strlen(path);
        if (rank == 0) {
            snprintf(end, SUFFIX, "%s", ending);
        } else {
            snprintf(end, SUFFIX, "%s-%" PRId32, ending, rank);
        }
    }
    return path;
}

/* ---- finding them ------------------------------------------------------------------------- */

/* What a process that was killed leaves: its lock, and ".PROCESS-K.part". */
static int is_left_over(const char *rest)
{
    const char *at = rest;
    if (at[0] == '.' && at[1] >= '0' && at[1] <= '9') {
        for (at++; (*at >= '0' && *at <= '9') || *at == '-'; at++) {
        }
    }
    return strcmp(rest, ".lock") == 0 || strcmp(at, ".part") == 0;
}

/* Of a name: whether it is that of a checkpoint, of which rank, and 0: present, 1: previous, 2: left over. */
static int read_name(const char *name, const char *base, int64_t *rank, int *age)
{
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 ||
        strncmp(name + length, ending, sizeof ending - 1) != 0) {
        return 0;
    }
    const char *rest = name + length + sizeof ending - 1;
    *rank = 0;
    if (rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9') {
        char *end;
        *rank = strtoll(rest + 1, &end, 10);
        rest = end;
    }
    *age = rest[0] == '\0' ? 0 : strcmp(rest, ".previous") == 0 ? 1 : 2;
    return *rank <= INT32_MAX && (*age < 2 || is_left_over(rest));
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void add(rct_checkpoint_names *names, rct_call *call, const char *name)
{
    if (names->count == names->room) {
        const int64_t room = names->room > 0 ? 2 * names->room : FIRST_ROOM;
        char **larger = rct_call_allocate(call, room, sizeof *larger, "names of checkpoints");
        if (larger == NULL) {
            return;
        }
        if (names->count > 0) {
            memcpy(larger, names->path, (size_t)names->count * sizeof *larger);
        }
        rct_release(names->path);
        names->path = larger;
        names->room = room;
    }
    const size_t length = strlen(name);
    char *path = copy(call, names->directory, (int64_t)length);
    if (path != NULL) {
        memcpy(path + strlen(path), name, length + 1);
        names->path[names->count++] = path;
    }
}

static int64_t order_of(const char *path)
{
    const char *name = base_of(path), *rest = NULL;
    for (const char *at = strstr(name, ending); at != NULL; at = strstr(at + 1, ending)) {
        rest = at + sizeof ending - 1; /* the last one: the results may be called so too */
    }
    const int64_t rank = rest != NULL && rest[0] == '-' ? strtoll(rest + 1, NULL, 10) : 0;
    return 2 * rank + (rest != NULL && strstr(rest, ".previous") != NULL);
}

static int by_rank(const void *a, const void *b)
{
    const int64_t x = order_of(*(char *const *)a), y = order_of(*(char *const *)b);
    return (x > y) - (x < y);
}

/* As the user gave it, so that what is in it can be named alike. */
static const char *directory_of(const rct_checkpoint_names *names)
{
    return names->directory[0] != '\0' ? names->directory : ".";
}

static void scan(rct_checkpoint_names *names, rct_call *call, const char *base, int parts)
{
    DIR *open = rct_call_go(call) ? opendir(directory_of(names)) : NULL;
    if (rct_call_system(call, open != NULL ? 0 : -1, "look for checkpoints beside the results") <
        0) {
        return;
    }
    int more = 1;
    while (more && call->status == RCT_OK) {
        int64_t rank = 0;
        int age = 0;
        errno = 0;
        const struct dirent *entry = rct_call_go(call) ? readdir(open) : NULL;
        more = entry != NULL;
        if (more && read_name(entry->d_name, base, &rank, &age) && (age < 2 || parts)) {
            add(names, call, entry->d_name);
        } else if (!more) {
            rct_call_system(call, errno != 0 ? -1 : 0, "look for checkpoints beside the results");
        }
    }
    closedir(open);
}

void rct_checkpoint_names_find(rct_checkpoint_names *names, rct_call *call, const char *results,
                               int parts)
{
    *names = (rct_checkpoint_names){.count = 0};
    char *path = rct_results_path(call, results);
    if (path != NULL) {
        const char *base = base_of(path);
        names->directory = copy(call, path, 0);
        if (names->directory != NULL) {
            names->directory[base - path] = '\0';
        }
        scan(names, call, base, parts);
        if (names->count > 1) {
            qsort(names->path, (size_t)names->count, sizeof *names->path, by_rank);
        }
    }
    rct_release(path);
}

void rct_checkpoint_names_release(rct_checkpoint_names *names)
{
    for (int64_t k = 0; k < names->count; k++) {
        rct_release(names->path[k]);
    }
    rct_release(names->path);
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
                         (unlink(names.path[k]) == 0 || errno == ENOENT); /* another process */
        rct_call_system(&call, gone ? 0 : -1, "remove its checkpoints");
    }
    if (names.count > 0) {
        rct_call_system(&call, rct_call_go(&call) ? rct_sync_directory(directory_of(&names)) : -1,
                        "bring the removal of its checkpoints to the disk");
    }
    rct_checkpoint_names_release(&names);
    return rct_call_end(&call);
}
