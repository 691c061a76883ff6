/* Results of an ensemble in one self-describing HDF5 file with one row per member: writing and
 * reading. docs/ensemble.md has the layout. The file takes all its space when it is created, and no
 * write changes its structure. Therefore, whenever the process ends, the rows whose status is not
 * "pending" are complete; and several processes may write rows of their own to one file at once.
 *
 * A file is used by one thread at a time. Calls that use HDF5 wait for one another, in all threads and
 * with any build of HDF5.
 */
#ifndef RICCATREE_ENSEMBLE_FILE_H
#define RICCATREE_ENSEMBLE_FILE_H

#include <riccatree/ensemble.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file of results that is written. */
typedef struct rct_ensemble_file rct_ensemble_file;

/* The number of bytes that the file will take at most; INT64_MAX if no file could hold them. */
RCT_API int64_t rct_ensemble_file_bytes_sized(const rct_ensemble *ensemble, rct_in run);
static inline int64_t rct_ensemble_file_bytes(const rct_ensemble *ensemble,
                                              const rct_ensemble_run_options *run)
{
    return rct_ensemble_file_bytes_sized(ensemble,
                                         rct_in_of(run, sizeof *run, sizeof run->solver, 0));
}

/* Create a file for the members of `run`. An existing file is replaced only with `overwrite`.
 * `command_line` may be NULL. NULL on failure, as rct_recorder_create. */
RCT_API rct_ensemble_file *rct_ensemble_file_create_sized(const char *path,
                                                          const rct_ensemble *ensemble, rct_in run,
                                                          int overwrite, const char *command_line,
                                                          rct_error *error);
static inline rct_ensemble_file *rct_ensemble_file_create(const char *path,
                                                          const rct_ensemble *ensemble,
                                                          const rct_ensemble_run_options *run,
                                                          int overwrite, const char *command_line,
                                                          rct_error *error)
{
    return rct_ensemble_file_create_sized(path, ensemble,
                                          rct_in_of(run, sizeof *run, sizeof run->solver, 0),
                                          overwrite, command_line, error);
}

/* Open an existing file to write the missing rows, for a run that was stopped or for a file that
 * another process has created. NULL on failure: RCT_ERROR_IO; RCT_ERROR_ARGUMENT, naming the
 * difference, if it is for another ensemble or another run; RCT_ERROR_UNSUPPORTED if another build
 * made it, which would give other bits. */
RCT_API rct_ensemble_file *rct_ensemble_file_open_sized(const char *path,
                                                        const rct_ensemble *ensemble, rct_in run,
                                                        rct_error *error);
static inline rct_ensemble_file *rct_ensemble_file_open(const char *path,
                                                        const rct_ensemble *ensemble,
                                                        const rct_ensemble_run_options *run,
                                                        rct_error *error)
{
    return rct_ensemble_file_open_sized(path, ensemble,
                                        rct_in_of(run, sizeof *run, sizeof run->solver, 0), error);
}

/* Check that no other process has the file open to write. Every writer holds a shared lock on the
 * file; if another process still holds one after `seconds`, the result is RCT_ERROR_IO. Call this
 * before rct_ensemble_file_done, and before other processes of the same job open the file. */
RCT_API rct_status rct_ensemble_file_alone(rct_ensemble_file *file, double seconds,
                                           rct_error *error);

/* Which rows are written, by this process or another, [rows]: 1 or 0. Rows that wait are written
 * first. */
RCT_API rct_status rct_ensemble_file_done(rct_ensemble_file *file, int8_t *done, rct_error *error);

/* Write a result. Rows are written by the dozen. rct_ensemble_file_flush writes those that wait, so
 * that they survive the end of this process. rct_ensemble_file_sync also brings them to the disk;
 * this is required before a checkpoint leaves them out. */
RCT_API rct_status rct_ensemble_file_write_sized(rct_ensemble_file *file, rct_in result,
                                                 rct_error *error);
static inline rct_status rct_ensemble_file_write(rct_ensemble_file *file,
                                                 const rct_member_result *result, rct_error *error)
{
    return rct_ensemble_file_write_sized(file, rct_in_of(result, sizeof *result, 0, 0), error);
}
RCT_API rct_status rct_ensemble_file_flush(rct_ensemble_file *file, rct_error *error);
RCT_API rct_status rct_ensemble_file_sync(rct_ensemble_file *file, rct_error *error);

/* Write the rows that wait, close the file and free it in any case. With `complete`, if all members
 * are written, by this process or another (else RCT_ERROR_ARGUMENT), bring the file to the disk and
 * mark it complete. NULL does nothing. */
RCT_API rct_status rct_ensemble_file_close(rct_ensemble_file *file, int complete, rct_error *error);

/* ---- reading ------------------------------------------------------------------------------ */

/* A file of results that was read. */
typedef struct rct_ensemble_results rct_ensemble_results;

/* What a file of results holds. */
typedef struct rct_ensemble_results_info {
    int64_t first, members; /* the rows are members [first, first + members) */
    int32_t variations;
    int64_t coordinates, rates;
    int64_t steps;
    double dt;
    int complete;           /* 1: the run ended normally */
    const char *model_name; /* texts live until the results are closed */
    const char *command_line;
    int checked;     /* 1: every byte was compared with checksums; 0: an older version made the
                      * file, without checksums */
    int64_t series;  /* frames of the series; 0: none */
    int64_t tracked; /* bodies whose hinge points the series hold */
    /* what made the file; texts as above */
    const char *library_version, *method, *backend;
} rct_ensemble_results_info;

/* Read all rows and compare them with their checksums. NULL on failure: RCT_ERROR_IO for a file
 * that cannot be read, is not a file of an ensemble, or is damaged anywhere. A file that an older
 * version made without checksums is read as far as possible (`checked`). */
RCT_API rct_ensemble_results *rct_ensemble_results_open(const char *path, rct_error *error);
/* Free what was read. */
RCT_API void rct_ensemble_results_close(rct_ensemble_results *results);
/* What a file of results holds. */
RCT_API void rct_ensemble_results_get_info_sized(const rct_ensemble_results *results, rct_out info);
static inline void rct_ensemble_results_get_info(const rct_ensemble_results *results,
                                                 rct_ensemble_results_info *info)
{
    rct_ensemble_results_get_info_sized(results, rct_out_of(info, sizeof *info, 0, 0));
}

/* Copy variation `index` out, as rct_ensemble_variation. */
RCT_API rct_status rct_ensemble_results_variation_sized(const rct_ensemble_results *results,
                                                        int32_t index, rct_out variation,
                                                        rct_error *error);
static inline rct_status rct_ensemble_results_variation(const rct_ensemble_results *results,
                                                        int32_t index, rct_variation *variation,
                                                        rct_error *error)
{
    return rct_ensemble_results_variation_sized(
        results, index, rct_out_of(variation, sizeof *variation, 0, 0), error);
}

enum { RCT_MEMBER_PENDING = -1, RCT_MEMBER_TEXT = 192 };

/* Create the ensemble that the file belongs to. `run` gets how it was run: all options that bits
 * depend on. `track` and texts live until the results are closed; do not close them before the run
 * has ended. NULL on failure: RCT_ERROR_IO for a damaged file, RCT_ERROR_UNSUPPORTED if another
 * build made it. */
RCT_API rct_ensemble *rct_ensemble_results_ensemble_sized(const rct_ensemble_results *results,
                                                          rct_out run, rct_error *error);
static inline rct_ensemble *rct_ensemble_results_ensemble(const rct_ensemble_results *results,
                                                          rct_ensemble_run_options *run,
                                                          rct_error *error)
{
    return rct_ensemble_results_ensemble_sized(
        results, rct_out_of(run, sizeof *run, sizeof run->solver, 0), error);
}

/* Read columns of all rows: status (RCT_MEMBER_PENDING or an rct_status), time (s), energy and
 * energy_drift (J), [members] each; parameters [members][variations]. Any array may be NULL. */
RCT_API rct_status rct_ensemble_results_read(const rct_ensemble_results *results, int32_t *status,
                                             double *time, double *energy, double *energy_drift,
                                             double *parameters, rct_error *error);

/* Read the times (s) of the frames of the series, [series], and the ids of the tracked bodies,
 * [tracked]. Either array may be NULL. */
RCT_API rct_status rct_ensemble_results_series(const rct_ensemble_results *results, double *time,
                                               int32_t *bodies, rct_error *error);

/* Read rows [first, first + count): the last state, coordinates [count][coordinates] and rates
 * [count][rates] by hinge; or the series, energy [count][series], J, and position
 * [count][series][tracked][3], m. NaN: not reached. Any array may be NULL. RCT_ERROR_ARGUMENT if
 * the file has no such rows. */
RCT_API rct_status rct_ensemble_results_states(const rct_ensemble_results *results, int64_t first,
                                               int64_t count, double *coordinates, double *rates,
                                               rct_error *error);
RCT_API rct_status rct_ensemble_results_motions(const rct_ensemble_results *results, int64_t first,
                                                int64_t count, double *energy, double *position,
                                                rct_error *error);

/* Why row `row` failed, cut to fit; "" if it did not fail. */
RCT_API rct_status rct_ensemble_results_text(const rct_ensemble_results *results, int64_t row,
                                             char text[RCT_MEMBER_TEXT], rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
