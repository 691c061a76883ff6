/* Steps recorded as graphs (lease.h): all kernels of a step in one launch. */
#include "backend/cuda/lease.h"

/* There is a graph even where a launch failed, unless the device failed. */
static int capture(cudaGraph_t *graph, rct_lease *lease,
                   int (*launch)(void *run, int stage, double dt), void *run, double dt)
{
    if (!rct_cuda_good(lease,
                       cudaStreamBeginCapture(lease->stream, cudaStreamCaptureModeThreadLocal),
                       "beginning a graph")) {
        return 0;
    }
    int launched = 1;
    for (int stage = 0; stage < 4 && launched; stage++) {
        launched = launch(run, stage, dt);
    }
    return rct_cuda_good(lease, cudaStreamEndCapture(lease->stream, graph), "ending a graph") &&
           launched;
}

int rct_cuda_record_step(rct_step *step, rct_lease *lease,
                         int (*launch)(void *run, int stage, double dt), void *run, double dt)
{
    cudaGraph_t graph = NULL;
    rct_cuda_step_free(step);
    const int made =
        capture(&graph, lease, launch, run, dt) &&
        rct_cuda_good(lease, cudaGraphInstantiate(&step->graph, graph, 0), "making a graph");
    if (graph != NULL) {
        cudaGraphDestroy(graph);
    }
    if (made) {
        step->dt = dt;
    } else {
        step->graph = NULL;
    }
    return made;
}

void rct_cuda_step_free(rct_step *step)
{
    if (step->graph != NULL) {
        cudaGraphExecDestroy(step->graph);
    }
    *step = (rct_step){.graph = NULL};
}
