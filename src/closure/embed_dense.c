/* Aggregates as dense matrices (embedding.h): M by composite inertias, J by its rows, and X* M
 * X. */
#include "closure/embedding.h"

#include "algebra/dense.h"
#include "operators/factor.h"

#include <math.h>
#include <string.h>

static rct_dense_view vector(const double *x, int64_t count)
{
    return rct_dense_columns(x, count, 1, count);
}

/* ---- factors ------------------------------------------------------------------------------ */

/* Write columns of M [m][m] and rows of K [6][m] of the rates of a body: the efforts at hinges
 * inboard that its composite inertia needs for a unit of each rate. */
static void fill_columns(rct_embedding *e, const rct_aggregate *a, int32_t body, double *M,
                         double *K)
{
    const rct_operator_tree *tree = e->sweep->tree;
    const double *composite = e->sweep->inertia + 36 * (int64_t)body;
    const int64_t m = a->rates;
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        const int64_t j = e->column[r];
        double F[6];
        for (int i = 0; i < 6; i++) {
            F[i] = rct_dot6(composite + 6 * i, tree->H + 6 * r);
        }
        for (int32_t k = body; k != a->top; k = tree->parent[k]) {
            for (int64_t s = tree->first[k]; s < tree->first[k + 1]; s++) {
                const int64_t i = e->column[s];
                M[j * m + i] = M[i * m + j] = rct_dot6(tree->H + 6 * s, F);
            }
            operator_carry(tree, k, F);
        }
        M[j * m + j] = operator_with_rotor(tree, r, 1.0, M[j * m + j]);
        for (int i = 0; i < 6; i++) {
            K[i * m + j] = F[i];
        }
    }
}

/* Write M and K in the order of the rates; add the composite inertia of the whole to the carrying
 * body. */
static void fill_mass(rct_embedding *e, const rct_aggregate *a, double *M, double *K)
{
    const rct_operator_tree *tree = e->sweep->tree;
    memset(M, 0, (size_t)a->rates * (size_t)a->rates * sizeof *M);
    for (int32_t k = a->bodies - 1; k >= 0; k--) {
        const int32_t body = a->body[k], up = tree->parent[body];
        double *own = e->sweep->inertia + 36 * (int64_t)body;
        rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                              tree->inertia + 6 * (int64_t)body, own);
        fill_columns(e, a, body, M, K);
        if (up != RCT_GROUND) {
            rct_operator_pass(0, lever_of(tree, body), own, e->sweep->inertia + 36 * (int64_t)up);
        }
    }
}

/* J [m][rows]; returns the size that its elements could have. */
static double fill_jacobian(const rct_embedding *e, const rct_aggregate *a, double *J)
{
    const rct_aggregate_rates of = rct_embed_rates(e);
    double most = 0.0;
    memset(J, 0, (size_t)a->rates * (size_t)a->rows * sizeof *J);
    for (int32_t i = 0; i < a->rows; i++) {
        most = fmax(
            most, rct_aggregation_row(e->aggregation, &of, a->row[i], J + i, a->rows, NULL, NULL));
    }
    return most;
}

/* Bring M and K to the order and scale of the choice. */
static void arrange(rct_embed_block *b, const double *M, double *K)
{
    const rct_embed_choice *c = &b->choice;
    const int64_t m = c->rates;
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = 0; i < m; i++) {
            b->M[j * m + i] = c->scale[i] * c->scale[j] * M[c->order[j] * m + c->order[i]];
        }
    }
    for (int64_t j = 0; j < 6; j++) {
        for (int64_t i = 0; i < m; i++) {
            b->K[j * m + i] = c->scale[i] * K[j * m + c->order[i]];
        }
    }
}

/* D, and X* K in `gain`; `half` [m][m] is space for M X. */
static void reduce(rct_embed_block *b, double *half)
{
    const rct_embed_choice *c = &b->choice;
    const int32_t m = c->rates, u = c->rank, free = m - u;
    const rct_dense_view M = rct_dense_columns(b->M, m, m, m),
                         H = rct_dense_columns(half, m, free, m);
    const rct_dense_view X = rct_dense_turned(rct_dense_columns(c->X, u, free, m));
    memcpy(half, b->M + (int64_t)u * m, (size_t)free * (size_t)m * sizeof *half);
    rct_dense_add_product(H, 1.0, rct_dense_part(M, 0, 0, m, u), rct_dense_turned(X));
    for (int64_t j = 0; j < free; j++) {
        memcpy(b->D + j * free, half + j * m + u, (size_t)free * sizeof *half);
    }
    rct_dense_add_product(rct_dense_columns(b->D, free, free, free), 1.0, X,
                          rct_dense_part(H, 0, 0, u, free));
    for (int64_t j = 0; j < 6; j++) {
        memcpy(b->gain + j * m, b->K + j * m + u, (size_t)free * sizeof *half);
    }
    rct_dense_add_product(rct_dense_columns(b->gain, free, 6, m), 1.0, X,
                          rct_dense_columns(b->K, u, 6, m));
}

static rct_status prepare(rct_embedding *e, int32_t number, rct_error *error)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    const int64_t m = a->rates;
    double *K = b->gain; /* not needed before reduce */
    fill_mass(e, a, e->one, K);
    for (int64_t i = 0; i < m; i++) {
        if (!(e->one[i * m + i] > 0.0)) {
            return rct_embed_singular(a->body[0], error);
        }
        e->scale[i] = 1.0 / sqrt(e->one[i * m + i]);
    }
    b->choice.most = fill_jacobian(e, a, e->two);
    rct_embed_choose(&b->choice, e->two, e->scale, e->base.problem.open, &e->scratch);
    if (m > 0) {
        arrange(b, e->one, K);
        reduce(b, e->two);
    }
    return RCT_OK;
}

/* ---- solutions ---------------------------------------------------------------------------- */

static void particular(rct_embedding *e, int32_t number, const double *gap, double *x0)
{
    rct_embed_particular(&e->block[number].choice, gap, x0, &e->scratch);
}

static void multipliers(rct_embedding *e, int32_t number, const double *load, double *lambda)
{
    rct_embed_multipliers(&e->block[number].choice, load, lambda);
}

static int32_t dependent(rct_embedding *e, int32_t number)
{
    return rct_embed_dependent(&e->block[number].choice, &e->scratch);
}

static void add_particular(rct_embedding *e, int32_t number, const double *x0, double *y)
{
    const rct_embed_block *b = &e->block[number];
    const int32_t m = b->choice.rates, u = b->choice.rank;
    rct_dense_add_product(vector(y, m), 1.0, rct_dense_columns(b->M, m, u, m), vector(x0, u));
}

static void add_force(rct_embedding *e, int32_t number, const double *x, const double *V, double *y)
{
    const rct_embed_block *b = &e->block[number];
    const int32_t m = b->choice.rates, u = b->choice.rank;
    rct_dense_add_product(vector(y, u), 1.0, rct_dense_columns(b->M, u, m, m), vector(x, m));
    if (V != NULL) {
        rct_dense_add_product(vector(y, u), 1.0, rct_dense_columns(b->K, u, 6, m), vector(V, 6));
    }
}

static void add_reaction(rct_embedding *e, int32_t number, const double *x, double *F)
{
    const rct_embed_block *b = &e->block[number];
    const int32_t m = b->choice.rates;
    rct_dense_add_product(vector(F, 6), 1.0, rct_dense_turned(rct_dense_columns(b->K, m, 6, m)),
                          vector(x, m));
}

const rct_embed_kind rct_embed_dense_kind = {.prepare = prepare,
                                             .particular = particular,
                                             .multipliers = multipliers,
                                             .dependent = dependent,
                                             .add_particular = add_particular,
                                             .add_force = add_force,
                                             .add_reaction = add_reaction};
