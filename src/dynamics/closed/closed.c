/* Making the part of a solver that closes loops (closed.h). */
#include "dynamics/closed/systems.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const rct_closure_method *method_of(rct_closing closing)
{
    switch (closing) {
    case RCT_CLOSING_ADMITTANCE: return &rct_closure_admittance;
    case RCT_CLOSING_EMBEDDING: return &rct_closure_embedding;
    case RCT_CLOSING_MULTIPLIERS: return &rct_closure_multipliers;
    case RCT_CLOSING_QR: return &rct_closure_qr;
    case RCT_CLOSING_SVD: return &rct_closure_svd;
    }
    return NULL;
}

const char *rct_closing_name(rct_closing closing)
{
    const rct_closure_method *method = method_of(closing);
    return method != NULL ? method->name : "unknown";
}

const char *rct_drift_name(rct_drift drift)
{
    switch (drift) {
    case RCT_DRIFT_PROJECT: return "project";
    case RCT_DRIFT_BAUMGARTE: return "baumgarte";
    case RCT_DRIFT_NONE: return "none";
    case RCT_DRIFT_PARTITION: return "partition";
    }
    return "unknown";
}

rct_status rct_closed_check_options(const rct_solver_options *options, rct_error *error)
{
    const double alpha = options->baumgarte[0], beta = options->baumgarte[1];
    if (method_of(options->closing) == NULL) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "unknown closing %d; use one of rct_closing, such as admittance",
                        (int)options->closing);
    }
    if ((int)options->drift < RCT_DRIFT_PROJECT || (int)options->drift > RCT_DRIFT_PARTITION) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "unknown drift %d; use project, partition, baumgarte or none",
                        (int)options->drift);
    }
    if (!(alpha >= 0.0) || !(beta >= 0.0) || !isfinite(alpha) || !isfinite(beta)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "Baumgarte's alpha %g, beta %g per second: give numbers of 0 or more",
                        alpha, beta);
    }
    return RCT_OK;
}

/* The number of rows of all loops, active or not. */
static int64_t most_rows(const rct_plan *plan)
{
    int64_t rows = 0;
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        rows += rct_loop_constraints(loop.type);
    }
    return rows;
}

/* Write where bodies sit in their links. */
static void write_seats(rct_closed *c)
{
    const rct_plan *plan = c->solver->plan;
    for (int32_t b = 0; b < plan->body_count; b++) {
        const rct_seat *seat = rct_plan_seat(plan, b);
        double m[3][3];
        rct_rotation(seat->orientation, m);
        c->seats[b].link = plan->link_of[b];
        memcpy(c->seats[b].position, seat->position, sizeof seat->position);
        memcpy(c->seats[b].rotation, m, sizeof m);
    }
}

static double *numbers(rct_closed *c, int64_t count, rct_error *error)
{
    return rct_pool_take(&c->pool, count, sizeof(double), error);
}

void rct_closed_take_poses(rct_closed *c)
{
    c->state.poses = c->solver->poses.numbers;
    c->state.ground_pose = (const double *)&c->solver->ground;
    c->state.apart = 1;
}

static rct_status allocate_numbers(rct_closed *c, rct_error *error)
{
    const rct_plan *plan = c->solver->plan;
    const int64_t n = plan->body_count, rows = most_rows(plan);
    c->orientation = numbers(c, 4 * n, error);
    c->seats = rct_pool_take(&c->pool, n, sizeof *c->seats, error);
    c->linear = numbers(c, 3 * n, error);
    c->angular = numbers(c, 3 * n, error);
    c->force = numbers(c, 3 * n, error);
    c->moment = numbers(c, 3 * n, error);
    c->coordinates = numbers(c, plan->coordinates, error);
    c->start = numbers(c, plan->coordinates, error);
    c->trial = numbers(c, plan->coordinates, error);
    c->rates = numbers(c, plan->freedoms, error);
    c->derivatives = numbers(c, plan->freedoms, error);
    c->effort = numbers(c, plan->freedoms, error);
    c->change = numbers(c, plan->freedoms, error);
    c->system_of = rct_pool_take(&c->pool, rows, sizeof *c->system_of, error);
    c->row_of = rct_pool_take(&c->pool, rows, sizeof *c->row_of, error);
    c->gap = numbers(c, rows, error);
    c->lambda = numbers(c, rows, error);
    c->part = numbers(c, rows, error);
    c->before = numbers(c, rct_link_state(&plan->links, plan->links.count), error);
    c->resting = numbers(c, rct_link_state(&plan->links, plan->links.count), error);
    c->share = numbers(c, plan->links.count, error);
    const int32_t systems = plan->systems > 1 ? plan->systems : 1;
    double *length = numbers(c, systems, error);
    for (int32_t i = 0; i < systems && length != NULL; i++) {
        length[i] = rct_closed_length(plan, i, systems);
    }
    c->lengths = (rct_closure_lengths){length, systems};
    rct_closed_take_poses(c);
    c->state.sharing = rct_solver_sharing(c->solver);
    c->state.coordinates = c->coordinates;
    c->state.rates = c->rates;
    c->state.systems = plan->gravities;
    c->state.gravity = plan->gravities > 0 ? plan->own_gravity : plan->gravity;
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    write_seats(c);
    return rct_solver_make_room(c->solver, &c->solver->accelerations, plan->links.count, error);
}

/* Make operators, for a state that is filled in later, and the method. */
static rct_status make_parts(rct_closed *c, rct_error *error)
{
    const rct_plan *plan = c->solver->plan;
    const rct_operator_state none = {.orientation = c->orientation, .coordinates = c->coordinates};
    c->tree = rct_operator_tree_create(plan->bodies, plan->body_count, &none, error);
    if (c->tree == NULL) {
        return RCT_ERROR_MEMORY;
    }
    c->factored = rct_closures_create(plan->surroundings, c->tree->hinge, c->seats, c->tree->n,
                                      &c->lengths, error);
    c->present = rct_closures_create(plan->surroundings, c->tree->hinge, c->seats, c->tree->n,
                                     &c->lengths, error);
    if (c->factored == NULL || c->present == NULL) {
        return RCT_ERROR_MEMORY;
    }
    const int may_hold = rct_run_may_hold(&c->solver->options);
    const int partitions = c->drift == RCT_DRIFT_PARTITION;
    rct_status status = may_hold ? rct_closed_lay(c, error) : RCT_OK;
    if (may_hold) {
        RCT_THEN(status, rct_closed_hold(c, error));
    }
    RCT_THEN(status, rct_closed_make_systems(c, error));
    if (status == RCT_OK && c->solver->rotors != NULL &&
        !rct_closed_is_held(c)) { /* so that methods expect rotors */
        rct_operator_tree_hold(c->tree, plan->bodies, c->solver->rotors);
    }
    if (status == RCT_OK) {
        c->work = c->method->create(c->factored, error);
        c->parts = partitions ? rct_closure_partition.create(c->factored, error) : NULL;
        status = c->work != NULL && (c->parts != NULL || !partitions) ? RCT_OK : RCT_ERROR_MEMORY;
    }
    if (status == RCT_OK && !rct_closed_is_held(c)) {
        c->operators = rct_operator_create(c->tree, 1, error);
        status = c->operators != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    return status;
}

rct_closed *rct_closed_create(rct_solver *solver, rct_error *error)
{
    const rct_solver_options *options = &solver->options;
    rct_closed *c = rct_allocate(1, sizeof *c, "the loops", error);
    if (c == NULL) {
        return NULL;
    }
    c->solver = solver;
    c->pool.what = "the loops";
    c->method = method_of(options->closing);
    c->drift = options->drift;
    c->start_position_loop = c->start_velocity_loop = -1;
    if (options->drift == RCT_DRIFT_BAUMGARTE) {
        c->baumgarte[0] = options->baumgarte[0];
        c->baumgarte[1] = options->baumgarte[1];
    }
    if (allocate_numbers(c, error) != RCT_OK || make_parts(c, error) != RCT_OK) {
        rct_closed_free(c);
        c = NULL;
    }
    return c;
}

void rct_closed_free(rct_closed *c)
{
    if (c != NULL) {
        c->method->destroy(c->work);
        rct_closure_partition.destroy(c->parts);
        rct_operator_free(c->operators);
        rct_operator_tree_free(c->tree);
        rct_closures_free(c->factored);
        rct_closures_free(c->present);
        rct_pool_empty(&c->pool);
        rct_release(c);
    }
}

int64_t rct_closed_bytes(const rct_closed *c)
{
    const rct_plan *plan = c->solver->plan;
    const int64_t n = plan->body_count;
    return (int64_t)sizeof *c + c->pool.bytes + rct_closures_bytes(c->factored) +
           rct_closures_bytes(c->present) + 130 * n + 60 * plan->freedoms +
           (c->operators != NULL ? 300 * n + 90 * plan->freedoms : 0) + c->method->bytes(c->work) +
           (c->parts != NULL ? rct_closure_partition.bytes(c->parts) : 0);
}
