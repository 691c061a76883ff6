/* The files of an ensemble in progress: rank 0 makes the file of the results or finds the one that was begun, the others
 * open it; each keeps what it has begun in a checkpoint of its own. */
#include "ensemble/members.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double patience = 5.0; /* s */

/* ---- what was done before ----------------------------------------------------------------- */

static void tally_rows(cli_ensemble_state *state, const rct_ensemble_results *results,
                       const int32_t *status, const double *time, const double *drift)
{
    rct_ensemble_results_info info;
    rct_ensemble_results_get_info(results, &info);
    for (int64_t k = 0; k < info.members; k++) {
        char text[RCT_MEMBER_TEXT] = "";
        if (status[k] != RCT_OK && status[k] != RCT_MEMBER_PENDING &&
            state->before.failed < CLI_FAILURES_SHOWN) {
            rct_ensemble_results_text(results, k, text, NULL);
        }
        const rct_member_result row = {.member = info.first + k,
                                       .status = (rct_status)status[k],
                                       .text = text,
                                       .time = time[k],
                                       .energy_drift = drift[k]};
        if (status[k] != RCT_MEMBER_PENDING) {
            cli_tally_member(&state->before, &row, state->holds);
        }
    }
}

/* What the rows that are there come to. */
static int read_before(cli_ensemble_state *state)
{
    rct_error error;
    const size_t n = (size_t)state->members;
    int32_t *status = calloc(n + 1, sizeof *status);
    double *numbers = cli_numbers(2 * state->members + 1, "the rows of an ensemble");
    rct_ensemble_results *results = rct_ensemble_results_open(state->out, &error);
    int result = results != NULL ? CLI_OK : cli_fail_library(&error);
    if (result == CLI_OK && (status == NULL || numbers == NULL)) {
        result = cli_fail(CLI_FAILED, "out of memory; free some");
    }
    if (result == CLI_OK && rct_ensemble_results_read(results, status, numbers, NULL, numbers + n,
                                                      NULL, &error) != RCT_OK) {
        result = cli_fail_library(&error);
    }
    if (result == CLI_OK) {
        tally_rows(state, results, status, numbers, numbers + n);
    }
    rct_ensemble_results_close(results);
    free(status);
    free(numbers);
    return result;
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool is_there(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0;
}

static int create(cli_ensemble_state *state)
{
    rct_error error;
    const cli_arguments *arguments = state->arguments;
    state->file =
        rct_ensemble_file_create(state->out, state->ensemble, &state->options,
                                 arguments->given[CLI_OVERWRITE], arguments->command_line, &error);
    return state->file != NULL && /* those of a file that was replaced */
                   rct_ensemble_checkpoints_remove(state->out, &error) == RCT_OK
               ? CLI_OK
               : cli_fail_library(&error);
}

static int open_begun(cli_ensemble_state *state)
{
    rct_error error;
    state->file = rct_ensemble_file_open(state->out, state->ensemble, &state->options, &error);
    return state->file != NULL ? CLI_OK : cli_fail_library(&error);
}

/* Ranks of a job that was ended may still be writing for a moment. */
static int wait_for_others(cli_ensemble_state *state)
{
    rct_error error;
    return rct_ensemble_file_alone(state->file, patience, &error) == RCT_OK
               ? CLI_OK
               : cli_fail_library(&error);
}

/* Rank 0 first: it makes the file that the others open. */
static int open_file(cli_ensemble_state *state)
{
    int status = CLI_OK;
    const bool first = cli_is_first(state->arguments);
    if (first) {
        status = state->going_on ? open_begun(state) : create(state);
        if (status == CLI_OK && state->going_on) {
            status = wait_for_others(state);
        }
        if (status == CLI_OK && state->going_on) {
            status = read_before(state);
        }
    }
    status = cli_agree(state->arguments, status);
    if (status == CLI_OK && !first) {
        status = open_begun(state);
    }
    return status;
}

/* What is done, and what is begun. A file that was just made has neither. */
static int take_up(cli_ensemble_state *state)
{
    rct_error error;
    rct_ensemble_run_options *options = &state->options;
    state->there = calloc((size_t)state->members + 1, 1);
    if (state->there == NULL) {
        return cli_fail(CLI_FAILED, "out of memory; free some");
    }
    if (rct_ensemble_file_done(state->file, state->there, &error) != RCT_OK) {
        return cli_fail_library(&error);
    }
    options->done = state->there;
    state->checkpoints =
        rct_ensemble_checkpoints_open(state->out, state->ensemble, options, state->there, &error);
    if (state->checkpoints == NULL) {
        return cli_fail_library(&error);
    }
    options->begun_count = rct_ensemble_checkpoints_begun(state->checkpoints, &options->begun);
    return CLI_OK;
}

static rct_status keep(void *context, int32_t count, const rct_ensemble_begun *batches,
                       rct_error *error)
{
    cli_ensemble_state *state = context;
    const rct_status status = rct_ensemble_file_sync(state->file, error);
    return status == RCT_OK ? rct_ensemble_checkpoint_write(state->writer, count, batches, error)
                            : status;
}

static int plan_checkpoints(cli_ensemble_state *state)
{
    rct_error error;
    const cli_arguments *arguments = state->arguments;
    state->writer = rct_ensemble_checkpoint_writer_create(
        state->out, rct_ranks_number(arguments->ranks), state->ensemble, &state->options, &error);
    if (state->writer == NULL) {
        return cli_fail_library(&error);
    }
    state->options.keep = keep;
    state->options.keep_steps = arguments->checkpoint_every.steps;
    state->options.keep_seconds = arguments->checkpoint_every.seconds;
    return CLI_OK;
}

int cli_open_members(cli_ensemble_state *state)
{
    if (state->out == NULL) {
        return CLI_OK;
    }
    /* before rank 0 makes it: all see the same */
    state->going_on =
        state->results != NULL || (state->arguments->given[CLI_GO_ON] && is_there(state->out));
    int status = cli_agree(state->arguments, CLI_OK);
    if (status == CLI_OK) {
        status = open_file(state);
    }
    if (status == CLI_OK && state->going_on) {
        status = take_up(state);
    }
    if (status == CLI_OK) {
        status = plan_checkpoints(state);
    }
    return cli_agree(state->arguments, status);
}

/* ---- closing ------------------------------------------------------------------------------ */

static int close_file(cli_ensemble_state *state, int complete)
{
    rct_error error;
    rct_ensemble_file *file = state->file;
    state->file = NULL;
    return rct_ensemble_file_close(file, complete, &error) == RCT_OK
               ? CLI_OK
               : cli_fail(CLI_FAILED, "%s", error.text);
}

int cli_close_members(cli_ensemble_state *state, bool complete)
{
    rct_error error;
    const bool first = cli_is_first(state->arguments);
    int status = first ? CLI_OK : close_file(state, 0);
    status = cli_agree(state->arguments, status); /* all rows are in the file */
    if (first) {
        const int closed = close_file(state, status == CLI_OK && complete);
        status = status == CLI_OK ? closed : status;
    }
    if (first && status == CLI_OK && complete && state->out != NULL &&
        rct_ensemble_checkpoints_remove(state->out, &error) != RCT_OK) {
        status = cli_fail(CLI_FAILED, "%s", error.text);
    }
    return cli_agree(state->arguments, status);
}
