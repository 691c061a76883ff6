/* Loops that are held in the junction of a run on a device (backend.h); its trunk is then on the
 * host. */
#include "backend/cuda/run.h"

static rct_held_trunk *held(rct_run *run)
{
    return run->held.paths != NULL ? &run->held : NULL;
}

static void settle(rct_run *run)
{
    rct_held_settle(&run->held, 0.0);
    run->condensed = RCT_CUDA_SETTLED;
}

const rct_junction_operations rct_cuda_junction = {
    .held = held,
    .condense = rct_cuda_condense,
    .settle = settle,
    .sway = rct_cuda_sway,
};
