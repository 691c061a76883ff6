/* The link at fault: where a segment could not be closed by what follows it, and where a state is
 * not finite. */
#include "backend/cpu/run.h"
#include "backend/gather.h"

#include <string.h>

/* S of the stand-in for what follows a path, in the fields of a record; a mass at the hinge where
 * the end is narrow. */
static void stand_in(const double *path, int32_t stride, int narrow, double s[PATH_HANDLE_FIELDS])
{
    memset(s, 0, PATH_HANDLE_FIELDS * sizeof *s);
    for (int i = 0; i < 3; i++) {
        s[i] = path[(int64_t)PATH_STAND_IN * stride];                           /* S_ll */
        s[15 + i] = narrow ? 0.0 : path[(int64_t)(PATH_STAND_IN + 1) * stride]; /* S_aa */
    }
}

/* Closes the lanes of a group of segments, except one, by their stand-ins: these lanes pass as
 * before. */
static void close_others(const rct_rows *r, int32_t sheaf, int32_t but)
{
    double *path = r->sheaves.paths + r->path_at[sheaf] * r->lanes, s[PATH_HANDLE_FIELDS];
    for (int32_t l = 0; l < r->lanes; l++) {
        stand_in(path + l, r->lanes, r->narrow[sheaf], s);
        for (int32_t f = 0; f < PATH_HANDLE_FIELDS && l != but; f++) {
            path[(int64_t)(PATH_BEYOND + f) * r->lanes + l] = s[f];
        }
    }
}

/* The link at fault in the segment of node n, which could not be closed: sweeps it inward with what
 * hangs on it. */
int32_t rct_cpu_blame(rct_run *run, int32_t n)
{
    const rct_partition *p = run->partition;
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int32_t first = run->packing->node_label[n];
    int32_t k = 0, group = s->bushes, lane;
    int64_t row;
    while (p->segments[k].first != first) {
        k++;
    }
    const int32_t last = first + p->segments[k].length - 1;
    rct_packing_find(run->packing, last, &row, &lane);
    while (s->first_row[s->first_sheaf[group + 1]] <= row) {
        group++;
    }
    close_others(&run->packing->lanes, s->first_sheaf[group], lane);
    const rct_sweep_result result =
        run->kernels->accelerate(s, group, STAGE_NONE, 0.0, run->scratch);
    const int found = result.end == SWEEP_SINGULAR && result.link >= first && result.link <= last;
    return found ? result.link : last;
}

/* The first link whose state is not finite, or -1. */
static int32_t not_finite(const rct_run *run)
{
    double numbers[MOST_STATE];
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        rct_cpu_copy(run, l, numbers, 0);
        if (!rct_state_is_finite(run->plan, l, numbers)) {
            return l;
        }
    }
    return -1;
}

rct_sweep_result rct_cpu_judge(const rct_run *run, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        const int32_t first = not_finite(run);
        result = first >= 0 ? (rct_sweep_result){SWEEP_NOT_FINITE, first} : result;
    }
    return result;
}
