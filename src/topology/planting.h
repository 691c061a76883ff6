/* Planting: which task goes to which bush, which path to which sheaf and lane. A packing starts
 * from it, and frees it once the packing stands.
 *
 * Bushes are whole tasks of nearly the same height, some hundred links in all, or more where that
 * is needed to fill the lanes with their longest paths. The paths of a bush are sorted by length,
 * among equals by how much hangs on them, and taken as many at a time as there are lanes. Padding
 * is little, except where a bush has few long paths.
 *
 * Where loops join most trees of a bush with the next one, each lane gets a stretch of this row of
 * trees: both ends of such loops then stand side by side.
 */
#ifndef RCT_TOPOLOGY_PLANTING_H
#define RCT_TOPOLOGY_PLANTING_H

#include "topology/partition.h"

/* Outboard links of a path besides its own; larger numbers are not told apart. */
enum { RCT_ALIKE = 63 };

typedef struct rct_planting {
    const rct_partition *partition;
    const rct_plan *plan;
    const rct_links *links; /* of the plan */
    int32_t lanes;
    int32_t wanted;       /* bushes of small systems, if that leaves each enough links */
    const int32_t *aside; /* [tasks] >= 0: those that stand in no bush; or NULL: none  */

    int32_t bushes;
    int32_t hanging;      /* the first ones, whose tasks hang on something */
    int32_t planted;      /* tasks that stand in bushes                    */
    int32_t *task;        /* [planted] these tasks, bush after bush        */
    int32_t *first_task;  /* [bushes + 1] where each bush begins           */
    int32_t *first_sheaf; /* [bushes + 1]                                  */
    int64_t *first_row;   /* [sheaves + 1]                                 */
    int8_t *apart;        /* [sheaves] those apart                         */
    int64_t *at;          /* [links] row * lanes + lane                    */
    uint8_t *joined;      /* [tasks] whether a loop joins it with the next */

    int32_t *height; /* [links] links on the longest path from it to a tip, in a task; else 0 */
    int32_t *sorted; /* [links] labels where the paths of a bush begin                        */
    int32_t *key;    /* [links] of an item to sort                                            */
    int32_t *other;  /* [links] room to sort                                                  */
    int32_t *begin;  /* [links + RCT_ALIKE + 2] room to sort, zero in between                 */
} rct_planting;

/* Whether link i begins a path. */
static inline int rct_begins_path(const rct_links *links, int32_t i)
{
    return i == 0 || links->parent[i] != i - 1;
}

/* Whether the path of `count` links from `first` on is narrow. */
int rct_narrow_path(const rct_links *links, int32_t first, int32_t count);

/* Fills everything except what is given. All arrays are allocated and zero. */
void rct_plant(rct_planting *planting);

#endif
