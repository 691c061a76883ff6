/* Whether a file that Riccatree wrote is as it was written. */
#ifndef RICCATREE_CHECK_H
#define RICCATREE_CHECK_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a file is. */
typedef enum rct_file_kind {
    RCT_FILE_RECORDING,  /* riccatree/recorder.h                                                  */
    RCT_FILE_ENSEMBLE,   /* riccatree/ensemble_file.h                                             */
    RCT_FILE_CHECKPOINT, /* riccatree/checkpoint.h, or of an ensemble                            */
    RCT_FILE_MODEL       /* riccatree/model_h5.h                                                 */
} rct_file_kind;

/* What rct_check_file finds in a file. */
typedef struct rct_file_info {
    rct_file_kind kind;
    int64_t room;    /* frames of a recording, rows of an ensemble, bodies of a model; of a
                        checkpoint 0                                                             */
    int64_t written; /* how many of these are there                                              */
    int complete;    /* 1: the run ended as it should; of others 1                               */
    int checked;     /* 1: every byte was held against checksums; 0: an older version or
                        another program made the file: it can be read, and no more is known      */
} rct_file_info;

/* Read all of a recording, of the file of an ensemble, of a model in HDF5 or of a checkpoint. RCT_ERROR_IO for a file that
 * cannot be read, is none of these, or is damaged: the error names the first frame or row that is not as it was written.
 * RCT_ERROR_UNSUPPORTED for a checkpoint of another build, which cannot be gone on with; RCT_ERROR_MODEL as rct_model_read_h5.
 * The file may be written meanwhile. `info` is filled on RCT_OK. Files that an older version or another program made without
 * checksums are left to HDF5, which may fall over one that is damaged. */
RCT_API rct_status rct_file_check_sized(const char *path, rct_out info, rct_error *error);
static inline rct_status rct_file_check(const char *path, rct_file_info *info, rct_error *error)
{
    return rct_file_check_sized(path, rct_out_of(info, sizeof *info, 0, 0), error);
}

#ifdef __cplusplus
}
#endif
#endif
