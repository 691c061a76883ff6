/* Numbers of each lane between a place of its own, where they are consecutive, and vectors. */
#ifndef RCT_KERNELS_LANE_NUMBERS_H
#define RCT_KERNELS_LANE_NUMBERS_H

#include "kernels/lane/lane.h"

#if LANE_WIDTH > 1

typedef double lane_two __attribute__((vector_size(16), may_alias, aligned(8)));
typedef double lane_four __attribute__((vector_size(32), may_alias, aligned(8)));

/* Numbers i and i + 1 of lane l, or i to i + 3: one load or store. One instruction joins or parts
 * two lanes. */
#define LANE_TWO(of, l, i)     (*(lane_two *)((of)[l] + (i)))
#define LANE_FOUR(of, l, i)    (*(lane_four *)((of)[l] + (i)))
#define LANE_JOINED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

#endif

/* from[l][i] for lane l */
LANE_INLINE real lane_collect(const double *const *from, int i)
{
#if LANE_WIDTH == 1
    return from[0][i];
#elif LANE_WIDTH == 2
    return (real){from[0][i], from[1][i]};
#elif LANE_WIDTH == 4
    return (real){from[0][i], from[1][i], from[2][i], from[3][i]};
#else
    return (real){from[0][i], from[1][i], from[2][i], from[3][i],
                  from[4][i], from[5][i], from[6][i], from[7][i]};
#endif
}

LANE_INLINE void lane_spread(double *const *to, int i, real x)
{
#if LANE_WIDTH == 1
    to[0][i] = lane_order(x);
#else
    LANE_UNROLL
    for (int l = 0; l < LANE_WIDTH; l++) {
        to[l][i] = x[l];
    }
#endif
}

#if LANE_WIDTH > 2

/* a0 b0 a2 b2 ... and a1 b1 a3 b3 ... */
LANE_INLINE real lane_even(real a, real b)
{
#if LANE_WIDTH == 4
    return LANE_JOINED(a, b, 0, 4, 2, 6);
#else
    return LANE_JOINED(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
#endif
}

LANE_INLINE real lane_odd(real a, real b)
{
#if LANE_WIDTH == 4
    return LANE_JOINED(a, b, 1, 5, 3, 7);
#else
    return LANE_JOINED(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
#endif
}

#endif

#if LANE_WIDTH > 1

/* Numbers i and i + 1 of each lane. */
LANE_INLINE void lane_collect_two(const double *const *from, int i, real *x)
{
#define FOUR(l)  LANE_JOINED(LANE_TWO(from, l, i), LANE_TWO(from, (l) + 1, i), 0, 1, 2, 3)
#define EIGHT(l) LANE_JOINED(FOUR(l), FOUR((l) + 2), 0, 1, 2, 3, 4, 5, 6, 7)
#if LANE_WIDTH == 2
    const lane_two a = LANE_TWO(from, 0, i), b = LANE_TWO(from, 1, i);
    x[0] = LANE_JOINED(a, b, 0, 2);
    x[1] = LANE_JOINED(a, b, 1, 3);
#elif LANE_WIDTH == 4
    const real a = FOUR(0), b = FOUR(2);
    x[0] = LANE_JOINED(a, b, 0, 2, 4, 6);
    x[1] = LANE_JOINED(a, b, 1, 3, 5, 7);
#else
    const real a = EIGHT(0), b = EIGHT(4);
    x[0] = LANE_JOINED(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    x[1] = LANE_JOINED(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
#undef EIGHT
#undef FOUR
}

LANE_INLINE void lane_spread_two(double *const *to, int i, const real *x)
{
#if LANE_WIDTH == 2
    LANE_TWO(to, 0, i) = LANE_JOINED(x[0], x[1], 0, 2);
    LANE_TWO(to, 1, i) = LANE_JOINED(x[0], x[1], 1, 3);
#else
    const real even = lane_even(x[0], x[1]), odd = lane_odd(x[0], x[1]);
    LANE_TWO(to, 0, i) = LANE_JOINED(even, even, 0, 1);
    LANE_TWO(to, 1, i) = LANE_JOINED(odd, odd, 0, 1);
    LANE_TWO(to, 2, i) = LANE_JOINED(even, even, 2, 3);
    LANE_TWO(to, 3, i) = LANE_JOINED(odd, odd, 2, 3);
#endif
#if LANE_WIDTH == 8
    LANE_TWO(to, 4, i) = LANE_JOINED(even, even, 4, 5);
    LANE_TWO(to, 5, i) = LANE_JOINED(odd, odd, 4, 5);
    LANE_TWO(to, 6, i) = LANE_JOINED(even, even, 6, 7);
    LANE_TWO(to, 7, i) = LANE_JOINED(odd, odd, 6, 7);
#endif
}

#endif

#if LANE_WIDTH > 2

/* The first two of every four of a and b in turn, and the last two. */
LANE_INLINE real lane_first(real a, real b)
{
#if LANE_WIDTH == 4
    return LANE_JOINED(a, b, 0, 1, 4, 5);
#else
    return LANE_JOINED(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
#endif
}

LANE_INLINE real lane_last(real a, real b)
{
#if LANE_WIDTH == 4
    return LANE_JOINED(a, b, 2, 3, 6, 7);
#else
    return LANE_JOINED(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
#endif
}

/* Numbers i to i + 3 of lane l; with 8 lanes, those of lane l + 4 behind them. */
LANE_INLINE real lane_row_load(const double *const *from, int l, int i)
{
#if LANE_WIDTH == 4
    return (real)LANE_FOUR(from, l, i);
#else
    return LANE_JOINED(LANE_FOUR(from, l, i), LANE_FOUR(from, l + 4, i), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

LANE_INLINE void lane_row_store(double *const *to, int l, int i, real row)
{
#if LANE_WIDTH == 4
    LANE_FOUR(to, l, i) = row;
#else
    LANE_FOUR(to, l, i) = LANE_JOINED(row, row, 0, 1, 2, 3);
    LANE_FOUR(to, l + 4, i) = LANE_JOINED(row, row, 4, 5, 6, 7);
#endif
}

/* Numbers i to i + 3 of each lane: a transpose of four by four. */
LANE_INLINE void lane_collect_four(const double *const *from, int i, real *x)
{
    const real a = lane_row_load(from, 0, i), b = lane_row_load(from, 1, i);
    const real c = lane_row_load(from, 2, i), d = lane_row_load(from, 3, i);
    const real even = lane_even(a, b), odd = lane_odd(a, b);
    const real even_on = lane_even(c, d), odd_on = lane_odd(c, d);
    x[0] = lane_first(even, even_on);
    x[1] = lane_first(odd, odd_on);
    x[2] = lane_last(even, even_on);
    x[3] = lane_last(odd, odd_on);
}

LANE_INLINE void lane_spread_four(double *const *to, int i, const real *x)
{
    const real even = lane_first(x[0], x[2]), even_on = lane_last(x[0], x[2]);
    const real odd = lane_first(x[1], x[3]), odd_on = lane_last(x[1], x[3]);
    lane_row_store(to, 0, i, lane_even(even, odd));
    lane_row_store(to, 1, i, lane_odd(even, odd));
    lane_row_store(to, 2, i, lane_even(even_on, odd_on));
    lane_row_store(to, 3, i, lane_odd(even_on, odd_on));
}

#endif

/* Numbers first to first + count - 1 of each lane (constant). */
LANE_INLINE void lane_collect_all(const double *const *from, int first, int count, real *x)
{
    int i = 0;
#if LANE_WIDTH > 2
    LANE_UNROLL
    for (; i + 4 <= count; i += 4) {
        lane_collect_four(from, first + i, x + i);
    }
#endif
#if LANE_WIDTH > 1
    LANE_UNROLL
    for (; i + 2 <= count; i += 2) {
        lane_collect_two(from, first + i, x + i);
    }
#endif
    LANE_UNROLL_ALL
    for (; i < count; i++) {
        x[i] = lane_collect(from, first + i);
    }
}

LANE_INLINE void lane_spread_all(double *const *to, int first, int count, const real *x)
{
    int i = 0;
#if LANE_WIDTH > 2
    LANE_UNROLL
    for (; i + 4 <= count; i += 4) {
        lane_spread_four(to, first + i, x + i);
    }
#endif
#if LANE_WIDTH > 1
    LANE_UNROLL
    for (; i + 2 <= count; i += 2) {
        lane_spread_two(to, first + i, x + i);
    }
#endif
    LANE_UNROLL_ALL
    for (; i < count; i++) {
        lane_spread(to, first + i, x[i]);
    }
}

#endif
