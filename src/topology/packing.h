/* The packing: segments side by side in tiles of a given number of lanes (layout: kernels/tiles.h).
 * Only here and in the kernels does the number of lanes appear; it moves numbers, not results. */
#ifndef RCT_TOPOLOGY_PACKING_H
#define RCT_TOPOLOGY_PACKING_H

#include "kernels/tiles.h"
#include "topology/constants.h"
#include "topology/partition.h"

typedef struct rct_packing {
    const rct_plan *plan;
    const rct_partition *partition;
    int32_t lanes;
    int about_com; /* inertia in the constants: 1 about the centre of mass, 0 about the origin   */
    rct_tiles tiles;

    int32_t *lane_segment; /* [tiles][lanes] segment, or -1: empty                               */
    int64_t *at;           /* [segments] step of its inboard link, in lanes: g * lanes + lane    */
    int32_t *tile_of;      /* [segments]                                                         */
    int64_t padding;       /* neutral links                                                      */

    /* tasks beside segments: where the link they hang on has its slot, and which segment it is in */
    int64_t *task_slot;    /* [tasks] slot * lanes + lane, or -1                                 */
    int32_t *task_segment; /* [tasks] segment, or -1                                             */
    int32_t slot_count;

    /* owned arrays behind `tiles` */
    int64_t *first_step;
    int32_t *slot;
    double *stand_in;
    rct_constants constants;
} rct_packing;

/* Segments in the order of labels, so that neighbours on a path are neighbours. NULL on failure (RCT_ERROR_MEMORY). All states
 * are neutral: unit quaternions, at rest. */
rct_packing *rct_packing_create(const rct_plan *plan, const rct_partition *partition, int32_t lanes,
                                int about_com, rct_error *error);

void rct_packing_free(rct_packing *packing);
int64_t rct_packing_bytes(const rct_packing *packing);

/* Where link number `k` of segment `s` stands: the address of field f of a record of F fields is
 * rct_packing_address(...) + f * lanes. */
static inline int64_t rct_packing_address(const rct_packing *packing, int32_t s, int32_t k,
                                          int32_t fields)
{
    const int64_t at = packing->at[s];
    const int64_t step = at / packing->lanes + k;
    return step * fields * packing->lanes + at % packing->lanes;
}

/* The same for what a tile holds once a segment. */
static inline int64_t rct_packing_tile_address(const rct_packing *packing, int32_t s,
                                               int32_t fields)
{
    const int64_t lane = packing->at[s] % packing->lanes;
    return (int64_t)packing->tile_of[s] * fields * packing->lanes + lane;
}

#endif
