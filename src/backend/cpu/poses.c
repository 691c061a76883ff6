/* Poses of links on the CPU, in lanes and threads: the reach of segments on the way, the trunk
 * outward, then the links of those paths on which any is wanted. The pose of a link depends neither
 * on what else is wanted nor on lanes and threads. */
#include "backend/cpu/run.h"
#include "core/memory.h"
#include "topology/rows.h"

#include <string.h>

/* ---- what is wanted ----------------------------------------------------------------------- */

rct_status rct_cpu_create_wanted(rct_run *run, rct_error *error)
{
    static const char what[] = "the poses";
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    rct_wanted *w = &run->wanted;
    w->end = rct_allocate(s->count, sizeof *w->end, what, error);
    w->spans = rct_allocate(s->groups, 1, what, error);
    w->nodes = rct_allocate(run->packing->trunk.count, 1, what, error);
    if (w->end == NULL || w->spans == NULL || w->nodes == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_cpu_want_poses(run, NULL, 0);
    return RCT_OK;
}

int64_t rct_cpu_wanted_bytes(const rct_run *run)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    return run->wanted.end == NULL ? 0
                                   : s->count * (int64_t)sizeof *run->wanted.end + s->groups +
                                         run->packing->trunk.count;
}

void rct_cpu_free_wanted(rct_run *run)
{
    rct_release(run->wanted.end);
    rct_release(run->wanted.spans);
    rct_release(run->wanted.nodes);
}

/* The first link of the path of a link. */
static int32_t first_of_path(const rct_sheaves *s, int64_t row, int32_t lane, int32_t label)
{
    while ((s->starts[row] >> lane & 1) == 0) {
        row--;
        label--;
    }
    return label;
}

/* Marks the link, or the last link, of a node of the trunk; returns whether the node was on the way
 * before. */
static int want_node(rct_run *run, int32_t label, int8_t what)
{
    const rct_packing *packing = run->packing;
    int8_t *node =
        &run->wanted.nodes[rct_held_node(packing->node_label, packing->trunk.count, label)];
    const int before = *node != 0;
    *node = *node > what ? *node : what;
    return before;
}

/* Marks a link in lanes; 0: it is the last of a segment, which the trunk has. */
static int want_row(rct_run *run, int64_t row)
{
    const rct_rows *r = &run->packing->lanes;
    const rct_sheaves *s = &r->sheaves;
    const int32_t sheaf = rct_rows_sheaf(r, row);
    const int32_t segment = sheaf - s->first_sheaf[s->bushes];
    int64_t *end = &run->wanted.end[sheaf];
    if (segment >= 0 && row + 1 == s->first_row[sheaf + 1]) {
        run->wanted.spans[s->bushes + segment] = 1; /* each is a group */
        return 0;
    }
    *end = row >= *end ? row + 1 : *end;
    run->wanted.paths[segment >= 0] = 1;
    return 1;
}

/* Marks a link and what carries it. */
static void want(rct_run *run, int32_t label)
{
    int8_t what = NODE_SHOWN;
    while (label >= 0) {
        const rct_packing *packing = run->packing;
        int64_t row;
        int32_t lane;
        const rct_rows *r = rct_packing_find(packing, label, &row, &lane);
        if (r == &packing->lanes && want_row(run, row)) {
            what = NODE_SHOWN;
        } else if (want_node(run, label, what)) {
            return;
        } else {
            what = NODE_PASSED;
        }
        label = run->plan->links.parent[first_of_path(&r->sheaves, row, lane, label)];
    }
}

void rct_cpu_want_poses(rct_run *run, const int32_t *links, int32_t count)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    rct_wanted *w = &run->wanted;
    memset(w->spans, 0, (size_t)s->groups);
    memset(w->nodes, 0, (size_t)run->packing->trunk.count);
    memcpy(w->end, s->first_row, (size_t)s->count * sizeof *w->end);
    w->paths[0] = w->paths[1] = run->posed = 0;
    for (int32_t k = 0; k < count; k++) {
        want(run, links[k]);
    }
}

/* ---- poses -------------------------------------------------------------------------------- */

typedef struct pose_job {
    const rct_run *run;
    const rct_wanted *wanted; /* NULL: all */
    rct_places places;
} pose_job;

/* From the last group, which is still in the cache, to the first, with which the next sweep
 * begins. */
static void span(void *context, int32_t number, int32_t member)
{
    const pose_job *job = context;
    const rct_sheaves *s = &job->run->packing->lanes.sheaves;
    const int32_t group = s->bushes + s->groups - 1 - number;
    (void)member;
    if (job->wanted == NULL || job->wanted->spans[group]) {
        job->run->kernels->span(s, group);
    } else if (group >= s->narrow_end) {
        job->run->kernels->compose(s, group);
    }
}

static void pose(void *context, int32_t group, int32_t member)
{
    const pose_job *job = context;
    (void)member;
    job->run->kernels->pose(&job->run->packing->lanes.sheaves, group,
                            job->wanted != NULL ? job->wanted->end : NULL, &job->places);
}

int rct_cpu_read_poses(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses)
{
    const rct_packing *packing = run->packing;
    const rct_sheaves *s = &packing->lanes.sheaves;
    pose_job job = {run, all ? NULL : &run->wanted, {run->plan->links.parent, ground, poses}};
    if (run->posed >= (all ? RCT_POSED : RCT_POSED_WANTED)) {
        return 0;
    }
    rct_cpu_claim(run, s->bushes, s->groups, span, &job);
    if (s->groups > s->bushes) { /* without segments, sweeps leave alone what is known of a state */
        run->composed = RCT_COMPOSED;
    }
    run->posed = all ? RCT_POSED : RCT_POSED_WANTED;
    run->serial->pose(&packing->links.sheaves, &packing->trunk, all ? NULL : run->wanted.nodes,
                      &job.places);
    if (all || run->wanted.paths[1]) {
        rct_cpu_claim(run, s->bushes, s->groups, pose, &job);
    }
    if (all || run->wanted.paths[0]) {
        rct_cpu_claim(run, 0, s->bushes, pose, &job);
    }
    return 1;
}
