/* Running an ensemble from its plan to its report, on all ranks of the job. */
#include "ensemble/members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double flush_seconds = 1.0;

/* ---- called by the library ----------------------------------------------------------------- */

static rct_status deliver(void *context, const rct_member_result *result, rct_error *error)
{
    cli_ensemble_state *state = context;
    cli_tally_member(&state->own, state->ensemble, result);
    return state->file != NULL ? rct_ensemble_file_write(state->file, result, error) : RCT_OK;
}

/* `members` of all ranks are done. */
static void show(cli_ensemble_state *state, int64_t members)
{
    char text[128], all[CLI_COUNTED];
    const int64_t left = state->members - state->before.done;
    const double elapsed = cli_seconds() - state->started;
    const double steps = (double)state->options.steps * (double)left;
    const double share =
        fmax((double)members / (double)left, steps > 0.0 ? (double)state->steps / steps : 0.0);
    snprintf(text, sizeof text, "%" PRId64 " of %s  %.4g per second", state->before.done + members,
             cli_counted(state->members, "member", all), share * (double)left / elapsed);
    cli_progress(fmin(share, 1.0), elapsed, text);
}

static int advance(void *context, int64_t members, int64_t steps)
{
    cli_ensemble_state *state = context;
    const double now = cli_seconds();
    state->steps = steps;
    if (cli_is_first(state->arguments)) {
        show(state, members);
    }
    if (state->file != NULL && now > state->flushed + flush_seconds) {
        state->flushed = now;
        rct_ensemble_file_flush(state->file, NULL); /* a failure now also fails the next write */
    }
    return cli_signal_caught() != 0;
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Collect the tallies of all ranks and of the rows that existed on rank 0; and the signal, if a
 * rank got one. */
static bool gather(cli_ensemble_state *state, int *number)
{
    typedef struct word {
        cli_tally tally;
        int number;
    } word;
    const cli_arguments *arguments = state->arguments;
    const int32_t count = rct_ranks_count(arguments->ranks);
    const word own = {state->own, cli_signal_caught()};
    word *words = calloc((size_t)count, sizeof *words);
    const bool good = cli_agree(arguments, words != NULL || cli_fail(CLI_FAILED, "out of memory"));
    if (good) {
        rct_ranks_gather(arguments->ranks, &own, sizeof own, words);
        state->all = state->before;
        *number = own.number;
    }
    for (int32_t r = 0; good && r < count && cli_is_first(arguments); r++) {
        cli_tally_add(&state->all, &words[r].tally);
        *number = *number != 0 ? *number : words[r].number;
    }
    free(words);
    return good;
}

/* `kept`: everything done is in the file. */
static bool stop(const cli_ensemble_state *state, bool kept, int status, const char *why)
{
    const char *out = state->out,
               *where = kept ? "; they are in " : "; what could be written is in ";
    char *quoted = out != NULL ? cli_quoted(out) : NULL;
    char members[CLI_COUNTED];
    cli_fail(status, "stopped with %" PRId64 " of %s done: %s%s%s%s%s", state->all.done,
             cli_counted(state->members, "member", members), why, out != NULL ? where : "",
             out != NULL ? out : "", quoted != NULL ? "; continue with: riccatree resume " : "",
             quoted != NULL ? quoted : "");
    free(quoted);
    return false;
}

/* After the run: close the files, and print a report or the reason it stopped. */
static bool conclude(cli_ensemble_state *state, rct_status ran, const rct_error *error)
{
    int number = 0;
    const bool gathered = gather(state, &number);
    const bool whole = ran == RCT_OK && gathered && state->all.done == state->members;
    const bool closed = cli_close_members(state, whole);
    if (!cli_is_first(state->arguments)) {
        return true;
    }
    if (ran != RCT_OK && state->all.done == 0 && state->out == NULL) {
        cli_error = *error;
        return cli_did(ran);
    }
    if (ran != RCT_OK) {
        return stop(state, closed, CLI_FAILED, error->text);
    }
    if (gathered && !whole) {
        return stop(state, closed, CLI_SIGNAL + number, cli_signal_words(number));
    }
    return gathered && closed && cli_report_ensemble(state) &&
           (state->all.failed == 0 || cli_end_with(CLI_SOME_FAILED));
}

bool cli_run_ensemble(cli_ensemble_state *state)
{
    rct_error error;
    state->options.deliver = deliver;
    state->options.progress = advance;
    state->options.context = state;
    state->options.ranks =
        rct_ranks_count(state->arguments->ranks) > 1 ? state->arguments->ranks : NULL;
    if (!cli_open_members(state)) {
        return false;
    }
    const rct_status ran = rct_ensemble_run(state->ensemble, &state->options, &error);
    cli_progress_clear();
    return conclude(state, ran, &error);
}
