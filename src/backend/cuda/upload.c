/* The constants of a run on a device. */
#include "backend/cuda/run.h"

/* A field of a struct of device pointers: `count` elements like those of `from`, copied or zero. */
#define ROOM(field, from, count)                                                                   \
    ((field) =                                                                                     \
         rct_cuda_room(&run->lease, from, (int64_t)(count) * (int64_t)sizeof *(field), error),     \
     (field) != NULL)

/* The same of what only some plans have: NULL where `from` is. */
#define ROOM_IF_ANY(field, from, count) ((from) == NULL || ROOM(field, from, count))

static int upload_tiles(rct_run *run, rct_error *error)
{
    const rct_packing *packing = run->layout->packing;
    const rct_tiles *host = &packing->tiles;
    rct_tiles *tiles = &run->device.tiles;
    rct_device *d = &run->device;
    *tiles = *host;
    const int64_t lanes = host->steps * WARP;
    return ROOM(tiles->first_step, host->first_step, host->count + 1) &&
           ROOM(tiles->record, host->record, host->steps) &&
           ROOM(tiles->shared, host->shared, packing->constants.shared_count * TILE_LINK_FIELDS) &&
           ROOM(tiles->wide, host->wide, packing->constants.wide_count * TILE_LINK_FIELDS * WARP) &&
           ROOM(tiles->slot, host->slot, host->steps) &&
           ROOM(tiles->side, NULL, (int64_t)packing->slot_count * SIDE_FIELDS * WARP) &&
           ROOM(tiles->stand_in, host->stand_in, (int64_t)host->count * WARP) &&
           ROOM(tiles->state, host->state, lanes * STATE_FIELDS) &&
           ROOM(tiles->base, host->base, lanes * STATE_FIELDS) &&
           ROOM(tiles->sum, host->sum, lanes * STATE_FIELDS) &&
           ROOM(tiles->results, NULL, lanes * RESULT_FIELDS) &&
           ROOM(d->scratch, NULL, lanes * SCRATCH_FIELDS) &&
           ROOM(d->label, run->layout->label, (int64_t)host->count * WARP) &&
           ROOM(d->piece, run->layout->piece, (int64_t)host->count * WARP);
}

/* Bytes of shared memory that the upper levels need, 0 where the device has not so much. */
static int32_t upper_shared(const rct_cuda_layout *layout, int32_t most)
{
    const int64_t ends = (layout->root_count + WARP - 1) / WARP * WARP;
    const int64_t pairs = layout->upper_count - layout->root_count;
    const int64_t bytes = (layout->upper_count + 1) * (int64_t)(SPAN_CORE * sizeof(double)) +
                          ends * (int64_t)(END_FIELDS * sizeof(double)) +
                          pairs * (int64_t)sizeof(rct_pair) +
                          UPPER_MARKS * (int64_t)sizeof(int32_t);
    return bytes <= most - 1024 ? (int32_t)bytes : 0; /* the runtime keeps a little */
}

static int upload_spans(rct_run *run, rct_error *error)
{
    const rct_cuda_layout *layout = run->layout;
    rct_device *d = &run->device;
    d->blocks = layout->blocks;
    d->upper_levels = layout->upper_levels;
    d->root_count = layout->root_count;
    d->upper_count = layout->upper_count;
    d->upper_shared = upper_shared(layout, run->lease.block_shared);
    d->segment_count = layout->whole->segment_count;
    const int64_t ends = (layout->root_count + WARP - 1) / WARP * (int64_t)(WARP * END_FIELDS);
    return ROOM(d->spans, NULL, (int64_t)layout->blocks * SLOTS * SPAN_CORE) &&
           ROOM(d->upper_spans, NULL, (int64_t)(layout->upper_count + 1) * SPAN_CORE) &&
           ROOM(d->upper_ends, NULL, ends) &&
           ROOM(d->lower_pairs, layout->lower_pairs, (int64_t)layout->blocks * PIECES) &&
           ROOM(d->lower, layout->lower, (int64_t)layout->blocks * (LOWER_LEVELS + 1)) &&
           ROOM(d->upper_pairs, layout->upper_pairs, layout->upper_count - layout->root_count) &&
           ROOM(d->upper, layout->upper, UPPER_MARKS) &&
           ROOM(d->first_root, layout->first_root, layout->blocks + 1) &&
           ROOM(d->roots, layout->roots, layout->root_count) &&
           ROOM(d->top, layout->top, layout->whole->segment_count);
}

static int upload_trunk(rct_run *run, rct_error *error)
{
    const rct_partition *p = run->layout->whole;
    const int64_t nodes = p->reduced.count;
    rct_trunk *t = &run->device.trunk;
    const rct_links *host = &p->reduced;
    t->links = *host;
    t->count = p->trunk_count;
    return ROOM(t->links.parent, host->parent, nodes) &&
           ROOM(t->links.child_begin, host->child_begin, nodes + 1) &&
           ROOM(t->links.child, host->child, nodes) &&
           ROOM(t->links.sweep, host->sweep, nodes * LINK_FIELDS) &&
           ROOM(t->links.inertia, host->inertia, nodes * LINK_INERTIA_FIELDS) &&
           ROOM_IF_ANY(t->links.own_gravity, host->own_gravity, 3 * nodes) &&
           ROOM(t->segment, p->segment, nodes) && ROOM(t->stretches, p->trunk, p->trunk_count) &&
           ROOM(t->state, run->trunk.state, nodes * STATE_FIELDS) &&
           ROOM(t->base, NULL, nodes * STATE_FIELDS) && ROOM(t->sum, NULL, nodes * STATE_FIELDS) &&
           ROOM(t->work, NULL, nodes * run->serial->work_fields) &&
           ROOM(t->spans, NULL, (int64_t)p->segment_count * SPAN_FIELDS) &&
           ROOM(t->ends, NULL, (int64_t)p->segment_count * END_FIELDS) &&
           ROOM(run->device.node_label, p->label, nodes) && ROOM(run->device.fault, run->fault, 1);
}

static int upload_bushes(rct_run *run, rct_error *error)
{
    const rct_bush_packing *planted = run->layout->planted;
    const rct_bushes *host = &planted->bushes;
    const rct_constants *constants = &planted->constants;
    const int64_t lanes = host->waves * WARP, kids = host->first_kid[host->waves] * WARP;
    rct_bushes *b = &run->device.bushes;
    *b = *host;
    b->work = run->device.trunk.work;
    b->segment_state = run->device.tiles.state;
    return ROOM(b->first_sheaf, host->first_sheaf, host->count + 1) &&
           ROOM(b->first_wave, host->first_wave, host->first_sheaf[host->count] + 1) &&
           ROOM(b->record, host->record, host->waves) &&
           ROOM(b->shared, host->shared, constants->shared_count * TILE_LINK_FIELDS) &&
           ROOM(b->wide, host->wide, constants->wide_count * TILE_LINK_FIELDS * WARP) &&
           ROOM_IF_ANY(b->own_gravity, host->own_gravity, 3 * lanes) &&
           ROOM(b->label, host->label, lanes) && ROOM(b->starts, host->starts, host->waves) &&
           ROOM(b->hung, host->hung, host->waves) && ROOM(b->up_row, host->up_row, host->waves) &&
           ROOM(b->up, host->up, (int64_t)planted->up_rows * WARP) &&
           ROOM(b->first_kid, host->first_kid, host->waves + 1) && ROOM(b->kid, host->kid, kids) &&
           ROOM(b->kid_at, host->kid_at, 3 * kids) &&
           ROOM(b->first_root, host->first_root, host->count + 1) &&
           ROOM(b->root, host->root, run->layout->whole->task_count) &&
           ROOM(b->state, host->state, lanes * STATE_FIELDS) &&
           ROOM(b->base, host->base, lanes * STATE_FIELDS) &&
           ROOM(b->sum, host->sum, lanes * STATE_FIELDS) &&
           ROOM(b->results, NULL, lanes * RESULT_FIELDS);
}

/* Tasks beside pieces. */
static int upload_bush_sides(rct_run *run, rct_error *error)
{
    const rct_bush_packing *planted = run->layout->planted;
    const rct_bushes *host = &planted->bushes;
    const int64_t rows = (int64_t)planted->side_rows * WARP;
    rct_bushes *b = &run->device.bushes;
    return ROOM(b->side_row, host->side_row, host->waves) &&
           ROOM(b->side_up, host->side_up, rows) && ROOM(b->side_at, host->side_at, 3 * rows) &&
           ROOM(b->side_node, host->side_node, rows);
}

static int upload_tasks(rct_run *run, rct_error *error)
{
    const rct_cuda_layout *layout = run->layout;
    rct_device *d = &run->device;
    d->side_records = layout->side_records;
    d->hung_count = layout->hung_count;
    const rct_bushes *b = &layout->planted->bushes;
    return upload_bushes(run, error) && upload_bush_sides(run, error) &&
           ROOM(d->bush_scratch, NULL, b->count * b->most_rows * (int64_t)(BUSH_FIELDS * WARP)) &&
           ROOM(d->side_first, layout->side_first, layout->side_records + 1) &&
           ROOM(d->sides, layout->sides, layout->side_count) &&
           ROOM(d->root_side, layout->root_side, layout->whole->task_count) &&
           ROOM(d->hung, layout->hung, layout->hung_count) &&
           ROOM(d->hung_rows, NULL, (int64_t)layout->hung_count * run->serial->work_fields);
}

static int upload_measure(rct_run *run, rct_error *error)
{
    const rct_links *host = &run->plan->links;
    const int64_t links = host->count, blocks = measure_blocks(links);
    rct_device_measure *m = &run->measure;
    m->links = *host;
    m->links.child_begin = m->links.child = NULL; /* not asked for */
    return ROOM(m->links.parent, host->parent, links) &&
           ROOM(m->links.sweep, host->sweep, links * LINK_FIELDS) &&
           ROOM(m->links.inertia, host->inertia, links * LINK_INERTIA_FIELDS) &&
           ROOM_IF_ANY(m->links.own_gravity, host->own_gravity, 3 * links) &&
           ROOM(m->length, run->layout->length,
                (int64_t)run->layout->packing->tiles.count * WARP) &&
           ROOM(m->state, NULL, links * STATE_FIELDS) && ROOM(m->points[0], NULL, links * 6) &&
           ROOM(m->points[1], NULL, links * 6) && ROOM(m->ancestor[0], NULL, links) &&
           ROOM(m->ancestor[1], NULL, links) && ROOM(m->reference, NULL, links) &&
           ROOM(m->parts, NULL, blocks * MEASURE_SPLIT) && ROOM(m->total, NULL, MEASURE_SPLIT);
}

static int prepare(const rct_run *run, rct_error *error)
{
    cudaError_t prepared = run->kernels->prepare();
    prepared = prepared == cudaSuccess ? rct_device_measure_prepare() : prepared;
    if (prepared != cudaSuccess) {
        rct_cuda_fail("loading kernels", prepared, error);
    }
    return prepared == cudaSuccess;
}

rct_status rct_cuda_upload(rct_run *run, rct_error *error)
{
    const int whole = upload_tiles(run, error) && upload_spans(run, error) &&
                      upload_trunk(run, error) && upload_tasks(run, error) &&
                      upload_measure(run, error) && prepare(run, error) &&
                      rct_cuda_filled(&run->lease, error);
    return whole ? RCT_OK : RCT_ERROR_MEMORY; /* any failure will do: `error` has the true one */
}
