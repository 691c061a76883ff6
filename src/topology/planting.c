/* Tasks to bushes, paths to sheaves and lanes (planting.h). */
#include "topology/planting.h"

#include <riccatree/loop.h>

#include <stdlib.h>
#include <string.h>

/* A bush has about BUSH_LINKS links, fewer where that gives fewer bushes than wanted, but at least
 * BUSH_LEAST. Measured in docs/decisions.md. */
enum { BUSH_LINKS = 512, BUSH_LEAST = 256 };

/* Stable counting sort of items by decreasing key, 0 <= key[item] <= most. */
static void sort_down(const rct_planting *p, int32_t *items, int32_t count, int32_t most)
{
    for (int32_t i = 0; i < count; i++) {
        p->begin[most - p->key[items[i]] + 1]++;
    }
    for (int32_t k = 1; k <= most + 1; k++) {
        p->begin[k] += p->begin[k - 1];
    }
    for (int32_t i = 0; i < count; i++) {
        p->other[p->begin[most - p->key[items[i]]]++] = items[i];
    }
    memcpy(items, p->other, (size_t)count * sizeof *items);
    memset(p->begin, 0, ((size_t)most + 2) * sizeof *p->begin);
}

/* ---- tasks to bushes ---------------------------------------------------------------------- */

static int on_ground(const rct_planting *p, int32_t task)
{
    return p->links->parent[p->partition->tasks[task].first] < 0;
}

static void measure(const rct_planting *p)
{
    for (int32_t t = 0; t < p->partition->task_count; t++) {
        const int32_t first = p->partition->tasks[t].first;
        for (int32_t i = first + p->partition->tasks[t].count - 1; i >= first; i--) {
            const int32_t up = p->links->parent[i];
            p->height[i]++;
            if (i > first && p->height[up] < p->height[i]) {
                p->height[up] = p->height[i];
            }
        }
    }
}

/* Tasks that hang on something first; then the tallest first. Returns the links in tasks. */
static int64_t sort_tasks(rct_planting *p)
{
    int64_t inside = 0;
    int32_t tallest = 0;
    for (int32_t t = 0; t < p->partition->task_count; t++) {
        if (p->aside != NULL && p->aside[t] >= 0) {
            continue;
        }
        p->task[p->planted++] = t;
        p->key[t] = p->height[p->partition->tasks[t].first];
        tallest = tallest > p->key[t] ? tallest : p->key[t];
        inside += p->partition->tasks[t].count;
    }
    sort_down(p, p->task, p->planted, tallest);
    for (int32_t k = 0; k < p->planted; k++) {
        p->key[p->task[k]] = !on_ground(p, p->task[k]);
    }
    sort_down(p, p->task, p->planted, 1);
    return inside;
}

/* The task of a link, -1: none. */
static int32_t task_of(const rct_partition *p, int32_t link)
{
    int32_t low = 0, high = p->task_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (p->tasks[middle].first <= link) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const rct_task *task = &p->tasks[low];
    return link >= task->first && link < task->first + task->count ? low : -1;
}

/* Notes which tasks loops join with the next one. */
static void join(const rct_planting *p)
{
    const rct_model *model = p->plan->surroundings;
    for (int32_t i = 0; i < rct_model_loop_count(model) && p->partition->task_count > 0; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        if (loop.type != RCT_LOOP_RELATION) {
            const int32_t own = task_of(p->partition, p->plan->link_of[loop.body]);
            const int32_t other = task_of(p->partition, rct_plan_link(p->plan, loop.other));
            if (own >= 0 && other >= 0 && abs(own - other) == 1) {
                p->joined[own < other ? own : other] = 1;
            }
        }
    }
}

/* Gives each lane a stretch of the `count` tasks of a bush, if most of them are joined with the
 * next one. */
static void stretch(const rct_planting *p, int32_t *task, int32_t count)
{
    const int32_t each = count / p->lanes, more = count % p->lanes;
    int32_t joined = 0;
    for (int32_t k = 0; k + 1 < count; k++) {
        joined += p->joined[task[k]] && task[k + 1] == task[k] + 1;
    }
    if (2 * joined <= count) {
        return;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t lane = k % p->lanes, before = lane < more ? lane : more;
        p->other[k] = task[lane * each + before + k / p->lanes];
    }
    memcpy(task, p->other, (size_t)count * sizeof *task);
}

/* Whether a bush of the tasks from `first` on, with `links` links so far, takes the task at `next`.
 * Whole trees are taken in numbers that fill the lanes: trees of one shape then stand beside one
 * another from the first lane to the last. */
static int takes(const rct_planting *p, int32_t first, int32_t next, int64_t links, int64_t aim)
{
    const int32_t *task = p->task;
    const int64_t fill = (int64_t)p->lanes * p->height[p->partition->tasks[task[first]].first];
    const int odd = p->partition->whole && (next - first) % p->lanes != 0;
    return (odd || links < (aim > fill ? aim : fill)) &&
           on_ground(p, task[first]) == on_ground(p, task[next]);
}

static void divide_tasks(rct_planting *p)
{
    int64_t aim = sort_tasks(p) / p->wanted;
    const int32_t count = p->planted;
    aim = aim > BUSH_LINKS ? BUSH_LINKS : aim < BUSH_LEAST ? BUSH_LEAST : aim;
    int32_t bush = 0;
    for (int32_t k = 0; k < count; bush++) {
        const int32_t first = k;
        int64_t links = 0;
        do {
            links += p->partition->tasks[p->task[k++]].count;
        } while (k < count && takes(p, first, k, links, aim));
        p->hanging += !on_ground(p, p->task[first]);
        p->first_task[bush + 1] = k;
        stretch(p, p->task + first, k - first);
    }
    p->bushes = bush;
}

/* ---- paths to sheaves --------------------------------------------------------------------- */

/* How many links hang on the path that begins at i. */
static int32_t hung_on(const rct_planting *p, int32_t i)
{
    const int32_t *begin = p->links->child_begin;
    const int32_t kids = begin[i + p->height[i]] - begin[i] - (p->height[i] - 1);
    return kids < RCT_ALIKE ? kids : RCT_ALIKE;
}

/* Whether the path that begins at i stands apart. */
static int is_apart(const rct_planting *p, int32_t i)
{
    return rct_narrow_path(p->links, i, p->height[i]);
}

/* Sorts the paths of bush b, longest first, in whole trees those of one place side by side; returns
 * their number. In single lanes by label: what hangs on a path is then swept just before it. */
static int32_t sort_paths(const rct_planting *p, int32_t b)
{
    int32_t count = 0, most = 0, tallest = 0;
    for (int32_t k = p->first_task[b]; k < p->first_task[b + 1]; k++) {
        const rct_task *task = &p->partition->tasks[p->task[k]];
        tallest = tallest > p->height[task->first] ? tallest : p->height[task->first];
        for (int32_t i = task->first; i < task->first + task->count; i += p->height[i]) {
            p->sorted[count++] = i;
            p->key[i] = i - task->first;
            most = most > p->key[i] ? most : p->key[i];
        }
    }
    if (p->lanes == 1) {
        return count;
    }
    if (p->partition->whole) {
        sort_down(p, p->sorted, count, most);
    }
    for (int32_t i = 0; i < count; i++) {
        p->key[p->sorted[i]] = hung_on(p, p->sorted[i]);
    }
    sort_down(p, p->sorted, count, RCT_ALIKE);
    for (int32_t i = 0; i < count; i++) {
        p->key[p->sorted[i]] = is_apart(p, p->sorted[i]);
    }
    sort_down(p, p->sorted, count, 1);
    for (int32_t i = 0; i < count; i++) {
        p->key[p->sorted[i]] = p->height[p->sorted[i]];
    }
    sort_down(p, p->sorted, count, tallest);
    return count;
}

/* Whether the paths that begin at i and j may share a sheaf. Paths of whole trees may only if their
 * hinges are alike, link by link: rows of several types have code of their own, and the results of
 * a tree must not depend on its neighbours. */
static int stands_beside(const rct_planting *p, int32_t i, int32_t j)
{
    if (!p->partition->whole) {
        return is_apart(p, i) == is_apart(p, j);
    }
    return p->height[i] == p->height[j] &&
           memcmp(p->links->kind + i, p->links->kind + j,
                  (size_t)p->height[i] * sizeof *p->links->kind) == 0;
}

/* Puts the paths of bush b side by side behind the present sheaves, tips in one row. */
static void place_paths(rct_planting *p, int32_t b)
{
    const int32_t lanes = p->lanes, count = sort_paths(p, b);
    int32_t sheaf = p->first_sheaf[b];
    for (int32_t k = 0; k < count; sheaf++) {
        const int32_t longest = p->sorted[k], length = p->height[longest];
        p->first_row[sheaf + 1] = p->first_row[sheaf] + length;
        p->apart[sheaf] = (int8_t)is_apart(p, longest);
        for (int32_t lane = 0; lane < lanes && k < count && stands_beside(p, longest, p->sorted[k]);
             lane++, k++) {
            const int32_t first = p->sorted[k];
            for (int32_t j = 0; j < p->height[first]; j++) {
                const int64_t row = p->first_row[sheaf] + length - p->height[first] + j;
                p->at[first + j] = row * lanes + lane;
            }
        }
    }
    p->first_sheaf[b + 1] = sheaf;
}

void rct_plant(rct_planting *p)
{
    measure(p);
    join(p);
    divide_tasks(p);
    for (int32_t b = 0; b < p->bushes; b++) {
        place_paths(p, b);
    }
}
