/* Options of a run: defaults, how many steps it takes, and after which of them a frame is
 * measured. */
#include "core/error.h"
#include "core/new_file.h"
#include "core/sized.h"
#include "dynamics/solver.h"
#include "run/run.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_INTERVALS = 100 };

static const double most_steps = 1e15;
static const int64_t most_frames = 1000000000;

void rct_run_options_init(rct_out out)
{
    rct_run_options own;
    memset(&own, 0, sizeof own); /* with its padding, which is given out too */
    own.dt = 1e-3;
    own.t_end = 1.0;
    own.checkpoint_seconds = 60.0;
    rct_give(out, &own, rct_whole(sizeof own));
}

rct_status rct_run_check_model(const rct_solver *solver, const rct_model *model, rct_error *error)
{
    rct_solver_info info;
    rct_body body = rct_body_default();
    const int32_t bodies = rct_model_body_count(model);
    int64_t rates = 0;
    rct_solver_get_info(solver, &info);
    for (int32_t b = 0; b < bodies; b++) {
        rct_model_body(model, b, &body, NULL);
        rates += rct_hinge_freedoms(body.hinge);
    }
    if (bodies != info.bodies || rates != info.dof) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "the model has %" PRId32 " bodies with %" PRId64
                        " rates, and that of the solver has %" PRId64 " with %" PRId64
                        "; give the model that the solver was made from",
                        bodies, rates, (int64_t)info.bodies, (int64_t)info.dof);
    }
    const char *what = rct_plan_differs(solver->plan, model);
    return what == NULL ? RCT_OK
                        : rct_fail(error, RCT_ERROR_ARGUMENT,
                                   "the model has changed since the solver was made from it: its "
                                   "%s; make the solver anew",
                                   what);
}

rct_status rct_run_steps(double span, double dt, int64_t *steps, rct_error *error)
{
    if (!rct_given(steps, "steps", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (!(span > 0.0 && isfinite(span) && dt > 0.0 && isfinite(dt))) {
        return rct_fail(
            error, RCT_ERROR_ARGUMENT,
            "%.12g s in steps of %.12g s: give a positive step, and an end after the present time",
            span, dt);
    }
    const double ratio = span / dt, below = floor(ratio);
    if (!(ratio <= most_steps)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%.12g s are more than %g steps of %.12g s; take longer steps", span,
                        most_steps, dt);
    }
    *steps = llround(ratio);
    if (*steps > 0 && fabs((double)*steps * dt - span) <= 1e-9 * span) {
        return RCT_OK;
    }
    if (below < 1.0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%.12g s is less than one step of %.12g s; the nearest is %.12g s", span,
                        dt, dt);
    }
    return rct_fail(
        error, RCT_ERROR_ARGUMENT,
        "%.12g s is not a whole number of steps of %.12g s; the nearest are %.12g s and %.12g s",
        span, dt, below * dt, (below + 1.0) * dt);
}

/* floor(frame steps / intervals) without the product, which could overflow. */
int64_t rct_run_frame_step(int64_t steps, int64_t frames, int64_t frame)
{
    const int64_t intervals = frames >= 2 ? frames - 1 : 1;
    return steps / intervals * frame + steps % intervals * frame / intervals;
}

rct_status rct_run_frames(int64_t steps, int64_t asked, int64_t *frames, rct_error *error)
{
    if (!rct_given(frames, "frames", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    *frames = asked != 0 ? asked : (steps < USUAL_INTERVALS ? steps : USUAL_INTERVALS) + 1;
    if (*frames > steps + 1) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " frames: there are no more than %" PRId64 " states in %" PRId64
                        " step%s; give fewer",
                        *frames, steps + 1, steps, rct_plural(steps));
    }
    return *frames >= 2 && *frames <= most_frames
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT, "%" PRId64 " frames; give from 2 to %" PRId64,
                          *frames, most_frames);
}

/* The folder and the name that `path` leads to, whether a file is there or not; 0: there is no such
 * folder. */
static int find_place(const char *path, char place[2 * PATH_MAX])
{
    char target[PATH_MAX], within[PATH_MAX], folder[PATH_MAX];
    if (rct_follow_links(target, path) != 0) {
        return 0;
    }
    const char *slash = strrchr(target, '/'), *name = slash != NULL ? slash + 1 : target;
    snprintf(within, sizeof within, "%.*s", (int)(name - target), target);
    if (realpath(slash != NULL ? within : ".", folder) == NULL) {
        return 0;
    }
    snprintf(place, 2 * PATH_MAX, "%s/%s", folder, name);
    return 1;
}

/* The suffix by which writing the checkpoint would replace the recording; NULL: none. */
static const char *clash(const char *recording, const char *checkpoint)
{
    static const char *const behind[] = {"", ".previous", ".lock"};
    char one[2 * PATH_MAX], other[2 * PATH_MAX];
    if (!find_place(recording, one) || !find_place(checkpoint, other)) {
        return NULL;
    }
    const size_t size = strlen(other);
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        if (strncmp(one, other, size) == 0 && strcmp(one + size, behind[i]) == 0) {
            return behind[i];
        }
    }
    return NULL;
}

rct_status rct_run_plan(rct_running *run, rct_error *error)
{
    const rct_run_options *o = &run->options;
    if (!(o->max_drift >= 0.0 && o->checkpoint_steps >= 0 && o->checkpoint_seconds >= 0.0 &&
          o->note_bytes >= 0 && (o->note != NULL || o->note_bytes == 0))) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "max_drift %g, checkpoint_steps %" PRId64
                        ", checkpoint_seconds %g, %" PRId64
                        " bytes of a note: give numbers that are not negative, and the note",
                        o->max_drift, o->checkpoint_steps, o->checkpoint_seconds, o->note_bytes);
    }
    const char *behind =
        o->recording != NULL && o->checkpoint != NULL ? clash(o->recording, o->checkpoint) : NULL;
    if (behind != NULL) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "checkpoint %s: that%s%s is also the recording; name another file",
                        o->checkpoint, behind[0] != '\0' ? " and " : "", behind);
    }
    if (o->t_end <= run->note.start) {
        return rct_fail(
            error, RCT_ERROR_ARGUMENT,
            "the end, %.12g s, is not after the present time, %.12g s; give a later end", o->t_end,
            run->note.start);
    }
    rct_run_report *r = &run->note.report;
    rct_status status = rct_run_steps(o->t_end - run->note.start, o->dt, &r->steps, error);
    RCT_THEN(status, rct_run_frames(r->steps, o->frames, &r->frames, error));
    return status;
}
