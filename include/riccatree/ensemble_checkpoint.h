/* Checkpoints of ensembles: the batches that were begun and are not done. They lie beside the file
 * of results, which holds the members that are done. The file FILE.checkpoint (of rank 0;
 * FILE.checkpoint-R of rank R) is replaced whole, as in riccatree/checkpoint.h, and the one before
 * it stays as .previous; docs/checkpoint-file.md describes it.
 */
#ifndef RICCATREE_ENSEMBLE_CHECKPOINT_H
#define RICCATREE_ENSEMBLE_CHECKPOINT_H

#include <riccatree/ensemble.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ------------------------------------------------------------------------------ */

/* Writes the checkpoints of one rank. */
typedef struct rct_ensemble_checkpoint_writer rct_ensemble_checkpoint_writer;

/* Create a writer of the checkpoints of one rank. `results` is the path of the file of results.
 * Nothing is written yet. NULL on failure, as rct_checkpoint_writer_create. */
RCT_API rct_ensemble_checkpoint_writer *rct_ensemble_checkpoint_writer_create_sized(
    const char *results, int32_t rank, const rct_ensemble *ensemble, rct_in run, rct_error *error);
static inline rct_ensemble_checkpoint_writer *
rct_ensemble_checkpoint_writer_create(const char *results, int32_t rank,
                                      const rct_ensemble *ensemble,
                                      const rct_ensemble_run_options *run, rct_error *error)
{
    return rct_ensemble_checkpoint_writer_create_sized(
        results, rank, ensemble, rct_in_of(run, sizeof *run, sizeof run->solver, 0), error);
}

/* Write a checkpoint with `count` batches. It is on the disk when this returns RCT_OK; else the one
 * before it is unchanged. */
RCT_API rct_status rct_ensemble_checkpoint_write(rct_ensemble_checkpoint_writer *writer,
                                                 int32_t count, const rct_ensemble_begun *batches,
                                                 rct_error *error);
/* Free a writer. */
RCT_API void rct_ensemble_checkpoint_writer_free(rct_ensemble_checkpoint_writer *writer);

/* ---- reading ------------------------------------------------------------------------------ */

/* What all checkpoints beside a file of results hold. */
typedef struct rct_ensemble_checkpoints rct_ensemble_checkpoints;

/* Read and check all checkpoints beside a file of results, previous ones too. Batches with the most
 * steps come first. A batch is left out if all its members are done (`done`: [rows] of the run, may
 * be NULL), or if it shares a member that is not done with a batch that comes before it. Without
 * checkpoints the result is empty. NULL on failure: RCT_ERROR_IO for one that is damaged in any
 * byte, RCT_ERROR_UNSUPPORTED for another format or build, RCT_ERROR_ARGUMENT, naming the
 * difference, for another ensemble or run. */
RCT_API rct_ensemble_checkpoints *
rct_ensemble_checkpoints_open_sized(const char *results, const rct_ensemble *ensemble, rct_in run,
                                    const int8_t *done, rct_error *error);
static inline rct_ensemble_checkpoints *
rct_ensemble_checkpoints_open(const char *results, const rct_ensemble *ensemble,
                              const rct_ensemble_run_options *run, const int8_t *done,
                              rct_error *error)
{
    return rct_ensemble_checkpoints_open_sized(
        results, ensemble, rct_in_of(run, sizeof *run, sizeof run->solver, 0), done, error);
}
/* Free what was read. */
RCT_API void rct_ensemble_checkpoints_close(rct_ensemble_checkpoints *checkpoints);

/* The number of batches, and in `batches` the batches for rct_ensemble_run_options; they live until
 * the checkpoints are closed. */
RCT_API int32_t rct_ensemble_checkpoints_begun(const rct_ensemble_checkpoints *checkpoints,
                                               const rct_ensemble_begun **batches);

/* Remove all checkpoints beside a file of results that is complete. */
RCT_API rct_status rct_ensemble_checkpoints_remove(const char *results, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
