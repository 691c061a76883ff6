/* The lane: the type of the numbers of step functions. Only this file depends on the machine.
 *
 * A step function (*_step.h) is written once on `real` and `mask`, with + - * / and the functions
 * below, no branches on data and no lane crossing. A translation unit that defines LANE_WIDTH as 2,
 * 4 or 8 before its includes gets that many doubles in a vector of the compiler, any other one
 * double. One that defines LANE_COMPLEX gets one complex number: the tiny imaginary part of an
 * argument makes imaginary parts of results derivatives.
 */
#ifndef RCT_KERNELS_LANE_LANE_H
#define RCT_KERNELS_LANE_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#ifndef LANE_WIDTH
#define LANE_WIDTH 1
#endif

/* Doubles from one field of a record to the next: one for each lane side by side. A thread of an
 * accelerator is one lane of many, with pointers shifted to its own numbers. */
#ifndef LANE_STRIDE
#define LANE_STRIDE LANE_WIDTH
#endif

/* On an accelerator the threads of a group are the lanes: LANE_MEMBERS of them, which one this is,
 * and the barrier before one reads what another wrote. Elsewhere one thread has all lanes. */
#ifndef LANE_MEMBERS
#define LANE_MEMBERS  1
#define lane_member() 0
#define lane_meet()   ((void)0)
#endif

/* A step function; one that is always inlined and stays in registers; one that is never inlined and
 * leaves registers to the loop that calls it; and one that a single thread calls. */
#ifdef __CUDACC__
#define LANE_FUNCTION       static __device__ __forceinline__
#define LANE_INLINE         static __device__ __forceinline__
#define LANE_APART          static __device__ __forceinline__
#define LANE_CALL           static __device__ __noinline__
#define lane_prefetch(from) asm volatile("prefetch.global.L2 [%0];" ::"l"(from))
#else
#define LANE_FUNCTION       static inline
#define LANE_INLINE         static inline __attribute__((always_inline))
#define LANE_APART          static __attribute__((noinline))
#define LANE_CALL           static
#define lane_prefetch(from) __builtin_prefetch(from)
#endif

/* Stands before a loop over single components with a constant number of turns: they stay in
 * registers only if it is unrolled. */
#if defined(__CUDACC__) || defined(__clang__)
#define LANE_UNROLL     _Pragma("unroll")
#define LANE_UNROLL_ALL _Pragma("unroll")
#else
#define LANE_UNROLL     _Pragma("GCC unroll 8")
#define LANE_UNROLL_ALL _Pragma("GCC unroll 32")
#endif

#if LANE_WIDTH == 1

#ifdef LANE_COMPLEX
#include <tgmath.h> /* sqrt of either */
typedef double complex real;
#define lane_order(x) creal(x)
#else
typedef double real; /* one number a lane */
#define lane_order(x) (x)
#endif
typedef int mask; /* one truth value a lane */
typedef uint64_t lane_word;

LANE_FUNCTION real lane_set(double x)
{
    return x;
}

LANE_FUNCTION real lane_load(const double *from)
{
    return *from;
}

LANE_FUNCTION void lane_store(double *to, real x)
{
    *to = lane_order(x);
}

/* from[offset] of each lane */
LANE_INLINE real lane_gather(const double *from, const int32_t *offset)
{
    return from[*offset];
}

/* to[offset] of each lane */
LANE_INLINE void lane_scatter(double *to, const int32_t *offset, real x)
{
    to[*offset] = lane_order(x);
}

/* where bit l of `bits` is set for lane l */
LANE_FUNCTION mask lane_bits(int32_t bits)
{
    return ((uint32_t)bits >> lane_member() & 1u) != 0;
}

LANE_FUNCTION real lane_sqrt(real x)
{
    return sqrt(x);
}

LANE_FUNCTION real lane_abs(real x)
{
#ifdef LANE_COMPLEX
    return creal(x) < 0.0 ? -x : x; /* which has a derivative */
#else
    return fabs(x);
#endif
}

/* where the mask holds a, else b */
LANE_FUNCTION real lane_select(mask where, real a, real b)
{
    return where ? a : b;
}

LANE_FUNCTION mask lane_not(mask a)
{
    return !a;
}

/* The first lane where the mask does not hold, or -1. */
LANE_FUNCTION int lane_first_false(mask where)
{
    return where ? -1 : 0;
}

#else

#define lane_order(x) (x)
typedef double real __attribute__((vector_size(8 * LANE_WIDTH)));
typedef int64_t mask __attribute__((vector_size(8 * LANE_WIDTH))); /* 0 or -1 */
typedef uint64_t lane_word __attribute__((vector_size(8 * LANE_WIDTH)));
typedef real lane_memory __attribute__((may_alias, aligned(8)));

LANE_FUNCTION real lane_set(double x)
{
    const real zero = {0.0};
    return x + zero;
}

LANE_FUNCTION real lane_load(const double *from)
{
    return *(const lane_memory *)from;
}

LANE_FUNCTION void lane_store(double *to, real x)
{
    *(lane_memory *)to = x;
}

/* Plain loads: the compiler chooses the instructions. */
LANE_INLINE real lane_gather(const double *from, const int32_t *offset)
{
#if LANE_WIDTH == 2
    return (real){from[offset[0]], from[offset[1]]};
#elif LANE_WIDTH == 4
    return (real){from[offset[0]], from[offset[1]], from[offset[2]], from[offset[3]]};
#else
    return (real){from[offset[0]], from[offset[1]], from[offset[2]], from[offset[3]],
                  from[offset[4]], from[offset[5]], from[offset[6]], from[offset[7]]};
#endif
}

LANE_INLINE void lane_scatter(double *to, const int32_t *offset, real x)
{
    for (int i = 0; i < LANE_WIDTH; i++) {
        to[offset[i]] = x[i];
    }
}

LANE_FUNCTION mask lane_bits(int32_t bits)
{
#if LANE_WIDTH == 2
    const mask lanes = {1, 2};
#elif LANE_WIDTH == 4
    const mask lanes = {1, 2, 4, 8};
#else
    const mask lanes = {1, 2, 4, 8, 16, 32, 64, 128};
#endif
    return (lanes & (int64_t)bits) != 0;
}

LANE_FUNCTION real lane_sqrt(real x)
{
    real y = x;
    for (int i = 0; i < LANE_WIDTH; i++) {
        y[i] = sqrt(x[i]);
    }
    return y;
}

LANE_FUNCTION real lane_abs(real x)
{
    return (real)((mask)x & INT64_MAX);
}

LANE_FUNCTION real lane_select(mask where, real a, real b)
{
    return (real)(((mask)a & where) | ((mask)b & ~where));
}

LANE_FUNCTION mask lane_not(mask a)
{
    return ~a;
}

LANE_FUNCTION int lane_first_false(mask where)
{
    int first = -1;
    for (int i = LANE_WIDTH - 1; i >= 0; i--) {
        first = where[i] == 0 ? i : first;
    }
    return first;
}

#endif

/* The last bits of a whole number of size below 2^51, which adding 1.5 2^52 puts last. */
LANE_INLINE lane_word lane_last_bits(real k)
{
    const real shifted = k + lane_set(0x1.8p52);
    lane_word bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits;
}

/* 2^k of a whole number from -1022 to 1023 */
LANE_INLINE real lane_power_of_2(real k)
{
    const lane_word bits = lane_last_bits(k + lane_set(1023.0)) << 52;
    real power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

LANE_FUNCTION mask lane_greater(real a, real b)
{
    return lane_order(a) > lane_order(b); /* false where either is NaN */
}

/* neither infinite nor NaN: only then does x - x vanish */
LANE_FUNCTION mask lane_finite(real x)
{
    return x - x == lane_set(0.0);
}

/* What rounding has left out of `sum`, which is a + b. */
LANE_FUNCTION real lane_left_out(real a, real b, real sum)
{
    const real added = sum - a;
    return (a - (sum - added)) + (b - added);
}

LANE_FUNCTION mask lane_and(mask a, mask b)
{
    return a & b;
}

/* 1 if the mask holds in every lane */
LANE_FUNCTION int lane_all(mask where)
{
#if LANE_WIDTH == 8 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)where) == 0xff;
#elif LANE_WIDTH == 4 && defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)where) == 0xf;
#else
    return lane_first_false(where) < 0;
#endif
}

/* 1 / x and a / b. On a GPU without the branches of a correctly rounding division, at which other
 * threads would wait: from 20 bits, with three multiply-adds, within 2 ulp. */
#if defined(__CUDACC__) && !defined(RCT_STRICT_DIVISION)
LANE_FUNCTION real lane_reciprocal(real x)
{
    real y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const real rest = fma(-x, y, 1.0);
    return fma(fma(rest, rest, rest), y, y);
}

LANE_FUNCTION real lane_quotient(real a, real b)
{
    return a * lane_reciprocal(b);
}
#else
LANE_FUNCTION real lane_reciprocal(real x)
{
    return lane_set(1.0) / x;
}

LANE_FUNCTION real lane_quotient(real a, real b)
{
    return a / b;
}
#endif

/* Write where the mask holds. */
LANE_FUNCTION void lane_store_where(mask where, double *to, real x)
{
    lane_store(to, lane_select(where, x, lane_load(to)));
}

/* The distance of the fields of records in rows. */
enum { ROW = LANE_STRIDE };

#endif
