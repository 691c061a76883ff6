/* Check that a file which Riccatree wrote is unchanged. */
#ifndef RICCATREE_CHECK_H
#define RICCATREE_CHECK_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of files. */
typedef enum rct_file_kind {
    RCT_FILE_RECORDING,  /* riccatree/recorder.h */
    RCT_FILE_ENSEMBLE,   /* riccatree/ensemble_file.h */
    RCT_FILE_CHECKPOINT, /* riccatree/checkpoint.h, or riccatree/ensemble_checkpoint.h */
    RCT_FILE_MODEL       /* riccatree/model_h5.h */
} rct_file_kind;

/* What rct_file_check finds in a file. */
typedef struct rct_file_info {
    rct_file_kind kind;
    int64_t room;    /* room in the file: frames of a recording, rows of an ensemble, bodies of a
                      * model; 0 for a checkpoint */
    int64_t written; /* how many of these are written */
    int complete;    /* 1: the run ended normally; always 1 for models and checkpoints */
    int checked;     /* 1: every byte was compared with checksums; 0: an older version or another
                      * program made the file: it can be read, and no more is known */
} rct_file_info;

/* Check a file: read all of a recording, a file of an ensemble, a model in HDF5 or a checkpoint.
 * `info` is filled on RCT_OK. The file may be written meanwhile. RCT_ERROR_IO for a file that
 * cannot be read, is none of these, or is damaged: the error names the first frame or row that is
 * not as it was written. RCT_ERROR_UNSUPPORTED for a checkpoint of another build, from which this
 * build cannot continue; RCT_ERROR_MODEL as rct_model_read_h5. Files made without checksums, by an
 * older version or another program, are left to HDF5, which may crash on a damaged one. */
RCT_API rct_status rct_file_check_sized(const char *path, rct_out info, rct_error *error);
static inline rct_status rct_file_check(const char *path, rct_file_info *info, rct_error *error)
{
    return rct_file_check_sized(path, rct_out_of(info, sizeof *info, 0, 0), error);
}

#ifdef __cplusplus
}
#endif
#endif
