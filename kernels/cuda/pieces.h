/* The kernels that sweep pieces of narrow runs, for the method of the including translation unit. */
#ifndef RCT_KERNELS_CUDA_PIECES_H
#define RCT_KERNELS_CUDA_PIECES_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/runs.h"

/* What rows of pieces, and of the side paths on them, may have where nothing else hangs and nothing acts on their links. */
enum { BARE = HAS_START | HAS_OTHERS | HAS_TWIGS };

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

/* Where its spans and pairs are. */
static __device__ __forceinline__ rct_forest lower_forest(double *spans, double *ends)
{
    rct_pair *pairs = (rct_pair *)(spans + SLOTS * SPAN_CORE);
    return (rct_forest){spans, ends, pairs, (int32_t *)(pairs + PIECES), LOWER_LEVELS};
}

/* Its pairs, there after rct_fetched and a barrier. */
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

/* ---- states kept in shared memory ------------------------------------------------------------- */

/* Bytes `at` of the shared memory of the block. */
static __device__ __forceinline__ double *shared_at(double *room, int32_t at)
{
    return room + at / (int32_t)sizeof *room;
}

/* What the warp keeps of its group, in shared memory from `kept` on: so many arrays of states. */
typedef struct rct_kept {
    double *kept;
    int64_t from;   /* the first number of the group in such an array */
    int32_t number; /* how many                                       */
} rct_kept;

static __device__ __forceinline__ rct_kept kept_of(const rct_device *d, int32_t group, double *kept,
                                                   int arrays)
{
    const rct_sheaves *s = &d->lanes;
    const int64_t from = s->state_at[s->first_row[s->first_sheaf[group]]] * WARP;
    const int64_t end = s->state_at[s->first_row[s->first_sheaf[group + 1]]] * WARP;
    const int32_t warp = (int32_t)threadIdx.x / WARP;
    return (rct_kept){kept + warp * d->runs.kept_rows * (arrays * STATE_FIELDS * WARP), from,
                      (int32_t)(end - from)};
}

static __device__ __forceinline__ void keep(const rct_kept *k, int array, const double *from)
{
    RCT_ROLLED
    for (int32_t i = 2 * lane_member(); i < k->number; i += 2 * WARP) {
        rct_fetch(k->kept + array * k->number + i, from + k->from + i);
    }
}

static __device__ __forceinline__ void give_back(const rct_kept *k, int array, double *to)
{
    RCT_ROLLED
    for (int32_t i = 2 * lane_member(); i < k->number; i += 2 * WARP) {
        *(rct_two *)(to + k->from + i) = *(const rct_two *)(k->kept + array * k->number + i);
    }
}

/* An array as the sheaves of this lane have it. */
static __device__ __forceinline__ double *as_kept(const rct_kept *k, int array)
{
    return k->kept + array * k->number - k->from + lane_member();
}

/* ---- condense ----------------------------------------------------------------------------------- */

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
    RCT_ROLLED
    for (int32_t k = (int32_t)threadIdx.x; k < (to - from) * SPAN_CORE; k += PIECES) {
        const int32_t root = from + k / SPAN_CORE, field = k % SPAN_CORE;
        r->upper_spans[(int64_t)root * SPAN_CORE + field] =
            spans[r->roots[root].span * SPAN_CORE + field];
    }
}

/* Sweep the pieces of this thread's warp, side paths first, as if they had open ends: that is no code of its own. */
static __device__ __forceinline__ void condense_group(const rct_device *d, const rct_sheaves *own,
                                                      int32_t group, int what)
{
    group_sweep w = sweep_begin(own, group, NULL);
    w.what = what;
    RCT_ROLLED
    for (int32_t k = own->first_sheaf[group + 1] - 1; k >= own->first_sheaf[group]; k--) {
        narrow_inward_open(&w, k);
    }
    note(&d->fault->inward, sweep_end_inward(&w));
}

static __device__ __forceinline__ void condense_pieces(const rct_device *d, int what)
{
    RCT_SHARED_DYNAMIC(double, room);
    int32_t group;
    const bool any = own_group(d, &group);
    fetch_pairs(&d->runs, room);
    rct_behind();
    rct_sheaves own = sheaves_of_lane(d);
    if (any && d->runs.kept_rows > 0) {
        const rct_kept kept = kept_of(d, group, shared_at(room, LOWER_SHARED), 1);
        keep(&kept, 0, d->lanes.state);
        own.state = as_kept(&kept, 0);
    }
    rct_fetched();
    __syncwarp();
    if (any) {
        condense_group(d, &own, group, what);
    }
    if (any && own_piece() < d->runs.pieces) {
        take_span(&d->runs.piece[own_piece()], sheaf_path(&own, own.first_sheaf[group]),
                  room + (int)threadIdx.x * SPAN_CORE);
    }
    const rct_forest forest = lower_forest(room, NULL);
    compose_levels(&forest, &d->fault->inward);
    copy_roots(&d->runs, room);
    copy_out(lower_spans(&d->runs), room, (PIECES + forest.first[LOWER_LEVELS]) * SPAN_CORE);
}

/* ---- accelerate --------------------------------------------------------------------------------- */

/* What reaches the roots of a block, of `upper`, the ends of all roots. */
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

/* What this thread's warp keeps of its group: states, base, sum. */
enum { KEPT_STATE, KEPT_BASE, KEPT_SUM, KEPT_ARRAYS };

static __device__ __forceinline__ void keep_group(const rct_device *d, int32_t group, int stage,
                                                  double *room)
{
    const rct_kept kept = kept_of(d, group, shared_at(room, d->runs.kept_at), KEPT_ARRAYS);
    keep(&kept, KEPT_STATE, d->lanes.state);
    if (stage == 1 || stage == 2) {
        keep(&kept, KEPT_BASE, d->lanes.base);
    }
    if (stage > 0) {
        keep(&kept, KEPT_SUM, d->lanes.sum);
    }
}

/* Everything that reaches the pieces of this block, to the ends at `room`, and what its warps keep. False where anything inward has
 * failed. */
static __device__ __forceinline__ bool open_block(const rct_device *d, double *room, int stage)
{
    const rct_runs *r = &d->runs;
    const bool alone = r->by_block;
    double *spans = shared_at(room, ENDS_SHARED);
    rct_forest upper;
    int32_t group;
    if (alone) {
        upper = upper_forest<true>(r, shared_at(spans, LOWER_SHARED));
        fetch(upper.spans, r->upper_spans, r->root_count * (int64_t)(SPAN_CORE * sizeof(double)));
    }
    rct_fetch_apart();
    fetch_pairs(r, spans);
    fetch(spans, lower_spans(r), SLOTS * SPAN_CORE * (int)sizeof *spans);
    if (own_group(d, &group) && r->kept_rows > 0) {
        keep_group(d, group, stage, room);
    }
    const rct_forest lowest = lower_forest(spans, room);
    rct_fetched_before();
    __syncthreads();
    if (alone && !join_alone(d, &upper)) {
        return false;
    }
    RCT_ROLLED /* the upper levels, then the lower ones */
        for (int lower = !alone; lower <= 1; lower++)
    {
        if (lower) {
            reach_roots(r, alone ? upper.ends : r->upper_ends, lowest.ends);
            rct_fetched();
        }
        const rct_forest f = lower ? lowest : upper;
        open_levels(&f, lower ? 0 : r->first_root[blockIdx.x],
                    lower ? PIECES : r->first_root[blockIdx.x + 1], &d->fault->outward);
    }
    return true;
}

/* Sweep the pieces of this thread's warp, side paths first on the way inward and last on the way outward, and advance. What is
 * kept of a row for that is in shared memory where there is room. */
static __device__ __forceinline__ void sweep_pieces(const rct_device *d, double *room, int what,
                                                    int stage, double dt)
{
    int32_t group;
    if (!own_group(d, &group)) {
        return;
    }
    rct_sheaves own = sheaves_of_lane(d);
    double *scratch = scratch_of(d, group);
    const bool keeps = d->runs.kept_rows > 0;
    const rct_kept kept = kept_of(d, group, shared_at(room, d->runs.kept_at), KEPT_ARRAYS);
    if (keeps) {
        own.state = as_kept(&kept, KEPT_STATE);
        own.base = as_kept(&kept, KEPT_BASE);
        own.sum = as_kept(&kept, KEPT_SUM);
        scratch =
            shared_at(room, ENDS_SHARED) + lane_member() +
            (int32_t)threadIdx.x / WARP * (d->runs.kept_rows * own.row_fields + TWIG_FIELDS) * WARP;
    }
    const int32_t first = own.first_sheaf[group], behind = own.first_sheaf[group + 1];
    double *end = room + span_at((int32_t)threadIdx.x, END_FIELDS);
    group_sweep w = sweep_begin(&own, group, scratch);
    w.what = what;
    reach_piece(&d->runs, end, sheaf_path(&own, first));
    RCT_ROLLED
    for (int32_t k = behind - 1; k >= first; k--) {
        const double *beyond = k > first ? d->lanes.paths + lane_member() : end + END_HANDLE * WARP;
        narrow_inward_closed(&w, k, beyond, 1); /* on side paths zeros, of the first record */
    }
    note(&d->fault->outward, sweep_end_inward(&w));
    group_sweep out = sweep_begin(&own, group, scratch);
    out.what = what;
    RCT_ROLLED
    for (int32_t k = first; k < behind; k++) {
        narrow_outward(&out, k, stage, rk4_stage_weights(stage, dt));
    }
    note(&d->fault->outward, sweep_end_outward(&out));
    if (keeps && stage != STAGE_NONE) {
        __syncwarp();
        give_back(&kept, KEPT_STATE, d->lanes.state);
        if (stage == 0) {
            give_back(&kept, KEPT_BASE, d->lanes.base);
        }
        if (stage < 3) {
            give_back(&kept, KEPT_SUM, d->lanes.sum);
        }
    }
}

static __device__ __forceinline__ void accelerate_pieces(const rct_device *d, int what, int last,
                                                         int stage, double dt)
{
    rct_behind();
    if (d->fault->stop) {
        return; /* the same for all: set between launches */
    }
    RCT_SHARED_DYNAMIC(double, room);
    if (open_block(d, room, stage)) {
        sweep_pieces(d, room, what, stage, dt);
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
    const size_t shared = (size_t)d->runs.condense_shared;
    return bare ? RCT_LAUNCH_BEHIND(PIECES_NAME(condense_bare), blocks, PIECES, shared, stream, *d)
                : RCT_LAUNCH_BEHIND(PIECES_NAME(condense), blocks, PIECES, shared, stream, *d);
}

static cudaError_t launch_accelerate_pieces(const rct_device *d, int bare, int last, int stage,
                                            double dt, cudaStream_t stream)
{
    const unsigned int blocks = (unsigned int)d->runs.blocks;
    const size_t shared = (size_t)d->runs.accelerate_shared;
    return bare ? RCT_LAUNCH_BEHIND(PIECES_NAME(accelerate_bare), blocks, PIECES, shared, stream,
                                    *d, last, stage, dt)
                : RCT_LAUNCH_BEHIND(PIECES_NAME(accelerate), blocks, PIECES, shared, stream, *d,
                                    last, stage, dt);
}

static const rct_piece_launches piece_launches = {prepare_pieces, launch_condense_pieces,
                                                  launch_accelerate_pieces};

#endif
