/* A run stopped halfway in a checkpoint, and continued from it to the end. */
#include "interrupted.h"

#include "scratch.h"

#include <stdio.h>

static bool write_half(const rct_model *model, double dt, int64_t steps, const char *path)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    rct_solver *solver = rct_solver_create(model, &options, &cli_error);
    rct_checkpoint_writer *writer =
        solver != NULL ? rct_checkpoint_writer_create(path, model, solver, &cli_error) : NULL;
    bool good = cli_have(writer);
    if (good) {
        rct_solver_step(solver, dt, steps / 2, NULL);
        good = cli_did(rct_checkpoint_write(writer, steps / 2, NULL, 0, &cli_error));
    }
    rct_checkpoint_writer_free(writer);
    rct_solver_free(solver);
    return good;
}

static bool go_on(double dt, int64_t steps, const char *path, cli_state *end)
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
        rct_solver_step(solver, dt, steps - info.steps, NULL);
        good = cli_state_create(end, solver);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    rct_checkpoint_close(checkpoint);
    return good;
}

bool cli_run_interrupted(const rct_model *model, double dt, int64_t steps, const char *folder,
                         cli_state *end)
{
    char path[CLI_SCRATCH_SIZE + 16];
    snprintf(path, sizeof path, "%s/half.rct", folder);
    return write_half(model, dt, steps, path) && go_on(dt, steps, path, end);
}
