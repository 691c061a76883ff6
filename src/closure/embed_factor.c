/* Articulated inertias of the aggregated tree, inward: seed 002, eq. 50. A single body is a hinge of a tree. An
 * aggregate has the mass matrix M of its own tree, by composite inertias, and of that the part X* M X. */
#include "closure/embedding.h"

#include "algebra/dense.h"
#include "operators/factor.h"

#include <math.h>
#include <string.h>

/* Least pivot of D relative to what stood there: below, it is rounding, as in the sweeps of a tree. */
static const double least_pivot = 1e-14;

/* ---- one aggregate ---------------------------------------------------------------------------- */

/* F at the hinge point of the parent. */
static void carry(const rct_operator_tree *tree, int32_t body, double F[6])
{
    double moment[3];
    rct_cross(lever_of(tree, body), F + 3, moment);
    for (int i = 0; i < 3; i++) {
        F[i] += moment[i];
    }
}

/* Columns of M [m][m] and rows of K [6][m] of the rates of a body: what its composite inertia asks of the hinges
 * inboard for one unit of them. */
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
            carry(tree, k, F);
        }
        M[j * m + j] = operator_with_rotor(tree, r, 1.0, M[j * m + j]);
        for (int i = 0; i < 6; i++) {
            K[i * m + j] = F[i];
        }
    }
}

/* M and K in the order of the rates; the composite inertia of the whole is added to what carries it. */
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

/* J [m][rows] of relative rates. How large its elements could be. */
static double fill_jacobian(const rct_embedding *e, const rct_aggregate *a, double *J)
{
    const rct_aggregate_rates of = {.tree = e->sweep->tree,
                                    .rows = e->base.problem.rows,
                                    .column = e->column,
                                    .scale = e->scale};
    double most = 0.0;
    memset(J, 0, (size_t)a->rates * (size_t)a->rows * sizeof *J);
    for (int32_t i = 0; i < a->rows; i++) {
        most = fmax(most, rct_aggregation_row(e->aggregation, &of, a->row[i], J + i, a->rows));
    }
    return most;
}

/* M and K to the order and scale of the choice. */
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

/* Whether no pivot of D = L L* is rounding of what stood there, the sum of squares of its row. */
static int is_sound(const double *L, int32_t size, int32_t stride)
{
    int sound = 1;
    for (int32_t i = 0; i < size; i++) {
        const double before = rct_dense_length(i + 1, L + i, stride),
                     left = L[(int64_t)i * stride + i];
        sound = sound && left * left > least_pivot * before * before;
    }
    return sound;
}

/* D = L L* and D^-1 X* K, with `half` [m][m] for M X; and off what carries it goes what they take from the composite
 * inertia, K* X D^-1 X* K. 0: D is singular. */
static int reduce(rct_embed_block *b, double *half, double *carrier)
{
    const rct_embed_choice *c = &b->choice;
    const int32_t m = c->rates, u = c->rank, free = m - u;
    const rct_dense_view M = rct_dense_columns(b->M, m, m, m),
                         H = rct_dense_columns(half, m, free, m);
    const rct_dense_view X = rct_dense_turned(rct_dense_columns(c->X, u, free, m));
    const rct_dense_view D = rct_dense_columns(b->D, free, free, m);
    const rct_dense_view gain = rct_dense_columns(b->gain, free, 6, m);
    memcpy(half, b->M + (int64_t)u * m, (size_t)free * (size_t)m * sizeof *half);
    rct_dense_add_product(H, 1.0, rct_dense_part(M, 0, 0, m, u), rct_dense_turned(X));
    for (int64_t j = 0; j < free; j++) {
        memcpy(b->D + j * m, half + j * m + u, (size_t)free * sizeof *half);
    }
    rct_dense_add_product(D, 1.0, X, rct_dense_part(H, 0, 0, u, free));
    if (!rct_dense_cholesky(D) || !is_sound(b->D, free, m)) {
        return 0;
    }
    for (int64_t j = 0; j < 6; j++) {
        memcpy(b->gain + j * m, b->K + j * m + u, (size_t)free * sizeof *half);
    }
    rct_dense_add_product(gain, 1.0, X, rct_dense_columns(b->K, u, 6, m));
    rct_dense_forward(D, gain);
    if (carrier != NULL) {
        rct_dense_add_product(rct_dense_columns(carrier, 6, 6, 6), -1.0, rct_dense_turned(gain),
                              gain);
    }
    rct_dense_backward(rct_dense_turned(D), gain);
    return 1;
}

static int32_t factor_aggregate(rct_embedding *e, int32_t number)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    const int64_t m = a->rates;
    double *K = b->gain; /* not needed before reduce */
    fill_mass(e, a, e->one, K);
    for (int64_t i = 0; i < m; i++) {
        if (!(e->one[i * m + i] > 0.0)) {
            return a->body[0];
        }
        e->scale[i] = 1.0 / sqrt(e->one[i * m + i]);
    }
    b->choice.most = fill_jacobian(e, a, e->two);
    rct_embed_choose(&b->choice, e->two, e->scale, &e->scratch);
    if (m == 0) {
        return -1;
    }
    arrange(b, e->one, K);
    double *carrier = a->top == RCT_GROUND ? NULL : e->sweep->inertia + 36 * (int64_t)a->top;
    return reduce(b, e->two, carrier) ? -1 : a->body[0];
}

/* ---- the aggregated tree ---------------------------------------------------------------------- */

static int32_t factor_body(rct_operator *sweep, int32_t body)
{
    const rct_operator_tree *tree = sweep->tree;
    const int64_t first = tree->first[body], up = tree->parent[body];
    double *own = sweep->inertia + 36 * (int64_t)body;
    rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                          tree->inertia + 6 * (int64_t)body, own);
    if (!rct_operator_eliminate((int)(tree->first[body + 1] - first), tree->H + 6 * first,
                                operator_rotors(tree, body), own, sweep->gain + 6 * first,
                                sweep->root + 6 * first)) {
        return body;
    }
    if (up != RCT_GROUND) {
        rct_operator_pass(tree->hinge[body] == RCT_HINGE_BALL, lever_of(tree, body), own,
                          sweep->inertia + 36 * up);
    }
    return -1;
}

int32_t rct_embedding_factor(rct_embedding *e)
{
    int32_t fault = -1;
    memset(e->sweep->inertia, 0, (size_t)e->sweep->tree->n * 36 * sizeof *e->sweep->inertia);
    for (int32_t k = e->aggregation->nodes - 1; k >= 0 && fault < 0; k--) {
        const int32_t node = e->aggregation->node[k];
        fault = node < 0 ? factor_aggregate(e, ~node) : factor_body(e->sweep, node);
    }
    return fault;
}
