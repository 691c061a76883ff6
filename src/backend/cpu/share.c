/* Shares the groups of a packing, or ranges of numbers, among the members of the team: shares of
 * nearly equal numbers of rows, in order, so that a member returns to what its cache holds; then
 * what others have left. Results do not depend on shares. */
#include "backend/cpu/run.h"

typedef struct group_job {
    rct_cursor *cursors;
    rct_group_work *work;
    void *context;
} group_job;

/* Rows before a group. */
static int64_t rows_before(const rct_sheaves *s, int32_t group)
{
    return s->first_row[s->first_sheaf[group]];
}

/* The first group of [first, end) whose middle is in the share of member `m` or behind it. */
static int32_t share_begin(const rct_sheaves *s, int32_t first, int32_t end, int32_t m,
                           int32_t members)
{
    const int64_t from = rows_before(s, first), rows = rows_before(s, end) - from;
    int32_t before = first, behind = end;
    while (before < behind) {
        const int32_t g = before + (behind - before) / 2;
        const int64_t twice = rows_before(s, g) + rows_before(s, g + 1) - 2 * from;
        if (twice * members >= 2 * rows * m) {
            behind = g;
        } else {
            before = g + 1;
        }
    }
    return before;
}

/* The next group for a member, -1 when none is left. */
static int32_t next_group(const group_job *job, int32_t member, int32_t members)
{
    for (int32_t k = 0; k < members; k++) {
        rct_cursor *c = &job->cursors[(member + k) % members];
        if (atomic_load_explicit(&c->next, memory_order_relaxed) < c->end) {
            const int32_t group = atomic_fetch_add_explicit(&c->next, 1, memory_order_relaxed);
            if (group < c->end) {
                return group;
            }
        }
    }
    return -1;
}

static void claim(void *context, int32_t member, int32_t members)
{
    const group_job *job = context;
    int32_t group = next_group(job, member, members);
    while (group >= 0) {
        job->work(job->context, group, member);
        group = next_group(job, member, members);
    }
}

void rct_cpu_claim(const rct_run *run, int32_t first, int32_t end, rct_group_work *work,
                   void *context)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int32_t members = rct_team_members(run->team);
    if (members == 1) { /* in order; for most small trees sharing would cost more */
        for (int32_t group = first; group < end; group++) {
            work(context, group, 0);
        }
        return;
    }
    if (first >= end) {
        return;
    }
    for (int32_t m = 0; m < members; m++) {
        const int32_t begin = share_begin(s, first, end, m, members);
        atomic_store_explicit(&run->cursors[m].next, begin, memory_order_relaxed);
        run->cursors[m].end = share_begin(s, first, end, m + 1, members);
    }
    rct_team_run(run->team, claim, &(group_job){run->cursors, work, context});
}

/* ---- ranges of numbers ---------------------------------------------------------------------- */

typedef struct range_job {
    int64_t count, range;
    rct_range_work *work;
    void *context;
} range_job;

static void work_on_range(void *context, int32_t k, int32_t member)
{
    const range_job *job = context;
    const int64_t begin = k * job->range, end = begin + job->range;
    (void)member;
    job->work(job->context, begin, end < job->count ? end : job->count);
}

void rct_cpu_share(const rct_run *run, int64_t range, int64_t count, rct_range_work *work,
                   void *context)
{
    range_job job = {.count = count, .range = range, .work = work, .context = context};
    const int32_t members = rct_team_members(run->team);
    const int64_t ranges = (count + range - 1) / range;
    for (int32_t m = 0; m < members; m++) {
        const int32_t begin = (int32_t)(ranges * m / members);
        atomic_store_explicit(&run->cursors[m].next, begin, memory_order_relaxed);
        run->cursors[m].end = (int32_t)(ranges * (m + 1) / members);
    }
    rct_team_run(run->team, claim, &(group_job){run->cursors, work_on_range, &job});
}

/* ---- how even shares are ------------------------------------------------------------------- */

/* The largest share of groups [first, end) in rows; adds all rows to `total`. */
static int64_t largest_share(const rct_sheaves *s, int32_t first, int32_t end, int32_t members,
                             int64_t *total)
{
    int64_t largest = 0;
    for (int32_t m = 0; m < members; m++) {
        const int64_t share = rows_before(s, share_begin(s, first, end, m + 1, members)) -
                              rows_before(s, share_begin(s, first, end, m, members));
        largest = share > largest ? share : largest;
        *total += share;
    }
    return largest;
}

double rct_cpu_imbalance(const rct_run *run)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int32_t members = rct_team_members(run->team);
    const int32_t phases[][2] = {{0, s->hanging}, /* inward, inward, outward, outward */
                                 {s->bushes, s->groups},
                                 {s->bushes, s->groups},
                                 {0, s->bushes}};
    int64_t total = 0, largest = 0;
    for (int i = 0; i < 4; i++) {
        largest += largest_share(s, phases[i][0], phases[i][1], members, &total);
    }
    return total > 0 ? (double)(largest * members) / (double)total : 1.0;
}
