/* Pieces and separators of a banded matrix (banded.h). Unknown i stands in block i / step: a piece,
 * and the separator behind it. Behind the last unknown pieces are filled up with rows of the
 * identity. */
#include "algebra/banded.h"

#include "core/memory.h"
#include "core/pool.h"

#include <math.h>
#include <string.h>

/* Smaller systems have too few pieces. */
enum { LEAST_SIZE = 96 };

struct rct_banded {
    rct_pool pool;
    const rct_band_kernels *kernels;
    rct_bands at;
    int64_t size, count, lanes;
    int64_t laid;              /* numbers of pieces, and of separators before elimination */
    double *numbers;           /* those, then what pieces leave (rct_bands.left) */
    int64_t *slot;             /* [count] place among them */
    int64_t *unit, units;      /* places of the diagonal of filled rows */
    int64_t separators;        /* unknowns of all */
    int64_t width, rest_count; /* the band of their matrix, and the numbers that it is the sum of */
    int64_t *rest_slot;        /* [rest_count] place of each */
    const double *rest_values; /* among the numbers */
    double *rest;              /* [separators][width + 1] columns, then those of L with D on top */
    double *right;             /* [separators] */
    double *x;                 /* all unknowns, and those that are filled up */
};

/* ---- places ------------------------------------------------------------------------------- */

static int64_t band_of(const rct_sparse_places *p)
{
    int64_t band = 1;
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t apart = p->column[k] - p->row[k];
        band = apart > band ? apart : band;
    }
    return band;
}

int rct_banded_suits(const rct_sparse_places *p)
{
    return p->definite && p->pieces && p->size >= LEAST_SIZE && band_of(p) <= BAND_WIDEST;
}

/* Number `field` of `fields` of piece p. */
static int64_t place_of(const rct_banded *b, int64_t p, int64_t fields, int64_t field)
{
    return (p / b->lanes * fields + field) * b->lanes + p % b->lanes;
}

/* The place of unknown `local` of piece p among the columns of pieces, k below the diagonal. */
static int64_t column_of(const rct_banded *b, int64_t p, int64_t local, int64_t k)
{
    const int64_t fields = b->at.band + 1;
    return place_of(b, p, BAND_LENGTH * fields, local * fields + k);
}

/* The place of a number i <= j; `own`: how many numbers separators have had so far. */
static int64_t slot_of(const rct_banded *b, int64_t i, int64_t j, int64_t *own)
{
    const int64_t band = b->at.band, step = rct_bands_step(band);
    const int64_t pieces = b->at.groups * b->lanes;
    const int64_t columns = pieces * BAND_LENGTH * (band + 1);
    if (i % step < BAND_LENGTH) {
        return column_of(b, i / step, i % step, j - i);
    }
    if (j / step > i / step) { /* with the piece behind the separator */
        return columns +
               place_of(b, j / step, band * band, (i % step - BAND_LENGTH) * band + j % step);
    }
    return columns + pieces * band * band + (*own)++;
}

static void list_slots(rct_banded *b, const rct_sparse_places *p, int64_t *own)
{
    *own = 0;
    for (int64_t k = 0; k < p->count; k++) {
        b->slot[k] = slot_of(b, p->row[k], p->column[k], own);
    }
}

/* The places of units, in rows behind the last unknown. */
static void list_units(rct_banded *b)
{
    const int64_t step = rct_bands_step(b->at.band), all = b->at.groups * b->lanes * step;
    b->units = 0;
    for (int64_t i = b->size; i < all; i++) {
        if (i % step < BAND_LENGTH) {
            b->unit[b->units++] = column_of(b, i / step, i % step, 0);
        }
    }
}

/* ---- separators --------------------------------------------------------------------------- */

/* Unknown t of the separator behind piece p. */
static int64_t separator_of(const rct_banded *b, int64_t p, int64_t t)
{
    return p * b->at.band + t;
}

/* The place of number (i, j) of separators; where there is no such separator, the number is 0
 * anywhere. */
static int64_t meet(const rct_banded *b, int64_t i, int64_t j)
{
    const int64_t low = i < j ? i : j, high = i < j ? j : i;
    return low >= 0 && high < b->separators ? low * (b->width + 1) + high - low : 0;
}

/* The places of numbers of separators: those of the matrix, then what pieces leave. */
static void list_rest(rct_banded *b, const rct_sparse_places *p)
{
    const int64_t band = b->at.band, step = rct_bands_step(band);
    const int64_t fields = rct_bands_left(band);
    int64_t own = 0;
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t i = p->row[k], j = p->column[k];
        if (i % step >= BAND_LENGTH && i / step == j / step) {
            b->rest_slot[own++] = meet(b, separator_of(b, i / step, i % step - BAND_LENGTH),
                                       separator_of(b, j / step, j % step - BAND_LENGTH));
        }
    }
    for (int64_t q = 0; q < b->at.groups * b->lanes; q++) {
        int64_t field = 0;
        for (int64_t side = 0; side < 2; side++) {
            for (int64_t t = 0; t < band; t++) {
                for (int64_t u = 0; u <= t; u++, field++) {
                    b->rest_slot[own + place_of(b, q, fields, field)] =
                        meet(b, separator_of(b, q - side, t), separator_of(b, q - side, u));
                }
            }
        }
        for (int64_t t = 0; t < band; t++) {
            for (int64_t u = 0; u < band; u++, field++) {
                b->rest_slot[own + place_of(b, q, fields, field)] =
                    meet(b, separator_of(b, q, t), separator_of(b, q - 1, u));
            }
        }
    }
}

/* L D L* of separators. Returns 0 if a D is 0 or not finite. */
static int factor_rest(const rct_banded *b)
{
    const int64_t width = b->width, apart = width + 1;
    int whole = 1;
    memset(b->rest, 0, (size_t)(b->separators * apart) * sizeof *b->rest);
    for (int64_t k = 0; k < b->rest_count; k++) {
        b->rest[b->rest_slot[k]] += b->rest_values[k];
    }
    for (int64_t i = 0; i < b->separators; i++) {
        double *column = b->rest + i * apart;
        const int64_t left = b->separators - 1 - i, below = left < width ? left : width;
        const double inverse = 1.0 / column[0];
        whole &= isfinite(column[0]) && isfinite(inverse);
        for (int64_t k = 1; k <= below; k++) {
            const double own = column[k] * inverse;
            for (int64_t m = k; m <= below; m++) {
                column[k * apart + m - k] -= own * column[m];
            }
            column[k] = own; /* nobody asks for what it was */
        }
    }
    return whole;
}

static void solve_rest(const rct_banded *b)
{
    const int64_t width = b->width, apart = width + 1, count = b->separators;
    double *x = b->right;
    for (int64_t i = 0; i < count; i++) {
        const double *column = b->rest + i * apart;
        for (int64_t k = 1; k <= width && i + k < count; k++) {
            x[i + k] -= column[k] * x[i];
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        const double *column = b->rest + i * apart;
        double sum = x[i] / column[0];
        for (int64_t k = 1; k <= width && i + k < count; k++) {
            sum -= column[k] * x[i + k];
        }
        x[i] = sum;
    }
}

/* ---- making ------------------------------------------------------------------------------- */

static void count_pieces(rct_banded *b, int64_t band)
{
    const int64_t step = rct_bands_step(band), pieces = (b->size + step - 1) / step;
    const int64_t behind = b->size - (pieces - 1) * step - BAND_LENGTH;
    b->at.band = (int32_t)band;
    b->at.groups = (int32_t)((pieces + b->lanes - 1) / b->lanes);
    b->separators = (pieces - 1) * band + (behind > 0 ? behind : 0);
    b->width = 2 * band - 1;
}

static rct_status allocate(rct_banded *b, const rct_sparse_places *p, rct_error *error)
{
    const int64_t band = b->at.band, pieces = b->at.groups * b->lanes, one = sizeof(double);
    const int64_t columns = pieces * BAND_LENGTH * (band + 1), before = pieces * band * band;
    const int64_t all = pieces * rct_bands_step(band);
    rct_pool *pool = &b->pool;
    int64_t own = 0;
    b->slot = rct_pool_take(pool, p->count, sizeof *b->slot, error);
    b->unit = rct_pool_take(pool, all - b->size, sizeof *b->unit, error);
    b->at.factor = rct_pool_take(pool, pieces * BAND_LENGTH * (1 + 2 * band), one, error);
    b->at.x = rct_pool_take(pool, pieces * BAND_LENGTH, one, error);
    b->at.ends = rct_pool_take(pool, pieces * 2 * band, one, error);
    b->right = rct_pool_take(pool, b->separators, one, error);
    b->x = rct_pool_take(pool, all, one, error);
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    list_slots(b, p, &own);
    list_units(b);
    b->laid = columns + before + own;
    b->rest_count = own + pieces * rct_bands_left(band);
    b->numbers = rct_pool_take(pool, b->laid + pieces * rct_bands_left(band), one, error);
    b->rest_slot = rct_pool_take(pool, b->rest_count, sizeof *b->rest_slot, error);
    b->rest = rct_pool_take(pool, b->separators * (b->width + 1), one, error);
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    b->at.column = b->numbers;
    b->at.before = b->numbers + columns;
    b->rest_values = b->numbers + columns + before;
    b->at.left = b->numbers + b->laid;
    list_rest(b, p);
    return RCT_OK;
}

rct_banded *rct_banded_create(const rct_sparse_places *p, const rct_lane_kernels *kernels,
                              rct_error *error)
{
    rct_banded *b = rct_allocate(1, sizeof *b, p->what, error);
    if (b == NULL) {
        return NULL;
    }
    b->pool.what = p->what;
    b->kernels = kernels->bands;
    b->lanes = kernels->lanes;
    b->size = p->size;
    b->count = p->count;
    count_pieces(b, band_of(p));
    if (allocate(b, p, error) != RCT_OK) {
        rct_banded_free(b);
        return NULL;
    }
    return b;
}

void rct_banded_free(rct_banded *b)
{
    if (b != NULL) {
        rct_pool_empty(&b->pool);
        rct_release(b);
    }
}

int64_t rct_banded_bytes(const rct_banded *b)
{
    return (int64_t)sizeof *b + b->pool.bytes;
}

/* ---- factor, solve ------------------------------------------------------------------------ */

rct_status rct_banded_factor(rct_banded *b, const double *values, rct_error *error)
{
    memset(b->numbers, 0, (size_t)b->laid * sizeof *b->numbers);
    for (int64_t k = 0; k < b->count; k++) {
        b->numbers[b->slot[k]] += values[k];
    }
    for (int64_t k = 0; k < b->units; k++) {
        b->numbers[b->unit[k]] = 1.0;
    }
    return b->kernels->factor(&b->at) && factor_rest(b) ? RCT_OK
                                                        : rct_sparse_singular(b->pool.what, error);
}

/* What pieces leave on separators, added to their right side. */
static void gather_ends(const rct_banded *b)
{
    const int64_t band = b->at.band, step = rct_bands_step(band);
    for (int64_t i = 0; i < b->separators; i++) {
        const int64_t p = i / band, t = i % band;
        const double behind = b->at.ends[place_of(b, p, 2 * band, t)];
        const int last = p + 1 >= b->at.groups * b->lanes;
        const double before = last ? 0.0 : b->at.ends[place_of(b, p + 1, 2 * band, band + t)];
        b->right[i] = (b->x[p * step + BAND_LENGTH + t] + behind) + before;
    }
}

/* The solution of separators to the pieces. */
static void spread_ends(const rct_banded *b)
{
    const int64_t band = b->at.band, step = rct_bands_step(band);
    memset(b->at.ends, 0, (size_t)(b->at.groups * b->lanes * 2 * band) * sizeof *b->at.ends);
    for (int64_t i = 0; i < b->separators; i++) {
        const int64_t p = i / band, t = i % band;
        b->at.ends[place_of(b, p, 2 * band, t)] = b->right[i];
        if (p + 1 < b->at.groups * b->lanes) {
            b->at.ends[place_of(b, p + 1, 2 * band, band + t)] = b->right[i];
        }
        b->x[p * step + BAND_LENGTH + t] = b->right[i];
    }
}

void rct_banded_solve(rct_banded *b, double *x)
{
    memcpy(b->x, x, (size_t)b->size * sizeof *x);
    memset(b->x + b->size, 0,
           (size_t)(b->at.groups * b->lanes * rct_bands_step(b->at.band) - b->size) * sizeof *x);
    b->kernels->forward(&b->at, b->x);
    gather_ends(b);
    solve_rest(b);
    spread_ends(b);
    b->kernels->backward(&b->at, b->x);
    memcpy(x, b->x, (size_t)b->size * sizeof *x);
}

void rct_banded_pivots(const rct_banded *b, double *pivots)
{
    const int64_t band = b->at.band, step = rct_bands_step(band), fields = 1 + 2 * band;
    for (int64_t p = 0; p * step < b->size; p++) {
        const double *inverse = b->at.factor + place_of(b, p, BAND_LENGTH * fields, 0);
        double *own = pivots + p * step;
        const int64_t count = b->size - p * step;
        for (int64_t i = 0; i < BAND_LENGTH && i < count; i++) {
            own[i] = 1.0 / inverse[i * fields * b->lanes];
        }
        for (int64_t t = 0; t < band && BAND_LENGTH + t < count; t++) {
            own[BAND_LENGTH + t] = b->rest[separator_of(b, p, t) * (b->width + 1)];
        }
    }
}
