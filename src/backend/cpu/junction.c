/* What loops that are held in the junction ask of the trunk of a run (backend.h): its nodes, their paths, how they move under
 * wrenches on them. */
#include "backend/cpu/run.h"
#include "core/memory.h"

#include <string.h>

/* ---- room --------------------------------------------------------------------------------- */

static int32_t nodes(const rct_run *run)
{
    return run->partition->stations > 0 ? run->packing->trunk.count : 0;
}

rct_status rct_cpu_create_held(rct_run *run, rct_error *error)
{
    static const char what[] = "the junction of loops";
    rct_held_trunk *h = &run->held;
    const int64_t count = nodes(run), six = 6 * (int64_t)sizeof(double);
    if (count == 0) {
        return RCT_OK;
    }
    h->paths = rct_allocate(count, sizeof *h->paths, what, error);
    h->wrenches = rct_allocate(count, six, what, error);
    h->motions = rct_allocate(count, six, what, error);
    const int whole = h->paths != NULL && h->wrenches != NULL && h->motions != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

void rct_cpu_free_held(rct_run *run)
{
    rct_release(run->held.paths);
    rct_release(run->held.wrenches);
    rct_release(run->held.motions);
}

int64_t rct_cpu_held_bytes(const rct_run *run)
{
    return nodes(run) * ((int64_t)sizeof(rct_through) + 12 * (int64_t)sizeof(double));
}

/* ---- nodes -------------------------------------------------------------------------------- */

static int32_t node_of(const rct_run *run, int32_t link)
{
    return rct_cpu_node_of(run->packing, link);
}

static int32_t inboard(const rct_run *run, int32_t node)
{
    return run->packing->trunk.parent[node];
}

static void read_motion(const rct_run *run, int32_t node, double acceleration[6])
{
    const rct_trunk *t = &run->packing->trunk;
    memcpy(acceleration, t->work + (int64_t)t->slot[node] * TRUNK_FIELDS + TRUNK_MOTION,
           6 * sizeof *acceleration);
}

static const double *derivatives(const rct_run *run, int32_t node)
{
    const rct_sheaves *rows = &run->packing->links.sheaves;
    return rows->results + rows->result_at[run->packing->trunk.row[node]] + WIDE_RESULT_RATES;
}

/* ---- paths -------------------------------------------------------------------------------- */

static void find_paths(void *context, int64_t begin, int64_t end)
{
    const rct_run *run = context;
    for (int64_t n = begin; n < end; n++) {
        run->held.paths[n] =
            run->serial->through(&run->packing->links.sheaves, &run->packing->trunk, (int32_t)n);
    }
}

static rct_sweep_result condense(rct_run *run)
{
    enum { RANGE = 32 };
    const int known = run->condensed >= RCT_CONDENSED;
    const rct_sweep_result result = rct_cpu_condense(run);
    if (!known && result.end == SWEEP_DONE) {
        rct_cpu_share_by(run, RANGE, nodes(run), find_paths, run);
    }
    return result;
}

static rct_through through(const rct_run *run, int32_t from, int32_t stop)
{
    return run->serial->walk(&run->packing->trunk, run->held.paths, from, stop);
}

static double *wrenches(rct_run *run)
{
    memset(run->held.wrenches, 0, (size_t)nodes(run) * 6 * sizeof *run->held.wrenches);
    return run->held.wrenches;
}

static const double *respond(rct_run *run)
{
    run->serial->respond(&run->packing->trunk, run->held.paths, run->held.wrenches,
                         run->held.motions);
    return run->held.motions;
}

const rct_junction_operations rct_cpu_junction = {
    .nodes = nodes,
    .node_of = node_of,
    .inboard = inboard,
    .condense = condense,
    .through = through,
    .read = read_motion,
    .derivatives = derivatives,
    .wrenches = wrenches,
    .respond = respond,
    .sway = rct_cpu_sway,
};
