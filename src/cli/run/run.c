/* riccatree run: simulate a model, measure energies and momenta, record frames. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An older checkpoint is worth a question: it may be all that is left of another run. */
static bool check(const cli_arguments *arguments)
{
    const char *out = arguments->out, *path = arguments->checkpoint;
    const bool keeps = path != NULL;
    return (rct_integrator_adapts((rct_integrator)arguments->integrator) ||
            !arguments->given[CLI_TOLERANCE] ||
            cli_refuse("--tolerance is about steps with error control; give --integrator dopri5 or "
                       "implicit too")) &&
           (out == NULL || strcmp(out, "-") != 0 ||
            cli_refuse("--out -: frames cannot go to standard output; name a file")) &&
           (keeps || !arguments->given[CLI_CHECKPOINT_EVERY] ||
            cli_refuse("--checkpoint-every is about --checkpoint FILE; give that")) &&
           (!keeps || out == NULL || strcmp(out, path) != 0 ||
            cli_refuse("--checkpoint %s: that is the recording; name another file", path)) &&
           (!keeps || !cli_is_kept(arguments, path) ||
            cli_refuse("--checkpoint %s: it exists; go on from it with resume, or add --overwrite "
                       "to replace it",
                       path)) &&
           ((keeps && out == NULL) || cli_check_out(arguments, out));
}

/* The size of the file is said before the first step, while it is easy to think again. */
static bool announce(cli_run_state *run)
{
    char size[CLI_SHORT_TEXT], frames[CLI_COUNTED];
    run->note.file_bytes = rct_recorder_file_bytes(run->model, run->note.frames);
    if (run->arguments->given[CLI_JSON]) {
        return true;
    }
    cli_output_start(false, 0);
    cli_print("%s: %s, at most %s\n", run->arguments->out,
              cli_counted(run->note.frames, "frame", frames),
              cli_bytes_text(run->note.file_bytes, size));
    return cli_output_finish();
}

rct_recorder_options cli_run_recorder_options(const cli_run_state *run)
{
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = run->note.frames;
    options.dt = run->arguments->dt;
    options.t_end = run->arguments->t_end;
    options.overwrite = run->arguments->given[CLI_OVERWRITE];
    options.command_line = run->arguments->command_line;
    return options;
}

static bool open_record(cli_run_state *run)
{
    const rct_recorder_options options = cli_run_recorder_options(run);
    run->place = run->arguments->out;
    if (run->place == NULL) {
        return true;
    }
    if (!announce(run)) {
        return false;
    }
    run->recorder = rct_recorder_create(run->place, run->model, run->solver, &options, &cli_error);
    return cli_have(run->recorder);
}

void cli_run_describe(cli_run_state *run)
{
    rct_solver_get_info(run->solver, &run->info);
    run->census = cli_take_census(run->model);
}

static bool simulate(cli_run_state *run)
{
    const char *checkpoint = run->arguments->checkpoint;
    cli_run_describe(run);
    cli_catch_signals();
    return cli_run_holds(run) && (checkpoint == NULL || cli_checkpoint_claim(run, checkpoint)) &&
           open_record(run) && (checkpoint == NULL || cli_checkpoint_start(run)) &&
           cli_run_go_on(run);
}

bool cli_run_go_on(cli_run_state *run)
{
    if (!cli_run_loop(run)) {
        return false;
    }
    cli_run_look(run);
    cli_run_judge(run);
    return cli_run_report(run) && cli_run_closed(run) && cli_run_kept(run);
}

void cli_run_dispose(cli_run_state *run)
{
    rct_recorder_close(run->recorder, 0, NULL);
    rct_checkpoint_writer_free(run->checkpoint.writer);
    rct_solver_free(run->solver);
    rct_model_free(run->model);
    free(run->checkpoint.note);
}

static bool run_model(const cli_arguments *arguments)
{
    if (rct_ranks_count(arguments->ranks) > 1) {
        return cli_agree(arguments, cli_refuse("a run is one process; start it without mpirun"));
    }
    cli_run_state run = {.arguments = arguments,
                         .started = cli_seconds(),
                         .note.violation = {.position_loop = -1, .velocity_loop = -1},
                         .note.worst = {.difference = NAN, .advised = INFINITY},
                         .checkpoint.saved = -1};
    if (check(arguments) && cli_run_plan(&run.note, arguments)) {
        run.model = cli_load(arguments);
    }
    run.solver = run.model != NULL ? cli_solver(run.model, arguments) : NULL;
    const bool good = run.solver != NULL && simulate(&run);
    cli_run_dispose(&run);
    return good;
}

const cli_command cli_run = {
    .name = "run",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate a model; report energies, momenta and speed; record its motion.",
    .details = "\nThe simulated time must be a whole number of steps. SIGINT, SIGTERM, SIGHUP,\n"
               "SIGXCPU and SIGUSR1 close the file as incomplete, write a checkpoint if one was "
               "asked for,\nand say how to go on; the exit status is then 128 and the number of "
               "the signal.\n",
    .options = CLI_LIST(CLI_MODEL_OPTIONS, CLI_STEP_OPTIONS, CLI_METHOD, CLI_SWEEP_OPTIONS,
                        CLI_LOOP_OPTIONS, CLI_MAX_DRIFT, CLI_FRAMES, CLI_OUT_FRAMES, CLI_OVERWRITE,
                        CLI_CHECKPOINT, CLI_CHECKPOINT_EVERY, CLI_JSON),
    .run = run_model,
    .on_ranks = true,
};
