/* riccatree resume: go on from a checkpoint of `run`, or with the file of an ensemble, to the same bits as if it had never
 * stopped. */
#include "ensemble/members.h"
#include "run/run.h"

#include <inttypes.h>
#include <stddef.h>

/* The recording as it was at the checkpoint. */
static int reopen_record(cli_run_state *run)
{
    rct_error error;
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = run->frames;
    options.dt = run->arguments->dt;
    options.t_end = run->arguments->t_end;
    options.command_line = run->arguments->command_line;
    run->recorder =
        rct_recorder_reopen(run->place, run->model, run->solver, &options, run->measured, &error);
    return run->recorder != NULL ? CLI_OK : cli_fail_library(&error);
}

/* Model, solver and state. */
static int restore(cli_run_state *run, const rct_checkpoint *checkpoint)
{
    rct_error error;
    rct_checkpoint_info info;
    rct_checkpoint_get_info(checkpoint, &info);
    info.options.threads = (int32_t)run->arguments->threads;
    run->model = rct_checkpoint_model(checkpoint, &error);
    if (run->model != NULL) {
        run->solver = rct_solver_create(run->model, &info.options, &error);
    }
    if (run->solver == NULL ||
        rct_checkpoint_restore(checkpoint, run->model, run->solver, &error) != RCT_OK) {
        return cli_fail_library(&error);
    }
    const int32_t loops = rct_model_loop_count(run->model);
    if (run->violation.position_loop >= loops || run->violation.velocity_loop >= loops) {
        return cli_fail(CLI_BAD_INPUT, "%s: is damaged: its note names a loop of %" PRId32,
                        run->arguments->operand, loops);
    }
    rct_solver_get_info(run->solver, &run->info);
    run->census = cli_take_census(run->model);
    return cli_take_scales(&run->scales, run->model);
}

static int go_on(cli_run_state *run, const rct_checkpoint *checkpoint, cli_arguments *arguments)
{
    int status = cli_checkpoint_read(checkpoint, run, arguments);
    if (status == CLI_OK) {
        status = restore(run, checkpoint);
    }
    if (status == CLI_OK) {
        status = cli_checkpoint_claim(run, arguments->operand);
    }
    if (status == CLI_OK && run->place != NULL) {
        status = reopen_record(run);
    }
    if (status == CLI_OK) {
        status = cli_checkpoint_start(run);
    }
    return status == CLI_OK ? cli_run_go_on(run) : status;
}

static int resume_run(const cli_arguments *given)
{
    rct_error error;
    cli_arguments arguments = *given;
    cli_run_state run = {.arguments = &arguments, .started = cli_seconds()};
    cli_catch_signals(); /* at once: from the first step on there is something to say */
    rct_checkpoint *checkpoint = rct_checkpoint_open(arguments.operand, &error);
    if (checkpoint == NULL) {
        return cli_fail_library(&error);
    }
    const int status = go_on(&run, checkpoint, &arguments);
    cli_run_dispose(&run);
    rct_checkpoint_close(checkpoint);
    return status;
}

static int resume(const cli_arguments *given)
{
    if (cli_check_regular(given->operand) != CLI_OK) {
        return cli_agree(given, CLI_BAD_INPUT);
    }
    if (cli_is_results(given->operand)) {
        return cli_resume_ensemble(given);
    }
    if (rct_ranks_count(given->ranks) > 1) {
        return cli_agree(given,
                         cli_fail(CLI_BAD_INPUT,
                                  "%s: a run goes on in one process; start it without mpirun",
                                  given->operand));
    }
    return resume_run(given);
}

static const cli_option_id options[] = {CLI_THREADS, CLI_OUT_MOVED, CLI_CHECKPOINT_EVERY, CLI_JSON,
                                        CLI_END};

const cli_command cli_resume = {
    .name = "resume",
    .operand = "FILE",
    .summary = "Go on with a run from its checkpoint, or with an ensemble, to the same bits.",
    .details =
        "\nModel, method, backend, times and recording are those of the run, and so are threads "
        "and "
        "the\n"
        "time between checkpoints unless given. The checkpoint goes on being written; frames "
        "recorded\n"
        "after it are recorded again.\n"
        "Of an ensemble FILE is that of its results; members that are missing are run, those\n"
        "that were begun from FILE.checkpoint on, by mpirun on as many ranks as it starts.\n",
    .options = options,
    .run = resume,
    .on_ranks = true,
};
