/* Loops that are held in the junction of a run on a device (backend.h); its trunk is then on the
 * host. */
#include "backend/cuda/run.h"

static rct_held_trunk *held(rct_run *run)
{
    return run->held.paths != NULL ? &run->held : NULL;
}

static rct_sweep_result condense(rct_run *run)
{
    const int known = run->condensed != 0;
    const rct_sweep_result result = rct_cuda_condense(run);
    if (!known && result.end == SWEEP_DONE) {
        rct_held_find_paths(&run->held, 0, run->held.trunk->count);
    }
    return result;
}

static void settle(rct_run *run)
{
    rct_held_settle(&run->held, 0.0);
    run->condensed = RCT_CUDA_SETTLED;
}

/* The device forgets what was condensed when it continues. */
static rct_sweep_result sway(rct_run *run)
{
    const rct_sweep_result result =
        run->condensed == 0 ? rct_cuda_condense(run) : (rct_sweep_result){SWEEP_DONE, -1};
    if (result.end != SWEEP_DONE) {
        return result;
    }
    rct_held_settle(&run->held, RCT_BEYOND_ALL);
    run->condensed = RCT_CUDA_SETTLED;
    return rct_cuda_evaluate(run);
}

const rct_junction_operations rct_cuda_junction = {
    .held = held,
    .condense = condense,
    .settle = settle,
    .sway = sway,
};
