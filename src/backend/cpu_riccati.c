/* The riccati method on the CPU: the serial recursion over the whole tree (no segments: nodes are
 * links). */
#include "backend/cpu_run.h"

rct_sweep_result rct_cpu_riccati(rct_run *run, int stage, double dt)
{
    const rct_links *links = &run->plan->links;
    rct_sweep_result result = rct_serial_riccati(links, run->state, run->work);
    if (result.end != SWEEP_SINGULAR && stage != STAGE_NONE) {
        const rct_sweep_result advanced =
            rct_serial_rk4_stage(stage, dt, links->count, run->work + RICCATI_ANGULAR,
                                 run->work_fields, run->base, run->sum, run->state);
        result = result.end == SWEEP_DONE ? advanced : result;
    }
    return result;
}
