/* Division of labour of a CPU run: tiles and bushes in shares of nearly equal work, one a member of the team,
 * and what a member needs to do them. */
#include "backend/cpu_run.h"
#include "core/memory.h"

#include <stddef.h>

/* Split `items` of the given weights among members, each share contiguous and nearly equal. */
static void divide(int32_t items, int64_t (*weight)(const rct_run *, int32_t), const rct_run *run,
                   int32_t members, int32_t *begin)
{
    int64_t total = 0;
    for (int32_t i = 0; i < items; i++) {
        total += weight(run, i);
    }
    int64_t passed = 0;
    int32_t m = 0;
    for (int32_t i = 0; i < items; i++) {
        const int64_t middle = 2 * passed + weight(run, i);
        while (m < members && middle * members >= 2 * total * m) {
            begin[m++] = i;
        }
        passed += weight(run, i);
    }
    while (m <= members) {
        begin[m++] = items;
    }
    begin[0] = 0;
}

static int64_t tile_weight(const rct_run *run, int32_t t)
{
    return run->packing->first_step[t + 1] - run->packing->first_step[t];
}

static int64_t bush_weight(const rct_run *run, int32_t b)
{
    const rct_bushes *bushes = &run->planted->bushes;
    return bushes->first_wave[bushes->first_sheaf[b + 1]] -
           bushes->first_wave[bushes->first_sheaf[b]];
}

/* The largest share in one phase; `total` grows by all shares. */
static int64_t largest_share(const rct_run *run, const int32_t *begin,
                             int64_t (*weight)(const rct_run *, int32_t), int64_t *total)
{
    int64_t largest = 0;
    for (int32_t m = 0; m < rct_team_members(run->team); m++) {
        int64_t share = 0;
        for (int32_t i = begin[m]; i < begin[m + 1]; i++) {
            share += weight(run, i);
        }
        largest = share > largest ? share : largest;
        *total += share;
    }
    return largest;
}

/* Threads wait for each other after the bushes and after the tiles: the largest shares add up. */
double rct_cpu_imbalance(const rct_run *run)
{
    const int32_t members = rct_team_members(run->team);
    int64_t total = 0;
    int64_t largest = largest_share(run, run->hang_begin, bush_weight, &total);
    largest += largest_share(run, run->tile_begin, tile_weight, &total);
    largest += largest_share(run, run->tile_begin, tile_weight, &total);
    largest += largest_share(run, run->bush_begin, bush_weight, &total);
    return total > 0 ? (double)(largest * members) / (double)total : 1.0;
}

/* Tasks beside segments, by tile; within a tile by slot and lane as tasks come by node. */
static void list_side_tasks(rct_run *run)
{
    const rct_partition *p = run->partition;
    const rct_packing *packing = run->packing;
    for (int32_t k = 0; k < p->task_count; k++) {
        if (packing->task_segment[k] >= 0) {
            run->side_begin[packing->tile_of[packing->task_segment[k]] + 1]++;
        }
    }
    for (int32_t t = 0; t < packing->tiles.count; t++) {
        run->side_begin[t + 1] += run->side_begin[t];
    }
    for (int32_t k = p->task_count - 1; k >= 0; k--) {
        if (packing->task_segment[k] >= 0) {
            /* filled from the back, which turns begin into begin again */
            run->side_task[--run->side_begin[packing->tile_of[packing->task_segment[k]] + 1]] = k;
        }
    }
    for (int32_t t = 0; t < packing->tiles.count; t++) {
        run->side_begin[t] = run->side_begin[t + 1];
    }
    int32_t sides = 0;
    for (int32_t k = 0; k < p->task_count; k++) {
        sides += packing->task_segment[k] >= 0;
    }
    run->side_begin[packing->tiles.count] = sides;
}

static rct_status allocate_shares(rct_run *run, rct_error *error)
{
    const char *what = "the threads' shares";
    const int64_t members = rct_team_members(run->team), number = sizeof(int32_t);
    run->tile_begin = rct_allocate(members + 1, number, what, error);
    run->hang_begin = rct_allocate(members + 1, number, what, error);
    run->bush_begin = rct_allocate(members + 1, number, what, error);
    run->side_begin = rct_allocate((int64_t)run->packing->tiles.count + 1, number, what, error);
    run->side_task = rct_allocate(run->partition->task_count, number, what, error);
    run->faults = rct_allocate(members, sizeof *run->faults, what, error);
    run->cursors = rct_allocate(members, sizeof *run->cursors, what, error);
    run->tile_scratch = rct_allocate(members * rct_cpu_tile_scratch(run), sizeof(double),
                                     "the threads' scratch", error);
    run->bush_scratch = rct_allocate(members * rct_cpu_bush_scratch(run), sizeof(double),
                                     "the threads' scratch", error);
    const int whole = run->tile_begin != NULL && run->hang_begin != NULL &&
                      run->bush_begin != NULL && run->side_begin != NULL &&
                      run->side_task != NULL && run->faults != NULL && run->cursors != NULL &&
                      run->tile_scratch != NULL && run->bush_scratch != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_cpu_share(rct_run *run, rct_error *error)
{
    const int32_t members = rct_team_members(run->team);
    const rct_bushes *bushes = &run->planted->bushes;
    if (allocate_shares(run, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    divide(run->packing->tiles.count, tile_weight, run, members, run->tile_begin);
    divide(bushes->hanging, bush_weight, run, members, run->hang_begin);
    divide(bushes->count, bush_weight, run, members, run->bush_begin);
    list_side_tasks(run);
    return RCT_OK;
}
