/* The constants of a mixed run on a device, and its trunk. */
#include "backend/cuda/mixed.h"

#include "core/memory.h"

/* A field of a struct of device pointers: `count` elements like those of `from`, copied or zero. */
#define ROOM(field, from, count)                                                                   \
    ((field) =                                                                                     \
         rct_cuda_room(&run->lease, from, (int64_t)(count) * (int64_t)sizeof *(field), error),     \
     (field) != NULL)

/* ---- trunk -------------------------------------------------------------------------------- */

static rct_status allocate_trunk(rct_mixed_run *run, rct_error *error)
{
    const char *what = "the trunk";
    const int64_t nodes = run->packing->trunk.count, number = sizeof(int32_t);
    run->node_label = rct_allocate(nodes, number, what, error);
    run->trunk_parent = rct_allocate(nodes, number, what, error);
    run->trunk_row = rct_allocate(nodes, number, what, error);
    run->trunk_open = rct_allocate(nodes, number, what, error);
    run->trunk_path = rct_allocate(nodes, sizeof(int64_t), what, error);
    run->hung = rct_allocate(nodes, sizeof(int64_t), what, error);
    run->trunk.work = rct_allocate(nodes, TRUNK_FIELDS * (int64_t)sizeof(double), what, error);
    const int whole = run->node_label != NULL && run->trunk_parent != NULL &&
                      run->trunk_row != NULL && run->trunk_open != NULL &&
                      run->trunk_path != NULL && run->hung != NULL && run->trunk.work != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Records of the nodes that are no links, side by side: field f of record k at f * stride + k. */
static rct_status write_records(rct_mixed_run *run, rct_error *error)
{
    rct_mixed_trunk *t = &run->trunk;
    const double *paths = run->packing->lanes.sheaves.paths;
    t->paths = rct_cuda_pinned(t->stride * (int64_t)(PATH_OPEN_FIELDS * sizeof(double)), error);
    if (t->paths == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t n = 0; n < t->count; n++) {
        for (int f = PATH_STAND_IN; t->open[n] && f < PATH_STAND_IN + 2; f++) {
            t->paths[t->path[n] + (int64_t)f * t->stride] =
                paths[run->hung[t->path[n]] + (int64_t)f * WARP];
        }
    }
    return RCT_OK;
}

rct_status rct_cuda_mixed_trunk(rct_mixed_run *run, rct_error *error)
{
    const rct_mixed_packing *packing = run->packing;
    const rct_mixed_trunk *all = &packing->trunk;
    if (allocate_trunk(run, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    int32_t open = 0, closed = 0;
    for (int32_t n = 0; n < all->count; n++) {
        closed += all->open[n]; /* behind the open ones */
    }
    run->device.hung_open = closed;
    for (int32_t n = 0; n < all->count; n++) {
        run->trunk_parent[n] = all->parent[n];
        run->trunk_row[n] = all->row[n];
        run->trunk_open[n] = all->open[n];
        run->node_label[n] = packing->node_label[n];
        if (all->row[n] < 0) {
            const int32_t k = all->open[n] ? open++ : closed++;
            run->trunk_path[n] = k;
            run->hung[k] = all->path[n];
        }
    }
    run->trunk.count = all->count;
    run->trunk.parent = run->trunk_parent;
    run->trunk.row = run->trunk_row;
    run->trunk.open = run->trunk_open;
    run->trunk.path = run->trunk_path;
    run->trunk.stride = closed;
    return write_records(run, error);
}

/* ---- upload ------------------------------------------------------------------------------- */

/* Hinge types by lane; neutral links with the first there is in their row. */
static int upload_kinds(rct_mixed_run *run, rct_error *error)
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
    const int there = ROOM(run->device.lanes.kinds, kinds, r->rows * WARP);
    rct_release(kinds);
    return there;
}

static int upload_layout(rct_mixed_run *run, rct_error *error)
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
           ROOM(s->kid, host->kid, host->first_kid[rows] * WARP);
}

static int upload_states(rct_mixed_run *run, rct_error *error)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    const rct_mixed_sheaves *host = &r->sheaves;
    rct_mixed_sheaves *s = &run->device.lanes;
    rct_mixed_device *d = &run->device;
    const int64_t state = r->state_at[r->rows] * WARP;
    return ROOM(s->state, host->state, state) && ROOM(s->base, NULL, state) &&
           ROOM(s->sum, NULL, state) && ROOM(s->results, NULL, r->result_at[r->rows] * WARP) &&
           ROOM(s->paths, host->paths, r->path_at[host->count] * WARP) &&
           (host->loads == NULL || ROOM(s->loads, NULL, r->rows * LOAD_FIELDS * WARP)) &&
           ROOM(d->scratch, NULL, r->rows * rct_mixed_scratch_fields(host) * WARP);
}

rct_status rct_cuda_mixed_upload(rct_mixed_run *run, rct_error *error)
{
    rct_mixed_device *d = &run->device;
    d->hung_count = run->trunk.stride;
    const int whole = upload_layout(run, error) && upload_states(run, error) &&
                      ROOM(d->hung, run->hung, d->hung_count) &&
                      ROOM(d->hung_records, NULL, (int64_t)d->hung_count * PATH_OPEN_FIELDS) &&
                      ROOM(d->fault, run->fault, 1) && ROOM(d->finished, NULL, 1);
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}
