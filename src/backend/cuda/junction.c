/* Loops that are held in the junction of a run on a device (backend.h); its trunk is then on the
 * host. */
#include "backend/cuda/run.h"

static rct_held_trunk *held(rct_run *run)
{
    return run->held.paths != NULL ? &run->held : NULL;
}

/* Starts again: on the device that takes no longer than keeping what was condensed. */
static rct_sweep_result sway(rct_run *run)
{
    run->condensed = 0;
    return rct_cuda_evaluate(run);
}

const rct_junction_operations rct_cuda_junction = {
    .held = held,
    .condense = rct_cuda_condense,
    .sway = sway,
};
