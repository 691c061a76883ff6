/* The results of an ensemble, as a table or as JSON; members that failed. */
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

/* A relative drift that is always accepted, so that no model is made of a member that was
 * simulated well. */
static const double little = 1e-6;

/* A drift, of the energy that gravity and springs can give, that is worth a word. */
static const double drifting = 1e-3;

/* The energy that gravity and springs can give to a member that conserves energy and has drifted;
 * INFINITY: nothing is known of the others. */
static double held_by(const rct_ensemble *ensemble, const rct_member_result *result)
{
    rct_model *model = result->energy_drift <= little * fabs(result->energy)
                           ? NULL
                           : rct_ensemble_model(ensemble, result->member, NULL);
    if (model == NULL) {
        return INFINITY;
    }
    rct_census census;
    rct_model_take_census(model, &census);
    const bool conserved =
        census.changers[0] == '\0' && rct_model_loop_count(model) == 0 && census.holds > 0.0;
    rct_model_free(model);
    return conserved ? census.holds : INFINITY;
}

/* Cut after a word, as in files of results: a report of a file says the same. */
static void cut(char text[RCT_MEMBER_TEXT], const char *whole)
{
    static const char more[] = " ...";
    snprintf(text, RCT_MEMBER_TEXT, "%s", whole);
    if (strlen(whole) >= RCT_MEMBER_TEXT) {
        text[RCT_MEMBER_TEXT - sizeof more + 1] = '\0';
        char *blank = strrchr(text, ' ');
        memcpy(blank != NULL ? blank : text, more, sizeof more);
    }
}

void cli_tally_member(cli_tally *tally, const rct_ensemble *ensemble,
                      const rct_member_result *result)
{
    tally->done++;
    if (rct_loops_open(INFINITY, result->start_position, result->start_velocity)) {
        tally->moved++;
        tally->largest_start = fmax(tally->largest_start, result->start_position);
        tally->largest_opening = fmax(tally->largest_opening, result->start_velocity);
    }
    if (result->status == RCT_OK) {
        const double holds = held_by(ensemble, result);
        const bool away = isfinite(holds) && !(result->energy_drift <= holds);
        tally->runaway += away;
        tally->drifting += isfinite(holds) && !away && result->energy_drift > drifting * holds;
        tally->largest_drift = fmax(tally->largest_drift, result->energy_drift);
    } else {
        cli_failure failure = {result->member, result->status, result->time, ""};
        cut(failure.text, result->text);
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
    tally->drifting += other->drifting;
    tally->moved += other->moved;
    tally->largest_start = fmax(tally->largest_start, other->largest_start);
    tally->largest_opening = fmax(tally->largest_opening, other->largest_opening);
    tally->largest_drift = fmax(tally->largest_drift, other->largest_drift);
}

void cli_print_failures(const cli_failure *failures, int64_t count, int64_t all)
{
    cli_json_open("failures", '[');
    for (int64_t k = 0; k < count; k++) {
        const cli_failure *f = &failures[k];
        const char *status = rct_status_name(f->status);
        cli_json_open(NULL, '{');
        cli_json_count("member", f->member);
        cli_json_text("status", status);
        cli_json_real("time", f->time);
        cli_json_text("text", f->text);
        cli_json_close("}");
        cli_print_plain("  member %-10" PRId64 " %s at %.9g s: %s", f->member, status, f->time,
                        f->text);
        cli_print("\n");
    }
    cli_json_close("]");
    if (all > count) {
        cli_print("  and %" PRId64 " more\n", all - count);
    }
}

/* Print the numbers of the members; `seconds` is the time they took. */
static void print_members(const cli_ensemble_state *state, double seconds)
{
    const int32_t ranks = rct_ranks_count(state->arguments->ranks);
    const int64_t before = state->before.done;
    char name[RCT_NAME_SIZE], text[CLI_COUNTED];
    cli_json_text("model", state->model_name);
    cli_json_count("bodies", state->bodies);
    cli_line("model", "%s: %s", cli_plain_name(state->model_name, name),
             cli_counted(state->bodies, "body", text));
    cli_json_count("members", state->members);
    cli_line("members", "%" PRId64 ", %" PRId64 " failed", state->members, state->all.failed);
    cli_json_count("first_member", state->options.first);
    cli_json_count("members_before", before);
    if (before > 0) {
        cli_line("  done before", "%" PRId64, before);
    }
    cli_json_count("ranks", ranks);
    if (ranks > 1) {
        cli_line("ranks", "%" PRId32, ranks);
    }
    cli_json_count("failed", state->all.failed);
    cli_json_count("runaway", state->all.runaway);
    cli_json_count("drifting", state->all.drifting);
    cli_json_count("moved_starts", state->all.moved);
    cli_json_real("largest_start_gap", state->all.largest_start);
    cli_json_real("largest_start_opening", state->all.largest_opening);
    cli_json_real("dt", state->options.dt);
    cli_json_count("steps", state->options.steps);
    cli_line("simulated", "%s of %.9g s", cli_counted(state->options.steps, "step", text),
             state->options.dt);
    const rct_solver_options *solver = &state->options.solver;
    const double rate = (double)(state->all.done - before) / seconds;
    const double evaluations = cli_evaluations(solver->integrator) * (double)state->steps / seconds;
    cli_json_text("integrator", rct_integrator_name(solver->integrator));
    cli_json_real("tolerance", rct_integrator_adapts(solver->integrator) ? solver->tolerance : NAN);
    cli_json_real("total_s", seconds);
    cli_json_real("evaluations_per_second", evaluations);
    if (isnan(evaluations)) {
        cli_line("time", "%.4g s, %.4g members per second", seconds, rate);
    } else {
        cli_line("time", "%.4g s, %.4g members and %.4g evaluations per second", seconds, rate,
                 evaluations);
    }
}

/* NaN if no member finished. */
static void print_energy(double drift)
{
    cli_json_real("largest_energy_drift", drift);
    if (isnan(drift)) {
        cli_line("energy", "no member came to the end");
    } else {
        cli_line("energy", "changed by at most %.3g J", drift);
    }
}

/* Advice on the step. */
static void warn_of_steps(const cli_ensemble_state *state, int64_t count, const char *what)
{
    const bool adapts = rct_integrator_adapts(state->options.solver.integrator);
    char members[CLI_COUNTED];
    if (count > 0) {
        cli_warn("%" PRId64 " of %s %s; try a %s than %.9g", count,
                 cli_counted(state->members, "member", members), what,
                 adapts ? "--tolerance smaller" : "--dt shorter",
                 adapts ? state->options.solver.tolerance : state->options.dt);
    }
}

static void warn(const cli_ensemble_state *state)
{
    const cli_tally *all = &state->all;
    warn_of_steps(state, all->runaway,
                  "ran away: their energy, which nothing in the model changes, is off by more than "
                  "gravity and springs can give");
    warn_of_steps(state, all->drifting,
                  "drifted: their energy, which nothing in the model changes, is off by more than "
                  "a thousandth of what gravity and springs can give");
}

bool cli_report_ensemble(const cli_ensemble_state *state)
{
    const cli_tally *all = &state->all;
    char members[CLI_COUNTED];
    warn(state);
    cli_output_start(state->arguments->given[CLI_JSON], 19);
    print_members(state, cli_seconds() - state->started);
    print_energy(all->done > all->failed ? all->largest_drift : NAN);
    if (all->moved > 0) {
        cli_line("starts",
                 "the loops of %" PRId64 " of %s were open by up to %.3g m or rad and opening by "
                 "%.3g m/s or rad/s, and were closed: positions and rates are not those given "
                 "(--as-given leaves that to the first step)",
                 all->moved, cli_counted(state->members, "member", members), all->largest_start,
                 all->largest_opening);
    }
    cli_json_text("file", state->out);
    if (state->out != NULL) {
        cli_line("results", "in %s", state->out);
    }
    if (all->failed > 0) {
        cli_print("failed\n");
    }
    cli_print_failures(all->failure, shown(all), all->failed);
    return cli_output_finish();
}
