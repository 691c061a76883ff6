/* The kernels that sweep pieces of narrow runs, for the method of the including translation unit. */
#ifndef RCT_KERNELS_CUDA_PIECES_H
#define RCT_KERNELS_CUDA_PIECES_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/runs.h"

/* What rows of pieces, and of the side paths on them, may have where nothing else hangs and nothing acts on their links. */
enum { BARE = HAS_START | HAS_OTHERS | HAS_TWIGS };

/* Shared memory of the blocks that sweep pieces: spans, pairs, where levels begin; to accelerate, ends besides, and upper
 * levels behind them. */
enum {
    LOWER_SHARED = SLOTS * SPAN_CORE * (int)sizeof(double) + PIECES * (int)sizeof(rct_pair) +
                   (LOWER_LEVELS + 1) * (int)sizeof(int32_t),
    ACCELERATE_SHARED = LOWER_SHARED + PIECES * END_FIELDS * (int)sizeof(double)
};

static __device__ __forceinline__ int32_t own_piece(void)
{
    return (int32_t)(blockIdx.x * PIECES + threadIdx.x);
}

/* The group of this thread's warp, and whether there is one. */
static __device__ __forceinline__ bool own_group(const rct_device *d, int32_t *group)
{
    *group = d->lanes.bushes + own_piece() / WARP;
    return *group < d->lanes.narrow_end;
}

/* With its pairs under way, as yet without spans and ends. */
static __device__ __forceinline__ rct_forest lower_forest(const rct_runs *r, double *room)
{
    rct_pair *pairs = (rct_pair *)(room + SLOTS * SPAN_CORE);
    int32_t *first = (int32_t *)(pairs + PIECES);
    fetch(pairs, r->lower_pairs + (int64_t)blockIdx.x * PIECES, PIECES * (int)sizeof *pairs);
    fetch(first, r->lower + (int64_t)blockIdx.x * (LOWER_LEVELS + 1),
          (LOWER_LEVELS + 1) * (int)sizeof *first);
    return (rct_forest){room, (double *)(first + LOWER_LEVELS + 1), pairs, first, LOWER_LEVELS};
}

static __device__ __forceinline__ double *lower_spans(const rct_runs *r)
{
    return r->spans + (int64_t)blockIdx.x * SLOTS * SPAN_CORE;
}

/* The handles of this thread's piece from its record, where the sweep has left them, to a span that fits its neighbours. */
static __device__ __forceinline__ void take_span(const rct_piece *piece, const double *path,
                                                 double *span)
{
    for (int f = 0; f < 9; f++) {
        span[SPAN_S + f] = path[(PATH_HINGE + f) * WARP] - (f < 3 ? piece->stand_in : 0.0);
        span[SPAN_THROUGH + f] = path[(PATH_THROUGH + f) * WARP];
    }
    for (int f = 0; f < 3; f++) {
        span[SPAN_FREE + f] = path[(PATH_FREE + f) * WARP];
    }
    for (int f = 0; f < 6; f++) {
        span[SPAN_COMPLIANCE + f] = path[(PATH_COMPLIANCE + f) * WARP];
    }
}

/* Roots of a block to where the upper levels find them. */
static __device__ __forceinline__ void copy_roots(const rct_runs *r, const double *spans)
{
    const int32_t from = r->first_root[blockIdx.x], to = r->first_root[blockIdx.x + 1];
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * SPAN_CORE; k += PIECES) {
        const int32_t root = from + k / SPAN_CORE, field = k % SPAN_CORE;
        r->upper_spans[(int64_t)root * SPAN_CORE + field] =
            spans[r->roots[root].span * SPAN_CORE + field];
    }
}

static __device__ __forceinline__ void condense_pieces(const rct_device *d, int what)
{
    RCT_SHARED_DYNAMIC(double, room);
    const rct_forest forest = lower_forest(&d->runs, room);
    const rct_sheaves own = sheaves_of_lane(d);
    int32_t group;
    const bool any = own_group(d, &group);
    if (any) {
        group_sweep w = sweep_begin(&own, group, scratch_of(d, group));
        w.what = what;
        if (own.first_sheaf[group + 1] > own.first_sheaf[group] + 1) { /* side paths first */
            narrow_inward_closed(&w, own.first_sheaf[group] + 1, NULL, GAINS_AT_ONCE);
        }
        narrow_inward_open(&w, own.first_sheaf[group]);
        note(&d->fault->inward, sweep_end_inward(&w));
    }
    rct_fetched();
    if (any && own_piece() < d->runs.pieces) {
        take_span(&d->runs.piece[own_piece()], sheaf_path(&own, own.first_sheaf[group]),
                  room + (int)threadIdx.x * SPAN_CORE);
    }
    compose_levels(&forest, &d->fault->inward);
    copy_roots(&d->runs, room);
    copy_out(lower_spans(&d->runs), room, (PIECES + forest.first[LOWER_LEVELS]) * SPAN_CORE);
}

/* What reaches the roots of a block, of `upper`, the ends of all roots. */
static __device__ __forceinline__ void reach_roots(const rct_runs *r, const double *upper,
                                                   double *ends)
{
    const int32_t from = r->first_root[blockIdx.x], to = r->first_root[blockIdx.x + 1];
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * END_FIELDS; k += PIECES) {
        const int32_t field = k % END_FIELDS;
        const rct_root *root = &r->roots[from + k / END_FIELDS];
        const int32_t leaf = field < END_HANDLE ? root->first : root->last;
        ends[span_at(leaf, END_FIELDS) + field * WARP] =
            upper[span_at(from + k / END_FIELDS, END_FIELDS) + field * WARP];
    }
}

/* What reaches this thread's piece: the acceleration to its record, S with the stand-in again; nothing, where there is none. */
static __device__ __forceinline__ void reach_piece(const rct_runs *r, double *end, double *path)
{
    if (own_piece() >= r->pieces) {
        for (int field = 0; field < END_FIELDS; field++) {
            end[field * WARP] = 0.0;
        }
        return;
    }
    for (int field = 0; field < 3; field++) {
        path[(PATH_ABOVE + field) * WARP] = end[(END_LINEAR + field) * WARP];
        end[(END_HANDLE + field) * WARP] += path[PATH_STAND_IN * WARP];
    }
}

/* Everything that reaches the pieces of this block, to `forest`. False where anything inward has failed. */
static __device__ __forceinline__ bool open_block(const rct_device *d, double *room,
                                                  rct_forest *forest)
{
    const rct_runs *r = &d->runs;
    const bool alone = r->at != NULL;
    rct_forest upper;
    if (alone) {
        upper = upper_forest<true>(r, room + ACCELERATE_SHARED / (int)sizeof *room);
        fetch_upper<true>(r, upper.spans, r->root_count);
    }
    *forest = lower_forest(r, room);
    fetch(room, lower_spans(r), SLOTS * SPAN_CORE * (int)sizeof *room);
    const bool good = !alone || join_alone(d, &upper);
    reach_roots(r, alone ? upper.ends : r->upper_ends, forest->ends);
    rct_fetched();
    if (!good) {
        return false;
    }
    open_levels(forest, 0, PIECES, &d->fault->outward);
    return true;
}

/* Sweep the pieces of this thread's warp, and advance. */
static __device__ __forceinline__ void sweep_pieces(const rct_device *d, const rct_forest *forest,
                                                    int what, int stage, double dt)
{
    int32_t group;
    if (own_group(d, &group)) {
        const rct_sheaves own = sheaves_of_lane(d);
        const int32_t sheaf = own.first_sheaf[group];
        double *end = forest->ends + span_at((int32_t)threadIdx.x, END_FIELDS);
        double *scratch = scratch_of(d, group);
        group_sweep w = sweep_begin(&own, group, scratch);
        w.what = what;
        reach_piece(&d->runs, end, sheaf_path(&own, sheaf));
        narrow_inward_closed(&w, sheaf, end + END_HANDLE * WARP, GAINS_NOW);
        note(&d->fault->outward, sweep_end_inward(&w));
        group_sweep out = sweep_begin(&own, group, scratch);
        out.what = what;
        for (int32_t k = sheaf; k < own.first_sheaf[group + 1]; k++) {
            narrow_outward(&out, k, stage, rk4_stage_weights(stage, dt));
        }
        note(&d->fault->outward, sweep_end_outward(&out));
    }
}

static __device__ __forceinline__ void accelerate_pieces(const rct_device *d, int what, int last,
                                                         int stage, double dt)
{
    if (d->fault->stop) {
        return; /* the same for all: set between launches */
    }
    RCT_SHARED_DYNAMIC(double, room);
    rct_forest forest;
    if (open_block(d, room, &forest)) {
        sweep_pieces(d, &forest, what, stage, dt);
    }
    if (d->runs.at != NULL || (last && stage != STAGE_NONE)) {
        decide(d, last && stage != STAGE_NONE, stage);
    }
}

/* ---- kernels and launches, PIECES_NAME(x) the name of kernel x ------------------------------ */

extern "C" {

__global__ void __launch_bounds__(PIECES) PIECES_NAME(condense)(rct_device d)
{
    condense_pieces(&d, ~0);
}

__global__ void __launch_bounds__(PIECES) PIECES_NAME(condense_bare)(rct_device d)
{
    condense_pieces(&d, BARE);
}

__global__ void __launch_bounds__(PIECES)
    PIECES_NAME(accelerate)(rct_device d, int last, int stage, double dt)
{
    accelerate_pieces(&d, ~0, last, stage, dt);
}

__global__ void __launch_bounds__(PIECES)
    PIECES_NAME(accelerate_bare)(rct_device d, int last, int stage, double dt)
{
    accelerate_pieces(&d, BARE, last, stage, dt);
}
}

static cudaError_t prepare_pieces(void)
{
    static const void *const kernels[] = {
        (const void *)PIECES_NAME(condense), (const void *)PIECES_NAME(condense_bare),
        (const void *)PIECES_NAME(accelerate), (const void *)PIECES_NAME(accelerate_bare)};
    return rct_make_ready(kernels, 4);
}

static cudaError_t launch_condense_pieces(const rct_device *d, int bare, cudaStream_t stream)
{
    const unsigned int blocks = (unsigned int)d->runs.blocks;
    return bare ? RCT_LAUNCH(PIECES_NAME(condense_bare), blocks, PIECES, LOWER_SHARED, stream, *d)
                : RCT_LAUNCH(PIECES_NAME(condense), blocks, PIECES, LOWER_SHARED, stream, *d);
}

static cudaError_t launch_accelerate_pieces(const rct_device *d, int bare, int last, int stage,
                                            double dt, cudaStream_t stream)
{
    const unsigned int blocks = (unsigned int)d->runs.blocks;
    const size_t shared = ACCELERATE_SHARED + (d->runs.at != NULL ? d->runs.upper_shared : 0);
    return bare ? RCT_LAUNCH(PIECES_NAME(accelerate_bare), blocks, PIECES, shared, stream, *d, last,
                             stage, dt)
                : RCT_LAUNCH(PIECES_NAME(accelerate), blocks, PIECES, shared, stream, *d, last,
                             stage, dt);
}

static const rct_piece_launches piece_launches = {prepare_pieces, launch_condense_pieces,
                                                  launch_accelerate_pieces};

#endif
