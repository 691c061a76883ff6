/* Where the frames of a view come from. */
#include "core/error.h"
#include "view/view.h"

#include <string.h>

rct_status rct_view_read(const rct_view_source *source, const char *quantity, int64_t frame,
                         double *numbers, rct_error *error)
{
    if (source->recording != NULL) {
        const int32_t index = rct_recording_find(source->recording, quantity);
        return rct_recording_read(source->recording, index, frame, 0, source->model->count, numbers,
                                  error);
    }
    rct_solver_get_state(source->solver, strcmp(quantity, "orientation") == 0 ? numbers : NULL,
                         strcmp(quantity, "angular_velocity") == 0 ? numbers : NULL,
                         strcmp(quantity, "position") == 0 ? numbers : NULL, NULL);
    return RCT_OK;
}

rct_status rct_view_read_sums(const rct_view_source *source, int64_t frame,
                              double sums[RCT_VIEW_SUMS], rct_error *error)
{
    static const struct {
        const char *name;
        int at;
    } parts[] = {
        {"time", 0}, {"kinetic", 1}, {"potential", 2}, {"momentum", 3}, {"angular_momentum", 6}};
    rct_status status = RCT_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const int32_t index = rct_recording_find(source->recording, parts[i].name);
        RCT_THEN(status, rct_recording_read(source->recording, index, frame, 0, 1,
                                            sums + parts[i].at, error));
    }
    return status;
}
