/* Running an ensemble: members are claimed in runs of consecutive ones, each of which is a batch of one thread, so that
 * threads share nothing but the claim and the delivery of results. */
#include "backend/backend.h"
#include "core/error.h"
#include "core/team.h"
#include "ensemble/batch.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>

/* Links side by side: what the second-level cache of a thread holds; and what fills an accelerator. Systems of a batch
 * come by lanes (docs/decisions.md). */
enum { LINKS_ASIDE = 4096, DEVICE_LINKS_ASIDE = 1 << 20, LANES = 8, DEVICE_LANES = 32 };
enum { MOST_ASIDE = 1 << 20, MOST_THREADS = 1024 };

typedef struct ensemble_run {
    rct_batch_owner owner; /* first: what batches hold leads back here                           */
    pthread_mutex_t mutex; /* of what is below, and of the caller's functions                    */
    int64_t next, end;     /* members not claimed                                                */
    int32_t room;          /* of a batch                                                         */
    int64_t delivered, steps;
    int stop;
    rct_status status; /* of the first failure                                                   */
    rct_error *error;
} ensemble_run;

rct_ensemble_run_options rct_ensemble_run_options_default(void)
{
    return (rct_ensemble_run_options){
        .dt = 1e-3, .steps = 1000, .solver = rct_solver_options_default()};
}

int64_t rct_ensemble_frame_step(const rct_ensemble_run_options *run, int64_t frame)
{
    const int64_t last = run->series >= 2 ? run->series - 1 : 1;
    return run->steps / last * frame + run->steps % last * frame / last;
}

/* ---- what batches call -------------------------------------------------------------------- */

static rct_status deliver(rct_batch_owner *owner, const rct_member_result *result, rct_error *error)
{
    ensemble_run *run = (ensemble_run *)owner;
    rct_status status = RCT_OK;
    pthread_mutex_lock(&run->mutex);
    if (!run->stop) {
        status = owner->options->deliver(owner->options->context, result, error);
        run->delivered += status == RCT_OK;
        run->stop = status != RCT_OK; /* at once: the caller is not called again */
    }
    pthread_mutex_unlock(&run->mutex);
    return status;
}

static int advanced(rct_batch_owner *owner, int64_t steps, int64_t members)
{
    ensemble_run *run = (ensemble_run *)owner;
    const rct_ensemble_run_options *options = owner->options;
    pthread_mutex_lock(&run->mutex);
    run->steps += steps * members;
    if (!run->stop && options->progress != NULL) {
        run->stop = options->progress(options->context, run->delivered, run->steps);
    }
    const int stop = run->stop;
    pthread_mutex_unlock(&run->mutex);
    return stop;
}

/* ---- threads ------------------------------------------------------------------------------ */

static void fail(ensemble_run *run, rct_status status, const rct_error *error)
{
    pthread_mutex_lock(&run->mutex);
    if (run->status == RCT_OK) {
        run->status = status;
        if (run->error != NULL) {
            *run->error = *error;
        }
    }
    run->stop = 1;
    pthread_mutex_unlock(&run->mutex);
}

/* The next members: from `first` up to the end given; 0: none are left. */
static int64_t claim(ensemble_run *run, int64_t *first)
{
    pthread_mutex_lock(&run->mutex);
    *first = run->next;
    const int64_t left = run->stop ? 0 : run->end - run->next;
    run->next += left < run->room ? left : run->room;
    const int64_t end = left > 0 ? run->next : 0;
    pthread_mutex_unlock(&run->mutex);
    return end;
}

static int is_stopped(ensemble_run *run)
{
    pthread_mutex_lock(&run->mutex);
    const int stop = run->stop;
    pthread_mutex_unlock(&run->mutex);
    return stop;
}

/* All members of a claim, by as many batches as they need. */
static rct_status run_claim(ensemble_run *run, rct_batch *batch, int64_t first, int64_t end,
                            rct_error *error)
{
    rct_status status = RCT_OK;
    while (first < end && status == RCT_OK && !is_stopped(run)) {
        status = rct_batch_fill(batch, first, end, &first, error);
        if (status == RCT_OK) {
            status = rct_batch_run(batch, error);
        }
    }
    return status;
}

static void work(void *context, int32_t member, int32_t members)
{
    ensemble_run *run = context;
    rct_batch batch;
    rct_error error;
    int64_t first, end = claim(run, &first);
    (void)member;
    (void)members;
    if (end == 0) {
        return;
    }
    rct_status status = rct_batch_create(&batch, &run->owner, run->room, &error);
    while (status == RCT_OK && end > 0) {
        status = run_claim(run, &batch, first, end, &error);
        end = status == RCT_OK ? claim(run, &first) : 0;
    }
    rct_batch_release(&batch);
    if (status != RCT_OK) {
        fail(run, status, &error);
    }
}

/* ---- options ------------------------------------------------------------------------------ */

static rct_status check_series(const rct_ensemble *e, const rct_ensemble_run_options *o,
                               rct_error *error)
{
    if (o->series != 0 && (o->series < 2 || o->series - 1 > o->steps)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " frames of %" PRId64
                        " steps: give none, or from 2 to one more than there are steps",
                        o->series, o->steps);
    }
    if (o->tracked < 0 || (o->tracked > 0 && o->series == 0)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " bodies are tracked in a series of %" PRId64
                        " frames; give frames too",
                        o->tracked, o->series);
    }
    for (int32_t k = 0; k < o->tracked; k++) {
        if (o->track[k] < 0 || o->track[k] >= e->model->count) {
            return rct_fail(error, RCT_ERROR_ARGUMENT,
                            "no body %" PRId32 " to track; the model has bodies 0 to %" PRId32,
                            o->track[k], e->model->count - 1);
        }
    }
    return RCT_OK;
}

rct_status rct_ensemble_check_run(const rct_ensemble *e, const rct_ensemble_run_options *o,
                                  rct_error *error)
{
    const int64_t left = e->members - o->first;
    if (o->first < 0 || left <= 0 || o->count < 0 || o->count > left) {
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
    if (o->threads < 0 || o->threads > MOST_THREADS || o->batch < 0 || o->batch > MOST_ASIDE ||
        o->deliver == NULL) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId32 " threads, batches of %" PRId64
                        ": give 0 to %d threads, batches of 0 to %d members, and a function that "
                        "takes the results",
                        o->threads, o->batch, MOST_THREADS, MOST_ASIDE);
    }
    return check_series(e, o, error);
}

static int64_t round_up(int64_t count, int64_t to)
{
    return (count + to - 1) / to * to;
}

/* Room of a batch: as asked for; else what the machine holds, but not so much that threads have nothing to do. */
static int32_t choose_room(const ensemble_run *run, const rct_ensemble_run_options *o,
                           int32_t threads, int device)
{
    const int64_t links = run->owner.ensemble->model->count, count = run->end - run->next;
    const int64_t most = (device ? DEVICE_LINKS_ASIDE : LINKS_ASIDE) / links;
    const int64_t share = device ? count : (count + threads - 1) / threads;
    if (!rct_ensemble_is_small(run->owner.ensemble)) {
        return 1;
    }
    if (o->batch > 0) {
        return (int32_t)(o->batch < count ? o->batch : count);
    }
    const int64_t room = round_up(most < share ? most + !most : share, run->owner.aside);
    return (int32_t)(room < count ? room : count);
}

static rct_status prepare(ensemble_run *run, const rct_ensemble *e,
                          const rct_ensemble_run_options *o, int32_t *workers, rct_error *error)
{
    const int32_t threads = o->threads > 0 ? o->threads : rct_processors();
    const rct_backend *backend =
        e->model->count > 0 ? rct_backend_find(o->solver.backend, error) : NULL;
    if (backend == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    const int device = backend != &rct_backend_cpu;
    run->owner = (rct_batch_owner){.ensemble = e,
                                   .options = o,
                                   .solver = rct_ensemble_solver_options(e, &o->solver),
                                   .aside = !rct_ensemble_is_small(e) ? 1
                                            : device                  ? DEVICE_LANES
                                                                      : LANES,
                                   .deliver = deliver,
                                   .advanced = advanced};
    run->next = o->first;
    run->end = o->count > 0 ? o->first + o->count : e->members;
    run->room = choose_room(run, o, threads, device);
    const int64_t batches = (run->end - run->next + run->room - 1) / run->room;
    *workers = device ? 1 : (int32_t)(batches < threads ? batches : threads);
    run->owner.solver.threads = threads / *workers;
    return RCT_OK;
}

rct_status rct_ensemble_run(const rct_ensemble *e, const rct_ensemble_run_options *options,
                            rct_error *error)
{
    ensemble_run run = {.status = RCT_OK, .error = error};
    int32_t workers = 1;
    rct_status status = rct_ensemble_check_run(e, options, error);
    if (status == RCT_OK) {
        status = prepare(&run, e, options, &workers, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    rct_team *team = rct_team_create(workers, error);
    if (team == NULL) {
        return RCT_ERROR_MEMORY;
    }
    pthread_mutex_init(&run.mutex, NULL);
    rct_team_run(team, work, &run);
    pthread_mutex_destroy(&run.mutex);
    rct_team_free(team);
    return run.status;
}
