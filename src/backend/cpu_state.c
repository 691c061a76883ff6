/* States and results of a CPU run. */
#include "backend/cpu_run.h"
#include "backend/holding.h"

static rct_holding held(const rct_run *run)
{
    return (rct_holding){.plan = run->plan,
                         .method = run->method,
                         .serial = run->serial,
                         .partition = run->partition,
                         .state = run->state,
                         .work = run->work,
                         .packing = run->packing,
                         .planted = run->planted};
}

void rct_cpu_scatter(rct_run *run, const double *state)
{
    const rct_holding holding = held(run);
    rct_holding_scatter(&holding, state);
}

void rct_cpu_gather(const rct_run *run, double *state)
{
    const rct_holding holding = held(run);
    rct_holding_gather(&holding, state);
}

void rct_cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_holding holding = held(run);
    rct_holding_read_accelerations(&holding, accelerations);
}

void rct_cpu_read_forces(const rct_run *run, double *forces)
{
    const rct_holding holding = held(run);
    rct_holding_read_forces(&holding, forces);
}
