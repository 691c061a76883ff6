/* Spans composed two by two, and opened again, four lanes a pair (kernels/laws/abi_column_step.h).
 * A composed span is kept beside its parts, which opening needs. Spans are records of SPAN_CORE
 * doubles, in shared memory where the compiler can tell. */
#ifndef RCT_KERNELS_CUDA_COMPOSE_H
#define RCT_KERNELS_CUDA_COMPOSE_H

#include "kernels/cuda/launch.h"

#include "kernels/cuda/faults.h"
#include "kernels/laws/abi_column_step.h"

/* Where span i lies in records of `fields` fields. */
static __device__ __forceinline__ int64_t span_at(int32_t i, int fields)
{
    return (int64_t)(i / WARP) * fields * WARP + i % WARP;
}

/* Spans, the ends of leaves, and the levels of pairs. */
typedef struct rct_forest {
    double *spans;
    double *ends; /* span_at(leaf, END_FIELDS) */
    const rct_pair *pairs;
    const int32_t *first; /* [levels + 1] into pairs, of each level */
    int32_t levels;
} rct_forest;

/* Where the entry (j, j + 1) of a symmetric matrix is. */
static __device__ __forceinline__ int beside_diagonal(int j)
{
    return j == 0 ? 3 : 6 - j;
}

static __device__ __forceinline__ vec3 unit_vector(int j)
{
    return (vec3){j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0, j == 2 ? 1.0 : 0.0};
}

static __device__ __forceinline__ abi_handle handle_load(const double *from, int stride)
{
    return (abi_handle){sym3_load(from, stride), vec3_load(from + 6 * stride, stride)};
}

/* Each lane looks at its own column. */
static __device__ __forceinline__ bool joint_resists(const abi_close_column *column)
{
    return abi_resists(column->whole * column->size);
}

/* What a lane adds to: entries (j, j) and (j, j + 1) of a symmetric matrix. They are read before
 * anything is written, because the compiler does not know that records do not overlap. */
typedef struct rct_own {
    double diagonal, beside;
} rct_own;

static __device__ __forceinline__ rct_own own_load(const double *from, int j)
{
    return (rct_own){from[j], from[beside_diagonal(j)]};
}

static __device__ __forceinline__ void own_store(double *to, int stride, int j, rct_own own)
{
    to[j * stride] = own.diagonal;
    to[beside_diagonal(j) * stride] = own.beside;
}

/* False where the joint does not resist. */
static __device__ __forceinline__ bool compose_pair(double *spans, const rct_pair *pair)
{
    const double *p = spans + (int64_t)pair->inboard * SPAN_CORE;
    const double *c = spans + (int64_t)pair->outboard * SPAN_CORE;
    double *whole = spans + (int64_t)pair->whole * SPAN_CORE;
    const int j = (int)threadIdx.x % SHARE, own = j < 3 ? j : 0, next = (own + 1) % 3;
    const abi_joining joining = {sym3_load(p + SPAN_COMPLIANCE, 1), vec3_load(p + SPAN_FREE, 1),
                                 handle_load(c + SPAN_S, 1), mat3_load(c + SPAN_THROUGH, 1)};
    const abi_compose_column x = abi_compose_by_column(
        &joining, j == 3, vec3_load(p + SPAN_THROUGH + 3 * own, 1),
        vec3_load(p + SPAN_THROUGH + 3 * next, 1), vec3_load(c + SPAN_THROUGH + own, 3),
        vec3_load(c + SPAN_THROUGH + next, 3), unit_vector(j));
    const rct_own s = own_load(p + SPAN_S, own), psi = own_load(c + SPAN_COMPLIANCE, own);
    const double e = p[SPAN_E + own];
    const vec3 free = vec3_load(c + SPAN_FREE, 1);
    vec3_store(whole + SPAN_THROUGH + 3 * j, 1, /* row 3 is h */
               (vec3){x.row.x + (j < 3 ? 0.0 : free.x), x.row.y + (j < 3 ? 0.0 : free.y),
                      x.row.z + (j < 3 ? 0.0 : free.z)});
    if (j < 3) {
        own_store(whole + SPAN_S, 1, j,
                  (rct_own){s.diagonal + x.close.diagonal, s.beside + x.close.beside});
        whole[SPAN_E + j] = e + x.close.bias;
        own_store(whole + SPAN_COMPLIANCE, 1, j,
                  (rct_own){psi.diagonal + x.diagonal, psi.beside + x.beside});
    }
    return joint_resists(&x.close);
}

/* What reaches the whole reaches its parts: what hangs on the inboard part is the outboard part,
 * closed. False where the joint does not resist. */
static __device__ __forceinline__ bool close_pair(const double *spans, double *ends,
                                                  const rct_pair *pair)
{
    const double *c = spans + (int64_t)pair->outboard * SPAN_CORE;
    const double *beyond = ends + span_at(pair->last, END_FIELDS) + END_HANDLE * WARP;
    double *joint = ends + span_at(pair->middle, END_FIELDS) + END_HANDLE * WARP;
    const int j = (int)threadIdx.x % SHARE, own = j < 3 ? j : 0, next = (own + 1) % 3;
    const rct_own s = own_load(c + SPAN_S, own);
    const double e = c[SPAN_E + own];
    const abi_close_column x = abi_close_by_column(
        sym3_load(c + SPAN_COMPLIANCE, 1), vec3_load(c + SPAN_FREE, 1),
        vec3_load(c + SPAN_THROUGH + 3 * own, 1), vec3_load(c + SPAN_THROUGH + 3 * next, 1),
        unit_vector(j), handle_load(beyond, WARP));
    if (j < 3) {
        own_store(joint, WARP, j, (rct_own){s.diagonal + x.diagonal, s.beside + x.beside});
        joint[(6 + j) * WARP] = e + x.bias;
    }
    return joint_resists(&x);
}

/* Then the acceleration of the inboard part reaches the outboard part; one thread. */
static __device__ __forceinline__ void reach_pair(const double *spans, double *ends,
                                                  const rct_pair *pair)
{
    const double *p = spans + (int64_t)pair->inboard * SPAN_CORE;
    const double *a = ends + span_at(pair->first, END_FIELDS) + END_LINEAR * WARP;
    const double *joint = ends + span_at(pair->middle, END_FIELDS) + END_HANDLE * WARP;
    const vec3 given = mat3_apply_transposed(mat3_load(p + SPAN_THROUGH, 1), vec3_load(a, WARP));
    const vec3 reached =
        abi_reach_by_column(sym3_load(p + SPAN_COMPLIANCE, 1),
                            vec3_add(vec3_load(p + SPAN_FREE, 1), given), handle_load(joint, WARP));
    vec3_store(ends + span_at(pair->middle + 1, END_FIELDS) + END_LINEAR * WARP, WARP, reached);
}

/* A block composes all levels, lowest first. Returns whether this thread met nothing singular. */
static __device__ __forceinline__ bool compose_levels(const rct_forest *f,
                                                      rct_device_labels *labels)
{
    int32_t worst = NO_LABEL; /* the loop waits for no other memory */
    for (int32_t level = 0; level < f->levels; level++) {
        __syncthreads();
        const int32_t end = f->first[level + 1];
        for (int32_t k = f->first[level] + (int32_t)(threadIdx.x / SHARE); k < end;
             k += (int32_t)(blockDim.x / SHARE)) {
            const rct_pair pair = f->pairs[k];
            worst = compose_pair(f->spans, &pair) || worst < pair.label ? worst : pair.label;
        }
    }
    note_singular(labels, worst);
    __syncthreads();
    return worst == NO_LABEL;
}

static __device__ __forceinline__ bool is_above(const rct_pair *pair, int32_t from, int32_t to)
{
    return pair->last >= from && pair->first < to;
}

/* A block opens the levels, highest first, for the spans on leaves [from, to) and those they are
 * part of. While the first threads close a level, the last ones reach the level above. */
static __device__ __forceinline__ void open_levels(const rct_forest *f, int32_t from, int32_t to,
                                                   rct_device_labels *labels)
{
    const int32_t threads = (int32_t)blockDim.x, own = (int32_t)threadIdx.x;
    int32_t worst = NO_LABEL;
    for (int32_t level = f->levels; level >= 0; level--) {
        __syncthreads();
        for (int32_t k = f->first[level] + threads - 1 - own;
             level < f->levels && k < f->first[level + 1]; k += threads) {
            const rct_pair pair = f->pairs[k];
            if (is_above(&pair, from, to)) {
                reach_pair(f->spans, f->ends, &pair);
            }
        }
        for (int32_t k = level > 0 ? f->first[level - 1] + own / SHARE : f->first[0];
             level > 0 && k < f->first[level]; k += threads / SHARE) {
            const rct_pair pair = f->pairs[k];
            if (is_above(&pair, from, to)) {
                worst =
                    close_pair(f->spans, f->ends, &pair) || worst < pair.label ? worst : pair.label;
            }
        }
    }
    note_singular(labels, worst);
    __syncthreads();
}

/* ---- between global and shared memory, all threads of a block ------------------------------- */

/* The unit of copies. */
typedef struct alignas(16) rct_two {
    double x, y;
} rct_two;

/* To shared memory, readable after rct_fetched and a barrier; copies up to 15 bytes more. */
static __device__ __forceinline__ void fetch(void *to, const void *from, int64_t bytes)
{
    RCT_ROLLED
    for (int64_t k = threadIdx.x; 16 * k < bytes; k += blockDim.x) {
        rct_fetch((char *)to + 16 * k, (const char *)from + 16 * k);
    }
}

/* From shared memory; copies up to one number more. */
static __device__ __forceinline__ void copy_out(double *to, const double *from, int64_t numbers)
{
    RCT_ROLLED
    for (int64_t k = threadIdx.x; 2 * k < numbers; k += blockDim.x) {
        ((rct_two *)to)[k] = ((const rct_two *)from)[k];
    }
}

#endif
