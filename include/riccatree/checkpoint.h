/* Checkpoints: a run in one file, from which it goes on bit for bit.
 *
 * A checkpoint holds the model, the options of the solver, its time and its state as the backend has it, and a
 * note of the caller. The same build on the same backend goes on as if it had never stopped, with any number
 * of threads. A checkpoint is replaced whole: it is written beside the older one, brought to the disk, and
 * takes its name, while the older one stays as FILE.previous; whatever happens meanwhile, FILE is a whole
 * checkpoint. docs/checkpoint-file.md describes the file.
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

/* Of `solver`, which outlives it and was made from `model`, which is copied. The file is not touched yet, but
 * claimed: until the writer is freed, or its process ends, it holds a lock on FILE.lock. NULL on failure: RCT_ERROR_IO for a path
 * that is no regular file or that another run writes to, RCT_ERROR_ARGUMENT for no path or a solver of
 * another model, RCT_ERROR_MEMORY. */
RCT_API rct_checkpoint_writer *rct_checkpoint_writer_create(const char *path,
                                                            const rct_model *model,
                                                            const rct_solver *solver,
                                                            rct_error *error);

/* The solver as it is now, after `steps` steps, with `bytes` bytes of the caller's, which are kept as they
 * are. The checkpoint is on the disk when this returns RCT_OK; else the one before it is as it was. RCT_ERROR_ARGUMENT for
 * negative `steps`. Allocates
 * nothing. */
RCT_API rct_status rct_checkpoint_write(rct_checkpoint_writer *writer, int64_t steps,
                                        const void *note, int64_t bytes, rct_error *error);

RCT_API void rct_checkpoint_writer_free(rct_checkpoint_writer *writer); /* the file stays */

/* ---- reading ------------------------------------------------------------------------------ */

/* A checkpoint that was read. */
typedef struct rct_checkpoint rct_checkpoint;

/* Read a checkpoint and check all of it. NULL on failure: RCT_ERROR_IO for a file that is not there, is no
 * checkpoint or is damaged in any byte, RCT_ERROR_UNSUPPORTED for one of another format or another build. */
RCT_API rct_checkpoint *rct_checkpoint_open(const char *path, rct_error *error);
/* Free a checkpoint. */
RCT_API void rct_checkpoint_close(rct_checkpoint *checkpoint);

/* What a checkpoint says of its run. */
typedef struct rct_checkpoint_info {
    rct_solver_options options; /* to make the solver with; `threads` 0, and may be any          */
    double time;                /* s                                                             */
    int64_t steps;              /* as they were given                                            */
    const void *note;           /* the caller's bytes, 8-byte aligned, until it is closed        */
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

/* The model of the run. NULL on failure. */
RCT_API rct_model *rct_checkpoint_model(const rct_checkpoint *checkpoint, rct_error *error);

/* Give time and state to a solver made from `model` with the options of the checkpoint.
 * RCT_ERROR_ARGUMENT, naming what differs, if the model is another or the solver was made otherwise; the solver
 * is then unchanged. RCT_ERROR_DEVICE, RCT_ERROR_MEMORY. */
RCT_API rct_status rct_checkpoint_restore(const rct_checkpoint *checkpoint, const rct_model *model,
                                          rct_solver *solver, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
