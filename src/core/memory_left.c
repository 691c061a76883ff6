/* Memory left (memory_left.h), from /proc/meminfo and the limits of control groups of both versions
 * (cgroup-v2 and cgroup-v1/memory in the documentation of Linux). */
#include "core/memory_left.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATH = 4096, MOST_LINE = 4096 };

/* Files of the numbers of a version; without a limit the number is "max", or larger than all
 * memory. */
typedef struct hierarchy {
    const char *folder, *limit, *used, *cache, *swap_limit, *swap_used;
} hierarchy;

static const hierarchy first = {"/sys/fs/cgroup/memory",
                                "memory.limit_in_bytes",
                                "memory.usage_in_bytes",
                                "total_inactive_file ",
                                NULL,
                                NULL};
static const hierarchy second = {"/sys/fs/cgroup", "memory.max",      "memory.current",
                                 "inactive_file ", "memory.swap.max", "memory.swap.current"};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number behind `key` in the first line that begins with it; `none` if there is no such line,
 * or no number in it. */
static int64_t number_of(const char *path, const char *key, int64_t none)
{
    char line[MOST_LINE];
    int64_t number = none;
    int found = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, key, strlen(key)) == 0;
        if (found) {
            char *end;
            const long long value = strtoll(line + strlen(key), &end, 10);
            number = end != line + strlen(key) && value >= 0 ? value : none;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return number;
}

/* The part of `limit` that a group leaves; droppable file pages count as free. */
static int64_t left_in(const char *group, const char *limit, const char *used, const char *cache)
{
    char path[MOST_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", group, limit);
    const int64_t most = number_of(path, "", INT64_MAX);
    if (most == INT64_MAX) {
        return INT64_MAX;
    }
    snprintf(path, sizeof path, "%s/%s", group, used);
    int64_t taken = number_of(path, "", 0);
    if (cache != NULL) {
        snprintf(path, sizeof path, "%s/memory.stat", group);
        taken -= least(number_of(path, cache, 0), taken);
    }
    return most > taken ? most - taken : 0;
}

/* The memory left by the group `name` and the groups that contain it. */
static void ask_groups(const char *root, const hierarchy *h, const char *name, int64_t *memory,
                       int64_t *swap)
{
    char group[MOST_PATH];
    const size_t top = strlen(root) + strlen(h->folder);
    if ((size_t)snprintf(group, sizeof group, "%s%s%s", root, h->folder, name) >= sizeof group) {
        return;
    }
    for (char *end = group + strlen(group); end != NULL && end >= group + top;
         end = strrchr(group, '/')) {
        *end = '\0';
        *memory = least(*memory, left_in(group, h->limit, h->used, h->cache));
        if (h->swap_limit != NULL) {
            *swap = least(*swap, left_in(group, h->swap_limit, h->swap_used, NULL));
        }
    }
}

/* The hierarchy of a line of /proc/self/cgroup, "ID:CONTROLLERS:PATH", with `path` set to its path;
 * NULL: another kind. */
static const hierarchy *hierarchy_of(char *line, const char **path)
{
    char *controllers = strchr(line, ':');
    char *end = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (end == NULL) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    *end = '\0';
    *path = end + 1;
    char *rest;
    for (char *name = strtok_r(controllers + 1, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        if (strcmp(name, "memory") == 0) {
            return &first;
        }
    }
    return end == controllers + 1 ? &second : NULL;
}

int64_t rct_memory_left(const char *root)
{
    char path[MOST_PATH], line[MOST_LINE];
    int64_t memory = INT64_MAX, swap = INT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *name;
        const hierarchy *h = hierarchy_of(line, &name);
        if (h != NULL) {
            ask_groups(root, h, name, &memory, &swap);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    const int64_t known = number_of(path, "MemAvailable:", INT64_MAX >> 10) << 10; /* KiB */
    const int64_t swapped = number_of(path, "SwapFree:", 0) << 10;
    memory = least(memory, known);
    return memory >= INT64_MAX >> 10 << 10 ? INT64_MAX : memory + least(swap, swapped);
}
