/* Pieces, and the trees that compose them (layout.h). */
#include "backend/cuda/layout.h"

#include "core/memory.h"

/* Links a piece: short ones wait for one another less, long ones are composed less. From THREADS pieces
 * on, those of 132 multiprocessors of 256, the device is full, and pieces grow instead. Side trees, and trees on
 * the ground, of RAKE links and more are worth segments of their own; in small systems those of a 32nd of the
 * whole, for one lane takes long for a long path. Tasks have up to TASK links; BUSHES warps fill the device.
 * Predicted in docs/gpu.md, to be measured. */
enum {
    SHORT = 5,
    LONG = 64,
    THREADS = 33792,
    RAKE_LEAST = 16,
    RAKE = 256,
    TASK = 256,
    BUSHES = 528,
    MOST_UPPER_LEVELS = 32
};

static int32_t clamp(int64_t least, int64_t links, int64_t most)
{
    return (int32_t)(links < least ? least : links < most ? links : most);
}

/* As asked for, or chosen. */
static rct_cut choose_cut(int32_t links, int64_t asked)
{
    if (asked != SEGMENT_AUTO) {
        const int32_t length = clamp(0, asked, links);
        return (rct_cut){.length = length, .rake = length, .task = TASK};
    }
    return (rct_cut){.length = clamp(SHORT, ((int64_t)links + THREADS - 1) / THREADS, LONG),
                     .rake = clamp(RAKE_LEAST, links / WARP, RAKE),
                     .task = TASK};
}

/* ---- composition -------------------------------------------------------------------------- */

/* Spans not composed yet, each with the segment it is part of, in the order of labels. */
typedef struct open_spans {
    int32_t count;
    int32_t *span;
    int32_t *segment;
    int32_t *label; /* of its inboard link */
} open_spans;

/* Compose neighbours of one segment two by two, in spans [from, count), which shrink together. */
static int32_t compose_once(rct_cuda_layout *layout, open_spans *open, int32_t from)
{
    const int32_t before = layout->pair_count;
    int32_t to = from;
    for (int32_t i = from; i < open->count; i++) {
        const int pair = i + 1 < open->count && open->segment[i] == open->segment[i + 1];
        open->segment[to] = open->segment[i];
        open->label[to] = open->label[i];
        if (pair) {
            layout->pairs[layout->pair_count++] = (rct_pair){
                open->span[i], open->span[i + 1], layout->span_count, open->label[i + 1]};
            open->span[to] = layout->span_count++;
            i++;
        } else {
            open->span[to] = open->span[i];
        }
        to++;
    }
    open->count = to;
    return layout->pair_count - before;
}

/* The segment of a piece: runs are the same in both partitions. */
static void compose_blocks(rct_cuda_layout *layout, open_spans *open)
{
    const rct_partition *pieces = layout->pieces, *whole = layout->whole;
    int32_t s = 0;
    for (int32_t b = 0; b < layout->blocks; b++) {
        const int32_t from = open->count;
        for (int32_t i = b * PIECES; i < (b + 1) * PIECES && i < pieces->segment_count; i++) {
            while (whole->segments[s].first + whole->segments[s].length <=
                   pieces->segments[i].first) {
                s++;
            }
            open->span[open->count] = i;
            open->segment[open->count] = s;
            open->label[open->count++] = pieces->segments[i].first;
        }
        for (int32_t level = 0; level < LOWER_LEVELS; level++) {
            layout->lower[b * (LOWER_LEVELS + 1) + level] = layout->pair_count;
            compose_once(layout, open, from);
        }
        layout->lower[b * (LOWER_LEVELS + 1) + LOWER_LEVELS] = layout->pair_count;
    }
}

static void compose_rest(rct_cuda_layout *layout, open_spans *open)
{
    layout->upper[0] = layout->pair_count;
    while (compose_once(layout, open, 0) > 0) {
        layout->upper[++layout->upper_levels] = layout->pair_count;
    }
    for (int32_t i = 0; i < open->count; i++) {
        layout->top[open->segment[i]] = open->span[i];
    }
}

static rct_status compose(rct_cuda_layout *layout, rct_error *error)
{
    const int64_t pieces = layout->pieces->segment_count, one = sizeof(int32_t);
    const char *what = "the device's layout";
    open_spans open = {.span = rct_allocate(pieces, one, what, error),
                       .segment = rct_allocate(pieces, one, what, error),
                       .label = rct_allocate(pieces, one, what, error)};
    layout->blocks = (int32_t)((pieces + PIECES - 1) / PIECES);
    layout->pairs = rct_allocate(pieces, sizeof *layout->pairs, what, error);
    layout->lower = rct_allocate((int64_t)layout->blocks * (LOWER_LEVELS + 1), one, what, error);
    layout->upper = rct_allocate(MOST_UPPER_LEVELS + 1, one, what, error);
    layout->top = rct_allocate(layout->whole->segment_count, one, what, error);
    const int room = open.span != NULL && open.segment != NULL && open.label != NULL &&
                     layout->pairs != NULL && layout->lower != NULL && layout->upper != NULL &&
                     layout->top != NULL;
    if (room) {
        layout->span_count = layout->packing->tiles.count * WARP;
        compose_blocks(layout, &open);
        compose_rest(layout, &open);
        layout->span_count = (layout->span_count + WARP - 1) / WARP * WARP;
    }
    rct_release(open.span);
    rct_release(open.segment);
    rct_release(open.label);
    return room ? RCT_OK : RCT_ERROR_MEMORY;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static rct_status label_pieces(rct_cuda_layout *layout, rct_error *error)
{
    const int64_t lanes = (int64_t)layout->packing->tiles.count * WARP;
    layout->label = rct_allocate(lanes, sizeof *layout->label, "the device's layout", error);
    layout->length = rct_allocate(lanes, sizeof *layout->length, "the device's layout", error);
    if (layout->label == NULL || layout->length == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < lanes; i++) {
        const int32_t s = layout->packing->lane_segment[i];
        layout->label[i] = s >= 0 ? layout->pieces->segments[s].first : -1;
        layout->length[i] = s >= 0 ? layout->pieces->segments[s].length : 0;
    }
    return RCT_OK;
}

static rct_status build(rct_cuda_layout *layout, const rct_plan *plan, int64_t length,
                        int about_com, rct_error *error)
{
    rct_cut cut = choose_cut(plan->links.count, length);
    layout->pieces = rct_partition_create_cut(plan, &cut, error);
    cut.whole = 1;
    layout->whole = rct_partition_create_cut(plan, &cut, error);
    if (layout->whole == NULL || layout->pieces == NULL) {
        return RCT_ERROR_MEMORY;
    }
    layout->packing = rct_packing_create_by_label(plan, layout->pieces, WARP, about_com, error);
    if (layout->packing == NULL) {
        return RCT_ERROR_MEMORY;
    }
    layout->planted = rct_bush_packing_create(layout->packing, layout->whole, BUSHES, error);
    if (layout->planted == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_status status = label_pieces(layout, error);
    if (status == RCT_OK) {
        status = compose(layout, error);
    }
    if (status == RCT_OK) {
        status = rct_cuda_layout_tasks(layout, error);
    }
    return status;
}

rct_cuda_layout *rct_cuda_layout_create(const rct_plan *plan, int64_t length, int about_com,
                                        rct_error *error)
{
    rct_cuda_layout *layout = rct_allocate(1, sizeof *layout, "the device's layout", error);
    if (layout != NULL && build(layout, plan, length, about_com, error) != RCT_OK) {
        rct_cuda_layout_free(layout);
        layout = NULL;
    }
    return layout;
}

void rct_cuda_layout_free(rct_cuda_layout *layout)
{
    if (layout != NULL) {
        rct_bush_packing_free(layout->planted);
        rct_packing_free(layout->packing);
        rct_partition_free(layout->pieces);
        rct_partition_free(layout->whole);
        rct_release(layout->label);
        rct_release(layout->length);
        rct_release(layout->pairs);
        rct_release(layout->lower);
        rct_release(layout->upper);
        rct_release(layout->top);
        rct_release(layout->sides);
        rct_release(layout->side_first);
        rct_release(layout->root_side);
        rct_release(layout->hung);
        rct_release(layout);
    }
}
