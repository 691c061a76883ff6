/* The kernels that sweep pieces, for any method. */
#ifndef RCT_KERNELS_CUDA_PIECES_H
#define RCT_KERNELS_CUDA_PIECES_H

#include "kernels/cuda/compose.h"

/* The tile of this thread's warp. */
static __device__ __forceinline__ int32_t own_tile(void)
{
    return (int32_t)((blockIdx.x * blockDim.x + threadIdx.x) / WARP);
}

static __device__ __forceinline__ int own_lane(void)
{
    return (int)(threadIdx.x % WARP);
}

static __device__ __forceinline__ void note_label(rct_device_labels *labels, rct_sweep_end end,
                                                  int32_t label)
{
    atomicMin(end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite, label);
}

/* Neutral links have no faults. */
static __device__ __forceinline__ void note_piece(const rct_device *d, rct_device_labels *labels,
                                                  int32_t tile, rct_tile_result result)
{
    if (result.end != SWEEP_DONE) {
        const int32_t first = d->label[tile * WARP + own_lane()];
        if (first >= 0) {
            note_label(labels, result.end, first + result.step[0]);
        }
    }
}

/* ---- pieces and the lower levels ---------------------------------------------------------- */

/* Shared memory of the blocks that sweep pieces: spans, pairs, where levels begin, and ends. */
enum {
    LOWER_SHARED = SLOTS * SPAN_CORE * (int)sizeof(double) + PIECES * (int)sizeof(rct_pair) +
                   (LOWER_LEVELS + 1) * (int)sizeof(int32_t),
    ENDS_SHARED = PIECES * END_FIELDS * (int)sizeof(double)
};

/* With its pairs under way, as yet without spans and ends. */
static __device__ __forceinline__ rct_forest lower_forest(const rct_device *d, double *room)
{
    rct_pair *pairs = (rct_pair *)(room + SLOTS * SPAN_CORE);
    int32_t *first = (int32_t *)(pairs + PIECES);
    fetch(pairs, d->lower_pairs + (int64_t)blockIdx.x * PIECES, PIECES * (int)sizeof *pairs);
    fetch(first, d->lower + (int64_t)blockIdx.x * (LOWER_LEVELS + 1),
          (LOWER_LEVELS + 1) * (int)sizeof *first);
    return (rct_forest){room, (double *)(first + LOWER_LEVELS + 1), pairs, first, LOWER_LEVELS};
}

static __device__ __forceinline__ double *lower_spans(const rct_device *d)
{
    return d->spans + (int64_t)blockIdx.x * SLOTS * SPAN_CORE;
}

/* Scratch of this thread's piece. */
static __device__ __forceinline__ double *piece_scratch(const rct_device *d, int32_t tile)
{
    return d->scratch + d->tiles.first_step[tile] * SCRATCH_FIELDS * WARP + own_lane();
}

static __device__ __forceinline__ mat3 axes_of(const rct_device *d, int64_t link)
{
    return quat_rotation(quat_load(d->tiles.state + link + STATE_ORIENTATION * WARP, WARP));
}

/* The span of a piece into the axes of the link it hangs on. Accelerate needs the turn again, when that
 * link may have advanced; the trunk needs the axes of whole segments. */
static __device__ __forceinline__ void fit_piece(const rct_device *d, int32_t tile, double *core)
{
    const rct_piece *piece = &d->piece[tile * WARP + own_lane()];
    const mat3 own = axes_of(d, d->tiles.first_step[tile] * STATE_FIELDS * WARP + own_lane());
    mat3 turn = mat3_identity();
    if (piece->inboard >= 0) {
        turn = mat3_transposed_times(axes_of(d, piece->inboard), own);
        abi_span span = abi_span_load(core, 1);
        abi_span_turn(turn, &span);
        span.handle = abi_besides(span.handle, piece->stand_in);
        abi_span_store(core, 1, &span);
    }
    mat3_store(piece_scratch(d, tile) + SCRATCH_TURN * WARP, WARP, turn);
    if (piece->begins >= 0) {
        double *row = d->trunk.spans + (int64_t)piece->begins * SPAN_FIELDS;
        mat3_store(row + SPAN_INBOARD, 1, own);
    }
    if (piece->ends >= 0) {
        double *row = d->trunk.spans + (int64_t)piece->ends * SPAN_FIELDS;
        mat3_store(row + SPAN_OUTBOARD, 1, axes_of(d, piece->last));
        row[SPAN_STAND_IN] = d->tiles.stand_in[tile * WARP + own_lane()];
    }
}

/* Roots of a block to where the upper levels find them. */
static __device__ __forceinline__ void copy_roots(const rct_device *d, const double *spans)
{
    const int32_t from = d->first_root[blockIdx.x], to = d->first_root[blockIdx.x + 1];
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * SPAN_CORE; k += PIECES) {
        const int32_t root = from + k / SPAN_CORE, field = k % SPAN_CORE;
        d->upper_spans[(int64_t)root * SPAN_CORE + field] =
            spans[d->roots[root].span * SPAN_CORE + field];
    }
}

template <rct_tile_result (*condense)(const rct_tiles *, int32_t, abi_span *, tile_way *)>
static __device__ __forceinline__ void condense_block(const rct_device *d)
{
    RCT_SHARED_DYNAMIC(double, room);
    const rct_forest forest = lower_forest(d, room);
    const int32_t tile = own_tile();
    double *core = room + (int)threadIdx.x * SPAN_CORE;
    bool whole = false;
    if (tile < d->tiles.count) {
        const rct_tiles own = tiles_of_lane(&d->tiles, own_lane());
        abi_span span;
        tile_way way;
        const rct_tile_result result = condense(&own, tile, &span, &way);
        whole = result.end == SWEEP_DONE;
        if (whole) {
            abi_span_store(core, 1, &span);
        }
        note_piece(d, &d->fault->inward, tile, result);
    }
    rct_fetched();
    __syncthreads(); /* so that registers need not hold the span */
    if (whole) {
        fit_piece(d, tile, core);
    }
    compose_levels(&forest, &d->fault->inward.singular);
    copy_roots(d, room);
    copy_out(lower_spans(d), room, (PIECES + forest.first[LOWER_LEVELS]) * SPAN_CORE);
}

/* What reaches the roots of a block. */
static __device__ __forceinline__ void reach_roots(const rct_device *d, double *ends)
{
    const int32_t from = d->first_root[blockIdx.x], to = d->first_root[blockIdx.x + 1];
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * END_FIELDS; k += PIECES) {
        const int32_t field = k % END_FIELDS;
        const rct_root *root = &d->roots[from + k / END_FIELDS];
        const int32_t leaf = field < END_HANDLE ? root->first : root->last;
        ends[span_at(leaf, END_FIELDS) + field * WARP] =
            d->upper_ends[span_at(from + k / END_FIELDS, END_FIELDS) + field * WARP];
    }
}

/* What reaches this thread's piece, S with the stand-in again; nothing, where there is none. */
static __device__ __forceinline__ void reach_piece(const rct_device *d, int32_t tile, double *end)
{
    if (d->label[tile * WARP + own_lane()] < 0) {
        for (int field = 0; field < END_FIELDS; field++) {
            end[field * WARP] = 0.0;
        }
        return;
    }
    const double mu = d->tiles.stand_in[tile * WARP + own_lane()];
    for (int field = END_HANDLE; field < END_HANDLE + 3; field++) {
        end[field * WARP] += mu;
    }
}

template <rct_tile_result (*accelerate)(const rct_tiles *, int32_t, const double *, int, double,
                                        double *)>
static __device__ __forceinline__ void accelerate_block(const rct_device *d, int stage, double dt)
{
    if (d->fault->stop) {
        return; /* the same for all: set between launches */
    }
    RCT_SHARED_DYNAMIC(double, room);
    const rct_forest forest = lower_forest(d, room);
    fetch(room, lower_spans(d), SLOTS * SPAN_CORE * (int)sizeof *room);
    reach_roots(d, forest.ends);
    rct_fetched();
    open_levels(&forest, &d->fault->outward.singular);
    const int32_t tile = own_tile();
    if (tile < d->tiles.count) {
        const rct_tiles own = tiles_of_lane(&d->tiles, own_lane());
        double *end = forest.ends + span_at((int32_t)threadIdx.x, END_FIELDS);
        reach_piece(d, tile, end);
        note_piece(d, &d->fault->outward, tile,
                   accelerate(&own, tile, end, stage, dt, piece_scratch(d, tile)));
    }
}

#endif
