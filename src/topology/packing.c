/* Packs a plan: which path stands in which sheaf and lane, and the trunk. rows.c writes the
 * rows. */
#include "topology/packing.h"

#include "topology/planting.h"
#include "topology/rows.h"
#include "topology/sides.h"
#include "topology/sorting.h"

#include <string.h>

/* ---- tasks -------------------------------------------------------------------------------- */

/* Takes the places that bushes have given to the links of tasks. */
static void take_places(const rct_planting *p, rct_packing *packing)
{
    rct_rows *rows = &packing->lanes;
    rct_sheaves *sheaves = &rows->sheaves;
    sheaves->groups = sheaves->bushes = p->bushes;
    sheaves->hanging = p->hanging;
    sheaves->count = p->first_sheaf[p->bushes];
    memcpy(rows->first_sheaf, p->first_sheaf, ((size_t)p->bushes + 1) * sizeof *p->first_sheaf);
    memcpy(rows->first_row, p->first_row, ((size_t)sheaves->count + 1) * sizeof *p->first_row);
    memcpy(rows->narrow, p->apart, (size_t)sheaves->count * sizeof *p->apart);
    for (int32_t t = 0; t < p->partition->task_count; t++) {
        const rct_task *task = &p->partition->tasks[t];
        memcpy(packing->at + task->first, p->at + task->first, (size_t)task->count * sizeof *p->at);
    }
}

static rct_status place_tasks(rct_packing *packing, int32_t wanted, const rct_sides *sides,
                              rct_error *error)
{
    enum { ROOM = 12 };
    rct_planting p = {.partition = packing->partition,
                      .plan = packing->plan,
                      .links = &packing->plan->links,
                      .lanes = packing->lanes.lanes,
                      .wanted = wanted,
                      .aside = sides->group};
    const int64_t tasks = p.partition->task_count, links = tasks > 0 ? p.links->count : 0;
    const rct_array room[ROOM] = {
        RCT_ARRAY(p.height, links),         RCT_ARRAY(p.at, links),
        RCT_ARRAY(p.sorted, links),         RCT_ARRAY(p.key, links),
        RCT_ARRAY(p.other, links),          RCT_ARRAY(p.begin, links + RCT_ALIKE + 2),
        RCT_ARRAY(p.apart, links),          RCT_ARRAY(p.task, tasks),
        RCT_ARRAY(p.first_task, tasks + 1), RCT_ARRAY(p.first_sheaf, tasks + 1),
        RCT_ARRAY(p.first_row, links + 1),  RCT_ARRAY(p.joined, tasks),
    };
    const rct_status status = rct_allocate_arrays(room, ROOM, "the bushes", error);
    if (status == RCT_OK) {
        rct_plant(&p);
        take_places(&p, packing);
    }
    rct_release_arrays(room, ROOM);
    return status;
}

/* ---- segments ----------------------------------------------------------------------------- */

/* Narrow ones first, by label if the packing is in order; returns their number. */
static int32_t narrow_first(const rct_packing *packing, int32_t *sorted, int32_t *room)
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

/* A path of a sheaf that is being made: `length` links from `first` on. */
typedef struct path {
    int32_t first, length;
} path;

static path path_of(const rct_partition *p, const int32_t *list, int32_t k, int of_tasks)
{
    return of_tasks ? (path){p->tasks[list[k]].first, p->tasks[list[k]].count}
                    : (path){p->segments[list[k]].first, p->segments[list[k]].length};
}

/* A sheaf of at most as many paths, segments or tasks, as there are lanes, outermost links in one
 * row. */
static void stand_in_sheaf(rct_packing *packing, const int32_t *list, int32_t count, int of_tasks,
                           int narrow)
{
    rct_rows *rows = &packing->lanes;
    rct_sheaves *sheaves = &rows->sheaves;
    int32_t longest = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t length = path_of(packing->partition, list, k, of_tasks).length;
        longest = length > longest ? length : longest;
    }
    const int64_t end = rows->first_row[sheaves->count] + longest;
    for (int32_t lane = 0; lane < count; lane++) {
        const path own = path_of(packing->partition, list, lane, of_tasks);
        for (int32_t j = 0; j < own.length; j++) {
            packing->at[own.first + j] = (end - own.length + j) * rows->lanes + lane;
        }
    }
    rows->narrow[sheaves->count++] = (int8_t)narrow;
    rows->first_row[sheaves->count] = end;
}

/* As many as there are lanes to a group, with the side paths on them, if any. */
static void stand_side_by_side(rct_packing *packing, const int32_t *sorted, int32_t count,
                               int narrow, const rct_sides *sides)
{
    rct_rows *rows = &packing->lanes;
    rct_sheaves *sheaves = &rows->sheaves;
    const int32_t lanes = rows->lanes;
    for (int32_t k = 0; k < count; k += lanes) {
        const int32_t begin = sides->begin != NULL && narrow ? sides->begin[k / lanes] : 0;
        const int32_t end = sides->begin != NULL && narrow ? sides->begin[k / lanes + 1] : 0;
        stand_in_sheaf(packing, sorted + k, count - k < lanes ? count - k : lanes, 0, narrow);
        if (end > begin) {
            stand_in_sheaf(packing, sides->task + begin, end - begin, 1, 1);
        }
        rows->first_sheaf[++sheaves->groups] = sheaves->count;
    }
}

/* By decreasing length; among equals labels increase. */
static rct_status place_segments(rct_packing *packing, const rct_sides *sides, rct_error *error)
{
    enum { ROOM = 4 };
    const rct_partition *p = packing->partition;
    const int32_t count = p->segment_count;
    int32_t *sorted, *key, *begin, *wide, longest = 0;
    for (int32_t s = 0; s < count; s++) {
        longest = p->segments[s].length > longest ? p->segments[s].length : longest;
    }
    const rct_array room[ROOM] = {RCT_ARRAY(sorted, count), RCT_ARRAY(key, count),
                                  RCT_ARRAY(begin, (int64_t)longest + 2), RCT_ARRAY(wide, count)};
    const rct_status status = rct_allocate_arrays(room, ROOM, "the packing", error);
    packing->lanes.sheaves.narrow_end = packing->lanes.sheaves.groups;
    if (status == RCT_OK) {
        for (int32_t s = 0; s < count; s++) {
            key[s] = longest - p->segments[s].length;
        }
        rct_sort_by_key(sorted, begin, key, count, longest + 1);
        const int32_t narrow = narrow_first(packing, sorted, wide);
        stand_side_by_side(packing, sorted, narrow, 1, sides);
        packing->lanes.sheaves.narrow_end = packing->lanes.sheaves.groups;
        stand_side_by_side(packing, sorted + narrow, count - narrow, 0, sides);
    }
    rct_release_arrays(room, ROOM);
    return status;
}

/* ---- trunk -------------------------------------------------------------------------------- */

/* Links that are not in lanes, one a row, all wide. */
static void place_links(rct_packing *packing)
{
    const rct_partition *p = packing->partition;
    rct_rows *rows = &packing->links;
    int32_t links = 0;
    for (int32_t n = 0; n < p->nodes; n++) {
        if (p->segment[n] < 0 && p->task[n] < 0) {
            packing->at[p->label[n]] = ~(int64_t)links;
            links++;
            rows->first_sheaf[links] = links;
            rows->first_row[links] = links;
        }
    }
    rows->sheaves.groups = rows->sheaves.bushes = rows->sheaves.count = links;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static rct_status pack_lanes(rct_packing *packing, int32_t lanes, int32_t wanted, rct_error *error)
{
    rct_rows *rows = &packing->lanes;
    rct_sides sides = {0};
    rct_status status = rct_rows_begin(rows, lanes, packing->plan->links.count, error);
    if (status == RCT_OK) {
        status = rct_sides_find(&sides, packing, error);
    }
    if (status == RCT_OK) {
        status = place_tasks(packing, wanted, &sides, error);
    }
    if (status == RCT_OK) {
        status = place_segments(packing, &sides, error);
    }
    rct_sides_free(&sides);
    if (status == RCT_OK) {
        rows->sheaves.link_fields = rct_rows_narrow(rows) ? LINK_FIELDS : LINK_ALL_FIELDS;
        status = rct_rows_write(rows, packing, error);
    }
    return status;
}

static rct_status pack_links(rct_packing *packing, rct_error *error)
{
    rct_rows *rows = &packing->links;
    rct_status status = rct_rows_begin(rows, 1, packing->partition->nodes, error);
    if (status == RCT_OK) {
        place_links(packing);
        rows->sheaves.link_fields = LINK_ALL_FIELDS;
        status = rct_rows_write(rows, packing, error);
    }
    return status;
}

rct_packing *rct_packing_create(const rct_plan *plan, const rct_partition *partition, int32_t lanes,
                                int32_t wanted, int in_order, rct_error *error)
{
    rct_packing *packing = rct_allocate(1, sizeof *packing, "the packing", error);
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
        status = rct_trunk_build(packing, error);
    }
    if (status == RCT_OK) {
        rct_rows_write_ends(packing);
    } else {
        rct_packing_free(packing);
        packing = NULL;
    }
    return packing;
}

void rct_packing_free(rct_packing *packing)
{
    if (packing != NULL) {
        rct_array arrays[TRUNK_ARRAYS];
        rct_trunk_arrays(packing, arrays);
        rct_release_arrays(arrays, TRUNK_ARRAYS);
        rct_rows_release(&packing->lanes);
        rct_rows_release(&packing->links);
        rct_release(packing->at);
        rct_release(packing);
    }
}

int64_t rct_packing_bytes(const rct_packing *packing)
{
    rct_packing seen = *packing;
    rct_array arrays[TRUNK_ARRAYS];
    rct_trunk_arrays(&seen, arrays);
    return (int64_t)sizeof *packing + rct_rows_bytes(&packing->lanes) +
           rct_rows_bytes(&packing->links) +
           packing->plan->links.count * (int64_t)sizeof *packing->at +
           rct_array_bytes(arrays, TRUNK_ARRAYS);
}

int32_t rct_packing_wide(const rct_packing *packing)
{
    const rct_rows *r = &packing->lanes;
    int32_t wide = 0;
    for (int32_t k = 0; k < r->sheaves.count; k++) {
        for (int64_t i = r->first_row[k] * r->lanes; i < r->first_row[k + 1] * r->lanes; i++) {
            wide += r->label[i] >= 0 && !r->narrow[k];
        }
    }
    return wide;
}

rct_status rct_packing_add_loads(rct_packing *packing, rct_error *error)
{
    const int yields = packing->plan->yields && packing->plan->effort_begin != NULL;
    rct_rows *both[2] = {&packing->lanes, &packing->links};
    for (int i = 0; i < 2; i++) {
        const int32_t end = yields ? GRAVITY_ARRAYS : ROTOR_ARRAYS;
        if (rct_rows_allocate(both[i], LATE_ARRAYS, end, "the loads", error) != RCT_OK) {
            return RCT_ERROR_MEMORY;
        }
        both[i]->sheaves.moments = 1;
    }
    return RCT_OK;
}

void rct_packing_drop_states(rct_packing *packing)
{
    rct_sheaves *s = &packing->lanes.sheaves;
    double **const all[] = {&s->state, &s->base, &s->sum, &s->results, &s->loads};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rct_release(*all[i]);
        *all[i] = NULL;
    }
    packing->trunk.states = NULL;
}

rct_status rct_rows_add_slots(rct_rows *rows, int32_t slots, rct_error *error)
{
    rows->slots = slots;
    return rct_rows_allocate(rows, SLOT_ARRAYS, HINGE_FORCE_ARRAYS, "the stages of a step", error);
}

rct_status rct_packing_add_hinge_forces(rct_packing *packing, rct_error *error)
{
    rct_rows *both[2] = {&packing->lanes, &packing->links};
    rct_status status = RCT_OK;
    for (int i = 0; i < 2 && packing->plan->effort_begin != NULL; i++) {
        if (status == RCT_OK) {
            status = rct_rows_list_hinge_forces(both[i], packing->plan, error);
        }
        both[i]->sheaves.moments = 1;
    }
    return status;
}

const rct_rows *rct_packing_find(const rct_packing *packing, int32_t label, int64_t *row,
                                 int32_t *lane)
{
    const int64_t at = packing->at[label];
    const rct_rows *rows = at < 0 ? &packing->links : &packing->lanes;
    const int64_t place = at < 0 ? ~at : at;
    *row = place / rows->lanes;
    *lane = (int32_t)(place % rows->lanes);
    return rows;
}
