/* Eight lanes share one span of a tree: its record, and the elimination of the rows of 1 + Psi S in
 * all columns at once (kernels/cuda/chains.cu has the formulas). */
#ifndef RCT_KERNELS_CUDA_CHAIN_H
#define RCT_KERNELS_CUDA_CHAIN_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/faults.h"

enum {
    SHARERS = 8, /* lanes of a chain */
    CHAINS = WARP / SHARERS,
    VECTOR = 6 /* the lane that has the vector */
};

/* Shared memory of a chain: the span as it grows, or what hangs beyond one; then what lanes
 * exchange. */
enum {
    ROOM_S = 0,
    ROOM_THROUGH = 36,
    ROOM_PSI = 72,
    ROOM_W = 108,
    ROOM_TURNED = 144, /* E_C^T K Psi_P */
    ROOM_E = 180,
    ROOM_FREE = 186,
    ROOM_V = 192,
    ROOM_ASKED = 198, /* e + S h_P */
    ROOM_NUMBERS = 205
};

/* Rows of 1 + Psi S, of E^T and of Psi: the entries of this lane's column, or of the vector. */
typedef struct span_column {
    double m[6], w[6], g[6];
} span_column;

/* A lane at work on a chain. */
typedef struct span_worker {
    double *room;
    unsigned int mask; /* the lanes of the chain */
    int column;
} span_worker;

static __device__ __forceinline__ span_worker own_worker(double *rooms)
{
    const int lane = (int)threadIdx.x;
    return {rooms + lane / SHARERS * ROOM_NUMBERS, 0xffu << (lane / SHARERS * SHARERS),
            lane % SHARERS};
}

static __device__ __forceinline__ void meet(const span_worker *o)
{
    __syncwarp(o->mask);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Where S_ij and Psi_ij are, i <= j. */
static __device__ __forceinline__ int upper_of(int i, int j)
{
    return i == j ? i : 2 + i + j;
}

static __device__ __forceinline__ int share_at(int i, int j)
{
    return j < 3 ? upper_of(i, j) : i < 3 ? 6 + 3 * i + j - 3 : 15 + upper_of(i - 3, j - 3);
}

static __device__ __forceinline__ int compliance_at(int i, int j)
{
    return PATH_COMPLIANCE + i * (11 - i) / 2 + j;
}

static __device__ __forceinline__ double field_of(const double *record, int f)
{
    return record[(int64_t)f * WARP];
}

static __device__ __forceinline__ double psi_of(const double *record, int i, int j)
{
    return field_of(record, i <= j ? compliance_at(i, j) : compliance_at(j, i));
}

static __device__ __forceinline__ double s_of(const double *record, int i, int j)
{
    return field_of(record, PATH_SHARE + (i <= j ? share_at(i, j) : share_at(j, i)));
}

static __device__ __forceinline__ double through_of(const double *record, int i, int j)
{
    return field_of(record, PATH_THROUGH + 6 * i + j);
}

/* S, e from the handle at `field` of a record, and back; this lane's column. */
static __device__ __forceinline__ void take_handle(const span_worker *o, const double *record,
                                                   int field)
{
    const int c = o->column;
    for (int i = 0; i < 6 && c < 6; i++) {
        o->room[ROOM_S + 6 * i + c] =
            field_of(record, field + (i <= c ? share_at(i, c) : share_at(c, i)));
    }
    if (c < 6) {
        o->room[ROOM_E + c] = field_of(record, field + 21 + c);
    }
}

static __device__ __forceinline__ void leave_handle(const span_worker *o, double *record, int field)
{
    const int c = o->column;
    for (int i = 0; i <= c && c < 6; i++) {
        record[(int64_t)(field + share_at(i, c)) * WARP] = o->room[ROOM_S + 6 * i + c];
    }
    if (c < 6) {
        record[(int64_t)(field + 21 + c) * WARP] = o->room[ROOM_E + c];
    }
}

static __device__ __forceinline__ void take_span(const span_worker *o, const double *record)
{
    const int c = o->column;
    take_handle(o, record, PATH_SHARE);
    for (int i = 0; i < 6 && c < 6; i++) {
        o->room[ROOM_THROUGH + 6 * i + c] = through_of(record, i, c);
        o->room[ROOM_PSI + 6 * i + c] = psi_of(record, i, c);
    }
    if (c < 6) {
        o->room[ROOM_FREE + c] = field_of(record, PATH_FREE + c);
    }
}

static __device__ __forceinline__ void leave_span(const span_worker *o, double *record)
{
    const int c = o->column;
    leave_handle(o, record, PATH_SHARE);
    for (int i = 0; i < 6 && c < 6; i++) {
        record[(int64_t)(PATH_THROUGH + 6 * i + c) * WARP] = o->room[ROOM_THROUGH + 6 * i + c];
        if (i <= c) {
            record[(int64_t)compliance_at(i, c) * WARP] = o->room[ROOM_PSI + 6 * i + c];
        }
    }
    if (c < 6) {
        record[(int64_t)(PATH_FREE + c) * WARP] = o->room[ROOM_FREE + c];
    }
}

/* ---- elimination -------------------------------------------------------------------------- */

static __device__ __forceinline__ void exchange(double *a, double *b, bool where)
{
    const double x = *a, y = *b;
    *a = where ? y : x;
    *b = where ? x : y;
}

static __device__ __forceinline__ double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The row that solves column k next: the one whose entry `p` is largest relative to its size. */
static __device__ __forceinline__ int best_row(const double p[6], const double size[6], int k)
{
    int best = k;
    double entry = lane_abs(p[k]), whole = size[k];
    LANE_UNROLL
    for (int i = k + 1; i < 6; i++) {
        const bool better = lane_abs(p[i]) * whole > entry * size[i];
        best = better ? i : best;
        entry = better ? lane_abs(p[i]) : entry;
        whole = better ? size[i] : whole;
    }
    return best;
}

/* w becomes K w, and g becomes K g if COMPLIANCE; not regular where a pivot is only rounding of its
 * row. */
template <bool COMPLIANCE>
static __device__ __forceinline__ bool eliminate(const span_worker *o, span_column *x)
{
    double size[6];
    bool regular = true;
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        size[i] = lane_abs(x->m[i]);
        LANE_UNROLL
        for (int other = 1; other < SHARERS; other *= 2) {
            size[i] = larger(size[i], __shfl_xor_sync(o->mask, size[i], other, SHARERS));
        }
    }
    LANE_UNROLL
    for (int k = 0; k < 6; k++) {
        double p[6];
        LANE_UNROLL
        for (int i = 0; i < 6; i++) {
            p[i] = __shfl_sync(o->mask, x->m[i], k, SHARERS);
        }
        const int best = best_row(p, size, k);
        LANE_UNROLL
        for (int i = k + 1; i < 6; i++) {
            exchange(&p[k], &p[i], best == i);
            exchange(&size[k], &size[i], best == i);
            exchange(&x->m[k], &x->m[i], best == i);
            exchange(&x->w[k], &x->w[i], best == i);
            if (COMPLIANCE) {
                exchange(&x->g[k], &x->g[i], best == i);
            }
        }
        regular = regular && lane_abs(p[k]) > 0x1p-46 * size[k];
        const double inverse = lane_reciprocal(p[k]);
        x->m[k] *= inverse;
        x->w[k] *= inverse;
        x->g[k] *= COMPLIANCE ? inverse : 1.0;
        LANE_UNROLL
        for (int i = 0; i < 6; i++) {
            if (i != k) {
                x->m[i] -= p[i] * x->m[k];
                x->w[i] -= p[i] * x->w[k];
                x->g[i] -= COMPLIANCE ? p[i] * x->g[k] : 0.0;
            }
        }
    }
    return regular;
}

/* The columns to eliminate for span P, inboard of S, e in the room, less the stand-in. */
template <bool COMPLIANCE>
static __device__ __forceinline__ span_column begin_column(const span_worker *o, const double *p)
{
    const int c = o->column;
    span_column x;
    if (c < 6) {
        o->room[ROOM_S + 7 * c] -= field_of(p, PATH_STAND_IN + c / 3);
    }
    meet(o);
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        double sum = c == i ? 1.0 : 0.0, rest = 0.0;
        LANE_UNROLL
        for (int k = 0; k < 6; k++) {
            const double psi = psi_of(p, i, k);
            sum += psi * (c < 6 ? o->room[ROOM_S + 6 * k + c] : 0.0);
            rest += psi * o->room[ROOM_E + k];
        }
        x.m[i] = sum;
        x.w[i] = c < 6 ? through_of(p, c, i) : field_of(p, PATH_FREE + i) - rest;
        x.g[i] = COMPLIANCE && c < 6 ? psi_of(p, i, c) : 0.0;
    }
    if (c < 6) {
        double asked = o->room[ROOM_E + c];
        for (int k = 0; k < 6; k++) {
            asked += o->room[ROOM_S + 6 * c + k] * field_of(p, PATH_FREE + k);
        }
        o->room[ROOM_ASKED + c] = asked;
    }
    return x;
}

/* S' and e' of P closed, upper half of this lane's column. */
static __device__ __forceinline__ void close_column(const span_worker *o, const double *p,
                                                    const double w[6], double s[6], double *e)
{
    const int c = o->column < 6 ? o->column : 5;
    double t[6];
    *e = field_of(p, PATH_SHARE + 21 + c);
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        t[i] = 0.0;
        LANE_UNROLL
        for (int k = 0; k < 6; k++) {
            t[i] += o->room[ROOM_S + 6 * i + k] * w[k];
        }
        *e += w[i] * o->room[ROOM_ASKED + i];
    }
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        s[i] = s_of(p, i, c);
        LANE_UNROLL
        for (int k = 0; k < 6; k++) {
            s[i] += through_of(p, i, k) * t[k];
        }
    }
}

/* Both halves of a symmetric matrix from the upper one. */
static __device__ __forceinline__ void keep_symmetric(const span_worker *o, int at,
                                                      const double x[6])
{
    const int c = o->column;
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        if (i <= c && c < 6) {
            o->room[at + 6 * i + c] = x[i];
            o->room[at + 6 * c + i] = x[i];
        }
    }
}

#endif
