/* What must have the same bits: a run once more, on one thread and on two, and from a checkpoint on. */
#include "scratch.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

/* Numbers of two runs that differ. */
static int64_t apart(const cli_state *a, const cli_state *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->numbers; i++) {
        count += memcmp(a->coordinates + i, b->coordinates + i, sizeof(double)) != 0;
    }
    return count;
}

/* A run, and the state that it ends in. False: no memory; a run that fails gives a state too. */
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
    cli_verify_bound(v, what, (double)apart(first, &second), cli_at_most(0.0),
                     "so many numbers of the state at the end have other bits; tell the makers of "
                     "riccatree, with the model");
    cli_state_free(&second);
    return true;
}

/* ---- from a checkpoint ---------------------------------------------------------------------- */

static bool write_half(const cli_verification *v, const char *path)
{
    rct_solver *solver = cli_verify_solver(v, RCT_METHOD_ABI, 1);
    rct_checkpoint_writer *writer =
        solver != NULL ? rct_checkpoint_writer_create(path, v->model, solver, &cli_error) : NULL;
    bool good = cli_have(writer);
    if (good) {
        rct_solver_step(solver, v->dt, v->steps / 2, NULL);
        good = cli_did(rct_checkpoint_write(writer, v->steps / 2, NULL, 0, &cli_error));
    }
    rct_checkpoint_writer_free(writer);
    rct_solver_free(solver);
    return good;
}

static bool go_on(const cli_verification *v, const char *path, cli_state *end)
{
    rct_checkpoint_info info;
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, &cli_error);
    if (!cli_have(checkpoint)) {
        return false;
    }
    rct_checkpoint_get_info(checkpoint, &info);
    rct_model *model = rct_checkpoint_model(checkpoint, &cli_error);
    rct_solver *solver = model != NULL ? rct_solver_create(model, &info.options, &cli_error) : NULL;
    bool good =
        cli_have(solver) && cli_did(rct_checkpoint_restore(checkpoint, model, solver, &cli_error));
    if (good) {
        rct_solver_step(solver, v->dt, v->steps - info.steps, NULL);
        good = cli_state_create(end, solver);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    rct_checkpoint_close(checkpoint);
    return good;
}

static bool judge_checkpoint(cli_verification *v, const cli_state *first)
{
    cli_scratch scratch;
    cli_state second = {.bodies = 0};
    if (!cli_scratch_make(&scratch)) {
        return false;
    }
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/half.rct", scratch.path);
    const bool good = write_half(v, path) && go_on(v, path, &second);
    if (good) {
        cli_verify_bound(
            v, "same bits, checkpoint", (double)apart(first, &second), cli_at_most(0.0),
            "so many numbers of the state at the end have other bits than without one");
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
