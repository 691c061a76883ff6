/* The active closures of a model side by side in lanes (kernels/records/closures.h). */
#ifndef RCT_CLOSURE_CLOSURE_LANES_H
#define RCT_CLOSURE_CLOSURE_LANES_H

#include "core/pool.h"
#include "kernels/records/closures.h"
#include "kernels/sweeps/lanes.h"

#include <riccatree/loop.h>

typedef struct rct_closure_layout {
    rct_closure_lanes at; /* where rows go is the caller's */
    rct_closure_kernel *write;
    int32_t *holds, *body, *row, *end, *loop; /* [bundles][W] */
    double *constant;
    int32_t outlines; /* cams of the model, active or not: without one there is no `outline` */
    double *outline;
} rct_closure_layout;

/* Room for all closures of the model, in the lanes of this machine; it ends with the pool. RCT_ERROR_MEMORY. */
rct_status rct_closure_layout_create(rct_closure_layout *layout, const rct_model *model,
                                     rct_pool *pool, rct_error *error);

/* Those that are active. `row`, `end` [loops]: the first of each. */
void rct_closure_layout_fill(rct_closure_layout *layout, const rct_model *model,
                             const unsigned char *active, const int32_t *row, const int32_t *end);

/* The first loop that was written turned round, or -1. */
int32_t rct_closure_layout_flipped(const rct_closure_layout *layout);

#endif
