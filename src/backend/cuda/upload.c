/* Everything that a run has on the device: layout, constants, room; and the records of a trunk on
 * the host. */
#include "backend/cuda/run.h"

#include "core/memory.h"
#include "topology/rows.h"

#include <string.h>

/* A field of a struct of device pointers: `count` elements like those of `from`, copied or zero. */
#define ROOM(field, from, count)                                                                   \
    ((field) =                                                                                     \
         rct_cuda_room(&run->lease, from, (int64_t)(count) * (int64_t)sizeof *(field), error),     \
     (field) != NULL)

/* ---- rows --------------------------------------------------------------------------------- */

/* Hinge types by lane; neutral links have the first type of their row. */
static int upload_kinds(rct_run *run, const rct_rows *r, rct_sheaves *s, rct_error *error)
{
    const int64_t lanes = r->lanes;
    int32_t *kinds = rct_allocate(r->rows * lanes, sizeof *kinds, "hinge types", error);
    if (kinds == NULL) {
        return 0;
    }
    for (int64_t g = 0; g < r->rows; g++) {
        int32_t first = r->kinds[g];
        for (int64_t lane = 0; lane < lanes && first < 0; lane++) {
            const int32_t label = r->label[g * lanes + lane];
            first = label >= 0 ? run->plan->links.kind[label] : first;
        }
        for (int64_t lane = 0; lane < lanes; lane++) {
            const int32_t label = r->label[g * lanes + lane];
            kinds[g * lanes + lane] = label >= 0 ? run->plan->links.kind[label] : first;
        }
    }
    const int there = ROOM(s->kinds, kinds, r->rows * lanes) && rct_cuda_filled(&run->lease, error);
    rct_release(kinds);
    return there;
}

/* What acts at hinges, or on links, where anything does. */
static int upload_constants(rct_run *run, int64_t rows, const rct_constants *from,
                            rct_row_constants *to, rct_error *error)
{
    to->spread = NULL; /* only for lanes in one thread */
    return from->record == NULL ||
           (ROOM(to->row, from->record, rows) &&
            ROOM(to->shared, from->shared, (int64_t)from->shared_count * from->fields) &&
            ROOM(to->wide, from->wide, from->wide_count * from->fields * from->lanes));
}

/* Tables of forces, one after the other; forces without a table share the first. */
static int upload_tables(rct_run *run, const rct_rows *r, rct_hinge_forces *f, rct_error *error)
{
    const rct_hinge_table *host = r->hinge_table;
    const int64_t count = 1 + (int64_t)r->forces;
    int64_t all = 0, at = 0;
    for (int64_t i = 0; i < count; i++) {
        all += i == 0 || host[i].numbers != host[0].numbers ? 3 * host[i].rows : 0;
    }
    rct_hinge_table *tables = rct_allocate(count, sizeof *tables, "tables", error);
    double *numbers = rct_allocate(all, sizeof *numbers, "tables", error);
    double *there = NULL;
    if (tables != NULL && numbers != NULL && ROOM(there, NULL, all)) {
        for (int64_t i = 0; i < count; i++) {
            const int own = i == 0 || host[i].numbers != host[0].numbers;
            const int64_t size = own ? 3 * host[i].rows : 0;
            memcpy(numbers + at, host[i].numbers, (size_t)size * sizeof *numbers);
            tables[i] = (rct_hinge_table){own ? there + at : there, host[i].rows};
            at += size;
        }
    }
    const int good = there != NULL &&
                     rct_cuda_send(&run->lease, there, numbers, all, cudaMemcpyHostToDevice) &&
                     ROOM(f->table, tables, count) && rct_cuda_filled(&run->lease, error);
    rct_release(tables);
    rct_release(numbers);
    return good;
}

static int upload_hinge_forces(rct_run *run, const rct_rows *r, rct_sheaves *s, rct_error *error)
{
    const rct_hinge_forces *host = &r->sheaves.hinge_forces;
    rct_hinge_forces *f = &s->hinge_forces;
    if (host->begin == NULL) {
        return 1;
    }
    const int64_t entries = host->begin[r->rows];
    return ROOM(f->begin, host->begin, r->rows + 1) && ROOM(f->entry, host->entry, entries) &&
           ROOM(f->force, host->force, entries * r->lanes) &&
           upload_constants(run, entries, &r->hinge_numbers, &f->number, error) &&
           upload_tables(run, r, f, error) &&
           (r->lanes == 1 || ROOM(s->exerted, NULL, r->rows * 3 * r->lanes));
}

static int upload_layout(rct_run *run, const rct_rows *r, rct_sheaves *s, rct_error *error)
{
    const rct_sheaves *host = &r->sheaves;
    const int64_t rows = r->rows, lanes = r->lanes;
    *s = *host;
    s->kind_lanes = NULL; /* only for lanes in one thread */
    s->spread = NULL;
    return ROOM(s->first_sheaf, host->first_sheaf, host->groups + 1) &&
           ROOM(s->first_row, host->first_row, host->count + 1) &&
           ROOM(s->path_at, host->path_at, host->count + 1) &&
           ROOM(s->narrow, host->narrow, host->count) &&
           ROOM(s->label, host->label, rows * lanes) && upload_kinds(run, r, s, error) &&
           ROOM(s->record, host->record, rows) &&
           ROOM(s->shared, host->shared, (int64_t)r->constants.shared_count * host->link_fields) &&
           ROOM(s->wide, host->wide, r->constants.wide_count * host->link_fields * lanes) &&
           ROOM(s->starts, host->starts, rows) && ROOM(s->grounded, host->grounded, rows) &&
           ROOM(s->inside, host->inside, rows) && ROOM(s->coordinates, host->coordinates, rows) &&
           ROOM(s->state_at, host->state_at, rows + 1) &&
           ROOM(s->result_at, host->result_at, rows + 1) &&
           ROOM(s->first_kid, host->first_kid, rows + 1) &&
           ROOM(s->kid, host->kid, host->first_kid[rows] * lanes) && ROOM(s->has, r->has, rows) &&
           upload_constants(run, rows, &r->efforts, &s->effort, error) &&
           upload_constants(run, rows, &r->wrenches, &s->wrench, error) &&
           upload_hinge_forces(run, r, s, error) &&
           (host->own_gravity == NULL || ROOM(s->own_gravity, host->own_gravity, 3 * rows * lanes));
}

static int upload_states(rct_run *run, const rct_rows *r, rct_sheaves *s, rct_error *error)
{
    const int64_t lanes = r->lanes, state = r->state_at[r->rows] * lanes;
    return ROOM(s->state, r->sheaves.state, state) && ROOM(s->base, NULL, state) &&
           ROOM(s->sum, NULL, state) && ROOM(s->slots, NULL, run->slots * state) &&
           ROOM(s->results, NULL, r->result_at[r->rows] * lanes) &&
           (r->sheaves.loads == NULL || ROOM(s->loads, NULL, r->rows * LOAD_FIELDS * lanes)) &&
           (r->sheaves.rotors == NULL || ROOM(s->rotors, NULL, r->rows * 3 * lanes));
}

/* ---- paths -------------------------------------------------------------------------------- */

/* Where narrow paths read the turn of what they hang on. Nodes have places of their own here: a
 * trunk on the device has all its fields there, a trunk on the host only the turns. */
static int upload_turns(rct_run *run, rct_error *error)
{
    const rct_rows *r = &run->packing->lanes;
    const int64_t count = (int64_t)r->sheaves.count * WARP;
    const int32_t stride = run->junction != NULL ? TRUNK_FIELDS : STATE_FIELDS;
    const int32_t first = run->junction != NULL ? TRUNK_TURN : 0;
    rct_twigs *t = &run->device.lanes.twigs;
    int32_t *turn = rct_allocate(count, sizeof *turn, "narrow paths", error);
    if (turn == NULL) {
        return 0;
    }
    for (int64_t k = 0; k < count; k++) {
        turn[k] =
            r->turn[k] > 0 ? run->trunk.slot_of[r->turn[k] / TRUNK_FIELDS] * stride + first : 0;
    }
    const int there = ROOM(t->turn, turn, count) && rct_cuda_filled(&run->lease, error);
    rct_release(turn);
    t->work = run->junction != NULL ? run->device.trunk.work : run->trunk.device_turns;
    /* threads whose path hangs on nothing there read something as well */
    return there && (t->work != NULL || ROOM(t->work, NULL, STATE_FIELDS));
}

static int upload_twigs(rct_run *run, rct_error *error)
{
    const rct_rows *r = &run->packing->lanes;
    const rct_twigs *host = &r->sheaves.twigs;
    const int64_t rows = r->rows, twigs = host->first[rows] * WARP;
    rct_twigs *t = &run->device.lanes.twigs;
    return ROOM(t->begin, host->begin, rows) &&
           ROOM(t->up, host->up, (int64_t)r->sheaves.count * WARP) &&
           ROOM(t->first, host->first, rows + 1) && ROOM(t->place, host->place, twigs) &&
           ROOM(t->at, host->at, 3 * twigs) && ROOM(t->beside, host->beside, rows) &&
           ROOM(t->trunk, host->trunk, rows) && ROOM(t->behind, host->behind, rows) &&
           upload_turns(run, error);
}

/* Copies the stand-in on an end from one record to another. */
static void stand_in(double *records, int64_t to, int64_t from)
{
    for (int64_t f = PATH_STAND_IN; f < PATH_STAND_IN + 2; f++) {
        records[to + f * WARP] = records[from + f * WARP];
    }
}

/* Records of paths, and those of runs and chains, with the stand-ins on their ends. */
static int upload_paths(rct_run *run, rct_error *error)
{
    const rct_rows *r = &run->packing->lanes;
    const rct_cuda_chains *chains = &run->chains;
    const int64_t paths = r->path_at[r->sheaves.count] * WARP, all = rct_cuda_records(run);
    double *records = rct_allocate(all, sizeof *records, "the records of spans", error);
    rct_trunk *t = &run->trunk.shown;
    if (records == NULL) {
        return 0;
    }
    memcpy(records, r->sheaves.paths, (size_t)paths * sizeof *records);
    for (int32_t i = 0; i < run->runs.shown.pieces; i++) {
        const rct_piece *piece = &run->runs.piece[i];
        if (piece->end >= 0) {
            stand_in(records, run->runs.record[piece->end], rct_rows_path(r, piece->own));
        }
    }
    for (int32_t k = 0; k < chains->chain_count; k++) { /* members before what they make */
        const rct_chain *chain = &chains->chains[k];
        stand_in(records, chain->place, chains->members[chain->first + chain->count - 1].place);
    }
    for (int32_t k = 0; k < run->device.hung_open && !rct_cuda_is_resident(run); k++) {
        for (int64_t f = PATH_STAND_IN; f < PATH_STAND_IN + 2; f++) {
            t->paths[k + f * t->stride] = records[run->trunk.hung[k] + f * WARP];
        }
    }
    const int there =
        ROOM(run->device.lanes.paths, records, all) && rct_cuda_filled(&run->lease, error);
    rct_release(records);
    return there;
}

/* ---- runs, chains, the trunk --------------------------------------------------------------- */

static int upload_runs(rct_run *run, rct_error *error)
{
    const rct_cuda_runs *host = &run->runs;
    rct_runs *d = &run->device.runs;
    *d = host->shown;
    const int64_t pairs = d->upper_count - d->root_count;
    const int64_t ends = (int64_t)(d->root_count + WARP - 1) / WARP * (END_FIELDS * WARP);
    rct_cuda_share_out(run, d);
    return ROOM(d->piece, host->piece, d->pieces) && ROOM(d->record, host->record, d->count) &&
           ROOM(d->first_record, host->first_record, d->count) &&
           ROOM(d->first_piece, host->first_piece, d->count + 1) &&
           ROOM(d->spans, NULL, (int64_t)d->blocks * SLOTS * SPAN_CORE) &&
           ROOM(d->upper_spans, NULL, ((int64_t)d->upper_count + 1) * SPAN_CORE) &&
           ROOM(d->upper_ends, NULL, ends) &&
           ROOM(d->lower_pairs, host->lower_pairs, (int64_t)d->blocks * PIECES) &&
           ROOM(d->lower, host->lower, (int64_t)d->blocks * (LOWER_LEVELS + 1)) &&
           ROOM(d->upper_pairs, host->upper_pairs, pairs) &&
           ROOM(d->upper, host->upper, UPPER_MARKS) &&
           ROOM(d->first_root, host->first_root, d->blocks + 1) &&
           ROOM(d->roots, host->roots, d->root_count) && ROOM(d->top, host->top, d->count) &&
           (!run->alone || ROOM(d->at, run->trunk.shown.at, 3 * (int64_t)d->count));
}

/* A trunk on the host works on records of its own. */
static int make_host_trunk(rct_run *run, rct_error *error)
{
    const int64_t number = sizeof(double);
    rct_cuda_trunk *own = &run->trunk;
    rct_trunk *t = &own->shown;
    t->lanes = &run->packing->lanes.sheaves;
    t->stride = t->state_stride = run->device.hung_count;
    t->work = rct_allocate(t->slots, TRUNK_FIELDS * number, "the trunk", error);
    t->paths = rct_cuda_pinned(t->stride * PATH_OPEN_FIELDS * number, error);
    own->turns = rct_cuda_pinned(t->slots * STATE_FIELDS * number, error);
    t->states = t->paths;
    for (int32_t n = 0; n < t->count; n++) {
        own->last_state[n] = (int64_t)PATH_FRAME * t->stride + own->path[n];
    }
    return t->work != NULL && t->paths != NULL && own->turns != NULL &&
           ROOM(own->device_turns, NULL, (int64_t)t->slots * STATE_FIELDS);
}

static int upload_trunk(rct_run *run, rct_error *error)
{
    rct_cuda_trunk *own = &run->trunk;
    const rct_trunk *host = &own->shown;
    rct_trunk *t = &run->device.trunk;
    const int64_t count = host->count;
    *t = *host;
    t->stride = t->state_stride = WARP;
    t->states = run->device.lanes.state;
    t->paths = run->device.lanes.paths;
    for (int32_t n = 0; n < host->count; n++) {
        const int64_t record = own->path[n];
        own->last_state[n] = host->kind[n] == NODE_NARROW ? run->runs.last_state[record] : 0;
        own->path[n] = record >= 0 ? own->hung[record] : 0;
    }
    return ROOM(t->parent, host->parent, count) && ROOM(t->row, host->row, count) &&
           ROOM(t->kind, host->kind, count) && ROOM(t->slot, host->slot, count) &&
           ROOM(t->path, host->path, count) && ROOM(t->last_state, host->last_state, count) &&
           ROOM(t->follows, host->follows, count) && ROOM(t->at, host->at, 3 * count) &&
           ROOM(run->device.node_label, own->node_label, count) &&
           ROOM(t->work, NULL, (int64_t)host->slots * TRUNK_FIELDS) &&
           upload_layout(run, &run->packing->links, &run->device.rows, error) &&
           upload_states(run, &run->packing->links, &run->device.rows, error);
}

/* ---- roots -------------------------------------------------------------------------------- */

/* Lists the paths on the ground, in the order of their rows; `places` NULL: returns only how
 * many. */
static int32_t list_roots(const rct_rows *r, int64_t *places)
{
    int32_t count = 0;
    for (int32_t k = 0; k < r->sheaves.count; k++) {
        for (int64_t g = r->first_row[k]; g < r->first_row[k + 1]; g++) {
            for (int32_t lane = 0; lane < WARP && r->grounded[g] != 0; lane++) {
                const int stands = ((uint32_t)r->grounded[g] >> lane & 1) != 0;
                if (stands && places != NULL) {
                    places[count] = r->path_at[k] * WARP + lane;
                }
                count += stands;
            }
        }
    }
    return count;
}

static int upload_roots(rct_run *run, rct_error *error)
{
    const rct_rows *r = &run->packing->lanes;
    rct_cuda_roots *roots = &run->roots;
    if (r->sheaves.own_gravity == NULL) {
        return 1;
    }
    roots->count = list_roots(r, NULL);
    const int64_t numbers = roots->count * (int64_t)PATH_SHARE;
    roots->places = rct_allocate(roots->count, sizeof *roots->places, "paths on the ground", error);
    roots->packed = rct_cuda_pinned(numbers * (int64_t)sizeof *roots->packed, error);
    if (roots->places == NULL || roots->packed == NULL) {
        return 0;
    }
    list_roots(r, roots->places);
    return ROOM(roots->device_places, roots->places, roots->count) &&
           ROOM(roots->device_packed, NULL, numbers);
}

/* ---- balls in implicit stages --------------------------------------------------------------- */

/* Where the link is that each link hangs on (rct_holding). */
static int upload_above(rct_run *run, rct_error *error)
{
    const rct_links *links = &run->plan->links;
    const rct_packing *packing = run->packing;
    const int64_t lanes = packing->lanes.rows * WARP, count = lanes + packing->links.rows;
    if (run->slots < RCT_IMPLICIT_SLOTS || !links->wide || !rct_cuda_is_resident(run)) {
        return 1;
    }
    int64_t *above = rct_allocate(count, sizeof *above, "ball hinges", error);
    for (int64_t i = 0; i < count && above != NULL; i++) {
        above[i] = RCT_ON_GROUND;
    }
    for (int32_t l = 0; l < links->count && above != NULL; l++) {
        const int64_t at = packing->at[l] >= 0 ? packing->at[l] : lanes + ~packing->at[l];
        above[at] = links->parent[l] < 0 ? RCT_ON_GROUND : packing->at[links->parent[l]];
    }
    const int there = above != NULL && ROOM(run->device_above, above, count) &&
                      rct_cuda_filled(&run->lease, error);
    rct_release(above);
    return there;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The scratch of all groups (sweep_of_group in kernels/cuda/lane32.h). */
static int upload_scratch(rct_run *run, const rct_rows *r, rct_error *error)
{
    const rct_sheaves *s = &r->sheaves;
    const int64_t twigs = s->groups + (int64_t)s->first_sheaf[s->bushes];
    return ROOM(run->device.scratch, NULL, r->rows * s->row_fields * WARP) &&
           ROOM(run->device.twigs, NULL, twigs * TWIG_FIELDS * WARP);
}

static int prepare(rct_run *run, rct_error *error)
{
    cudaError_t (*const all[])(void) = {rct_prepare_frames,
                                        rct_prepare_chains,
                                        rct_prepare_join,
                                        rct_prepare_moves,
                                        rct_prepare_across,
                                        run->bushes->prepare,
                                        run->segments->prepare,
                                        run->kernels->pieces->prepare,
                                        run->junction != NULL ? run->junction->prepare
                                                              : rct_prepare_join};
    cudaError_t prepared = cudaSuccess;
    for (size_t k = 0; k < sizeof all / sizeof all[0] && prepared == cudaSuccess; k++) {
        prepared = all[k]();
    }
    if (prepared != cudaSuccess) {
        rct_cuda_fail("loading kernels", prepared, error);
    }
    return prepared == cudaSuccess;
}

rct_status rct_cuda_upload(rct_run *run, rct_error *error)
{
    const rct_rows *r = &run->packing->lanes;
    rct_device *d = &run->device;
    const int whole =
        upload_layout(run, r, &d->lanes, error) && upload_states(run, r, &d->lanes, error) &&
        upload_runs(run, error) && (rct_cuda_is_resident(run) || make_host_trunk(run, error)) &&
        upload_paths(run, error) && (run->junction == NULL || upload_trunk(run, error)) &&
        upload_twigs(run, error) && upload_roots(run, error) && upload_above(run, error) &&
        upload_scratch(run, r, error) &&
        ROOM(d->chains, run->chains.chains, run->chains.chain_count) &&
        ROOM(d->members, run->chains.members, run->chains.member_count) &&
        ROOM(d->hung, run->trunk.hung, d->hung_count) &&
        ROOM(d->hung_records, NULL, (int64_t)d->hung_count * PATH_OPEN_FIELDS) &&
        ROOM(d->fault, run->fault, 1) && ROOM(d->finished, NULL, 1) && ROOM(d->moves, NULL, 1) &&
        prepare(run, error) && rct_cuda_filled(&run->lease, error);
    return whole ? RCT_OK : RCT_ERROR_MEMORY; /* any failure will do: `error` has the true one */
}
