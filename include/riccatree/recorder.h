/* The recorder: writes frames of a simulation to a self-describing HDF5 file.
 *
 * All datasets have their final size and disk space from the start, so that a full disk shows
 * before the first step. No flush changes the structure of the file: after every flush the file is
 * valid and holds `frames_written` frames, whatever happens to the process afterwards.
 * docs/trajectory-file.md has the layout.
 *
 * A recorder is used by one thread at a time. Calls that use HDF5 wait for one another, in all threads and
 * with any build of HDF5.
 */
#ifndef RICCATREE_RECORDER_H
#define RICCATREE_RECORDER_H

#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a recording. */
typedef struct rct_recorder_options {
    int64_t frames;           /* frames the file has room for, >= 1 */
    double dt;                /* s, step of the integrator; written into the file */
    double t_end;             /* s; written into the file */
    int overwrite;            /* 0: an existing file is an error */
    const char *command_line; /* written into the file; may be NULL */
} rct_recorder_options;

/* Defaults: one frame, everything else 0. */
RCT_API void rct_recorder_options_init(rct_out out);
static inline rct_recorder_options rct_recorder_options_default(void)
{
    rct_recorder_options x;
    rct_recorder_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* The number of bytes that the file will take, known before it is made: an upper bound, at most a
 * few percent too large for large files. INT64_MAX if no file could hold them. */
RCT_API int64_t rct_recorder_file_bytes(const rct_model *model, int64_t frames);

/* Writes a recording. */
typedef struct rct_recorder rct_recorder;

/* Create the file and reserve its space. `model` is the one that `solver` was made from; `options`
 * NULL: the defaults, room for one frame. Symbolic links are followed, also to a file that does not
 * exist yet. The file is made under a temporary name next to `path` ("PATH.<process>-<k>.part") and
 * takes its own name when it is complete. NULL on failure (RCT_ERROR_IO): the file exists, is not
 * writable, another process writes to it, or the disk is full; then nothing is left behind and an
 * older file is unchanged. */
RCT_API rct_recorder *rct_recorder_create_sized(const char *path, const rct_model *model,
                                                const rct_solver *solver, rct_in options,
                                                rct_error *error);
static inline rct_recorder *rct_recorder_create(const char *path, const rct_model *model,
                                                const rct_solver *solver,
                                                const rct_recorder_options *options,
                                                rct_error *error)
{
    return rct_recorder_create_sized(path, model, solver, rct_in_of(options, sizeof *options, 0, 0),
                                     error);
}

/* Write the solver's present state as the next frame and flush. `measures` NULL: they are measured
 * here. On failure the file keeps the frames before, and the same frame may be tried again.
 * RCT_ERROR_ARGUMENT beyond the frames that the file has room for. Allocates no memory. */
RCT_API rct_status rct_recorder_write_sized(rct_recorder *recorder, const rct_solver *solver,
                                            rct_in measures, rct_error *error);
static inline rct_status rct_recorder_write(rct_recorder *recorder, const rct_solver *solver,
                                            const rct_measures *measures, rct_error *error)
{
    return rct_recorder_write_sized(recorder, solver, rct_in_of(measures, sizeof *measures, 0, 0),
                                    error);
}

/* Write the state that the solver has kept (rct_solver_keep) as the next frame, whatever the solver
 * has done since; `measures` are those of that state. RCT_ERROR_ARGUMENT if no state is kept;
 * otherwise as rct_recorder_write. */
RCT_API rct_status rct_recorder_write_kept_sized(rct_recorder *recorder, const rct_solver *solver,
                                                 rct_in measures, rct_error *error);
static inline rct_status rct_recorder_write_kept(rct_recorder *recorder, const rct_solver *solver,
                                                 const rct_measures *measures, rct_error *error)
{
    return rct_recorder_write_kept_sized(recorder, solver,
                                         rct_in_of(measures, sizeof *measures, 0, 0), error);
}

/* Open the file of a run that was interrupted or has ended, to continue after its first `frames`
 * frames; later frames are recorded again. Each of the first `frames` frames is read and compared
 * with its checksum. `options` are those that the file was made with; NULL: the defaults. NULL on
 * failure, with the file unchanged: RCT_ERROR_IO for a file that does not exist, is damaged (the
 * error names the first damaged frame), is no recording of this run, holds fewer frames, or is
 * written by another process; RCT_ERROR_UNSUPPORTED for one that an older version made without
 * checksums. */
RCT_API rct_recorder *rct_recorder_reopen_sized(const char *path, const rct_model *model,
                                                const rct_solver *solver, rct_in options,
                                                int64_t frames, rct_error *error);
static inline rct_recorder *rct_recorder_reopen(const char *path, const rct_model *model,
                                                const rct_solver *solver,
                                                const rct_recorder_options *options, int64_t frames,
                                                rct_error *error)
{
    return rct_recorder_reopen_sized(path, model, solver, rct_in_of(options, sizeof *options, 0, 0),
                                     frames, error);
}

/* Bring all frames written so far to the disk, so that they survive a power failure. */
RCT_API rct_status rct_recorder_sync(rct_recorder *recorder, rct_error *error);

/* Close the file and free the recorder in any case. If `complete` and all went well (else
 * RCT_ERROR_IO), mark the file complete. A complete file has reached the disk. NULL does
 * nothing. */
RCT_API rct_status rct_recorder_close(rct_recorder *recorder, int complete, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
