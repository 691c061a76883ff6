/* Reading recordings (riccatree/recorder.h), frame by frame and quantity by quantity, as
 * docs/trajectory-file.md describes them.
 *
 * A recording is used by one thread at a time. Calls that use HDF5 wait for one another, in all threads and
 * with any build of HDF5.
 */
#ifndef RICCATREE_RECORDING_H
#define RICCATREE_RECORDING_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A recording that is read. */
typedef struct rct_recording rct_recording;

/* What a recording holds. */
typedef struct rct_recording_info {
    int32_t bodies;
    int32_t quantities; /* number of quantities */
    int64_t frames;     /* number of frames written, possibly 0; the first frame is 0 */
    int complete;       /* 1: the run ended normally */
    int checked;        /* 1: every frame was compared with its checksum; 0: an older version
                         * made the file, without checksums */

    /* What made the file. Texts live until the recording is closed; "" and 0 if the file does
     * not say. */
    const char *library_version;
    const char *created; /* UTC, "2026-11-26T12:00:00Z" */
    const char *command_line;
    const char *model_name;
    const char *method, *backend;
    double dt, t_end; /* s */
    int64_t threads;
    const char *integrator;
    double tolerance;            /* for integrators with error control */
    const char *closing, *drift; /* for models with loops */
    double baumgarte[2];         /* 1/s, alpha and beta of the drift "baumgarte" */
} rct_recording_info;

/* A dataset of /frames: in each frame `rows` rows of `width` numbers. */
typedef struct rct_quantity {
    const char *name;        /* "position" */
    const char *unit;        /* "m" */
    const char *axes;        /* "inertial axes" */
    const char *description; /* "hinge point of the body" */
    int64_t rows;            /* one per body, or 1 for the whole system */
    int64_t width;           /* numbers per row */
} rct_quantity;

/* Open a recording, even while it is being written: it has the frames written so far. NULL on
 * failure: RCT_ERROR_IO for a file that cannot be read or is damaged, naming the first frame that
 * is not as it was written; RCT_ERROR_UNSUPPORTED for a file that is no recording. */
RCT_API rct_recording *rct_recording_open(const char *path, rct_error *error);
RCT_API void rct_recording_close(rct_recording *reader); /* NULL does nothing */

/* What a recording holds. */
RCT_API void rct_recording_get_info_sized(const rct_recording *reader, rct_out info);
static inline void rct_recording_get_info(const rct_recording *reader, rct_recording_info *info)
{
    rct_recording_get_info_sized(reader, rct_out_of(info, sizeof *info, 0, 0));
}

/* Describe quantity number `index`; texts live as long as the library is loaded.
 * RCT_ERROR_ARGUMENT: there is none. */
RCT_API rct_status rct_recording_quantity_sized(const rct_recording *reader, int32_t index,
                                                rct_out quantity, rct_error *error);
static inline rct_status rct_recording_quantity(const rct_recording *reader, int32_t index,
                                                rct_quantity *quantity, rct_error *error)
{
    return rct_recording_quantity_sized(reader, index, rct_out_of(quantity, sizeof *quantity, 0, 0),
                                        error);
}

/* The number of the quantity called `name`, or -1. */
RCT_API int32_t rct_recording_find(const rct_recording *reader, const char *name);

/* Read rows [first, first + rows) of a quantity in a frame into `numbers` [rows][width].
 * RCT_ERROR_ARGUMENT: no such quantity, frame or rows; RCT_ERROR_IO. */
RCT_API rct_status rct_recording_read(rct_recording *reader, int32_t quantity, int64_t frame,
                                      int64_t first, int64_t rows, double *numbers,
                                      rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
