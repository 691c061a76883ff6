/* riccatree summary of the file of an ensemble: the number of members, quantiles of their
 * columns, failures. Recordings: files/numbers_of.c. */
#include "ensemble/members.h"
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    double *sorted;                    /* [members] of one column, finished members only */
    int64_t count[RCT_ERROR_LOOP + 2]; /* by status, pending members first */
} summary;

/* The numbers of finished members, `stride` apart, sorted, without NaN. Returns how many. */
static int64_t sort_column(const summary *s, const double *column, int64_t stride)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->info.members; k++) {
        if (s->status[k] == RCT_OK && !isnan(column[k * stride])) {
            s->sorted[count++] = column[k * stride];
        }
    }
    cli_sort(s->sorted, count);
    return count;
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

static bool read_results(summary *s)
{
    const char *file = s->arguments->operand;
    s->results = rct_ensemble_results_open(file, &cli_error);
    if (!cli_have(s->results)) {
        return false;
    }
    rct_ensemble_results_get_info(s->results, &s->info);
    cli_warn_unchecked(file, s->info.checked);
    const int64_t n = s->info.members;
    s->status = calloc((size_t)n + 1, sizeof *s->status);
    s->columns = cli_numbers(FIXED_COLUMNS * n + 1, "the columns of an ensemble");
    s->parameters = cli_numbers(n * s->info.variations + 1, "the columns of an ensemble");
    s->sorted = cli_numbers(n + 1, "the columns of an ensemble");
    if (s->columns == NULL || s->parameters == NULL || s->sorted == NULL ||
        !cli_have_memory(s->status) ||
        !cli_did(rct_ensemble_results_read(s->results, s->status, s->columns, s->columns + n,
                                           s->columns + 2 * n, s->parameters, &cli_error))) {
        return false;
    }
    for (int64_t k = 0; k < n; k++) {
        if (s->status[k] < RCT_MEMBER_PENDING || s->status[k] > RCT_ERROR_LOOP) {
            return cli_refuse("%s: it is damaged: member %" PRId64 " has status %" PRId32, file,
                              s->info.first + k, s->status[k]);
        }
        s->count[s->status[k] + 1]++;
    }
    return true;
}

static int64_t failed(const summary *s)
{
    return s->info.members - s->count[0] - s->count[1];
}

/* Read the first failures; returns how many. */
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

static void print_column(const summary *s, int32_t i)
{
    const double *column;
    int64_t stride;
    const char *name = column_of(s, i, &column, &stride);
    const int64_t count = sort_column(s, column, stride);
    const double mean = mean_of(s, count);
    cli_json_open(NULL, '{');
    cli_json_text("name", name);
    cli_json_real("mean", mean);
    cli_print_plain("%-*.*s%13.6g", NAME_SHOWN, NAME_SHOWN - 1, name, mean + 0.0); /* no -0 */
    for (int k = 0; k < SHARES; k++) {
        const double share = cli_quantile(s->sorted, count, shares[k]);
        cli_json_real(share_names[k], share);
        cli_print("%13.6g", share + 0.0);
    }
    cli_json_close("}");
    cli_print("\n");
}

static void print_columns(const summary *s)
{
    char head[NAME_SHOWN + 16], members[CLI_COUNTED];
    snprintf(head, sizeof head, "of %s that came to the end",
             cli_counted(s->count[1], "member", members));
    cli_print("\n%-*s%13s", NAME_SHOWN, head, "mean");
    for (int k = 0; k < SHARES; k++) {
        cli_print("%13s", share_names[k]);
    }
    cli_print("\n");
    cli_json_open("columns", '[');
    for (int32_t i = 0; i < s->info.variations + FIXED_COLUMNS; i++) {
        print_column(s, i);
    }
    cli_json_close("]");
}

static void print_members(const summary *s)
{
    const rct_ensemble_results_info *info = &s->info;
    cli_json_text("kind", "ensemble");
    cli_model_name(info->model_name);
    cli_json_text("command_line", info->command_line);
    if (info->command_line[0] != '\0') { /* none if a program made the file */
        cli_line("command", "%s", info->command_line);
    }
    cli_json_bool("complete", info->complete != 0);
    cli_json_count("first_member", info->first);
    cli_json_count("members", info->members);
    cli_line("members", "%" PRId64 " from %" PRId64 " on, %s", info->members, info->first,
             info->complete ? "complete" : "not complete");
    cli_count("ok", "  ok", s->count[1], "");
    cli_json_count("failed", failed(s));
    for (int k = RCT_OK + 1; k <= RCT_ERROR_LOOP; k++) {
        if (s->count[k + 1] > 0) {
            cli_print("  %-16s %" PRId64 "\n", rct_status_name((rct_status)k), s->count[k + 1]);
        }
    }
    cli_json_count("pending", s->count[0]);
    if (s->count[0] > 0) {
        cli_line("  pending", "%" PRId64, s->count[0]);
    }
    cli_json_real("dt", info->dt);
    cli_json_count("steps", info->steps);
    char steps[CLI_COUNTED];
    cli_line("simulated", "%s of %.9g s", cli_counted(info->steps, "step", steps), info->dt);
}

static bool print(const summary *s)
{
    const bool json = s->arguments->given[CLI_JSON];
    const int64_t all = failed(s),
                  most = json || all < CLI_FAILURES_SHOWN ? all : CLI_FAILURES_SHOWN;
    cli_failure *failures = calloc((size_t)most + 1, sizeof *failures);
    if (failures == NULL) {
        return cli_have_memory(failures);
    }
    const int64_t count = read_failures(s, most, failures);
    cli_output_start(json, 19);
    print_members(s);
    if (json || s->count[1] > 0) {
        print_columns(s);
    } else {
        cli_print("\nno member %s to the end\n", s->count[0] > 0 ? "has come yet" : "came");
    }
    if (count > 0) {
        cli_print("\nfailed\n");
    }
    cli_print_failures(failures, count, failed(s));
    free(failures);
    return cli_output_finish();
}

/* ---- as a table --------------------------------------------------------------------------- */

/* Why a member failed; empty: it did not. */
static void put_text(FILE *out, const summary *s, int64_t k)
{
    char text[RCT_MEMBER_TEXT] = "";
    if (s->status[k] > RCT_OK) {
        rct_ensemble_results_text(s->results, k, text, NULL);
    }
    cli_put_field(out, text);
}

static void put_members(FILE *out, const summary *s)
{
    const int32_t columns = s->info.variations + FIXED_COLUMNS;
    const double *column;
    int64_t stride;
    fputs("member,status", out);
    for (int32_t i = 0; i < columns; i++) {
        fputc(',', out);
        cli_put_field(out, column_of(s, i, &column, &stride));
    }
    fputs(",text\n", out);
    for (int64_t k = 0; k < s->info.members; k++) {
        fprintf(out, "%" PRId64 ",%s", s->info.first + k,
                s->status[k] == RCT_MEMBER_PENDING ? "pending"
                                                   : rct_status_name((rct_status)s->status[k]));
        for (int32_t i = 0; i < columns; i++) {
            column_of(s, i, &column, &stride);
            fprintf(out, ",%.17g", column[k * stride]);
        }
        fputc(',', out);
        put_text(out, s, k);
        fputc('\n', out);
    }
}

static bool export_members(const summary *s)
{
    cli_text_file file;
    if (!cli_open_text(s->arguments, &file)) {
        return false;
    }
    put_members(file.stream, s);
    return cli_close_text(&file, true);
}

bool cli_holds_members(const char *path)
{
    rct_file_info info;
    rct_error error = {.status = RCT_OK};
    rct_recording *recording = cli_holds_h5(path) ? rct_recording_open(path, &error) : NULL;
    rct_recording_close(recording);
    return error.status == RCT_ERROR_UNSUPPORTED && rct_file_check(path, &info, NULL) == RCT_OK &&
           info.kind == RCT_FILE_ENSEMBLE;
}

/* ---- the file ----------------------------------------------------------------------------- */

static bool use_ensemble(const cli_arguments *arguments, bool (*use)(const summary *s))
{
    summary s = {.arguments = arguments};
    const bool good = read_results(&s) && use(&s);
    rct_ensemble_results_close(s.results);
    free(s.status);
    free(s.columns);
    free(s.parameters);
    free(s.sorted);
    return good;
}

bool cli_export_members(const cli_arguments *arguments)
{
    return arguments->more.count > 0
               ? cli_refuse(
                     "\"%s\": the members of an ensemble are exported whole; leave quantities "
                     "out",
                     arguments->more.text[0])
               : use_ensemble(arguments, export_members);
}

static bool run_summary(const cli_arguments *arguments)
{
    rct_file_info info;
    if (!cli_check_regular(arguments->operand)) {
        return false;
    }
    if (!cli_holds_h5(arguments->operand)) {
        return cli_summarize_state(arguments);
    }
    rct_recording *recording = rct_recording_open(arguments->operand, &cli_error);
    if (recording == NULL && cli_error.status == RCT_ERROR_UNSUPPORTED) {
        return rct_file_check(arguments->operand, &info, NULL) == RCT_OK &&
                       info.kind == RCT_FILE_MODEL
                   ? cli_summarize_state(arguments)
                   : use_ensemble(arguments, print);
    }
    if (!cli_have(recording)) {
        return false;
    }
    const bool good = cli_summarize(arguments, recording);
    rct_recording_close(recording);
    return good;
}

const cli_command cli_summary = {
    .name = "summary",
    .operand = "FILE",
    .summary = "Print the numbers of a file: energies and extrema; for an ensemble quantiles and "
               "failures.",
    .options = CLI_LIST(CLI_JSON),
    .run = run_summary,
};
