/* The files of a running ensemble: rank 0 makes the file of the results or finds the one that
 * was begun, the others open it; each rank keeps the members it has begun in its own checkpoint. */
#include "ensemble/members.h"

#include <stdlib.h>
#include <sys/stat.h>

static const double patience = 5.0; /* s */

/* ---- what was done before ----------------------------------------------------------------- */

/* `numbers`: time, energy and drift, [members] each. */
static void tally_rows(cli_ensemble_state *state, const rct_ensemble_results *results,
                       const int32_t *status, const double *numbers)
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
                                       .time = numbers[k],
                                       .energy = numbers[info.members + k],
                                       .energy_drift = numbers[2 * info.members + k]};
        if (status[k] != RCT_MEMBER_PENDING) {
            cli_tally_member(&state->before, state->ensemble, &row);
        }
    }
}

/* Add up the results of the rows that exist. */
static bool read_before(cli_ensemble_state *state)
{
    const size_t n = (size_t)state->members;
    int32_t *status = calloc(n + 1, sizeof *status);
    double *numbers = cli_numbers(3 * state->members + 1, "the rows of an ensemble");
    rct_ensemble_results *results = rct_ensemble_results_open(state->out, &cli_error);
    const bool good = cli_have(results) && cli_have_memory(status) && numbers != NULL &&
                      cli_did(rct_ensemble_results_read(results, status, numbers, numbers + n,
                                                        numbers + 2 * n, NULL, &cli_error));
    if (good) {
        tally_rows(state, results, status, numbers);
    }
    rct_ensemble_results_close(results);
    free(status);
    free(numbers);
    return good;
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool is_there(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0;
}

static bool create(cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    state->file = rct_ensemble_file_create(state->out, state->ensemble, &state->options,
                                           arguments->given[CLI_OVERWRITE], arguments->command_line,
                                           &cli_error);
    return cli_have(state->file) && /* those of a replaced file */
           cli_did(rct_ensemble_checkpoints_remove(state->out, &cli_error));
}

static bool open_begun(cli_ensemble_state *state)
{
    state->file = rct_ensemble_file_open(state->out, state->ensemble, &state->options, &cli_error);
    return cli_have(state->file);
}

/* Ranks of an ended job may still be writing for a moment. */
static bool go_on(cli_ensemble_state *state)
{
    return open_begun(state) &&
           cli_did(rct_ensemble_file_alone(state->file, patience, &cli_error)) &&
           read_before(state);
}

/* Rank 0 makes the file first; the others open it. */
static bool open_file(cli_ensemble_state *state)
{
    const bool first = cli_is_first(state->arguments);
    const bool made = !first || (state->going_on ? go_on(state) : create(state));
    return cli_agree(state->arguments, made) && (first || open_begun(state));
}

/* Find which members are done and which are begun. A new file has neither. */
static bool take_up(cli_ensemble_state *state)
{
    rct_ensemble_run_options *options = &state->options;
    if (!state->going_on) {
        return true;
    }
    state->there = calloc((size_t)state->members + 1, 1);
    if (!cli_have_memory(state->there) ||
        !cli_did(rct_ensemble_file_done(state->file, state->there, &cli_error))) {
        return false;
    }
    options->done = state->there;
    state->checkpoints = rct_ensemble_checkpoints_open(state->out, state->ensemble, options,
                                                       state->there, &cli_error);
    if (!cli_have(state->checkpoints)) {
        return false;
    }
    options->begun_count = rct_ensemble_checkpoints_begun(state->checkpoints, &options->begun);
    return true;
}

static rct_status keep(void *context, int32_t count, const rct_ensemble_begun *batches,
                       rct_error *error)
{
    cli_ensemble_state *state = context;
    const rct_status status = rct_ensemble_file_sync(state->file, error);
    return status == RCT_OK ? rct_ensemble_checkpoint_write(state->writer, count, batches, error)
                            : status;
}

static bool plan_checkpoints(cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    state->writer =
        rct_ensemble_checkpoint_writer_create(state->out, rct_ranks_number(arguments->ranks),
                                              state->ensemble, &state->options, &cli_error);
    state->options.keep = keep;
    state->options.keep_steps = arguments->checkpoint_every.steps;
    state->options.keep_seconds = arguments->checkpoint_every.seconds;
    return cli_have(state->writer);
}

bool cli_open_members(cli_ensemble_state *state)
{
    if (state->out == NULL) {
        return true;
    }
    /* before rank 0 makes it: all ranks see the same */
    state->going_on =
        state->results != NULL || (state->arguments->given[CLI_GO_ON] && is_there(state->out));
    return cli_agree(state->arguments, cli_agree(state->arguments, true) && open_file(state) &&
                                           take_up(state) && plan_checkpoints(state));
}

/* ---- closing ------------------------------------------------------------------------------ */

static bool close_file(cli_ensemble_state *state, bool complete)
{
    rct_ensemble_file *file = state->file;
    state->file = NULL;
    return cli_closed(rct_ensemble_file_close(file, complete, &cli_error));
}

bool cli_close_members(cli_ensemble_state *state, bool complete)
{
    const bool first = cli_is_first(state->arguments);
    bool good = cli_agree(state->arguments, first || close_file(state, false));
    if (first) { /* all rows are in the file */
        good = close_file(state, good && complete) && good;
    }
    if (first && good && complete && state->out != NULL) {
        good = cli_closed(rct_ensemble_checkpoints_remove(state->out, &cli_error));
    }
    return cli_agree(state->arguments, good);
}
