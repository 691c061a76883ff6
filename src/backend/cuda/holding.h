/* Where the numbers of a run are held on the host: links of the reduced tree by node, segments in tiles,
 * tasks in bushes. Above the backend table there is label order only; here is the way between. The tiles may
 * be those of a finer partition than the nodes, with the same runs of links. */
#ifndef RCT_BACKEND_CUDA_HOLDING_H
#define RCT_BACKEND_CUDA_HOLDING_H

#include "kernels/serial.h"
#include "topology/bushes.h"
#include "topology/packing.h"

#include <riccatree/solver.h>

typedef struct rct_holding {
    const rct_plan *plan;
    rct_method method;
    const rct_serial_kernels *serial; /* of the method                                           */
    const rct_partition *partition;   /* whose nodes these are:                                  */
    double *state;                    /* [nodes][STATE_FIELDS]                                   */
    const double *work;               /* [nodes][serial->work_fields]                            */
    const rct_packing *packing;
    const rct_bush_packing *planted;
} rct_holding;

/* States [links][STATE_FIELDS] in label order, in and out. */
void rct_holding_scatter(const rct_holding *holding, const double *state);
void rct_holding_gather(const rct_holding *holding, double *state);

/* The first of states in label order that is not finite, -1 if all are. An orientation whose length is not
 * counts: it would be no rotation. */
int32_t rct_holding_not_finite(const double *state, int32_t links);

/* Results [links][6] in label order, as in backend.h. */
void rct_holding_read_accelerations(const rct_holding *holding, double *accelerations);
void rct_holding_read_forces(const rct_holding *holding, double *forces);

#endif
