/* The reduced tree of a partition (partition.h). */
#include "topology/cutting.h"
#include "topology/sorting.h"

/* Whether link i continues the piece that the label before it is in. */
static int goes_on(const int32_t *piece, int32_t i)
{
    return piece[i] >= 0 && i > 0 && piece[i - 1] == piece[i];
}

static int32_t number_nodes(const rct_cutting *cut)
{
    int32_t count = 0;
    for (int32_t i = 0; i < cut->links->count; i++) {
        const int inside = goes_on(cut->segment, i) || goes_on(cut->task, i);
        cut->node[i] = inside ? -1 : count++;
    }
    return count;
}

/* The node of the link that link i hangs on: -1 for the ground, and beside a segment. */
static int32_t parent_node(const rct_cutting *cut, const rct_partition *p, int32_t i)
{
    const int32_t up = cut->links->parent[i];
    if (up < 0 || cut->segment[up] < 0) {
        return up < 0 ? -1 : cut->node[up];
    }
    const rct_segment *segment = &p->segments[cut->segment[up]];
    const int on_path = i == up + 1 && i == segment->first + segment->length;
    return on_path ? segment->node : -1;
}

static void write_node(const rct_cutting *cut, rct_partition *p, int32_t i)
{
    const rct_links *links = cut->links;
    const int32_t n = cut->node[i];
    p->label[n] = i;
    p->segment[n] = cut->segment[i];
    p->task[n] = cut->task[i];
    p->parent[n] = parent_node(cut, p, i);
    if (p->segment[n] >= 0) {
        p->segments[p->segment[n]].node = n;
    } else if (p->task[n] >= 0) {
        const int32_t up = links->parent[i];
        const int beside = up >= 0 && cut->segment[up] >= 0 && p->parent[n] < 0;
        p->tasks[p->task[n]].node = n;
        p->tasks[p->task[n]].beside = beside ? up : -1;
    }
}

static void write_nodes(const rct_cutting *cut, rct_partition *p)
{
    for (int32_t i = 0; i < cut->links->count; i++) {
        if (cut->node[i] >= 0) {
            write_node(cut, p, i);
        }
    }
    for (int32_t n = 0; n < p->nodes; n++) {
        p->trunk_nodes += p->task[n] < 0;
    }
    rct_sort_by_key(p->child, p->child_begin, p->parent, p->nodes, p->nodes);
}

rct_status rct_reduce(const rct_cutting *cut, rct_partition *p, rct_error *error)
{
    p->nodes = number_nodes(cut);
    rct_array arrays[PARTITION_ARRAYS];
    rct_partition_arrays(p, arrays);
    const rct_status status =
        rct_allocate_arrays(arrays, REDUCED_ARRAYS, "the reduced tree", error);
    if (status == RCT_OK) {
        write_nodes(cut, p);
    }
    return status;
}
