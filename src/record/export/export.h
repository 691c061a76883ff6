/* What writers of other formats share: a recording with its model. */
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

/* Both of the file `path`, which `to` is not, of one number of bodies, and one frame at least; to be closed in any case. */
rct_status rct_exported_open(rct_exported *from, const char *path, const char *to,
                             rct_error *error);
void rct_exported_close(rct_exported *from);

#endif
