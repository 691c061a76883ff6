/* The reduced tree of a partition (partition.h). */
#include "core/memory.h"
#include "topology/cutting.h"

/* Whether link i goes on with the piece that the label before it is in. */
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

static rct_status allocate_reduced(rct_partition *p, rct_error *error)
{
    const char *what = "the reduced tree";
    const int64_t nodes = p->nodes;
    p->label = rct_allocate(nodes, sizeof *p->label, what, error);
    p->segment = rct_allocate(nodes, sizeof *p->segment, what, error);
    p->task = rct_allocate(nodes, sizeof *p->task, what, error);
    p->parent = rct_allocate(nodes, sizeof *p->parent, what, error);
    p->child_begin = rct_allocate(nodes + 1, sizeof *p->child_begin, what, error);
    p->child = rct_allocate(nodes, sizeof *p->child, what, error);
    const int whole = p->label != NULL && p->segment != NULL && p->task != NULL &&
                      p->parent != NULL && p->child_begin != NULL && p->child != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
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
        if (p->parent[n] >= 0) {
            p->child_begin[p->parent[n] + 1]++;
        }
    }
    for (int32_t n = 0; n < p->nodes; n++) {
        p->child_begin[n + 1] += p->child_begin[n];
    }
}

/* Children in label order: the order does not matter to a sum's value, only that it is fixed. */
static rct_status write_children(rct_partition *p, rct_error *error)
{
    int32_t *next = rct_allocate(p->nodes, sizeof *next, "the reduced tree", error);
    if (next == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t n = 0; n < p->nodes; n++) {
        next[n] = p->child_begin[n];
    }
    for (int32_t n = 0; n < p->nodes; n++) {
        if (p->parent[n] >= 0) {
            p->child[next[p->parent[n]]++] = n;
        }
    }
    rct_release(next);
    return RCT_OK;
}

rct_status rct_reduce(const rct_cutting *cut, rct_partition *p, rct_error *error)
{
    p->nodes = number_nodes(cut);
    if (allocate_reduced(p, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    write_nodes(cut, p);
    return write_children(p, error);
}
