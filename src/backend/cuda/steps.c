/* Whole Runge-Kutta steps that never leave the device: four evaluations as one graph, launched again for
 * every step; the host looks only now and then. */
#include "backend/cuda/run.h"

/* Steps between two looks: a step that fails wastes at most those launched behind it. */
enum { STEPS_A_LOOK = 64 };

static int launch(void *run, int stage, double dt)
{
    return rct_cuda_launch((rct_run *)run, stage, dt);
}

/* The graph of a step of length dt; it is made again when the length changes. */
static int prepare(rct_run *run, double dt)
{
    return (run->step.graph != NULL && run->step.dt == dt) ||
           rct_cuda_record_step(&run->step, &run->lease, launch, run, dt);
}

static int look_at(rct_run *run, int64_t steps)
{
    int good = rct_cuda_forget_fault(run);
    for (int64_t k = 0; k < steps && good; k++) {
        good = rct_cuda_good(&run->lease, cudaGraphLaunch(run->step.graph, run->lease.stream),
                             "launching a step");
    }
    return good && rct_cuda_see_fault(run);
}

/* Steps one stage at a time, with the trunk on the host. */
static rct_sweep_result by_stages(rct_run *run, double dt, int64_t steps, int64_t *done)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (*done = 0; *done < steps && result.end == SWEEP_DONE; *done += 1) {
        for (int stage = 0; stage < 4 && result.end == SWEEP_DONE; stage++) {
            result = rct_cuda_rk4_stage(run, stage, dt);
        }
        if (result.end != SWEEP_DONE) {
            return result;
        }
    }
    return result;
}

rct_sweep_result rct_cuda_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    *done = 0;
    if (run->junction_on_host) {
        return by_stages(run, dt, steps, done);
    }
    while (*done < steps && result.end == SWEEP_DONE) {
        const int64_t left = steps - *done;
        const int64_t now = left < STEPS_A_LOOK ? left : STEPS_A_LOOK;
        if (run->lease.trouble[0] != '\0' || !rct_cuda_here(&run->lease) || !prepare(run, dt) ||
            !look_at(run, now)) {
            return (rct_sweep_result){SWEEP_LOST, -1};
        }
        const int64_t begun = run->fault->steps;
        const int stopped_before = run->fault->stop && run->fault->stage == 0 &&
                                   run->fault->outward.singular == NO_LABEL &&
                                   run->fault->outward.not_finite == NO_LABEL;
        result = rct_cuda_verdict(run, 1);
        *done += result.end == SWEEP_DONE || stopped_before ? begun : begun - 1;
    }
    return result;
}
