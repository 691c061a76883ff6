/* What an ensemble comes to, as a table or as JSON; members that failed. */
#include "ensemble/members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void insert_failure(cli_tally *tally, const cli_failure *failure)
{
    int64_t at = tally->failed < CLI_FAILURES_SHOWN ? tally->failed : CLI_FAILURES_SHOWN;
    while (at > 0 && tally->failure[at - 1].member > failure->member) {
        if (at < CLI_FAILURES_SHOWN) {
            tally->failure[at] = tally->failure[at - 1];
        }
        at--;
    }
    if (at < CLI_FAILURES_SHOWN) {
        tally->failure[at] = *failure;
    }
    tally->failed++;
}

void cli_tally_member(cli_tally *tally, const rct_member_result *result, double holds)
{
    tally->done++;
    if (result->status == RCT_OK) {
        tally->runaway += !(result->energy_drift <= holds);
        tally->largest_drift = fmax(tally->largest_drift, result->energy_drift);
    } else {
        cli_failure failure = {result->member, result->status, result->time, ""};
        snprintf(failure.text, sizeof failure.text, "%.*s", RCT_MEMBER_TEXT - 1, result->text);
        insert_failure(tally, &failure);
    }
}

static int64_t shown(const cli_tally *tally)
{
    return tally->failed < CLI_FAILURES_SHOWN ? tally->failed : CLI_FAILURES_SHOWN;
}

void cli_tally_add(cli_tally *tally, const cli_tally *other)
{
    for (int64_t k = 0; k < shown(other); k++) {
        insert_failure(tally, &other->failure[k]);
    }
    tally->failed += other->failed - shown(other);
    tally->done += other->done;
    tally->runaway += other->runaway;
    tally->largest_drift = fmax(tally->largest_drift, other->largest_drift);
}

void cli_print_failures(cli_output *out, const cli_failure *failures, int64_t count, int64_t all)
{
    for (int64_t k = 0; k < count; k++) {
        cli_print(out, "  member %-10" PRId64 " %s at %.9g s: %s\n", failures[k].member,
                  rct_status_name(failures[k].status), failures[k].time, failures[k].text);
    }
    if (all > count) {
        cli_print(out, "  and %" PRId64 " more\n", all - count);
    }
}

void cli_json_failures(cli_output *out, const cli_failure *failures, int64_t count)
{
    cli_json_open(out, "failures", '[');
    for (int64_t k = 0; k < count; k++) {
        cli_json_open(out, NULL, '{');
        cli_json_count(out, "member", failures[k].member);
        cli_json_text(out, "status", rct_status_name(failures[k].status));
        cli_json_real(out, "time", failures[k].time);
        cli_json_text(out, "text", failures[k].text);
        cli_json_close(out, '}');
    }
    cli_json_close(out, ']');
}

/* By this run. */
static int64_t members_run(const cli_ensemble_state *state)
{
    return state->all.done - state->before.done;
}

static double evaluations(const cli_ensemble_state *state)
{
    return 4.0 * (double)state->steps;
}

/* NaN if no member came to the end. */
static double largest_drift(const cli_ensemble_state *state)
{
    return state->all.done > state->all.failed ? state->all.largest_drift : NAN;
}

static void print_energy(cli_output *out, double drift)
{
    if (isnan(drift)) {
        cli_print(out, "energy             no member came to the end\n");
    } else {
        cli_print(out, "energy             changed by at most %.3g J\n", drift);
    }
}

static void print_json(cli_output *out, const cli_ensemble_state *state, double seconds)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", state->model_name);
    cli_json_count(out, "bodies", state->bodies);
    cli_json_count(out, "members", state->members);
    cli_json_count(out, "first_member", state->options.first);
    cli_json_count(out, "members_before", state->before.done);
    cli_json_count(out, "ranks", rct_ranks_count(state->arguments->ranks));
    cli_json_count(out, "failed", state->all.failed);
    cli_json_count(out, "runaway", state->all.runaway);
    cli_json_real(out, "dt", state->options.dt);
    cli_json_count(out, "steps", state->options.steps);
    cli_json_real(out, "total_s", seconds);
    cli_json_real(out, "evaluations_per_second", evaluations(state) / seconds);
    cli_json_real(out, "largest_energy_drift", largest_drift(state));
    cli_json_text(out, "file", state->out);
    cli_json_failures(out, state->all.failure, shown(&state->all));
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void print_table(cli_output *out, const cli_ensemble_state *state, double seconds)
{
    char name[RCT_NAME_SIZE];
    cli_print(out, "model              %s: %" PRId32 " bodies\n",
              cli_plain_name(state->model_name, name), state->bodies);
    cli_print(out, "members            %" PRId64 ", %" PRId64 " failed\n", state->members,
              state->all.failed);
    if (state->before.done > 0) {
        cli_print(out, "  done before      %" PRId64 "\n", state->before.done);
    }
    if (rct_ranks_count(state->arguments->ranks) > 1) {
        cli_print(out, "ranks              %" PRId32 "\n",
                  rct_ranks_count(state->arguments->ranks));
    }
    cli_print(out, "simulated          %" PRId64 " steps of %.9g s\n", state->options.steps,
              state->options.dt);
    cli_print(out, "time               %.4g s, %.4g members and %.4g evaluations a second\n",
              seconds, (double)members_run(state) / seconds, evaluations(state) / seconds);
    print_energy(out, largest_drift(state));
    if (state->out != NULL) {
        cli_print(out, "results            in %s\n", state->out);
    }
    if (state->all.failed > 0) {
        cli_print(out, "failed\n");
        cli_print_failures(out, state->all.failure, shown(&state->all), state->all.failed);
    }
}

int cli_report_ensemble(const cli_ensemble_state *state)
{
    cli_output out = cli_output_start();
    if (state->all.runaway > 0) {
        cli_warn("%" PRId64 " of %" PRId64
                 " members ran away: their energy, which nothing changes, is off by more "
                 "than gravity and springs can give, %.3g J; try a --dt shorter than %.9g",
                 state->all.runaway, state->members, state->holds, state->options.dt);
    }
    const double seconds = cli_seconds() - state->started;
    if (state->arguments->given[CLI_JSON]) {
        print_json(&out, state, seconds);
    } else {
        print_table(&out, state, seconds);
    }
    return cli_output_finish(&out);
}
