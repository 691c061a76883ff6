/* Which rates of a sparse aggregate are independent (embed_sparse.h). Factors choose them for few
 * numbers. A dependent rate that moves much faster than an independent one then changes places with
 * it, because X is as accurate as its largest element is small. */
#include "closure/embed_sparse.h"

#include "core/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char what[] = "constraint embedding";

/* Singular values of J up to this part of its largest number are rounding. */
static const double hidden = 1e-12;

/* Rates are exchanged until no dependent one is more than this times an independent one. */
static const double steep_enough = 2.0;

int64_t rct_embed_sparse_most(const rct_embedding *e, int32_t number)
{
    const rct_embed_limits *limits = e->base.options;
    const int64_t by_rows = limits->of_row * e->aggregation->aggregate[number].rows;
    return by_rows > limits->fill ? by_rows : limits->fill;
}

rct_status rct_embed_sparse_too_full(const rct_embedding *e, int32_t number, rct_error *error)
{
    char why[RCT_EMBED_WHY];
    snprintf(why, sizeof why,
             "factors of their constraints have more than %" PRId64
             " numbers, and embedding is for at most that many",
             rct_embed_sparse_most(e, number));
    return rct_embed_refuse(e, number, why, error);
}

/* Make room for the present number of independent rates. */
static rct_status make_room(rct_embedding *e, int32_t number, rct_error *error)
{
    rct_embed_block *b = &e->block[number];
    rct_embed_sparse *s = b->sparse;
    const int32_t free = s->J->columns - s->J->rank;
    const rct_status status = rct_embed_check_free(e, number, free, error);
    if (status != RCT_OK || free <= s->room) {
        return status;
    }
    const int64_t m = s->J->columns, one = sizeof(double);
    rct_release(s->X);
    rct_release(s->D);
    rct_release(s->panel);
    s->X = rct_allocate(free * m, one, what, error);
    s->D = rct_allocate((int64_t)free * free, one, what, error);
    s->panel =
        rct_allocate((free < RCT_EMBED_PANEL ? free : RCT_EMBED_PANEL) * m, one, what, error);
    const int whole = s->X != NULL && s->D != NULL && s->panel != NULL;
    s->room = whole ? free : -1;
    b->choice.X = s->X;
    b->D = s->D;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Take the orders and X from the factors; returns the largest element of X. */
static double take_choice(rct_embedding *e, rct_embed_block *b)
{
    rct_embed_choice *c = &b->choice;
    double largest = 0.0;
    c->rank = b->sparse->J->rank;
    memcpy(c->order, b->sparse->J->column, (size_t)c->rates * sizeof *c->order);
    for (int32_t k = 0; k < c->rates; k++) {
        c->scale[k] = e->scale[c->order[k]];
    }
    rct_sparse_rows_null(b->sparse->J, c->X, c->rates);
    for (int64_t j = 0; j < c->rates - c->rank; j++) {
        largest = fmax(largest, rct_closure_largest(c->rank, c->X + j * c->rates));
    }
    return largest;
}

/* Exchange dependent rate i and independent rate j in X and in the order. */
static void exchange(rct_embed_choice *c, int32_t i, int32_t j)
{
    double *pivots = c->X + (int64_t)j * c->rates;
    const double pivot = pivots[i];
    const int32_t kept = c->order[i];
    for (int32_t l = 0; l < c->rates - c->rank; l++) {
        double *column = c->X + (int64_t)l * c->rates;
        const double factor = column[i] / pivot;
        if (l != j) {
            for (int32_t k = 0; k < c->rank; k++) {
                column[k] -= factor * pivots[k];
            }
            column[i] = -factor;
        }
    }
    for (int32_t k = 0; k < c->rank; k++) {
        pivots[k] = k == i ? 1.0 / pivot : pivots[k] / pivot;
    }
    c->order[i] = c->order[c->rank + j];
    c->order[c->rank + j] = kept;
}

/* Exchange rates while that makes the determinant of U1 larger by more than `steep_enough`; mark
 * the independent ones in `last`. */
static void improve(rct_embed_choice *c, uint8_t *last)
{
    double largest = HUGE_VAL;
    for (int32_t left = 4 * c->rates; left > 0 && largest > steep_enough; left--) {
        int32_t row = 0, column = 0;
        largest = 0.0;
        for (int32_t j = 0; j < c->rates - c->rank; j++) {
            for (int32_t i = 0; i < c->rank; i++) {
                const double size = fabs(c->X[(int64_t)j * c->rates + i]);
                row = size > largest ? i : row;
                column = size > largest ? j : column;
                largest = fmax(largest, size);
            }
        }
        if (largest > steep_enough) {
            exchange(c, row, column);
        }
    }
    memset(last, 0, (size_t)c->rates);
    for (int32_t k = c->rank; k < c->rates; k++) {
        last[c->order[k]] = 1;
    }
}

static rct_status choose(rct_embedding *e, int32_t number, double least, const uint8_t *last,
                         rct_error *error)
{
    rct_status status = rct_sparse_rows_choose(e->block[number].sparse->J,
                                               e->block[number].sparse->value, least, last, error);
    if (status == RCT_ERROR_UNSUPPORTED) {
        status = rct_embed_sparse_too_full(e, number, error);
    }
    return status == RCT_OK ? make_room(e, number, error) : status;
}

/* Whether rows with pivots depend on others nevertheless, such as where their common part dies away
 * from row to row: y with J1* y = load, for a random load, is then as long as rounding allows. */
static int is_hidden(rct_embedding *e, const rct_embed_block *b, double largest)
{
    rct_sparse_rows *J = b->sparse->J;
    double *load = b->rest, *y = e->vector; /* neither is needed before a solve */
    uint64_t random = 1;
    double given = 0.0, length = 0.0;
    for (int32_t k = 0; k < J->rank; k++) {
        load[k] = rct_closure_draw(&random);
        given += load[k] * load[k];
    }
    rct_sparse_rows_shortest(J, load, y);
    for (int32_t i = 0; i < J->rows; i++) {
        length += y[i] * y[i];
    }
    return !(sqrt(length) * hidden * largest < sqrt(given)) && J->rank > 0;
}

/* The order, and X. The first choice aims at few numbers in the factors. If rates differ by more
 * than numbers can, a second choice takes the largest pivot of each row, which leaves the fast
 * rates independent. */
rct_status rct_embed_sparse_choose(rct_embedding *e, int32_t number, double most, rct_error *error)
{
    rct_embed_block *b = &e->block[number];
    const double least = rct_embed_nothing(most, b->choice.most);
    double largest = HUGE_VAL;
    rct_status status = RCT_OK;
    for (int strict = 0; strict < 2 && !isfinite(largest) && status == RCT_OK; strict++) {
        b->sparse->J->threshold = strict ? 1.0 : RCT_SPARSE_THRESHOLD;
        status = choose(e, number, least, NULL, error);
        largest = status == RCT_OK ? take_choice(e, b) : 0.0;
    }
    if (status == RCT_OK && isfinite(largest) && largest > rct_embed_steepest) {
        improve(&b->choice, b->sparse->last);
        status = choose(e, number, least, b->sparse->last, error);
        largest = status == RCT_OK ? take_choice(e, b) : 0.0;
    }
    if (status == RCT_OK && isfinite(largest) && is_hidden(e, b, most)) {
        return rct_embed_refuse(e, number, "rounding hides which of them depend on others", error);
    }
    return isfinite(largest) ? status : rct_closure_not_finite(error);
}
