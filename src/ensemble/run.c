/* Running an ensemble: members are claimed in runs of consecutive ones. Each run is a batch of one thread, so
 * threads share only the claims, the delivery of results and the keeping of batches. */
#include "backend/backend.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/team.h"
#include "ensemble/batch.h"
#include "ensemble/claims.h"
#include "ensemble/keep.h"
#include "model/model.h"

#include <pthread.h>

/* Links side by side: as many as the second-level cache of a thread holds, fewer with closures; and as many as
 * fill an accelerator. Systems of a batch are multiples of the lanes (docs/decisions.md). */
enum { LINKS_ASIDE = 4096, CLOSED_LINKS_ASIDE = 512, DEVICE_LINKS_ASIDE = 1 << 20 };
enum { LANES = 8, DEVICE_LANES = 32 };

/* Numbers of the series of a batch: 128 MiB for a thread; 2 GiB for an accelerator, which has one batch. */
static const int64_t series_aside = 1 << 24, device_series_aside = 1 << 28;

static const double exchange_seconds = 0.25;

typedef struct ensemble_run {
    rct_batch_owner owner; /* first, because batches lead back here by it                        */
    rct_team *team;
    pthread_mutex_t mutex; /* for the fields below, the caller's functions and the ranks         */
    rct_claims claims;
    rct_keeper keeper;        /* if batches are kept                                            */
    int32_t room;             /* of a batch                                                     */
    int64_t delivered, steps; /* of all ranks, when last read                                   */
    int64_t own_delivered, own_steps; /* since then                                               */
    double looked;                    /* s, on a clock, when they were last read                  */
    int stop, failed;  /* failed: the functions of the caller are not called any more    */
    rct_status status; /* of the first failure                                           */
    rct_error *error;
} ensemble_run;

/* ---- ending ------------------------------------------------------------------------------- */

/* Stop here and on all ranks. */
static void stop_all(ensemble_run *run)
{
    if (!run->stop && run->claims.ranks != NULL) {
        rct_ranks_add(run->claims.ranks, RCT_SHARED_STOP, 1);
    }
    run->stop = 1;
}

/* Add the work done here to the numbers of all ranks, read these, and see whether a rank has stopped. A network
 * takes milliseconds, so it is done once in a while, unless `now`. Without ranks it is a sum. */
static void exchange(ensemble_run *run, int now)
{
    rct_ranks *ranks = run->claims.ranks;
    const double time = ranks != NULL ? rct_seconds() : 0.0;
    if (ranks != NULL) {
        rct_ranks_poll(ranks);
        if (!now && time < run->looked + exchange_seconds) {
            return;
        }
        run->steps = rct_ranks_add(ranks, RCT_SHARED_STEPS, run->own_steps);
        run->delivered = rct_ranks_add(ranks, RCT_SHARED_MEMBERS, run->own_delivered);
        run->stop = run->stop || rct_ranks_read(ranks, RCT_SHARED_STOP) != 0;
    }
    run->looked = time;
    run->steps += run->own_steps;
    run->delivered += run->own_delivered;
    run->own_steps = run->own_delivered = 0;
}

/* Record a failure at once, so that the caller is not called again. */
static void note(ensemble_run *run, rct_status status)
{
    if (status != RCT_OK) {
        stop_all(run);
        run->failed = 1;
    }
}

static void fail(ensemble_run *run, rct_status status, const rct_error *error)
{
    pthread_mutex_lock(&run->mutex);
    note(run, status);
    if (run->status == RCT_OK) {
        run->status = status;
        *run->error = *error;
    }
    pthread_mutex_unlock(&run->mutex);
}

static const rct_error unheard = {.status = RCT_OK, .body = -1, .step = -1};

/* Handle the status of a caller's function, before which the error was `unheard`. Returns it. */
static rct_status heard(ensemble_run *run, rct_status status, const char *name, rct_error *error)
{
    note(run, status);
    error->status = status;
    if (status != RCT_OK && error->text[0] == '\0') {
        rct_fail(error, status, "the function `%s` of the ensemble failed without a message", name);
    }
    return status;
}

/* ---- called by batches -------------------------------------------------------------------- */

static rct_status deliver(rct_batch_owner *owner, const rct_member_result *result, rct_error *error)
{
    ensemble_run *run = (ensemble_run *)owner;
    rct_status status = RCT_OK;
    pthread_mutex_lock(&run->mutex);
    if (!run->failed && !rct_claims_is_done(&run->claims, result->member)) {
        *error = unheard;
        status = owner->options->deliver(owner->options->context, result, error);
        heard(run, status, "deliver", error);
        run->own_delivered += status == RCT_OK;
    }
    pthread_mutex_unlock(&run->mutex);
    return status;
}

/* Report progress to the caller, who may end the run. */
static void report(ensemble_run *run)
{
    const rct_ensemble_run_options *options = run->owner.options;
    exchange(run, 0);
    if (!run->stop && options->progress != NULL &&
        options->progress(options->context, run->delivered, run->steps)) {
        stop_all(run);
    }
}

static int advanced(rct_batch_owner *owner, int64_t steps, int64_t members)
{
    ensemble_run *run = (ensemble_run *)owner;
    pthread_mutex_lock(&run->mutex);
    run->own_steps += steps * members;
    report(run);
    const int stop = run->stop;
    pthread_mutex_unlock(&run->mutex);
    return stop;
}

static rct_status reached(rct_batch_owner *owner, rct_batch *batch, int stop, rct_error *error)
{
    ensemble_run *run = (ensemble_run *)owner;
    rct_status status = RCT_OK;
    pthread_mutex_lock(&run->mutex);
    if (!run->failed) {
        *error = unheard;
        status = heard(run, rct_keeper_reached(&run->keeper, batch, stop, error), "keep", error);
    }
    pthread_mutex_unlock(&run->mutex);
    return status;
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Claim the next members; 0: none are left. A begun batch enters the kept ones here. */
static int claim(ensemble_run *run, int32_t worker, rct_claim *claimed)
{
    const rct_ensemble_run_options *options = run->owner.options;
    pthread_mutex_lock(&run->mutex);
    exchange(run, 1);
    const int found = !run->stop && rct_claims_take(&run->claims, claimed);
    if (found && claimed->begun >= 0 && run->owner.reached != NULL) {
        rct_keeper_begin(&run->keeper, worker, &options->begun[claimed->begun]);
    }
    pthread_mutex_unlock(&run->mutex);
    return found;
}

/* Begin a batch of fresh members, which may all fail before the first step; 0: the run has stopped. */
static int begin(ensemble_run *run, const rct_batch *batch)
{
    pthread_mutex_lock(&run->mutex);
    report(run);
    const int goes_on = !run->stop;
    if (goes_on && run->owner.reached != NULL) {
        rct_keeper_begin(&run->keeper, batch->worker, NULL);
    }
    pthread_mutex_unlock(&run->mutex);
    return goes_on;
}

static rct_status end(ensemble_run *run, const rct_batch *batch, rct_error *error)
{
    rct_status status = RCT_OK;
    pthread_mutex_lock(&run->mutex);
    if (run->owner.reached != NULL && !batch->stopped && !run->failed) {
        *error = unheard;
        status = heard(run, rct_keeper_end(&run->keeper, batch->worker, error), "keep", error);
    }
    pthread_mutex_unlock(&run->mutex);
    return status;
}

/* Run all members of a claim, in as many batches as they need. */
static rct_status run_claim(ensemble_run *run, rct_batch *batch, const rct_claim *claimed,
                            rct_error *error)
{
    const rct_ensemble_begun *begun = run->owner.options->begun;
    rct_status status = RCT_OK;
    int64_t from = claimed->from;
    if (claimed->begun >= 0) {
        status = rct_begun_read(batch, &begun[claimed->begun], claimed->begun, error);
        RCT_THEN(status, rct_batch_run(batch, error));
        return status == RCT_OK ? end(run, batch, error) : status;
    }
    while (from < claimed->end && status == RCT_OK && begin(run, batch)) {
        status = rct_batch_fill(batch, from, claimed->end, &from, error);
        RCT_THEN(status, rct_batch_run(batch, error));
        RCT_THEN(status, end(run, batch, error));
    }
    return status;
}

static void work(void *context, int32_t member, int32_t members)
{
    ensemble_run *run = context;
    rct_batch batch;
    rct_error error;
    rct_claim claimed;
    (void)members;
    int found = claim(run, member, &claimed);
    if (!found) {
        return;
    }
    rct_status status = rct_batch_create(&batch, &run->owner, run->room, &error);
    batch.worker = member;
    while (status == RCT_OK && found) {
        status = run_claim(run, &batch, &claimed, &error);
        found = status == RCT_OK && claim(run, member, &claimed);
    }
    rct_batch_release(&batch);
    if (status != RCT_OK) {
        fail(run, status, &error);
    }
}

/* ---- beginning ---------------------------------------------------------------------------- */

/* Most members of a batch by default, limited by their links and their series. */
static int64_t most_aside(const ensemble_run *run, int device)
{
    const rct_ensemble_run_options *o = run->owner.options;
    const rct_model *model = run->owner.ensemble->model;
    const int64_t links = device                  ? DEVICE_LINKS_ASIDE
                          : model->loop_count > 0 ? CLOSED_LINKS_ASIDE
                                                  : LINKS_ASIDE;
    const int64_t most = links / model->count, frames = o->series > 0 ? o->series : 1;
    const int64_t numbers = device ? device_series_aside : series_aside;
    const int64_t by_series = numbers / frames / (1 + 3 * (int64_t)o->tracked);
    return most < by_series ? most : by_series;
}

/* Room of a batch: as asked for; else as much as the machine holds, but so that the threads of all ranks have
 * work. */
static int32_t choose_room(const ensemble_run *run, int64_t threads, int device)
{
    const int64_t asked = run->owner.options->batch;
    const int64_t count = run->claims.fresh > 0 ? run->claims.fresh : 1;
    const int64_t most = most_aside(run, device);
    const int64_t share = (count + threads - 1) / threads;
    if (run->owner.aside == 1) {
        return 1;
    }
    if (asked > 0) {
        return (int32_t)(asked < count ? asked : count);
    }
    const int64_t room = rct_claims_round(most < share ? most + !most : share, run->owner.aside);
    return (int32_t)(room < count ? room : count);
}

/* Share the work: room of batches, threads with their own batches, threads within one batch. */
static int32_t share(ensemble_run *run, int device)
{
    const rct_ensemble_run_options *o = run->owner.options;
    const int32_t threads = o->threads > 0 ? o->threads : rct_processors();
    const int64_t ranks = o->ranks != NULL ? rct_ranks_count(o->ranks) : 1;
    run->room = choose_room(run, device ? ranks : threads * ranks, device);
    const int64_t batches =
        run->claims.begun_count + (run->claims.fresh + run->room - 1) / run->room;
    const int64_t own = batches > ranks ? (batches + ranks - 1) / ranks : 1;
    const int32_t workers = device ? 1 : (int32_t)(own < threads ? own : threads);
    run->owner.solver.threads = threads / workers;
    run->claims.room = run->room;
    run->claims.aside = run->owner.aside;
    run->claims.workers = workers * ranks;
    return workers;
}

/* The number of systems in solvers, and the owner's options for it. Members with loops count as small if a solver
 * can share them, no segment is asked for and there are no events. Integrators other than rk4 give each member its
 * own solver. */
static rct_status put_aside(rct_batch_owner *owner, int device, rct_error *error)
{
    const rct_ensemble *e = owner->ensemble;
    const int64_t segment = owner->solver.segment;
    const int alike = owner->solver.integrator == RCT_INTEGRATOR_RK4;
    int aside = alike && rct_ensemble_is_small(e);
    rct_status status = RCT_OK;
    owner->aside = device ? DEVICE_LANES : LANES;
    if (alike && !aside && segment < 0 && e->model->count <= RCT_ENSEMBLE_WHOLE &&
        e->model->event_count == 0) {
        owner->solver.segment = RCT_SEGMENT_WHOLE;
        status = rct_batch_shares_solver(owner, &aside, error);
        owner->solver.segment = aside ? RCT_SEGMENT_WHOLE : segment;
    }
    owner->aside = aside ? owner->aside : 1;
    owner->own_gravity = aside && rct_ensemble_varies_gravity(e);
    return status;
}

static rct_status prepare(ensemble_run *run, const rct_ensemble *e,
                          const rct_ensemble_run_options *o, rct_error *error)
{
    const rct_backend *backend =
        e->model->count > 0 ? rct_ensemble_backend(e, &o->solver, error) : NULL;
    if (backend == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    const int device = backend != &rct_backend_cpu;
    run->owner = (rct_batch_owner){.ensemble = e,
                                   .options = o,
                                   .solver = rct_ensemble_solver_options(e, &o->solver),
                                   .claims = &run->claims,
                                   .deliver = deliver,
                                   .advanced = advanced,
                                   .reached = o->keep != NULL ? reached : NULL};
    rct_status status = put_aside(&run->owner, device, error);
    RCT_THEN(status, rct_claims_create(&run->claims, e, o, error));
    const int32_t workers = status == RCT_OK ? share(run, device) : 1;
    if (status == RCT_OK && o->keep != NULL) {
        status = rct_keeper_create(&run->keeper, o, &run->claims, workers, error);
    }
    if (status == RCT_OK) {
        run->team = rct_team_create(workers, error);
        status = run->team == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* The status that all ranks agree on, from the status of each. */
static rct_status agree(rct_ranks *ranks, rct_status own, rct_error *error)
{
    return ranks != NULL ? rct_ranks_agree(ranks, own, error) : own;
}

/* Keep the running batches of a stopped run, once no rank claims any more. */
static rct_status finish(ensemble_run *run, rct_ranks *ranks)
{
    rct_error words = {.body = -1};
    if (run->status != RCT_OK) {
        words = *run->error;
    }
    exchange(run, 1);
    const rct_status all = agree(ranks, run->status, &words);
    if (ranks != NULL && all == RCT_OK && run->owner.options->progress != NULL) {
        run->owner.options->progress(run->owner.options->context,
                                     rct_ranks_read(ranks, RCT_SHARED_MEMBERS),
                                     rct_ranks_read(ranks, RCT_SHARED_STEPS)); /* final counts */
    }
    if (run->stop && !run->failed && run->owner.reached != NULL) {
        *run->error = unheard;
        run->status = heard(run, rct_keeper_hand_out(&run->keeper, run->error), "keep", run->error);
    }
    return agree(ranks, run->status, run->error);
}

rct_status rct_ensemble_run_sized(const rct_ensemble *e, rct_in in, rct_error *error)
{
    rct_ensemble_run_options asked;
    if (!rct_given(e, "ensemble", error) || !rct_ensemble_take_run(&asked, in, "options", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_ensemble_run_options *options = &asked;
    rct_error own = {.body = -1};
    ensemble_run run = {.status = RCT_OK, .error = error != NULL ? error : &own};
    rct_status status = rct_ensemble_check_run(e, options, run.error);
    RCT_THEN(status, rct_ensemble_check_delivery(options, run.error));
    RCT_THEN(status, prepare(&run, e, options, run.error));
    status = agree(options->ranks, status, run.error);
    if (status == RCT_OK && options->ranks != NULL) {
        status = agree(options->ranks, rct_ranks_begin(options->ranks, run.error), run.error);
    }
    if (status == RCT_OK) {
        pthread_mutex_init(&run.mutex, NULL);
        rct_team_run(run.team, work, &run);
        pthread_mutex_destroy(&run.mutex);
        status = finish(&run, options->ranks);
    }
    rct_team_free(run.team);
    rct_keeper_release(&run.keeper);
    rct_claims_release(&run.claims);
    return status;
}
