/* A recording with its model, to be written in another format. */
#include "core/error.h"
#include "core/whole_file.h"
#include "record/export/export.h"

#include <riccatree/model_h5.h>

#include <inttypes.h>

rct_status rct_exported_open(rct_exported *from, const char *path, const char *to, rct_error *error)
{
    *from = (rct_exported){.recording = NULL};
    rct_status status = rct_whole_file_apart(to, path, error);
    if (status != RCT_OK) {
        return status;
    }
    from->recording = rct_recording_open(path, error);
    if (from->recording == NULL) {
        return error->status;
    }
    from->model = rct_model_read_h5(path, error);
    rct_recording_get_info(from->recording, &from->info);
    if (from->model == NULL) {
        return error->status;
    }
    if (from->info.frames == 0) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT, "the recording has no frames yet");
    } else if (from->model->count != from->info.bodies) {
        status =
            rct_fail(error, RCT_ERROR_IO,
                     "is damaged: its model has %" PRId32 " bodies, but its frames have %" PRId32,
                     from->model->count, from->info.bodies);
    }
    if (status != RCT_OK) {
        rct_error_name_file(error, path);
    }
    return status;
}

void rct_exported_close(rct_exported *from)
{
    rct_recording_close(from->recording);
    rct_model_free(from->model);
}
