/* A run on the command line: what `run` and `resume` share, and how it is told. */
#ifndef RCT_CLI_RUN_H
#define RCT_CLI_RUN_H

#include "cli.h"

/* What the command line keeps in checkpoints: threads, and the recording as it was typed, with a zero; "": none. */
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
    cli_run_note *note; /* NULL: it goes on                       */
    double started;     /* s, by the clock                        */
    double before;      /* s, of the model and the solver         */
    int warnings;       /* printed                                */
} cli_run_state;

/* run.c: solver, model and options are there; from them through the run to the report. Everything closed and freed. */
bool cli_run_go(cli_run_state *run);
void cli_run_dispose(cli_run_state *run);

/* words.c: a line of progress; what stopped the run, how far it got, what the files hold and how to go on; steps that are too long for
 * springs and dampers, before the run; steps that were too long, after it. */
void cli_run_show(const cli_run_state *run, const rct_run_report *so_far);
bool cli_run_stopped(const cli_run_state *run, int status, const char *why, bool advised);
void cli_run_expect(cli_run_state *run);
void cli_run_judge(cli_run_state *run);

/* report.c */
bool cli_run_print(const cli_run_state *run);
double cli_run_cost(const cli_run_state *run,
                    const rct_run_report *r); /* ns per body and evaluation so far */

#endif
