/* riccatree run: simulate a model, measure energies and momenta, record frames. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLI_STOPPED_SIZE = 128 };

/* An older checkpoint is not overwritten without asking: it may be all that is left of another
 * run. */
static bool check(const cli_arguments *arguments)
{
    const char *out = arguments->out, *path = arguments->checkpoint;
    const bool keeps = path != NULL;
    return cli_check_tolerance(arguments) && cli_check_named("--out", out, "frames") &&
           cli_check_named("--checkpoint", path, "checkpoints") &&
           (keeps || !arguments->given[CLI_CHECKPOINT_EVERY] ||
            cli_refuse("--checkpoint-every needs --checkpoint FILE; give --checkpoint too")) &&
           (!keeps || out == NULL || strcmp(out, path) != 0 ||
            cli_refuse("--checkpoint %s: that is also the recording; name another file", path)) &&
           (!keeps || cli_check_unread(arguments, "--checkpoint", path)) &&
           (!keeps || !cli_is_kept(arguments, path) ||
            cli_refuse("--checkpoint %s: it exists; continue from it with resume, or add "
                       "--overwrite to replace it",
                       path)) &&
           ((keeps && out == NULL) || cli_check_out(arguments, out));
}

/* Print the size of the file before the first step, while it is easy to change one's mind. */
static bool announce(const cli_run_state *run)
{
    char size[CLI_SHORT_TEXT], counted[CLI_COUNTED];
    int64_t steps, frames;
    if (run->options.recording == NULL || run->arguments->given[CLI_JSON]) {
        return true;
    }
    if (!cli_did(rct_run_steps(run->options.t_end, run->options.dt, &steps, &cli_error)) ||
        !cli_did(rct_run_frames(steps, run->options.frames, &frames, &cli_error))) {
        return false;
    }
    cli_output_start(false, 0);
    cli_print("%s: %s, at most %s\n", run->arguments->out, cli_counted(frames, "frame", counted),
              cli_bytes_text(rct_recorder_file_bytes(run->model, frames), size));
    return cli_output_finish();
}

static int watch(void *context, const rct_run_report *so_far)
{
    if (so_far->done == 0) {
        cli_run_expect(context);
    }
    cli_run_show(context, so_far);
    return cli_signal_caught();
}

/* Print why frames are missing. */
static bool conclude(const cli_run_state *run, rct_status ran)
{
    char why[CLI_STOPPED_SIZE];
    const bool steps = cli_error.step >= 0;
    if (ran != RCT_OK) {
        return run->report.begun
                   ? cli_run_stopped(run, steps ? cli_status() : CLI_FAILED, cli_error.text,
                                     !steps || ran == RCT_ERROR_DEVICE)
                   : cli_did(ran);
    }
    snprintf(why, sizeof why, "%s%s", cli_signal_words(cli_signal_caught()),
             run->options.checkpoint != NULL ? ""
                                             : ", and without --checkpoint it cannot be continued");
    return cli_run_stopped(run, CLI_SIGNAL + cli_signal_caught(), why, true);
}

bool cli_run_go(cli_run_state *run)
{
    const rct_run_report *r = &run->report;
    rct_solver_get_info(run->solver, &run->info);
    rct_model_take_census(run->model, &run->census);
    run->options.watch = watch;
    run->options.context = run;
    run->before = cli_seconds() - run->started;
    const rct_status ran =
        rct_solver_run(run->solver, run->model, &run->options, &run->report, &cli_error);
    cli_progress_clear();
    if (r->frames == 0 || r->measured < r->frames) {
        return conclude(run, ran);
    }
    if (run->options.recording != NULL && !r->recorded) {
        return cli_closed(ran);
    }
    cli_run_judge(run);
    return cli_run_print(run) && cli_closed(ran);
}

/* Make the note that `resume` reads. */
static bool make_note(cli_run_state *run)
{
    const char *out = run->arguments->out != NULL ? run->arguments->out : "";
    run->options.note_bytes = (int64_t)(sizeof *run->note + strlen(out) + 1);
    run->note = calloc((size_t)run->options.note_bytes, 1);
    run->options.note = run->note;
    if (run->note != NULL) {
        run->note->threads = run->arguments->threads;
        memcpy(run->note->out, out, strlen(out) + 1);
    }
    return cli_have_memory(run->note);
}

/* The options of the run. They are checked before the model is made, which may take long. */
static bool plan(cli_run_state *run)
{
    const cli_arguments *arguments = run->arguments;
    rct_run_options *options = &run->options;
    int64_t steps = 0;
    *options = rct_run_options_default();
    options->dt = arguments->dt;
    options->t_end = arguments->t_end;
    options->frames = arguments->given[CLI_FRAMES] ? arguments->frames : 0;
    options->max_drift = arguments->max_drift;
    options->recording = arguments->out;
    options->overwrite = arguments->given[CLI_OVERWRITE];
    options->command_line = arguments->command_line;
    options->checkpoint = arguments->checkpoint;
    options->checkpoint_steps = arguments->checkpoint_every.steps;
    options->checkpoint_seconds = arguments->checkpoint_every.seconds;
    return check(arguments) &&
           cli_did(rct_run_steps(options->t_end, options->dt, &steps, &cli_error)) &&
           make_note(run);
}

void cli_run_dispose(cli_run_state *run)
{
    free(run->note);
    rct_solver_free(run->solver);
    rct_model_free(run->model);
}

static bool run_model(const cli_arguments *arguments)
{
    if (rct_ranks_count(arguments->ranks) > 1) {
        return cli_agree(arguments, cli_refuse("a run is one process; start it without mpirun"));
    }
    cli_run_state run = {.arguments = arguments, .started = cli_seconds()};
    if (plan(&run)) {
        run.model = cli_load(arguments);
    }
    run.solver = run.model != NULL ? cli_solver(run.model, arguments) : NULL;
    cli_catch_signals();
    const bool good = run.solver != NULL && announce(&run) && cli_run_go(&run);
    cli_run_dispose(&run);
    return good;
}

const cli_command cli_run = {
    .name = "run",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate a model; report energies, momenta and speed; record its motion.",
    .details = "\nThe simulated time must be a whole number of steps. On SIGINT, SIGTERM, SIGHUP,\n"
               "SIGXCPU and SIGUSR1 the run closes the file as incomplete, writes a checkpoint if "
               "--checkpoint\nwas given, and prints how to continue; the exit status is then 128 "
               "plus the number of\nthe signal.\n",
    .options = CLI_LIST(CLI_STEP_OPTIONS, CLI_METHOD, CLI_SWEEP_OPTIONS, CLI_LOOP_OPTIONS,
                        CLI_MAX_DRIFT, CLI_FRAMES, CLI_OUT_FRAMES, CLI_OVERWRITE, CLI_CHECKPOINT,
                        CLI_CHECKPOINT_EVERY, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = run_model,
    .on_ranks = true,
};
