/* riccatree ensemble: many members of one model, each with parameters and a start of its own. */
#include "members.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const double flush_seconds = 1.0;

static int check(const cli_arguments *arguments)
{
    if (arguments->out != NULL && strcmp(arguments->out, "-") == 0) {
        return cli_fail(CLI_BAD_INPUT,
                        "--out -: results cannot go to standard output; name a file");
    }
    return cli_check_out(arguments, arguments->out);
}

static rct_status deliver(void *context, const rct_member_result *result, rct_error *error)
{
    cli_ensemble_state *state = context;
    state->done++;
    if (result->status != RCT_OK) {
        cli_note_failure(state, result);
    } else {
        state->largest_drift = fmax(state->largest_drift, result->energy_drift);
    }
    return state->file != NULL ? rct_ensemble_file_write(state->file, result, error) : RCT_OK;
}

static void show(cli_ensemble_state *state)
{
    char text[128];
    const double members = (double)state->members, elapsed = cli_seconds() - state->started;
    const double by_steps = (double)state->steps / ((double)state->options.steps * members);
    const double share = fmax((double)state->done / members, by_steps);
    snprintf(text, sizeof text,
             "%" PRId64 " of %" PRId64 " members, %" PRId64 " failed  %.4g a second", state->done,
             state->members, state->failed, share * members / elapsed);
    cli_progress_share(&state->progress, fmin(share, 1.0), elapsed, text);
}

static int advance(void *context, int64_t members, int64_t steps)
{
    cli_ensemble_state *state = context;
    const double now = cli_seconds();
    (void)members;
    state->steps = steps;
    show(state);
    if (state->file != NULL && now > state->flushed + flush_seconds) {
        state->flushed = now;
        rct_ensemble_file_flush(state->file, NULL); /* what fails now fails at the next write too */
    }
    return cli_signal_caught() != 0;
}

static int open_file(cli_ensemble_state *state)
{
    rct_error error;
    const cli_arguments *arguments = state->arguments;
    if (arguments->out == NULL) {
        return CLI_OK;
    }
    state->file =
        rct_ensemble_file_create(arguments->out, state->ensemble, &state->options,
                                 arguments->given[CLI_OVERWRITE], arguments->command_line, &error);
    return state->file != NULL ? CLI_OK : cli_fail_library(&error);
}

static int stop(const cli_ensemble_state *state, int status, const char *why)
{
    return cli_fail(status, "stopped with %" PRId64 " of %" PRId64 " members done: %s%s%s",
                    state->done, state->members, why,
                    state->arguments->out != NULL ? "; they are in " : "",
                    state->arguments->out != NULL ? state->arguments->out : "");
}

static int close_file(cli_ensemble_state *state, int complete)
{
    rct_error error;
    rct_ensemble_file *file = state->file;
    state->file = NULL;
    return rct_ensemble_file_close(file, complete, &error) == RCT_OK
               ? CLI_OK
               : cli_fail(CLI_FAILED, "%s", error.text);
}

static int simulate(cli_ensemble_state *state)
{
    rct_error error;
    state->progress = cli_progress_start();
    state->options.deliver = deliver;
    state->options.progress = advance;
    state->options.context = state;
    cli_catch_signals();
    int status = open_file(state);
    if (status != CLI_OK) {
        return status;
    }
    const rct_status ran = rct_ensemble_run(state->ensemble, &state->options, &error);
    const int number = cli_signal_caught();
    const bool whole = ran == RCT_OK && state->done == state->members;
    cli_progress_clear(&state->progress);
    status = close_file(state, whole);
    if (ran != RCT_OK) {
        return state->done == 0 ? cli_fail_library(&error) : stop(state, CLI_FAILED, error.text);
    }
    if (!whole) {
        return stop(state, CLI_SIGNAL + number,
                    number == SIGINT ? "interrupted (SIGINT)" : "asked to end (SIGTERM)");
    }
    return status == CLI_OK ? cli_report_ensemble(state) : status;
}

static int run_ensemble(const cli_arguments *arguments)
{
    cli_ensemble_state state = {.arguments = arguments, .started = cli_seconds()};
    int status = check(arguments);
    if (status == CLI_OK) {
        status = cli_plan_ensemble(&state);
    }
    if (status == CLI_OK) {
        status = simulate(&state);
    }
    if (status == CLI_OK && state.failed > 0) {
        status = CLI_SOME_FAILED;
    }
    cli_release_ensemble(&state);
    return status;
}

static const cli_option_id options[] = {
    CLI_BODIES,       CLI_HINGE,     CLI_MEMBERS, CLI_VARY,   CLI_MEMBERS_PERTURB,
    CLI_MEMBERS_SEED, CLI_SWEEP,     CLI_T_END,   CLI_DT,     CLI_SERIES,
    CLI_TRACK,        CLI_ONLY,      CLI_BATCH,   CLI_METHOD, CLI_SWEEP_OPTIONS,
    CLI_OUT_MEMBERS,  CLI_OVERWRITE, CLI_JSON,    CLI_END};

const cli_command cli_ensemble = {
    .name = "ensemble",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate many members of a model: parameter sweeps, Monte Carlo, perturbed starts.",
    .details =
        "\nPATH is bodies.NAME.FIELD, forces.K.FIELD or gravity[i], fields as in a model file, * "
        "for\n"
        "all bodies: --vary 'bodies.*.mass=normal:1:0.1' --vary 'gravity[2]=-9.81:-1.62:2'.\n"
        "Several grids make all combinations, the last running fastest. A member that fails stops\n"
        "no other; the exit status is then 3. SIGINT and SIGTERM leave the members done in the "
        "file.\n",
    .options = options,
    .run = run_ensemble,
};
