/* Cuts the tree into segments, tasks and trunk (partition.h). */
#include "topology/cutting.h"

#include <riccatree/loop.h>

#include <stddef.h>
#include <string.h>

/* The automatic choice. Below LEAST_LINKS links the serial sweep is faster. In plans with other
 * hinges than balls, segments are worth it from WIDE_LEAST links on, because the trunk closes them
 * by systems of six. There are FEW segments, one for each of eight lanes, and from MANY links on,
 * where threads share them, twice as many, until they are LONG, or WIDE_LONG. Where loops hold
 * links, segments are twice as long, because closing sweeps the trunk again. Subtrees of up to
 * TASK_LINKS links are tasks, beside segments of up to RAKE_MOST, so that the scratch of a bush is
 * bounded. Measured in docs/decisions.md. */
enum { PATTERN = 8 };
enum { STRETCH_MOST = 8 }; /* links on other hinges, and before them, that are left to the trunk */
enum { LEAST_LINKS = 48, WIDE_LEAST = 224, FEW = 8, MANY = 1000 };
enum { LONG = 192, WIDE_LONG = 384, SHORT = 8 };
enum { TASK_LINKS = 1024, RAKE_MOST = 4096 };

/* Runs up to a link that a loop holds are segments from STATION_RUN links on: a segment costs the
 * trunk as much as about three links. */
enum { STATION_RUN = 6 };

/* Whether there are other hinges than balls. */
static int has_others(const rct_links *links)
{
    return links->fields > LINK_FIELDS;
}

static int32_t few_of(const rct_links *links)
{
    return links->count < MANY ? FEW : 2 * FEW;
}

/* The length with which a few segments hold `inside` links. */
static int32_t length_of_few(const rct_links *links, int64_t inside)
{
    return (int32_t)((inside + few_of(links) - 1) / few_of(links));
}

static int32_t choose_length(const rct_links *links, int64_t asked, int loops)
{
    const int32_t most = (loops ? 2 : 1) * (has_others(links) ? WIDE_LONG : LONG);
    if (asked >= 0) {
        return asked < links->count ? (int32_t)asked : links->count;
    }
    if (links->count < LEAST_LINKS) {
        return 0;
    }
    const int32_t length = length_of_few(links, links->count);
    return links->count < MANY || length < most ? length : most;
}

static void measure_sizes(const rct_cutting *cut)
{
    for (int32_t i = cut->links->count - 1; i >= 0; i--) {
        cut->size[i]++;
        if (cut->links->parent[i] >= 0) {
            cut->size[cut->links->parent[i]] += cut->size[i];
        }
    }
}

/* Whether link i is held by a loop, or has a side subtree that contains a held link or is too large
 * to rake. */
static int is_junction(const rct_cutting *cut, int32_t i)
{
    const rct_links *links = cut->links;
    int junction = cut->held[i] == HELD;
    for (int32_t k = links->child_begin[i] + 1; k < links->child_begin[i + 1] && !junction; k++) {
        const int32_t side = links->child[k];
        junction = cut->size[side] >= cut->how.rake || cut->held[side] != 0;
    }
    return junction;
}

/* How many segments a run of `length` links becomes: a multiple of FEW when there are many, so that
 * lanes and threads share them evenly. */
static int32_t segments_of_run(const rct_cutting *cut, int32_t first, int32_t length)
{
    const int before_station = length > 0 && cut->held[first + length - 1] != 0;
    if (length == 0 || 2 * (int64_t)length < (before_station ? 2 * STATION_RUN : cut->how.length)) {
        return 0; /* too short to be worth a lane */
    }
    int32_t count = (length + cut->how.length - 1) / cut->how.length;
    if (count > 2 * FEW && cut->held[0] == 0) {
        count = (count + 2 * FEW - 1) / (2 * FEW) * (2 * FEW);
    }
    return count < length ? count : length;
}

/* Cuts the run [first, first + length) into segments whose lengths differ by one step at most. */
static void cut_run(const rct_cutting *cut, rct_partition *p, int32_t first, int32_t length)
{
    const int32_t count = segments_of_run(cut, first, length);
    const int32_t step = cut->how.step > 1 ? cut->how.step : 1;
    for (int32_t k = 0; k < count; k++) {
        const int32_t begin = first + (int32_t)((int64_t)length * k / count) / step * step;
        const int32_t next = (int32_t)((int64_t)length * (k + 1) / count) / step * step;
        const int32_t end = first + (k + 1 < count ? next : length);
        if (p->segments != NULL) {
            p->segments[p->segment_count] = (rct_segment){begin, end - begin, -1};
        }
        for (int32_t i = begin; i < end; i++) {
            cut->segment[i] = p->segment_count;
        }
        p->segment_count++;
    }
}

/* Whether link i, or the next of its path, is on another hinge than a ball. */
static int is_wide(const rct_cutting *cut, int32_t i)
{
    const int32_t next = i + 1;
    const int goes_on = next < cut->links->count && cut->links->parent[next] == i;
    return !rct_links_pass(cut->links, i) || (goes_on && !rct_links_pass(cut->links, next));
}

/* Whether `length` links from i on along their path are narrow, and none is a junction. */
static int begins_long_run(const rct_cutting *cut, int32_t i, int32_t length)
{
    const rct_links *links = cut->links;
    int32_t end = i;
    while (end < i + length && end < links->count && (end == i || links->parent[end] == end - 1) &&
           !is_junction(cut, end) && !is_wide(cut, end)) {
        end++;
    }
    return end == i + length;
}

/* How many links from i on, of the run [run, ...), are a short wide stretch beside a long run, or
 * between two. */
static int32_t left_between(const rct_cutting *cut, int32_t run, int32_t i)
{
    const rct_links *links = cut->links;
    const int32_t length = cut->how.narrow;
    if (length == 0 || !is_wide(cut, i) || (i > run && (is_wide(cut, i - 1) || i - run < length))) {
        return 0;
    }
    for (int32_t next = i + 1; next <= i + STRETCH_MOST; next++) {
        if (next == links->count || links->parent[next] != next - 1 || is_junction(cut, next)) {
            return i > run ? next - i : 0;
        }
        if (begins_long_run(cut, next, length)) {
            return next - i;
        }
    }
    return 0;
}

/* Walks the paths that are not raked; cuts the runs between junctions, and between stretches that
 * are left to the trunk. */
static void cut_paths(const rct_cutting *cut, rct_partition *p)
{
    const rct_links *links = cut->links;
    p->segment_count = 0;
    int32_t i = 0;
    while (i < links->count) {
        const int raked = cut->size[i] < cut->how.rake && cut->held[i] == 0;
        int32_t run = i;
        int32_t end = i;
        do { /* the path that starts at i */
            const int32_t left = is_junction(cut, end) ? 1 : left_between(cut, run, end);
            if (left > 0) {
                if (!raked) {
                    cut_run(cut, p, run, end - run);
                }
                run = end + left;
            }
            end += left > 0 ? left : 1;
        } while (end < links->count && links->parent[end] == end - 1);
        if (!raked) {
            cut_run(cut, p, run, end - run);
        }
        i = end;
    }
}

static int64_t links_inside(const rct_cutting *cut)
{
    int64_t inside = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        inside += cut->segment[i] >= 0;
    }
    return inside;
}

/* Whether segments are worth it. What is raked onto segments passes through side records. Fewer
 * segments than lanes leave lanes empty. */
static int worth_it(const rct_cutting *cut, const rct_partition *p)
{
    const int64_t links = cut->links->count;
    return (links >= WIDE_LEAST || !has_others(cut->links)) && p->segment_count >= FEW - 1 &&
           3 * links_inside(cut) >= links;
}

static void forget_segments(const rct_cutting *cut, rct_partition *p)
{
    p->segment_count = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        cut->segment[i] = -1;
    }
}

/* ---- tasks ------------------------------------------------------------------------------- */

/* Heights of subtrees without a segment, -1 for the others, into cut->node. */
static void measure_heights(const rct_cutting *cut)
{
    for (int32_t i = 0; i < cut->links->count; i++) {
        cut->node[i] = cut->segment[i] >= 0 || cut->held[i] != 0 ? -1 : 0;
    }
    for (int32_t i = cut->links->count - 1; i >= 0; i--) {
        const int32_t up = cut->links->parent[i];
        cut->node[i] += cut->node[i] >= 0;
        if (up >= 0 && cut->node[i] < 0) {
            cut->node[up] = -1;
        } else if (up >= 0 && cut->node[up] >= 0 && cut->node[up] < cut->node[i]) {
            cut->node[up] = cut->node[i];
        }
    }
}

/* Whether tasks are worth it. A bush has at least as many waves as its longest path has links: with
 * mostly empty lanes, or most links in the trunk, nothing is gained. */
static int tasks_worth_it(const rct_cutting *cut, const rct_partition *p)
{
    int64_t inside = 0;
    int32_t tallest = 0;
    for (int32_t k = 0; k < p->task_count; k++) {
        const int32_t height = cut->node[p->tasks[k].first];
        inside += p->tasks[k].count;
        tallest = tallest > height ? tallest : height;
    }
    return 2 * inside >= cut->links->count && 4 * (int64_t)tallest <= inside;
}

/* The largest subtrees of at most `most` links that have no segment. Only counts them while
 * p->tasks is NULL. */
static void list_tasks(const rct_cutting *cut, rct_partition *p, int32_t most)
{
    p->task_count = 0;
    int32_t i = 0;
    while (i < cut->links->count) {
        const int task = cut->node[i] > 0 && cut->size[i] <= most;
        const int32_t count = task ? cut->size[i] : 1;
        if (task && p->tasks != NULL) {
            p->tasks[p->task_count] = (rct_task){i, count, -1, -1};
        }
        p->task_count += task;
        i += count;
    }
}

static rct_status find_tasks(const rct_cutting *cut, rct_partition *p, int choose, rct_error *error)
{
    const int32_t most = cut->how.rake - 1 > cut->how.task ? cut->how.rake - 1 : cut->how.task;
    measure_heights(cut);
    list_tasks(cut, p, most);
    p->tasks = rct_allocate(p->task_count, sizeof *p->tasks, "the tasks", error);
    if (p->tasks == NULL) {
        return RCT_ERROR_MEMORY;
    }
    list_tasks(cut, p, most);
    if (choose && p->segment_count == 0 && !tasks_worth_it(cut, p)) {
        p->task_count = 0;
    }
    for (int32_t k = 0; k < p->task_count; k++) {
        for (int32_t j = 0; j < p->tasks[k].count; j++) {
            cut->task[p->tasks[k].first + j] = k;
        }
    }
    return RCT_OK;
}

/* ---- all of it --------------------------------------------------------------------------- */

static rct_status find_segments(rct_cutting *cut, rct_partition *p, int choose, rct_error *error)
{
    cut_paths(cut, p); /* only counts them */
    const int32_t length = length_of_few(cut->links, links_inside(cut));
    if (choose && p->segment_count < few_of(cut->links) && length >= SHORT) {
        cut->how.length = cut->how.rake = length;
        forget_segments(cut, p);
        cut_paths(cut, p);
    }
    if (choose && !worth_it(cut, p)) {
        cut->how.length = 0;
        forget_segments(cut, p);
    }
    p->segments = rct_allocate(p->segment_count, sizeof *p->segments, "the segments", error);
    if (p->segments != NULL && cut->how.length > 0) {
        cut_paths(cut, p);
    }
    return p->segments == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status build(const rct_plan *plan, rct_partition *p, const rct_cut *how, int choose,
                        rct_error *error)
{
    enum { ROOM = 5 };
    const int32_t n = plan->links.count, length = how->length;
    rct_cutting cut = {.links = &plan->links, .how = *how};
    const rct_array room[ROOM] = {RCT_ARRAY(cut.size, n), RCT_ARRAY(cut.segment, n),
                                  RCT_ARRAY(cut.task, n), RCT_ARRAY(cut.node, n),
                                  RCT_ARRAY(cut.held, n)};
    rct_status status = rct_allocate_arrays(room, ROOM, "the partition", error);
    if (status == RCT_OK) {
        measure_sizes(&cut);
        for (int32_t i = 0; i < n; i++) {
            cut.segment[i] = cut.task[i] = -1;
        }
        p->stations = how->stations && n >= LEAST_LINKS ? rct_mark_held(&cut, plan) : 0;
    }
    if (status == RCT_OK && length > 0) {
        status = find_segments(&cut, p, choose, error);
    }
    if (status == RCT_OK && length > 0) {
        status = find_tasks(&cut, p, choose, error);
    }
    if (p->segment_count + p->task_count == 0) { /* trunk only: host operators are faster */
        p->stations = 0;
    }
    p->whole = cut.how.task == INT32_MAX;
    p->length = p->whole ? 0 : cut.how.length;
    if (status == RCT_OK) {
        status = rct_reduce(&cut, p, error);
    }
    rct_release_arrays(room, ROOM);
    return status;
}

static rct_partition *create(const rct_plan *plan, const rct_cut *cut, int choose, rct_error *error)
{
    rct_partition *p = rct_allocate(1, sizeof *p, "a partition", error);
    if (p != NULL && build(plan, p, cut, choose, error) != RCT_OK) {
        rct_partition_free(p);
        p = NULL;
    }
    return p;
}

rct_partition *rct_partition_create(const rct_plan *plan, int64_t length, int narrow, int stations,
                                    rct_error *error)
{
    if (length == SEGMENT_WHOLE) {
        const rct_cut trees = rct_cut_whole_trees();
        return create(plan, &trees, 0, error);
    }
    const int loops = stations && rct_model_loop_count(plan->surroundings) > 0;
    const int32_t links = choose_length(&plan->links, length, loops);
    const rct_cut cut = {.length = links,
                         .rake = links < RAKE_MOST ? links : RAKE_MOST,
                         .task = TASK_LINKS,
                         .step = has_others(&plan->links) && links >= 8 * PATTERN ? PATTERN : 1,
                         .narrow = narrow ? links : 0,
                         .stations = stations};
    return create(plan, &cut, length == SEGMENT_AUTO, error);
}

rct_partition *rct_partition_create_cut(const rct_plan *plan, const rct_cut *cut, rct_error *error)
{
    return create(plan, cut, 0, error);
}

void rct_partition_arrays(rct_partition *p, rct_array arrays[PARTITION_ARRAYS])
{
    const rct_array all[PARTITION_ARRAYS] = {
        RCT_ARRAY(p->label, p->nodes),
        RCT_ARRAY(p->segment, p->nodes),
        RCT_ARRAY(p->task, p->nodes),
        RCT_ARRAY(p->parent, p->nodes),
        RCT_ARRAY(p->child_begin, (int64_t)p->nodes + 1),
        RCT_ARRAY(p->child, p->nodes),
        RCT_ARRAY(p->segments, p->segment_count),
        RCT_ARRAY(p->tasks, p->task_count),
    };
    memcpy(arrays, all, sizeof all);
}

void rct_partition_free(rct_partition *p)
{
    if (p != NULL) {
        rct_array arrays[PARTITION_ARRAYS];
        rct_partition_arrays(p, arrays);
        rct_release_arrays(arrays, PARTITION_ARRAYS);
        rct_release(p);
    }
}

int64_t rct_partition_bytes(const rct_partition *p)
{
    rct_partition seen = *p;
    rct_array arrays[PARTITION_ARRAYS];
    rct_partition_arrays(&seen, arrays);
    return (int64_t)sizeof *p + rct_array_bytes(arrays, PARTITION_ARRAYS);
}
