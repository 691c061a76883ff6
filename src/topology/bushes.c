/* Packing tasks into bushes (bushes.h): how the links find each other, constants, states. */
#include "topology/bushes.h"

#include "core/memory.h"
#include "kernels/tiles.h"
#include "topology/planting.h"

#include <string.h>

/* ---- places ------------------------------------------------------------------------------- */

/* Waves before bush b. */
static int64_t first_of(const rct_bush_packing *packing, int32_t b)
{
    return packing->first_wave[packing->first_sheaf[b]];
}

/* Where the scratch of bush b has a link, and where its states have it. */
static int32_t scratch_place(const rct_planting *p, int32_t b, int32_t label)
{
    const int64_t lanes = p->packing->lanes, at = p->at[label];
    const int64_t row = 1 + at / lanes - first_of(p->packing, b);
    return (int32_t)(row * BUSH_FIELDS * lanes + at % lanes);
}

static int32_t state_place(const rct_planting *p, int32_t b, int32_t label)
{
    const int64_t lanes = p->packing->lanes, at = p->at[label];
    const int64_t wave = at / lanes - first_of(p->packing, b);
    return (int32_t)(wave * STATE_FIELDS * lanes + at % lanes);
}

/* Call write(p, b, i) for every link i of every bush b. */
static void for_links(const rct_planting *p, void (*write)(const rct_planting *, int32_t, int32_t))
{
    const rct_bush_packing *packing = p->packing;
    for (int32_t b = 0; b < packing->bushes.count; b++) {
        for (int64_t k = packing->first_root[b]; k < packing->first_root[b + 1]; k++) {
            const rct_task *task = &p->tasks[packing->task[k]];
            for (int32_t i = task->first; i < task->first + task->count; i++) {
                write(p, b, i);
            }
        }
    }
}

/* Whether a task begins with link i. */
static int is_root(const rct_planting *p, int32_t i)
{
    const int32_t up = p->links->parent[i];
    return up < 0 || p->height[up] == 0;
}

/* Label and start of a link; how many outboard links a wave has at most. */
static void write_link(const rct_planting *p, int32_t b, int32_t i)
{
    rct_bush_packing *packing = p->packing;
    const int64_t wave = p->at[i] / packing->lanes;
    const int32_t bit = (int32_t)(1u << (p->at[i] % packing->lanes));
    const int64_t kids = p->links->child_begin[i + 1] - p->links->child_begin[i] - 1;
    packing->label[p->at[i]] = i;
    packing->padding--;
    if (packing->first_kid[wave + 1] < kids) {
        packing->first_kid[wave + 1] = kids;
    }
    const int root = is_root(p, i);
    if (root || rct_begins_path(p->links, i)) {
        packing->starts[wave] |= bit;
        packing->hung[wave] |= root ? 0 : bit;
    }
    (void)b;
}

/* The link a path hangs on, and all of a link but its first. */
static void write_joints(const rct_planting *p, int32_t b, int32_t i)
{
    rct_bush_packing *packing = p->packing;
    const int64_t lanes = packing->lanes, wave = p->at[i] / lanes, lane = p->at[i] % lanes;
    if ((packing->hung[wave] >> lane & 1) != 0) {
        packing->up[packing->up_row[wave] * lanes + lane] = state_place(p, b, p->links->parent[i]);
    }
    int64_t row = packing->first_kid[wave];
    for (int32_t c = p->links->child_begin[i] + 1; c < p->links->child_begin[i + 1]; c++, row++) {
        packing->kid[row * lanes + lane] = scratch_place(p, b, p->links->child[c]);
    }
}

static void write_roots(const rct_planting *p)
{
    rct_bush_packing *packing = p->packing;
    for (int32_t b = 0; b < packing->bushes.count; b++) {
        const int64_t rows = 1 + first_of(packing, b + 1) - first_of(packing, b);
        for (int64_t k = packing->first_root[b]; k < packing->first_root[b + 1]; k++) {
            const rct_task *task = &p->tasks[packing->task[k]];
            packing->root[k] =
                (rct_bush_root){scratch_place(p, b, task->first), task->node, task->beside >= 0};
            if (task->beside >= 0) {
                packing->side_row[p->at[task->first] / packing->lanes] = 0;
            }
        }
        if (rows > packing->bushes.most_rows) {
            packing->bushes.most_rows = (int32_t)rows;
        }
    }
}

/* Where a root beside a segment hangs. */
static void write_side(const rct_planting *p, const rct_task *task, int32_t segment)
{
    rct_bush_packing *packing = p->packing;
    const rct_packing *segments = packing->segments;
    const int64_t lanes = packing->lanes, at = p->at[task->first];
    const int64_t row = packing->side_row[at / lanes], lane = at % lanes;
    const double *there = p->links->sweep + (int64_t)task->first * LINK_FIELDS + LINK_AT;
    double beside[LINK_FIELDS];
    packing->side_node[row * lanes + lane] = task->node;
    packing->side_up[row * lanes + lane] = (int32_t)rct_packing_address(
        segments, segment, task->beside - segments->partition->segments[segment].first,
        STATE_FIELDS);
    rct_constants_link(p->links, task->beside, 0, beside);
    for (int64_t f = 0; f < 3; f++) {
        packing->side_at[(3 * row + f) * lanes + lane] =
            there[f] - (segments->about_com ? beside[TILE_OUT + f] : 0.0);
    }
}

static rct_status write_sides(const rct_planting *p, rct_error *error)
{
    rct_bush_packing *packing = p->packing;
    const char *what = "the bushes";
    for (int64_t g = 0; g < first_of(packing, packing->bushes.count); g++) {
        packing->side_row[g] = packing->side_row[g] < 0 ? -1 : packing->side_rows++;
    }
    const int64_t rows = (int64_t)packing->side_rows * packing->lanes;
    packing->side_up = rct_allocate(rows, sizeof(int32_t), what, error);
    packing->side_node = rct_allocate(rows, sizeof(int32_t), what, error);
    packing->side_at = rct_allocate(3 * rows, sizeof(double), what, error);
    if (packing->side_up == NULL || packing->side_node == NULL || packing->side_at == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < rows; i++) {
        packing->side_up[i] = (int32_t)(i % packing->lanes);
        packing->side_node[i] = -1;
    }
    for (int32_t k = 0; k < packing->partition->task_count; k++) {
        if (packing->segments->task_segment[k] >= 0) {
            write_side(p, &p->tasks[k], packing->segments->task_segment[k]);
        }
    }
    return RCT_OK;
}

static rct_status write_waves(const rct_planting *p, rct_error *error)
{
    rct_bush_packing *packing = p->packing;
    const char *what = "the bushes";
    const int64_t waves = first_of(packing, packing->bushes.count), number = sizeof(int32_t);
    packing->label = rct_allocate(waves * packing->lanes, number, what, error);
    packing->starts = rct_allocate(waves, number, what, error);
    packing->hung = rct_allocate(waves, number, what, error);
    packing->up_row = rct_allocate(waves, number, what, error);
    packing->side_row = rct_allocate(waves, number, what, error);
    packing->first_kid = rct_allocate(waves + 1, sizeof(int64_t), what, error);
    if (packing->label == NULL || packing->starts == NULL || packing->hung == NULL ||
        packing->up_row == NULL || packing->side_row == NULL || packing->first_kid == NULL) {
        return RCT_ERROR_MEMORY;
    }
    packing->padding = waves * packing->lanes;
    for (int64_t i = 0; i < packing->padding; i++) {
        packing->label[i] = -1;
    }
    for_links(p, write_link);
    for (int64_t g = 0; g < waves; g++) {
        packing->first_kid[g + 1] += packing->first_kid[g];
        packing->side_row[g] = -1;
        packing->up_row[g] = packing->up_rows;
        packing->up_rows += packing->hung[g] != 0;
    }
    write_roots(p);
    return write_sides(p, error);
}

/* What no link has finds the neutral row of the scratch, or any state. */
static rct_status write_lists(const rct_planting *p, rct_error *error)
{
    rct_bush_packing *packing = p->packing;
    const char *what = "the bushes";
    const int64_t lanes = packing->lanes, number = sizeof(int32_t);
    const int64_t kids = packing->first_kid[first_of(packing, packing->bushes.count)] * lanes;
    packing->up = rct_allocate(packing->up_rows * lanes, number, what, error);
    packing->kid = rct_allocate(kids, number, what, error);
    packing->kid_at = rct_allocate(3 * kids, sizeof(double), what, error);
    if (packing->up == NULL || packing->kid == NULL || packing->kid_at == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < packing->up_rows * lanes; i++) {
        packing->up[i] = (int32_t)(i % lanes);
    }
    for (int64_t i = 0; i < kids; i++) {
        packing->kid[i] = (int32_t)(i % lanes);
    }
    for_links(p, write_joints);
    return RCT_OK;
}

/* ---- planting ----------------------------------------------------------------------------- */

static rct_status allocate_planting(rct_planting *p, rct_error *error)
{
    const char *what = "the bushes";
    rct_bush_packing *packing = p->packing;
    const int64_t tasks = packing->partition->task_count;
    const int64_t links = tasks > 0 ? p->links->count : 0, number = sizeof(int32_t);
    p->height = rct_allocate(links, number, what, error);
    p->at = rct_allocate(links, sizeof(int64_t), what, error);
    p->sorted = rct_allocate(links, number, what, error);
    p->key = rct_allocate(links, number, what, error);
    p->other = rct_allocate(links, number, what, error);
    p->begin = rct_allocate(links + RCT_ALIKE + 2, number, what, error);
    packing->task = rct_allocate(tasks, number, what, error);
    packing->root = rct_allocate(tasks, sizeof(rct_bush_root), what, error);
    packing->first_root = rct_allocate(tasks + 1, sizeof(int64_t), what, error);
    packing->first_sheaf = rct_allocate(tasks + 1, number, what, error);
    packing->first_wave = rct_allocate(links + 1, sizeof(int64_t), what, error);
    const int whole = p->height != NULL && p->at != NULL && p->sorted != NULL && p->key != NULL &&
                      p->other != NULL && p->begin != NULL && packing->task != NULL &&
                      packing->root != NULL && packing->first_root != NULL &&
                      packing->first_sheaf != NULL && packing->first_wave != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status plant(rct_bush_packing *packing, rct_error *error)
{
    rct_planting p = {.packing = packing,
                      .links = &packing->segments->plan->links,
                      .tasks = packing->partition->tasks};
    rct_status status = allocate_planting(&p, error);
    if (status == RCT_OK) {
        rct_plant(&p);
        status = write_waves(&p, error);
    }
    if (status == RCT_OK) {
        status = write_lists(&p, error);
    }
    rct_release(p.height);
    rct_release(p.at);
    rct_release(p.sorted);
    rct_release(p.key);
    rct_release(p.other);
    rct_release(p.begin);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static rct_status allocate_states(rct_bush_packing *packing, rct_error *error)
{
    rct_bushes *b = &packing->bushes;
    const int64_t lane = packing->lanes * (int64_t)sizeof(double);
    b->state = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->base = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->sum = rct_allocate(b->waves, STATE_FIELDS * lane, "the state", error);
    b->results = rct_allocate(b->waves, RESULT_FIELDS * lane, "the results", error);
    const int whole = b->state != NULL && b->base != NULL && b->sum != NULL && b->results != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static void show_bushes(rct_bush_packing *packing)
{
    rct_bushes *b = &packing->bushes;
    b->waves = first_of(packing, b->count);
    b->first_sheaf = packing->first_sheaf;
    b->first_wave = packing->first_wave;
    b->label = packing->label;
    b->starts = packing->starts;
    b->hung = packing->hung;
    b->up_row = packing->up_row;
    b->up = packing->up;
    b->first_kid = packing->first_kid;
    b->kid = packing->kid;
    b->kid_at = packing->kid_at;
    b->side_row = packing->side_row;
    b->side_up = packing->side_up;
    b->side_at = packing->side_at;
    b->side_node = packing->side_node;
    b->segment_state = packing->segments->tiles.state;
    b->first_root = packing->first_root;
    b->root = packing->root;
}

rct_bush_packing *rct_bush_packing_create(const rct_packing *segments,
                                          const rct_partition *partition, int32_t wanted,
                                          rct_error *error)
{
    rct_bush_packing *packing = rct_allocate(1, sizeof *packing, "the bushes", error);
    if (packing == NULL) {
        return NULL;
    }
    packing->segments = segments;
    packing->partition = partition;
    packing->wanted = wanted;
    packing->lanes = packing->constants.lanes = segments->lanes;
    packing->constants.fields = LINK_FIELDS;
    rct_status status = plant(packing, error);
    if (status == RCT_OK) {
        show_bushes(packing);
        status = allocate_states(packing, error);
    }
    if (status == RCT_OK) {
        status = rct_bush_packing_renew(packing, error);
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
        rct_release(packing->first_sheaf);
        rct_release(packing->first_wave);
        rct_release(packing->label);
        rct_release(packing->starts);
        rct_release(packing->hung);
        rct_release(packing->up_row);
        rct_release(packing->up);
        rct_release(packing->first_kid);
        rct_release(packing->kid);
        rct_release(packing->kid_at);
        rct_release(packing->side_row);
        rct_release(packing->side_up);
        rct_release(packing->side_at);
        rct_release(packing->side_node);
        rct_release(packing->first_root);
        rct_release(packing->root);
        rct_release(packing->own_gravity);
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
    const int64_t kids = b->first_kid[b->waves];
    const int64_t numbers = b->waves * (3 * STATE_FIELDS + RESULT_FIELDS) +
                            (packing->own_gravity != NULL ? 3 * b->waves : 0) +
                            3 * (kids + packing->side_rows);
    const int64_t places = b->waves + packing->up_rows + kids + 2 * (int64_t)packing->side_rows;
    const int64_t task = (int64_t)sizeof(int32_t) + (int64_t)sizeof(rct_bush_root);
    return (int64_t)sizeof *packing + rct_constants_bytes(&packing->constants, b->waves) +
           packing->lanes *
               (numbers * (int64_t)sizeof(double) + places * (int64_t)sizeof(int32_t)) +
           b->waves * (int64_t)(5 * sizeof(int32_t) + sizeof(int64_t)) +
           packing->partition->task_count * task;
}
