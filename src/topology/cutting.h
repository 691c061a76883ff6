/* Cutting the tree: what partition.c knows of each link, and passes to reduce.c. */
#ifndef RCT_TOPOLOGY_CUTTING_H
#define RCT_TOPOLOGY_CUTTING_H

#include "core/memory.h"
#include "topology/partition.h"

typedef struct rct_cutting {
    const rct_links *links;
    rct_cut how;
    int32_t *size;    /* [links] links in the subtree       */
    int32_t *segment; /* [links] segment of the link, or -1 */
    int32_t *task;    /* [links] task of the link, or -1    */
    int32_t *node; /* [links] node of a link, or of the first link of a segment or task; else -1 */
    int8_t *held; /* [links] HELD: by a loop; HELD_BEYOND: a link that hangs on it is; 0: neither */
} rct_cutting;

enum { HELD_BEYOND = 1, HELD = 2 };

/* Marks the links that loops hold, and all that carry them. Returns the number of held links; 0,
 * and none marked, if they are too many. */
int32_t rct_mark_held(const rct_cutting *cut, const rct_plan *plan);

/* The arrays that a partition owns, with their counts: the reduced tree, which rct_reduce
 * allocates, then pieces. */
enum { REDUCED_ARRAYS = 6, PARTITION_ARRAYS = 8 };
void rct_partition_arrays(rct_partition *partition, rct_array arrays[PARTITION_ARRAYS]);

/* Builds the reduced tree from the segments and tasks, which get their nodes. */
rct_status rct_reduce(const rct_cutting *cut, rct_partition *partition, rct_error *error);

#endif
