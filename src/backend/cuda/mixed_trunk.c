/* The trunk of a mixed run: segments end to end are chains, composed on the device level by level; what is left is the
 * trunk, on the host, over records of its own. */
#include "backend/cuda/mixed.h"

#include "core/memory.h"

/* Spans not composed yet, those of a run behind one another, and where runs begin. */
typedef struct open_runs {
    int32_t runs;
    int32_t *first;         /* [runs + 1] */
    rct_mixed_member *span; /* innermost first */
    int32_t *next;   /* [nodes of the packing's trunk] the one that continues a segment, or -1 */
    int32_t *run_of; /* [nodes] of a segment, or -1 */
} open_runs;

/* ---- runs --------------------------------------------------------------------------------- */

/* A segment with nothing but another one on its end is continued by that. */
static void find_next(const rct_mixed_trunk *all, open_runs *open)
{
    enum { NONE = -1, SEVERAL = -2 };
    for (int32_t n = 0; n < all->count; n++) {
        open->next[n] = NONE;
        open->run_of[n] = NONE;
    }
    for (int32_t n = 0; n < all->count; n++) {
        const int32_t up = all->parent[n];
        if (up >= 0 && all->kind[up]) {
            open->next[up] = open->next[up] == NONE && all->kind[n] ? n : SEVERAL;
        }
    }
    for (int32_t n = 0; n < all->count; n++) {
        open->next[n] = open->next[n] >= 0 ? open->next[n] : NONE;
    }
}

static void find_runs(const rct_mixed_packing *packing, open_runs *open)
{
    const rct_mixed_trunk *all = &packing->trunk;
    int32_t spans = 0;
    find_next(all, open);
    for (int32_t n = 0; n < all->count; n++) {
        if (!all->kind[n] || open->run_of[n] >= 0) {
            continue;
        }
        for (int32_t k = n; k >= 0; k = open->next[k]) {
            open->run_of[k] = open->runs;
            open->span[spans++] =
                (rct_mixed_member){.place = all->path[k], .label = packing->node_label[k]};
        }
        open->first[++open->runs] = spans;
    }
}

/* ---- chains ------------------------------------------------------------------------------- */

/* Where the record of chain k is, behind those of paths. */
static int64_t place_of_chain(const rct_mixed_packing *packing, int32_t k)
{
    const rct_mixed_rows *r = &packing->lanes;
    return (r->path_at[r->sheaves.count] + (int64_t)(k / WARP) * PATH_OPEN_FIELDS) * WARP +
           k % WARP;
}

/* Spans [first, end) of a run to as few chains as hold them; gives how many spans are left of them, from `to` on. */
static int32_t compose_run(const rct_mixed_packing *packing, rct_mixed_spans *spans,
                           rct_mixed_member *span, int32_t first, int32_t end, int32_t to)
{
    const int32_t length = end - first;
    const int32_t count = (length + CHAIN_MOST - 1) / CHAIN_MOST;
    if (length == 1) {
        span[to] = span[first];
        return 1;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t begin = first + (int32_t)((int64_t)length * k / count);
        const int32_t stop = first + (int32_t)((int64_t)length * (k + 1) / count);
        rct_mixed_chain *chain = &spans->chains[spans->chain_count];
        const rct_mixed_member whole = {.place = place_of_chain(packing, spans->chain_count++),
                                        .label = span[begin].label};
        *chain = (rct_mixed_chain){whole.place, spans->member_count, stop - begin};
        for (int32_t i = begin; i < stop; i++) {
            spans->members[spans->member_count++] = span[i];
        }
        span[to + k] = whole; /* to + k <= begin */
    }
    return count;
}

/* One level; gives whether there was anything to compose. */
static int compose_level(const rct_mixed_packing *packing, rct_mixed_spans *spans, open_runs *open)
{
    const int32_t before = spans->chain_count;
    int32_t to = 0, begin = 0;
    for (int32_t r = 0; r < open->runs; r++) {
        const int32_t end = open->first[r + 1];
        to += compose_run(packing, spans, open->span, begin, end, to);
        begin = end;
        open->first[r + 1] = to;
    }
    return spans->chain_count > before;
}

static rct_status compose(const rct_mixed_packing *packing, rct_mixed_spans *spans, open_runs *open,
                          rct_error *error)
{
    const int64_t segments = packing->partition->segment_count;
    spans->chains = rct_allocate(segments, sizeof *spans->chains, "chains of spans", error);
    spans->members = rct_allocate(2 * segments, sizeof *spans->members, "chains of spans", error);
    if (spans->chains == NULL || spans->members == NULL) {
        return RCT_ERROR_MEMORY;
    }
    while (spans->levels < SPAN_LEVELS && compose_level(packing, spans, open)) {
        spans->first[++spans->levels] = spans->chain_count;
    }
    spans->numbers = (spans->chain_count + WARP - 1) / WARP * (int64_t)(PATH_OPEN_FIELDS * WARP);
    return RCT_OK;
}

/* ---- the trunk ---------------------------------------------------------------------------- */

static rct_status allocate_trunk(rct_run *run, rct_error *error)
{
    const char *what = "the trunk";
    const int64_t nodes = run->packing->trunk.count, number = sizeof(int32_t);
    run->node_label = rct_allocate(nodes, number, what, error);
    run->trunk_parent = rct_allocate(nodes, number, what, error);
    run->trunk_row = rct_allocate(nodes, number, what, error);
    run->trunk_kind = rct_allocate(nodes, number, what, error);
    run->trunk_path = rct_allocate(nodes, sizeof(int64_t), what, error);
    run->trunk_slot = rct_allocate(nodes, sizeof(int32_t), what, error);
    run->hung = rct_allocate(nodes, sizeof(int64_t), what, error);
    const int whole = run->node_label != NULL && run->trunk_parent != NULL &&
                      run->trunk_row != NULL && run->trunk_kind != NULL &&
                      run->trunk_path != NULL && run->trunk_slot != NULL && run->hung != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* The first node of each run stands for it; records of segments before those of tasks. `renamed`: [nodes] */
static void list_nodes(rct_run *run, const open_runs *open, int32_t *renamed)
{
    const rct_mixed_trunk *all = &run->packing->trunk;
    rct_mixed_trunk *t = &run->trunk;
    int32_t runs = 0, tasks = open->runs;
    for (int32_t n = 0; n < all->count; n++) {
        const int32_t run_of = open->run_of[n];
        const int32_t up = all->parent[n];
        if (run_of >= 0 && run_of < runs) { /* one that continues */
            renamed[n] = renamed[up];
            continue;
        }
        runs += run_of >= 0;
        renamed[n] = t->count;
        run->trunk_parent[t->count] = up >= 0 ? renamed[up] : -1;
        run->trunk_row[t->count] = all->row[n];
        run->trunk_kind[t->count] = all->kind[n];
        run->trunk_slot[t->count] = all->slot[n] >= 0 ? t->slots++ : -1;
        run->node_label[t->count] = run->packing->node_label[n];
        if (all->row[n] < 0) {
            const int32_t k = run_of >= 0 ? run_of : tasks++;
            run->trunk_path[t->count] = k;
            run->hung[k] = run_of >= 0 ? open->span[run_of].place : all->path[n];
        }
        t->count++;
    }
    t->stride = tasks;
    run->device.hung_open = open->runs;
}

static rct_status build_trunk(rct_run *run, const open_runs *open, rct_error *error)
{
    const int64_t number = sizeof(double);
    rct_mixed_trunk *t = &run->trunk;
    int32_t *renamed = rct_allocate(run->packing->trunk.count, sizeof *renamed, "the trunk", error);
    if (renamed == NULL || allocate_trunk(run, error) != RCT_OK) {
        rct_release(renamed);
        return RCT_ERROR_MEMORY;
    }
    list_nodes(run, open, renamed);
    rct_release(renamed);
    t->parent = run->trunk_parent;
    t->row = run->trunk_row;
    t->kind = run->trunk_kind;
    t->path = run->trunk_path;
    t->slot = run->trunk_slot;
    t->work = rct_allocate(t->slots, TRUNK_FIELDS * number, "the trunk", error);
    t->paths = rct_cuda_pinned(t->stride * PATH_OPEN_FIELDS * number, error);
    return t->work == NULL || t->paths == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

rct_status rct_cuda_mixed_trunk(rct_run *run, rct_error *error)
{
    const int64_t nodes = run->packing->trunk.count, number = sizeof(int32_t);
    const char *what = "the trunk";
    open_runs open = {.first = rct_allocate(nodes + 1, number, what, error),
                      .span = rct_allocate(nodes, sizeof *open.span, what, error),
                      .next = rct_allocate(nodes, number, what, error),
                      .run_of = rct_allocate(nodes, number, what, error)};
    rct_status status = RCT_ERROR_MEMORY;
    if (open.first != NULL && open.span != NULL && open.next != NULL && open.run_of != NULL) {
        find_runs(run->packing, &open);
        status = compose(run->packing, &run->spans, &open, error);
    }
    if (status == RCT_OK) {
        status = build_trunk(run, &open, error);
    }
    rct_release(open.first);
    rct_release(open.span);
    rct_release(open.next);
    rct_release(open.run_of);
    return status;
}

void rct_cuda_mixed_stand_ins(rct_run *run, const double *records)
{
    rct_mixed_trunk *t = &run->trunk;
    for (int32_t k = 0; k < run->device.hung_open; k++) {
        for (int64_t f = PATH_STAND_IN; f < PATH_STAND_IN + 2; f++) {
            t->paths[k + f * t->stride] = records[run->hung[k] + f * WARP];
        }
    }
}
