/* Runs of narrow segments on a device: which piece continues which, which spans are composed, in
 * which order (kernels/cuda/system.h). This depends only on the tree and the partition. */
#include "backend/cuda/run.h"

#include "core/memory.h"
#include "topology/rows.h"

/* ---- pieces ------------------------------------------------------------------------------- */

static int64_t state_of(const rct_rows *r, int64_t at)
{
    return r->state_at[at / WARP] * WARP + at % WARP;
}

/* Describes segment s as piece `i` of run `of_run`. */
static void describe(rct_run *run, int32_t s, int32_t i, int32_t of_run, int begins)
{
    const rct_segment *segment = &run->partition->segments[s];
    const rct_packing *packing = run->packing;
    const int64_t at = packing->at[segment->first];
    const int32_t next = rct_trunk_follows(run->partition, s);
    rct_cuda_runs *runs = &run->runs;
    rct_piece *piece = &runs->piece[i];
    runs->label[i] = segment->first;
    *piece = (rct_piece){.follows = next >= 0 && packing->at[next] >= 0 ? packing->at[next] : -1,
                         .own = packing->at[segment->first + segment->length - 1],
                         .run = begins ? of_run : -1,
                         .end = of_run};
    if (begins) {
        runs->first_record[of_run] = rct_rows_path(&packing->lanes, at);
        runs->first_piece[of_run] = i;
    } else {
        const int64_t record = rct_rows_path(&packing->lanes, piece[-1].own);
        piece->stand_in = packing->lanes.sheaves.paths[record + (int64_t)PATH_STAND_IN * WARP];
        piece[-1].end = -1;
    }
    runs->first_piece[of_run + 1] = i + 1;
    runs->last_state[of_run] = state_of(&packing->lanes, piece->own);
}

/* Lists the segments, by label, that are pieces. */
static void list_pieces(rct_run *run)
{
    const rct_partition *p = run->partition;
    const rct_rows *r = &run->packing->lanes;
    rct_runs *shown = &run->runs.shown;
    for (int32_t s = 0; s < p->segment_count; s++) {
        const int64_t at = run->packing->at[p->segments[s].first];
        if (r->narrow[rct_rows_sheaf(r, at / WARP)]) {
            const int begins = ((uint32_t)r->behind[at / WARP] >> at % WARP & 1u) == 0;
            shown->count += begins;
            describe(run, s, shown->pieces++, shown->count - 1, begins);
        }
    }
    shown->blocks = (shown->pieces + PIECES - 1) / PIECES;
    for (int32_t k = 0; k < shown->count; k++) {
        run->runs.record[k] = rct_cuda_record(run, k);
    }
}

/* ---- composition -------------------------------------------------------------------------- */

/* Spans that are not composed yet, each with its leaves and the run it is part of, in the order of
 * labels. */
typedef struct open_spans {
    int32_t count;
    int32_t next;  /* number of the next span to be made */
    int32_t pairs; /* made so far                        */
    rct_root *span;
    int32_t *run;
    int32_t *label; /* of its inboard link */
} open_spans;

/* Composes neighbours of one run two by two, in spans [from, count), whose number shrinks. */
static int32_t compose_once(rct_pair *pairs, open_spans *open, int32_t from)
{
    const int32_t before = open->pairs;
    int32_t to = from;
    for (int32_t i = from; i < open->count; i++, to++) {
        const int pair = i + 1 < open->count && open->run[i] == open->run[i + 1];
        rct_root span = open->span[i];
        open->run[to] = open->run[i];
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

/* The lower levels, in the numbers of each block; the spans left of a block are its roots. */
static void compose_blocks(rct_cuda_runs *runs, open_spans *open)
{
    const rct_runs *shown = &runs->shown;
    int32_t of_run = -1;
    for (int32_t b = 0; b < shown->blocks; b++) {
        const int32_t from = open->count;
        for (int32_t i = b * PIECES; i < (b + 1) * PIECES && i < shown->pieces; i++) {
            const int32_t leaf = i - b * PIECES;
            of_run += runs->piece[i].run >= 0;
            open->span[open->count] = (rct_root){leaf, leaf, leaf};
            open->run[open->count] = of_run;
            open->label[open->count++] = runs->label[i];
        }
        open->next = PIECES;
        open->pairs = 0;
        for (int32_t level = 0; level < LOWER_LEVELS; level++) {
            compose_once(runs->lower_pairs + (int64_t)b * PIECES, open, from);
            runs->lower[b * (LOWER_LEVELS + 1) + level + 1] = open->pairs;
        }
        runs->first_root[b + 1] = open->count;
    }
}

/* The upper levels, whose leaves are the roots. */
static void compose_rest(rct_cuda_runs *runs, open_spans *open)
{
    rct_runs *shown = &runs->shown;
    shown->root_count = open->count;
    for (int32_t i = 0; i < open->count; i++) {
        runs->roots[i] = open->span[i];
        open->span[i] = (rct_root){i, i, i};
    }
    open->next = open->count;
    open->pairs = 0;
    while (compose_once(runs->upper_pairs, open, 0) > 0) {
        runs->upper[++shown->upper_levels] = open->pairs;
    }
    shown->upper_count = open->next;
    for (int32_t i = 0; i < open->count; i++) {
        runs->top[open->run[i]] = open->span[i];
    }
}

static rct_status compose(rct_cuda_runs *runs, rct_error *error)
{
    const int64_t pieces = runs->shown.pieces, one = sizeof(int32_t);
    const char *what = "the device's layout";
    open_spans open = {.span = rct_allocate(pieces, sizeof *open.span, what, error),
                       .run = rct_allocate(pieces, one, what, error),
                       .label = rct_allocate(pieces, one, what, error)};
    const int room = open.span != NULL && open.run != NULL && open.label != NULL;
    if (room) {
        compose_blocks(runs, &open);
        compose_rest(runs, &open);
    }
    rct_release(open.span);
    rct_release(open.run);
    rct_release(open.label);
    return room ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Bytes of the upper levels of runs. */
static int64_t upper_bytes(const rct_runs *r)
{
    const int64_t pairs = r->upper_count - r->root_count;
    const int64_t ends = (int64_t)(r->root_count + WARP - 1) / WARP * (END_FIELDS * WARP);
    const int64_t spans = ((int64_t)r->upper_count * SPAN_CORE + 1) / 2 * 2;
    return (spans + ends) * (int64_t)sizeof(double) + pairs * (int64_t)sizeof *r->upper_pairs +
           UPPER_MARKS * (int64_t)sizeof *r->upper;
}

void rct_cuda_share_out(const rct_run *run, rct_runs *r)
{
    const int64_t upper = upper_bytes(r), whole = run->lease.block_shared;
    r->upper_shared = upper <= whole ? (int32_t)upper : 0;
    r->by_block = run->alone && r->blocks <= BLOCKS_AT_ONCE && ACCELERATE_SHARED + upper <= whole;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* For at most as many pieces as there are segments. */
static rct_status allocate(rct_cuda_runs *runs, int64_t most, rct_error *error)
{
    const int64_t one = sizeof(int32_t), blocks = (most + PIECES - 1) / PIECES;
    const char *what = "the device's layout";
    runs->label = rct_allocate(most, one, what, error);
    runs->piece = rct_allocate(most, sizeof *runs->piece, what, error);
    runs->record = rct_allocate(most, sizeof *runs->record, what, error);
    runs->first_record = rct_allocate(most, sizeof *runs->first_record, what, error);
    runs->first_piece = rct_allocate(most + 1, one, what, error);
    runs->last_state = rct_allocate(most, sizeof *runs->last_state, what, error);
    runs->lower_pairs = rct_allocate(blocks * PIECES, sizeof *runs->lower_pairs, what, error);
    runs->upper_pairs = rct_allocate(most, sizeof *runs->upper_pairs, what, error);
    runs->lower = rct_allocate(blocks * (LOWER_LEVELS + 1), one, what, error);
    runs->upper = rct_allocate(UPPER_MARKS, one, what, error);
    runs->first_root = rct_allocate(blocks + 1, one, what, error);
    runs->roots = rct_allocate(most, sizeof *runs->roots, what, error);
    runs->top = rct_allocate(most, sizeof *runs->top, what, error);
    const int whole = runs->label != NULL && runs->piece != NULL && runs->record != NULL &&
                      runs->first_record != NULL && runs->first_piece != NULL &&
                      runs->last_state != NULL && runs->lower_pairs != NULL &&
                      runs->upper_pairs != NULL && runs->lower != NULL && runs->upper != NULL &&
                      runs->first_root != NULL && runs->roots != NULL && runs->top != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_cuda_find_runs(rct_run *run, rct_error *error)
{
    rct_status status = allocate(&run->runs, run->partition->segment_count, error);
    if (status == RCT_OK) {
        list_pieces(run);
        status = compose(&run->runs, error);
    }
    return status;
}

void rct_cuda_free_runs(rct_cuda_runs *runs)
{
    rct_release(runs->label);
    rct_release(runs->piece);
    rct_release(runs->record);
    rct_release(runs->first_record);
    rct_release(runs->first_piece);
    rct_release(runs->last_state);
    rct_release(runs->lower_pairs);
    rct_release(runs->upper_pairs);
    rct_release(runs->lower);
    rct_release(runs->upper);
    rct_release(runs->first_root);
    rct_release(runs->roots);
    rct_release(runs->top);
}
