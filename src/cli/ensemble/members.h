/* A running ensemble: what `riccatree ensemble` plans, runs and reports, with or without ranks;
 * and tables of members, as `riccatree summary` also prints them. */
#ifndef RCT_CLI_MEMBERS_H
#define RCT_CLI_MEMBERS_H

#include "cli.h"

enum { CLI_FAILURES_SHOWN = 10 };

/* A member that failed. */
typedef struct cli_failure {
    int64_t member;
    rct_status status;
    double time;
    char text[RCT_MEMBER_TEXT];
} cli_failure;

/* The results of members, in plain bytes that ranks can exchange. */
typedef struct cli_tally {
    int64_t done, failed;
    int64_t runaway;      /* finished, but with a larger energy drift than allowed */
    int64_t drifting;     /* likewise, by a smaller one                            */
    int64_t moved;        /* whose loops were open at the start                    */
    double largest_drift; /* J */
    double largest_start, largest_opening;   /* m or rad, m/s or rad/s, of these */
    cli_failure failure[CLI_FAILURES_SHOWN]; /* the first failures by member number, ascending */
} cli_tally;

typedef struct cli_ensemble_state {
    const cli_arguments *arguments;
    rct_ensemble_results *results; /* continued by `resume`; NULL: all is in the arguments */
    rct_model *model;              /* NULL if there are results */
    rct_sweep *sweep;              /* NULL: none was given */
    rct_ensemble *ensemble;
    rct_ensemble_run_options options;
    int32_t *track;
    char model_name[RCT_NAME_SIZE];
    int32_t bodies;
    int64_t members; /* of the file, or to run */

    const char *out; /* the file of results; NULL: not kept */
    bool going_on;   /* the file was begun before */
    rct_ensemble_file *file;
    int8_t *there; /* [members] whose results were in the file; NULL: none */
    rct_ensemble_checkpoint_writer *writer;
    rct_ensemble_checkpoints *checkpoints;

    cli_tally own, before,
        all;       /* of this rank; of the file before; on rank 0 of all ranks and before */
    int64_t steps; /* of members, over all ranks */
    double started, flushed; /* s, by the clock */
} cli_ensemble_state;

/* plan.c: make the model, the ensemble and the options of its run; the second function releases
 * what exists in any case. */
bool cli_plan_ensemble(cli_ensemble_state *state);
void cli_release_ensemble(cli_ensemble_state *state);

/* run.c: from a plan to a report, on all ranks. */
bool cli_run_ensemble(cli_ensemble_state *state);

/* files.c: make or continue the file of the results and its checkpoints; close them, marked
 * complete if all ranks have finished. Called on all ranks. */
bool cli_open_members(cli_ensemble_state *state);
bool cli_close_members(cli_ensemble_state *state, bool complete);

/* report.c */
bool cli_report_ensemble(const cli_ensemble_state *state);

/* Add the result of a member to a tally; add one tally to another. */
void cli_tally_member(cli_tally *tally, const rct_ensemble *ensemble,
                      const rct_member_result *result);
void cli_tally_add(cli_tally *tally, const cli_tally *other);

/* The first failures as lines of a table, or as an array "failures". */
void cli_print_failures(const cli_failure *failures, int64_t count, int64_t all);

/* ensemble.c: whether it is an HDF5 file, which a checkpoint of a run is not; and continue it. */
bool cli_is_results(const char *path);

/* Whether a file has the results of an ensemble; and these as a table, a row for each member
 * (summary.c). */
bool cli_holds_members(const char *path);
bool cli_export_members(const cli_arguments *arguments);
bool cli_resume_ensemble(const cli_arguments *arguments);

#endif
