/* Packing tasks into bushes (bushes.h): how the links find each other, constants, states. */
#include "topology/bushes.h"

#include "core/memory.h"
#include "kernels/tiles.h"
#include "topology/planting.h"

#include <string.h>

/* ---- places ------------------------------------------------------------------------------- */

/* Where row `row` of a bush's scratch has lane `lane`. */
static int32_t place(const rct_bush_packing *packing, int64_t row, int64_t lane)
{
    return (int32_t)(row * BUSH_FIELDS * packing->lanes + lane);
}

static int32_t place_of(const rct_planting *p, int32_t b, int32_t label)
{
    const int32_t lanes = p->packing->lanes;
    return place(p->packing, 1 + p->at[label] / lanes - p->packing->first_wave[b],
                 p->at[label] % lanes);
}

static void place_roots(const rct_planting *p, int32_t b)
{
    rct_bush_packing *packing = p->packing;
    const int64_t first = packing->first_root[b], roots = packing->first_root[b + 1] - first;
    const int64_t row = 1 + packing->first_wave[b + 1] - packing->first_wave[b];
    for (int64_t k = 0; k < roots; k++) {
        const rct_task *task = &p->tasks[packing->task[first + k]];
        packing->root[first + k] = (rct_bush_root){
            .place = place_of(p, b, task->first),
            .above = place(packing, row + k / packing->lanes, k % packing->lanes),
            .node = task->node,
        };
        packing->parent[p->at[task->first]] = packing->root[first + k].above;
    }
    const int64_t rows = row + (roots + packing->lanes - 1) / packing->lanes;
    if (rows > packing->bushes.most_rows) {
        packing->bushes.most_rows = (int32_t)rows;
    }
}

/* Labels and parents of the links of bush b; the most outboard links of each wave. */
static void write_links(const rct_planting *p, int32_t b)
{
    rct_bush_packing *packing = p->packing;
    for (int64_t k = packing->first_root[b]; k < packing->first_root[b + 1]; k++) {
        const rct_task *task = &p->tasks[packing->task[k]];
        for (int32_t i = task->first; i < task->first + task->count; i++) {
            const int64_t wave = p->at[i] / packing->lanes;
            const int32_t kids = p->links->child_begin[i + 1] - p->links->child_begin[i];
            packing->label[p->at[i]] = i;
            if (i > task->first) {
                packing->parent[p->at[i]] = place_of(p, b, p->links->parent[i]);
            }
            if (packing->first_kid[wave + 1] < kids) {
                packing->first_kid[wave + 1] = kids;
            }
            packing->padding--;
        }
    }
}

static void write_kids(const rct_planting *p, int32_t b)
{
    rct_bush_packing *packing = p->packing;
    for (int64_t k = packing->first_root[b]; k < packing->first_root[b + 1]; k++) {
        const rct_task *task = &p->tasks[packing->task[k]];
        for (int32_t i = task->first; i < task->first + task->count; i++) {
            const int64_t wave = p->at[i] / packing->lanes, lane = p->at[i] % packing->lanes;
            int32_t *kid = packing->kid + packing->first_kid[wave] * packing->lanes + lane;
            for (int32_t c = p->links->child_begin[i]; c < p->links->child_begin[i + 1]; c++) {
                *kid = place_of(p, b, p->links->child[c]);
                kid += packing->lanes;
            }
        }
    }
}

/* Neutral lanes have no label, and all that they look up is in the neutral row. */
static rct_status write_places(const rct_planting *p, rct_error *error)
{
    rct_bush_packing *packing = p->packing;
    const char *what = "the bushes";
    const int64_t lanes = packing->lanes;
    const int64_t waves = packing->first_wave[packing->bushes.count];
    packing->label = rct_allocate(waves * lanes, sizeof(int32_t), what, error);
    packing->parent = rct_allocate(waves * lanes, sizeof(int32_t), what, error);
    packing->first_kid = rct_allocate(waves + 1, sizeof(int64_t), what, error);
    if (packing->label == NULL || packing->parent == NULL || packing->first_kid == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < waves * lanes; i++) {
        packing->label[i] = -1;
        packing->parent[i] = place(packing, 0, i % lanes);
    }
    packing->padding = waves * lanes;
    for (int32_t b = 0; b < packing->bushes.count; b++) {
        write_links(p, b);
        place_roots(p, b);
    }
    for (int64_t g = 0; g < waves; g++) {
        packing->first_kid[g + 1] += packing->first_kid[g];
    }
    packing->kid = rct_allocate(packing->first_kid[waves] * lanes, sizeof(int32_t), what, error);
    if (packing->kid == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < packing->first_kid[waves] * lanes; i++) {
        packing->kid[i] = place(packing, 0, i % lanes);
    }
    for (int32_t b = 0; b < packing->bushes.count; b++) {
        write_kids(p, b);
    }
    return RCT_OK;
}

/* ---- planting ----------------------------------------------------------------------------- */

static rct_status allocate_planting(rct_planting *p, rct_error *error)
{
    const char *what = "the bushes";
    const int64_t tasks = p->packing->partition->task_count;
    const int64_t links = tasks > 0 ? p->links->count : 0, number = sizeof(int32_t);
    p->height = rct_allocate(links, number, what, error);
    p->rank = rct_allocate(links, number, what, error);
    p->at = rct_allocate(links, sizeof(int64_t), what, error);
    p->sorted = rct_allocate(links, number, what, error);
    p->key = rct_allocate(links, number, what, error);
    p->other = rct_allocate(links, number, what, error);
    p->begin = rct_allocate(links + RCT_ALIKE + 2, number, what, error);
    p->free = rct_allocate(links + 1, number, what, error);
    p->used = rct_allocate(links + 1, number, what, error);
    p->packing->task = rct_allocate(tasks, number, what, error);
    p->packing->root = rct_allocate(tasks, sizeof(rct_bush_root), what, error);
    p->packing->first_root = rct_allocate(tasks + 1, sizeof(int64_t), what, error);
    p->packing->first_wave = rct_allocate(tasks + 1, sizeof(int64_t), what, error);
    const int whole = p->height != NULL && p->rank != NULL && p->at != NULL && p->sorted != NULL &&
                      p->key != NULL && p->other != NULL && p->begin != NULL && p->free != NULL &&
                      p->used != NULL && p->packing->task != NULL && p->packing->root != NULL &&
                      p->packing->first_root != NULL && p->packing->first_wave != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static void free_planting(rct_planting *p)
{
    rct_release(p->height);
    rct_release(p->rank);
    rct_release(p->at);
    rct_release(p->sorted);
    rct_release(p->key);
    rct_release(p->other);
    rct_release(p->begin);
    rct_release(p->free);
    rct_release(p->used);
}

static rct_status plant(rct_bush_packing *packing, rct_error *error)
{
    rct_planting planting = {
        .packing = packing, .links = &packing->plan->links, .tasks = packing->partition->tasks};
    rct_status status = allocate_planting(&planting, error);
    if (status == RCT_OK) {
        rct_plant(&planting);
        status = write_places(&planting, error);
    }
    free_planting(&planting);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void lane_record(const void *context, int64_t wave, int32_t lane, double *record)
{
    const rct_bush_packing *packing = context;
    rct_constants_link(&packing->plan->links, packing->label[wave * packing->lanes + lane],
                       packing->about_com, record);
}

static rct_status allocate_states(rct_bush_packing *packing, rct_error *error)
{
    rct_bushes *b = &packing->bushes;
    const int64_t lane = packing->lanes * (int64_t)sizeof(double);
    b->state = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->base = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->sum = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->results = rct_allocate(b->waves, RESULT_FIELDS * lane, "the results", error);
    if (b->state == NULL || b->base == NULL || b->sum == NULL || b->results == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t g = 0; g < b->waves; g++) {
        for (int32_t l = 0; l < packing->lanes; l++) {
            b->state[(g * STATE_FIELDS + STATE_ORIENTATION) * packing->lanes + l] = 1.0;
        }
    }
    return RCT_OK;
}

static void show_bushes(rct_bush_packing *packing)
{
    rct_bushes *b = &packing->bushes;
    memcpy(b->gravity, packing->plan->gravity, sizeof b->gravity);
    b->waves = packing->first_wave[b->count];
    b->first_wave = packing->first_wave;
    b->record = packing->constants.record;
    b->shared = packing->constants.shared;
    b->wide = packing->constants.wide;
    b->label = packing->label;
    b->parent = packing->parent;
    b->first_kid = packing->first_kid;
    b->kid = packing->kid;
    b->first_root = packing->first_root;
    b->root = packing->root;
}

rct_bush_packing *rct_bush_packing_create(const rct_plan *plan, const rct_partition *partition,
                                          int32_t lanes, int about_com, rct_error *error)
{
    rct_bush_packing *packing = rct_allocate(1, sizeof *packing, "the bushes", error);
    if (packing == NULL) {
        return NULL;
    }
    packing->plan = plan;
    packing->partition = partition;
    packing->lanes = packing->constants.lanes = lanes;
    packing->about_com = about_com;
    rct_status status = plant(packing, error);
    if (status == RCT_OK) {
        status = rct_constants_pack(&packing->constants, packing->first_wave[packing->bushes.count],
                                    lane_record, packing, error);
    }
    if (status == RCT_OK) {
        show_bushes(packing);
        status = allocate_states(packing, error);
    }
    if (status != RCT_OK) {
        rct_bush_packing_free(packing);
        packing = NULL;
    }
    return packing;
}

void rct_bush_packing_free(rct_bush_packing *packing)
{
    if (packing != NULL) {
        rct_release(packing->task);
        rct_release(packing->first_wave);
        rct_release(packing->label);
        rct_release(packing->parent);
        rct_release(packing->first_kid);
        rct_release(packing->kid);
        rct_release(packing->first_root);
        rct_release(packing->root);
        rct_constants_free(&packing->constants);
        rct_release(packing->bushes.state);
        rct_release(packing->bushes.base);
        rct_release(packing->bushes.sum);
        rct_release(packing->bushes.results);
        rct_release(packing);
    }
}

int64_t rct_bush_packing_bytes(const rct_bush_packing *packing)
{
    const rct_bushes *b = &packing->bushes;
    const int64_t numbers =
        b->waves * (3 * STATE_FIELDS + RESULT_FIELDS) + packing->constants.wide_count * LINK_FIELDS;
    const int64_t places = 2 * b->waves + b->first_kid[b->waves];
    const int64_t task =
        (int64_t)sizeof(int32_t) + (int64_t)sizeof(rct_bush_root) + 2 * (int64_t)sizeof(int64_t);
    return (int64_t)sizeof *packing +
           packing->lanes *
               (numbers * (int64_t)sizeof(double) + places * (int64_t)sizeof(int32_t)) +
           b->waves * (int64_t)(sizeof(int32_t) + sizeof(int64_t)) +
           packing->partition->task_count * task;
}
