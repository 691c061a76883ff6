/* Numbers of a front (front.h). */
#include "closure/front/front.h"

#include "algebra/sparse_system.h"
#include "core/numbers.h"
#include "kernels/sweeps/lanes.h"
#include "operators/six.h"

#include <math.h>
#include <string.h>

typedef rct_six six;

static six *block(const rct_front *f, int32_t a, int32_t b)
{
    return f->K[(int64_t)a * f->slots + b];
}

/* ---- making --------------------------------------------------------------------------------- */

rct_front *rct_front_create(rct_reduced_tree *reduced, rct_pool *pool, rct_error *error)
{
    rct_front *f = rct_pool_take(pool, 1, sizeof *f, error);
    if (f == NULL) {
        return NULL;
    }
    f->reduced = reduced;
    f->blocks = rct_lane_kernels_list()[0]->blocks;
    const int64_t shares =
        rct_front_list(f, reduced, pool, error) ? rct_front_order(f, pool, error) : -1;
    if (shares < 0) {
        return NULL;
    }
    const int64_t slots = f->slots;
    f->E = rct_pool_take(pool, reduced->nodes, sizeof *f->E, error);
    f->Upsilon = rct_pool_take(pool, reduced->nodes, sizeof *f->Upsilon, error);
    f->B = rct_pool_take(pool, f->touches, sizeof *f->B, error);
    f->L = rct_pool_take(pool, f->bundles, sizeof *f->L, error);
    f->K = rct_pool_take(pool, slots * slots, sizeof *f->K, error);
    f->share = rct_pool_take(pool, shares, sizeof *f->share, error);
    f->vector = rct_pool_take(pool, slots, sizeof *f->vector, error);
    f->moves = rct_pool_take(pool, reduced->rows, sizeof *f->moves, error);
    f->pivot = rct_pool_take(pool, reduced->rows, sizeof *f->pivot, error);
    return pool->failed ? NULL : f;
}

/* ---- numbers of a state --------------------------------------------------------------------- */

void rct_front_write_ends(rct_front *f)
{
    const rct_reduced_tree *r = f->reduced;
    memset(f->B, 0, (size_t)f->touches * sizeof *f->B);
    for (int32_t e = 0; e < r->ends; e++) {
        if (r->node[r->end[e].node].front) {
            rct_add6(1.0, r->end[e].wrench, rct_front_wrench(f, f->touch_of_end[e], r->end[e].row));
        }
    }
}

int rct_front_finite(const rct_front *f)
{
    const int64_t nodes = f->reduced->nodes; /* nodes without a front are 0 */
    return rct_all_finite((const double *)f->B, (int64_t)36 * f->touches) &&
           rct_all_finite((const double *)f->E, 36 * nodes) &&
           rct_all_finite((const double *)f->Upsilon, 36 * nodes);
}

/* ---- factor --------------------------------------------------------------------------------- */

/* Put A, and its image where it is beside others: add to the block, or replace it if `fresh`. */
static inline void put(const rct_front *f, int32_t a, int32_t b, int fresh, six *A)
{
    six *here = block(f, a, b), *there = block(f, b, a);
    for (int i = 0; i < 6; i++) {
        if (fresh) {
            memcpy(here[i], A[i], sizeof here[i]);
        } else {
            rct_add6(1.0, A[i], here[i]);
        }
    }
    if (a != b) {
        f->blocks->turn(here, there);
    }
}

/* R = A K of `at`: how forces of `with`, which reach `at` by A*, move `at` and the other slots. */
static void couple(const rct_front *f, const rct_front_step *s, int fresh, six *own,
                   void (*multiply)(const rct_front *, const rct_front_step *, six *, six *))
{
    six R[6];
    for (int32_t k = 0; k < s->count; k++) {
        const int32_t other = f->others[s->first + k];
        multiply(f, s, block(f, s->at, other), R);
        put(f, s->with, other, fresh, R);
    }
    multiply(f, s, block(f, s->at, s->at), own);
    if (!s->last) {
        put(f, s->with, s->at, fresh, own);
    }
}

static void multiply_path(const rct_front *f, const rct_front_step *s, six *K, six *R)
{
    f->blocks->turned_product(f->E[s->item], K, R);
}

static void multiply_touch(const rct_front *f, const rct_front_step *s, six *K, six *R)
{
    f->blocks->product(f->bundle[f->touch[s->item].bundle].rows, f->B[s->item], K, R);
}

/* Add a node, which also gives way by Upsilon of its path. */
static void add_node(const rct_front *f, const rct_front_step *s)
{
    six R[6], square[6];
    couple(f, s, 1, R, multiply_path);
    f->blocks->product(6, R, f->E[s->item], square);
    put(f, s->with, s->with, 1, f->Upsilon[s->item]);
    put(f, s->with, s->with, 0, square);
}

static void add_touch(const rct_front *f, const rct_front_step *s)
{
    const rct_front_bundle *b = &f->bundle[f->touch[s->item].bundle];
    six R[6], square[6], beside[6];
    multiply_touch(f, s, block(f, s->at, s->with), beside);
    couple(f, s, 0, R, multiply_touch);
    f->blocks->product_turned(b->rows, R, f->B[s->item], square);
    for (int i = 0; i < b->rows; i++) {
        f->moves[b->row + i] = fmax(f->moves[b->row + i], square[i][i]);
        for (int j = 0; j < b->rows; j++) {
            square[i][j] += beside[i][j] + beside[j][i];
        }
    }
    put(f, s->with, s->with, 0, square);
}

/* A slot that comes in has no coupling yet; `own`: how it gives way. */
static void come_in(const rct_front *f, const rct_front_step *s, six *own)
{
    six nothing[6] = {{0.0}};
    for (int32_t k = 0; k < s->count; k++) {
        put(f, s->at, f->others[s->first + k], 1, nothing);
    }
    put(f, s->at, s->at, 1, own != NULL ? own : nothing);
}

static void add_piece(const rct_front *f, const rct_front_step *s, const double *numbers)
{
    const rct_reduced_tree *r = f->reduced;
    const rct_reduced_node *root = &r->node[f->piece[s->item].node];
    const double *number = numbers + root->numbers;
    for (int32_t q = root->first; q < root->end; q++) {
        const int32_t b = r->entry[q].row;
        const rct_front_bundle *of_b = &f->bundle[f->bundle_of[b]];
        for (int32_t p = root->first; p <= q; p++, number++) {
            const int32_t a = r->entry[p].row;
            const rct_front_bundle *of_a = &f->bundle[f->bundle_of[a]];
            block(f, of_a->slot, of_b->slot)[a - of_a->row][b - of_b->row] += *number;
            if (p != q) {
                block(f, of_b->slot, of_a->slot)[b - of_b->row][a - of_a->row] += *number;
            }
        }
    }
}

/* K + E of a bundle as L L*, with the diagonal of L inverted; 0: a pivot is too small. */
static int factor_pivots(rct_front *f, const rct_front_step *s, const double *shift,
                         const double *least)
{
    const rct_front_bundle *b = &f->bundle[s->item];
    six *own = block(f, s->at, s->at), *L = f->L[s->item];
    int whole = 1;
    for (int i = 0; i < b->rows; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = own[i][j] + (i == j ? shift[b->row + i] : 0.0);
            for (int k = 0; k < j; k++) {
                sum -= L[i][k] * L[j][k];
            }
            if (i == j) {
                f->pivot[b->row + i] = sum;
                whole &= sum > least[b->row + i] && isfinite(sum);
            }
            L[i][j] = i == j ? 1.0 / sqrt(sum) : sum * L[j][j];
        }
    }
    return whole;
}

/* The shares of a bundle in the other slots; take them off these. */
static void eliminate(const rct_front *f, const rct_front_step *s)
{
    const rct_front_bundle *b = &f->bundle[s->item];
    six *L = f->L[s->item];
    const int32_t *other = f->others + s->first;
    six *share = f->share + b->share;
    for (int32_t t = 0; t < s->count; t++) {
        six *beside = block(f, s->at, other[t]);
        six *own = share + (int64_t)t * b->rows;
        memcpy(own, beside, (size_t)b->rows * sizeof *own);
        f->blocks->reduce(b->rows, L, own);
        for (int32_t u = 0; u <= t; u++) {
            six *here = block(f, other[t], other[u]), *there = block(f, other[u], other[t]);
            f->blocks->take_off(b->rows, own, share + (int64_t)u * b->rows, here);
            if (u < t) {
                f->blocks->turn(here, there);
            }
        }
    }
}

rct_status rct_front_factor(rct_front *f, const double *numbers, const double *shift,
                            const double *least, rct_error *error)
{
    int whole = 1;
    memset(f->moves, 0, (size_t)f->reduced->rows * sizeof *f->moves);
    for (int32_t i = 0; i < f->steps && whole; i++) {
        const rct_front_step *s = &f->step[i];
        switch ((rct_front_kind)s->kind) {
        case RCT_FRONT_ROOT: come_in(f, s, f->Upsilon[s->item]); break;
        case RCT_FRONT_NODE: add_node(f, s); break;
        case RCT_FRONT_BUNDLE:
            f->bundle[s->item].slot = s->at;
            come_in(f, s, NULL);
            break;
        case RCT_FRONT_TOUCH: add_touch(f, s); break;
        case RCT_FRONT_PIECE: add_piece(f, s, numbers); break;
        case RCT_FRONT_PIVOTS:
            whole = factor_pivots(f, s, shift, least);
            eliminate(f, s);
            break;
        }
    }
    return whole ? RCT_OK : rct_sparse_singular("the admittance of closures", error);
}

/* ---- solve ---------------------------------------------------------------------------------- */

/* g of rows becomes h = L^-1 g; take their shares of it off the others. */
static void forward_pivots(const rct_front *f, const rct_front_step *s, double *x)
{
    const rct_front_bundle *b = &f->bundle[s->item];
    six *L = f->L[s->item], *share = f->share + b->share, given;
    double *own = x + b->row;
    for (int i = 0; i < b->rows; i++) {
        own[i] = f->vector[s->at][i];
        for (int k = 0; k < i; k++) {
            own[i] -= L[i][k] * own[k];
        }
        own[i] *= L[i][i];
    }
    for (int i = 0; i < b->rows; i++) {
        given[i] = -own[i];
    }
    for (int32_t t = 0; t < s->count; t++, share += b->rows) {
        f->blocks->apply_turned(b->rows, share, given, f->vector[f->others[s->first + t]]);
    }
}

/* g, outward. */
static void forward(const rct_front *f, const rct_front_step *s, double *x)
{
    double *at = f->vector[s->at], *with = f->vector[s->with];
    const rct_front_bundle *b;
    switch ((rct_front_kind)s->kind) {
    case RCT_FRONT_ROOT: memset(at, 0, sizeof(six)); break;
    case RCT_FRONT_NODE:
        memset(with, 0, sizeof(six));
        f->blocks->apply_turned(6, f->E[s->item], at, with);
        break;
    case RCT_FRONT_BUNDLE:
        b = &f->bundle[s->item];
        memset(at, 0, sizeof(six));
        memcpy(at, x + b->row, (size_t)b->rows * sizeof *x);
        break;
    case RCT_FRONT_TOUCH:
        b = &f->bundle[f->touch[s->item].bundle];
        f->blocks->apply(b->rows, f->B[s->item], at, with);
        break;
    case RCT_FRONT_PIECE: break;
    case RCT_FRONT_PIVOTS: forward_pivots(f, s, x); break;
    }
}

/* lambda of rows from h, less the shares of the others. */
static void backward_pivots(const rct_front *f, const rct_front_step *s, double *x)
{
    const rct_front_bundle *b = &f->bundle[s->item];
    six *L = f->L[s->item], *share = f->share + b->share, taken = {0.0};
    double *own = x + b->row;
    for (int32_t t = 0; t < s->count; t++, share += b->rows) {
        f->blocks->apply(b->rows, share, f->vector[f->others[s->first + t]], taken);
    }
    for (int i = b->rows - 1; i >= 0; i--) {
        own[i] -= taken[i];
        for (int k = i + 1; k < b->rows; k++) {
            own[i] -= L[k][i] * own[k];
        }
        own[i] *= L[i][i];
    }
    memset(f->vector[s->at], 0, sizeof(six));
    memcpy(f->vector[s->at], own, (size_t)b->rows * sizeof *own);
}

/* f of nodes, inward. */
static void backward(const rct_front *f, const rct_front_step *s, double *x)
{
    if (s->kind == RCT_FRONT_PIVOTS) {
        backward_pivots(f, s, x);
    } else if (s->kind == RCT_FRONT_NODE || s->kind == RCT_FRONT_TOUCH) {
        double *at = f->vector[s->at], *with = f->vector[s->with];
        if (s->last) {
            memset(at, 0, sizeof(six));
        }
        if (s->kind == RCT_FRONT_NODE) {
            f->blocks->apply(6, f->E[s->item], with, at);
        } else {
            const int rows = f->bundle[f->touch[s->item].bundle].rows;
            f->blocks->apply_turned(rows, f->B[s->item], with, at);
        }
    }
}

void rct_front_solve(rct_front *f, double *x)
{
    for (int32_t i = 0; i < f->steps; i++) {
        forward(f, &f->step[i], x);
    }
    for (int32_t i = f->steps - 1; i >= 0; i--) {
        backward(f, &f->step[i], x);
    }
}
