/* An ensemble in progress: what `riccatree ensemble` plans, runs and reports; and tables of members, as `riccatree summary`
 * prints them too. */
#ifndef RCT_CLI_MEMBERS_H
#define RCT_CLI_MEMBERS_H

#include "cli.h"
#include "output.h"
#include "progress.h"

enum { CLI_FAILURES_SHOWN = 10 };

/* A member that failed. */
typedef struct cli_failure {
    int64_t member;
    rct_status status;
    double time;
    char text[RCT_MEMBER_TEXT];
} cli_failure;

typedef struct cli_ensemble_state {
    const cli_arguments *arguments;
    rct_model *model;
    rct_sweep *sweep; /* NULL: none was given */
    rct_ensemble *ensemble;
    rct_ensemble_run_options options;
    int32_t *track;
    rct_ensemble_file *file;
    cli_progress progress;
    int64_t members; /* to run */
    int64_t done, failed, steps;
    cli_failure failure[CLI_FAILURES_SHOWN]; /* the first of them by number, ascending */
    double largest_drift;
    double started, flushed; /* s, by the clock */
} cli_ensemble_state;

/* ensemble_plan.c: the model, the ensemble and how to run it. CLI_OK, or the exit status with the error printed; what is
 * there is released in any case by the other. */
int cli_plan_ensemble(cli_ensemble_state *state);
void cli_release_ensemble(cli_ensemble_state *state);

/* ensemble_report.c */
int cli_report_ensemble(const cli_ensemble_state *state);

/* Keep a failure among those shown. */
void cli_note_failure(cli_ensemble_state *state, const rct_member_result *result);

/* Failures as lines of a table, or as an array "failures"; `count` of them are there, of `all`. */
void cli_print_failures(cli_output *out, const cli_failure *failures, int64_t count, int64_t all);
void cli_json_failures(cli_output *out, const cli_failure *failures, int64_t count);

#endif
