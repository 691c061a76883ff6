/* Results that must have the same bits: a run repeated, on one thread and on two, and continued
 * from a checkpoint. */
#include "interrupted.h"
#include "scratch.h"
#include "verify/verify.h"

/* A run, and the state at its end. Returns false if memory is short; a run that fails gives a
 * state too. */
static bool run_on(const cli_verification *v, rct_method method, int32_t threads, cli_state *end)
{
    rct_solver *solver = cli_verify_solver(v, method, threads);
    if (!cli_have(solver)) {
        return false;
    }
    rct_solver_step(solver, v->dt, v->steps, NULL);
    const bool good = cli_state_create(end, solver);
    rct_solver_free(solver);
    return good;
}

static bool judge_run(cli_verification *v, const cli_state *first, rct_method method,
                      int32_t threads, const char *what)
{
    cli_state second;
    if (!run_on(v, method, threads, &second)) {
        return false;
    }
    cli_check_bound(&v->checks, what, (double)cli_state_apart(first, &second), cli_at_most(0.0),
                    "this many numbers of the state at the end have other bits; report it to the "
                    "makers of riccatree, with the model");
    cli_state_free(&second);
    return true;
}

static bool judge_checkpoint(cli_verification *v, const cli_state *first)
{
    cli_scratch scratch;
    cli_state second = {.bodies = 0};
    if (!cli_scratch_make(&scratch)) {
        return false;
    }
    const bool good = cli_run_interrupted(v->model, v->dt, v->steps, scratch.path, &second);
    if (good) {
        cli_check_bound(
            &v->checks, "same bits, checkpoint", (double)cli_state_apart(first, &second),
            cli_at_most(0.0),
            "this many numbers of the state at the end have other bits than without a checkpoint");
    }
    cli_state_free(&second);
    cli_scratch_remove(&scratch);
    return good;
}

bool cli_verify_bits(cli_verification *v)
{
    cli_state abi, riccati = {.bodies = 0};
    bool good = run_on(v, RCT_METHOD_ABI, 1, &abi) &&
                judge_run(v, &abi, RCT_METHOD_ABI, 1, "same bits, twice") &&
                judge_run(v, &abi, RCT_METHOD_ABI, 2, "same bits, 2 threads") &&
                judge_checkpoint(v, &abi);
    if (good && v->comparison.entries[CLI_ENTRY_RICCATI].present) {
        good = run_on(v, RCT_METHOD_RICCATI, 1, &riccati) &&
               judge_run(v, &riccati, RCT_METHOD_RICCATI, 2, "same bits, riccati");
    }
    cli_state_free(&abi);
    cli_state_free(&riccati);
    return good;
}
