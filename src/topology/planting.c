/* Tasks to bushes, links to waves and lanes (planting.h). */
#include "topology/planting.h"

#include <string.h>

/* A bush has about BUSH_LINKS links, fewer where that gives fewer than BUSHES, but BUSH_LEAST. Measured in
 * docs/decisions.md. */
enum { BUSH_LINKS = 512, BUSHES = 16, BUSH_LEAST = 64 };

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
    return p->links->parent[p->tasks[task].first] < 0;
}

static void measure(const rct_planting *p)
{
    for (int32_t t = 0; t < p->packing->partition->task_count; t++) {
        const int32_t first = p->tasks[t].first;
        for (int32_t i = first + p->tasks[t].count - 1; i >= first; i--) {
            const int32_t up = p->links->parent[i];
            p->height[i]++;
            if (i > first && p->height[up] < p->height[i]) {
                p->height[up] = p->height[i];
            }
            for (int32_t k = p->links->child_begin[i]; k < p->links->child_begin[i + 1]; k++) {
                const int32_t rank = k - p->links->child_begin[i];
                p->rank[p->links->child[k]] = rank < RCT_ALIKE ? rank : RCT_ALIKE;
            }
        }
    }
}

/* Tasks that hang on something first; the tallest first. Gives the links in tasks. */
static int64_t sort_tasks(const rct_planting *p)
{
    const int32_t count = p->packing->partition->task_count;
    int64_t inside = 0;
    int32_t tallest = 0;
    for (int32_t t = 0; t < count; t++) {
        p->packing->task[t] = t;
        p->key[t] = p->height[p->tasks[t].first];
        tallest = tallest > p->key[t] ? tallest : p->key[t];
        inside += p->tasks[t].count;
    }
    sort_down(p, p->packing->task, count, tallest);
    for (int32_t t = 0; t < count; t++) {
        p->key[t] = !on_ground(p, t);
    }
    sort_down(p, p->packing->task, count, 1);
    return inside;
}

/* Whether a bush of the tasks from `first` on, now of `links` links, takes the task at `next`. */
static int takes(const rct_planting *p, int64_t first, int64_t next, int64_t links, int64_t aim)
{
    const int32_t *task = p->packing->task;
    const int64_t fill = (int64_t)p->packing->lanes * p->height[p->tasks[task[first]].first];
    return links < (aim > fill ? aim : fill) &&
           on_ground(p, task[first]) == on_ground(p, task[next]);
}

static void divide_tasks(const rct_planting *p)
{
    rct_bush_packing *packing = p->packing;
    const int32_t count = packing->partition->task_count;
    int64_t aim = sort_tasks(p) / BUSHES;
    aim = aim > BUSH_LINKS ? BUSH_LINKS : aim < BUSH_LEAST ? BUSH_LEAST : aim;
    int32_t bush = 0;
    for (int64_t k = 0; k < count; bush++) {
        const int64_t first = k;
        int64_t links = 0;
        do {
            links += p->tasks[packing->task[k++]].count;
        } while (k < count && takes(p, first, k, links, aim));
        packing->bushes.hanging += !on_ground(p, packing->task[first]);
        packing->first_root[bush + 1] = k;
    }
    packing->bushes.count = bush;
}

/* ---- links to waves ----------------------------------------------------------------------- */

/* The labels of bush b by precedence; gives their number. */
static int32_t sort_links(const rct_planting *p, int32_t b)
{
    const rct_bush_packing *packing = p->packing;
    int32_t count = 0;
    int32_t tallest = 0;
    for (int64_t k = packing->first_root[b]; k < packing->first_root[b + 1]; k++) {
        const rct_task *task = &p->tasks[packing->task[k]];
        tallest = tallest > p->height[task->first] ? tallest : p->height[task->first];
        for (int32_t j = 0; j < task->count; j++) {
            p->sorted[count] = task->first + j;
            p->key[p->sorted[count++]] = RCT_ALIKE - p->rank[task->first + j];
        }
    }
    sort_down(p, p->sorted, count, RCT_ALIKE);
    for (int32_t i = 0; i < count; i++) {
        const int32_t l = p->sorted[i],
                      kids = p->links->child_begin[l + 1] - p->links->child_begin[l];
        p->key[l] = kids < RCT_ALIKE ? kids : RCT_ALIKE;
    }
    sort_down(p, p->sorted, count, RCT_ALIKE);
    for (int32_t i = 0; i < count; i++) {
        p->key[p->sorted[i]] = p->height[p->sorted[i]];
    }
    sort_down(p, p->sorted, count, tallest);
    return count;
}

/* The first wave from w on with a free lane; what is passed is shortened. */
static int32_t find_free(const rct_planting *p, int32_t w)
{
    while (p->free[w] != w) {
        p->free[w] = p->free[p->free[w]];
        w = p->free[w];
    }
    return w;
}

/* Give the links of bush b their lanes; the number of waves. */
static int32_t place_links(const rct_planting *p, int32_t b)
{
    const rct_bush_packing *packing = p->packing;
    const int32_t lanes = packing->lanes, count = sort_links(p, b);
    const int64_t first = packing->first_wave[b];
    int32_t waves = 0;
    for (int32_t w = 0; w <= count; w++) {
        p->free[w] = w;
        p->used[w] = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t l = p->sorted[i], up = p->links->parent[l];
        const int inside = up >= 0 && p->height[up] > 0; /* not the innermost of its task */
        const int32_t w = find_free(p, inside ? (int32_t)(p->at[up] / lanes - first) + 1 : 0);
        p->at[l] = (first + w) * lanes + p->used[w]++;
        p->free[w] += p->used[w] == lanes;
        waves = waves > w ? waves : w + 1;
    }
    return waves;
}

void rct_plant(const rct_planting *p)
{
    rct_bush_packing *packing = p->packing;
    measure(p);
    divide_tasks(p);
    for (int32_t b = 0; b < packing->bushes.count; b++) {
        packing->first_wave[b + 1] = packing->first_wave[b] + place_links(p, b);
    }
}
