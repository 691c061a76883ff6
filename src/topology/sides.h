/* Side paths: tasks that stand behind the narrow segments they hang on, in the same group, so that
 * both are swept together. Side paths are single narrow paths of a few links, at most as many
 * beside the segments of a group as there are lanes. */
#ifndef RCT_TOPOLOGY_SIDES_H
#define RCT_TOPOLOGY_SIDES_H

#include "topology/packing.h"

typedef struct rct_sides {
    int32_t groups; /* of narrow segments, in the order of their labels */
    /* [groups + 1] where the tasks of a group begin in `task`; NULL: there are none */
    int32_t *begin;
    int32_t *task;
    int32_t *group; /* [tasks] -1: stands in a bush */
} rct_sides;

/* There are none in a packing that is not in order, or where a group would have too many.
 * RCT_ERROR_MEMORY. */
rct_status rct_sides_find(rct_sides *sides, const rct_packing *packing, rct_error *error);
void rct_sides_free(rct_sides *sides);

#endif
