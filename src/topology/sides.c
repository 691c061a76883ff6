/* Which tasks stand beside segments (sides.h). */
#include "topology/sides.h"

#include "topology/planting.h"
#include "topology/rows.h"

/* Most links of a side path: its segments wait while their warp sweeps it. */
enum { SIDE_MOST = 4 };

static int is_side(const rct_packing *packing, const rct_task *task)
{
    const rct_links *links = &packing->plan->links;
    int side = task->beside >= 0 && task->count <= SIDE_MOST &&
               rct_narrow_path(links, task->first, task->count);
    for (int32_t i = task->first + 1; i < task->first + task->count && side; i++) {
        side = links->parent[i] == i - 1;
    }
    return side;
}

/* The number of narrow segments before the one that has link `label`, or -1 if that is wide.
 * `before`: [segments + 1]. */
static int32_t place_of_segment(const rct_partition *p, const int32_t *before, int32_t label)
{
    int32_t low = 0, high = p->segment_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (p->segments[middle].first <= label) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return before[low + 1] > before[low] ? before[low] : -1;
}

/* The group of each task, and how many each group has; returns the most. */
static int32_t count(rct_sides *sides, const rct_packing *packing, int32_t *before)
{
    const rct_partition *p = packing->partition;
    int32_t most = 0;
    for (int32_t s = 0; s < p->segment_count; s++) {
        before[s + 1] = before[s] + rct_narrow_segment(packing->plan, p, s);
    }
    for (int32_t t = 0; t < p->task_count; t++) {
        const int32_t place =
            is_side(packing, &p->tasks[t]) ? place_of_segment(p, before, p->tasks[t].beside) : -1;
        sides->group[t] = place < 0 ? -1 : place / packing->lanes.lanes;
        if (place >= 0) {
            const int32_t there = ++sides->begin[sides->group[t] + 1];
            most = there > most ? there : most;
        }
    }
    return most;
}

/* Tasks by group. */
static void list(rct_sides *sides, int32_t tasks)
{
    for (int32_t g = 0; g < sides->groups; g++) {
        sides->begin[g + 1] += sides->begin[g];
    }
    for (int32_t t = 0; t < tasks; t++) {
        if (sides->group[t] >= 0) {
            sides->task[sides->begin[sides->group[t]]++] = t;
        }
    }
    for (int32_t g = sides->groups; g > 0; g--) {
        sides->begin[g] = sides->begin[g - 1];
    }
    sides->begin[0] = 0;
}

rct_status rct_sides_find(rct_sides *sides, const rct_packing *packing, rct_error *error)
{
    const rct_partition *p = packing->partition;
    const int64_t nameable = INT32_MAX / (8 * MOST_STATE); /* as twigs: rct_writing_is_twig */
    *sides = (rct_sides){0};
    if (!packing->in_order || p->task_count == 0 || p->segment_count == 0 ||
        packing->plan->links.count > nameable) {
        return RCT_OK;
    }
    int32_t *before;
    sides->groups = (p->segment_count + packing->lanes.lanes - 1) / packing->lanes.lanes;
    const rct_array room[] = {
        RCT_ARRAY(sides->begin, (int64_t)sides->groups + 1), RCT_ARRAY(sides->task, p->task_count),
        RCT_ARRAY(sides->group, p->task_count), RCT_ARRAY(before, (int64_t)p->segment_count + 1)};
    if (rct_allocate_arrays(room, 4, "the packing", error) != RCT_OK) {
        rct_release_arrays(room, 4);
        *sides = (rct_sides){0};
        return RCT_ERROR_MEMORY;
    }
    const int32_t most = count(sides, packing, before);
    rct_release(before);
    if (most == 0 || most > packing->lanes.lanes) {
        rct_sides_free(sides);
    } else {
        list(sides, p->task_count);
    }
    return RCT_OK;
}

void rct_sides_free(rct_sides *sides)
{
    rct_release(sides->begin);
    rct_release(sides->task);
    rct_release(sides->group);
    *sides = (rct_sides){0};
}
