/* The reduced tree of a partition, and its trunk (partition.h). */
#include "core/memory.h"
#include "topology/cutting.h"

#include <string.h>

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

static rct_status allocate_reduced(rct_partition *p, int32_t nodes, int own_gravity,
                                   rct_error *error)
{
    const char *what = "the reduced tree";
    const int64_t one = sizeof(double);
    p->label = rct_allocate(nodes, sizeof *p->label, what, error);
    p->segment = rct_allocate(nodes, sizeof *p->segment, what, error);
    p->task = rct_allocate(nodes, sizeof *p->task, what, error);
    p->parent = rct_allocate(nodes, sizeof *p->parent, what, error);
    p->child_begin = rct_allocate((int64_t)nodes + 1, sizeof *p->child_begin, what, error);
    p->child = rct_allocate(nodes, sizeof *p->child, what, error);
    p->sweep_records = rct_allocate(nodes, LINK_FIELDS * one, what, error);
    p->inertia_records = rct_allocate(nodes, LINK_INERTIA_FIELDS * one, what, error);
    p->own_gravity = own_gravity ? rct_allocate(nodes, 3 * one, what, error) : NULL;
    p->trunk = rct_allocate(nodes, sizeof *p->trunk, what, error);
    const int whole = p->label != NULL && p->segment != NULL && p->task != NULL &&
                      p->parent != NULL && p->child_begin != NULL && p->child != NULL &&
                      p->sweep_records != NULL && p->inertia_records != NULL && p->trunk != NULL &&
                      (p->own_gravity != NULL || !own_gravity);
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

static void write_records(const rct_links *links, rct_partition *p, int32_t n)
{
    const int64_t i = p->label[n];
    memcpy(p->sweep_records + (int64_t)n * LINK_FIELDS, links->sweep + i * LINK_FIELDS,
           LINK_FIELDS * sizeof(double));
    memcpy(p->inertia_records + (int64_t)n * LINK_INERTIA_FIELDS,
           links->inertia + i * LINK_INERTIA_FIELDS, LINK_INERTIA_FIELDS * sizeof(double));
    if (p->own_gravity != NULL) {
        memcpy(p->own_gravity + 3 * (int64_t)n, links->own_gravity + 3 * i, 3 * sizeof(double));
    }
}

void rct_partition_renew(rct_partition *p, const rct_plan *plan)
{
    memcpy(p->reduced.gravity, plan->links.gravity, sizeof p->reduced.gravity);
    for (int32_t n = 0; n < p->reduced.count; n++) {
        write_records(&plan->links, p, n);
    }
}

static void write_node(const rct_cutting *cut, rct_partition *p, int32_t i)
{
    const rct_links *links = cut->links;
    const int32_t n = cut->node[i];
    p->label[n] = i;
    p->segment[n] = cut->segment[i];
    p->task[n] = cut->task[i];
    p->parent[n] = parent_node(cut, p, i);
    write_records(links, p, n);
    if (p->segment[n] >= 0) {
        p->segments[p->segment[n]].node = n;
    } else if (p->task[n] >= 0) {
        const int32_t up = links->parent[i];
        const int beside = up >= 0 && cut->segment[up] >= 0 && p->parent[n] < 0;
        p->tasks[p->task[n]].node = n;
        p->tasks[p->task[n]].beside = beside ? up : -1;
    }
}

static void write_nodes(const rct_cutting *cut, rct_partition *p, int32_t nodes)
{
    for (int32_t i = 0; i < cut->links->count; i++) {
        if (cut->node[i] >= 0) {
            write_node(cut, p, i);
        }
    }
    for (int32_t n = 0; n < nodes; n++) {
        if (p->parent[n] >= 0) {
            p->child_begin[p->parent[n] + 1]++;
        }
    }
    for (int32_t n = 0; n < nodes; n++) {
        p->child_begin[n + 1] += p->child_begin[n];
    }
}

/* Children in label order: the order does not matter to a sum's value, only that it is fixed. */
static rct_status write_children(rct_partition *p, int32_t nodes, rct_error *error)
{
    int32_t *next = rct_allocate(nodes, sizeof *next, "the reduced tree", error);
    if (next == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t n = 0; n < nodes; n++) {
        next[n] = p->child_begin[n];
    }
    for (int32_t n = 0; n < nodes; n++) {
        if (p->parent[n] >= 0) {
            p->child[next[p->parent[n]]++] = n;
        }
    }
    rct_release(next);
    return RCT_OK;
}

/* Lengthen the last stretch by node n, or begin another. */
static void add_to_trunk(rct_partition *p, int32_t n)
{
    rct_stretch *last = p->trunk_count > 0 ? &p->trunk[p->trunk_count - 1] : NULL;
    const int32_t up = p->parent[n];
    const int links = p->segment[n] < 0 && up >= 0 && p->segment[up] < 0;
    if (links && last != NULL && last->first + last->count == n && p->segment[last->first] < 0) {
        last->count++;
    } else {
        p->trunk[p->trunk_count++] = (rct_stretch){n, 1};
    }
    p->trunk_nodes++;
}

rct_status rct_reduce(const rct_cutting *cut, rct_partition *p, rct_error *error)
{
    const int32_t nodes = number_nodes(cut);
    rct_status status = allocate_reduced(p, nodes, cut->links->own_gravity != NULL, error);
    if (status == RCT_OK) {
        write_nodes(cut, p, nodes);
        status = write_children(p, nodes, error);
    }
    if (status == RCT_OK) {
        p->reduced = *cut->links;
        p->reduced.count = nodes;
        p->reduced.parent = p->parent;
        p->reduced.child_begin = p->child_begin;
        p->reduced.child = p->child;
        p->reduced.sweep = p->sweep_records;
        p->reduced.inertia = p->inertia_records;
        p->reduced.own_gravity = p->own_gravity;
        for (int32_t n = 0; n < nodes; n++) {
            if (p->task[n] < 0) {
                add_to_trunk(p, n);
            }
        }
    }
    return status;
}
