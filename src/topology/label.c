/* Labels the links: depth first with the longest path first, so that each longest path is one run
 * of consecutive labels and parents stand before children. No recursion: a pass from tips to roots
 * gives heights and sizes of subtrees; then each link takes the first free label of its parent's
 * subtree. */
#include "core/memory.h"
#include "topology/sorting.h"
#include "topology/topology.h"

/* Links on the longest path from each to a tip, links in its subtree; returns the depth. Raw ids
 * have parents before children already (order.c met the heads in this order). */
static int32_t measure(const rct_raw_link *links, int32_t count, int32_t *height, int32_t *size)
{
    int32_t depth = 0;
    for (int32_t i = count - 1; i >= 0; i--) {
        const int32_t parent = links[i].parent;
        height[i]++;
        size[i]++;
        depth = depth > height[i] ? depth : height[i];
        if (parent != RCT_GROUND) {
            height[parent] = height[parent] > height[i] ? height[parent] : height[i];
            size[parent] += size[i];
        }
    }
    return depth;
}

/* `sorted`: by decreasing height, so that parents come before children, and the longest path of
 * siblings first. `next` [count + 1]: the first free label below link l is next[l + 1], that on the
 * ground next[0]. */
static void assign_labels(const rct_raw_link *links, int32_t count, const int32_t *sorted,
                          const int32_t *size, int32_t *next, int32_t *label)
{
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = sorted[k], parent = links[i].parent;
        label[i] = next[parent + 1];
        next[parent + 1] += size[i];
        next[i + 1] = label[i] + 1;
    }
}

/* Parents, heads and children by label; the counts of roots, tips, junctions. */
static void write_tree(rct_plan *plan, const rct_raw_link *raw, const int32_t *label)
{
    const rct_links *links = &plan->links;
    for (int32_t i = 0; i < links->count; i++) {
        const int32_t parent = raw[i].parent;
        plan->places.head[label[i]] = raw[i].head;
        links->parent[label[i]] = parent == RCT_GROUND ? RCT_GROUND : label[parent];
    }
    rct_sort_by_key(links->child, links->child_begin, links->parent, links->count, links->count);
    for (int32_t l = 0; l < links->count; l++) {
        const int32_t children = links->child_begin[l + 1] - links->child_begin[l];
        plan->root_count += links->parent[l] == RCT_GROUND;
        plan->tip_count += children == 0;
        plan->junction_count += children > 1;
        plan->branching = plan->branching > children ? plan->branching : children;
    }
}

rct_status rct_label_links(rct_plan *plan, const rct_raw_link *links, int32_t *label,
                           rct_error *error)
{
    enum { ROOM = 5 };
    const int32_t count = plan->links.count;
    int32_t *key, *size, *sorted, *begin, *next;
    const rct_array room[ROOM] = {RCT_ARRAY(key, count), RCT_ARRAY(size, count),
                                  RCT_ARRAY(sorted, count), RCT_ARRAY(begin, (int64_t)count + 1),
                                  RCT_ARRAY(next, (int64_t)count + 1)};
    const rct_status status = rct_allocate_arrays(room, ROOM, "the labels", error);
    if (status == RCT_OK) {
        plan->depth = measure(links, count, key, size);
        for (int32_t i = 0; i < count; i++) {
            key[i] = plan->depth - key[i];
        }
        rct_sort_by_key(sorted, begin, key, count, count);
        assign_labels(links, count, sorted, size, next, label);
        write_tree(plan, links, label);
    }
    rct_release_arrays(room, ROOM);
    return status;
}
