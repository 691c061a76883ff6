/* The upper levels of runs: composed to the records of whole runs, and opened again. */
#ifndef RCT_KERNELS_CUDA_RUNS_H
#define RCT_KERNELS_CUDA_RUNS_H

#include "kernels/cuda/compose.h"

static __device__ __forceinline__ int32_t upper_numbers(const rct_runs *r)
{
    return (r->upper_count * SPAN_CORE + 1) / 2 * 2;
}

/* How many numbers the ends of all roots have. */
static __device__ __forceinline__ int32_t end_numbers(const rct_runs *r)
{
    return (r->root_count + WARP - 1) / WARP * WARP * END_FIELDS;
}

/* In shared memory with their pairs, or where they are. */
template <bool SHARED>
static __device__ __forceinline__ rct_forest upper_forest(const rct_runs *r, double *room)
{
    if (!SHARED) {
        return (rct_forest){r->upper_spans, r->upper_ends, r->upper_pairs, r->upper,
                            r->upper_levels};
    }
    double *ends = room + upper_numbers(r);
    rct_pair *pairs = (rct_pair *)(ends + end_numbers(r));
    int32_t *first = (int32_t *)(pairs + r->upper_count - r->root_count);
    fetch(pairs, r->upper_pairs, (r->upper_count - r->root_count) * (int64_t)sizeof *pairs);
    fetch(first, r->upper, UPPER_MARKS * (int)sizeof *first);
    return (rct_forest){room, ends, pairs, first, r->upper_levels};
}

/* Copies `count` spans to shared memory, readable by all threads. */
template <bool SHARED>
static __device__ __forceinline__ void fetch_upper(const rct_runs *r, double *room, int32_t spans)
{
    if (SHARED) {
        fetch(room, r->upper_spans, spans * (int64_t)(SPAN_CORE * sizeof *room));
        rct_fetched();
        __syncthreads();
    }
}

/* Where field f of a span is in the record of a run. */
static __device__ __forceinline__ int64_t span_field(int32_t f)
{
    return f < SPAN_THROUGH      ? PATH_HINGE + f
           : f < SPAN_FREE       ? PATH_THROUGH + f - SPAN_THROUGH
           : f < SPAN_COMPLIANCE ? PATH_FREE + f - SPAN_FREE
                                 : PATH_COMPLIANCE + f - SPAN_COMPLIANCE;
}

/* The moments at the hinges of runs are those of their first pieces. */
static __device__ __forceinline__ void copy_moments(const rct_device *d)
{
    for (int32_t k = (int32_t)threadIdx.x; k < d->runs.count * 3 && d->lanes.moments;
         k += (int32_t)blockDim.x) {
        const int64_t field = (int64_t)(PATH_HINGE + 9 + k % 3) * WARP;
        d->lanes.paths[d->runs.record[k / 3] + field] =
            d->lanes.paths[d->runs.first_record[k / 3] + field];
    }
}

/* Composes, and writes whole runs to their records. */
template <bool SHARED>
static __device__ __forceinline__ rct_forest join_upper(const rct_device *d, double *room)
{
    const rct_runs *r = &d->runs;
    const rct_forest forest = upper_forest<SHARED>(r, room);
    fetch_upper<SHARED>(r, room, r->root_count);
    compose_levels(&forest, &d->fault->inward);
    for (int32_t k = (int32_t)threadIdx.x; k < r->count * SPAN_CORE; k += (int32_t)blockDim.x) {
        const int32_t run = k / SPAN_CORE, field = k % SPAN_CORE;
        d->lanes.paths[r->record[run] + span_field(field) * WARP] =
            forest.spans[(int64_t)r->top[run].span * SPAN_CORE + field];
    }
    copy_moments(d);
    __syncthreads();
    return forest;
}

/* Opens the levels from the records of runs. */
template <bool SHARED>
static __device__ __forceinline__ void part_upper(const rct_device *d, const rct_forest *forest)
{
    const rct_runs *r = &d->runs;
    for (int32_t k = (int32_t)threadIdx.x; k < r->count * END_FIELDS; k += (int32_t)blockDim.x) {
        const int32_t run = k / END_FIELDS, field = k % END_FIELDS;
        const double *record = d->lanes.paths + r->record[run];
        const int32_t leaf = field < END_HANDLE ? r->top[run].first : r->top[run].last;
        const int64_t from =
            field < END_HANDLE ? PATH_ABOVE + field : PATH_BEYOND + field - END_HANDLE;
        const bool less = field >= END_HANDLE && field < END_HANDLE + 3;
        forest->ends[span_at(leaf, END_FIELDS) + field * WARP] =
            record[from * WARP] - (less ? record[PATH_STAND_IN * WARP] : 0.0);
    }
    open_levels(forest, 0, r->root_count, &d->fault->outward);
    if (SHARED) {
        copy_out(r->upper_ends, forest->ends, end_numbers(r));
    }
}

/* What reaches runs on the ground on which nothing hangs, as the trunk leaves it with other
 * runs. */
static __device__ __forceinline__ void reach_runs(const rct_device *d, double *ends)
{
    const rct_runs *r = &d->runs;
    const rct_ground *ground = &d->lanes.ground;
    RCT_ROLLED
    for (int32_t k = (int32_t)threadIdx.x; k < r->count; k += (int32_t)blockDim.x) {
        double *first = ends + span_at(r->top[k].first, END_FIELDS) + END_LINEAR * WARP;
        double *beyond = ends + span_at(r->top[k].last, END_FIELDS) + END_HANDLE * WARP;
        const double stand_in = d->lanes.paths[r->record[k] + PATH_STAND_IN * WARP];
        vec3_store(first, WARP,
                   vec3_add(vec3_load(ground->linear, 1), vec3_cross(vec3_load(ground->angular, 1),
                                                                     vec3_load(r->at + 3 * k, 1))));
        for (int field = 0; field < 9; field++) {
            beyond[field * WARP] = field < 3 ? -stand_in : 0.0;
        }
    }
}

/* A block that has the spans composes all upper levels and reaches the runs without a trunk
 * (rct_runs.at). False where anything inward has failed. */
static __device__ __forceinline__ bool join_alone(const rct_device *d, const rct_forest *forest)
{
    const bool failed = threadIdx.x == 0 && any_fault(&d->fault->inward); /* in condense */
    const bool good = compose_levels(forest, &d->fault->inward);
    reach_runs(d, forest->ends);
    return !__syncthreads_or(failed || !good);
}

#endif
