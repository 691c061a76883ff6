/* States, loads and results of a run on the CPU. */
#include "backend/cpu/run.h"
#include "backend/gather.h"

void rct_cpu_copy(const rct_run *run, int32_t label, double *numbers, int in)
{
    rct_copy_state(run->packing, label, numbers, in);
}

void rct_cpu_write_state(rct_run *run, const double *state)
{
    rct_scatter_state(run->packing, state);
    run->composed = 0;
}

void rct_cpu_read_state(const rct_run *run, double *state)
{
    rct_gather_state(run->packing, state);
}

void rct_cpu_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state)
{
    rct_gather_links(run->packing, links, count, state);
}

void rct_cpu_set_ground(rct_run *run, const rct_ground *ground)
{
    rct_sheaves_set_ground(run->packing, ground);
}

void rct_cpu_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads)
{
    rct_scatter_loads(run->packing, links, count, loads);
}

void rct_cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    rct_gather_accelerations(run->packing, accelerations);
}

void rct_cpu_read_rates(const rct_run *run, double *rates)
{
    rct_gather_rates(run->packing, rates);
}

void rct_cpu_read_forces(const rct_run *run, double *forces)
{
    rct_gather_forces(run->packing, forces);
}

rct_status rct_cpu_renew(rct_run *run, rct_error *error)
{
    run->composed = 0;
    return rct_packing_renew(run->packing, error);
}
