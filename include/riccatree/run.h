/* Runs: a solver stepped to an end, with frames measured and recorded, and checkpoints written, on the way.
 *
 *     rct_run_options options = rct_run_options_default();
 *     rct_run_report report;
 *     options.t_end = 10.0;
 *     options.recording = "motion.h5";
 *     options.checkpoint = "motion.rct";
 *     status = rct_solver_run(solver, model, &options, &report, &error);
 *
 * A run that was stopped goes on from its checkpoint to the same bits as if it had not been:
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

/* What a run has come to. Energies count as in rct_measures; [2]: in the first frame and in the last one so far. Without a frame
 * they are NaN. */
typedef struct rct_run_report {
    int64_t steps;      /* multiples of dt from the start of the run to its end                   */
    int64_t done;       /* of them so far, by those before a checkpoint too                       */
    int64_t frames;     /* of the whole run, the first and the last included                      */
    int64_t measured;   /* of them so far, and recorded where frames are                          */
    int64_t saved;      /* steps before the last checkpoint, -1: there is none                    */
    int64_t file_bytes; /* that the recording takes at most, 0: there is none                     */
    int begun;          /* 1: files are open, and steps may have been made                        */
    int recorded;       /* 1: the recording is closed and holds the frames measured               */
    double time;        /* s, of the solver                                                       */
    double stepping;    /* s by the clock, in steps                                               */
    double elapsed;     /* s by the clock, in all                                                 */
    double kinetic[2];  /* J                                                           */
    double potential[2];           /* J                                                           */
    double momentum[2][3];         /* kg m/s                                                      */
    double angular_momentum[2][3]; /* kg m^2/s                                                    */
    double drift;    /* J, largest change of the total energy over the frames                     */
    double exchange; /* J, largest change of the kinetic or the potential energy                  */
    double position,
        velocity; /* largest violations of loops over the frames, as in rct_loop_info */
    int32_t position_loop, velocity_loop; /* their loops, -1: none                                */

    /* Whether steps were short enough; NaN before the end, and where there is nothing to tell. */
    double
        drift_share; /* of the energy, where nothing changes it: drift over what the motion has, the kinetic energy at the
                            start and what was exchanged since                                    */
    double
        step_error; /* elsewhere, of rk4 and conserving: velocities after a step against those after two of half the
                            length, as a share of those of the run; the worse of the first and the last step */
    double step_advised; /* s, the step to try, where either is above RCT_RUN_SHARE               */
} rct_run_report;

/* The drift_share and the step_error above which steps are too long. */
#define RCT_RUN_SHARE 1e-3
/* The share of rct_census.holds that a motion must have for its drift to tell of steps: RCT_RUN_SHARE of that is above rounding. */
#define RCT_RUN_ROUNDING 1e-10

/* Called about ten times a second, between steps, and after every frame, with the solver as it is: it may be read. Another number
 * than 0 ends the run. */
typedef int rct_run_watch(void *context, const rct_run_report *so_far);

/* Where a run goes, and what it leaves. Start from rct_run_options_default(). */
typedef struct rct_run_options {
    double dt;    /* s, > 0                                                                   */
    double t_end; /* s, a whole number of steps after the time of the solver                  */
    int64_t
        frames; /* states that are measured, at even steps, the first and the last included, >= 2;
                         0: 101, or all that there are                                            */
    double max_drift; /* a run with a larger drift_share fails at its end; 0: none does           */
    const char *recording;    /* file of all frames (riccatree/recorder.h), NULL: none            */
    int overwrite;            /* 0: a recording that is there is an error                         */
    const char *command_line; /* written into the recording, may be NULL                          */
    const char *
        checkpoint; /* file of checkpoints (riccatree/checkpoint.h), replaced if it is there; NULL: none */
    int64_t checkpoint_steps; /* one after so many steps; 0: by time                              */
    double checkpoint_seconds; /* by the clock, between one and the next                          */
    const void *note;          /* of the caller, in every checkpoint                              */
    int64_t note_bytes;
    rct_run_watch *watch; /* may be NULL                                                          */
    void *context;        /* of it                                                                */
    const rct_checkpoint
        *from; /* NULL: the run begins; else it goes on from there (rct_run_options_of) */
} rct_run_options;

/* 1 s in steps of 1e-3 s, no files, 60 s between checkpoints */
RCT_API void rct_run_options_init(rct_out out);
static inline rct_run_options rct_run_options_default(void)
{
    rct_run_options x;
    rct_run_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* How many steps of dt (s, > 0) there are in a span (s, > 0). RCT_ERROR_ARGUMENT unless it is a whole number, within 1e-9: neither
 * is bent; the error names the nearest spans. */
RCT_API rct_status rct_run_steps(double span, double dt, int64_t *steps, rct_error *error);

/* The frames of a run of so many steps: `asked`, 0: 101, or all that there are. RCT_ERROR_ARGUMENT for fewer than 2 and more than there are
 * states. */
RCT_API rct_status rct_run_frames(int64_t steps, int64_t asked, int64_t *frames, rct_error *error);

/* Steps before a frame of a run: the first is before the first step, the last after the last one. */
RCT_API int64_t rct_run_frame_step(int64_t steps, int64_t frames, int64_t frame);

/* Step `solver`, made from `model`, to options.t_end. The first checkpoint is written before the first step, others as they are due
 * between steps; frames reach the disk before a checkpoint that counts them.
 *
 * Ended by `watch` it is RCT_OK with report.done < report.steps: a checkpoint is written, and the recording is closed as incomplete. Errors
 * of files and of steps (rct_solver_step) leave the solver at the last whole step, the recording closed with the frames
 * measured, and the last checkpoint. At the end of a run that is whole: RCT_ERROR_LOOP where a loop is open that was to be kept closed,
 * RCT_ERROR_DIVERGED where the drift is beyond max_drift; both leave all files whole. RCT_ERROR_ARGUMENT before all for options that
 * make no run, max_drift where there is no drift to tell, and a checkpoint of another run. `report` may be NULL; it is filled
 * in any case. */
RCT_API rct_status rct_solver_run_sized(rct_solver *solver, const rct_model *model, rct_in options,
                                        rct_out report, rct_error *error);
static inline rct_status rct_solver_run(rct_solver *solver, const rct_model *model,
                                        const rct_run_options *options, rct_run_report *report,
                                        rct_error *error)
{
    return rct_solver_run_sized(solver, model, rct_in_of(options, sizeof *options, 0, 0),
                                rct_out_of(report, sizeof *report, 0, 0), error);
}

/* The options of the run that a checkpoint is of, to go on with it: `from` is the checkpoint, `checkpoint` its file, `recording` the place of its
 * recording, `note` that of the caller; texts live as long as the checkpoint. `recording` may be
 * changed where the file has been moved, the times between checkpoints at will; `watch` is NULL. rct_solver_run restores the solver.
 * RCT_ERROR_ARGUMENT for a checkpoint that no run has written, RCT_ERROR_IO for one whose numbers no run has. */
RCT_API rct_status rct_run_options_of_sized(const rct_checkpoint *checkpoint, rct_out options,
                                            rct_error *error);
static inline rct_status rct_run_options_of(const rct_checkpoint *checkpoint,
                                            rct_run_options *options, rct_error *error)
{
    return rct_run_options_of_sized(checkpoint, rct_out_of(options, sizeof *options, 0, 0), error);
}

/* The longest step (s) of rk4 that springs and dampers allow, at hinges and between points, by the stiffest motion that they make, and the
 * body that moves most by it; INFINITY and -1 where there are none, and of models with loops that hold. It is found from above, so that
 * longer steps end in numbers without a meaning; it may be a few percent too long. Some 24 operators of O(n) (riccatree/operators.h), whose
 * errors it has. */
RCT_API rct_status rct_solver_longest_step(rct_solver *solver, const rct_model *model, double *step,
                                           int32_t *body, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
