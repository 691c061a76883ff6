/* The nodes of the trunk of a mixed packing (kernels/mixed_trunk.h). */
#include "topology/mixed_rows.h"

#include "core/error.h"
#include "core/memory.h"

/* Whether node n is the trunk's business: not a task on the ground or beside a segment. */
static int in_trunk(const rct_partition *p, int32_t n)
{
    return p->task[n] < 0 || p->parent[n] >= 0;
}

/* What node n is to the trunk. */
static int32_t kind_of(const rct_mixed_packing *packing, int32_t n)
{
    const rct_mixed_rows *r = &packing->lanes;
    const rct_partition *p = packing->partition;
    const int64_t at = packing->at[p->label[n]];
    const int narrow = at >= 0 && r->narrow[rct_mixed_rows_sheaf(r, at / r->lanes)];
    return p->segment[n] >= 0 ? (narrow ? NODE_NARROW : NODE_OPEN) : narrow ? NODE_TWIG : 0;
}

/* The narrow path whose first link is at `at` reads how node `up` turns, on which it hangs. */
static void show_turn(rct_mixed_packing *packing, int64_t at, int32_t up)
{
    rct_mixed_rows *r = &packing->lanes;
    const int64_t row = at / r->lanes, lane = at % r->lanes;
    r->trunk[row] |= (int32_t)(1u << lane);
    r->turn[(int64_t)rct_mixed_rows_sheaf(r, row) * r->lanes + lane] =
        (int32_t)((int64_t)packing->slot[up] * TRUNK_FIELDS + TRUNK_TURN);
}

/* Rows in which other paths begin than twigs of the bush, on the trunk or on the ground. */
static void note_others(const rct_mixed_rows *r)
{
    for (int64_t g = 0; g < r->rows; g++) {
        const int32_t known = (r->twigs_begin[g] & ~r->beside[g]) | r->trunk[g] | r->grounded[g];
        r->has[g] |= (uint8_t)(r->starts[g] != known ? HAS_OTHERS : 0);
    }
}

static void write_node(rct_mixed_packing *packing, int32_t n, int32_t label)
{
    const int64_t at = packing->at[label];
    for (int i = 0; i < 3; i++) {
        packing->hinge_at[3 * (int64_t)n + i] =
            packing->plan->sweep_records[(int64_t)label * LINK_FIELDS + LINK_AT + i];
    }
    if (packing->kind[n] >= NODE_NARROW && packing->parent[n] >= 0) {
        show_turn(packing, at, packing->parent[n]);
    }
}

/* The place of the last link of what node n is. */
static int64_t at_last(const rct_mixed_packing *packing, int32_t n)
{
    const rct_partition *p = packing->partition;
    const int32_t s = p->segment[n];
    return packing->at[p->label[n] + (s < 0 ? 0 : p->segments[s].length - 1)];
}

static int64_t what_follows(const rct_mixed_packing *packing, int32_t n)
{
    const int32_t s = packing->partition->segment[n];
    const int32_t next = s < 0 ? -1 : rct_mixed_follows(packing->partition, s);
    return next < 0 ? NOTHING_FOLLOWS : packing->at[next];
}

static int64_t count_trunk(const rct_partition *p)
{
    int64_t count = 0;
    for (int32_t n = 0; n < p->nodes; n++) {
        count += in_trunk(p, n);
    }
    return count;
}

rct_status rct_mixed_build_trunk(rct_mixed_packing *packing, rct_error *error)
{
    const rct_partition *p = packing->partition;
    const char *what = "the trunk";
    const int64_t nodes = p->nodes, own = count_trunk(p), number = sizeof(int32_t);
    int32_t *renamed = rct_allocate(nodes, number, what, error);
    packing->parent = rct_allocate(own, number, what, error);
    packing->row = rct_allocate(own, number, what, error);
    packing->path = rct_allocate(own, sizeof(int64_t), what, error);
    packing->kind = rct_allocate(own, number, what, error);
    packing->hinge_at = rct_allocate(own, 3 * (int64_t)sizeof(double), what, error);
    packing->slot = rct_allocate(own, number, what, error);
    packing->last = rct_allocate(own, sizeof(int64_t), what, error);
    packing->follows = rct_allocate(own, sizeof(int64_t), what, error);
    packing->node_label = rct_allocate(own, number, what, error);
    if (renamed == NULL || packing->parent == NULL || packing->row == NULL ||
        packing->path == NULL || packing->kind == NULL || packing->hinge_at == NULL ||
        packing->slot == NULL || packing->last == NULL || packing->follows == NULL ||
        packing->node_label == NULL) {
        rct_release(renamed);
        return RCT_ERROR_MEMORY;
    }
    int32_t count = 0, slots = 0;
    for (int32_t n = 0; n < nodes; n++) {
        if (in_trunk(p, n)) {
            const int64_t at = packing->at[p->label[n]];
            renamed[n] = count;
            packing->parent[count] = p->parent[n] >= 0 ? renamed[p->parent[n]] : -1;
            packing->row[count] = at < 0 ? (int32_t)~at : -1;
            packing->path[count] = at < 0 ? 0 : rct_mixed_rows_path(&packing->lanes, at);
            packing->kind[count] = kind_of(packing, n);
            packing->slot[count] = p->task[n] < 0 ? slots++ : -1;
            packing->last[count] = at_last(packing, n);
            packing->follows[count] = what_follows(packing, n);
            packing->node_label[count] = p->label[n];
            write_node(packing, count++, p->label[n]);
        }
    }
    rct_release(renamed);
    if (slots > INT32_MAX / TRUNK_FIELDS) { /* numbers that `turn` can name */
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "too many segments for one system; make them longer, or divide it");
    }
    note_others(&packing->lanes);
    packing->trunk = (rct_mixed_trunk){.count = count,
                                       .parent = packing->parent,
                                       .row = packing->row,
                                       .path = packing->path,
                                       .kind = packing->kind,
                                       .at = packing->hinge_at,
                                       .slot = packing->slot,
                                       .last = packing->last,
                                       .slots = slots,
                                       .follows = packing->follows,
                                       .lanes = &packing->lanes.sheaves,
                                       .stride = packing->lanes.lanes,
                                       .paths = packing->lanes.sheaves.paths};
    packing->trunk.work =
        rct_allocate(slots, TRUNK_FIELDS * (int64_t)sizeof(double), "the work of a sweep", error);
    packing->lanes.sheaves.twigs.work = packing->trunk.work;
    return packing->trunk.work == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}
