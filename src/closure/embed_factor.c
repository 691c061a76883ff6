/* Articulated inertias of the aggregated tree, inward: seed 002, eq. 50. A single body is a hinge
 * of a tree. An aggregate passes on the part of its inertia that its independent rates leave, by X*
 * M X and X* K of its kind (embedding.h). */
#include "closure/embedding.h"

#include "algebra/dense.h"
#include "core/error.h"
#include "operators/factor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Least pivot of D relative to the number before elimination; smaller pivots are rounding, as in
 * the sweeps of a tree. */
static const double least_pivot = 1e-14;

rct_status rct_embed_singular(int32_t body, rct_error *error)
{
    return rct_fail_body(
        error, RCT_ERROR_SINGULAR, body,
        "body %" PRId32
        ": nothing resists a motion of its hinge, or of the bodies that loops tie to it; give mass "
        "and inertia about the hinge to the bodies that it carries",
        body);
}

/* ---- one aggregate --------------------------------------------------------------------------- */

/* Whether no pivot of D = L L* is rounding of the number before elimination, the sum of squares of
 * its row. */
static int is_sound(const double *L, int32_t size)
{
    int sound = 1;
    for (int32_t i = 0; i < size; i++) {
        const double before = rct_dense_length(i + 1, L + i, size), left = L[(int64_t)i * size + i];
        sound = sound && left * left > least_pivot * before * before;
    }
    return sound;
}

/* D = L L* and gain = D^-1 X* K; take K* X D^-1 X* K, the part of the independent rates, off the
 * composite inertia at the carrying body. */
static rct_status factor_aggregate(rct_embedding *e, int32_t number, rct_error *error)
{
    const rct_aggregate *a = &e->aggregation->aggregate[number];
    rct_embed_block *b = &e->block[number];
    const rct_status status = b->kind->prepare(e, number, error);
    if (status != RCT_OK || a->rates == 0) {
        return status;
    }
    const int32_t m = a->rates, free = m - b->choice.rank;
    const rct_dense_view D = rct_dense_columns(b->D, free, free, free);
    const rct_dense_view gain = rct_dense_columns(b->gain, free, 6, m);
    if (!rct_dense_cholesky(D) || !is_sound(b->D, free)) {
        return rct_embed_singular(a->body[0], error);
    }
    rct_dense_forward(D, gain);
    if (a->top != RCT_GROUND) {
        double *carrier = e->sweep->inertia + 36 * (int64_t)a->top;
        rct_dense_add_product(rct_dense_columns(carrier, 6, 6, 6), -1.0, rct_dense_turned(gain),
                              gain);
    }
    rct_dense_backward(rct_dense_turned(D), gain);
    return RCT_OK;
}

/* ---- the aggregated tree --------------------------------------------------------------------- */

static int factor_body(rct_operator *sweep, int32_t body)
{
    const rct_operator_tree *tree = sweep->tree;
    const int64_t first = tree->first[body], up = tree->parent[body];
    double *own = sweep->inertia + 36 * (int64_t)body;
    rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                          tree->inertia + 6 * (int64_t)body, own);
    if (!rct_operator_eliminate((int)(tree->first[body + 1] - first), tree->H + 6 * first,
                                operator_rotors(tree, body), own, sweep->gain + 6 * first,
                                sweep->root + 6 * first)) {
        return 0;
    }
    if (up != RCT_GROUND) {
        rct_operator_pass(tree->hinge[body] == RCT_HINGE_BALL, lever_of(tree, body), own,
                          sweep->inertia + 36 * up);
    }
    return 1;
}

rct_status rct_embedding_factor(rct_embedding *e, rct_error *error)
{
    rct_status status = RCT_OK;
    memset(e->sweep->inertia, 0, (size_t)e->sweep->tree->n * 36 * sizeof *e->sweep->inertia);
    for (int32_t k = e->aggregation->nodes - 1; k >= 0 && status == RCT_OK; k--) {
        const int32_t node = e->aggregation->node[k];
        status = node < 0                      ? factor_aggregate(e, ~node, error)
                 : factor_body(e->sweep, node) ? RCT_OK
                                               : rct_embed_singular(node, error);
    }
    return status;
}
