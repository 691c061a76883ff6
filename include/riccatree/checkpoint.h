/* Checkpoints: a run in one file, from which it continues bit for bit.
 *
 * A checkpoint holds the model, the options of the solver, its time and its state as the backend
 * has it, and a note of the caller. The same build on the same backend continues as if it had never
 * stopped, with any number of threads. A checkpoint is replaced whole: the new one is written
 * beside the older one, brought to the disk, and takes its name, while the older one stays as
 * FILE.previous. At every moment FILE is a whole checkpoint. docs/checkpoint-file.md describes the
 * file.
 */
#ifndef RICCATREE_CHECKPOINT_H
#define RICCATREE_CHECKPOINT_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ------------------------------------------------------------------------------ */

/* Writes one checkpoint after another to the same file. */
typedef struct rct_checkpoint_writer rct_checkpoint_writer;

/* Create a writer for the checkpoints of `solver`. The solver must outlive the writer; it was made
 * from `model`, which is copied. The file is not touched yet, but claimed: the writer holds a lock
 * on FILE.lock until it is freed or its process ends. NULL on failure: RCT_ERROR_IO for a path that
 * is no regular file or that another run writes to, RCT_ERROR_ARGUMENT for no path or a solver of
 * another model, RCT_ERROR_MEMORY. */
RCT_API rct_checkpoint_writer *rct_checkpoint_writer_create(const char *path,
                                                            const rct_model *model,
                                                            const rct_solver *solver,
                                                            rct_error *error);

/* Write the solver as it is now, after `steps` steps, with `bytes` bytes of the caller, which are
 * stored unchanged. The checkpoint is on the disk when this returns RCT_OK; else the one before it
 * is unchanged. RCT_ERROR_ARGUMENT for negative `steps`. Allocates no memory. */
RCT_API rct_status rct_checkpoint_write(rct_checkpoint_writer *writer, int64_t steps,
                                        const void *note, int64_t bytes, rct_error *error);

RCT_API void rct_checkpoint_writer_free(rct_checkpoint_writer *writer); /* the file stays */

/* ---- reading ------------------------------------------------------------------------------ */

/* A checkpoint that was read. */
typedef struct rct_checkpoint rct_checkpoint;

/* Read a checkpoint and check all of it. NULL on failure: RCT_ERROR_IO for a file that does not
 * exist, is no checkpoint or is damaged in any byte, RCT_ERROR_UNSUPPORTED for one of another
 * format or another build. */
RCT_API rct_checkpoint *rct_checkpoint_open(const char *path, rct_error *error);
/* Free a checkpoint. */
RCT_API void rct_checkpoint_close(rct_checkpoint *checkpoint);

/* What a checkpoint says of its run. */
typedef struct rct_checkpoint_info {
    rct_solver_options options; /* for making the solver; `threads` is 0 and may be changed */
    double time;                /* s */
    int64_t steps;              /* as given to rct_checkpoint_write */
    const void *note;           /* the caller's bytes, 8-byte aligned; valid until the checkpoint
                                 * is closed */
    int64_t note_bytes;
} rct_checkpoint_info;

/* What a checkpoint says of its run. */
RCT_API void rct_checkpoint_get_info_sized(const rct_checkpoint *checkpoint, rct_out info);
static inline void rct_checkpoint_get_info(const rct_checkpoint *checkpoint,
                                           rct_checkpoint_info *info)
{
    rct_checkpoint_get_info_sized(checkpoint,
                                  rct_out_of(info, sizeof *info, sizeof info->options, 0));
}

/* Create the model of the run. NULL on failure. */
RCT_API rct_model *rct_checkpoint_model(const rct_checkpoint *checkpoint, rct_error *error);

/* Give time and state to a solver made from `model` with the options of the checkpoint.
 * RCT_ERROR_ARGUMENT, naming the difference, if the model is another or the solver was made with
 * other options; the solver is then unchanged. RCT_ERROR_DEVICE, RCT_ERROR_MEMORY. */
RCT_API rct_status rct_checkpoint_restore(const rct_checkpoint *checkpoint, const rct_model *model,
                                          rct_solver *solver, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
