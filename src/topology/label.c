/* Label the links: depth first with the longest path first, so that each longest path is one run of
 * consecutive labels and parents stand before children. No recursion: heights come from a pass
 * tips to roots, labels from an explicit stack. */
#include "core/memory.h"
#include "topology/topology.h"

#include <stddef.h>

/* Raw ids have parents before children already (order.c met the heads that way). */
static void measure_heights(const rct_raw_link *links, int32_t count, int32_t *height)
{
    for (int32_t i = count - 1; i >= 0; i--) {
        height[i] += 1;
        const int32_t parent = links[i].parent;
        if (parent != RCT_GROUND && height[parent] < height[i]) {
            height[parent] = height[i];
        }
    }
}

/* Children of link l in lists: first[l + 1], then next[...]; row 0 are the roots. Lists are by
 * decreasing height: filled from a counting sort of the links by increasing height, each put at the
 * front of its list. */
static rct_status chain_children(const rct_raw_link *links, int32_t count, const int32_t *height,
                                 int32_t *first, int32_t *next, rct_error *error)
{
    int32_t *begin = rct_allocate((int64_t)count + 2, sizeof *begin, "the labels", error);
    int32_t *sorted = rct_allocate(count, sizeof *sorted, "the labels", error);
    if (begin == NULL || sorted == NULL) {
        rct_release(begin);
        rct_release(sorted);
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        begin[height[i] + 1]++;
    }
    for (int32_t h = 1; h <= count + 1; h++) {
        begin[h] += begin[h - 1];
    }
    for (int32_t i = count - 1; i >= 0; i--) { /* among equals the first id ends up in front */
        sorted[begin[height[i]]++] = i;
    }
    for (int32_t l = 0; l <= count; l++) {
        first[l] = -1;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = sorted[k];
        next[i] = first[links[i].parent + 1];
        first[links[i].parent + 1] = i;
    }
    rct_release(begin);
    rct_release(sorted);
    return RCT_OK;
}

/* Depth first over the lists; next[] serves as the stack: after a subtree, its sibling is due. */
static void assign_labels(const rct_raw_link *links, const int32_t *first, const int32_t *next,
                          int32_t *label)
{
    int32_t written = 0;
    int32_t at = first[0];
    while (at >= 0) {
        label[at] = written++;
        if (first[at + 1] >= 0) {
            at = first[at + 1];
            continue;
        }
        while (at >= 0 && next[at] < 0) {
            at = links[at].parent;
        }
        at = at >= 0 ? next[at] : -1;
    }
}

/* Parents, heads and children by label; the counts of roots, tips, junctions. */
static void write_tree(rct_plan *plan, const rct_raw_link *links, int32_t count,
                       const int32_t *first, const int32_t *next, const int32_t *label)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t parent = links[i].parent;
        plan->head[label[i]] = links[i].head;
        plan->parent[label[i]] = parent == RCT_GROUND ? RCT_GROUND : label[parent];
        int32_t children = 0;
        for (int32_t c = first[i + 1]; c >= 0; c = next[c]) {
            children++;
        }
        plan->child_begin[label[i] + 1] = children;
        plan->root_count += parent == RCT_GROUND;
        plan->tip_count += children == 0;
        plan->junction_count += children > 1;
        plan->branching = plan->branching > children ? plan->branching : children;
    }
    for (int32_t l = 0; l < count; l++) {
        plan->child_begin[l + 1] += plan->child_begin[l];
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t k = plan->child_begin[label[i]];
        for (int32_t c = first[i + 1]; c >= 0; c = next[c]) {
            plan->child[k++] = label[c];
        }
    }
}

rct_status rct_label_links(rct_plan *plan, const rct_raw_link *links, int32_t count, int32_t *label,
                           rct_error *error)
{
    int32_t *height = rct_allocate(count, sizeof *height, "the labels", error);
    int32_t *first = rct_allocate((int64_t)count + 1, sizeof *first, "the labels", error);
    int32_t *next = rct_allocate(count, sizeof *next, "the labels", error);
    rct_status status = RCT_ERROR_MEMORY;
    if (height != NULL && first != NULL && next != NULL) {
        measure_heights(links, count, height);
        status = chain_children(links, count, height, first, next, error);
    }
    if (status == RCT_OK) {
        assign_labels(links, first, next, label);
        write_tree(plan, links, count, first, next, label);
        for (int32_t i = 0; i < count; i++) {
            plan->depth = plan->depth > height[i] ? plan->depth : height[i];
        }
        for (int32_t b = 0; b < plan->body_count; b++) {
            rct_placement *at = &plan->placement[b];
            at->link = at->link == RCT_GROUND ? RCT_GROUND : label[at->link];
        }
    }
    rct_release(height);
    rct_release(first);
    rct_release(next);
    return status;
}
