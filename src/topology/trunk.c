/* The nodes of the trunk of a packing (kernels/records/trunk.h). */
#include "topology/rows.h"

#include "core/error.h"

#include <string.h>

/* Whether node n belongs to the trunk: it is not a task on the ground or beside a segment. */
static int in_trunk(const rct_partition *p, int32_t n)
{
    return p->task[n] < 0 || p->parent[n] >= 0;
}

/* The kind of node n in the trunk. */
static int32_t kind_of(const rct_packing *packing, int32_t n)
{
    const rct_rows *r = &packing->lanes;
    const rct_partition *p = packing->partition;
    const int64_t at = packing->at[p->label[n]];
    const int narrow = at >= 0 && r->narrow[rct_rows_sheaf(r, at / r->lanes)];
    return p->segment[n] >= 0 ? (narrow ? NODE_NARROW : NODE_OPEN) : narrow ? NODE_TWIG : 0;
}

/* Lets the narrow path whose first link is at `at` read the turn of node `up`, on which it
 * hangs. */
static void show_turn(rct_packing *packing, int64_t at, int32_t up)
{
    rct_rows *r = &packing->lanes;
    const int64_t row = at / r->lanes, lane = at % r->lanes;
    r->trunk[row] |= (int32_t)(1u << lane);
    r->turn[(int64_t)rct_rows_sheaf(r, row) * r->lanes + lane] =
        (int32_t)((int64_t)packing->trunk.slot[up] * TRUNK_FIELDS + TRUNK_TURN);
}

/* Where the state of a link in lanes begins. */
static int64_t state_of(const rct_rows *r, int64_t at)
{
    return r->state_at[at / r->lanes] * r->lanes + at % r->lanes;
}

/* The segment whose first link is at `at` continues that of node `up`. */
static rct_status go_on(rct_packing *packing, int64_t at, int32_t up, rct_error *error)
{
    rct_rows *r = &packing->lanes;
    const int64_t row = at / r->lanes, lane = at % r->lanes, state = packing->trunk.last_state[up];
    if (state > INT32_MAX) { /* numbers that `up` can name */
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "the system has too many links for one plan; divide the system");
    }
    r->behind[row] |= (int32_t)(1u << lane);
    r->up[(int64_t)rct_rows_sheaf(r, row) * r->lanes + lane] = (int32_t)state;
    return RCT_OK;
}

/* Marks rows in which paths begin other than twigs of the bush, paths on the trunk and on the
 * ground. */
static void note_others(const rct_rows *r)
{
    for (int64_t g = 0; g < r->rows; g++) {
        const int32_t known = (r->twigs_begin[g] & ~r->beside[g]) | r->trunk[g] | r->grounded[g];
        r->has[g] |= (uint16_t)(r->starts[g] != known ? HAS_OTHERS : 0);
    }
}

static rct_status write_node(rct_packing *packing, int32_t n, int32_t label, rct_error *error)
{
    const int64_t at = packing->at[label];
    const int32_t up = packing->trunk.parent[n];
    for (int i = 0; i < 3; i++) {
        packing->trunk.at[3 * (int64_t)n + i] =
            rct_link_record(&packing->plan->links, label)[LINK_AT + i];
    }
    if (packing->in_order && packing->trunk.kind[n] == NODE_NARROW && up >= 0 &&
        packing->trunk.kind[up] == NODE_NARROW) {
        return go_on(packing, at, up, error);
    }
    if (packing->trunk.kind[n] >= NODE_NARROW && up >= 0) {
        show_turn(packing, at, up);
    }
    return RCT_OK;
}

/* The label of the last link of node n of the partition. */
static int32_t last_of(const rct_partition *p, int32_t n)
{
    const int32_t s = p->segment[n];
    return p->label[n] + (s < 0 ? 0 : p->segments[s].length - 1);
}

static int64_t what_follows(const rct_packing *packing, int32_t n)
{
    const int32_t s = packing->partition->segment[n];
    const int32_t next = s < 0 ? -1 : rct_trunk_follows(packing->partition, s);
    return next < 0 ? NOTHING_FOLLOWS : packing->at[next];
}

static int32_t count_trunk(const rct_partition *p)
{
    int32_t count = 0;
    for (int32_t n = 0; n < p->nodes; n++) {
        count += in_trunk(p, n);
    }
    return count;
}

void rct_trunk_arrays(rct_packing *packing, rct_array arrays[TRUNK_ARRAYS])
{
    rct_trunk *t = &packing->trunk;
    const int64_t nodes = t->count;
    const rct_array all[TRUNK_ARRAYS] = {
        RCT_ARRAY(t->parent, nodes),
        RCT_ARRAY(t->row, nodes),
        RCT_ARRAY(t->path, nodes),
        RCT_ARRAY(t->kind, nodes),
        RCT_ARRAY(t->at, 3 * nodes),
        RCT_ARRAY(t->slot, nodes),
        RCT_ARRAY(t->last_label, nodes),
        RCT_ARRAY(t->last_state, nodes),
        RCT_ARRAY(t->follows, nodes),
        RCT_ARRAY(packing->node_label, nodes),
        RCT_ARRAY(t->work, (int64_t)t->slots * TRUNK_FIELDS),
    };
    memcpy(arrays, all, sizeof all);
}

/* Lists nodes, and those of them whose turn is read; `renamed`: [nodes] of the partition, their
 * numbers here. */
static rct_status list_nodes(rct_packing *packing, int32_t *renamed, rct_error *error)
{
    const rct_partition *p = packing->partition;
    rct_trunk *t = &packing->trunk;
    rct_status status = RCT_OK;
    int32_t i = 0;
    for (int32_t n = 0; n < p->nodes && status == RCT_OK; n++) {
        if (in_trunk(p, n)) {
            const int64_t at = packing->at[p->label[n]];
            renamed[n] = i;
            t->parent[i] = p->parent[n] >= 0 ? renamed[p->parent[n]] : -1;
            t->row[i] = at < 0 ? (int32_t)~at : -1;
            t->path[i] = at < 0 ? 0 : rct_rows_path(&packing->lanes, at);
            t->kind[i] = kind_of(packing, n);
            t->slot[i] = p->task[n] < 0 ? t->slots++ : -1;
            t->last_label[i] = last_of(p, n);
            t->last_state[i] =
                p->segment[n] < 0 ? 0 : state_of(&packing->lanes, packing->at[last_of(p, n)]);
            t->follows[i] = what_follows(packing, n);
            packing->node_label[i] = p->label[n];
            status = write_node(packing, i++, p->label[n], error);
        }
    }
    if (status == RCT_OK &&
        t->slots > INT32_MAX / TRUNK_FIELDS) { /* numbers that `turn` can name */
        status = rct_fail(error, RCT_ERROR_MEMORY,
                          "the system has too many segments for one plan; make segments longer, or "
                          "divide the system");
    }
    return status;
}

rct_status rct_trunk_build(rct_packing *packing, rct_error *error)
{
    rct_array arrays[TRUNK_ARRAYS];
    rct_trunk *t = &packing->trunk;
    int32_t *renamed = rct_allocate(packing->partition->nodes, sizeof *renamed, "the trunk", error);
    t->count = count_trunk(packing->partition);
    rct_trunk_arrays(packing, arrays);
    rct_status status = renamed == NULL
                            ? RCT_ERROR_MEMORY
                            : rct_allocate_arrays(arrays, NODE_ARRAYS, "the trunk", error);
    if (status == RCT_OK) {
        status = list_nodes(packing, renamed, error);
    }
    rct_release(renamed);
    if (status != RCT_OK) {
        return status;
    }
    note_others(&packing->lanes);
    t->lanes = &packing->lanes.sheaves;
    t->stride = t->state_stride = packing->lanes.lanes;
    t->states = packing->lanes.sheaves.state;
    t->paths = packing->lanes.sheaves.paths;
    rct_trunk_arrays(packing, arrays);
    status = rct_allocate_arrays(arrays + NODE_ARRAYS, 1, "the work of a sweep", error);
    packing->lanes.sheaves.twigs.work = t->work;
    return status;
}
