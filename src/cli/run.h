/* A run in progress: what `riccatree run` steps, measures, records and reports. */
#ifndef RCT_CLI_RUN_H
#define RCT_CLI_RUN_H

#include "census.h"
#include "cli.h"
#include "loops.h"

typedef struct cli_run_state {
    const cli_arguments *arguments;
    const rct_model *model;
    rct_solver *solver;
    rct_recorder *recorder; /* NULL: nothing is recorded                              */
    rct_solver_info info;
    cli_census census;
    int64_t file_bytes;
    int64_t steps;    /* of the whole run                                             */
    int64_t frames;   /* measured states of the whole run, first and last included    */
    int64_t done;     /* steps so far                                                 */
    int64_t measured; /* frames so far                                                */
    int kept;         /* whether the last of them is still to be recorded             */
    double started;   /* s, by the clock                                              */
    double stepping;  /* s spent in steps                                             */
    rct_measures first;
    rct_measures last;
    double drift;            /* J, largest change of the total energy over the frames         */
    cli_violation violation; /* of loops, over the frames                             */
    double exchange;         /* J, largest change of the kinetic or the potential energy      */
} cli_run_state;

/* run_plan.c: the number of steps and of frames; CLI_OK or CLI_BAD_INPUT with the error printed. */
int cli_run_plan(cli_run_state *run);
int64_t cli_run_frame_step(const cli_run_state *run, int64_t frame); /* steps before this frame */

/* run_loop.c: from the first frame to the last. CLI_OK, or the exit status with the error printed;
 * a file that is recorded is closed in any case. */
int cli_run_loop(cli_run_state *run);

/* run_report.c */
int cli_run_report(const cli_run_state *run);
double cli_run_cost(const cli_run_state *run); /* ns per body and evaluation so far */

enum { CLI_EVALUATIONS_PER_STEP = 4 };

#endif
