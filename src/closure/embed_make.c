/* Memory of constraint embedding (embedding.h): one pool of numbers for all aggregates. */
#include "closure/embedding.h"
#include "core/error.h"

#include <inttypes.h>

/* A full matrix of so many rates takes 32 MiB, an aggregate four of them and two of its rows, and its factor some
 * 10^10 operations. */
enum { MOST_RATES = 2048, MOST_ROWS = 8192 };

/* Rates of an aggregate that lose at most three digits. */
enum { FEW_RATES = 16 };

static rct_status check_sizes(const rct_embedding *e, const rct_closure_rows *rows,
                              rct_error *error)
{
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_aggregate *a = &e->aggregation->aggregate[k];
        if (a->rates > MOST_RATES || a->rows > MOST_ROWS) {
            char name[RCT_NAME_SIZE];
            rct_closures_name(e->base.closures, rows->loop[a->row[0]], name);
            return rct_fail_body(
                error, RCT_ERROR_UNSUPPORTED, a->body[0],
                "loop \"%s\" and those that share bodies with it are %" PRId32
                " constraints on %" PRId32 " bodies with %" PRId32 " rates, from body %" PRId32
                " outward: embedding takes dense matrices of that size and is for at most %d "
                "constraints on %d rates; use the method admittance",
                name, a->rows, a->bodies, a->rates, a->body[0], MOST_ROWS, MOST_RATES);
        }
    }
    return RCT_OK;
}

/* ---- the pool ------------------------------------------------------------------------------ */

static int64_t numbers_of(const rct_aggregate *a)
{
    const int64_t m = a->rates, rows = a->rows;
    return m * rows + 3 * m * m + 12 * m + (m < rows ? m : rows) + 3 * m;
}

static double *cut(double **from, int64_t count)
{
    double *part = *from;
    *from += count;
    return part;
}

static void place_block(rct_embed_block *b, const rct_aggregate *a, double **numbers,
                        int32_t *orders)
{
    const int64_t m = a->rates, rows = a->rows;
    b->choice = (rct_embed_choice){.rows = a->rows, .rates = a->rates, .order = orders};
    b->choice.QR = cut(numbers, m * rows);
    b->choice.X = cut(numbers, m * m);
    b->M = cut(numbers, m * m);
    b->D = cut(numbers, m * m);
    b->K = cut(numbers, 6 * m);
    b->gain = cut(numbers, 6 * m);
    b->choice.tau = cut(numbers, m < rows ? m : rows);
    b->choice.scale = cut(numbers, m);
    b->load = cut(numbers, m);
    b->rest = cut(numbers, m);
}

static void place(rct_embedding *e, const rct_operator_tree *tree)
{
    double *numbers = e->numbers;
    int32_t *orders = e->orders;
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_aggregate *a = &e->aggregation->aggregate[k];
        int32_t column = 0;
        place_block(&e->block[k], a, &numbers, orders);
        orders += a->rates;
        for (int32_t i = 0; i < a->bodies; i++) {
            for (int64_t r = tree->first[a->body[i]]; r < tree->first[a->body[i] + 1]; r++) {
                e->column[r] = column++;
            }
        }
    }
}

static int allocate(rct_embedding *e, rct_error *error)
{
    const rct_closure_problem *problem = &e->base.problem;
    const int64_t n = problem->tree->n, v = problem->tree->first[n], one = sizeof(double);
    int64_t numbers = 0, rates = 0, square = 0, most = 0;
    rct_pool *pool = &e->base.pool;
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_aggregate *a = &e->aggregation->aggregate[k];
        const int64_t wider = a->rows > a->rates ? a->rows : a->rates;
        numbers += numbers_of(a);
        rates = a->rates > rates ? a->rates : rates;
        square = a->rates * wider > square ? a->rates * wider : square;
        most = wider > most ? wider : most;
    }
    /* and of the sweep */
    pool->bytes = e->aggregation->pool.bytes + n * (4 + 48 * one) + v * 12 * one;
    e->block = rct_pool_take(pool, e->aggregation->count, sizeof *e->block, error);
    e->numbers = rct_pool_take(pool, numbers, one, error);
    e->orders = rct_pool_take(pool, v, sizeof *e->orders, error);
    e->column = rct_pool_take(pool, v, sizeof *e->column, error);
    rct_closure_columns_create(&e->columns, problem, pool, error);
    e->is_long = rates > FEW_RATES;
    e->more = rct_pool_take(pool, e->is_long ? problem->rows->count : 0, one, error);
    e->one = rct_pool_take(pool, rates * rates, one, error);
    e->two = rct_pool_take(pool, square, one, error);
    e->vector = rct_pool_take(pool, most, one, error);
    e->scale = rct_pool_take(pool, rates, one, error);
    e->scratch.work = rct_pool_take(pool, rct_embed_work((int32_t)most), one, error);
    e->scratch.vector = rct_pool_take(pool, most, one, error);
    return !pool->failed;
}

rct_status rct_embedding_make(void *work, rct_error *error)
{
    rct_embedding *e = work;
    const rct_closure_problem *problem = &e->base.problem;
    e->sweep = rct_operator_create(problem->tree, 1, error);
    if (e->sweep != NULL) {
        e->aggregation =
            rct_aggregation_create(problem->tree, e->sweep->order, problem->rows, error);
    }
    if (e->aggregation == NULL) {
        return RCT_ERROR_MEMORY;
    }
    const rct_status status = check_sizes(e, problem->rows, error);
    if (status == RCT_OK && allocate(e, error)) {
        place(e, problem->tree);
    }
    return e->base.pool.failed ? RCT_ERROR_MEMORY : status;
}
