/* Making a solver: model -> plan -> run, with the initial state loaded. */
#include "dynamics/closed/closed.h"
#include "dynamics/events.h"
#include "dynamics/measures.h"
#include "dynamics/soft_springs.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void rct_solver_options_init(rct_out out)
{
    const rct_solver_options own = {.method = RCT_METHOD_ABI,
                                    .backend = "auto",
                                    .segment = RCT_SEGMENT_AUTO,
                                    .closing = RCT_CLOSING_ADMITTANCE,
                                    .drift = RCT_DRIFT_PROJECT,
                                    .baumgarte = {10.0, 10.0},
                                    .integrator = RCT_INTEGRATOR_RK4,
                                    .tolerance = 1e-6};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* Make what closes the loops of the model, close them, and allocate, so that no step allocates. */
static rct_status build_closed(rct_solver *solver, rct_error *error)
{
    if (solver->plan->yields && rct_plan_resists(solver->plan)) {
        const int64_t real = sizeof *solver->rotors;
        solver->rotors = rct_pool_take(&solver->pool, solver->plan->freedoms, real, error);
    }
    solver->closed = solver->pool.failed ? NULL : rct_closed_create(solver, error);
    if (solver->closed == NULL) {
        return RCT_ERROR_MEMORY; /* any failure status serves: `error` has the true one */
    }
    const rct_closing closing = solver->options.closing;
    if (solver->rotors != NULL && solver->plan->links.wide &&
        (closing == RCT_CLOSING_EMBEDDING || closing == RCT_CLOSING_MULTIPLIERS)) {
        return rct_fail(
            error, RCT_ERROR_UNSUPPORTED,
            "implicit stages with springs, dampers or friction at ball hinges cannot have loops "
            "closed by %s: use the closing admittance, or the integrator dopri5",
            rct_closing_name(closing));
    }
    rct_status status =
        solver->closed->columns != NULL ? rct_solver_list_loads_again(solver, error) : RCT_OK;
    if (status == RCT_OK && !solver->options.as_given) {
        status = rct_closed_begin(solver, error);
    }
    return status == RCT_OK ? rct_closed_warm(solver, error) : status;
}

/* Load the initial state of the model, and count potential energy from there. */
static rct_status start(rct_solver *solver, rct_error *error)
{
    rct_status status = rct_solver_load_start(solver, error);
    if (status == RCT_OK && rct_model_loop_count(solver->plan->surroundings) > 0) {
        status = build_closed(solver, error);
    }
    if (status == RCT_OK && rct_model_event_count(solver->plan->surroundings) > 0) {
        solver->events = rct_events_create(solver, error);
        status = solver->events != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    if (status == RCT_OK && solver->options.integrator == RCT_INTEGRATOR_CONSERVING) {
        status = rct_solver_conserves(solver, error);
    }
    if (status == RCT_OK && rct_integrator_adapts(solver->options.integrator)) {
        status = rct_time_tables_create(solver->plan->surroundings, &solver->tables, error);
    }
    if (status == RCT_OK && solver->plan->yields) {
        rct_soft_free(solver->soft);
        solver->soft = NULL;
        status = rct_soft_create(solver, error);
    }
    rct_solver_set_reference(solver);
    rct_solver_count_bytes(solver);
    return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
}

const char *rct_integrator_name(rct_integrator integrator)
{
    switch (integrator) {
    case RCT_INTEGRATOR_RK4: return "rk4";
    case RCT_INTEGRATOR_DOPRI5: return "dopri5";
    case RCT_INTEGRATOR_IMPLICIT: return "implicit";
    case RCT_INTEGRATOR_CONSERVING: return "conserving";
    }
    return "unknown";
}

int rct_integrator_adapts(rct_integrator integrator)
{
    return integrator == RCT_INTEGRATOR_DOPRI5 || integrator == RCT_INTEGRATOR_IMPLICIT;
}

static rct_status check_integrator(const rct_solver_options *options, rct_error *error)
{
    if (options->integrator < RCT_INTEGRATOR_RK4 ||
        options->integrator > RCT_INTEGRATOR_CONSERVING) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "unknown integrator %d; use rk4, dopri5, implicit or conserving",
                        (int)options->integrator);
    }
    if (rct_integrator_adapts(options->integrator) &&
        !(options->tolerance > 0.0 && options->tolerance <= 1.0)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a tolerance of %g: give one above 0 and at most 1, such as 1e-6",
                        options->tolerance);
    }
    return rct_closed_check_options(options, error);
}

static rct_status check_options(const rct_solver_options *options, rct_error *error)
{
    if (options->method != RCT_METHOD_ABI && options->method != RCT_METHOD_RICCATI) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "unknown method %d; use abi or riccati",
                        (int)options->method);
    }
    if (options->threads < 0 || options->threads > 1024 || options->segment < RCT_SEGMENT_WHOLE) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%d threads, segments of %lld links: give 0 to 1024 threads, and a segment "
                        "length of 0 or more or one of RCT_SEGMENT_AUTO and _WHOLE",
                        options->threads, (long long)options->segment);
    }
    if (options->junction != RCT_JUNCTION_AUTO && options->junction != RCT_JUNCTION_HOST &&
        options->junction != RCT_JUNCTION_DEVICE) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "unknown place %d of the junctions; use one of rct_junction, such as "
                        "RCT_JUNCTION_AUTO",
                        (int)options->junction);
    }
    return check_integrator(options, error);
}

static void share(const void *owner, int64_t range, int64_t count, rct_range_work *work,
                  void *context)
{
    const rct_solver *solver = owner;
    solver->backend->share(solver->run, range, count, work, context);
}

rct_sharing rct_solver_sharing(const rct_solver *solver)
{
    return (rct_sharing){solver->backend->share != NULL ? share : NULL, solver};
}

void rct_solver_share(const rct_solver *solver, int64_t count, rct_range_work *work, void *context)
{
    enum { RANGE = 2048 };
    rct_share_out(rct_solver_sharing(solver), RANGE, count, work, context);
}

int64_t rct_solver_turning(const rct_solver *solver)
{
    const rct_links *links = &solver->plan->links;
    return links->wide ? TURNING_FIELDS * (int64_t)links->count : 0;
}

static int64_t numbers_of_stages(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    const int64_t row = rct_solver_numbers(solver);
    switch (solver->options.integrator) {
    case RCT_INTEGRATOR_IMPLICIT:
        return STAGE_ROWS * row + STAGE_RATES * plan->freedoms + rct_solver_turning(solver);
    case RCT_INTEGRATOR_CONSERVING:
        return CONSERVING_ROWS * row + CONSERVING_RATES * plan->freedoms +
               CONSERVING_FIELDS * plan->body_count;
    default: return 0;
    }
}

static rct_status allocate(rct_solver *solver, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    const int64_t real = sizeof(double), links = plan->links.count;
    rct_pool *pool = &solver->pool;
    solver->state = rct_pool_take(pool, rct_link_state(&plan->links, links), real, error);
    solver->poses.fields = plan->surroundings->loop_count > 0 ? POSE_FIELDS : POSE_OPEN_FIELDS;
    solver->poses.numbers = rct_pool_take(pool, links, solver->poses.fields * real, error);
    solver->parts = rct_pool_take(pool, MEASURES * rct_measured_at_once(links), real, error);
    solver->reference = rct_pool_take(pool, links, real, error);
    if (numbers_of_stages(solver) > 0) {
        solver->stages = rct_pool_take(pool, numbers_of_stages(solver), real, error);
    }
    return pool->failed ? RCT_ERROR_MEMORY : rct_solver_create_loads(solver, error);
}

rct_status rct_solver_make_room(const rct_solver *solver, double *const *array, int64_t rows,
                                rct_error *error)
{
    double **place = (double **)array;
    const int64_t row = 6 * (int64_t)sizeof **place;
    if (*place == NULL) {
        *place = rct_allocate(rows, row, "the results of a solver", error);
        atomic_fetch_add_explicit((atomic_llong *)&solver->late, *place != NULL ? rows * row : 0,
                                  memory_order_relaxed);
    }
    return *place != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Any failure status serves where `error` has the true one. */
static rct_status build(rct_solver *solver, const rct_model *model, rct_error *error)
{
    const rct_solver_options *options = &solver->options;
    const rct_status status = check_options(options, error);
    if (status != RCT_OK) {
        return status;
    }
    solver->backend = rct_backend_for(model, options, 1, error);
    if (solver->backend == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    assert(model->own_gravity == NULL || options->segment == RCT_SEGMENT_WHOLE);
    solver->plan = rct_plan_create(model, error);
    if (solver->plan == NULL) {
        return RCT_ERROR_MODEL;
    }
    if (options->integrator == RCT_INTEGRATOR_IMPLICIT) {
        rct_plan_yield(solver->plan);
    }
    solver->run =
        solver->backend->create(solver->plan, options, rct_solver_has_loads(solver), error);
    if (solver->run == NULL || allocate(solver, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    solver->backend->describe(solver->run, &solver->about);
    return start(solver, error);
}

rct_solver *rct_solver_create_sized(const rct_model *model, rct_in options, rct_error *error)
{
    rct_solver_options own = rct_solver_options_default();
    if (!rct_given(model, "model", error) ||
        (options.at != NULL && !rct_take(&own, rct_whole(sizeof own), options, "options", error))) {
        return NULL;
    }
    rct_solver *solver = rct_allocate(1, sizeof *solver, "a solver", error);
    if (solver == NULL) {
        return NULL;
    }
    solver->kept = NAN;
    solver->options = own;
    solver->pool.what = "a solver";
    if (build(solver, model, error) != RCT_OK) {
        rct_solver_free(solver);
        return NULL;
    }
    solver->options.backend = solver->backend->name;
    return solver;
}

rct_status rct_backend_predict_sized(int32_t index, const rct_model *model, rct_in options,
                                     double *seconds, rct_error *error)
{
    rct_solver_options own = rct_solver_options_default();
    rct_backend_info info;
    if (!rct_given(model, "model", error) || !rct_given(seconds, "seconds", error) ||
        (options.at != NULL && !rct_take(&own, rct_whole(sizeof own), options, "options", error))) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = check_options(&own, error);
    RCT_THEN(status, rct_backend_describe(index, &info, error));
    if (status == RCT_OK) {
        const rct_workload work = rct_workload_of(model, &own, 1);
        *seconds = info.available ? rct_backend_find(info.name, NULL)->predict(&work) : NAN;
    }
    return status;
}

/* ---- other numbers ------------------------------------------------------------------------ */

int rct_solver_renews(const rct_solver *solver)
{
    return solver->options.segment == RCT_SEGMENT_WHOLE && solver->closed == NULL &&
           solver->backend->renew != NULL;
}

int rct_solver_fits(const rct_solver *solver, const rct_model *model)
{
    return rct_solver_renews(solver) && rct_plan_fits(solver->plan, model);
}

rct_status rct_solver_renew(rct_solver *solver, const rct_model *model, rct_error *error)
{
    rct_status status = rct_plan_renew(solver->plan, model, error);
    solver->kept = NAN;
    if (status == RCT_OK) {
        status = solver->backend->renew(solver->run, error);
        solver->ground_rests = 0;
    }
    if (status == RCT_OK) {
        status = rct_solver_renew_loads(solver, error);
    }
    return status == RCT_OK ? start(solver, error) : status;
}

void rct_solver_free(rct_solver *solver)
{
    if (solver != NULL && !rct_solver_is_busy(solver)) {
        rct_events_free(solver->events);
        rct_time_tables_free(solver->tables);
        rct_closed_free(solver->closed);
        rct_operation_free(solver->operation);
        rct_soft_free(solver->soft);
        if (solver->run != NULL) {
            solver->backend->destroy(solver->run);
        }
        rct_plan_free(solver->plan);
        rct_load_lists_free(&solver->acting);
        rct_pool_empty(&solver->pool);
        rct_release(solver->accelerations);
        rct_release(solver->forces);
        rct_release(solver->hinge_loads);
        rct_release(solver);
    }
}

void rct_solver_count_bytes(rct_solver *solver)
{
    rct_run_info run;
    solver->backend->describe(solver->run, &run);
    const int64_t bytes = (int64_t)sizeof *solver + run.bytes + solver->pool.bytes +
                          rct_load_lists_bytes(&solver->acting) +
                          (solver->closed != NULL ? rct_closed_bytes(solver->closed) : 0) +
                          (solver->events != NULL ? solver->events->pool.bytes : 0) +
                          rct_time_tables_bytes(solver->tables) +
                          (solver->operation != NULL ? rct_operation_bytes(solver->operation) : 0) +
                          (solver->soft != NULL ? rct_soft_bytes(solver->soft) : 0);
    atomic_store_explicit(&solver->bytes, bytes, memory_order_relaxed);
}

/* Reads nothing that a call on another thread may free. */
static rct_solver_info info_of(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    const rct_run_info run = solver->about;
    return (rct_solver_info){
        .bodies = plan->body_count,
        .links = plan->links.count,
        .dof = plan->freedoms,
        .coordinates = plan->coordinates,
        .roots = plan->root_count,
        .tips = plan->tip_count,
        .junctions = plan->junction_count,
        .depth = plan->depth,
        .branching = plan->branching,
        .bytes = rct_plan_bytes(plan) + /* the bodies of the plan may be shared or no longer */
                 atomic_load_explicit((atomic_llong *)&solver->bytes, memory_order_relaxed) +
                 atomic_load_explicit((atomic_llong *)&solver->late, memory_order_relaxed),
        .method = rct_method_name(solver->options.method),
        .backend = solver->backend->name,
        .threads = run.threads,
        .lanes = run.lanes,
        .segment_length = run.segment_length,
        .segments = run.segments,
        .tiles = run.tiles,
        .tasks = run.tasks,
        .bushes = run.bushes,
        .waves = run.waves,
        .trunk = run.trunk,
        .wide = run.wide,
        .padding = run.padding,
        .imbalance = run.imbalance,
    };
}

void rct_solver_get_info_sized(const rct_solver *solver, rct_out info)
{
    const rct_solver_info own = solver != NULL ? info_of(solver) : (rct_solver_info){.bodies = 0};
    rct_give(info, &own, rct_whole(sizeof own));
}
