/* Pieces, and the trees that compose them (layout.h). */
#include "backend/cuda/layout.h"

#include "core/memory.h"

/* Links a piece: short ones wait for one another less, long ones are composed less. From THREADS pieces
 * on, those of 132 multiprocessors of 256, the device is full, and pieces grow instead. Side trees, and trees on
 * the ground, of RAKE links and more are worth segments of their own; in small systems those of a 32nd of the
 * whole, for one lane takes long for a long path. Tasks have up to TASK links. Predicted in docs/gpu.md, to be measured. */
enum { SHORT = 5, LONG = 64, THREADS = 33792, RAKE_LEAST = 16, RAKE = 256, TASK = 256 };

static int32_t clamp(int64_t least, int64_t links, int64_t most)
{
    return (int32_t)(links < least ? least : links < most ? links : most);
}

rct_cut rct_cuda_cut(int32_t links, int64_t asked)
{
    if (asked == SEGMENT_WHOLE) {
        return rct_cut_whole_trees();
    }
    if (asked != SEGMENT_AUTO) {
        const int32_t length = clamp(0, asked, links);
        return (rct_cut){.length = length, .rake = length, .task = TASK};
    }
    return (rct_cut){.length = clamp(SHORT, ((int64_t)links + THREADS - 1) / THREADS, LONG),
                     .rake = clamp(RAKE_LEAST, links / WARP, RAKE),
                     .task = TASK};
}

/* ---- composition -------------------------------------------------------------------------- */

/* Spans not composed yet, each with its leaves and the segment it is part of, in the order of labels. */
typedef struct open_spans {
    int32_t count;
    int32_t next;  /* number of the next span to be made */
    int32_t pairs; /* made so far                        */
    rct_root *span;
    int32_t *segment;
    int32_t *label; /* of its inboard link */
} open_spans;

/* Compose neighbours of one segment two by two, in spans [from, count), which shrink together. */
static int32_t compose_once(rct_pair *pairs, open_spans *open, int32_t from)
{
    const int32_t before = open->pairs;
    int32_t to = from;
    for (int32_t i = from; i < open->count; i++, to++) {
        const int pair = i + 1 < open->count && open->segment[i] == open->segment[i + 1];
        rct_root span = open->span[i];
        open->segment[to] = open->segment[i];
        open->label[to] = open->label[i];
        if (pair) {
            const rct_root beyond = open->span[++i];
            pairs[open->pairs++] = (rct_pair){.inboard = span.span,
                                              .outboard = beyond.span,
                                              .whole = open->next,
                                              .first = span.first,
                                              .middle = span.last,
                                              .last = beyond.last,
                                              .label = open->label[i]};
            span = (rct_root){open->next++, span.first, beyond.last};
        }
        open->span[to] = span;
    }
    open->count = to;
    return open->pairs - before;
}

/* The lower levels, in numbers of each block; what is left of a block are its roots. */
static void compose_blocks(rct_cuda_layout *layout, open_spans *open)
{
    const rct_partition *pieces = layout->pieces;
    for (int32_t b = 0; b < layout->blocks; b++) {
        const int32_t from = open->count;
        for (int32_t i = b * PIECES; i < (b + 1) * PIECES && i < pieces->segment_count; i++) {
            const int32_t leaf = i - b * PIECES;
            open->span[open->count] = (rct_root){leaf, leaf, leaf};
            open->segment[open->count] = layout->segment[i];
            open->label[open->count++] = pieces->segments[i].first;
        }
        open->next = PIECES;
        open->pairs = 0;
        for (int32_t level = 0; level < LOWER_LEVELS; level++) {
            compose_once(layout->lower_pairs + (int64_t)b * PIECES, open, from);
            layout->lower[b * (LOWER_LEVELS + 1) + level + 1] = open->pairs;
        }
        layout->first_root[b + 1] = open->count;
    }
}

/* The upper ones, in which roots are leaves. */
static void compose_rest(rct_cuda_layout *layout, open_spans *open)
{
    layout->root_count = open->count;
    for (int32_t i = 0; i < open->count; i++) {
        layout->roots[i] = open->span[i];
        open->span[i] = (rct_root){i, i, i};
    }
    open->next = open->count;
    open->pairs = 0;
    while (compose_once(layout->upper_pairs, open, 0) > 0) {
        layout->upper[++layout->upper_levels] = open->pairs;
    }
    layout->upper_count = open->next;
    for (int32_t i = 0; i < open->count; i++) {
        layout->top[open->segment[i]] = open->span[i];
    }
}

static rct_status compose(rct_cuda_layout *layout, rct_error *error)
{
    const int64_t pieces = layout->pieces->segment_count, one = sizeof(int32_t);
    const char *what = "the device's layout";
    open_spans open = {.span = rct_allocate(pieces, sizeof *open.span, what, error),
                       .segment = rct_allocate(pieces, one, what, error),
                       .label = rct_allocate(pieces, one, what, error)};
    layout->blocks = (int32_t)((pieces + PIECES - 1) / PIECES);
    layout->lower_pairs =
        rct_allocate((int64_t)layout->blocks * PIECES, sizeof *layout->lower_pairs, what, error);
    layout->upper_pairs = rct_allocate(pieces, sizeof *layout->upper_pairs, what, error);
    layout->lower = rct_allocate((int64_t)layout->blocks * (LOWER_LEVELS + 1), one, what, error);
    layout->upper = rct_allocate(UPPER_MARKS, one, what, error);
    layout->first_root = rct_allocate(layout->blocks + 1, one, what, error);
    layout->roots = rct_allocate(pieces, sizeof *layout->roots, what, error);
    layout->top = rct_allocate(layout->whole->segment_count, sizeof *layout->top, what, error);
    const int room = open.span != NULL && open.segment != NULL && open.label != NULL &&
                     layout->lower_pairs != NULL && layout->upper_pairs != NULL &&
                     layout->lower != NULL && layout->upper != NULL && layout->first_root != NULL &&
                     layout->roots != NULL && layout->top != NULL;
    if (room) {
        compose_blocks(layout, &open);
        compose_rest(layout, &open);
    }
    rct_release(open.span);
    rct_release(open.segment);
    rct_release(open.label);
    return room ? RCT_OK : RCT_ERROR_MEMORY;
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* The segment of each piece: runs are the same in both partitions. */
static void find_segments(rct_cuda_layout *layout)
{
    const rct_partition *pieces = layout->pieces, *whole = layout->whole;
    int32_t s = 0;
    for (int32_t i = 0; i < pieces->segment_count; i++) {
        while (whole->segments[s].first + whole->segments[s].length <= pieces->segments[i].first) {
            s++;
        }
        layout->segment[i] = s;
    }
}

/* Into the states of tiles: the outermost link of a piece. */
static int64_t last_link(const rct_cuda_layout *layout, int32_t piece)
{
    const int32_t links = layout->pieces->segments[piece].length;
    return rct_packing_address(layout->packing, piece, links - 1, STATE_FIELDS);
}

/* Pieces lie in lanes in their order. */
static void describe_pieces(rct_cuda_layout *layout)
{
    const rct_segment *pieces = layout->pieces->segments;
    const int32_t count = layout->pieces->segment_count;
    for (int32_t i = 0; i < layout->packing->tiles.count * WARP; i++) {
        const int32_t s = i < count ? layout->segment[i] : -1;
        const int begins = s >= 0 && (i == 0 || layout->segment[i - 1] != s);
        const int ends = s >= 0 && (i + 1 == count || layout->segment[i + 1] != s);
        layout->label[i] = s >= 0 ? pieces[i].first : -1;
        layout->length[i] = s >= 0 ? pieces[i].length : 0;
        layout->piece[i] = (rct_piece){.inboard = -1,
                                       .last = s >= 0 ? last_link(layout, i) : -1,
                                       .begins = begins ? s : -1,
                                       .ends = ends ? s : -1};
        if (s >= 0 && !begins) {
            layout->piece[i].inboard = last_link(layout, i - 1);
            layout->piece[i].stand_in = layout->packing->tiles.stand_in[i - 1];
        }
    }
}

static rct_status list_pieces(rct_cuda_layout *layout, rct_error *error)
{
    const int64_t lanes = (int64_t)layout->packing->tiles.count * WARP;
    const char *what = "the device's layout";
    layout->segment =
        rct_allocate(layout->pieces->segment_count, sizeof *layout->segment, what, error);
    layout->label = rct_allocate(lanes, sizeof *layout->label, what, error);
    layout->length = rct_allocate(lanes, sizeof *layout->length, what, error);
    layout->piece = rct_allocate(lanes, sizeof *layout->piece, what, error);
    if (layout->segment == NULL || layout->label == NULL || layout->length == NULL ||
        layout->piece == NULL) {
        return RCT_ERROR_MEMORY;
    }
    find_segments(layout);
    describe_pieces(layout);
    return RCT_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static rct_status build(rct_cuda_layout *layout, const rct_plan *plan, int64_t length,
                        int about_com, rct_error *error)
{
    rct_cut cut = rct_cuda_cut(plan->links.count, length);
    layout->pieces = rct_partition_create_cut(plan, &cut, error);
    cut.whole = 1;
    layout->whole = rct_partition_create_cut(plan, &cut, error);
    if (layout->whole == NULL || layout->pieces == NULL) {
        return RCT_ERROR_MEMORY;
    }
    layout->packing = rct_packing_create(plan, layout->pieces, WARP, about_com, error);
    if (layout->packing == NULL) {
        return RCT_ERROR_MEMORY;
    }
    layout->planted = rct_bush_packing_create(layout->packing, layout->whole, BUSHES, error);
    if (layout->planted == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_status status = list_pieces(layout, error);
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
        rct_release(layout->segment);
        rct_release(layout->label);
        rct_release(layout->length);
        rct_release(layout->piece);
        rct_release(layout->lower_pairs);
        rct_release(layout->upper_pairs);
        rct_release(layout->lower);
        rct_release(layout->upper);
        rct_release(layout->first_root);
        rct_release(layout->roots);
        rct_release(layout->top);
        rct_release(layout->sides);
        rct_release(layout->side_first);
        rct_release(layout->root_side);
        rct_release(layout->hung);
        rct_release(layout);
    }
}
