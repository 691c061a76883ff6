/* Loops that are held in the junction of a run on the CPU (backend.h). */
#include "backend/cpu/run.h"

static rct_held_trunk *held(rct_run *run)
{
    return run->held.paths != NULL ? &run->held : NULL;
}

rct_status rct_cpu_create_held(rct_run *run, rct_error *error)
{
    rct_packing *packing = run->packing;
    run->held = (rct_held_trunk){.kernels = run->serial,
                                 .rows = &packing->links.sheaves,
                                 .trunk = &packing->trunk,
                                 .label = packing->node_label};
    return run->partition->stations > 0 ? rct_held_create(&run->held, error) : RCT_OK;
}

static rct_sweep_result condense(rct_run *run)
{
    return rct_cpu_condense(run, run->condensed < RCT_CONDENSED);
}

static void settle(rct_run *run)
{
    rct_held_settle(&run->held, 0.0);
    run->condensed = RCT_SETTLED;
}

const rct_junction_operations rct_cpu_junction = {
    .held = held,
    .condense = condense,
    .settle = settle,
    .sway = rct_cpu_sway,
};
