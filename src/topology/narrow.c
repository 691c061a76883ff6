/* Which paths of a packing are narrow (kernels/records/sheaves.h). Only the tree and its partition
 * decide, never the neighbours of a path: lanes must change no result. */
#include "topology/planting.h"
#include "topology/rows.h"

int rct_narrow_path(const rct_links *links, int32_t first, int32_t count)
{
    int narrow = 1;
    for (int32_t i = first; i < first + count && narrow; i++) {
        narrow = rct_links_pass(links, i);
    }
    return narrow;
}

int32_t rct_trunk_follows(const rct_partition *p, int32_t segment)
{
    const int32_t node = p->segments[segment].node;
    const int32_t first = p->child_begin[node], end = p->child_begin[node + 1];
    return end > first + 1 ? RCT_SEVERAL_FOLLOW
           : end > first   ? p->label[p->child[first]]
                           : RCT_NONE_FOLLOWS;
}

int rct_narrow_segment(const rct_plan *plan, const rct_partition *p, int32_t segment)
{
    const rct_segment *s = &p->segments[segment];
    const int32_t next = rct_trunk_follows(p, segment);
    return rct_narrow_path(&plan->links, s->first, s->length) &&
           (next == RCT_NONE_FOLLOWS || (next >= 0 && rct_links_pass(&plan->links, next)));
}
