/* In which order unknowns are eliminated where several of them go together (sparse_system.h): AMD on their groups. */
#include "algebra/sparse_system.h"

#include "core/error.h"
#include "core/pool.h"

#include <amd.h>

/* Which groups meet in a number, by columns, in any order and as often as they do. */
static void list_meetings(const rct_sparse_places *p, const int64_t *group, int64_t groups,
                          int64_t *start, int64_t *row)
{
    for (int64_t k = 0; k < p->count; k++) {
        start[group[p->column[k]] + 1]++;
    }
    for (int64_t g = 0; g < groups; g++) {
        start[g + 1] += start[g];
    }
    for (int64_t k = p->count - 1; k >= 0; k--) {
        row[--start[group[p->column[k]] + 1]] = group[p->row[k]];
    }
    for (int64_t g = 0; g < groups; g++) { /* each begins at its successor's place */
        start[g] = start[g + 1];
    }
    start[groups] = p->count;
}

/* Unknowns by the places of their groups, those of one as they are numbered. */
static void list_unknowns(int64_t size, const int64_t *group, int64_t groups, const int64_t *found,
                          int64_t *place, int64_t *next, int64_t *order)
{
    for (int64_t k = 0; k < groups; k++) {
        place[found[k]] = k;
        next[k] = 0;
    }
    next[groups] = 0;
    for (int64_t i = 0; i < size; i++) {
        next[place[group[i]] + 1]++;
    }
    for (int64_t k = 0; k < groups; k++) {
        next[k + 1] += next[k];
    }
    for (int64_t i = 0; i < size; i++) {
        order[next[place[group[i]]]++] = i;
    }
}

rct_status rct_sparse_order(const rct_sparse_places *p, const int64_t *group, int64_t groups,
                            int64_t *order, rct_error *error)
{
    rct_pool pool = {.what = p->what};
    int64_t *start = rct_pool_take(&pool, groups + 1, sizeof *start, error);
    int64_t *row = rct_pool_take(&pool, p->count, sizeof *row, error);
    int64_t *found = rct_pool_take(&pool, groups, sizeof *found, error);
    int64_t *place = rct_pool_take(&pool, groups, sizeof *place, error);
    rct_status status = pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
    if (status == RCT_OK) {
        list_meetings(p, group, groups, start, row);
        if (amd_l_order(groups, start, row, found, NULL, NULL) < AMD_OK) {
            status = rct_fail(error, RCT_ERROR_MEMORY,
                              "out of memory: %s could not be ordered; make the model smaller or "
                              "free memory",
                              p->what);
        }
    }
    if (status == RCT_OK) {
        list_unknowns(p->size, group, groups, found, place, start, order);
    }
    rct_pool_empty(&pool);
    return status;
}
