/* What an ensemble comes to, as a table or as JSON; members that failed. */
#include "members.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void cli_note_failure(cli_ensemble_state *state, const rct_member_result *result)
{
    int64_t at = state->failed < CLI_FAILURES_SHOWN ? state->failed : CLI_FAILURES_SHOWN;
    state->failed++;
    while (at > 0 && state->failure[at - 1].member > result->member) {
        if (at < CLI_FAILURES_SHOWN) {
            state->failure[at] = state->failure[at - 1];
        }
        at--;
    }
    if (at < CLI_FAILURES_SHOWN) {
        cli_failure *failure = &state->failure[at];
        *failure = (cli_failure){result->member, result->status, result->time, ""};
        snprintf(failure->text, sizeof failure->text, "%.*s", RCT_MEMBER_TEXT - 1, result->text);
    }
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

static int64_t shown(const cli_ensemble_state *state)
{
    return state->failed < CLI_FAILURES_SHOWN ? state->failed : CLI_FAILURES_SHOWN;
}

static double evaluations(const cli_ensemble_state *state)
{
    return 4.0 * (double)state->steps;
}

static void print_json(cli_output *out, const cli_ensemble_state *state, double seconds)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(state->model));
    cli_json_count(out, "bodies", rct_model_body_count(state->model));
    cli_json_count(out, "members", state->members);
    cli_json_count(out, "first_member", state->options.first);
    cli_json_count(out, "failed", state->failed);
    cli_json_real(out, "dt", state->options.dt);
    cli_json_count(out, "steps", state->options.steps);
    cli_json_real(out, "total_s", seconds);
    cli_json_real(out, "evaluations_per_second", evaluations(state) / seconds);
    cli_json_real(out, "largest_energy_drift", state->largest_drift);
    cli_json_text(out, "file", state->arguments->out);
    cli_json_failures(out, state->failure, shown(state));
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void print_table(cli_output *out, const cli_ensemble_state *state, double seconds)
{
    char name[RCT_NAME_SIZE];
    cli_print(out, "model              %s: %" PRId32 " bodies\n",
              cli_plain_name(rct_model_name(state->model), name),
              rct_model_body_count(state->model));
    cli_print(out, "members            %" PRId64 ", %" PRId64 " failed\n", state->members,
              state->failed);
    cli_print(out, "simulated          %" PRId64 " steps of %.9g s\n", state->options.steps,
              state->options.dt);
    cli_print(out, "time               %.4g s, %.4g members and %.4g evaluations a second\n",
              seconds, (double)state->members / seconds, evaluations(state) / seconds);
    cli_print(out, "energy             changed by at most %.3g J\n", state->largest_drift);
    if (state->arguments->out != NULL) {
        cli_print(out, "results            in %s\n", state->arguments->out);
    }
    if (state->failed > 0) {
        cli_print(out, "failed\n");
        cli_print_failures(out, state->failure, shown(state), state->failed);
    }
}

int cli_report_ensemble(const cli_ensemble_state *state)
{
    cli_output out = cli_output_start();
    const double seconds = cli_seconds() - state->started;
    if (state->arguments->given[CLI_JSON]) {
        print_json(&out, state, seconds);
    } else {
        print_table(&out, state, seconds);
    }
    return cli_output_finish(&out);
}
