/* Shared by the writers of other formats: a recording with its model. */
#ifndef RCT_RECORD_EXPORT_EXPORT_H
#define RCT_RECORD_EXPORT_EXPORT_H

#include "model/model.h"

#include <riccatree/export.h>
#include <riccatree/recording.h>

typedef struct rct_exported {
    rct_recording *recording;
    rct_model *model;
    rct_recording_info info;
} rct_exported;

/* Open the recording and the model of the file `path`. Fails if `to` is the same file, if the
 * numbers of bodies differ, or if there is no frame. Close it in any case. */
rct_status rct_exported_open(rct_exported *from, const char *path, const char *to,
                             rct_error *error);
void rct_exported_close(rct_exported *from);

#endif
