/* Side paths: tasks that stand behind the narrow segments they hang on, in the same group, so that what sweeps those sweeps
 * them, too. They are single narrow paths of a few links, no more beside the segments of a group than there are lanes. */
#ifndef RCT_TOPOLOGY_SIDES_H
#define RCT_TOPOLOGY_SIDES_H

#include "topology/packing.h"

typedef struct rct_sides {
    int32_t groups; /* of narrow segments, in the order of their labels                          */
    int32_t *begin; /* [groups + 1] where those of a group begin in `task`; NULL: there are none */
    int32_t *task;
    int32_t *group; /* [tasks] -1: stands in a bush                                              */
} rct_sides;

/* None of a packing that is not in order; none either where a group had too many. RCT_ERROR_MEMORY. */
rct_status rct_sides_find(rct_sides *sides, const rct_packing *packing, rct_error *error);
void rct_sides_free(rct_sides *sides);

#endif
