/* The kernels that sweep pieces of narrow runs, for the method of the including translation
 * unit. */
#ifndef RCT_KERNELS_CUDA_PIECES_H
#define RCT_KERNELS_CUDA_PIECES_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/runs.h"

/* What rows of pieces, and of the side paths on them, may have where nothing else hangs and nothing
 * acts on their links. */
enum { BARE = HAS_START | HAS_OTHERS | HAS_TWIGS };

static __device__ __forceinline__ int32_t own_piece(void)
{
    return (int32_t)(blockIdx.x * PIECES + threadIdx.x);
}

/* The group of this thread's warp. There is none where this is not less than narrow_end. */
static __device__ __forceinline__ int32_t own_group(const rct_device *d)
{
    return d->lanes.bushes + own_piece() / WARP;
}

/* The lower levels: where spans and pairs of this block are. */
static __device__ __forceinline__ rct_forest lower_forest(double *spans, double *ends)
{
    rct_pair *pairs = (rct_pair *)(spans + SLOTS * SPAN_CORE);
    return (rct_forest){spans, ends, pairs, (int32_t *)(pairs + PIECES), LOWER_LEVELS};
}

/* Fetches the pairs of this block, readable after rct_fetched and a barrier. */
static __device__ __forceinline__ void fetch_pairs(const rct_runs *r, double *spans)
{
    rct_pair *pairs = (rct_pair *)(spans + SLOTS * SPAN_CORE);
    fetch(pairs, r->lower_pairs + (int64_t)blockIdx.x * PIECES, PIECES * (int)sizeof *pairs);
    fetch(pairs + PIECES, r->lower + (int64_t)blockIdx.x * (LOWER_LEVELS + 1),
          (LOWER_LEVELS + 1) * (int)sizeof *r->lower);
}

static __device__ __forceinline__ double *lower_spans(const rct_runs *r)
{
    return r->spans + (int64_t)blockIdx.x * SLOTS * SPAN_CORE;
}

/* ---- condense ------------------------------------------------------------------------------ */

/* The handles of this thread's piece, from the record in which the sweep has left them, to a span
 * that fits its neighbours. */
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

/* Copies the roots of a block to where the upper levels read them. */
static __device__ __forceinline__ void copy_roots(const rct_runs *r, const double *spans)
{
    const int32_t from = r->first_root[blockIdx.x], to = r->first_root[blockIdx.x + 1];
    RCT_ROLLED
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * SPAN_CORE; k += PIECES) {
        const int32_t root = from + k / SPAN_CORE, field = k % SPAN_CORE;
        r->upper_spans[(int64_t)root * SPAN_CORE + field] =
            spans[r->roots[root].span * SPAN_CORE + field];
    }
}

/* Sweeps the pieces of this thread's warp, side paths first. Side paths are swept as if they had
 * open ends, which needs no code of its own. No later step changes them, so their gains are left
 * for the way outward. */
static __device__ __forceinline__ void condense_group(const rct_device *d, const rct_sheaves *own,
                                                      int32_t group, int what)
{
    const int32_t first = own->first_sheaf[group];
    group_sweep w = sweep_of_group(d, own, group);
    w.what = what;
    w.ahead = !d->runs.by_block;
    RCT_ROLLED
    for (int32_t k = own->first_sheaf[group + 1] - 1; k >= first; k--) {
        w.leaves = k > first;
        narrow_inward_open(&w, k);
    }
    note(&d->fault->inward, sweep_end(&w));
}

static __device__ __forceinline__ void condense_pieces(const rct_device *d, int what)
{
    RCT_SHARED_DYNAMIC(double, room);
    fetch_pairs(&d->runs, room);
    const rct_sheaves own = sheaves_of_lane(d);
    if (own_group(d) < own.narrow_end) {
        condense_group(d, &own, own_group(d), what);
    }
    rct_fetched();
    if (own_piece() < d->runs.pieces) {
        take_span(&d->runs.piece[own_piece()], sheaf_path(&own, own.first_sheaf[own_group(d)]),
                  room + (int)threadIdx.x * SPAN_CORE);
    }
    const rct_forest forest = lower_forest(room, NULL);
    compose_levels(&forest, &d->fault->inward);
    copy_roots(&d->runs, room);
    copy_out(lower_spans(&d->runs), room, (PIECES + forest.first[LOWER_LEVELS]) * SPAN_CORE);
}

/* ---- accelerate ---------------------------------------------------------------------------- */

/* What reaches the roots of a block; `upper`: the ends of all roots. */
static __device__ __forceinline__ void reach_roots(const rct_runs *r, const double *upper,
                                                   double *ends)
{
    const int32_t from = r->first_root[blockIdx.x], to = r->first_root[blockIdx.x + 1];
    RCT_ROLLED
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * END_FIELDS; k += PIECES) {
        const int32_t field = k % END_FIELDS;
        const rct_root *root = &r->roots[from + k / END_FIELDS];
        const int32_t leaf = field < END_HANDLE ? root->first : root->last;
        ends[span_at(leaf, END_FIELDS) + field * WARP] =
            upper[span_at(from + k / END_FIELDS, END_FIELDS) + field * WARP];
    }
}

/* What reaches this thread's piece: the acceleration to its record, and S with the stand-in added
 * again; zeros if there is no piece. */
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

/* Everything that reaches the pieces of this block, to the ends behind its spans. Returns these
 * ends, or NULL where anything inward has failed. */
static __device__ __forceinline__ double *open_block(const rct_device *d, double *room)
{
    const rct_runs *r = &d->runs;
    const rct_forest lowest = lower_forest(room, room + LOWER_SHARED / sizeof *room);
    const bool alone = r->by_block;
    rct_forest upper;
    if (alone) {
        upper = upper_forest<true>(r, room + ACCELERATE_SHARED / sizeof *room);
        fetch(upper.spans, r->upper_spans, r->root_count * (int64_t)(SPAN_CORE * sizeof *room));
    }
    rct_fetch_apart();
    fetch_pairs(r, room);
    fetch(room, lower_spans(r), SLOTS * SPAN_CORE * (int)sizeof *room);
    rct_fetched_before();
    __syncthreads();
    if (alone && !join_alone(d, &upper)) {
        return NULL;
    }
    /* the upper levels, then the lower ones */
    RCT_ROLLED
    for (int lower = !alone; lower <= 1; lower++) {
        if (lower) {
            reach_roots(r, alone ? upper.ends : r->upper_ends, lowest.ends);
            rct_fetched();
        }
        const rct_forest f = lower ? lowest : upper;
        open_levels(&f, lower ? 0 : r->first_root[blockIdx.x],
                    lower ? PIECES : r->first_root[blockIdx.x + 1], &d->fault->outward);
    }
    return lowest.ends;
}

/* Sweeps the pieces of this thread's warp, given `ends`, with side paths on the way outward, and
 * advances. */
static __device__ __forceinline__ void sweep_pieces(const rct_device *d, double *ends, int what,
                                                    int stage, double dt)
{
    const int32_t group = own_group(d);
    if (group >= d->lanes.narrow_end) {
        return;
    }
    const rct_sheaves own = sheaves_of_lane(d);
    const int32_t sheaf = own.first_sheaf[group];
    double *end = ends + span_at((int32_t)threadIdx.x, END_FIELDS);
    group_sweep w = sweep_of_group(d, &own, group);
    w.what = what;
    w.ahead = !d->runs.by_block;
    reach_piece(&d->runs, end, sheaf_path(&own, sheaf));
    narrow_inward_closed(&w, sheaf, end + END_HANDLE * WARP, 1);
    note(&d->fault->outward, sweep_end(&w));
    group_sweep out = sweep_of_group(d, &own, group);
    out.what = what;
    out.ahead = !d->runs.by_block;
    RCT_ROLLED
    for (int32_t k = sheaf; k < own.first_sheaf[group + 1]; k++) {
        narrow_outward(&out, k, stage, rk4_stage_weight(stage, dt));
    }
    note(&d->fault->outward, sweep_end(&out));
}

static __device__ __forceinline__ void accelerate_pieces(const rct_device *d, int what, int last,
                                                         int stage, double dt)
{
    if (d->fault->stop) {
        return; /* same for all threads: it is set between launches */
    }
    RCT_SHARED_DYNAMIC(double, room);
    double *ends = open_block(d, room);
    if (ends != NULL) {
        sweep_pieces(d, ends, what, stage, dt);
    }
    if (d->runs.by_block || (last && stage != STAGE_NONE)) {
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
    const size_t shared = ACCELERATE_SHARED + (d->runs.by_block ? d->runs.upper_shared : 0);
    return bare ? RCT_LAUNCH(PIECES_NAME(accelerate_bare), blocks, PIECES, shared, stream, *d, last,
                             stage, dt)
                : RCT_LAUNCH(PIECES_NAME(accelerate), blocks, PIECES, shared, stream, *d, last,
                             stage, dt);
}

static const rct_piece_launches piece_launches = {prepare_pieces, launch_condense_pieces,
                                                  launch_accelerate_pieces};

#endif
