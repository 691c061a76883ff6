/* The layout of a system on the device: which thread sweeps which piece, which spans are composed, in
 * which order (kernels/cuda/system.h). It depends on the tree and on the piece length alone. */
#ifndef RCT_BACKEND_CUDA_LAYOUT_H
#define RCT_BACKEND_CUDA_LAYOUT_H

#include "kernels/cuda/system.h"
#include "topology/bushes.h"
#include "topology/packing.h"

typedef struct rct_cuda_layout {
    rct_partition *whole;  /* runs left whole: the segments and the trunk                         */
    rct_partition *pieces; /* the same runs cut into pieces, one a thread                         */
    rct_packing *packing;  /* of the pieces, in the order of labels, a warp wide                  */
    int32_t *label;        /* [tiles][WARP] label of the inboard link of a piece, or -1           */
    int32_t *length;       /* [tiles][WARP] its links                                             */

    rct_piece *piece; /* [tiles][WARP]                                                       */
    int32_t *segment; /* [pieces] of the whole partition                                     */

    int32_t blocks; /* of PIECES pieces                                                           */
    rct_pair *lower_pairs; /* [blocks][PIECES] by level                                           */
    int32_t *lower;        /* [blocks][LOWER_LEVELS + 1]                                          */
    rct_pair *upper_pairs; /* [upper_count - root_count] by level                                 */
    int32_t *upper;        /* [UPPER_MARKS]                                                       */
    int32_t upper_levels;
    int32_t *first_root; /* [blocks + 1]                                                          */
    int32_t root_count;
    rct_root *roots;     /* spans that blocks leave, in numbers of the block                      */
    int32_t upper_count; /* roots and what the upper levels make of them                          */
    rct_root *top;       /* [whole->segment_count] in upper numbers                               */

    rct_bush_packing *planted; /* the tasks, a warp wide                                          */
    int32_t side_count;
    rct_side *sides; /* tasks beside pieces, in the order in which they are added             */
    int32_t side_records;
    int32_t *side_first; /* [side_records + 1]                                                    */
    int32_t *root_side;  /* [tasks] of each root of the bushes, into sides, or -1                 */
    int32_t hung_count;
    int32_t *hung; /* [hung_count] nodes of the tasks on the trunk and on the ground              */
} rct_cuda_layout;

enum { BUSHES = 528 }; /* warps that fill the device */

/* How a plan of so many links is cut, as asked for or chosen: links a piece, SEGMENT_AUTO, SEGMENT_WHOLE. */
rct_cut rct_cuda_cut(int32_t links, int64_t asked);

/* The part of it that tasks need; what a failure leaves, the layout's free releases. */
rct_status rct_cuda_layout_tasks(rct_cuda_layout *layout, rct_error *error);

/* `length`: links a piece, or SEGMENT_AUTO. NULL on failure (RCT_ERROR_MEMORY). */
rct_cuda_layout *rct_cuda_layout_create(const rct_plan *plan, int64_t length, int about_com,
                                        rct_error *error);
void rct_cuda_layout_free(rct_cuda_layout *layout);

#endif
