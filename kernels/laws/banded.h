/* Pieces of a banded matrix in lanes (kernels/records/bands.h) by L D L* without pivoting, for the
 * LANE_WIDTH of the including translation unit. Unknowns are eliminated one after the other. Behind
 * the one that is eliminated stands a window on as many as the band is wide, the only ones of the
 * piece that it changes:
 *
 *     d = D, c the numbers below it, f those with the separator before
 *     window <- window - c c* / d     spike <- spike - c f* / d     corner <- corner - f f* / d
 */
#ifndef RCT_KERNELS_LAWS_BANDED_H
#define RCT_KERNELS_LAWS_BANDED_H

#include "kernels/lane/lane.h"
#include "kernels/records/bands.h"

/* Narrow bands have code of their own, in registers. */
#define BAND_CASES(band, RUN)                                                                      \
    switch (band) {                                                                                \
    case 1: RUN(1); break;                                                                         \
    case 2: RUN(2); break;                                                                         \
    case 3: RUN(3); break;                                                                         \
    default: RUN(band);                                                                            \
    }

/* Stores a square by rows, or only its lower triangle; returns the place behind it. */
LANE_INLINE double *banded_leave(double *to, real x[BAND_WIDEST][BAND_WIDEST], int band,
                                 int triangle)
{
    LANE_UNROLL
    for (int t = 0; t < band; t++) {
        for (int u = 0; u < (triangle ? t + 1 : band); u++, to += LANE_WIDTH) {
            lane_store(to, x[t][u]);
        }
    }
    return to;
}

/* Eliminates the pieces of a group. Returns the lanes in which all D are numbers and none is 0. */
LANE_INLINE mask banded_factor(const rct_bands *s, int32_t group, int band)
{
    const int64_t per_column = (int64_t)(band + 1) * LANE_WIDTH;
    const double *column = s->column + group * BAND_LENGTH * per_column;
    const double *before = s->before + (int64_t)group * band * band * LANE_WIDTH;
    double *factor = s->factor + (int64_t)group * BAND_LENGTH * (1 + 2 * band) * LANE_WIDTH;
    double *left = s->left + group * rct_bands_left(band) * LANE_WIDTH;
    real window[BAND_WIDEST][BAND_WIDEST], spike[BAND_WIDEST][BAND_WIDEST];
    real corner[BAND_WIDEST][BAND_WIDEST];
    mask whole = lane_bits(-1);
    LANE_UNROLL
    for (int t = 0; t < band; t++) {
        LANE_UNROLL
        for (int u = 0; u < band; u++) {
            window[t][u] = corner[t][u] = lane_set(0.0);
            spike[t][u] = lane_load(before + (int64_t)(u * band + t) * LANE_WIDTH);
        }
    }
    for (int i = 0; i < BAND_LENGTH; i++, column += per_column) {
        real c[BAND_WIDEST + 1], l[BAND_WIDEST + 1], f[BAND_WIDEST];
        const real d = lane_load(column) + window[0][0], inverse = lane_set(1.0) / d;
        whole = lane_and(whole, lane_and(lane_finite(d), lane_finite(inverse)));
        lane_store(factor, inverse);
        factor += LANE_WIDTH;
        LANE_UNROLL
        for (int k = 1; k <= band; k++, factor += LANE_WIDTH) {
            c[k] = lane_load(column + (int64_t)k * LANE_WIDTH);
            c[k] = k < band ? c[k] + window[k][0] : c[k];
            l[k] = c[k] * inverse;
            lane_store(factor, l[k]);
        }
        LANE_UNROLL
        for (int t = 0; t < band; t++, factor += LANE_WIDTH) {
            f[t] = spike[0][t];
            const real own = f[t] * inverse;
            lane_store(factor, own);
            LANE_UNROLL
            for (int u = 0; u <= t; u++) {
                corner[t][u] = corner[t][u] - own * f[u];
            }
        }
        LANE_UNROLL
        for (int t = 1; t <= band; t++) { /* the window moves on by one */
            LANE_UNROLL
            for (int u = 1; u <= t; u++) {
                const real old = t < band ? window[t][u] : lane_set(0.0);
                window[t - 1][u - 1] = old - l[t] * c[u];
            }
            LANE_UNROLL
            for (int u = 0; u < band; u++) {
                const real old = t < band ? spike[t][u] : lane_set(0.0);
                spike[t - 1][u] = old - l[t] * f[u];
            }
        }
    }
    left = banded_leave(left, window, band, 1);
    left = banded_leave(left, corner, band, 1);
    (void)banded_leave(left, spike, band, 0);
    return whole;
}

LANE_FUNCTION int bands_factor(const rct_bands *s)
{
    mask whole = lane_bits(-1);
    for (int32_t group = 0; group < s->groups; group++) {
#define RUN(BAND) whole = lane_and(whole, banded_factor(s, group, BAND))
        BAND_CASES(s->band, RUN)
#undef RUN
    }
    return lane_all(whole);
}

/* Where the pieces of a group begin among all unknowns. */
LANE_INLINE void banded_places(int band, int32_t place[LANE_WIDTH])
{
    for (int l = 0; l < LANE_WIDTH; l++) {
        place[l] = l * (int32_t)rct_bands_step(band);
    }
}

/* Solves a group with L; what is left of the right side of separators to `ends`. */
LANE_INLINE void banded_forward(const rct_bands *s, int32_t group, int band, const double *b)
{
    const double *factor = s->factor + (int64_t)group * BAND_LENGTH * (1 + 2 * band) * LANE_WIDTH;
    double *x = s->x + (int64_t)group * BAND_LENGTH * LANE_WIDTH;
    double *ends = s->ends + (int64_t)group * 2 * band * LANE_WIDTH;
    real window[BAND_WIDEST], corner[BAND_WIDEST];
    int32_t place[LANE_WIDTH];
    banded_places(band, place);
    LANE_UNROLL
    for (int t = 0; t < band; t++) {
        window[t] = corner[t] = lane_set(0.0);
    }
    for (int i = 0; i < BAND_LENGTH; i++, x += LANE_WIDTH) {
        const real own = lane_gather(b + i, place) + window[0];
        lane_store(x, own);
        factor += LANE_WIDTH;
        LANE_UNROLL
        for (int k = 1; k <= band; k++, factor += LANE_WIDTH) {
            const real old = k < band ? window[k] : lane_set(0.0);
            window[k - 1] = old - lane_load(factor) * own;
        }
        LANE_UNROLL
        for (int k = 0; k < band; k++, factor += LANE_WIDTH) {
            corner[k] = corner[k] - lane_load(factor) * own;
        }
    }
    LANE_UNROLL
    for (int t = 0; t < band; t++) {
        lane_store(ends + (int64_t)t * LANE_WIDTH, window[t]);
        lane_store(ends + (int64_t)(band + t) * LANE_WIDTH, corner[t]);
    }
}

/* The solution of a group, from that of separators in `ends`. */
LANE_INLINE void banded_backward(const rct_bands *s, int32_t group, int band, double *out)
{
    const int64_t fields = 1 + 2 * (int64_t)band;
    const double *factor = s->factor + group * BAND_LENGTH * fields * LANE_WIDTH;
    const double *x = s->x + (int64_t)group * BAND_LENGTH * LANE_WIDTH;
    const double *ends = s->ends + (int64_t)group * 2 * band * LANE_WIDTH;
    real window[BAND_WIDEST], corner[BAND_WIDEST];
    int32_t place[LANE_WIDTH];
    banded_places(band, place);
    LANE_UNROLL
    for (int t = 0; t < band; t++) {
        window[t] = lane_load(ends + (int64_t)t * LANE_WIDTH);
        corner[t] = lane_load(ends + (int64_t)(band + t) * LANE_WIDTH);
    }
    for (int i = BAND_LENGTH - 1; i >= 0; i--) {
        const double *own = factor + (int64_t)i * fields * LANE_WIDTH;
        real sum = lane_load(x + (int64_t)i * LANE_WIDTH) * lane_load(own);
        LANE_UNROLL
        for (int k = 0; k < band; k++) {
            sum = sum - lane_load(own + (int64_t)(1 + k) * LANE_WIDTH) * window[k];
        }
        LANE_UNROLL
        for (int k = 0; k < band; k++) {
            sum = sum - lane_load(own + (int64_t)(1 + band + k) * LANE_WIDTH) * corner[k];
        }
        LANE_UNROLL
        for (int k = band - 1; k > 0; k--) {
            window[k] = window[k - 1];
        }
        window[0] = sum;
        lane_scatter(out + i, place, sum);
    }
}

LANE_FUNCTION void bands_forward(const rct_bands *s, const double *b)
{
    for (int32_t group = 0; group < s->groups; group++) {
        const double *own = b + (int64_t)group * LANE_WIDTH * rct_bands_step(s->band);
#define RUN(BAND) banded_forward(s, group, BAND, own)
        BAND_CASES(s->band, RUN)
#undef RUN
    }
}

LANE_FUNCTION void bands_backward(const rct_bands *s, double *x)
{
    for (int32_t group = 0; group < s->groups; group++) {
        double *own = x + (int64_t)group * LANE_WIDTH * rct_bands_step(s->band);
#define RUN(BAND) banded_backward(s, group, BAND, own)
        BAND_CASES(s->band, RUN)
#undef RUN
    }
}

static const rct_band_kernels band_kernels = {
    .factor = bands_factor, .forward = bands_forward, .backward = bands_backward};

#endif
