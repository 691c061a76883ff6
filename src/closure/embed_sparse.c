/* Aggregates with many rates and few independent ones (embedding.h). J is sparse, and so are its
 * factors (sparse_rows.h):
 *
 *     P J S Q = L [U1 U2; 0 0]      X = -U1^-1 U2
 *
 * M is not formed: M theta + K V is a sweep outward for the motions of the bodies and one inward
 * for their forces P times motion (eqs. 50, 51), and X* M X and X* K take one of each per
 * independent rate. */
#include "closure/embed_sparse.h"

#include "algebra/dense.h"
#include "core/memory.h"
#include "operators/factor.h"

#include <math.h>
#include <string.h>

static const char what[] = "constraint embedding";

/* ---- making ------------------------------------------------------------------------------- */

/* List the columns of a row in e->touched, each once; returns their number. `seen` [m] is cleared
 * afterwards. */
static int32_t list_columns(rct_embedding *e, int32_t row, double *J, uint8_t *seen)
{
    const rct_aggregate_rates of = rct_embed_rates(e);
    int32_t count, once = 0;
    rct_aggregation_row(e->aggregation, &of, row, J, 1, e->touched, &count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t column = e->touched[k];
        J[column] = 0.0;
        if (!seen[column]) {
            e->touched[once++] = column;
        }
        seen[column] = 1;
    }
    for (int32_t k = 0; k < once; k++) {
        seen[e->touched[k]] = 0;
    }
    return once;
}

static int64_t count_numbers(rct_embedding *e, const rct_aggregate *a, rct_embed_sparse *s)
{
    int64_t numbers = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        numbers += list_columns(e, a->row[i], s->theta, s->last);
    }
    return numbers;
}

static void write_places(rct_embedding *e, const rct_aggregate *a, rct_embed_sparse *s)
{
    for (int32_t i = 0; i < a->rows; i++) {
        const int64_t from = s->J->start[i];
        const int32_t count = list_columns(e, a->row[i], s->theta, s->last);
        memcpy(s->J->at + from, e->touched, (size_t)count * sizeof *s->J->at);
        s->J->start[i + 1] = from + count;
    }
}

rct_status rct_embed_sparse_create(rct_embedding *e, int32_t number, rct_error *error)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    const int64_t m = a->rates, one = sizeof(double), most = rct_embed_sparse_most(e, number);
    rct_embed_sparse *s = rct_allocate(1, sizeof *s, what, error);
    if (s == NULL) {
        return RCT_ERROR_MEMORY;
    }
    e->block[number].sparse = s;
    s->pool.what = what;
    s->room = -1;
    s->own = rct_pool_take(&s->pool, a->bodies, 36 * one, error);
    s->theta = rct_pool_take(&s->pool, m, one, error);
    s->effort = rct_pool_take(&s->pool, m, one, error);
    s->last = rct_pool_take(&s->pool, m, sizeof *s->last, error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    const int64_t numbers = count_numbers(e, a, s);
    if (numbers > most) {
        return rct_embed_sparse_too_full(e, number, error);
    }
    s->value = rct_pool_take(&s->pool, numbers, one, error);
    s->J = s->value != NULL ? rct_sparse_rows_create(a->rows, a->rates, numbers, most, what, error)
                            : NULL;
    if (s->J == NULL) {
        return RCT_ERROR_MEMORY;
    }
    write_places(e, a, s);
    return RCT_OK;
}

void rct_embed_sparse_free(rct_embed_sparse *s)
{
    if (s != NULL) {
        rct_sparse_rows_free(s->J);
        rct_release(s->X);
        rct_release(s->D);
        rct_release(s->panel);
        rct_pool_empty(&s->pool);
        rct_release(s);
    }
}

int64_t rct_embed_sparse_bytes(const rct_embed_sparse *s)
{
    const int64_t m = s->J->columns, free = s->room > 0 ? s->room : 0;
    const int64_t panel = free < RCT_EMBED_PANEL ? free : RCT_EMBED_PANEL;
    return (int64_t)sizeof *s + s->pool.bytes + rct_sparse_rows_bytes(s->J) +
           (free * (m + free) + panel * m) * (int64_t)sizeof *s->X;
}

/* ---- products by sweeps ------------------------------------------------------------------- */

/* Motions of the bodies for theta and V of the carrying body, and the forces that their inertias
 * need. */
static void go_outward(rct_embedding *e, const rct_aggregate *a, const double *theta,
                       const double *V)
{
    const rct_operator_tree *tree = e->sweep->tree;
    const double *P = e->block[e->aggregation->aggregate_of[a->body[0]]].sparse->own;
    for (int32_t k = 0; k < a->bodies; k++, P += 36) {
        const int32_t body = a->body[k];
        double *motion = e->sweep->motion + 6 * (int64_t)body;
        double *force = e->sweep->force + 6 * (int64_t)body;
        if (tree->parent[body] != a->top || V != NULL) {
            operator_come(e->sweep, body, motion, 1);
        } else {
            memset(motion, 0, 6 * sizeof *motion);
        }
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            rct_add6(*theta++, tree->H + 6 * r, motion);
        }
        for (int i = 0; i < 6; i++) {
            force[i] = rct_dot6(P + 6 * i, motion);
        }
    }
}

/* Efforts of those forces at the hinges, and their total where the aggregate hangs. */
static void come_inward(rct_embedding *e, const rct_aggregate *a, const double *theta,
                        double *effort, double total[6])
{
    const rct_operator_tree *tree = e->sweep->tree;
    int32_t column = a->rates;
    memset(total, 0, 6 * sizeof *total);
    for (int32_t k = a->bodies - 1; k >= 0; k--) {
        const int32_t body = a->body[k], up = tree->parent[body];
        double *F = e->sweep->force + 6 * (int64_t)body;
        for (int64_t r = tree->first[body + 1] - 1; r >= tree->first[body]; r--) {
            column--;
            effort[column] =
                operator_with_rotor(tree, r, theta[column], rct_dot6(tree->H + 6 * r, F));
        }
        operator_carry(tree, body, F);
        rct_add6(1.0, F, up == a->top ? total : e->sweep->force + 6 * (int64_t)up);
    }
}

/* For x [count], in the order and scale of the choice, and 0 for the other rates: M x + K V to
 * s->effort, K* x + P V to `total`. V is the motion of the carrying body, in its place; NULL:
 * zero. */
static void push(rct_embedding *e, int32_t number, const double *x, int32_t count, const double *V,
                 double total[6])
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    const rct_embed_choice *c = &e->block[number].choice;
    rct_embed_sparse *s = e->block[number].sparse;
    for (int32_t k = 0; k < c->rates; k++) {
        s->theta[c->order[k]] = k < count ? c->scale[k] * x[k] : 0.0;
    }
    go_outward(e, a, s->theta, V);
    come_inward(e, a, s->theta, s->effort, total);
}

static double effort_of(const rct_embed_block *b, int32_t k)
{
    return b->choice.scale[k] * b->sparse->effort[b->choice.order[k]];
}

/* ---- what a state asks for ------------------------------------------------------------------ */

/* Take P of the bodies and of the whole; set the scales that follow. Returns 0 if nothing resists a
 * rate. */
static int take_inertias(rct_embedding *e, const rct_aggregate *a, rct_embed_sparse *s)
{
    const rct_operator_tree *tree = e->sweep->tree;
    for (int32_t k = 0; k < a->bodies; k++) {
        const int32_t body = a->body[k];
        double *own = e->sweep->inertia + 36 * (int64_t)body;
        rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                              tree->inertia + 6 * (int64_t)body, own);
        memcpy(s->own + 36 * (int64_t)k, own, 36 * sizeof *own);
    }
    for (int32_t k = a->bodies - 1; k >= 0; k--) {
        const int32_t body = a->body[k], up = tree->parent[body];
        const double *whole = e->sweep->inertia + 36 * (int64_t)body;
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            double F[6];
            for (int i = 0; i < 6; i++) {
                F[i] = rct_dot6(whole + 6 * i, tree->H + 6 * r);
            }
            const double inertia = operator_with_rotor(tree, r, 1.0, rct_dot6(tree->H + 6 * r, F));
            if (!(inertia > 0.0)) {
                return 0;
            }
            e->scale[e->column[r]] = 1.0 / sqrt(inertia);
        }
        if (up != RCT_GROUND) {
            rct_operator_pass(0, lever_of(tree, body), whole, e->sweep->inertia + 36 * (int64_t)up);
        }
    }
    return 1;
}

/* Write J S; the choice gets the size that its elements could have. Returns the length of the
 * longest column. */
static double take_rows(rct_embedding *e, const rct_aggregate *a, rct_embed_block *b)
{
    rct_embed_sparse *s = b->sparse;
    const rct_aggregate_rates of = rct_embed_rates(e);
    double *row = s->theta, *squares = s->effort;
    memset(row, 0, (size_t)a->rates * sizeof *row);
    memset(squares, 0, (size_t)a->rates * sizeof *squares);
    b->choice.most = 0.0;
    for (int32_t i = 0; i < a->rows; i++) {
        b->choice.most = fmax(b->choice.most, rct_aggregation_row(e->aggregation, &of, a->row[i],
                                                                  row, 1, NULL, NULL));
        for (int64_t k = s->J->start[i]; k < s->J->start[i + 1]; k++) {
            const int32_t column = s->J->at[k];
            s->value[k] = e->scale[column] * row[column];
            squares[column] += s->value[k] * s->value[k];
            row[column] = 0.0;
        }
    }
    return sqrt(rct_closure_largest(a->rates, squares));
}

/* ---- of its kind ---------------------------------------------------------------------------- */

/* D and X* K, some independent rates at a time. */
static void reduce(rct_embedding *e, int32_t number)
{
    rct_embed_block *b = &e->block[number];
    const rct_embed_choice *c = &b->choice;
    const int32_t m = c->rates, u = c->rank, free = m - u;
    double *panel = b->sparse->panel, *x = b->rest; /* not needed before a solve */
    for (int32_t first = 0; first < free; first += RCT_EMBED_PANEL) {
        const int32_t count = free - first < RCT_EMBED_PANEL ? free - first : RCT_EMBED_PANEL;
        for (int32_t j = first; j < first + count; j++) {
            double *column = panel + (int64_t)(j - first) * m, total[6];
            memcpy(x, c->X + (int64_t)j * m, (size_t)u * sizeof *x);
            memset(x + u, 0, (size_t)free * sizeof *x);
            x[u + j] = 1.0;
            push(e, number, x, m, NULL, total);
            for (int32_t k = 0; k < m; k++) {
                column[k] = effort_of(b, k);
            }
            for (int i = 0; i < 6; i++) {
                b->gain[(int64_t)i * m + j] = total[i];
            }
            memcpy(b->D + (int64_t)j * free, column + u, (size_t)free * sizeof *column);
        }
        rct_dense_add_product(rct_dense_columns(b->D + (int64_t)first * free, free, count, free),
                              1.0, rct_dense_turned(rct_dense_columns(c->X, u, free, m)),
                              rct_dense_columns(panel, u, count, m));
    }
}

static rct_status prepare(rct_embedding *e, int32_t number, rct_error *error)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    if (!take_inertias(e, a, b->sparse)) {
        return rct_embed_singular(a->body[0], error);
    }
    const double largest = take_rows(e, a, b);
    if (!isfinite(largest)) {
        return rct_closure_not_finite(error);
    }
    const rct_status status = rct_embed_sparse_choose(e, number, largest, error);
    if (status == RCT_OK) {
        reduce(e, number);
    }
    return status;
}

static void particular(rct_embedding *e, int32_t number, const double *gap, double *x0)
{
    rct_sparse_rows *J = e->block[number].sparse->J;
    rct_sparse_rows_nearest(J, gap, x0);
    for (int32_t i = 0; i < J->rank; i++) {
        x0[i] = -x0[i];
    }
}

static void multipliers(rct_embedding *e, int32_t number, const double *load, double *lambda)
{
    rct_sparse_rows_shortest(e->block[number].sparse->J, load, lambda);
}

static int32_t dependent(rct_embedding *e, int32_t number)
{
    return rct_sparse_rows_dependent(e->block[number].sparse->J);
}

static void add_particular(rct_embedding *e, int32_t number, const double *x0, double *y)
{
    const rct_embed_block *b = &e->block[number];
    double total[6];
    push(e, number, x0, b->choice.rank, NULL, total);
    for (int32_t k = 0; k < b->choice.rates; k++) {
        y[k] += effort_of(b, k);
    }
}

static void add_force(rct_embedding *e, int32_t number, const double *x, const double *V, double *y)
{
    const rct_embed_block *b = &e->block[number];
    double total[6];
    push(e, number, x, b->choice.rates, V, total);
    for (int32_t k = 0; k < b->choice.rank; k++) {
        y[k] += effort_of(b, k);
    }
}

static void add_reaction(rct_embedding *e, int32_t number, const double *x, double *F)
{
    double total[6];
    push(e, number, x, e->block[number].choice.rates, NULL, total);
    rct_add6(1.0, total, F);
}

const rct_embed_kind rct_embed_sparse_kind = {.prepare = prepare,
                                              .particular = particular,
                                              .multipliers = multipliers,
                                              .dependent = dependent,
                                              .add_particular = add_particular,
                                              .add_force = add_force,
                                              .add_reaction = add_reaction};
