/* A run on the command line: what `run` and `resume` share, and how it is reported. */
#ifndef RCT_CLI_RUN_H
#define RCT_CLI_RUN_H

#include "cli.h"

/* The data that the command line keeps in checkpoints: threads, and the recording as it was
 * typed, ending with a zero; "": none. */
typedef struct cli_run_note {
    int64_t threads;
    char out[];
} cli_run_note;

typedef struct cli_run_state {
    const cli_arguments *arguments;
    rct_model *model;
    rct_solver *solver;
    rct_run_options options;
    rct_run_report report;
    rct_solver_info info;
    rct_census census;
    cli_run_note *note; /* NULL: the run is a resumed one         */
    double started;     /* s, by the clock                        */
    double before;      /* s, of the model and the solver         */
    int warnings;       /* printed                                */
} cli_run_state;

/* run.c: from solver, model and options through the run to the report. Closes and frees
 * everything. */
bool cli_run_go(cli_run_state *run);
void cli_run_dispose(cli_run_state *run);

/* words.c: a line of progress; the reason a run stopped, how far it got, what the files hold and
 * how to continue; a warning before the run of steps that are too long for springs and dampers;
 * one after the run of steps that were too long. */
void cli_run_show(const cli_run_state *run, const rct_run_report *so_far);
bool cli_run_stopped(const cli_run_state *run, int status, const char *why, bool advised);
void cli_run_expect(cli_run_state *run);
void cli_run_judge(cli_run_state *run);

/* report.c */
bool cli_run_print(const cli_run_state *run);
double cli_run_cost(const cli_run_state *run,
                    const rct_run_report *r); /* ns per body and evaluation so far */

#endif
