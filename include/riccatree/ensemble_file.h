/* The results of an ensemble in one self-describing HDF5 file, with a row a member; and reading it. docs/ensemble.md has
 * the layout. All space is taken when the file is made, and no write changes its structure: whenever the process ends, the
 * rows whose status is not "pending" are whole; and several processes may write rows of their own to one file at once.
 *
 * A file is used by one thread at a time. Debian's HDF5 is not thread-safe: calls of several threads wait for one another.
 */
#ifndef RICCATREE_ENSEMBLE_FILE_H
#define RICCATREE_ENSEMBLE_FILE_H

#include <riccatree/ensemble.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The file that results are written to. */
typedef struct rct_ensemble_file rct_ensemble_file;

/* Bytes the file will take at most; INT64_MAX where no file could hold them. */
RCT_API int64_t rct_ensemble_file_bytes_sized(const rct_ensemble *ensemble, rct_in run);
static inline int64_t rct_ensemble_file_bytes(const rct_ensemble *ensemble,
                                              const rct_ensemble_run_options *run)
{
    return rct_ensemble_file_bytes_sized(ensemble,
                                         rct_in_of(run, sizeof *run, sizeof run->solver, 0));
}

/* A file for the members that `run` asks for; in place of one that is there only with `overwrite`. `command_line` may be NULL. NULL
 * on failure, as rct_recorder_create. */
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

/* A file that is there, to write what is missing: of a run that was stopped, or of one that another process has begun. NULL
 * on failure: RCT_ERROR_IO; RCT_ERROR_ARGUMENT, naming what differs, if it is for another ensemble or another run;
 * RCT_ERROR_UNSUPPORTED if another build made it, which would give other bits. */
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

/* Whoever has a file open to write holds a shared lock on it. This fails with RCT_ERROR_IO if another process still does after
 * `seconds`: call it before looking at what is done, and before processes of the same job open it. */
RCT_API rct_status rct_ensemble_file_alone(rct_ensemble_file *file, double seconds,
                                           rct_error *error);

/* Which members are there, whoever wrote them, [rows]: 1 or 0. What waits is written first. */
RCT_API rct_status rct_ensemble_file_done(rct_ensemble_file *file, int8_t *done, rct_error *error);

/* Take a result. Rows are written by the dozen: rct_ensemble_file_flush writes those that wait, to where they survive the
 * end of this process; rct_ensemble_file_sync also brings them to the disk, as a checkpoint asks before it leaves them out. */
RCT_API rct_status rct_ensemble_file_write_sized(rct_ensemble_file *file, rct_in result,
                                                 rct_error *error);
static inline rct_status rct_ensemble_file_write(rct_ensemble_file *file,
                                                 const rct_member_result *result, rct_error *error)
{
    return rct_ensemble_file_write_sized(file, rct_in_of(result, sizeof *result, 0, 0), error);
}
RCT_API rct_status rct_ensemble_file_flush(rct_ensemble_file *file, rct_error *error);
RCT_API rct_status rct_ensemble_file_sync(rct_ensemble_file *file, rct_error *error);

/* Write what waits; with `complete`, and all members there, whoever wrote them (RCT_ERROR_ARGUMENT if not), bring the file
 * to the disk and mark it complete. Closed and freed in any case. NULL does nothing. */
RCT_API rct_status rct_ensemble_file_close(rct_ensemble_file *file, int complete, rct_error *error);

/* ---- reading ------------------------------------------------------------------------------ */

/* A file of results that was read. */
typedef struct rct_ensemble_results rct_ensemble_results;

/* What a file of results holds. */
typedef struct rct_ensemble_results_info {
    int64_t first, members; /* the rows are members [first, first + members)                     */
    int32_t variations;
    int64_t coordinates, rates;
    int64_t steps;
    double dt;
    int complete;           /* 1: the run ended as it should                                    */
    const char *model_name; /* texts live until the results are closed                          */
    const char *command_line;
    int checked; /* 1: every byte was held against checksums; 0: an older version made it, without */
    int64_t series;  /* frames of the series, 0: none                                             */
    int64_t tracked; /* bodies whose hinge points the series hold                                 */
    const char *library_version, *method, *backend; /* what made it; texts as above               */
} rct_ensemble_results_info;

/* All rows are read and held against their checksums. NULL on failure: RCT_ERROR_IO for a file that cannot be read, is none of an
 * ensemble, or is damaged anywhere. One that an older version made without checksums is read as far as it goes (`checked`). */
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

/* As rct_ensemble_variation. */
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

/* The ensemble that the file is of, and how it was run: all of `run` that bits depend on; `track` and texts live until the
 * results are closed: not before the run has ended. NULL on failure: RCT_ERROR_IO for a damaged file, RCT_ERROR_UNSUPPORTED if another build made it. */
RCT_API rct_ensemble *rct_ensemble_results_ensemble_sized(const rct_ensemble_results *results,
                                                          rct_out run, rct_error *error);
static inline rct_ensemble *rct_ensemble_results_ensemble(const rct_ensemble_results *results,
                                                          rct_ensemble_run_options *run,
                                                          rct_error *error)
{
    return rct_ensemble_results_ensemble_sized(
        results, rct_out_of(run, sizeof *run, sizeof run->solver, 0), error);
}

/* Columns of all rows: status (RCT_MEMBER_PENDING or an rct_status), [members]; time, energy and energy_drift [members];
 * parameters [members][variations]. NULL for what is not wanted. */
RCT_API rct_status rct_ensemble_results_read(const rct_ensemble_results *results, int32_t *status,
                                             double *time, double *energy, double *energy_drift,
                                             double *parameters, rct_error *error);

/* Of the series: the times of its frames, s, [series], and the ids of the tracked bodies, [tracked]. NULL for what is not wanted. */
RCT_API rct_status rct_ensemble_results_series(const rct_ensemble_results *results, double *time,
                                               int32_t *bodies, rct_error *error);

/* Of rows [first, first + count) the last state, coordinates [count][coordinates] and rates [count][rates] by hinge; and the series,
 * energy [count][series], J, and position [count][series][tracked][3], m. NaN: not reached. NULL for what is not wanted.
 * RCT_ERROR_ARGUMENT if the file has no such rows. */
RCT_API rct_status rct_ensemble_results_states(const rct_ensemble_results *results, int64_t first,
                                               int64_t count, double *coordinates, double *rates,
                                               rct_error *error);
RCT_API rct_status rct_ensemble_results_motions(const rct_ensemble_results *results, int64_t first,
                                                int64_t count, double *energy, double *position,
                                                rct_error *error);

/* Why row `row` failed, cut to fit; "" if it did not. */
RCT_API rct_status rct_ensemble_results_text(const rct_ensemble_results *results, int64_t row,
                                             char text[RCT_MEMBER_TEXT], rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
