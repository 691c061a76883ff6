/* A view of a recording or a model: the choice of what is shown, and the page. */
#include "view/view.h"
#include "core/error.h"
#include "core/sized.h"
#include "core/whole_file.h"

#include <riccatree/model_h5.h>

#include <inttypes.h>
#include <math.h>

enum {
    MOST_BYTES = 20000000, /* of a page by default                                               */
    LEAST_FRAMES = 8,      /* bodies are left out before frames go below this                    */
    MOST_SUMS = 2000       /* frames whose energies are plotted                                  */
};

void rct_view_options_init(rct_out out)
{
    const rct_view_options plain = {.most_bytes = MOST_BYTES};
    rct_give(out, &plain, rct_whole(sizeof plain));
}

/* ---- what is shown ------------------------------------------------------------------------ */

static int has_names(const rct_model *model)
{
    for (int64_t b = 0; b < model->bodies->named_room; b++) {
        if (rct_model_own_name(model, b) != NULL) {
            return 1;
        }
    }
    return 0;
}

static int64_t page_bytes(const rct_view_choice *choice)
{
    return rct_view_player_page.head_bytes + rct_view_data_bytes(choice) +
           rct_view_player_page.tail_bytes;
}

rct_status rct_view_check_size(const char *what, double metres, rct_error *error)
{
    const double most = 1e18;
    return metres <= most ? RCT_OK
                          : rct_fail(error, RCT_ERROR_UNSUPPORTED,
                                     "%s %.3g m; a page draws up to %g m: give the model in a "
                                     "larger unit of length",
                                     what, metres, most);
}

/* All bodies and as many frames as fit, at least LEAST_FRAMES; if these do not fit, as many
 * bodies as fit. */
static rct_status choose(rct_view_choice *choice, int64_t most, rct_error *error)
{
    const rct_view_source *source = choice->source;
    choice->names = has_names(source->model);
    choice->bodies = source->model->count;
    choice->frames = 1;
    choice->sums = source->recording == NULL    ? 0
                   : source->frames < MOST_SUMS ? source->frames
                                                : MOST_SUMS;
    const int64_t first = page_bytes(choice);
    choice->frames = 4; /* three more frames are whole groups of base64 */
    const int64_t three = page_bytes(choice) - first;
    const int64_t fit = most > first ? 1 + 3 * (most - first) / three : 0;
    const int64_t least = source->frames < LEAST_FRAMES ? source->frames : LEAST_FRAMES;
    choice->frames = fit < least ? least : fit < source->frames ? fit : source->frames;
    while (page_bytes(choice) > most && choice->bodies > 1) {
        const double part = (double)most / (double)page_bytes(choice);
        choice->bodies = (int64_t)fmax(1.0, floor(part * (double)choice->bodies) - 1.0);
    }
    return page_bytes(choice) <= most
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "a page of %" PRId64 " bytes cannot show one body; allow for %" PRId64
                          " bytes or more",
                          most, page_bytes(choice));
}

/* ---- the page ----------------------------------------------------------------------------- */

static rct_status write_page(const rct_view_choice *choice, const char *path, int64_t *bytes,
                             rct_error *error)
{
    rct_whole_file file;
    rct_status status = rct_whole_file_open(&file, path, error);
    if (status != RCT_OK) {
        return status;
    }
    fwrite(rct_view_player_page.head, 1, (size_t)rct_view_player_page.head_bytes, file.stream);
    status = rct_view_write_data(choice, file.stream, error);
    fwrite(rct_view_player_page.tail, 1, (size_t)rct_view_player_page.tail_bytes, file.stream);
    *bytes = rct_whole_file_bytes(&file);
    return rct_whole_file_close(&file, status, error);
}

static rct_status show(const rct_view_source *source, const char *path, rct_in options,
                       rct_out report, rct_error *error)
{
    rct_view_options own = {.most_bytes = MOST_BYTES};
    rct_view_choice choice = {.source = source};
    int64_t bytes = 0;
    if (options.at != NULL && !rct_take(&own, rct_whole(sizeof own), options, "options", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = rct_view_find_kinds(&choice, error);
    RCT_THEN(status, choose(&choice, own.most_bytes, error));
    RCT_THEN(status, rct_view_survey(&choice, error));
    RCT_THEN(status, write_page(&choice, path, &bytes, error));
    if (status == RCT_OK) {
        const double extent = fmax(choice.extent[0], fmax(choice.extent[1], choice.extent[2]));
        const rct_view_report found = {
            .bodies = source->model->count,
            .bodies_shown = choice.bodies,
            .frames = source->recording != NULL ? source->frames : 0,
            .frames_shown = source->recording != NULL ? choice.frames : 0,
            .bytes = bytes,
            .position_error = extent / RCT_VIEW_STEPS / 2.0,
        };
        rct_give(report, &found, rct_whole(sizeof found));
    }
    rct_view_forget_kinds(&choice);
    return status;
}

/* Loops as they are in the states of the recording. */
static rct_solver *solver_of(const rct_model *model, rct_error *error)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    options.as_given = rct_model_loop_count(model) > 0;
    return rct_solver_create(model, &options, error);
}

rct_status rct_view_recording_sized(const char *from, const char *path, rct_in options,
                                    rct_out report, rct_error *error)
{
    rct_recording_info info;
    rct_status status = RCT_ERROR_IO;
    rct_error why;
    error = error != NULL ? error : &why;
    if (!rct_given(from, "from", error) || !rct_given(path, "path", error) ||
        rct_whole_file_apart(path, from, error) != RCT_OK) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_view_source source = {.recording = rct_recording_open(from, error)};
    if (source.recording == NULL) {
        return error->status;
    }
    rct_model *model = rct_model_read_h5(from, error);
    rct_recording_get_info(source.recording, &info);
    if (model == NULL) {
        status = error->status;
    } else if (info.frames == 0) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT, "the recording has no frames to show yet");
        rct_error_name_file(error, from);
    } else if (rct_model_body_count(model) != info.bodies) {
        status =
            rct_fail(error, RCT_ERROR_IO,
                     "is damaged: its model has %" PRId32 " bodies, but its frames have %" PRId32,
                     rct_model_body_count(model), info.bodies);
        rct_error_name_file(error, from);
    } else {
        source.model = model;
        source.frames = info.frames;
        source.complete = info.complete;
        source.solver = solver_of(model, NULL); /* without a solver there are no forces */
        status = show(&source, path, options, report, error);
    }
    rct_solver_free(source.solver);
    rct_recording_close(source.recording);
    rct_model_free(model);
    return status;
}

rct_status rct_view_model_sized(const rct_model *model, const char *path, rct_in options,
                                rct_out report, rct_error *error)
{
    rct_error why;
    error = error != NULL ? error : &why;
    if (!rct_given(model, "model", error) || !rct_given(path, "path", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_view_source source = {.model = model, .frames = 1, .complete = 1};
    source.solver = solver_of(model, error);
    if (source.solver == NULL) {
        return error->status;
    }
    const rct_status status = show(&source, path, options, report, error);
    rct_solver_free(source.solver);
    return status;
}
