/* Runs: step a solver to an end time; on the way measure and record frames and write checkpoints.
 *
 *     rct_run_options options = rct_run_options_default();
 *     rct_run_report report;
 *     options.t_end = 10.0;
 *     options.recording = "motion.h5";
 *     options.checkpoint = "motion.rct";
 *     status = rct_solver_run(solver, model, &options, &report, &error);
 *
 * A stopped run continues from its checkpoint and gives the same bits as a run without the stop:
 *
 *     checkpoint = rct_checkpoint_open("motion.rct", &error);
 *     rct_checkpoint_get_info(checkpoint, &info);
 *     model = rct_checkpoint_model(checkpoint, &error);
 *     solver = rct_solver_create(model, &info.options, &error);
 *     status = rct_run_options_of(checkpoint, &options, &error);
 *     status = rct_solver_run(solver, model, &options, &report, &error);
 *
 * Signals are left to the caller, whose function `watch` can end a run. */
#ifndef RICCATREE_RUN_H
#define RICCATREE_RUN_H

#include <riccatree/checkpoint.h>
#include <riccatree/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The results of a run. Energies count as in rct_measures; [2]: in the first frame and in the last
 * one so far. Without a frame they are NaN. */
typedef struct rct_run_report {
    int64_t steps;                 /* steps (multiples of dt) of the whole run */
    int64_t done;                  /* steps done so far, including those before a checkpoint */
    int64_t frames;                /* frames of the whole run, including the first and the last */
    int64_t measured;              /* frames measured so far, and recorded if there is a
                                    * recording */
    int64_t saved;                 /* steps before the last checkpoint; -1: there is none */
    int64_t file_bytes;            /* bytes that the recording takes at most; 0: there is none */
    int begun;                     /* 1: files are open, and steps may have been made */
    int recorded;                  /* 1: the recording is closed and holds the frames measured */
    double time;                   /* s, time of the solver */
    double stepping;               /* s, wall-clock time of the steps */
    double elapsed;                /* s, wall-clock time in total */
    double kinetic[2];             /* J */
    double potential[2];           /* J */
    double momentum[2][3];         /* kg m/s */
    double angular_momentum[2][3]; /* kg m^2/s */
    double drift;                  /* J, largest change of the total energy over the frames */
    double exchange;               /* J, largest change of the kinetic or the potential energy */
    double position, velocity;     /* largest violations of loops over the frames, as in
                                    * rct_loop_info */
    int32_t position_loop, velocity_loop; /* their loops; -1: none */

    /* Whether steps were short enough; NaN before the end, and where it cannot be said. */
    double drift_share;  /* if the energy is conserved: drift divided by the energy of the
                          * motion, which is the kinetic energy at the start plus `exchange` */
    double step_error;   /* else, with rk4 and conserving: difference between the velocities
                          * after one step and after two of half the length, relative to the
                          * velocities of the run; the largest of the first step, the last, and
                          * those at frames, one in a hundred steps at most */
    double step_advised; /* s, the step to try if either is above RCT_RUN_SHARE. NaN where
                          * loops were open at the start: the first step closed them, and
                          * drift has that too */
} rct_run_report;

/* Steps are too long if drift_share or step_error is above this. */
#define RCT_RUN_SHARE 1e-3
/* The share of rct_census.holds that is added to the energy of the motion in drift_share, so that
 * RCT_RUN_SHARE of the sum is above rounding. */
#define RCT_RUN_ROUNDING 1e-10

/* A function that watches a run. It is called about ten times per second, between steps, and after
 * every frame; it may read the solver. A return value other than 0 ends the run. */
typedef int rct_run_watch(void *context, const rct_run_report *so_far);

/* The options of a run. Start from rct_run_options_default(). */
typedef struct rct_run_options {
    double dt;                 /* s, > 0 */
    double t_end;              /* s, a whole number of steps after the time of the solver */
    int64_t frames;            /* states to measure, spaced as evenly as whole steps allow, with
                                * the first and the last, >= 2; 0: 101, or all if there are fewer */
    double max_drift;          /* a run with a larger drift_share fails at its end; 0: no limit */
    const char *recording;     /* file of all frames (riccatree/recorder.h); NULL: none */
    int overwrite;             /* 0: a recording that exists already is an error */
    const char *command_line;  /* written into the recording; may be NULL */
    const char *checkpoint;    /* file of checkpoints (riccatree/checkpoint.h), replaced if it
                                * exists; NULL: none */
    int64_t checkpoint_steps;  /* steps between checkpoints; 0: checkpoint_seconds counts */
    double checkpoint_seconds; /* s, wall-clock time between checkpoints */
    const void *note;          /* data of the caller, written into every checkpoint */
    int64_t note_bytes;
    rct_run_watch *watch;       /* may be NULL */
    void *context;              /* argument of `watch` */
    const rct_checkpoint *from; /* NULL: the run begins; else it continues from this checkpoint
                                 * (rct_run_options_of) */
} rct_run_options;

/* Defaults: 1 s in steps of 1e-3 s, no files, 60 s between checkpoints. */
RCT_API void rct_run_options_init(rct_out out);
static inline rct_run_options rct_run_options_default(void)
{
    rct_run_options x;
    rct_run_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* The number of steps of dt (s, > 0) in a span (s, > 0). RCT_ERROR_ARGUMENT unless it is a whole
 * number within 1e-9; neither value is adjusted, and the error names the nearest spans. */
RCT_API rct_status rct_run_steps(double span, double dt, int64_t *steps, rct_error *error);

/* The number of frames of a run of `steps` steps: `asked`; for 0: 101, or all states if there are
 * fewer. RCT_ERROR_ARGUMENT for fewer than 2 frames or more than there are states. */
RCT_API rct_status rct_run_frames(int64_t steps, int64_t asked, int64_t *frames, rct_error *error);

/* The number of steps before a frame of a run: the first frame is before the first step, the last
 * one after the last step. */
RCT_API int64_t rct_run_frame_step(int64_t steps, int64_t frames, int64_t frame);

/* Step `solver`, made from `model`, to options.t_end. The first checkpoint is written before the
 * first step, the others between steps when they are due; frames reach the disk before a checkpoint
 * that counts them. `report` may be NULL; it is filled in any case.
 *
 * If `watch` ends the run, the result is RCT_OK with report.done < report.steps: a checkpoint is
 * written, and the recording is closed as incomplete. Errors of files and of steps
 * (rct_solver_step) leave the solver at the last whole step, the recording closed with the frames
 * measured, and the last checkpoint. At the end of a whole run: RCT_ERROR_LOOP if a loop that
 * should be kept closed is open, RCT_ERROR_DIVERGED if the drift is beyond max_drift; all files are
 * complete in both cases. RCT_ERROR_ARGUMENT before anything else: options that do not fit
 * together, max_drift where the drift cannot be determined, a checkpoint of another run. */
RCT_API rct_status rct_solver_run_sized(rct_solver *solver, const rct_model *model, rct_in options,
                                        rct_out report, rct_error *error);
static inline rct_status rct_solver_run(rct_solver *solver, const rct_model *model,
                                        const rct_run_options *options, rct_run_report *report,
                                        rct_error *error)
{
    return rct_solver_run_sized(solver, model, rct_in_of(options, sizeof *options, 0, 0),
                                rct_out_of(report, sizeof *report, 0, 0), error);
}

/* The options of the run that a checkpoint belongs to, to continue it: `from` is the checkpoint,
 * `checkpoint` its file, `recording` the path of its recording, `note` the data of the caller,
 * `watch` NULL. Texts live as long as the checkpoint. `recording` may be changed if the file was
 * moved, the times between checkpoints at will. rct_solver_run restores the solver.
 * RCT_ERROR_ARGUMENT for a checkpoint that no run has written, RCT_ERROR_IO for one with invalid
 * numbers. */
RCT_API rct_status rct_run_options_of_sized(const rct_checkpoint *checkpoint, rct_out options,
                                            rct_error *error);
static inline rct_status rct_run_options_of(const rct_checkpoint *checkpoint,
                                            rct_run_options *options, rct_error *error)
{
    return rct_run_options_of_sized(checkpoint, rct_out_of(options, sizeof *options, 0, 0), error);
}

/* The longest step (s) of rk4 that springs and dampers, at hinges and between points, allow; it
 * follows from the stiffest motion that they cause. `body` is the body that moves most in this
 * motion. INFINITY and -1 if there are none, and for models with active loops. The result is an
 * upper bound and may be a few percent too long; longer steps give meaningless numbers. It costs
 * about 24 operators of O(n) (riccatree/operators.h) and has their errors. */
RCT_API rct_status rct_solver_longest_step(rct_solver *solver, const rct_model *model, double *step,
                                           int32_t *body, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
