/* Packing tasks into bushes of a given number of lanes (layout: kernels/bushes.h). Like the packing of
 * segments it moves numbers, not results.
 *
 * Bushes are whole tasks of nearly the same height, some hundred links in all, and more where it takes that
 * to fill the lanes with their longest paths. The paths of a bush are sorted by length, among equals by how
 * much hangs on them, and taken as many at a time as there are lanes: little is padded but where a bush
 * has few long paths.
 */
#ifndef RCT_TOPOLOGY_BUSHES_H
#define RCT_TOPOLOGY_BUSHES_H

#include "kernels/bushes.h"
#include "topology/packing.h"

typedef struct rct_bush_packing {
    const rct_partition *partition;
    const rct_packing
        *segments; /* of the same lanes                                              */
    int32_t lanes;
    int32_t wanted;
    rct_bushes bushes;
    int64_t
        padding;   /* neutral links                                                              */
    int32_t *task; /* [tasks] the tasks, bush after bush: first_root is where each bush begins   */

    /* owned arrays behind `bushes` */
    int32_t *first_sheaf;
    int64_t *first_wave;
    int32_t *label;
    int32_t *starts;
    int32_t *hung;
    int32_t *up_row;
    int32_t *up;
    int64_t *first_kid;
    int32_t *kid;
    double *kid_at;
    int32_t *side_row;
    int32_t *side_up;
    double *side_at;
    int32_t *side_node;
    int64_t *first_root;
    rct_bush_root *root;
    double *own_gravity;
    rct_constants constants;
    int32_t up_rows;
    int32_t side_rows;
} rct_bush_packing;

/* In the lanes of `segments`, with the tasks of `partition`, whose reduced tree has their nodes: that of
 * `segments`, or one with the same tasks and runs, cut elsewhere. Both must outlive the packing. Small systems get
 * `wanted` bushes if that leaves each enough links. NULL on failure (RCT_ERROR_MEMORY). All states are
 * neutral: unit quaternions, at rest. The work records of the reduced tree (bushes.work) are the backend's
 * to set. */
rct_bush_packing *rct_bush_packing_create(const rct_packing *segments,
                                          const rct_partition *partition, int32_t wanted,
                                          rct_error *error);

/* The numbers of the plan, which has been renewed, or is new: constants, where paths hang but beside segments, neutral
 * states. RCT_ERROR_MEMORY, then only to be freed. */
rct_status rct_bush_packing_renew(rct_bush_packing *packing, rct_error *error);
void rct_bush_packing_free(rct_bush_packing *packing);
int64_t rct_bush_packing_bytes(const rct_bush_packing *packing);

#endif
