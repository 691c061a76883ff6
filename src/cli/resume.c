/* riccatree resume: go on from a checkpoint of `run`, or with the file of an ensemble, to the same bits as if it had never
 * stopped. */
#include "ensemble/members.h"
#include "run/run.h"

#include <inttypes.h>

/* The recording as it was at the checkpoint. */
static bool reopen_record(cli_run_state *run)
{
    const rct_recorder_options options = cli_run_recorder_options(run);
    if (run->place != NULL) {
        run->recorder = rct_recorder_reopen(run->place, run->model, run->solver, &options,
                                            run->note.measured, &cli_error);
    }
    return run->place == NULL || cli_have(run->recorder);
}

/* Model, solver and state. */
static bool restore(cli_run_state *run, const rct_checkpoint *checkpoint)
{
    rct_checkpoint_info info;
    rct_checkpoint_get_info(checkpoint, &info);
    info.options.threads = (int32_t)run->arguments->threads;
    run->model = rct_checkpoint_model(checkpoint, &cli_error);
    if (run->model != NULL) {
        run->solver = rct_solver_create(run->model, &info.options, &cli_error);
    }
    if (!cli_have(run->solver) ||
        !cli_did(rct_checkpoint_restore(checkpoint, run->model, run->solver, &cli_error))) {
        return false;
    }
    const int32_t loops = rct_model_loop_count(run->model);
    const cli_violation *seen = &run->note.violation;
    cli_run_describe(run);
    return (seen->position_loop < loops && seen->velocity_loop < loops) ||
           cli_refuse("%s: is damaged: its note names a loop of %" PRId32, run->arguments->operand,
                      loops);
}

static bool resume_run(const cli_arguments *given)
{
    cli_arguments arguments = *given;
    cli_run_state run = {.arguments = &arguments, .started = cli_seconds()};
    cli_catch_signals(); /* at once: from the first step on there is something to say */
    rct_checkpoint *checkpoint = rct_checkpoint_open(arguments.operand, &cli_error);
    const bool good = cli_have(checkpoint) && cli_checkpoint_read(checkpoint, &run, &arguments) &&
                      restore(&run, checkpoint) && cli_checkpoint_claim(&run, arguments.operand) &&
                      reopen_record(&run) && cli_checkpoint_start(&run) && cli_run_go_on(&run);
    cli_run_dispose(&run);
    rct_checkpoint_close(checkpoint);
    return good;
}

static bool resume(const cli_arguments *given)
{
    if (!cli_check_regular(given->operand)) {
        return cli_agree(given, false);
    }
    if (cli_is_results(given->operand)) {
        return cli_resume_ensemble(given);
    }
    if (rct_ranks_count(given->ranks) > 1) {
        return cli_agree(given,
                         cli_refuse("%s: a run continues in one process; start it without mpirun",
                                    given->operand));
    }
    return resume_run(given);
}

const cli_command cli_resume = {
    .name = "resume",
    .operand = "FILE",
    .summary = "Continue a run from its checkpoint, or an ensemble, to the same bits.",
    .details =
        "\nModel, method, backend, times and recording are those of the run, and so are threads "
        "and the\ntime between checkpoints unless given. Checkpoints are written to the same file; "
        "frames\nrecorded after the last one are recorded again.\n"
        "FILE may be the results of an ensemble: members that are missing are run, those that "
        "were\n"
        "begun from FILE.checkpoint on; mpirun shares them among its processes.\n",
    .options = CLI_LIST(CLI_THREADS, CLI_OUT_MOVED, CLI_CHECKPOINT_EVERY, CLI_JSON),
    .run = resume,
    .on_ranks = true,
};
