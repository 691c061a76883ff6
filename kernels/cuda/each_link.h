/* Work on each link by itself: one block for each sheaf, whose warps share the rows; further blocks
 * for the links of a trunk on the device, a thread each. */
#ifndef RCT_KERNELS_CUDA_EACH_LINK_H
#define RCT_KERNELS_CUDA_EACH_LINK_H

#include "kernels/cuda/lane32.h"

#include "kernels/laws/coordinate_step.h"

enum { MOVERS = 8 };

/* This thread's lane of row g. */
static __device__ __forceinline__ row_part part_of_lane(const rct_sheaves *own, int64_t g)
{
    return (row_part){.label = own->label + g * WARP,
                      .lanes = WARP,
                      .at = own->state_at[g] * WARP,
                      .rates = own->coordinates[g],
                      .kind = row_kind(own, g),
                      .where = ALL_LANES,
                      .alike = 0};
}

/* The link of the trunk that is row g. */
static __device__ __forceinline__ row_part part_of_link(const rct_sheaves *rows, int64_t g)
{
    return (row_part){.label = rows->label + g,
                      .lanes = 1,
                      .at = rows->state_at[g],
                      .rates = rows->coordinates[g],
                      .kind = rows->kinds[g],
                      .where = ALL_LANES,
                      .alike = 0};
}

/* A link as a thread sees it: the sheaves as its lane sees them, its sheaf and row there, the
 * number of lanes of these, and its number among all. Links of the trunk follow those in lanes;
 * neutral links are counted. */
typedef struct link_here {
    const rct_sheaves *s;
    row_part p;
    int32_t sheaf;
    int64_t g;
    int32_t lanes;
    int64_t index;
} link_here;

template <typename work>
static __device__ __forceinline__ void each_link(const rct_device &d, work does)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t sheaf = (int32_t)blockIdx.x;
    if (sheaf < own.count) {
        for (int64_t g = own.first_row[sheaf] + threadIdx.x / WARP; g < own.first_row[sheaf + 1];
             g += MOVERS) {
            does(link_here{&own, part_of_lane(&own, g), sheaf, g, WARP, g * WARP + lane_member()});
        }
        return;
    }
    const int64_t behind = own.first_row[own.count] * WARP;
    for (int32_t g = (int32_t)threadIdx.x; g < d.rows.count; g += MOVERS * WARP) {
        does(link_here{&d.rows, part_of_link(&d.rows, g), g, g, 1, behind + g});
    }
}

/* The derivatives of the link of this thread. */
static __device__ __forceinline__ const double *derivatives_here(const link_here &l)
{
    return row_derivatives(l.s, l.sheaf, l.g, l.lanes);
}

static inline unsigned int blocks_of_links(const rct_device *d)
{
    return (unsigned int)d->lanes.count + (d->rows.count > 0 || d->lanes.count == 0 ? 1 : 0);
}

#endif
