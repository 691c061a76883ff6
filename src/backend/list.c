/* The backends, best first. A new backend is a folder and a line here. */
#include "backend/backend.h"
#include "backend/plugin.h"
#include "core/error.h"
#include "core/sized.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

typedef struct backend_entry {
    const char *name;
    const rct_backend *own; /* NULL: in a plugin */
} backend_entry;

static const backend_entry backends[] = {{"cuda", NULL}, {"cpu", &rct_backend_cpu}};

enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* The backend, or NULL and the reason if it cannot run on this machine. */
static const rct_backend *open_backend(int32_t index, const char **reason)
{
    const backend_entry *entry = &backends[index];
    const int32_t identity[] = RCT_BACKEND_IDENTITY;
    const rct_backend *backend =
        entry->own != NULL ? entry->own
                           : rct_plugin_open(entry->name, identity, RCT_PLUGIN_LOCAL, reason);
    if (backend != NULL) {
        *reason = backend->unavailable();
    }
    return backend != NULL && *reason == NULL ? backend : NULL;
}

static int32_t devices_of(const rct_backend *backend, const char *const **names)
{
    return backend != NULL && backend->devices != NULL ? backend->devices(names) : 0;
}

static int has_device(const rct_backend *backend, const char *name)
{
    const char *const *names = NULL;
    const int32_t count = devices_of(backend, &names);
    int32_t i = 0;
    while (i < count && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i < count;
}

const rct_backend *rct_backend_find(const char *name, rct_error *error)
{
    const size_t word = strcspn(name, ":");
    for (int32_t i = 0; i < BACKENDS; i++) {
        if (strlen(backends[i].name) != word || strncmp(name, backends[i].name, word) != 0) {
            continue;
        }
        const char *reason;
        const rct_backend *backend = open_backend(i, &reason);
        if (backend == NULL) {
            rct_fail(error, RCT_ERROR_UNSUPPORTED,
                     "backend \"%s\" cannot run here: %s; use auto or cpu", name, reason);
            return NULL;
        }
        if (name[word] == '\0' || has_device(backend, name)) {
            return backend;
        }
    }
    const char *known[BACKENDS + 2] = {"auto", NULL};
    char hint[RCT_ERROR_TEXT_SIZE];
    for (int32_t i = 0; i < BACKENDS; i++) {
        known[i + 1] = backends[i].name;
    }
    rct_fail(
        error, RCT_ERROR_UNSUPPORTED, "there is no backend \"%s\"%s", name,
        rct_did_you_mean(name, known, "use auto or one that `riccatree backends` lists", hint));
    return NULL;
}

/* Evaluations that the CPU does in less are no matter for an accelerator, s: it is not even
 * opened. */
static const double no_matter = 10e-6;

static const rct_backend *find_least(const rct_workload *work)
{
    const rct_backend *best = &rct_backend_cpu;
    double least = best->predict(work);
    for (int32_t i = 0; i < BACKENDS && least > no_matter; i++) {
        const char *reason;
        const rct_backend *other = open_backend(i, &reason);
        const double time = other != NULL ? other->predict(work) : least;
        best = time < least ? other : best;
        least = time < least ? time : least;
    }
    return best;
}

const rct_backend *rct_backend_for(const rct_model *model, const rct_solver_options *options,
                                   int64_t members, rct_error *error)
{
    if (options->backend != NULL && strcmp(options->backend, "auto") != 0) {
        return rct_backend_find(options->backend, error);
    }
    const rct_workload work = rct_workload_of(model, options, members);
    return find_least(&work);
}

/* The list for users: every backend, followed by its devices where there are several. Returns the
 * number of all entries; `info` gets entry `index`, if there is one. */
static int32_t list_entry(int32_t index, rct_backend_info *info)
{
    int32_t before = 0;
    for (int32_t i = 0; i < BACKENDS; i++) {
        const char *const *names = NULL, *reason = NULL;
        const rct_backend *backend = open_backend(i, &reason);
        const int32_t devices = devices_of(backend, &names);
        const int32_t after = before + 1 + (devices > 1 ? devices : 0);
        if (index >= before && index < after) {
            *info = (rct_backend_info){.name = index == before ? backends[i].name
                                                               : names[index - before - 1],
                                       .available = backend != NULL,
                                       .reason = reason};
        }
        before = after;
    }
    return before;
}

int32_t rct_backend_count(void)
{
    return list_entry(-1, NULL);
}

rct_status rct_backend_describe_sized(int32_t index, rct_out info, rct_error *error)
{
    if (!rct_given(info.at, "info", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_backend_info own;
    memset(&own, 0, sizeof own); /* with its padding, which is copied out too */
    const int32_t count = list_entry(index, &own);
    if (index < 0 || index >= count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "there is no backend %" PRId32 ": this build has backends 0 to %" PRId32,
                        index, count - 1);
    }
    rct_give(info, &own, rct_whole(sizeof own));
    return RCT_OK;
}
