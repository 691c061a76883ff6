/* Packing a plan: which path stands in which sheaf and lane, and the trunk. Rows are written by mixed_rows.c. */
#include "topology/mixed_packing.h"

#include "core/memory.h"
#include "topology/mixed_rows.h"
#include "topology/planting.h"

#include <string.h>

/* ---- tasks -------------------------------------------------------------------------------- */

static rct_status allocate_planting(rct_planting *p, rct_error *error)
{
    const char *what = "the bushes";
    const int64_t tasks = p->partition->task_count;
    const int64_t links = tasks > 0 ? p->links->count : 0, number = sizeof(int32_t);
    p->height = rct_allocate(links, number, what, error);
    p->at = rct_allocate(links, sizeof *p->at, what, error);
    p->sorted = rct_allocate(links, number, what, error);
    p->key = rct_allocate(links, number, what, error);
    p->other = rct_allocate(links, number, what, error);
    p->begin = rct_allocate(links + RCT_ALIKE + 2, number, what, error);
    p->apart = rct_allocate(links, sizeof *p->apart, what, error);
    p->task = rct_allocate(tasks, number, what, error);
    p->first_task = rct_allocate(tasks + 1, number, what, error);
    p->first_sheaf = rct_allocate(tasks + 1, number, what, error);
    p->first_row = rct_allocate(links + 1, sizeof *p->first_row, what, error);
    const int whole = p->height != NULL && p->at != NULL && p->sorted != NULL && p->key != NULL &&
                      p->other != NULL && p->begin != NULL && p->apart != NULL && p->task != NULL &&
                      p->first_task != NULL && p->first_sheaf != NULL && p->first_row != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static void release_planting(rct_planting *p)
{
    rct_release(p->height);
    rct_release(p->at);
    rct_release(p->sorted);
    rct_release(p->key);
    rct_release(p->other);
    rct_release(p->begin);
    rct_release(p->apart);
    rct_release(p->task);
    rct_release(p->first_task);
    rct_release(p->first_sheaf);
    rct_release(p->first_row);
}

/* Take the places that bushes have given to the links of tasks. */
static void take_places(const rct_planting *p, rct_mixed_packing *packing, rct_mixed_layout *layout)
{
    layout->groups = layout->bushes = p->bushes;
    layout->hanging = p->hanging;
    for (int32_t b = 0; b < p->bushes; b++) {
        layout->first_sheaf[b + 1] = p->first_sheaf[b + 1];
    }
    layout->count = p->first_sheaf[p->bushes];
    for (int32_t k = 0; k < layout->count; k++) {
        layout->first_row[k + 1] = p->first_row[k + 1];
    }
    for (int32_t t = 0; t < p->partition->task_count; t++) {
        const rct_task *task = &p->partition->tasks[t];
        for (int32_t i = task->first; i < task->first + task->count; i++) {
            packing->at[i] = p->at[i];
        }
    }
    memcpy(layout->narrow, p->apart, (size_t)layout->count * sizeof *p->apart);
}

static rct_status place_tasks(rct_mixed_packing *packing, int32_t wanted, rct_mixed_layout *layout,
                              rct_error *error)
{
    rct_planting p = {.partition = packing->partition,
                      .links = &packing->plan->links,
                      .kind = packing->plan->links.kind,
                      .lanes = layout->lanes,
                      .wanted = wanted};
    const rct_status status = allocate_planting(&p, error);
    if (status == RCT_OK) {
        rct_plant(&p);
        take_places(&p, packing, layout);
    }
    release_planting(&p);
    return status;
}

/* ---- segments ----------------------------------------------------------------------------- */

/* Segments by decreasing length, labels increasing among equals: a counting sort. */
static rct_status sort_segments(const rct_partition *p, int32_t *sorted, rct_error *error)
{
    int32_t longest = 0;
    for (int32_t s = 0; s < p->segment_count; s++) {
        longest = p->segments[s].length > longest ? p->segments[s].length : longest;
    }
    int32_t *begin = rct_allocate((int64_t)longest + 2, sizeof *begin, "the packing", error);
    if (begin == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        begin[longest - p->segments[s].length + 1]++;
    }
    for (int32_t l = 1; l <= longest + 1; l++) {
        begin[l] += begin[l - 1];
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        sorted[begin[longest - p->segments[s].length]++] = s;
    }
    rct_release(begin);
    return RCT_OK;
}

/* Narrow ones first, by label where that is asked for; gives their number. */
static int32_t narrow_first(const rct_mixed_packing *packing, int32_t *sorted, int32_t *room)
{
    const int32_t count = packing->partition->segment_count;
    int32_t narrow = 0, wide = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t s = sorted[k], next = packing->in_order ? k : s;
        if (!rct_narrow_segment(packing->plan, packing->partition, s)) {
            room[wide++] = s;
        }
        if (rct_narrow_segment(packing->plan, packing->partition, next)) {
            sorted[narrow++] = next;
        }
    }
    memcpy(sorted + narrow, room, (size_t)wide * sizeof *room);
    return narrow;
}

/* As many as there are lanes to a sheaf, outermost links in one row. */
static void stand_side_by_side(rct_mixed_packing *packing, const int32_t *sorted, int32_t count,
                               int narrow, rct_mixed_layout *layout)
{
    const rct_segment *segments = packing->partition->segments;
    const int32_t lanes = layout->lanes;
    for (int32_t k = 0; k < count; k += lanes) {
        int32_t longest = 0;
        for (int32_t i = k; i < k + lanes && i < count; i++) {
            longest = segments[sorted[i]].length > longest ? segments[sorted[i]].length : longest;
        }
        const int64_t end = layout->first_row[layout->count] + longest;
        for (int32_t lane = 0; lane < lanes && k + lane < count; lane++) {
            const rct_segment *segment = &segments[sorted[k + lane]];
            for (int32_t j = 0; j < segment->length; j++) {
                packing->at[segment->first + j] = (end - segment->length + j) * lanes + lane;
            }
        }
        layout->narrow[layout->count] = (int8_t)narrow;
        layout->count++;
        layout->groups++;
        layout->first_row[layout->count] = end;
        layout->first_sheaf[layout->groups] = layout->count;
    }
}

static rct_status place_segments(rct_mixed_packing *packing, rct_mixed_layout *layout,
                                 rct_error *error)
{
    const int32_t count = packing->partition->segment_count;
    int32_t *sorted = rct_allocate(2 * (int64_t)count, sizeof *sorted, "the packing", error);
    rct_status status = sorted == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    layout->narrow_end = layout->groups;
    if (status == RCT_OK && count > 0) {
        status = sort_segments(packing->partition, sorted, error);
    }
    if (status == RCT_OK) {
        const int32_t narrow = narrow_first(packing, sorted, sorted + count);
        stand_side_by_side(packing, sorted, narrow, 1, layout);
        layout->narrow_end = layout->groups;
        stand_side_by_side(packing, sorted + narrow, count - narrow, 0, layout);
    }
    rct_release(sorted);
    return status;
}

/* ---- trunk -------------------------------------------------------------------------------- */

/* Links that are in no lanes, a row each; `links` of them. Narrow means no more here than what results they have. */
static int32_t place_links(rct_mixed_packing *packing, rct_mixed_layout *layout)
{
    const rct_partition *p = packing->partition;
    int32_t links = 0;
    for (int32_t n = 0; n < p->nodes; n++) {
        if (p->segment[n] < 0 && p->task[n] < 0) {
            packing->at[p->label[n]] = ~(int64_t)links;
            layout->narrow[links++] = packing->plan->links.kind[p->label[n]] == RCT_HINGE_BALL;
            layout->first_sheaf[links] = links;
            layout->first_row[links] = links;
        }
    }
    layout->groups = layout->bushes = layout->count = links;
    return links;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static rct_status allocate_layout(rct_mixed_layout *layout, int64_t sheaves, rct_error *error)
{
    layout->room = sheaves;
    layout->first_sheaf = rct_allocate(sheaves + 1, sizeof(int32_t), "the packing", error);
    layout->first_row = rct_allocate(sheaves + 1, sizeof(int64_t), "the packing", error);
    layout->narrow = rct_allocate(sheaves, sizeof *layout->narrow, "the packing", error);
    const int whole =
        layout->first_sheaf != NULL && layout->first_row != NULL && layout->narrow != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Then no link is asked for its frame. */
static int all_narrow(const rct_mixed_layout *layout)
{
    int32_t k = 0;
    while (k < layout->count && layout->narrow[k]) {
        k++;
    }
    return k == layout->count;
}

static rct_status pack_lanes(rct_mixed_packing *packing, int32_t lanes, int32_t wanted,
                             rct_error *error)
{
    rct_mixed_layout layout = {.lanes = lanes};
    rct_status status = allocate_layout(&layout, packing->plan->links.count, error);
    if (status == RCT_OK) {
        status = place_tasks(packing, wanted, &layout, error);
    }
    if (status == RCT_OK) {
        status = place_segments(packing, &layout, error);
    }
    if (status == RCT_OK) {
        layout.link_fields = all_narrow(&layout) ? LINK_FIELDS : LINK_ALL_FIELDS;
        status = rct_mixed_rows_write(&packing->lanes, packing, &layout, error);
    } else {
        rct_release(layout.first_sheaf);
        rct_release(layout.first_row);
        rct_release(layout.narrow);
    }
    return status;
}

static rct_status pack_links(rct_mixed_packing *packing, rct_error *error)
{
    rct_mixed_layout layout = {.lanes = 1, .link_fields = LINK_ALL_FIELDS};
    rct_status status = allocate_layout(&layout, packing->partition->nodes, error);
    if (status == RCT_OK) {
        place_links(packing, &layout);
        status = rct_mixed_rows_write(&packing->links, packing, &layout, error);
    } else {
        rct_release(layout.first_sheaf);
        rct_release(layout.first_row);
        rct_release(layout.narrow);
    }
    return status;
}

rct_mixed_packing *rct_mixed_packing_create(const rct_plan *plan, const rct_partition *partition,
                                            int32_t lanes, int32_t wanted, int in_order,
                                            rct_error *error)
{
    rct_mixed_packing *packing = rct_allocate(1, sizeof *packing, "the packing", error);
    if (packing == NULL) {
        return NULL;
    }
    packing->plan = plan;
    packing->partition = partition;
    packing->in_order = in_order;
    packing->at = rct_allocate(plan->links.count, sizeof *packing->at, "the packing", error);
    rct_status status = packing->at == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (status == RCT_OK) {
        status = pack_links(packing, error);
    }
    if (status == RCT_OK) {
        status = pack_lanes(packing, lanes, wanted, error);
    }
    if (status == RCT_OK) {
        status = rct_mixed_build_trunk(packing, error);
    }
    if (status == RCT_OK) {
        rct_mixed_write_ends(packing);
    } else {
        rct_mixed_packing_free(packing);
        packing = NULL;
    }
    return packing;
}

void rct_mixed_packing_free(rct_mixed_packing *packing)
{
    if (packing != NULL) {
        rct_mixed_rows_release(&packing->lanes);
        rct_mixed_rows_release(&packing->links);
        rct_release(packing->at);
        rct_release(packing->parent);
        rct_release(packing->row);
        rct_release(packing->path);
        rct_release(packing->kind);
        rct_release(packing->hinge_at);
        rct_release(packing->slot);
        rct_release(packing->last_label);
        rct_release(packing->last_state);
        rct_release(packing->follows);
        rct_release(packing->node_label);
        rct_release(packing->trunk.work);
        rct_release(packing);
    }
}

int64_t rct_mixed_packing_bytes(const rct_mixed_packing *packing)
{
    return (int64_t)sizeof *packing + rct_mixed_rows_bytes(&packing->lanes) +
           rct_mixed_rows_bytes(&packing->links) +
           packing->plan->links.count * (int64_t)sizeof *packing->at +
           (int64_t)packing->trunk.slots * TRUNK_FIELDS * (int64_t)sizeof(double) +
           packing->trunk.count * (int64_t)72;
}

int32_t rct_mixed_packing_wide(const rct_mixed_packing *packing)
{
    const rct_mixed_rows *r = &packing->lanes;
    int32_t wide = 0;
    for (int32_t k = 0; k < r->sheaves.count; k++) {
        for (int64_t i = r->first_row[k] * r->lanes; i < r->first_row[k + 1] * r->lanes; i++) {
            wide += r->label[i] >= 0 && !r->narrow[k];
        }
    }
    return wide;
}

rct_status rct_mixed_packing_add_loads(rct_mixed_packing *packing, rct_error *error)
{
    rct_mixed_rows *both[2] = {&packing->lanes, &packing->links};
    for (int i = 0; i < 2; i++) {
        both[i]->sheaves.loads =
            rct_allocate(both[i]->rows * both[i]->lanes, LOAD_FIELDS * (int64_t)sizeof(double),
                         "the loads", error);
        if (both[i]->sheaves.loads == NULL) {
            return RCT_ERROR_MEMORY;
        }
    }
    return RCT_OK;
}

const rct_mixed_rows *rct_mixed_packing_find(const rct_mixed_packing *packing, int32_t label,
                                             int64_t *row, int32_t *lane)
{
    const int64_t at = packing->at[label];
    const rct_mixed_rows *rows = at < 0 ? &packing->links : &packing->lanes;
    const int64_t place = at < 0 ? ~at : at;
    *row = place / rows->lanes;
    *lane = (int32_t)(place % rows->lanes);
    return rows;
}
