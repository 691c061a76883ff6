/* Points, energies and momenta on the device, in label order: states are gathered from where they are
 * swept; hinge points follow by pointer jumping, every link adding the step of the ancestor it has come to
 * and going on to that one's, in as many rounds as the depth has binary digits; sums are trees of a fixed
 * shape, so that they repeat bit for bit. */
#ifndef RCT_KERNELS_CUDA_MEASURE_H
#define RCT_KERNELS_CUDA_MEASURE_H

#include "kernels/cuda/system.h"

enum {
    MEASURERS = 128,   /* threads of a block: one link each, a power of two */
    MEASURE_SPLIT = 16 /* two words a sum: the sum and its rest             */
};

typedef struct rct_device_measure {
    rct_links links;       /* all links, label order                                              */
    const int32_t *length; /* [tiles.count][WARP] links of a piece                                */
    double *state;         /* [links][STATE_FIELDS]                                               */
    double *points[2];     /* [links][6] hinge point and velocity, before and after a round       */
    int32_t *ancestor[2];  /* [links]                                                             */
    double *reference;     /* [links] potentials of the reference state                           */
    double *parts;         /* [blocks][MEASURE_SPLIT]                                             */
    double *total;         /* [MEASURES]                                                          */
} rct_device_measure;

/* Blocks that measure so many links; one if nothing moves. */
static inline int64_t measure_blocks(int64_t links)
{
    return links > 0 ? (links + MEASURERS - 1) / MEASURERS : 1;
}

#ifdef __cplusplus
extern "C" {
#endif

/* On the thread's device, before the others there. */
cudaError_t rct_device_measure_prepare(void);

/* States of all links in label order. */
cudaError_t rct_device_gather(const rct_device *device, const rct_device_measure *measure,
                              cudaStream_t stream);

/* Points of all links, which end in points[0]; `depth`: links on the longest path. */
cudaError_t rct_device_points(const rct_device_measure *measure, int32_t depth,
                              cudaStream_t stream);

/* The potentials of the states gathered as reference. */
cudaError_t rct_device_reference(const rct_device_measure *measure, cudaStream_t stream);

/* The sums, from states gathered and points[0]. */
cudaError_t rct_device_sums(const rct_device_measure *measure, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
