/* riccatree summary: what the file of an ensemble holds: how many members, quantiles of their columns, failures. */
#include "ensemble/members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double shares[] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

enum { SHARES = sizeof shares / sizeof shares[0], FIXED_COLUMNS = 3, NAME_SHOWN = 48 };

static const char *const share_names[SHARES] = {"min", "q05", "q25", "median", "q75", "q95", "max"};

typedef struct summary {
    const cli_arguments *arguments;
    rct_ensemble_results *results;
    rct_ensemble_results_info info;
    int32_t *status;                   /* [members] */
    double *columns;                   /* [FIXED_COLUMNS][members] time, energy, drift */
    double *parameters;                /* [members][variations] */
    double *sorted;                    /* [members] of one column, those that came to the end */
    int64_t count[RCT_ERROR_LOOP + 2]; /* by status, that of pending ones first */
} summary;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Numbers of members that came to the end, `stride` apart, sorted; NaN left out. Gives how many. */
static int64_t sort_column(const summary *s, const double *column, int64_t stride)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->info.members; k++) {
        if (s->status[k] == RCT_OK && !isnan(column[k * stride])) {
            s->sorted[count++] = column[k * stride];
        }
    }
    qsort(s->sorted, (size_t)count, sizeof *s->sorted, compare);
    return count;
}

/* Linear between the two members on either side; NaN of none. */
static double quantile(const summary *s, int64_t count, double share)
{
    if (count == 0) {
        return NAN;
    }
    const double at = share * (double)(count - 1);
    const int64_t below = (int64_t)at, above = below + 1 < count ? below + 1 : below;
    const double part = at - (double)below;
    return part == 0.0 ? s->sorted[below]
                       : s->sorted[below] * (1.0 - part) + s->sorted[above] * part;
}

static double mean_of(const summary *s, int64_t count)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; k++) {
        sum += s->sorted[k];
    }
    return count > 0 ? sum / (double)count : NAN;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int read_results(summary *s)
{
    rct_error error;
    if (cli_check_regular(s->arguments->operand) != CLI_OK) {
        return CLI_BAD_INPUT;
    }
    s->results = rct_ensemble_results_open(s->arguments->operand, &error);
    if (s->results == NULL) {
        return cli_fail_library(&error);
    }
    rct_ensemble_results_get_info(s->results, &s->info);
    cli_warn_unchecked(s->arguments->operand, s->info.checked);
    const int64_t n = s->info.members;
    s->status = calloc((size_t)n + 1, sizeof *s->status);
    s->columns = cli_numbers(FIXED_COLUMNS * n + 1, "the columns of an ensemble");
    s->parameters = cli_numbers(n * s->info.variations + 1, "the columns of an ensemble");
    s->sorted = cli_numbers(n + 1, "the columns of an ensemble");
    if (s->status == NULL || s->columns == NULL || s->parameters == NULL || s->sorted == NULL) {
        return CLI_FAILED;
    }
    if (rct_ensemble_results_read(s->results, s->status, s->columns, s->columns + n,
                                  s->columns + 2 * n, s->parameters, &error) != RCT_OK) {
        return cli_fail_library(&error);
    }
    for (int64_t k = 0; k < n; k++) {
        if (s->status[k] < RCT_MEMBER_PENDING || s->status[k] > RCT_ERROR_LOOP) {
            return cli_fail(CLI_BAD_INPUT,
                            "%s: it is damaged: member %" PRId64 " has status %" PRId32,
                            s->arguments->operand, s->info.first + k, s->status[k]);
        }
        s->count[s->status[k] + 1]++;
    }
    return CLI_OK;
}

static int64_t failed(const summary *s)
{
    return s->info.members - s->count[0] - s->count[1];
}

/* The first failures; gives how many. */
static int64_t read_failures(const summary *s, int64_t most, cli_failure *failures)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->info.members && count < most; k++) {
        if (s->status[k] > RCT_OK) {
            cli_failure *f = &failures[count++];
            *f = (cli_failure){s->info.first + k, (rct_status)s->status[k], s->columns[k], ""};
            rct_ensemble_results_text(s->results, k, f->text, NULL);
        }
    }
    return count;
}

/* ---- printing ----------------------------------------------------------------------------- */

/* Column number `i`: the variations, then time, energy and drift. */
static const char *column_of(const summary *s, int32_t i, const double **column, int64_t *stride)
{
    static const char *const names[FIXED_COLUMNS] = {"time", "energy", "energy_drift"};
    rct_variation variation;
    if (i < s->info.variations &&
        rct_ensemble_results_variation(s->results, i, &variation, NULL) == RCT_OK) {
        *column = s->parameters + i;
        *stride = s->info.variations;
        return variation.path;
    }
    *column = s->columns + (int64_t)(i - s->info.variations) * s->info.members;
    *stride = 1;
    return names[i - s->info.variations];
}

static void json_columns(cli_output *out, const summary *s)
{
    cli_json_open(out, "columns", '[');
    for (int32_t i = 0; i < s->info.variations + FIXED_COLUMNS; i++) {
        const double *column;
        int64_t stride;
        cli_json_open(out, NULL, '{');
        cli_json_text(out, "name", column_of(s, i, &column, &stride));
        const int64_t count = sort_column(s, column, stride);
        cli_json_real(out, "mean", mean_of(s, count));
        for (int k = 0; k < SHARES; k++) {
            cli_json_real(out, share_names[k], quantile(s, count, shares[k]));
        }
        cli_json_close(out, '}');
    }
    cli_json_close(out, ']');
}

static void print_json(cli_output *out, const summary *s, const cli_failure *failures,
                       int64_t count)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", s->info.model_name);
    cli_json_text(out, "command_line", s->info.command_line);
    cli_json_bool(out, "complete", s->info.complete != 0);
    cli_json_count(out, "first_member", s->info.first);
    cli_json_count(out, "members", s->info.members);
    cli_json_count(out, "ok", s->count[1]);
    cli_json_count(out, "failed", failed(s));
    cli_json_count(out, "pending", s->count[0]);
    cli_json_real(out, "dt", s->info.dt);
    cli_json_count(out, "steps", s->info.steps);
    json_columns(out, s);
    cli_json_failures(out, failures, count);
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void print_columns(cli_output *out, const summary *s)
{
    char head[NAME_SHOWN + 16];
    snprintf(head, sizeof head, "of %" PRId64 " member%s that came to the end", s->count[1],
             s->count[1] > 1 ? "s" : "");
    cli_print(out, "\n%-*s%13s", NAME_SHOWN, head, "mean");
    for (int k = 0; k < SHARES; k++) {
        cli_print(out, "%13s", share_names[k]);
    }
    cli_print(out, "\n");
    for (int32_t i = 0; i < s->info.variations + FIXED_COLUMNS; i++) {
        const double *column;
        int64_t stride;
        const char *name = column_of(s, i, &column, &stride);
        const int64_t count = sort_column(s, column, stride);
        cli_print(out, "%-*.*s%13.6g", NAME_SHOWN, NAME_SHOWN - 1, name, mean_of(s, count));
        for (int k = 0; k < SHARES; k++) {
            cli_print(out, "%13.6g", quantile(s, count, shares[k]));
        }
        cli_print(out, "\n");
    }
}

static void print_table(cli_output *out, const summary *s, const cli_failure *failures,
                        int64_t count)
{
    char name[RCT_NAME_SIZE];
    cli_print(out, "model              %s\n", cli_plain_name(s->info.model_name, name));
    if (s->info.command_line[0] != '\0') { /* none where a program made the file */
        cli_print(out, "command            %s\n", s->info.command_line);
    }
    cli_print(out, "members            %" PRId64 " from %" PRId64 " on, %s\n", s->info.members,
              s->info.first, s->info.complete ? "complete" : "not complete");
    cli_print(out, "  ok               %" PRId64 "\n", s->count[1]);
    for (int k = RCT_OK + 1; k <= RCT_ERROR_LOOP; k++) {
        if (s->count[k + 1] > 0) {
            cli_print(out, "  %-16s %" PRId64 "\n", rct_status_name((rct_status)k),
                      s->count[k + 1]);
        }
    }
    if (s->count[0] > 0) {
        cli_print(out, "  pending          %" PRId64 "\n", s->count[0]);
    }
    cli_print(out, "simulated          %" PRId64 " steps of %.9g s\n", s->info.steps, s->info.dt);
    if (s->count[1] > 0) {
        print_columns(out, s);
    } else {
        cli_print(out, "\nno member %s to the end\n", s->count[0] > 0 ? "has come yet" : "came");
    }
    if (count > 0) {
        cli_print(out, "\nfailed\n");
        cli_print_failures(out, failures, count, failed(s));
    }
}

static int print(const summary *s)
{
    const bool json = s->arguments->given[CLI_JSON];
    const int64_t all = failed(s),
                  most = json || all < CLI_FAILURES_SHOWN ? all : CLI_FAILURES_SHOWN;
    cli_failure *failures = calloc((size_t)most + 1, sizeof *failures);
    if (failures == NULL) {
        return cli_fail(CLI_FAILED, "out of memory; free some");
    }
    const int64_t count = read_failures(s, most, failures);
    cli_output out = cli_output_start();
    if (json) {
        print_json(&out, s, failures, count);
    } else {
        print_table(&out, s, failures, count);
    }
    free(failures);
    return cli_output_finish(&out);
}

static int run_summary(const cli_arguments *arguments)
{
    summary s = {.arguments = arguments};
    int status = read_results(&s);
    if (status == CLI_OK) {
        status = print(&s);
    }
    rct_ensemble_results_close(s.results);
    free(s.status);
    free(s.columns);
    free(s.parameters);
    free(s.sorted);
    return status;
}

static const cli_option_id options[] = {CLI_JSON, CLI_END};

const cli_command cli_summary = {
    .name = "summary",
    .operand = "FILE.h5",
    .summary = "Print what the file of an ensemble holds: counts, quantiles, failures.",
    .details = "",
    .options = options,
    .run = run_summary,
};
