/* The options of an ensemble run: defaults, checks, and when frames are taken. */
#include "core/error.h"
#include "core/sized.h"
#include "ensemble/begun.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_ASIDE = 1 << 20, MOST_THREADS = 1024 };

static const rct_sizes run_shape = {sizeof(rct_ensemble_run_options),
                                    offsetof(rct_ensemble_run_options, solver),
                                    sizeof(rct_solver_options)};

void rct_ensemble_run_options_init(rct_out out)
{
    rct_ensemble_run_options own;
    memset(&own, 0, sizeof own); /* the padding too: it is written */
    own.dt = 1e-3;
    own.steps = 1000;
    own.solver = rct_solver_options_default();
    rct_give(out, &own, run_shape);
}

int rct_ensemble_take_run(rct_ensemble_run_options *own, rct_in in, const char *name,
                          rct_error *error)
{
    *own = rct_ensemble_run_options_default();
    return rct_take(own, run_shape, in, name, error);
}

void rct_ensemble_give_run(rct_out out, const rct_ensemble_run_options *own)
{
    rct_give(out, own, run_shape);
}

int64_t rct_ensemble_frame_step(const rct_ensemble_run_options *run, int64_t frame)
{
    const int64_t last = run->series >= 2 ? run->series - 1 : 1;
    return run->steps / last * frame + run->steps % last * frame / last;
}

int64_t rct_ensemble_frames(const rct_ensemble_run_options *run)
{
    return run->series >= 2 ? run->series : 2;
}

/* ---- checks ------------------------------------------------------------------------------- */

static rct_status check_series(const rct_ensemble *e, const rct_ensemble_run_options *o,
                               rct_error *error)
{
    if (o->series != 0 && (o->series < 2 || o->series - 1 > o->steps)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " frames of %" PRId64 " steps: give none, or from 2 to %" PRId64,
                        o->series, o->steps, o->steps + 1);
    }
    if (o->tracked < 0 || (o->tracked > 0 && (o->series == 0 || o->track == NULL))) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " bodies to track in a series of %" PRId64
                        " frames: give %s too",
                        o->tracked, o->series, o->series == 0 ? "frames" : "their numbers");
    }
    for (int32_t k = 0; k < o->tracked; k++) {
        if (o->track[k] < 0 || o->track[k] >= e->model->count) {
            return rct_fail(error, RCT_ERROR_ARGUMENT,
                            "there is no body %" PRId32
                            " to track; the model has bodies 0 to %" PRId32,
                            o->track[k], e->model->count - 1);
        }
    }
    return RCT_OK;
}

/* Check when batches are kept, and the batches to continue. */
static rct_status check_going_on(const rct_ensemble *e, const rct_ensemble_run_options *o,
                                 rct_error *error)
{
    if (o->keep_steps < 0 || !(o->keep_seconds >= 0.0)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "batches kept every %" PRId64 " steps or %g s: give 0 or more of each",
                        o->keep_steps, o->keep_seconds);
    }
    if (o->begun_count < 0 || (o->begun_count > 0 && o->begun == NULL)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32
                        " batches to continue, and %s array of them: give both, or neither",
                        o->begun_count, o->begun == NULL ? "no" : "an");
    }
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < o->begun_count && status == RCT_OK; i++) {
        status = rct_begun_check(&o->begun[i], i, e, o, error);
    }
    return status;
}

rct_status rct_ensemble_check_run(const rct_ensemble *e, const rct_ensemble_run_options *o,
                                  rct_error *error)
{
    if (o->first < 0 || o->first >= e->members || o->count < 0 ||
        o->count > e->members - o->first) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " members from %" PRId64
                        " on; the ensemble has members 0 to %" PRId64,
                        o->count, o->first, e->members - 1);
    }
    if (!(o->dt > 0.0) || !isfinite(o->dt) || o->steps < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " steps of %g s; give a positive step, and 0 steps or more",
                        o->steps, o->dt);
    }
    if (o->threads < 0 || o->threads > MOST_THREADS || o->batch < 0 || o->batch > MOST_ASIDE) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " threads, batches of %" PRId64
                        ": give 0 to %d threads and batches of 0 to %d members",
                        o->threads, o->batch, MOST_THREADS, MOST_ASIDE);
    }
    const rct_status status = check_series(e, o, error);
    return status == RCT_OK ? check_going_on(e, o, error) : status;
}

rct_status rct_ensemble_check_delivery(const rct_ensemble_run_options *o, rct_error *error)
{
    return o->deliver != NULL
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "options: give `deliver`, a function that receives the results");
}
