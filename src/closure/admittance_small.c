/* Small components of Lambda (admittance_small.h). */
#include "closure/admittance_small.h"

#include "kernels/sweeps/lanes.h"

#include <math.h>
#include <string.h>

/* The least pivot for solving without pivoting, as a fraction of the largest diagonal number; and
 * the largest pivot of rows that other rows already hold. */
static const double plain_pivot = 1e-5, least_pivot = 1e-12;

/* How often the residual by rounding of a solution by pivoted factors is solved for again: the
 * factors may be wrong by 1e-4. */
enum { REPEATS = 4 };

/* A component that is solved by pivoted factors. */
typedef struct delicate {
    int64_t matrix; /* place of its first number in the lanes */
    int64_t row;    /* place of its first row */
    int32_t rows, rank;
} delicate;

struct rct_admittance_small {
    rct_small_systems at;
    const rct_small_kernels *kernels;
    int32_t *rows, *begin, *row, *number;
    int64_t *first_row, *first_number;
    int32_t *lane_count; /* [bundles] lanes with a component; the others repeat one */
    delicate *delicate;  /* [components] */
    uint8_t *lost;       /* [rows of all] 1: the row has no pivot */
    double *room;        /* [components][2][SMALL_ROWS][SMALL_ROWS] of delicate ones: L, and L* L */
    int32_t delicate_count;
};

/* ---- laying ------------------------------------------------------------------------------- */

static int32_t size_of(const rct_admittance_components *c, int32_t component)
{
    return c->first[component + 1] - c->first[component];
}

static int32_t largest(const rct_admittance_components *c)
{
    int32_t most = 0;
    for (int32_t i = 0; i < c->count; i++) {
        most = size_of(c, i) > most ? size_of(c, i) : most;
    }
    return most;
}

/* The number of components of a size. */
static int64_t count_of(const rct_admittance_components *c, int32_t rows)
{
    int64_t count = 0;
    for (int32_t i = 0; i < c->count; i++) {
        count += size_of(c, i) == rows;
    }
    return count;
}

/* Write the places of the numbers of a component to lane `lane` of a bundle; numbers that it lacks
 * are at the last place of all, a zero. Rows begin at the first column that any lane has. */
static void write_lane(const rct_admittance *a, int32_t bundle, int32_t lane, int32_t component)
{
    const rct_admittance_components *c = &a->components;
    const rct_admittance_small *s = a->small;
    const int32_t lanes = s->at.lanes, rows = size_of(c, component);
    int32_t *row = s->row + s->first_row[bundle] * lanes + lane;
    int32_t *number = s->number + s->first_number[bundle] * lanes + lane;
    int32_t *begin = s->begin + s->first_row[bundle];
    for (int32_t i = 0; i < rows; i++) {
        row[(int64_t)i * lanes] = c->row[c->first[component] + i];
        a->local[c->row[c->first[component] + i]] = i;
    }
    for (int32_t k = 0; k < rows * (rows + 1) / 2; k++) {
        number[(int64_t)k * lanes] = (int32_t)a->numbers;
    }
    for (int64_t k = c->first_at[component]; k < c->first_at[component + 1]; k++) {
        const int32_t i = a->local[a->number_row[c->number[k]]];
        const int32_t j = a->local[a->number_column[c->number[k]]];
        const int32_t low = i < j ? i : j, high = i < j ? j : i;
        number[((int64_t)high * (high + 1) / 2 + low) * lanes] = (int32_t)c->number[k];
        begin[high] = low < begin[high] ? low : begin[high];
    }
}

/* Lay components of one size after those of smaller sizes. */
static void fill(const rct_admittance *a)
{
    const rct_admittance_components *c = &a->components;
    rct_admittance_small *s = a->small;
    const int32_t lanes = s->at.lanes, most = largest(c);
    int32_t bundle = 0;
    for (int32_t rows = 1; rows <= most; rows++) {
        int32_t lane = 0, last = -1;
        for (int32_t i = 0; i <= c->count; i++) {
            const int full = lane == lanes || (i == c->count && lane > 0);
            for (int32_t l = lane; full && l < lanes; l++) {
                write_lane(a, bundle, l, last);
            }
            if (full) {
                s->lane_count[bundle++] = lane;
                lane = 0;
            }
            if (i < c->count && size_of(c, i) == rows) {
                s->rows[bundle] = rows;
                s->first_row[bundle + 1] = s->first_row[bundle] + rows;
                s->first_number[bundle + 1] = s->first_number[bundle] + rows * (rows + 1) / 2;
                for (int32_t b = 0; b < rows && lane == 0; b++) {
                    s->begin[s->first_row[bundle] + b] = b;
                }
                write_lane(a, bundle, lane++, i);
                last = i;
            }
        }
    }
    s->at.bundles = bundle;
}

rct_status rct_admittance_small_create(rct_admittance *a, rct_error *error)
{
    const rct_admittance_components *c = &a->components;
    const rct_lane_kernels *kernels = rct_lane_kernels_list()[0];
    rct_pool *pool = &a->base.pool;
    if (rct_admittance_mobility(a)->places == NULL || a->base.problem.rows->give != NULL ||
        largest(c) > SMALL_ROWS) {
        return RCT_OK;
    }
    const int64_t lanes = kernels->lanes, one = sizeof(double);
    int64_t bundles = 0, all = 0, numbers = 0;
    for (int32_t rows = 1; rows <= largest(c); rows++) {
        const int64_t own = (count_of(c, rows) + lanes - 1) / lanes;
        bundles += own;
        all += own * rows;
        numbers += own * (rows * (rows + 1) / 2);
    }
    rct_admittance_small *s = a->small = rct_pool_take(pool, 1, sizeof *s, error);
    if (s == NULL) {
        return RCT_ERROR_MEMORY;
    }
    s->kernels = kernels->small;
    s->rows = rct_pool_take(pool, bundles, sizeof *s->rows, error);
    s->lane_count = rct_pool_take(pool, bundles, sizeof *s->lane_count, error);
    s->first_row = rct_pool_take(pool, bundles + 1, sizeof *s->first_row, error);
    s->first_number = rct_pool_take(pool, bundles + 1, sizeof *s->first_number, error);
    s->begin = rct_pool_take(pool, all, sizeof *s->begin, error);
    s->row = rct_pool_take(pool, all * lanes, sizeof *s->row, error);
    s->number = rct_pool_take(pool, numbers * lanes, sizeof *s->number, error);
    s->lost = rct_pool_take(pool, a->reduced->rows, 1, error);
    s->delicate = rct_pool_take(pool, c->count, sizeof *s->delicate, error);
    s->room = rct_pool_take(pool, c->count, 2 * largest(c) * largest(c) * one, error);
    s->at = (rct_small_systems){.lanes = (int32_t)lanes,
                                .rows = s->rows,
                                .first_row = s->first_row,
                                .first_number = s->first_number,
                                .begin = s->begin,
                                .row = s->row,
                                .number = s->number,
                                .matrix = rct_pool_take(pool, numbers * lanes, one, error),
                                .factor = rct_pool_take(pool, numbers * lanes, one, error),
                                .scale = rct_pool_take(pool, bundles * lanes, one, error),
                                .least = rct_pool_take(pool, bundles * lanes, one, error)};
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    fill(a);
    return RCT_OK;
}

/* ---- delicate ones ------------------------------------------------------------------------ */

static double number(const rct_admittance_small *s, const delicate *d, int32_t i, int32_t j)
{
    const int64_t low = i < j ? i : j, high = i < j ? j : i;
    return s->at.matrix[d->matrix + (high * (high + 1) / 2 + low) * s->at.lanes];
}

static int32_t row_of(const rct_admittance_small *s, const delicate *d, int32_t i)
{
    return s->row[d->row + (int64_t)i * s->at.lanes];
}

/* L by columns, largest pivots first; a row without a pivot to `dependent`. */
static void factor_pivoted(const rct_admittance_small *s, delicate *d, double scale, double *L,
                           int32_t *dependent)
{
    double left[SMALL_ROWS];
    const int32_t m = d->rows;
    for (int32_t i = 0; i < m; i++) {
        left[i] = number(s, d, i, i);
    }
    for (d->rank = 0; d->rank < m; d->rank++) {
        int32_t p = 0;
        for (int32_t i = 1; i < m; i++) {
            p = left[i] > left[p] ? i : p;
        }
        if (!(left[p] > least_pivot * scale)) {
            *dependent = row_of(s, d, p);
            break;
        }
        double *column = L + (int64_t)d->rank * m;
        const double root = sqrt(left[p]);
        for (int32_t i = 0; i < m; i++) {
            double sum = number(s, d, i, p);
            for (int32_t k = 0; k < d->rank; k++) {
                sum -= L[(int64_t)k * m + i] * L[(int64_t)k * m + p];
            }
            column[i] = left[i] == -INFINITY ? 0.0 : sum / root;
        }
        for (int32_t i = 0; i < m; i++) {
            left[i] -= column[i] * column[i];
        }
        left[p] = -INFINITY; /* it has been taken */
    }
    for (int32_t i = 0; i < m; i++) {
        s->lost[row_of(s, d, i)] = (uint8_t)(left[i] != -INFINITY);
    }
}

/* The lower triangle of G = L* L = C C*, with C written over it. */
static void factor_square(const delicate *d, const double *L, double *C)
{
    const int32_t m = d->rows, r = d->rank;
    for (int32_t i = 0; i < r; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < m; k++) {
                sum += L[(int64_t)i * m + k] * L[(int64_t)j * m + k];
            }
            for (int32_t k = 0; k < j; k++) {
                sum -= C[(int64_t)i * r + k] * C[(int64_t)j * r + k];
            }
            C[(int64_t)i * r + j] = i == j ? sqrt(sum) : sum / C[(int64_t)j * r + j];
        }
    }
}

/* y = G^-1 y */
static void solve_square(const delicate *d, const double *C, double *y)
{
    const int32_t r = d->rank;
    for (int32_t i = 0; i < r; i++) {
        for (int32_t k = 0; k < i; k++) {
            y[i] -= C[(int64_t)i * r + k] * y[k];
        }
        y[i] /= C[(int64_t)i * r + i];
    }
    for (int32_t i = r - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < r; k++) {
            y[i] -= C[(int64_t)k * r + i] * y[k];
        }
        y[i] /= C[(int64_t)i * r + i];
    }
}

/* Add `factor` times L y to x. */
static void add_columns(const delicate *d, const double *L, const double *y, double factor,
                        double *x)
{
    for (int32_t k = 0; k < d->rank; k++) {
        for (int32_t i = 0; i < d->rows; i++) {
            x[i] += factor * y[k] * L[(int64_t)k * d->rows + i];
        }
    }
}

/* lambda of least length by the factors, with the residual solved for again; `left` [rows]: gap +
 * Lambda lambda. */
static void solve_pivoted(const rct_admittance_small *s, const delicate *d, const double *L,
                          const double *C, const double *gap, double *lambda, double *left)
{
    const int32_t m = d->rows;
    double x[SMALL_ROWS] = {0.0}, rest[SMALL_ROWS], y[SMALL_ROWS];
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        for (int32_t i = 0; i < m; i++) {
            rest[i] = gap[row_of(s, d, i)];
            for (int32_t j = 0; j < m; j++) {
                rest[i] += number(s, d, i, j) * x[j];
            }
        }
        if (repeat == REPEATS) {
            break;
        }
        for (int32_t k = 0; k < d->rank; k++) {
            y[k] = 0.0;
            for (int32_t i = 0; i < m; i++) {
                y[k] += L[(int64_t)k * m + i] * rest[i];
            }
        }
        solve_square(d, C, y);
        solve_square(d, C, y);
        add_columns(d, L, y, -1.0, x);
    }
    for (int32_t i = 0; i < m; i++) {
        lambda[row_of(s, d, i)] = x[i];
        left[row_of(s, d, i)] = rest[i];
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static double *room_of(const rct_admittance *a, int32_t k)
{
    const int64_t most = largest(&a->components);
    return a->small->room + 2 * most * most * k;
}

void rct_admittance_small_factor(const rct_admittance *a, rct_closure_report *report)
{
    rct_admittance_small *s = a->small;
    const int64_t lanes = s->at.lanes;
    s->kernels->factor(&s->at, a->values, a->ready);
    s->delicate_count = 0;
    memset(s->lost, 0, (size_t)a->reduced->rows);
    report->lost = s->lost;
    report->rank = a->reduced->rows;
    for (int32_t n = 0; n < s->at.bundles; n++) {
        for (int64_t l = 0; l < s->lane_count[n]; l++) {
            if (!(s->at.least[n * lanes + l] > plain_pivot)) {
                double *L = room_of(a, s->delicate_count);
                delicate *d = &s->delicate[s->delicate_count++];
                *d = (delicate){.matrix = s->first_number[n] * lanes + l,
                                .row = s->first_row[n] * lanes + l,
                                .rows = s->rows[n]};
                factor_pivoted(s, d, s->at.scale[n * lanes + l], L, &report->dependent);
                factor_square(d, L, L + (int64_t)d->rows * d->rows);
                report->rank -= d->rows - d->rank;
            }
        }
    }
}

void rct_admittance_small_solve(const rct_admittance *a, const double *gap, double *lambda,
                                double *left)
{
    const rct_admittance_small *s = a->small;
    s->kernels->solve(&s->at, gap, lambda, left);
    for (int32_t k = 0; k < s->delicate_count; k++) {
        const delicate *d = &s->delicate[k];
        const double *L = room_of(a, k);
        solve_pivoted(s, d, L, L + (int64_t)d->rows * d->rows, gap, lambda, left);
    }
}
