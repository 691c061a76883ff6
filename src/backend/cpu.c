/* The CPU backend: serial sweeps over the whole tree. */
#include "backend/backend.h"
#include "core/memory.h"

#include <string.h>

struct rct_run {
    const rct_plan *plan;
    rct_method method;
    int64_t work_fields;
    double *base;      /* [links][STATE_FIELDS] start of the present step           (rk4_stage) */
    double *state;     /* [links][STATE_FIELDS] what is evaluated                   (rk4_stage) */
    double *sum;       /* [links][STATE_FIELDS] running sum of a step               (rk4_stage) */
    double *work;      /* [links][work_fields] of the method                         (evaluate) */
    double *points;    /* [links][6] hinge points and velocities                  (read_points) */
    double *reference; /* [links] potentials of the reference state             (set_reference) */
};

static const char *cpu_unavailable(void)
{
    return NULL;
}

static void cpu_destroy(rct_run *run)
{
    if (run != NULL) {
        rct_release(run->base);
        rct_release(run->state);
        rct_release(run->sum);
        rct_release(run->work);
        rct_release(run->points);
        rct_release(run->reference);
        rct_release(run);
    }
}

static rct_run *cpu_create(const rct_plan *plan, rct_method method, rct_error *error)
{
    const int64_t n = plan->links.count;
    const int64_t real = sizeof(double);
    rct_run *run = rct_allocate(1, sizeof *run, "a cpu run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    run->method = method;
    run->work_fields = method == RCT_METHOD_ABI ? ABI_FIELDS : RICCATI_FIELDS;
    run->base = rct_allocate(n, STATE_FIELDS * real, "the state", error);
    run->state = rct_allocate(n, STATE_FIELDS * real, "the state", error);
    run->sum = rct_allocate(n, STATE_FIELDS * real, "the state", error);
    run->work = rct_allocate(n, run->work_fields * real, "the work of a sweep", error);
    run->points = rct_allocate(n, 6 * real, "the hinge points", error);
    run->reference = rct_allocate(n, real, "the reference energies", error);
    if (run->base == NULL || run->state == NULL || run->sum == NULL || run->work == NULL ||
        run->points == NULL || run->reference == NULL) {
        cpu_destroy(run);
        return NULL;
    }
    return run;
}

static int64_t cpu_bytes(const rct_run *run)
{
    const int64_t fields = 3 * STATE_FIELDS + run->work_fields + 6 + 1;
    return (int64_t)sizeof *run + run->plan->links.count * fields * (int64_t)sizeof(double);
}

static int32_t cpu_threads(const rct_run *run)
{
    (void)run;
    return 1;
}

static size_t state_bytes(const rct_run *run)
{
    return (size_t)run->plan->links.count * STATE_FIELDS * sizeof(double);
}

static void cpu_write_state(rct_run *run, const double *state)
{
    memcpy(run->state, state, state_bytes(run));
}

static void cpu_read_state(const rct_run *run, double *state)
{
    memcpy(state, run->state, state_bytes(run));
}

static rct_sweep_result cpu_evaluate(rct_run *run)
{
    return run->method == RCT_METHOD_ABI
               ? rct_serial_abi(&run->plan->links, run->state, run->work)
               : rct_serial_riccati(&run->plan->links, run->state, run->work);
}

static void cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_links *links = &run->plan->links;
    if (run->method == RCT_METHOD_ABI) {
        rct_serial_abi_accelerations(links, run->state, run->work, accelerations);
    } else {
        rct_serial_riccati_accelerations(links, run->state, run->work, accelerations);
    }
}

static void cpu_read_forces(const rct_run *run, double *forces)
{
    const rct_links *links = &run->plan->links;
    if (run->method == RCT_METHOD_ABI) {
        rct_serial_abi_forces(links, run->state, run->work, forces);
    } else {
        rct_serial_riccati_forces(links, run->state, run->work, forces);
    }
}

static rct_sweep_result cpu_rk4_stage(rct_run *run, int stage, double dt)
{
    const int64_t field = run->method == RCT_METHOD_ABI ? ABI_ANGULAR : RICCATI_ANGULAR;
    return rct_serial_rk4_stage(stage, dt, run->plan->links.count, run->work + field,
                                run->work_fields, run->base, run->sum, run->state);
}

static void cpu_rewind(rct_run *run)
{
    memcpy(run->state, run->base, state_bytes(run));
}

static void cpu_read_points(rct_run *run, double *points)
{
    rct_serial_points(&run->plan->links, run->state, points);
}

static void cpu_set_reference(rct_run *run)
{
    rct_serial_potentials(&run->plan->links, run->state, run->reference);
}

static void cpu_sums(rct_run *run, rct_sums *sums)
{
    rct_serial_points(&run->plan->links, run->state, run->points);
    rct_serial_sums(&run->plan->links, run->state, run->points, run->reference, sums);
}

const rct_backend rct_backend_cpu = {
    .name = "cpu",
    .unavailable = cpu_unavailable,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .bytes = cpu_bytes,
    .threads = cpu_threads,
    .write_state = cpu_write_state,
    .read_state = cpu_read_state,
    .evaluate = cpu_evaluate,
    .read_accelerations = cpu_read_accelerations,
    .read_forces = cpu_read_forces,
    .rk4_stage = cpu_rk4_stage,
    .rewind = cpu_rewind,
    .read_points = cpu_read_points,
    .set_reference = cpu_set_reference,
    .sums = cpu_sums,
};
