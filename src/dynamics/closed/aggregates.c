/* Aggregates of the loops of a solver (riccatree/closure.h): a copy of what closure/aggregate.h
 * finds in the present state. */
#include "closure/aggregate.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "dynamics/closed/closed.h"
#include "operators/sweep.h"

#include <inttypes.h>

struct rct_aggregates {
    int32_t count;
    rct_aggregate_info *info; /* [count] */
    int32_t **body, **loop;   /* [count] pointers into the two lists below */
    int32_t *bodies, *loops;
    rct_pool pool;
};

static const char what[] = "aggregates of loops";

static int allocate(rct_aggregates *found, const rct_aggregation *a, int32_t rows, rct_error *error)
{
    int64_t bodies = 0;
    for (int32_t k = 0; k < a->count; k++) {
        bodies += a->aggregate[k].bodies;
    }
    found->info = rct_pool_take(&found->pool, a->count, sizeof *found->info, error);
    found->body = rct_pool_take(&found->pool, a->count, sizeof *found->body, error);
    found->loop = rct_pool_take(&found->pool, a->count, sizeof *found->loop, error);
    found->bodies = rct_pool_take(&found->pool, bodies, sizeof *found->bodies, error);
    found->loops = rct_pool_take(&found->pool, rows, sizeof *found->loops, error);
    return !found->pool.failed;
}

static void take(rct_aggregates *found, const rct_aggregation *a, const int32_t *loop_of_row,
                 const int32_t *rank)
{
    int32_t *body = found->bodies, *loop = found->loops;
    for (int32_t k = 0; k < a->count; k++) {
        const rct_aggregate *from = &a->aggregate[k];
        found->body[k] = body;
        found->loop[k] = loop;
        for (int32_t i = 0; i < from->bodies; i++) {
            *body++ = from->body[i];
        }
        for (int32_t i = 0; i < from->rows; i++) {
            const int32_t next = loop_of_row[from->row[i]];
            if (loop == found->loop[k] || loop[-1] != next) {
                *loop++ = next;
            }
        }
        const int known = rank[k] >= 0;
        found->info[k] = (rct_aggregate_info){.body = from->top,
                                              .bodies = from->bodies,
                                              .loops = (int32_t)(loop - found->loop[k]),
                                              .constraints = from->rows,
                                              .rates = from->rates,
                                              .rank = rank[k],
                                              .independent = known ? from->rates - rank[k] : -1,
                                              .redundant = known ? from->rows - rank[k] : -1};
    }
    found->count = a->count;
}

/* Find the aggregates of the rows in the state of the tree. */
static rct_status find(rct_aggregates *found, const rct_operator_tree *tree,
                       const rct_operator *operators, const rct_closure_rows *rows,
                       rct_error *error)
{
    rct_status status = RCT_ERROR_MEMORY;
    rct_aggregation *a = rct_aggregation_create(tree, operators->order, rows, error);
    int32_t *rank = a != NULL ? rct_allocate(a->count, sizeof *rank, what, error) : NULL;
    if (rank != NULL && allocate(found, a, rows->count, error)) {
        status = rct_aggregation_ranks(a, tree, rows, rank, error);
    }
    if (status == RCT_OK) {
        take(found, a, rows->loop, rank);
    }
    rct_release(rank);
    rct_aggregation_free(a);
    return status;
}

static rct_status look(rct_aggregates *found, const rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_operator_tree *tree = NULL;
    rct_status status = rct_solver_check_inside(solver, error);
    if (status != RCT_OK || c == NULL) {
        return status;
    }
    rct_operator *operators = rct_solver_operators_now(solver, 0, &tree, error);
    if (operators == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_solver_move_ground(solver, solver->time);
    rct_closed_look_again(c, solver->time);
    const rct_closure_rows *rows = rct_closures_write_ends(c->present, &c->state);
    if (rows->count > 0) {
        status = find(found, tree, operators, rows, error);
    }
    rct_operator_free(operators);
    rct_operator_tree_free(tree);
    return status;
}

/* ---- the public functions ------------------------------------------------------------------ */

rct_aggregates *rct_solver_find_aggregates(const rct_solver *solver, rct_error *error)
{
    if (rct_solver_enter_in_time(solver, error) != RCT_OK) {
        return NULL;
    }
    rct_aggregates *found = rct_allocate(1, sizeof *found, what, error);
    if (found != NULL) {
        found->pool.what = what;
        if (look(found, solver, error) != RCT_OK) {
            rct_aggregates_free(found);
            found = NULL;
        }
    }
    rct_solver_leave(solver, RCT_OK);
    return found;
}

void rct_aggregates_free(rct_aggregates *aggregates)
{
    if (aggregates != NULL) {
        rct_pool_empty(&aggregates->pool);
        rct_release(aggregates);
    }
}

int32_t rct_aggregates_count(const rct_aggregates *aggregates)
{
    return aggregates != NULL ? aggregates->count : 0;
}

static int is_one(const rct_aggregates *aggregates, int32_t aggregate)
{
    return aggregate >= 0 && aggregate < rct_aggregates_count(aggregates);
}

rct_status rct_aggregates_get_sized(const rct_aggregates *aggregates, int32_t aggregate,
                                    rct_out info, rct_error *error)
{
    if (!rct_given(aggregates, "aggregates", error) || !rct_given(info.at, "info", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (!is_one(aggregates, aggregate)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "aggregate %" PRId32 " does not exist; the model has %" PRId32
                        " aggregate%s",
                        aggregate, aggregates->count, rct_plural(aggregates->count));
    }
    rct_give(info, &aggregates->info[aggregate], rct_whole(sizeof *aggregates->info));
    return RCT_OK;
}

const int32_t *rct_aggregates_bodies(const rct_aggregates *aggregates, int32_t aggregate)
{
    return is_one(aggregates, aggregate) ? aggregates->body[aggregate] : NULL;
}

const int32_t *rct_aggregates_loops(const rct_aggregates *aggregates, int32_t aggregate)
{
    return is_one(aggregates, aggregate) ? aggregates->loop[aggregate] : NULL;
}
