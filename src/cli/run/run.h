/* A run in progress: what `riccatree run` steps, measures, records and reports. */
#ifndef RCT_CLI_RUN_H
#define RCT_CLI_RUN_H

#include "cli.h"

/* What a run goes on from (checkpoint.c). */
typedef struct cli_checkpoint {
    rct_checkpoint_writer *writer; /* NULL: none is written                           */
    const char *file;
    void *note; /* of the command line, in every checkpoint                           */
    int64_t note_bytes;
    int64_t saved;   /* steps of the last one, -1: none yet                           */
    double saved_at; /* s, by the clock                                               */
} cli_checkpoint;

/* A step by itself, where the energy does not tell about steps. */
typedef struct cli_worst_step {
    double difference; /* J, as in rct_step_report; NaN: none looked at yet                */
    double advised;    /* s, the shortest; INFINITY: none yet                          */
} cli_worst_step;

/* What a run has come to. A checkpoint has it as it is, and behind it three texts, each with a zero: the command line, the
 * recording as it was typed, and where it lies ("" both: none). */
typedef struct cli_run_note {
    char kind[16];
    double dt, t_end;   /* s                                                          */
    int64_t steps;      /* of the whole run                                           */
    int64_t frames;     /* measured states of the whole run, first and last included  */
    int64_t done;       /* steps so far                                               */
    int64_t measured;   /* frames so far                                              */
    int64_t file_bytes; /* of the recording                                           */
    int64_t threads;
    double drift;    /* J, largest change of the total energy over the frames         */
    double exchange; /* J, largest change of the kinetic or the potential energy      */
    double stepping; /* s spent in steps                                              */
    double elapsed;  /* s                                                             */
    rct_measures first;
    cli_violation violation; /* of loops, over the frames                             */
    cli_worst_step worst;    /* of those looked at                                    */
    cli_interval every;      /* between checkpoints                                   */
    double max_drift;        /* as in cli_arguments                                   */
    int64_t adapts;          /* 1: steps are those of the error; `steps` are multiples of dt */
} cli_run_note;

typedef struct cli_run_state {
    const cli_arguments *arguments;
    rct_model *model;
    rct_solver *solver;
    rct_recorder *recorder; /* NULL: nothing is recorded                              */
    const char *place;      /* where it lies                                          */
    cli_checkpoint checkpoint;
    rct_solver_info info;
    cli_census census;
    cli_run_note note;
    int kept;       /* whether the last frame measured is still to be recorded        */
    double started; /* s, by the clock                                                */
    rct_measures last;
    int warnings;      /* printed                                                     */
    double step_error; /* of a step as a share of the velocities of the run; NaN: none looked at */
    double step_advised; /* s; NaN: the steps were good enough                        */
    double share;        /* drift of the energy, of what the motion has; NaN: none to tell */
} cli_run_state;

/* plan.c: the number of steps and of frames. */
bool cli_run_plan(cli_run_note *note, const cli_arguments *arguments);
int64_t cli_run_frame_step(const cli_run_note *note, int64_t frame); /* steps before this frame */

/* Solver and model are there; and from them through the loop to the report. Everything of the run closed and
 * freed. */
void cli_run_describe(cli_run_state *run);
bool cli_run_go_on(cli_run_state *run);
void cli_run_dispose(cli_run_state *run);

/* What a recording of the run is made with. */
rct_recorder_options cli_run_recorder_options(const cli_run_state *run);

/* loop.c: from the first frame to the last; a file that is recorded is closed in any case. */
bool cli_run_loop(cli_run_state *run);

/* checkpoint.c: claim `file` for this run, before anything of another is touched; make ready to write checkpoints to it, the
 * recording being open. */
bool cli_checkpoint_claim(cli_run_state *run, const char *file);
bool cli_checkpoint_start(cli_run_state *run);

/* The step before which no checkpoint is due, `target` at most. */
int64_t cli_checkpoint_next(const cli_run_state *run, int64_t target);

/* Write one, or one if it is due: the recording must hold all frames so far, and is brought to the disk before. Nothing is
 * printed. */
rct_status cli_checkpoint_save(cli_run_state *run);
rct_status cli_checkpoint_save_due(cli_run_state *run);

/* A run as a checkpoint's note has it, with `arguments` for it, whose texts live as long as the checkpoint. */
bool cli_checkpoint_read(const rct_checkpoint *checkpoint, cli_run_state *run,
                         cli_arguments *arguments);

/* warning.c: look at a step from the present state, before the first and after the last one; then say whether the steps
 * were too long, with a warning if they were. The state stays as it is. Steps with error control are not looked at. */
void cli_run_look(cli_run_state *run);
void cli_run_judge(cli_run_state *run);

/* The share of the energy above which steps are too long; and of what gravity and springs may give what is rounding. */
extern const double cli_most_drift, cli_energy_rounding;

/* stiffness.c: a warning, before the first step, of steps of rk4 that are too long for springs and dampers at hinges. */
void cli_run_expect(cli_run_state *run);

/* Whether a drift that may be no more than --max-drift has anything to be told by: else it is refused. */
bool cli_run_holds(const cli_run_state *run);

/* Whether it was no more; else an error says so. */
bool cli_run_kept(const cli_run_state *run);

/* Whether loops are closed at the end, unless they were taken as given; else an error names the one that is open most. */
bool cli_run_closed(const cli_run_state *run);

/* report.c */
bool cli_run_report(const cli_run_state *run);
double cli_run_cost(const cli_run_state *run); /* ns per body and evaluation so far */

#endif
