/* riccatree resume: continue from a checkpoint of `run`, or with the file of an ensemble, to the
 * same bits as if it had never stopped. */
#include "ensemble/members.h"
#include "run/run.h"

#include <string.h>

/* Read what the command line kept in the checkpoint. For runs of programs, the recording has its
 * present name, and the threads are chosen. */
static bool read_note(cli_arguments *arguments, const rct_run_options *options)
{
    const cli_run_note *note = options->note;
    const int64_t least = (int64_t)sizeof *note + 1;
    const bool whole = options->note_bytes >= least && note->threads >= 0 &&
                       note->threads <= INT32_MAX &&
                       memchr(note->out, '\0', (size_t)(options->note_bytes - least + 1)) != NULL;
    if (!whole && options->note_bytes > 0) {
        return cli_refuse("%s: it is a checkpoint, but not one of `riccatree run`",
                          arguments->operand);
    }
    const char *out = whole && note->out[0] != '\0' ? note->out : options->recording;
    arguments->out = arguments->given[CLI_OUT_MOVED] ? arguments->out : out;
    arguments->threads =
        arguments->given[CLI_THREADS] || !whole ? arguments->threads : note->threads;
    return true;
}

/* Restore the options of the run and the other arguments, given now or kept. */
static bool restore(cli_run_state *run, cli_arguments *arguments, const rct_checkpoint *checkpoint)
{
    rct_checkpoint_info info;
    rct_run_options *options = &run->options;
    rct_checkpoint_get_info(checkpoint, &info);
    arguments->integrator = info.options.integrator;
    if (!cli_did(rct_run_options_of(checkpoint, options, &cli_error)) ||
        !read_note(arguments, options)) {
        return false;
    }
    if (arguments->given[CLI_OUT_MOVED] && options->recording == NULL) {
        return cli_refuse("--out %s: this run records nothing; leave it out", arguments->out);
    }
    if (arguments->given[CLI_OUT_MOVED]) {
        options->recording = arguments->out;
    }
    if (arguments->given[CLI_CHECKPOINT_EVERY]) {
        options->checkpoint_steps = arguments->checkpoint_every.steps;
        options->checkpoint_seconds = arguments->checkpoint_every.seconds;
    }
    return true;
}

/* Make model and solver. */
static bool make(cli_run_state *run, const rct_checkpoint *checkpoint)
{
    rct_checkpoint_info info;
    rct_checkpoint_get_info(checkpoint, &info);
    if (info.options.user_forces) {
        return cli_refuse("%s: its program could set efforts and force functions, which are not in "
                          "a checkpoint; continue it there, with rct_checkpoint_restore or "
                          "riccatree.restore",
                          run->arguments->operand);
    }
    info.options.threads = (int32_t)run->arguments->threads;
    run->model = rct_checkpoint_model(checkpoint, &cli_error);
    if (run->model != NULL) {
        run->solver = rct_solver_create(run->model, &info.options, &cli_error);
    }
    return cli_have(run->solver);
}

static bool resume_run(const cli_arguments *given)
{
    cli_arguments arguments = *given;
    cli_run_state run = {.arguments = &arguments, .started = cli_seconds()};
    cli_catch_signals(); /* at once: from the first step on a signal has something to report */
    rct_checkpoint *checkpoint = rct_checkpoint_open(arguments.operand, &cli_error);
    const bool good = cli_have(checkpoint) && restore(&run, &arguments, checkpoint) &&
                      make(&run, checkpoint) && cli_run_go(&run);
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
    .summary = "Continue a run from its checkpoint, or an unfinished ensemble, to the same bits.",
    .details =
        "\nModel, method, backend, times and recording are those of the run; threads and the time\n"
        "between checkpoints are too, unless given. Checkpoints are written to the same file.\n"
        "Frames recorded after the last checkpoint are recorded again.\n"
        "FILE may be the results of an ensemble: missing members are run, and begun members\n"
        "continue from FILE.checkpoint. mpirun shares the members among its processes.\n",
    .options = CLI_LIST(CLI_THREADS, CLI_OUT_MOVED, CLI_CHECKPOINT_EVERY, CLI_JSON),
    .run = resume,
    .on_ranks = true,
};
