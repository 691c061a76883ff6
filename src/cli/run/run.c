/* riccatree run: simulate a model, measure energies and momenta, record frames. */
#include "run/run.h"

#include "ensemble/members.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* An older checkpoint is worth a question: it may be all that is left of another run. */
static int check_checkpoint(const cli_arguments *arguments)
{
    struct stat file;
    const char *path = arguments->checkpoint;
    if (arguments->out != NULL && strcmp(arguments->out, path) == 0) {
        return cli_fail(CLI_BAD_INPUT, "--checkpoint %s: that is the recording; name another file",
                        path);
    }
    if (stat(path, &file) == 0 && S_ISREG(file.st_mode) && !arguments->given[CLI_OVERWRITE]) {
        return cli_fail(CLI_BAD_INPUT,
                        "--checkpoint %s: it exists; go on from it with resume, or add --overwrite "
                        "to replace it",
                        path);
    }
    return CLI_OK;
}

static int check(const cli_arguments *arguments)
{
    if (arguments->out != NULL && strcmp(arguments->out, "-") == 0) {
        return cli_fail(CLI_BAD_INPUT, "--out -: frames cannot go to standard output; name a file");
    }
    if (arguments->checkpoint == NULL && arguments->given[CLI_CHECKPOINT_EVERY]) {
        return cli_fail(CLI_BAD_INPUT, "--checkpoint-every is about --checkpoint FILE; give that");
    }
    if (arguments->checkpoint != NULL) {
        const int status = check_checkpoint(arguments);
        if (status != CLI_OK || arguments->out == NULL) {
            return status;
        }
    }
    return cli_check_out(arguments, arguments->out);
}

/* The size of the file is said before the first step, while it is easy to think again. */
static int announce(cli_run_state *run)
{
    run->file_bytes = rct_recorder_file_bytes(run->model, run->frames);
    if (run->arguments->given[CLI_JSON]) {
        return CLI_OK;
    }
    char size[CLI_SHORT_TEXT];
    cli_output out = cli_output_start();
    cli_bytes_text(run->file_bytes, size);
    cli_print(&out, "%s: %" PRId64 " frames, at most %s\n", run->arguments->out, run->frames, size);
    return cli_output_finish(&out);
}

static int open_record(cli_run_state *run)
{
    rct_error error;
    const cli_arguments *arguments = run->arguments;
    if (arguments->out == NULL) {
        return CLI_OK;
    }
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = run->frames;
    options.dt = arguments->dt;
    options.t_end = arguments->t_end;
    options.overwrite = arguments->given[CLI_OVERWRITE];
    options.command_line = arguments->command_line;
    const int status = announce(run);
    if (status != CLI_OK) {
        return status;
    }
    run->place = arguments->out;
    run->recorder = rct_recorder_create(arguments->out, run->model, run->solver, &options, &error);
    return run->recorder != NULL ? CLI_OK : cli_fail_library(&error);
}

static int simulate(cli_run_state *run)
{
    rct_solver_get_info(run->solver, &run->info);
    run->census = cli_take_census(run->model);
    cli_catch_signals();
    const char *checkpoint = run->arguments->checkpoint;
    int status = cli_take_scales(&run->scales, run->model);
    if (status == CLI_OK && checkpoint != NULL) {
        status = cli_checkpoint_claim(run, checkpoint);
    }
    if (status == CLI_OK) {
        status = open_record(run);
    }
    if (status == CLI_OK && checkpoint != NULL) {
        status = cli_checkpoint_start(run);
    }
    return status == CLI_OK ? cli_run_go_on(run) : status;
}

int cli_run_go_on(cli_run_state *run)
{
    const int status = cli_run_loop(run);
    if (status != CLI_OK) {
        return status;
    }
    cli_run_look(run);
    cli_run_judge(run);
    return cli_run_report(run);
}

void cli_run_dispose(cli_run_state *run)
{
    rct_recorder_close(run->recorder, 0, NULL);
    rct_checkpoint_writer_free(run->checkpoint.writer);
    rct_solver_free(run->solver);
    rct_model_free(run->model);
    free(run->checkpoint.note);
}

static int run_model(const cli_arguments *arguments)
{
    if (rct_ranks_count(arguments->ranks) > 1) {
        return cli_agree(arguments,
                         cli_fail(CLI_BAD_INPUT, "a run is one process; start it without mpirun"));
    }
    cli_run_state run = {.arguments = arguments,
                         .started = cli_seconds(),
                         .violation = cli_no_violation(),
                         .worst = {.difference = NAN, .advised = INFINITY},
                         .checkpoint.saved = -1};
    int status = check(arguments);
    if (status == CLI_OK) {
        status = cli_run_plan(&run);
    }
    if (status == CLI_OK) {
        run.model = cli_load(arguments, &status);
    }
    if (run.model != NULL) {
        run.solver = cli_solver(run.model, arguments, &status);
    }
    if (run.solver != NULL) {
        status = simulate(&run);
    }
    cli_run_dispose(&run);
    return status;
}

static const cli_option_id options[] = {
    CLI_FAMILY_OPTIONS,   CLI_T_END,  CLI_DT,         CLI_METHOD,    CLI_SWEEP_OPTIONS,
    CLI_LOOP_OPTIONS,     CLI_FRAMES, CLI_OUT_FRAMES, CLI_OVERWRITE, CLI_CHECKPOINT,
    CLI_CHECKPOINT_EVERY, CLI_JSON,   CLI_END};

const cli_command cli_run = {
    .name = "run",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate a model; report energies, momenta and speed; record its motion.",
    .details = "\nThe simulated time must be a whole number of steps. SIGINT, SIGTERM, SIGHUP,\n"
               "SIGXCPU and SIGUSR1 close the file as incomplete, write a checkpoint if one was "
               "asked for,\n"
               "and say how to go on; the exit status is then 128 and the number of the signal.\n",
    .options = options,
    .run = run_model,
    .on_ranks = true,
};
