/* The groups of a mixed plan among the members of the team, who take one after the other; how evenly they fall to them. */
#include "backend/cpu_run.h"
#include "core/memory.h"

#include <stdatomic.h>
#include <string.h>

typedef struct group_job {
    rct_group_work *work;
    void *context;
    int32_t end;
    atomic_int next;
} group_job;

static void claim(void *context, int32_t member, int32_t members)
{
    group_job *job = context;
    (void)members;
    for (;;) {
        const int32_t group = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (group >= job->end) {
            return;
        }
        job->work(job->context, group, member);
    }
}

void rct_cpu_claim(rct_mixed_run *run, int32_t first, int32_t end, rct_group_work *work,
                   void *context)
{
    group_job job = {work, context, end, first};
    if (first < end) {
        rct_team_run(run->team, claim, &job);
    }
}

/* Groups [first, end), each to the member with the least to do so far, which is the one that is done first if all rows
 * take the same time. The largest share in rows; `total` grows by all. */
static int64_t largest_share(const rct_mixed_sheaves *s, int32_t first, int32_t end, int64_t *share,
                             int32_t members, int64_t *total)
{
    int64_t largest = 0;
    memset(share, 0, (size_t)members * sizeof *share);
    for (int32_t g = first; g < end; g++) {
        int32_t least = 0;
        for (int32_t m = 1; m < members; m++) {
            least = share[m] < share[least] ? m : least;
        }
        const int64_t rows = s->first_row[s->first_sheaf[g + 1]] - s->first_row[s->first_sheaf[g]];
        share[least] += rows;
        *total += rows;
        largest = share[least] > largest ? share[least] : largest;
    }
    return largest;
}

rct_status rct_cpu_share(rct_mixed_run *run, rct_error *error)
{
    const rct_mixed_sheaves *s = &run->packing->lanes.sheaves;
    const int32_t members = rct_team_members(run->team);
    const int32_t phases[][2] = {{0, s->hanging}, /* inward, inward, outward, outward */
                                 {s->bushes, s->groups},
                                 {s->bushes, s->groups},
                                 {0, s->bushes}};
    int64_t total = 0, largest = 0;
    int64_t *share = rct_allocate(members, sizeof *share, "the threads' shares", error);
    for (int i = 0; i < 4 && share != NULL; i++) {
        largest += largest_share(s, phases[i][0], phases[i][1], share, members, &total);
    }
    run->imbalance = total > 0 ? (double)(largest * members) / (double)total : 1.0;
    rct_release(share);
    return share != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}
