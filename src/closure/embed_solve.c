/* Forces inward and motions outward over the aggregated tree: seed 002, eqs. 54 to 57, where the
 * gap is the only force (a and b of eqs. 30 and 35 are in the gap). For an aggregate, with x0 the
 * particular solution,
 *
 *     inward    rest = x0 - X D^-1 X* (M x0 + H phi z)        z_top += phi z + K* rest
 *     outward   theta = rest - X gain V,  gain = D^-1 X* K    J* lambda = M theta + K V + H phi
 * z */
#include "closure/embedding.h"

#include "algebra/dense.h"
#include "operators/factor.h"

#include <string.h>

static rct_dense_view vector(const double *x, int64_t count)
{
    return rct_dense_columns(x, count, 1, count);
}

static void add(int64_t count, const double *x, double *y)
{
    for (int64_t i = 0; i < count; i++) {
        y[i] += x[i];
    }
}

/* y += (X, 1) x, x [m - rank]; both may be rows of one vector */
static void add_free(const rct_embed_choice *c, const double *x, double *y)
{
    const int32_t m = c->rates, u = c->rank;
    rct_dense_add_product(vector(y, u), 1.0, rct_dense_columns(c->X, u, m - u, m),
                          vector(x, m - u));
    add(m - u, x, y + u);
}

/* ---- one aggregate --------------------------------------------------------------------------- */

/* load = H phi z in the order and scale of the choice; phi z goes to the carrying body. */
static void gather(rct_embedding *e, const rct_aggregate *a, rct_embed_block *b)
{
    const rct_operator_tree *tree = e->sweep->tree;
    for (int32_t k = a->bodies - 1; k >= 0; k--) {
        const int32_t body = a->body[k];
        const double *own = e->sweep->force + 6 * (int64_t)body;
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            e->vector[e->column[r]] = rct_dot6(tree->H + 6 * r, own);
        }
        operator_pass(e->sweep, body, own, 1);
    }
    for (int32_t k = 0; k < a->rates; k++) {
        b->load[k] = b->choice.scale[k] * e->vector[b->choice.order[k]];
    }
}

static void rest_of(rct_embedding *e, int32_t number, const double *gap)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    const rct_embed_choice *c = &b->choice;
    const int32_t m = a->rates, u = c->rank;
    const rct_dense_view D = rct_dense_columns(b->D, m - u, m - u, m - u);
    gather(e, a, b);
    if (m == 0) {
        return;
    }
    for (int32_t i = 0; i < a->rows; i++) {
        e->vector[i] = gap[a->row[i]];
    }
    memset(b->rest, 0, (size_t)m * sizeof *b->rest);
    b->kind->particular(e, number, e->vector, b->rest);
    double *force = e->vector, *xi = e->vector + u; /* M x0 + load; - D^-1 X* times it */
    memcpy(force, b->load, (size_t)m * sizeof *force);
    b->kind->add_particular(e, number, b->rest, force);
    rct_dense_add_product(vector(xi, m - u), 1.0,
                          rct_dense_turned(rct_dense_columns(c->X, u, m - u, m)), vector(force, u));
    rct_dense_forward(D, vector(xi, m - u));
    rct_dense_backward(rct_dense_turned(D), vector(xi, m - u));
    for (int32_t i = 0; i < m - u; i++) {
        xi[i] = -xi[i];
    }
    add_free(c, xi, b->rest);
    if (a->top != RCT_GROUND) {
        b->kind->add_reaction(e, number, b->rest, e->sweep->force + 6 * (int64_t)a->top);
    }
}

/* lambda, from theta and the motion V of the carrying body, or NULL. */
static void find_multipliers(rct_embedding *e, int32_t number, const double *theta, const double *V,
                             double *lambda)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    const rct_embed_block *b = &e->block[number];
    double *force = b->load; /* its first entries are added to, and not needed again */
    if (b->choice.rank > 0) {
        b->kind->add_force(e, number, theta, V, force);
    }
    b->kind->multipliers(e, number, force, e->vector);
    for (int32_t i = 0; i < a->rows; i++) {
        lambda[a->row[i]] = e->vector[i];
    }
}

/* Write the relative rates of the aggregate, from their places. */
static void scatter(rct_embedding *e, const rct_aggregate *a, const rct_embed_block *b,
                    const double *theta, double *change)
{
    const rct_operator_tree *tree = e->sweep->tree;
    for (int32_t k = 0; k < a->rates; k++) {
        e->vector[b->choice.order[k]] = b->choice.scale[k] * theta[k];
    }
    for (int32_t k = 0; k < a->bodies; k++) {
        const int32_t body = a->body[k];
        double *own = e->sweep->motion + 6 * (int64_t)body;
        operator_come(e->sweep, body, own, 1);
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            change[r] = e->vector[e->column[r]];
        }
        operator_add_rates(tree, body, change, own);
        if (tree->hinge[body] == RCT_HINGE_BALL) {
            memcpy(change + tree->first[body], own, 3 * sizeof *change);
        }
    }
}

static void move_aggregate(rct_embedding *e, int32_t number, double *lambda, double *change)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    const int32_t m = a->rates, free = m - b->choice.rank;
    const double *V = a->top == RCT_GROUND ? NULL : e->sweep->motion + 6 * (int64_t)a->top;
    if (V != NULL && m > 0) {
        memset(e->vector, 0, (size_t)free * sizeof *e->vector);
        rct_dense_add_product(vector(e->vector, free), -1.0, rct_dense_columns(b->gain, free, 6, m),
                              vector(V, 6));
        add_free(&b->choice, e->vector, b->rest);
    }
    find_multipliers(e, number, b->rest, V, lambda);
    scatter(e, a, b, b->rest, change);
}

/* ---- single bodies, as in the sweeps of a tree ----------------------------------------------- */

static void hold_body(rct_operator *sweep, int32_t body, double *y)
{
    const rct_operator_tree *tree = sweep->tree;
    const int64_t first = tree->first[body], end = tree->first[body + 1];
    double *own = sweep->force + 6 * (int64_t)body, kept[6];
    memcpy(kept, own, sizeof kept);
    for (int64_t r = first; r < end; r++) {
        y[r] = -rct_dot6(tree->H + 6 * r, kept);
        for (int i = 0; i < 6; i++) {
            own[i] += sweep->gain[6 * r + i] * y[r];
        }
    }
    rct_operator_forward((int)(end - first), sweep->root + 6 * first, y + first);
    rct_operator_back((int)(end - first), sweep->root + 6 * first, y + first);
    operator_pass(sweep, body, own, 0);
}

static void move_body(rct_operator *sweep, int32_t body, double *y)
{
    double *own = sweep->motion + 6 * (int64_t)body;
    operator_come(sweep, body, own, 0);
    for (int64_t r = sweep->tree->first[body]; r < sweep->tree->first[body + 1]; r++) {
        y[r] -= rct_dot6(sweep->gain + 6 * r, own);
    }
    operator_add_rates(sweep->tree, body, y, own);
}

/* ---- the aggregated tree --------------------------------------------------------------------- */

void rct_embedding_solve(rct_embedding *e, const double *gap, double *lambda, double *change)
{
    const rct_aggregation *tree = e->aggregation;
    memset(e->sweep->force, 0, (size_t)e->sweep->tree->n * 6 * sizeof *e->sweep->force);
    for (int32_t k = tree->nodes - 1; k >= 0; k--) {
        const int32_t node = tree->node[k];
        if (node < 0) {
            rest_of(e, ~node, gap);
        } else {
            hold_body(e->sweep, node, change);
        }
    }
    for (int32_t k = 0; k < tree->nodes; k++) {
        const int32_t node = tree->node[k];
        if (node < 0) {
            move_aggregate(e, ~node, lambda, change);
        } else {
            move_body(e->sweep, node, change);
        }
    }
}

/* ---- polishing ------------------------------------------------------------------------------- */

void rct_embedding_polish(rct_embedding *e, const double *gap, double *lambda, double *change)
{
    double *open = e->columns.taken, *more = e->columns.whole;
    rct_closure_columns_turn(&e->columns, lambda, change);
    rct_operator_solve(e->base.problem.operators, 1, change, change);
    rct_closure_columns_left(&e->columns, gap, change, open);
    rct_embedding_solve(e, open, e->more, more);
    add(e->base.problem.rows->count, e->more, lambda);
    add(e->sweep->tree->first[e->sweep->tree->n], more, change);
}
