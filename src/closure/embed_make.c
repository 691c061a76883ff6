/* Memory of constraint embedding (embedding.h): one pool of numbers for all aggregates; and the
 * refusal of aggregates that are too large. */
#include "closure/embedding.h"
#include "core/error.h"

#include <inttypes.h>
#include <stdio.h>

/* An aggregate with so few rates loses at most three digits. */
enum { FEW_RATES = 16 };

static const rct_embed_limits *limits_of(const rct_embedding *e)
{
    return e->base.options;
}

/* A sparse aggregate pays for its lists if at most a fourth of J has numbers. */
static int is_dense(const rct_embedding *e, const rct_aggregate *a)
{
    const rct_embed_limits *l = limits_of(e);
    const rct_aggregate_rates of = rct_embed_rates(e);
    int64_t numbers = 0;
    if (a->rates <= l->few || a->rates > l->rates || a->rows > l->rows) {
        return a->rates <= l->few && a->rows <= l->rows;
    }
    for (int32_t i = 0; i < a->rows; i++) {
        numbers += rct_aggregation_row_size(e->aggregation, &of, a->row[i]);
    }
    return 4 * numbers > (int64_t)a->rates * a->rows;
}

rct_status rct_embed_refuse(const rct_embedding *e, int32_t number, const char *why,
                            rct_error *error)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    char name[RCT_NAME_SIZE];
    rct_closures_name(e->base.closures, e->base.problem.rows->loop[a->row[0]], name);
    return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, a->body[0],
                         "loop \"%s\" and those that share bodies with it are %" PRId32
                         " constraints on %" PRId32 " bodies with %" PRId32
                         " rates, from body %" PRId32 " outward: %s; close the loops by admittance",
                         name, a->rows, a->bodies, a->rates, a->body[0], why);
}

rct_status rct_embed_check_free(const rct_embedding *e, int32_t number, int64_t free,
                                rct_error *error)
{
    const rct_embed_limits *limits = limits_of(e);
    const int64_t numbers = free * e->aggregation->aggregate[number].rates;
    char why[RCT_EMBED_WHY];
    if (free <= limits->free && numbers <= limits->numbers) {
        return RCT_OK;
    }
    if (free > limits->free) {
        snprintf(why, sizeof why,
                 "%" PRId64 " of the rates are independent, and embedding is for at most %" PRId32,
                 free, limits->free);
    } else {
        snprintf(why, sizeof why,
                 "writing the other rates by %" PRId64 " independent ones takes %" PRId64
                 " numbers, and embedding is for at most %" PRId64,
                 free, numbers, limits->numbers);
    }
    return rct_embed_refuse(e, number, why, error);
}

/* A sparse aggregate has at least as many independent rates as it has rates more than rows. */
static rct_status check_sizes(const rct_embedding *e, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t k = 0; k < e->aggregation->count && status == RCT_OK; k++) {
        const rct_aggregate *a = &e->aggregation->aggregate[k];
        if (!is_dense(e, a)) {
            status = rct_embed_check_free(e, k, (int64_t)a->rates - a->rows, error);
        }
    }
    return status;
}

/* ---- the pool ------------------------------------------------------------------------------ */

static int64_t numbers_of(const rct_aggregate *a, int dense)
{
    const int64_t m = a->rates, rows = a->rows;
    return 9 * m + (dense ? m * rows + 3 * m * m + 6 * m + (m < rows ? m : rows) : 0);
}

static double *cut(double **from, int64_t count)
{
    double *part = *from;
    *from += count;
    return part;
}

static void place_block(rct_embed_block *b, const rct_aggregate *a, int dense, double **numbers,
                        int32_t *orders)
{
    const int64_t m = a->rates, rows = a->rows;
    b->kind = dense ? &rct_embed_dense_kind : &rct_embed_sparse_kind;
    b->choice =
        (rct_embed_choice){.rows = a->rows, .rates = a->rates, .closed = a->rows, .order = orders};
    if (dense) {
        b->choice.QR = cut(numbers, m * rows);
        b->choice.X = cut(numbers, m * m);
        b->M = cut(numbers, m * m);
        b->D = cut(numbers, m * m);
        b->K = cut(numbers, 6 * m);
        b->choice.tau = cut(numbers, m < rows ? m : rows);
    }
    b->gain = cut(numbers, 6 * m);
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
        place_block(&e->block[k], a, is_dense(e, a), &numbers, orders);
        orders += a->rates;
        for (int32_t i = 0; i < a->bodies; i++) {
            for (int64_t r = tree->first[a->body[i]]; r < tree->first[a->body[i] + 1]; r++) {
                e->column[r] = column++;
            }
        }
    }
}

/* The largest sizes of aggregates, and the sum of their numbers. */
typedef struct sizes {
    int64_t numbers;
    int64_t rates, wider; /* of all: rates, and rates or rows */
    /* of dense ones: the same, and rates times the wider */
    int64_t dense_rates, dense_wider, product;
    int64_t touched;
} sizes;

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static sizes measure(const rct_embedding *e)
{
    const rct_closure_rows *rows = e->base.problem.rows;
    sizes s = {0};
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_aggregate *a = &e->aggregation->aggregate[k];
        const int dense = is_dense(e, a);
        const int64_t wider = more(a->rows, a->rates);
        s.numbers += numbers_of(a, dense);
        s.rates = more(s.rates, a->rates);
        s.wider = more(s.wider, wider);
        s.dense_rates = dense ? more(s.dense_rates, a->rates) : s.dense_rates;
        s.dense_wider = dense ? more(s.dense_wider, wider) : s.dense_wider;
        s.product = dense ? more(s.product, a->rates * wider) : s.product;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        s.touched = more(s.touched, rows->rates_at[i + 1] - rows->rates_at[i]);
    }
    s.touched += s.rates;
    return s;
}

static int allocate(rct_embedding *e, rct_error *error)
{
    const rct_closure_problem *problem = &e->base.problem;
    const int64_t n = problem->tree->n, v = problem->tree->first[n], one = sizeof(double);
    const sizes s = measure(e);
    rct_pool *pool = &e->base.pool;
    /* includes the sweep */
    pool->bytes = e->aggregation->pool.bytes + n * (4 + 48 * one) + v * 12 * one;
    e->block = rct_pool_take(pool, e->aggregation->count, sizeof *e->block, error);
    e->numbers = rct_pool_take(pool, s.numbers, one, error);
    e->orders = rct_pool_take(pool, v, sizeof *e->orders, error);
    e->column = rct_pool_take(pool, v, sizeof *e->column, error);
    rct_closure_columns_create(&e->columns, problem, pool, error);
    e->is_long = s.rates > FEW_RATES;
    e->more = rct_pool_take(pool, e->is_long ? problem->rows->count : 0, one, error);
    e->one = rct_pool_take(pool, s.dense_rates * s.dense_rates, one, error);
    e->two = rct_pool_take(pool, s.product, one, error);
    e->vector = rct_pool_take(pool, s.wider, one, error);
    e->scale = rct_pool_take(pool, s.rates, one, error);
    e->touched = rct_pool_take(pool, s.touched, sizeof *e->touched, error);
    e->scratch.work = rct_pool_take(pool, rct_embed_work((int32_t)s.dense_wider), one, error);
    e->scratch.vector = rct_pool_take(pool, s.dense_wider, one, error);
    return !pool->failed;
}

/* Make the parts that only sparse aggregates have. */
static rct_status make_sparse(rct_embedding *e, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t k = 0; k < e->aggregation->count && status == RCT_OK; k++) {
        if (e->block[k].kind == &rct_embed_sparse_kind) {
            status = rct_embed_sparse_create(e, k, error);
        }
    }
    return status;
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
    rct_status status = check_sizes(e, error);
    if (status == RCT_OK && !allocate(e, error)) {
        status = RCT_ERROR_MEMORY;
    }
    if (status == RCT_OK) {
        place(e, problem->tree);
        status = make_sparse(e, error);
    }
    return status;
}
