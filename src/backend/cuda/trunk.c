/* The trunk of a run on a device. Wide segments end to end are chains, composed level by level. The
 * rest, a node for each run, chain, link and hung task, is swept by one thread of the device, or by
 * the host on records of its own. */
#include "backend/cuda/run.h"

#include "core/memory.h"

/* Wide spans that are not composed yet, those of a chain in sequence, and where chains begin. */
typedef struct open_chains {
    int32_t count;
    int32_t *first;   /* [count + 1] */
    rct_member *span; /* innermost first */
    int32_t *next;    /* [nodes of the packing's trunk] the one that continues a segment, or -1 */
    int32_t *of;      /* [nodes] the chain of a wide segment, or -1 */
} open_chains;

/* ---- chains ------------------------------------------------------------------------------- */

/* A wide segment with only another wide one on its end is continued by that. */
static void find_next(const rct_trunk *all, open_chains *open)
{
    enum { NONE = -1, SEVERAL = -2 };
    for (int32_t n = 0; n < all->count; n++) {
        open->next[n] = NONE;
        open->of[n] = NONE;
    }
    for (int32_t n = 0; n < all->count; n++) {
        const int32_t up = all->parent[n];
        if (up >= 0 && all->kind[up] == NODE_OPEN) {
            open->next[up] = open->next[up] == NONE && all->kind[n] == NODE_OPEN ? n : SEVERAL;
        }
    }
    for (int32_t n = 0; n < all->count; n++) {
        open->next[n] = open->next[n] >= 0 ? open->next[n] : NONE;
    }
}

static void find_chains(const rct_packing *packing, open_chains *open)
{
    const rct_trunk *all = &packing->trunk;
    int32_t spans = 0;
    find_next(all, open);
    for (int32_t n = 0; n < all->count; n++) {
        if (all->kind[n] != NODE_OPEN || open->of[n] >= 0) {
            continue;
        }
        for (int32_t k = n; k >= 0; k = open->next[k]) {
            open->of[k] = open->count;
            open->span[spans++] =
                (rct_member){.place = all->path[k], .label = packing->node_label[k]};
        }
        open->first[++open->count] = spans;
    }
}

int64_t rct_cuda_record(const rct_run *run, int64_t k)
{
    const rct_rows *r = &run->packing->lanes;
    return (r->path_at[r->sheaves.count] + k / WARP * PATH_OPEN_FIELDS) * WARP + k % WARP;
}

int64_t rct_cuda_records(const rct_run *run)
{
    const int64_t count = run->runs.shown.count + run->chains.chain_count;
    return rct_cuda_record(run, (count + WARP - 1) / WARP * WARP);
}

/* Composes spans [first, end) of a chain to as few as can hold them; returns how many, stored from
 * `to` on. */
static int32_t compose_chain(const rct_run *run, rct_cuda_chains *chains, rct_member *span,
                             int32_t first, int32_t end, int32_t to)
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
        rct_chain *chain = &chains->chains[chains->chain_count];
        const rct_member whole = {
            .place = rct_cuda_record(run, run->runs.shown.count + chains->chain_count++),
            .label = span[begin].label};
        *chain = (rct_chain){whole.place, chains->member_count, stop - begin};
        for (int32_t i = begin; i < stop; i++) {
            chains->members[chains->member_count++] = span[i];
        }
        span[to + k] = whole; /* to + k <= begin */
    }
    return count;
}

/* One level; returns whether there was anything to compose. */
static int compose_level(const rct_run *run, rct_cuda_chains *chains, open_chains *open)
{
    const int32_t before = chains->chain_count;
    int32_t to = 0, begin = 0;
    for (int32_t c = 0; c < open->count; c++) {
        const int32_t end = open->first[c + 1];
        to += compose_chain(run, chains, open->span, begin, end, to);
        begin = end;
        open->first[c + 1] = to;
    }
    return chains->chain_count > before;
}

static rct_status compose(rct_run *run, open_chains *open, rct_error *error)
{
    const int64_t segments = run->partition->segment_count;
    const char *what = "chains of spans";
    rct_cuda_chains *chains = &run->chains;
    chains->chains = rct_allocate(segments, sizeof *chains->chains, what, error);
    chains->members = rct_allocate(2 * segments, sizeof *chains->members, what, error);
    if (chains->chains == NULL || chains->members == NULL) {
        return RCT_ERROR_MEMORY;
    }
    while (chains->levels < CHAIN_LEVELS && compose_level(run, chains, open)) {
        chains->first[++chains->levels] = chains->chain_count;
    }
    return RCT_OK;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static rct_status allocate_nodes(rct_run *run, rct_error *error)
{
    const char *what = "the trunk";
    const int64_t nodes = run->packing->trunk.count, number = sizeof(int32_t);
    rct_cuda_trunk *t = &run->trunk;
    t->parent = rct_allocate(nodes, number, what, error);
    t->row = rct_allocate(nodes, number, what, error);
    t->kind = rct_allocate(nodes, number, what, error);
    t->slot = rct_allocate(nodes, number, what, error);
    t->slot_of = rct_allocate(run->packing->trunk.slots, number, what, error);
    t->node_label = rct_allocate(nodes, number, what, error);
    t->path = rct_allocate(nodes, sizeof(int64_t), what, error);
    t->last_state = rct_allocate(nodes, sizeof(int64_t), what, error);
    t->follows = rct_allocate(nodes, sizeof(int64_t), what, error);
    t->at = rct_allocate(nodes, 3 * (int64_t)sizeof(double), what, error);
    t->hung = rct_allocate(nodes, sizeof(int64_t), what, error);
    const int whole = t->parent != NULL && t->row != NULL && t->kind != NULL && t->slot != NULL &&
                      t->slot_of != NULL && t->node_label != NULL && t->path != NULL &&
                      t->last_state != NULL && t->follows != NULL && t->at != NULL &&
                      t->hung != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* How nodes of the packing's trunk become nodes here. */
typedef struct node_list {
    rct_run *run;
    const open_chains *open;
    int32_t *renamed;
    int32_t pieces, runs, chains, tasks; /* met so far; tasks behind the records of all open ends */
} node_list;

/* The number of the record, among those on the trunk, of what begins with node n: a chain or run
 * that n is part of, or -1. `goes_on`: n is part of one met before. */
static int32_t record_of(node_list *l, int32_t n, int *goes_on)
{
    const rct_trunk *all = &l->run->packing->trunk;
    *goes_on = 0;
    if (all->kind[n] == NODE_NARROW) {
        *goes_on = l->run->runs.piece[l->pieces++].run < 0;
        l->runs += !*goes_on;
        return l->runs - 1;
    }
    if (all->kind[n] == NODE_OPEN) {
        *goes_on = l->open->of[n] < l->chains;
        l->chains += !*goes_on;
        return l->run->runs.shown.count + l->open->of[n];
    }
    return all->row[n] < 0 ? l->tasks++ : -1;
}

/* The place of record number k on the trunk, which begins with node n. */
static int64_t place_of(const node_list *l, int32_t k, int32_t n)
{
    const int32_t runs = l->run->runs.shown.count;
    return k < runs                    ? l->run->runs.record[k]
           : k < runs + l->open->count ? l->open->span[k - runs].place
                                       : l->run->packing->trunk.path[n];
}

static void add_node(node_list *l, int32_t n, int32_t record)
{
    rct_run *run = l->run;
    const rct_trunk *all = &run->packing->trunk;
    rct_cuda_trunk *t = &run->trunk;
    const int32_t i = t->shown.count++, up = all->parent[n];
    l->renamed[n] = i;
    t->parent[i] = up >= 0 ? l->renamed[up] : -1;
    t->row[i] = all->row[n];
    t->kind[i] = all->kind[n];
    t->slot[i] = all->slot[n] >= 0 ? t->shown.slots++ : -1;
    t->node_label[i] = run->packing->node_label[n];
    t->path[i] = record;
    for (int k = 0; k < 3; k++) {
        t->at[3 * (int64_t)i + k] = all->at[3 * (int64_t)n + k];
    }
    if (record >= 0) {
        t->hung[record] = place_of(l, record, n);
    }
}

/* The first node of each run and chain stands for it; records of open ends stand before those of
 * tasks. */
static void list_nodes(rct_run *run, const open_chains *open, int32_t *renamed)
{
    const rct_trunk *all = &run->packing->trunk;
    rct_cuda_trunk *t = &run->trunk;
    node_list l = {.run = run, .open = open, .renamed = renamed};
    run->device.hung_open = l.tasks = run->runs.shown.count + open->count;
    for (int32_t n = 0; n < all->count; n++) {
        int goes_on;
        const int32_t record = record_of(&l, n, &goes_on);
        if (goes_on) {
            renamed[n] = renamed[all->parent[n]];
        } else {
            add_node(&l, n, record);
        }
        const int32_t i = renamed[n];
        t->follows[i] = all->follows[n] >= 0 && all->kind[n] == NODE_NARROW ? FOLLOWS_IN_LANES
                                                                            : all->follows[n];
        if (all->slot[n] >= 0) {
            t->slot_of[all->slot[n]] = t->slot[i];
        }
    }
    run->device.hung_count = l.tasks;
}

static void show(rct_run *run)
{
    rct_cuda_trunk *t = &run->trunk;
    t->shown.parent = t->parent;
    t->shown.row = t->row;
    t->shown.kind = t->kind;
    t->shown.path = t->path;
    t->shown.at = t->at;
    t->shown.slot = t->slot;
    t->shown.follows = t->follows;
    t->shown.last_state = t->last_state;
    for (int32_t n = 0; n < t->shown.count; n++) { /* whether anything reads frames of the trunk */
        run->guide = run->guide || t->parent[n] >= 0 || t->row[n] >= 0 || t->kind[n] < NODE_NARROW;
    }
}

rct_status rct_cuda_find_trunk(rct_run *run, rct_error *error)
{
    const int64_t nodes = run->packing->trunk.count, number = sizeof(int32_t);
    const char *what = "the trunk";
    open_chains open = {.first = rct_allocate(nodes + 1, number, what, error),
                        .span = rct_allocate(nodes, sizeof *open.span, what, error),
                        .next = rct_allocate(nodes, number, what, error),
                        .of = rct_allocate(nodes, number, what, error)};
    int32_t *renamed = rct_allocate(nodes, number, what, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (open.first != NULL && open.span != NULL && open.next != NULL && open.of != NULL &&
        renamed != NULL) {
        find_chains(run->packing, &open);
        status = compose(run, &open, error);
    }
    if (status == RCT_OK) {
        status = allocate_nodes(run, error);
    }
    if (status == RCT_OK) {
        list_nodes(run, &open, renamed);
        show(run);
    }
    rct_release(open.first);
    rct_release(open.span);
    rct_release(open.next);
    rct_release(open.of);
    rct_release(renamed);
    return status;
}

void rct_cuda_free_trunk(rct_run *run)
{
    rct_cuda_trunk *t = &run->trunk;
    rct_release(t->parent);
    rct_release(t->row);
    rct_release(t->kind);
    rct_release(t->slot);
    rct_release(t->slot_of);
    rct_release(t->node_label);
    rct_release(t->path);
    rct_release(t->last_state);
    rct_release(t->follows);
    rct_release(t->at);
    rct_release(t->hung);
    rct_release(run->chains.chains);
    rct_release(run->chains.members);
    if (run->junction == NULL) {
        cudaFreeHost(t->shown.paths);
        cudaFreeHost(t->turns);
        rct_release(t->shown.work);
    }
}
