/* Packing segments into tiles (packing.h); constants of links that are alike in all lanes are stored once. */
#include "topology/packing.h"

#include "core/memory.h"

#include <string.h>

/* ---- tiles ------------------------------------------------------------------------------- */

static int32_t longest_of_tile(const rct_packing *k, int32_t tile)
{
    int32_t longest = 0;
    for (int32_t lane = 0; lane < k->lanes; lane++) {
        const int32_t s = k->lane_segment[(int64_t)tile * k->lanes + lane];
        if (s >= 0 && k->partition->segments[s].length > longest) {
            longest = k->partition->segments[s].length;
        }
    }
    return longest;
}

static rct_status place_segments(rct_packing *k, rct_error *error)
{
    const rct_partition *p = k->partition;
    const int32_t tiles = (p->segment_count + k->lanes - 1) / k->lanes;
    k->first_step = rct_allocate((int64_t)tiles + 1, sizeof *k->first_step, "the packing", error);
    k->at = rct_allocate(p->segment_count, sizeof *k->at, "the packing", error);
    k->tile_of = rct_allocate(p->segment_count, sizeof *k->tile_of, "the packing", error);
    k->lane_segment =
        rct_allocate((int64_t)tiles * k->lanes, sizeof *k->lane_segment, "the packing", error);
    if (k->first_step == NULL || k->at == NULL || k->tile_of == NULL || k->lane_segment == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t slot = 0; slot < (int64_t)tiles * k->lanes; slot++) {
        k->lane_segment[slot] = -1;
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        k->lane_segment[s] = s;
    }
    for (int32_t t = 0; t < tiles; t++) {
        const int32_t steps = longest_of_tile(k, t);
        k->first_step[t + 1] = k->first_step[t] + steps;
        k->tiles.most_steps = steps > k->tiles.most_steps ? steps : k->tiles.most_steps;
        for (int32_t lane = 0; lane < k->lanes; lane++) {
            const int32_t s = k->lane_segment[(int64_t)t * k->lanes + lane];
            k->padding += steps - (s >= 0 ? p->segments[s].length : 0);
            if (s >= 0) {
                k->at[s] = k->first_step[t] * k->lanes + lane;
                k->tile_of[s] = t;
            }
        }
    }
    k->tiles.count = tiles;
    k->tiles.steps = k->first_step[tiles];
    k->tiles.first_step = k->first_step;
    return RCT_OK;
}

/* ---- constants --------------------------------------------------------------------------- */

/* Constants of link k of segment s as a tile wants them; beyond the segment the neutral link. */
static void tile_record(const rct_packing *packing, int32_t s, int64_t k, double *record)
{
    const rct_segment *segment = s >= 0 ? &packing->partition->segments[s] : NULL;
    const int inside = segment != NULL && k < segment->length;
    rct_constants_link(&packing->plan->links, inside ? segment->first + (int32_t)k : -1,
                       packing->about_com, record);
}

/* The tile that step g is of: the last one that does not begin after it. */
static int32_t tile_at(const rct_packing *packing, int64_t g)
{
    int32_t low = 0;
    int32_t high = packing->tiles.count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (packing->first_step[middle] <= g) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void step_record(const void *context, int64_t g, int32_t lane, double *record)
{
    const rct_packing *packing = context;
    const int32_t tile = tile_at(packing, g);
    tile_record(packing, packing->lane_segment[(int64_t)tile * packing->lanes + lane],
                g - packing->first_step[tile], record);
}

static rct_status pack_constants(rct_packing *packing, rct_error *error)
{
    rct_constants *c = &packing->constants;
    c->lanes = packing->lanes;
    c->fields = LINK_FIELDS;
    const rct_status status =
        rct_constants_pack(c, packing->tiles.steps, step_record, packing, error);
    packing->tiles.record = c->record;
    packing->tiles.shared = c->shared;
    packing->tiles.wide = c->wide;
    return status;
}

/* The mass of the link that follows each segment, nothing behind a tip. */
static rct_status pack_stand_ins(rct_packing *packing, rct_error *error)
{
    const rct_links *links = &packing->plan->links;
    const int64_t lanes = (int64_t)packing->tiles.count * packing->lanes;
    packing->stand_in = rct_allocate(lanes, sizeof(double), "the constants of links", error);
    if (packing->stand_in == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t lane = 0; lane < lanes; lane++) {
        const int32_t s = packing->lane_segment[lane];
        if (s >= 0) {
            const rct_segment *segment = &packing->partition->segments[s];
            const int64_t next = (int64_t)segment->first + segment->length;
            if (next < links->count && links->parent[next] == next - 1) {
                packing->stand_in[lane] = links->sweep[next * LINK_FIELDS + LINK_MASS];
            }
        }
    }
    packing->tiles.stand_in = packing->stand_in;
    return RCT_OK;
}

/* ---- slots ------------------------------------------------------------------------------- */

/* The segment a label lies in: the last one that does not begin after it. */
static int32_t segment_of(const rct_partition *p, int32_t label)
{
    int32_t low = 0;
    int32_t high = p->segment_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (p->segments[middle].first <= label) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static rct_status assign_slots(rct_packing *packing, rct_error *error)
{
    const rct_partition *p = packing->partition;
    packing->slot = rct_allocate(packing->tiles.steps, sizeof(int32_t), "the packing", error);
    packing->task_slot = rct_allocate(p->task_count, sizeof(int64_t), "the packing", error);
    packing->task_segment = rct_allocate(p->task_count, sizeof(int32_t), "the packing", error);
    if (packing->slot == NULL || packing->task_slot == NULL || packing->task_segment == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t g = 0; g < packing->tiles.steps; g++) {
        packing->slot[g] = -1;
    }
    for (int32_t k = 0; k < p->task_count; k++) {
        packing->task_slot[k] = -1;
        packing->task_segment[k] = -1;
        if (p->tasks[k].beside >= 0) {
            const int32_t s = segment_of(p, p->tasks[k].beside);
            const int64_t at = packing->at[s];
            const int64_t g = at / packing->lanes + p->tasks[k].beside - p->segments[s].first;
            if (packing->slot[g] < 0) {
                packing->slot[g] = packing->slot_count++;
            }
            packing->task_segment[k] = s;
            packing->task_slot[k] =
                (int64_t)packing->slot[g] * packing->lanes + at % packing->lanes;
        }
    }
    packing->tiles.slot = packing->slot;
    return RCT_OK;
}

/* ---- states ------------------------------------------------------------------------------ */

static rct_status allocate_states(rct_packing *packing, rct_error *error)
{
    rct_tiles *t = &packing->tiles;
    const int64_t lane = packing->lanes * (int64_t)sizeof(double);
    t->side = rct_allocate(packing->slot_count, SIDE_FIELDS * lane, "subtrees beside", error);
    t->state = rct_allocate(t->steps, STATE_FIELDS * lane, "the state", error);
    t->base = rct_allocate(t->steps, STATE_FIELDS * lane, "the state", error);
    t->sum = rct_allocate(t->steps, STATE_FIELDS * lane, "the state", error);
    t->results = rct_allocate(t->steps, RESULT_FIELDS * lane, "the results", error);
    if (t->side == NULL || t->state == NULL || t->base == NULL || t->sum == NULL ||
        t->results == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t g = 0; g < t->steps; g++) {
        for (int32_t l = 0; l < packing->lanes; l++) {
            t->state[(g * STATE_FIELDS + STATE_ORIENTATION) * packing->lanes + l] = 1.0;
        }
    }
    return RCT_OK;
}

rct_packing *rct_packing_create(const rct_plan *plan, const rct_partition *partition, int32_t lanes,
                                int about_com, rct_error *error)
{
    rct_packing *packing = rct_allocate(1, sizeof *packing, "the packing", error);
    if (packing == NULL) {
        return NULL;
    }
    packing->plan = plan;
    packing->partition = partition;
    packing->lanes = lanes;
    packing->about_com = about_com;
    memcpy(packing->tiles.gravity, plan->gravity, sizeof plan->gravity);
    rct_status status = place_segments(packing, error);
    if (status == RCT_OK) {
        status = pack_constants(packing, error);
    }
    if (status == RCT_OK) {
        status = pack_stand_ins(packing, error);
    }
    if (status == RCT_OK) {
        status = assign_slots(packing, error);
    }
    if (status == RCT_OK) {
        status = allocate_states(packing, error);
    }
    if (status != RCT_OK) {
        rct_packing_free(packing);
        packing = NULL;
    }
    return packing;
}

void rct_packing_free(rct_packing *packing)
{
    if (packing != NULL) {
        rct_release(packing->lane_segment);
        rct_release(packing->at);
        rct_release(packing->tile_of);
        rct_release(packing->task_slot);
        rct_release(packing->task_segment);
        rct_release(packing->first_step);
        rct_release(packing->slot);
        rct_constants_free(&packing->constants);
        rct_release(packing->stand_in);
        rct_release(packing->tiles.side);
        rct_release(packing->tiles.state);
        rct_release(packing->tiles.base);
        rct_release(packing->tiles.sum);
        rct_release(packing->tiles.results);
        rct_release(packing);
    }
}

int64_t rct_packing_bytes(const rct_packing *packing)
{
    const rct_tiles *t = &packing->tiles;
    const int64_t numbers =
        t->steps * (3 * STATE_FIELDS + RESULT_FIELDS) + packing->slot_count * SIDE_FIELDS;
    return (int64_t)sizeof *packing + rct_constants_bytes(&packing->constants, t->steps) +
           packing->lanes * numbers * (int64_t)sizeof(double) + t->steps * (int64_t)sizeof(int32_t);
}
