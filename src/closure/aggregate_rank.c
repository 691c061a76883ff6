/* Ranks of the constraints of aggregates (aggregate.h): small aggregates one after the other in the
 * same arrays, each large one as a system of its own. */
#include "closure/admittance.h"
#include "closure/embedding.h"
#include "core/error.h"
#include "core/numbers.h"
#include "operators/sweep.h"

#include <math.h>
#include <string.h>

static const char what[] = "ranks of aggregates";

static int is_small(const rct_aggregate *a)
{
    return a->rates <= RCT_AGGREGATE_DENSE && a->rows <= 4 * RCT_AGGREGATE_DENSE;
}

/* The length of the aggregate, m, that compares turns with slides: its mean lever, or else the mean
 * arm of a closure. */
static double length_of(const rct_aggregate *a, const rct_operator_tree *tree,
                        const rct_closure_rows *rows)
{
    double levers = 0.0, arms = 0.0;
    int32_t arm_count = 0;
    for (int32_t k = 0; k < a->bodies; k++) {
        levers +=
            tree->parent[a->body[k]] == a->top ? 0.0 : operator_length(lever_of(tree, a->body[k]));
    }
    for (int32_t i = 0; i < a->rows; i++) {
        for (int32_t k = rows->ends_at[a->row[i]]; k < rows->ends_at[a->row[i] + 1]; k++) {
            const double force = operator_length(rows->ends[k].wrench + 3);
            arms += force > 0.0 ? operator_length(rows->ends[k].wrench) / force : 0.0;
            arm_count += force > 0.0;
        }
    }
    return levers > 0.0 ? levers / a->bodies : arms > 0.0 ? arms / arm_count : 1.0;
}

/* ---- by a dense matrix ---------------------------------------------------------------------- */

typedef struct ranking {
    const rct_aggregation *all;
    const rct_operator_tree *tree;
    const rct_closure_rows *rows;
    int32_t *column; /* [rates] place of each in its aggregate */
    int32_t *place;  /* [n] place of each body in its aggregate */
    rct_pool pool;
} ranking;

/* Room for aggregates of up to these rows and rates. */
typedef struct dense {
    double *J, *scale;
    rct_embed_choice choice;
    rct_embed_scratch scratch;
    rct_pool pool;
} dense;

static int make_dense(dense *d, int64_t rows, int64_t rates, rct_error *error)
{
    const int64_t most = rows > rates ? rows : rates, one = sizeof(double);
    *d = (dense){.pool = {.what = what}};
    d->J = rct_pool_take(&d->pool, rates * rows, one, error);
    d->scale = rct_pool_take(&d->pool, rates, one, error);
    d->choice.QR = rct_pool_take(&d->pool, rates * rows, one, error);
    d->choice.X = rct_pool_take(&d->pool, rates * rates, one, error);
    d->choice.tau = rct_pool_take(&d->pool, most, one, error);
    d->choice.scale = rct_pool_take(&d->pool, rates, one, error);
    d->choice.order = rct_pool_take(&d->pool, rates, sizeof *d->choice.order, error);
    d->scratch.work = rct_pool_take(&d->pool, rct_embed_work((int32_t)most), one, error);
    d->scratch.vector = rct_pool_take(&d->pool, rows, one, error);
    return !d->pool.failed;
}

static int32_t dense_rank(const ranking *r, const rct_aggregate *a, dense *d)
{
    const double size = length_of(a, r->tree, r->rows);
    const rct_aggregate_rates of = {
        .tree = r->tree, .rows = r->rows, .column = r->column, .scale = d->scale};
    if (a->rates == 0) {
        return 0;
    }
    for (int32_t k = 0; k < a->bodies; k++) {
        for (int64_t j = r->tree->first[a->body[k]]; j < r->tree->first[a->body[k] + 1]; j++) {
            const double *H = r->tree->H + 6 * j;
            d->scale[r->column[j]] = 1.0 / (size * operator_length(H) + operator_length(H + 3));
        }
    }
    memset(d->J, 0, (size_t)a->rates * (size_t)a->rows * sizeof *d->J);
    for (int32_t i = 0; i < a->rows; i++) {
        const double most =
            rct_aggregation_row(r->all, &of, a->row[i], d->J + i, a->rows, NULL, NULL);
        for (int32_t j = 0; j < a->rates && most > 0.0; j++) {
            d->J[(int64_t)j * a->rows + i] /= most;
        }
    }
    if (!isfinite(size) || !rct_all_finite(d->J, (int64_t)a->rates * a->rows)) {
        return -1;
    }
    d->choice.rows = a->rows;
    d->choice.rates = a->rates;
    d->choice.most = 1.0;
    rct_embed_choose(&d->choice, d->J, d->scale, 0, &d->scratch);
    return d->choice.rank;
}

/* ---- large ones ----------------------------------------------------------------------------- */

/* An aggregate as a tree on the ground, with bodies of 1 kg and the inertia of a ball of its
 * length. */
typedef struct alone {
    const ranking *from;
    const rct_aggregate *of;
    double size;
    rct_operator_tree tree;
    rct_closure_rows rows;
    int32_t *parent, *loop, *ends_at;
    rct_hinge_type *hinge;
    int64_t *first, *rates_at;
    double *H, *lever, *mass, *com, *inertia, *turn;
    rct_closure_end *ends;
    rct_closure_rate *rates;
    rct_pool pool;
} alone;

static int allocate(alone *s, rct_error *error)
{
    const int64_t n = s->of->bodies, rows = s->of->rows, one = sizeof(double);
    int64_t rates = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t *at = s->from->rows->rates_at + s->of->row[i];
        rates += at[1] - at[0];
    }
    s->parent = rct_pool_take(&s->pool, n, sizeof *s->parent, error);
    s->hinge = rct_pool_take(&s->pool, n, sizeof *s->hinge, error);
    s->first = rct_pool_take(&s->pool, n + 1, sizeof *s->first, error);
    s->H = rct_pool_take(&s->pool, 6 * (int64_t)s->of->rates, one, error);
    s->lever = rct_pool_take(&s->pool, n, 3 * one, error);
    s->mass = rct_pool_take(&s->pool, n, one, error);
    s->com = rct_pool_take(&s->pool, n, 3 * one, error);
    s->inertia = rct_pool_take(&s->pool, n, 6 * one, error);
    s->turn = rct_pool_take(&s->pool, n, 9 * one, error);
    s->loop = rct_pool_take(&s->pool, rows, sizeof *s->loop, error);
    s->ends_at = rct_pool_take(&s->pool, rows + 1, sizeof *s->ends_at, error);
    s->ends = rct_pool_take(&s->pool, 2 * rows, sizeof *s->ends, error);
    s->rates_at = rct_pool_take(&s->pool, rows + 1, sizeof *s->rates_at, error);
    s->rates = rct_pool_take(&s->pool, rates, sizeof *s->rates, error);
    return !s->pool.failed;
}

static void fill_tree(alone *s)
{
    const rct_operator_tree *tree = s->from->tree;
    for (int32_t k = 0; k < s->of->bodies; k++) {
        const int32_t body = s->of->body[k], up = tree->parent[body];
        const int64_t first = tree->first[body], rates = tree->first[body + 1] - first;
        s->parent[k] = up == s->of->top ? RCT_GROUND : s->from->place[up];
        s->hinge[k] = tree->hinge[body];
        s->first[k + 1] = s->first[k] + rates;
        memcpy(s->H + 6 * s->first[k], tree->H + 6 * first, 6 * (size_t)rates * sizeof *s->H);
        memcpy(s->lever + 3 * (int64_t)k, lever_of(tree, body), 3 * sizeof *s->lever);
        s->mass[k] = 1.0;
        for (int64_t i = 0; i < 3; i++) {
            s->inertia[6 * (int64_t)k + i] = s->size * s->size;
            s->turn[9 * (int64_t)k + 4 * i] = 1.0;
        }
    }
    s->tree = (rct_operator_tree){.n = s->of->bodies,
                                  .parent = s->parent,
                                  .hinge = s->hinge,
                                  .first = s->first,
                                  .H = s->H,
                                  .lever = s->lever,
                                  .mass = s->mass,
                                  .com = s->com,
                                  .inertia = s->inertia,
                                  .own_com = s->com,
                                  .own_inertia = s->inertia,
                                  .turn = s->turn};
}

/* The size of a row; dividing by it makes all rows alike. */
static double size_of_row(const alone *s, int32_t row)
{
    const rct_closure_rows *rows = s->from->rows;
    double most = 0.0;
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        const double *wrench = rows->ends[k].wrench;
        most = fmax(most, operator_length(wrench) / s->size + operator_length(wrench + 3));
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        most = fmax(most, fabs(rows->rates[k].factor));
    }
    return most > 0.0 ? most : 1.0;
}

/* Write its ends, except on the body that carries the aggregate, which rests. */
static void fill_row(alone *s, int32_t i)
{
    const ranking *r = s->from;
    const rct_closure_rows *rows = r->rows;
    const int32_t row = s->of->row[i], own = r->all->aggregate_of[s->of->body[0]];
    const double size = size_of_row(s, row);
    s->loop[i] = rows->loop[row];
    s->ends_at[i + 1] = s->ends_at[i];
    s->rates_at[i + 1] = s->rates_at[i];
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        if (r->all->aggregate_of[rows->ends[k].body] == own) {
            rct_closure_end *end = &s->ends[s->ends_at[i + 1]++];
            end->body = r->place[rows->ends[k].body];
            for (int j = 0; j < 6; j++) {
                end->wrench[j] = rows->ends[k].wrench[j] / size;
            }
        }
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        s->rates[s->rates_at[i + 1]++] = (rct_closure_rate){.rate = r->column[rows->rates[k].rate],
                                                            .factor = rows->rates[k].factor / size};
    }
}

static void fill_rows(alone *s)
{
    for (int32_t i = 0; i < s->of->rows; i++) {
        fill_row(s, i);
    }
    s->rows = (rct_closure_rows){.count = s->of->rows,
                                 .loop = s->loop,
                                 .ends_at = s->ends_at,
                                 .ends = s->ends,
                                 .rates_at = s->rates_at,
                                 .rates = s->rates,
                                 .length = s->size,
                                 .version = 1};
}

/* Whether admittance has estimated the rank instead of counting. */
static int is_estimate(const rct_admittance *a, const rct_closure_report *report)
{
    int any = 0;
    for (int32_t i = 0; i < a->components.count; i++) {
        any = any || a->components.doubted[i];
    }
    return any && a->reduced->front != NULL &&
           a->reduced->rows - report->rank >= RCT_ADMITTANCE_BASIS;
}

/* The rank; -1 where it cannot be told. */
static rct_status admit(const alone *s, rct_operator *operators, int32_t *rank, rct_error *error)
{
    const rct_closure_problem problem = {
        .tree = &s->tree, .operators = operators, .rows = &s->rows};
    rct_closure_report report;
    void *work = rct_closure_admittance.create(NULL, error);
    rct_status status = work != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    RCT_THEN(status, rct_closure_admittance.factor(work, &problem, &report, error));
    if (status == RCT_OK && !is_estimate(work, &report)) {
        *rank = report.rank;
    }
    rct_closure_admittance.destroy(work);
    return status == RCT_ERROR_MEMORY ? status : RCT_OK;
}

static rct_status rank_alone(const ranking *r, const rct_aggregate *a, int32_t *rank,
                             rct_error *error)
{
    alone s = {.from = r, .of = a, .size = length_of(a, r->tree, r->rows), .pool = {.what = what}};
    rct_status status = RCT_ERROR_MEMORY;
    *rank = -1;
    if (!isfinite(s.size)) {
        return RCT_OK;
    }
    if (allocate(&s, error)) {
        fill_tree(&s);
        fill_rows(&s);
        rct_operator *operators = rct_operator_create(&s.tree, 1, error);
        if (operators != NULL) {
            status = rct_operator_factor(operators, RCT_METHOD_ABI) < 0
                         ? admit(&s, operators, rank, error)
                         : RCT_OK;
        }
        rct_operator_free(operators);
    }
    rct_pool_empty(&s.pool);
    return status;
}

static rct_status large_rank(const ranking *r, const rct_aggregate *a, int32_t *rank,
                             rct_error *error)
{
    rct_status status = rank_alone(r, a, rank, error);
    if (status == RCT_OK && *rank < 0 && (int64_t)a->rows * a->rates <= RCT_AGGREGATE_NUMBERS) {
        dense d;
        status = make_dense(&d, a->rows, a->rates, error) ? RCT_OK : RCT_ERROR_MEMORY;
        if (status == RCT_OK) {
            *rank = dense_rank(r, a, &d);
        }
        rct_pool_empty(&d.pool);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

static int prepare(ranking *r, dense *d, rct_error *error)
{
    int64_t rows = 0, rates = 0;
    for (int32_t k = 0; k < r->all->count; k++) {
        const rct_aggregate *a = &r->all->aggregate[k];
        rows = is_small(a) && a->rows > rows ? a->rows : rows;
        rates = is_small(a) && a->rates > rates ? a->rates : rates;
    }
    r->column = rct_pool_take(&r->pool, r->tree->first[r->tree->n], sizeof *r->column, error);
    r->place = rct_pool_take(&r->pool, r->tree->n, sizeof *r->place, error);
    return make_dense(d, rows, rates, error) && !r->pool.failed;
}

static void place(const ranking *r)
{
    for (int32_t k = 0; k < r->all->count; k++) {
        const rct_aggregate *a = &r->all->aggregate[k];
        int32_t column = 0;
        for (int32_t i = 0; i < a->bodies; i++) {
            const int64_t *first = r->tree->first + a->body[i];
            r->place[a->body[i]] = i;
            for (int64_t j = first[0]; j < first[1]; j++) {
                r->column[j] = column++;
            }
        }
    }
}

rct_status rct_aggregation_ranks(const rct_aggregation *a, const rct_operator_tree *tree,
                                 const rct_closure_rows *rows, int32_t *rank, rct_error *error)
{
    ranking r = {.all = a, .tree = tree, .rows = rows, .pool = {.what = what}};
    dense d;
    rct_status status = prepare(&r, &d, error) ? RCT_OK : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        place(&r);
    }
    for (int32_t k = 0; k < a->count && status == RCT_OK; k++) {
        if (is_small(&a->aggregate[k])) {
            rank[k] = dense_rank(&r, &a->aggregate[k], &d);
        } else {
            status = large_rank(&r, &a->aggregate[k], &rank[k], error);
        }
    }
    rct_pool_empty(&d.pool);
    rct_pool_empty(&r.pool);
    return status;
}
