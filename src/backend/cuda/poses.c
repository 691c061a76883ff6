/* Poses of links of a run on a device. For nodes of a trunk on the host: by the reach of what
 * is between them. For others: by the host, from the state, with the poses of all that carries
 * them. */
#include "backend/cuda/run.h"

#include "core/memory.h"

#include <string.h>

/* ---- what is wanted ----------------------------------------------------------------------- */

rct_status rct_cuda_create_wanted(rct_run *run, rct_error *error)
{
    static const char what[] = "the poses";
    rct_cuda_wanted *w = &run->wanted;
    const int64_t number = sizeof *w->links;
    w->nodes = rct_allocate(run->trunk.shown.count, 1, what, error);
    w->links = rct_allocate(run->plan->links.count, number, what, error);
    return w->nodes != NULL && w->links != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

void rct_cuda_free_wanted(rct_run *run)
{
    rct_release(run->wanted.nodes);
    rct_release(run->wanted.links);
}

int64_t rct_cuda_wanted_bytes(const rct_run *run)
{
    return run->wanted.links == NULL
               ? 0
               : run->trunk.shown.count +
                     run->plan->links.count * (int64_t)sizeof *run->wanted.links;
}

static int are_nodes(const rct_run *run, const int32_t *links, int32_t count)
{
    int nodes = run->held.paths != NULL;
    for (int32_t k = 0; k < count && nodes; k++) {
        nodes = run->packing->at[links[k]] < 0;
    }
    return nodes;
}

static void want_nodes(rct_run *run, const int32_t *links, int32_t count)
{
    const rct_trunk *t = &run->trunk.shown;
    int8_t *node = run->wanted.nodes;
    memset(node, 0, (size_t)t->count);
    for (int32_t k = 0; k < count; k++) {
        node[rct_held_node(run->trunk.node_label, t->count, links[k])] = NODE_SHOWN;
    }
    for (int32_t n = t->count - 1; n >= 0; n--) {
        if (node[n] != 0 && t->parent[n] >= 0 && node[t->parent[n]] == 0) {
            node[t->parent[n]] = NODE_PASSED;
        }
    }
}

/* The list first serves as marks: 1 at the place of a link that is wanted. */
static void want_links(rct_run *run, const int32_t *links, int32_t count)
{
    const rct_links *all = &run->plan->links;
    rct_cuda_wanted *w = &run->wanted;
    memset(w->links, 0, (size_t)all->count * sizeof *w->links);
    for (int32_t k = 0; k < count; k++) {
        w->links[links[k]] = 1;
    }
    for (int32_t l = all->count - 1; l >= 0; l--) {
        if (w->links[l] != 0 && all->parent[l] >= 0) {
            w->links[all->parent[l]] = 1;
        }
    }
    w->count = 0;
    for (int32_t l = 0; l < all->count; l++) {
        if (w->links[l] != 0) {
            w->links[w->count++] = l; /* count <= l */
        }
    }
}

void rct_cuda_want_poses(rct_run *run, const int32_t *links, int32_t count)
{
    run->wanted.on_trunk = are_nodes(run, links, count);
    if (run->wanted.on_trunk) {
        want_nodes(run, links, count);
    } else {
        want_links(run, links, count);
    }
}

/* ---- poses -------------------------------------------------------------------------------- */

/* The reach of segments, runs and chains, and the pose of the last link of each, to the records of
 * the trunk; 0: the device failed. */
static int find_reach(rct_run *run)
{
    const rct_device *d = &run->device;
    const rct_cuda_chains *chains = &run->chains;
    const cudaStream_t stream = run->lease.stream;
    static const char doing[] = "finding how far segments reach";
    int good =
        (d->lanes.groups == d->lanes.bushes ||
         rct_cuda_good(&run->lease, rct_launch_span(d, stream), doing)) &&
        (d->runs.count == 0 || rct_cuda_good(&run->lease, rct_launch_reach_runs(d, stream), doing));
    for (int32_t k = 0; k < chains->levels && good; k++) {
        const rct_chain_range level = {chains->first[k], chains->first[k + 1]};
        good =
            rct_cuda_good(&run->lease, rct_launch_chains(d, COMPOSE_REACH, level, stream), doing);
    }
    return good && rct_cuda_fetch(run, PATH_PRODUCT, PATH_OPEN_FIELDS - PATH_PRODUCT) &&
           rct_cuda_wait(&run->lease, doing);
}

static void pose_trunk(rct_run *run, const rct_pose_of_link *ground, rct_poses poses)
{
    const rct_places places = {run->plan->links.parent, ground, poses};
    if (rct_cuda_here(&run->lease) && find_reach(run)) {
        run->serial->pose(&run->packing->links.sheaves, &run->trunk.shown, run->wanted.nodes,
                          &places);
    }
}

static void pose_links(rct_run *run, const int32_t *some, int32_t count,
                       const rct_pose_of_link *ground, rct_poses poses)
{
    if (some != NULL && 2 * (int64_t)count < run->plan->links.count) {
        rct_cuda_read_links(run, some, count, run->gathered);
    } else {
        rct_cuda_read_state(run, run->gathered);
    }
    rct_link_poses(&run->plan->links, some, count, run->gathered, ground, poses);
}

int rct_cuda_read_poses(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses)
{
    const int64_t links = run->plan->links.count;
    if (all) {
        pose_links(run, NULL, (int32_t)links, ground, poses);
    } else if (run->wanted.on_trunk) {
        pose_trunk(run, ground, poses);
    } else {
        pose_links(run, run->wanted.links, run->wanted.count, ground, poses);
    }
    rct_cuda_blank_if_lost(&run->lease, poses.numbers, poses.fields * links);
    return 1;
}
