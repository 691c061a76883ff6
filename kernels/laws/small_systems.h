/* Small symmetric systems in lanes (kernels/records/small_systems.h) by L D L* without pivoting,
 * for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_LAWS_SMALL_SYSTEMS_H
#define RCT_KERNELS_LAWS_SMALL_SYSTEMS_H

#include "kernels/lane/lane.h"
#include "kernels/records/small_systems.h"

/* Row b of a triangle. */
LANE_INLINE const double *small_row_of(const double *triangle, int32_t b)
{
    return triangle + (int64_t)b * (b + 1) / 2 * LANE_WIDTH;
}

/* Matrix and scale of a bundle. */
LANE_INLINE void small_take(const rct_small_systems *s, int32_t bundle, const double *values,
                            const double *ready)
{
    const int32_t *begin = s->begin + s->first_row[bundle];
    const int32_t *row = s->row + s->first_row[bundle] * LANE_WIDTH;
    real scale = lane_set(0.0);
    for (int32_t b = 0; b < s->rows[bundle]; b++) {
        const int64_t first = (s->first_number[bundle] + (int64_t)b * (b + 1) / 2) * LANE_WIDTH;
        real own = lane_gather(ready, row + (int64_t)b * LANE_WIDTH);
        for (int32_t a = begin[b]; a <= b; a++) {
            const int64_t at = first + (int64_t)a * LANE_WIDTH;
            const real number = lane_gather(values, s->number + at);
            lane_store(s->matrix + at, number);
            own = a == b ? number + own : own;
        }
        scale = lane_select(lane_greater(own, scale), own, scale);
    }
    const mask some = lane_greater(scale, lane_set(0.0));
    lane_store(s->scale + (int64_t)bundle * LANE_WIDTH,
               lane_select(some, scale, lane_set(1.0))); /* bodies that are welded to the ground */
}

/* Systems of a few rows have code of their own, in registers; so few are taken as dense. */
#define SMALL_CASES(rows, RUN)                                                                     \
    switch (rows) {                                                                                \
    case 1: RUN(1, 1); break;                                                                      \
    case 2: RUN(2, 1); break;                                                                      \
    case 3: RUN(3, 1); break;                                                                      \
    default: RUN(rows, 0);                                                                         \
    }

/* The first column of row b that is not 0. */
LANE_INLINE int32_t small_begin(const int32_t *begin, int dense, int32_t b)
{
    return dense ? 0 : begin[b];
}

/* Bundle n of systems of `rows` rows. */
LANE_INLINE void small_factor_bundle(const rct_small_systems *s, int32_t n, int32_t rows, int dense,
                                     const double *values, const double *ready)
{
    const int32_t *begin = s->begin + s->first_row[n];
    const double *A = s->matrix + s->first_number[n] * LANE_WIDTH;
    double *L = s->factor + s->first_number[n] * LANE_WIDTH;
    small_take(s, n, values, ready);
    const real scale = lane_load(s->scale + (int64_t)n * LANE_WIDTH);
    real least = lane_set(1e300);
    for (int32_t b = 0; b < rows; b++) {
        real given[SMALL_ROWS];
        double *own = L + (small_row_of(A, b) - A);
        const double *asked = small_row_of(A, b);
        const int32_t first = small_begin(begin, dense, b);
        real d = lane_load(asked + (int64_t)b * LANE_WIDTH);
        for (int32_t a = first; a < b; a++) {
            const double *other = L + (small_row_of(A, a) - A);
            const int32_t after = small_begin(begin, dense, a);
            real sum = lane_load(asked + (int64_t)a * LANE_WIDTH);
            for (int32_t k = after > first ? after : first; k < a; k++) {
                sum = sum - given[k] * lane_load(other + (int64_t)k * LANE_WIDTH);
            }
            given[a] = sum;
        }
        for (int32_t a = first; a < b; a++) {
            const double *other = L + (small_row_of(A, a) - A);
            const real l = given[a] * lane_load(other + (int64_t)a * LANE_WIDTH);
            lane_store(own + (int64_t)a * LANE_WIDTH, l);
            d = d - given[a] * l;
        }
        const real part = lane_quotient(d, scale);
        lane_store(own + (int64_t)b * LANE_WIDTH, lane_quotient(lane_set(1.0), d));
        least = lane_select(lane_greater(part, least), least, part); /* NaN if there is any */
    }
    lane_store(s->least + (int64_t)n * LANE_WIDTH, least);
}

LANE_FUNCTION void small_factor(const rct_small_systems *s, const double *values,
                                const double *ready)
{
    for (int32_t n = 0; n < s->bundles; n++) {
#define RUN(ROWS, DENSE) small_factor_bundle(s, n, ROWS, DENSE, values, ready)
        SMALL_CASES(s->rows[n], RUN)
#undef RUN
    }
}

/* y = -A^-1 y */
LANE_INLINE void small_answer(const double *L, const int32_t *begin, int32_t rows, int dense,
                              real *y)
{
    for (int32_t b = 0; b < rows; b++) {
        const double *own = small_row_of(L, b);
        for (int32_t a = small_begin(begin, dense, b); a < b; a++) {
            y[b] = y[b] - lane_load(own + (int64_t)a * LANE_WIDTH) * y[a];
        }
    }
    for (int32_t b = 0; b < rows; b++) {
        y[b] = -(y[b] * lane_load(small_row_of(L, b) + (int64_t)b * LANE_WIDTH));
    }
    for (int32_t b = rows - 1; b >= 0; b--) {
        const double *own = small_row_of(L, b);
        for (int32_t a = small_begin(begin, dense, b); a < b; a++) {
            y[a] = y[a] - lane_load(own + (int64_t)a * LANE_WIDTH) * y[b];
        }
    }
}

/* y = b + A x */
LANE_INLINE void small_left(const double *A, const int32_t *begin, int32_t rows, int dense,
                            const real *b, const real *x, real *y)
{
    for (int32_t i = 0; i < rows; i++) {
        const double *own = small_row_of(A, i);
        y[i] = b[i] + lane_load(own + (int64_t)i * LANE_WIDTH) * x[i];
        for (int32_t j = small_begin(begin, dense, i); j < i; j++) {
            const real number = lane_load(own + (int64_t)j * LANE_WIDTH);
            y[i] = y[i] + number * x[j];
            y[j] = y[j] + number * x[i];
        }
    }
}

LANE_INLINE void small_solve_bundle(const rct_small_systems *s, int32_t n, int32_t rows, int dense,
                                    const double *b, double *x, double *left)
{
    const double *A = s->matrix + s->first_number[n] * LANE_WIDTH;
    const double *L = s->factor + s->first_number[n] * LANE_WIDTH;
    const int32_t *row = s->row + s->first_row[n] * LANE_WIDTH;
    const int32_t *begin = s->begin + s->first_row[n];
    real asked[SMALL_ROWS], found[SMALL_ROWS], more[SMALL_ROWS];
    for (int32_t i = 0; i < rows; i++) {
        asked[i] = found[i] = lane_gather(b, row + (int64_t)i * LANE_WIDTH);
    }
    small_answer(L, begin, rows, dense, found);
    small_left(A, begin, rows, dense, asked, found, more);
    small_answer(L, begin, rows, dense, more);
    for (int32_t i = 0; i < rows; i++) {
        found[i] = found[i] + more[i];
    }
    small_left(A, begin, rows, dense, asked, found, more);
    for (int32_t i = 0; i < rows; i++) {
        lane_scatter(x, row + (int64_t)i * LANE_WIDTH, found[i]);
        lane_scatter(left, row + (int64_t)i * LANE_WIDTH, more[i]);
    }
}

LANE_FUNCTION void small_solve(const rct_small_systems *s, const double *b, double *x, double *left)
{
    for (int32_t n = 0; n < s->bundles; n++) {
#define RUN(ROWS, DENSE) small_solve_bundle(s, n, ROWS, DENSE, b, x, left)
        SMALL_CASES(s->rows[n], RUN)
#undef RUN
    }
}

static const rct_small_kernels small_systems = {.factor = small_factor, .solve = small_solve};

#endif
