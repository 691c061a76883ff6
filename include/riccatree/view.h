/* Views of a motion: one HTML file with a player and its data, which any browser with WebGL2 opens
 * without a network.
 *
 * A file has a size limit, and the player shows the bodies and frames that fit: first frames are
 * left out, evenly, down to eight, then bodies, evenly by their number. Positions are rounded to 24
 * bits of the box that holds all of them, orientations to 0.001, speeds to 1/255 of the largest.
 * The page and rct_view_report say how many bodies and frames are shown and how large the error of
 * positions is.
 */
#ifndef RICCATREE_VIEW_H
#define RICCATREE_VIEW_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a page. */
typedef struct rct_view_options {
    int64_t most_bytes; /* bytes that the file may take */
} rct_view_options;

/* Defaults: most_bytes 20e6. */
RCT_API void rct_view_options_init(rct_out out);
static inline rct_view_options rct_view_options_default(void)
{
    rct_view_options x;
    rct_view_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* What a file shows. */
typedef struct rct_view_report {
    int64_t bodies, bodies_shown;
    int64_t frames, frames_shown;   /* 0 for a model, whose start is shown */
    int64_t bytes;                  /* size of the file */
    double position_error;          /* m, largest error of the shown hinge points along an axis */
    int64_t members, members_shown; /* for an ensemble, else 0 */
} rct_view_report;

/* Write the player of the recording `from` to `path`, replacing an existing file. `options` NULL:
 * the defaults; `report` may be NULL. Errors are those of rct_recording_open and rct_model_read_h5;
 * RCT_ERROR_ARGUMENT: there is no frame, the limit is too small, or `path` is `from`;
 * RCT_ERROR_UNSUPPORTED: the view is larger than 1e18 m, which no browser draws. */
RCT_API rct_status rct_view_recording_sized(const char *from, const char *path, rct_in options,
                                            rct_out report, rct_error *error);
static inline rct_status rct_view_recording(const char *from, const char *path,
                                            const rct_view_options *options,
                                            rct_view_report *report, rct_error *error)
{
    return rct_view_recording_sized(from, path, rct_in_of(options, sizeof *options, 0, 0),
                                    rct_out_of(report, sizeof *report, 0, 0), error);
}

/* Write the player of the initial state of a model, as given, with loops open or closed. Errors are
 * those above and those of rct_solver_create. */
RCT_API rct_status rct_view_model_sized(const rct_model *model, const char *path, rct_in options,
                                        rct_out report, rct_error *error);
static inline rct_status rct_view_model(const rct_model *model, const char *path,
                                        const rct_view_options *options, rct_view_report *report,
                                        rct_error *error)
{
    return rct_view_model_sized(model, path, rct_in_of(options, sizeof *options, 0, 0),
                                rct_out_of(report, sizeof *report, 0, 0), error);
}

/* Write the player of the file of an ensemble: the motion of tracked bodies of all members as
 * points with trails, energies over time, histograms of parameters and results. In `report` bodies
 * are the tracked ones, and frames those of the series. If the limit requires it, frames are left
 * out evenly, down to eight, then members. Errors are those of rct_ensemble_results_open, and as
 * above. */
RCT_API rct_status rct_view_ensemble_sized(const char *from, const char *path, rct_in options,
                                           rct_out report, rct_error *error);
static inline rct_status rct_view_ensemble(const char *from, const char *path,
                                           const rct_view_options *options, rct_view_report *report,
                                           rct_error *error)
{
    return rct_view_ensemble_sized(from, path, rct_in_of(options, sizeof *options, 0, 0),
                                   rct_out_of(report, sizeof *report, 0, 0), error);
}

#ifdef __cplusplus
}
#endif
#endif
