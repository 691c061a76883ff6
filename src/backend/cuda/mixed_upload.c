/* The constants of a mixed run on a device. */
#include "backend/cuda/mixed.h"

#include "core/memory.h"

#include <string.h>

/* A field of a struct of device pointers: `count` elements like those of `from`, copied or zero. */
#define ROOM(field, from, count)                                                                   \
    ((field) =                                                                                     \
         rct_cuda_room(&run->lease, from, (int64_t)(count) * (int64_t)sizeof *(field), error),     \
     (field) != NULL)

/* Hinge types by lane; neutral links with the first there is in their row. */
static int upload_kinds(rct_run *run, rct_error *error)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    int32_t *kinds = rct_allocate(r->rows * WARP, sizeof *kinds, "hinge types", error);
    if (kinds == NULL) {
        return 0;
    }
    for (int64_t g = 0; g < r->rows; g++) {
        int32_t first = r->kinds[g];
        for (int32_t lane = 0; lane < WARP && first < 0; lane++) {
            const int32_t label = r->label[g * WARP + lane];
            first = label >= 0 ? run->plan->kind[label] : first;
        }
        for (int32_t lane = 0; lane < WARP; lane++) {
            const int32_t label = r->label[g * WARP + lane];
            kinds[g * WARP + lane] = label >= 0 ? run->plan->kind[label] : first;
        }
    }
    const int there =
        ROOM(run->device.lanes.kinds, kinds, r->rows * WARP) && rct_cuda_filled(&run->lease, error);
    rct_release(kinds);
    return there;
}

/* What acts at hinges, or on links, where anything does. */
static int upload_constants(rct_run *run, const rct_constants *from, rct_row_constants *to,
                            rct_error *error)
{
    to->spread = NULL; /* for lanes that share a thread */
    return from->record == NULL ||
           (ROOM(to->row, from->record, run->packing->lanes.rows) &&
            ROOM(to->shared, from->shared, (int64_t)from->shared_count * from->fields) &&
            ROOM(to->wide, from->wide, from->wide_count * from->fields * WARP));
}

/* With loads all rows may have some. */
static const uint8_t *has_on_device(const rct_mixed_rows *r)
{
    for (int64_t g = 0; g < r->rows && r->sheaves.loads != NULL; g++) {
        r->has[g] |= HAS_LOAD;
    }
    return r->has;
}

static int upload_layout(rct_run *run, rct_error *error)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    const rct_mixed_sheaves *host = &r->sheaves;
    rct_mixed_sheaves *s = &run->device.lanes;
    const int64_t rows = r->rows;
    *s = *host;
    s->kind_lanes = NULL; /* for lanes that share a thread */
    return ROOM(s->first_sheaf, host->first_sheaf, host->groups + 1) &&
           ROOM(s->first_row, host->first_row, host->count + 1) &&
           ROOM(s->path_at, host->path_at, host->count + 1) &&
           ROOM(s->label, host->label, rows * WARP) && upload_kinds(run, error) &&
           ROOM(s->record, host->record, rows) &&
           ROOM(s->shared, host->shared, r->constants.shared_count * MIXED_FIELDS) &&
           ROOM(s->wide, host->wide, r->constants.wide_count * MIXED_FIELDS * WARP) &&
           ROOM(s->starts, host->starts, rows) && ROOM(s->grounded, host->grounded, rows) &&
           ROOM(s->coordinates, host->coordinates, rows) &&
           ROOM(s->state_at, host->state_at, rows + 1) &&
           ROOM(s->result_at, host->result_at, rows + 1) &&
           ROOM(s->first_kid, host->first_kid, rows + 1) &&
           ROOM(s->kid, host->kid, host->first_kid[rows] * WARP) &&
           ROOM(s->has, has_on_device(r), rows) &&
           upload_constants(run, &r->efforts, &s->effort, error) &&
           upload_constants(run, &r->wrenches, &s->wrench, error) &&
           (host->own_gravity == NULL || ROOM(s->own_gravity, host->own_gravity, 3 * rows * WARP));
}

/* Records of paths, and those of chains with what stands in on their ends. */
static int upload_paths(rct_run *run, rct_error *error)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    const rct_mixed_spans *spans = &run->spans;
    const int64_t paths = r->path_at[r->sheaves.count] * WARP, all = paths + spans->numbers;
    double *records = rct_allocate(all, sizeof *records, "the records of spans", error);
    if (records == NULL) {
        return 0;
    }
    memcpy(records, r->sheaves.paths, (size_t)paths * sizeof *records);
    for (int32_t k = 0; k < spans->chain_count; k++) { /* members before what they make */
        const rct_mixed_chain *chain = &spans->chains[k];
        const int64_t last = spans->members[chain->first + chain->count - 1].place;
        for (int64_t f = PATH_STAND_IN; f < PATH_STAND_IN + 2; f++) {
            records[chain->place + f * WARP] = records[last + f * WARP];
        }
    }
    rct_cuda_mixed_stand_ins(run, records);
    const int there =
        ROOM(run->device.lanes.paths, records, all) && rct_cuda_filled(&run->lease, error);
    rct_release(records);
    return there;
}

static int upload_states(rct_run *run, rct_error *error)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    const rct_mixed_sheaves *host = &r->sheaves;
    rct_mixed_sheaves *s = &run->device.lanes;
    rct_mixed_device *d = &run->device;
    const int64_t state = r->state_at[r->rows] * WARP;
    return ROOM(s->state, host->state, state) && ROOM(s->base, NULL, state) &&
           ROOM(s->sum, NULL, state) && ROOM(s->results, NULL, r->result_at[r->rows] * WARP) &&
           upload_paths(run, error) &&
           (host->loads == NULL || ROOM(s->loads, NULL, r->rows * LOAD_FIELDS * WARP)) &&
           ROOM(d->scratch, NULL, r->rows * host->row_fields * WARP);
}

/* The paths on the ground, in the order of their rows; `places` NULL: how many. */
static int32_t list_roots(const rct_mixed_rows *r, int64_t *places)
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
    const rct_mixed_rows *r = &run->packing->lanes;
    rct_mixed_roots *roots = &run->roots;
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

static const rct_mixed_launches *launches_of(const rct_mixed_rows *r)
{
    int any = 0;
    for (int64_t g = 0; g < r->rows && !any; g++) {
        any = (r->has[g] & HAS_ARMATURE) != 0;
    }
    return any ? &rct_mixed_armed : &rct_mixed_plain;
}

static int prepare(rct_run *run, rct_error *error)
{
    run->launches = launches_of(&run->packing->lanes);
    cudaError_t prepared = rct_mixed_prepare_groups();
    prepared = prepared == cudaSuccess ? run->launches->prepare() : prepared;
    prepared = prepared == cudaSuccess ? rct_mixed_prepare_spans() : prepared;
    if (prepared != cudaSuccess) {
        rct_cuda_fail("loading kernels", prepared, error);
    }
    return prepared == cudaSuccess;
}

rct_status rct_cuda_mixed_upload(rct_run *run, rct_error *error)
{
    rct_mixed_device *d = &run->device;
    d->hung_count = run->trunk.stride;
    const int whole = upload_layout(run, error) && upload_states(run, error) &&
                      upload_roots(run, error) &&
                      ROOM(d->chains, run->spans.chains, run->spans.chain_count) &&
                      ROOM(d->members, run->spans.members, run->spans.member_count) &&
                      ROOM(d->hung, run->hung, d->hung_count) &&
                      ROOM(d->hung_records, NULL, (int64_t)d->hung_count * PATH_OPEN_FIELDS) &&
                      ROOM(d->fault, run->fault, 1) && ROOM(d->finished, NULL, 1) &&
                      prepare(run, error) && rct_cuda_filled(&run->lease, error);
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}
