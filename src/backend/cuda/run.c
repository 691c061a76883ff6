/* The CUDA backend: whether it can run on this machine, how a run is made, and the table of
 * operations. */
#include "backend/cuda/run.h"

#include "backend/gather.h"
#include "backend/plugin.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

/* Nodes of the trunk up to which one thread of the device is faster than copying to the host and
 * back: for ball hinges and narrow paths alone, and for any. */
enum { BALLS_MOST = 16, OTHERS_MOST = 2 };

/* Links that loops hold are nodes of a trunk on the host (junction.c), which closes the loops,
 * unless the solver asks for the device.
 *
 * Links a segment: shorter ones wait less for one another, longer ones are composed less. From
 * THREADS segments on (256 on each of 132 multiprocessors) the device is full, and segments grow
 * instead. Side trees, and trees on the ground, of RAKE links and more are worth segments of their
 * own; in small systems those of a 32nd of the whole, because a long path takes long in one
 * lane. */
enum {
    SHORT = 3,
    LONG = 64,
    THREADS = 33792,
    RAKE_LEAST = 16,
    RAKE = 256,
    BUSHES = 528 /* of a small system, if it has enough links for them */
};

static const char *cuda_unavailable(void)
{
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && count > 0) {
        return NULL;
    }
    cudaGetLastError();
    switch (result) {
    case cudaSuccess:
    case cudaErrorNoDevice: return "no NVIDIA GPU";
    case cudaErrorStubLibrary:
    case cudaErrorInsufficientDriver: return "no NVIDIA driver, or one too old for this build";
    default: return "the NVIDIA driver does not answer; nvidia-smi may say why";
    }
}

static void cuda_destroy(rct_run *run)
{
    if (run == NULL) {
        return;
    }
    rct_cuda_keep_free(run);
    rct_cuda_free_across(run);
    rct_cuda_step_free(&run->step);
    cudaFreeHost(run->fault);
    cudaFreeHost(run->roots.packed);
    rct_release(run->roots.places);
    rct_release(run->gathered);
    rct_held_free(&run->held);
    rct_cuda_free_wanted(run);
    cudaFreeHost(run->moves);
    rct_cuda_free_runs(&run->runs);
    rct_cuda_free_trunk(run);
    rct_packing_free(run->packing);
    rct_partition_free(run->partition);
    rct_cuda_lease_end(&run->lease);
    rct_release(run);
}

/* ---- making a run ------------------------------------------------------------------------- */

static int32_t clamp(int64_t least, int64_t links, int64_t most)
{
    return (int32_t)(links < least ? least : links < most ? links : most);
}

static rct_cut cut_of(int32_t links, const rct_solver_options *options)
{
    const int64_t asked = options->segment;
    const int stations = rct_run_may_hold(options) && options->junction != RCT_JUNCTION_DEVICE;
    if (asked == SEGMENT_WHOLE || asked == 0) {
        return rct_cut_whole_trees();
    }
    if (asked != SEGMENT_AUTO) {
        const int32_t length = clamp(1, asked, links);
        return (rct_cut){.length = length,
                         .rake = length,
                         .task = RCT_TASK,
                         .narrow = length,
                         .stations = stations};
    }
    return (rct_cut){.length = clamp(SHORT, ((int64_t)links + THREADS - 1) / THREADS, LONG),
                     .rake = clamp(RAKE_LEAST, links / WARP, RAKE),
                     .task = RCT_TASK,
                     .narrow = RCT_NARROW_RUN,
                     .stations = stations};
}

/* Friction at ball hinges depends on rates of links that rows of threads do not know before they
 * are swept. */
static int cuda_exerts(const rct_plan *plan)
{
    return !plan->rubs;
}

static rct_status pack(rct_run *run, const rct_solver_options *options, int loads, rct_error *error)
{
    const rct_cut cut = cut_of(run->plan->links.count, options);
    const int64_t number = sizeof(double), links = run->plan->links.count;
    run->partition = rct_partition_create_cut(run->plan, &cut, error);
    if (run->partition == NULL) {
        return RCT_ERROR_MEMORY;
    }
    run->packing = rct_packing_create(run->plan, run->partition, WARP, BUSHES, 1, error);
    run->gathered =
        rct_allocate(rct_link_state(&run->plan->links, links), number, "the state", error);
    if (run->packing == NULL || run->gathered == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_choose_coordinate_kernels(run->packing);
    if (cuda_exerts(run->plan) && rct_packing_add_hinge_forces(run->packing, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    return loads ? rct_packing_add_loads(run->packing, error) : RCT_OK;
}

/* Everything that rows of groups [first, end) have. */
static int any_of(const rct_rows *r, int32_t first, int32_t end)
{
    int any = 0;
    for (int64_t g = r->first_row[r->first_sheaf[first]]; g < r->first_row[r->first_sheaf[end]];
         g++) {
        any |= r->has[g];
    }
    return any;
}

static int all_narrow(const rct_rows *r, int32_t first, int32_t end)
{
    int narrow = 1;
    for (int32_t k = r->first_sheaf[first]; k < r->first_sheaf[end]; k++) {
        narrow = narrow && r->narrow[k];
    }
    return narrow;
}

static const rct_group_launches *launches_of(const rct_run *run, int32_t first, int32_t end)
{
    const rct_rows *r = &run->packing->lanes;
    const int any = any_of(r, first, end);
    if (all_narrow(r, first, end)) {
        return (any & ~(HAS_START | HAS_TWIGS)) == 0 ? run->kernels->bare : run->kernels->narrow;
    }
    const int yields = run->plan->yields && rct_plan_resists(run->plan);
    return yields || (any & HAS_ARMATURE) != 0 ? run->kernels->armed : run->kernels->plain;
}

/* Whether the trunk has only ball hinges and narrow paths. */
static int is_of_balls(const rct_run *run)
{
    const rct_trunk *t = &run->trunk.shown;
    int balls = 1;
    for (int32_t n = 0; n < t->count && balls; n++) {
        balls = t->row[n] >= 0 ? run->packing->links.kinds[t->row[n]] == RCT_HINGE_BALL
                               : t->kind[n] >= NODE_NARROW;
    }
    return balls;
}

/* Whether the trunk is runs on the ground and nothing else. */
static int is_alone(const rct_run *run)
{
    const rct_trunk *t = &run->trunk.shown;
    int alone = t->count > 0 && t->count == run->runs.shown.count;
    for (int32_t n = 0; n < t->count && alone; n++) {
        alone = t->kind[n] == NODE_NARROW && t->parent[n] < 0;
    }
    return alone;
}

int rct_cuda_is_resident(const rct_run *run)
{
    return run->junction != NULL || run->alone || run->trunk.shown.count == 0;
}

/* Chooses the sweeps of groups by what their rows may have. */
static void choose_groups(rct_run *run)
{
    const rct_rows *r = &run->packing->lanes;
    const rct_sheaves *s = &r->sheaves;
    run->bushes = launches_of(run, 0, s->bushes);
    run->segments = launches_of(run, s->narrow_end, s->groups);
    run->bare = (any_of(r, s->bushes, s->narrow_end) & ~(HAS_BRANCHES | HAS_OTHERS)) == 0;
    run->leaves = (any_of(r, s->bushes, s->narrow_end) & HAS_KIDS) != 0;
    run->frames = !all_narrow(r, 0, s->hanging) || (any_of(r, 0, s->hanging) & HAS_KIDS) != 0;
}

static void choose_kernels(rct_run *run, rct_junction asked)
{
    const int riccati = run->method == RCT_METHOD_RICCATI, balls = is_of_balls(run);
    const int host = asked == RCT_JUNCTION_HOST || run->partition->stations > 0;
    const int32_t most = balls ? BALLS_MOST : OTHERS_MOST;
    run->kernels = riccati ? &rct_device_riccati : &rct_device_abi;
    run->serial = riccati ? &rct_trunk_riccati : &rct_trunk_abi;
    choose_groups(run);
    run->alone = asked == RCT_JUNCTION_AUTO && is_alone(run);
    if (run->trunk.shown.count > 0 && !run->alone && !host &&
        (asked == RCT_JUNCTION_DEVICE || run->trunk.shown.count <= most)) {
        run->junction = balls ? run->kernels->balls : run->kernels->any;
    }
}

/* Rows on the device may have loads. */
static int load_rows(rct_run *run, const rct_rows *r, const rct_sheaves *device)
{
    for (int64_t g = 0; g < r->rows; g++) {
        r->has[g] |= HAS_LOAD;
    }
    return rct_cuda_send_has(run, r, device);
}

void rct_cuda_expect_loads(rct_run *run)
{
    const rct_packing *packing = run->packing;
    if (run->loaded || !rct_cuda_here(&run->lease)) {
        return;
    }
    run->loaded = load_rows(run, &packing->lanes, &run->device.lanes) &&
                  (run->junction == NULL || load_rows(run, &packing->links, &run->device.rows));
    choose_groups(run);
    rct_cuda_step_free(&run->step); /* it has the old sweeps */
    (void)(rct_cuda_good(&run->lease, run->bushes->prepare(), "loading kernels") &&
           rct_cuda_good(&run->lease, run->segments->prepare(), "loading kernels"));
}

static rct_status build(rct_run *run, const rct_solver_options *options, int loads,
                        rct_error *error)
{
    rct_status status = pack(run, options, loads, error);
    if (status == RCT_OK) {
        status = rct_cuda_find_runs(run, error);
    }
    if (status == RCT_OK) {
        status = rct_cuda_find_trunk(run, error);
    }
    if (status == RCT_OK) {
        status = rct_cuda_lease_begin(&run->lease, options->backend, error);
    }
    if (status == RCT_OK) {
        choose_kernels(run, options->junction);
        run->fault = rct_cuda_pinned(sizeof *run->fault, error);
        run->moves = rct_cuda_pinned(sizeof *run->moves, error);
        status = run->fault == NULL || run->moves == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    if (run->junction == NULL) { /* else they are on the device as well */
        RCT_THEN(status, rct_rows_add_slots(&run->packing->links, run->slots, error));
    }
    if (status == RCT_OK) {
        *run->fault = rct_cuda_no_fault;
        status = rct_cuda_upload(run, error);
    }
    if (status == RCT_OK) {
        rct_packing_drop_states(run->packing);
        status = rct_cuda_create_across(run, error);
    }
    if (status == RCT_OK && run->partition->stations > 0) {
        run->held = (rct_held_trunk){.kernels = run->serial,
                                     .rows = &run->packing->links.sheaves,
                                     .trunk = &run->trunk.shown,
                                     .label = run->trunk.node_label};
        status = rct_held_create(&run->held, error);
    }
    if (status == RCT_OK && loads) {
        status = rct_cuda_create_wanted(run, error);
    }
    return status;
}

static rct_run *cuda_create(const rct_plan *plan, const rct_solver_options *options, int loads,
                            rct_error *error)
{
    rct_run *run = rct_allocate(1, sizeof *run, "a cuda run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    run->method = options->method;
    run->slots = rct_run_slots(options);
    if (build(run, options, loads, error) != RCT_OK) {
        cuda_destroy(run);
        run = NULL;
    }
    return run;
}

static void cuda_describe(const rct_run *run, rct_run_info *info)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const rct_partition *p = run->partition;
    *info = (rct_run_info){
        .threads = 1,
        .lanes = WARP,
        .segment_length = p->length,
        .segments = p->segment_count,
        .tiles = s->groups - s->bushes,
        .tasks = p->task_count,
        .bushes = s->bushes,
        .waves = s->first_row[s->first_sheaf[s->bushes]],
        .trunk = run->trunk.shown.count,
        .wide = rct_packing_wide(run->packing),
        .padding = run->packing->lanes.padding,
        .bytes =
            (int64_t)sizeof *run + run->lease.device_bytes + rct_partition_bytes(p) +
            rct_packing_bytes(run->packing) + rct_held_bytes(&run->held) +
            rct_cuda_wanted_bytes(run) +
            run->trunk.shown.stride * (int64_t)(PATH_OPEN_FIELDS * sizeof(double)) +
            RCT_LISTED *
                (int64_t)(sizeof(int32_t) + sizeof(int64_t) + MOST_STATE * sizeof(double)) +
            run->roots.count * (int64_t)(PATH_SHARE * sizeof(double) + sizeof(int64_t)) +
            rct_link_state(&run->plan->links, run->plan->links.count) * (int64_t)sizeof(double),
    };
}

static const char *cuda_trouble(const rct_run *run)
{
    return run->lease.trouble;
}

static const rct_backend backend = {
    .name = "cuda",
    .devices = rct_cuda_devices,
    .unavailable = cuda_unavailable,
    .predict = rct_cuda_predict,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .describe = cuda_describe,
    .write_state = rct_cuda_write_state,
    .read_state = rct_cuda_read_state,
    .write_coordinates = rct_cuda_write_coordinates,
    .read_coordinates = rct_cuda_read_coordinates,
    .read_links = rct_cuda_read_links,
    .want_poses = rct_cuda_want_poses,
    .read_poses = rct_cuda_read_poses,
    .set_ground = rct_cuda_set_ground,
    .exerts = cuda_exerts,
    .set_time = rct_cuda_set_time,
    .write_loads = rct_cuda_write_loads,
    .write_efforts = rct_cuda_write_efforts,
    .evaluate = rct_cuda_evaluate,
    .rk4_stage = rct_cuda_rk4_stage,
    .rk4_steps = rct_cuda_rk4_steps,
    .set_delta = rct_cuda_set_delta,
    .read_accelerations = rct_cuda_read_accelerations,
    .read_derivatives = rct_cuda_read_derivatives,
    .keep = rct_cuda_keep,
    .read_kept = rct_cuda_read_kept,
    .trouble = cuda_trouble,
    .junction = &rct_cuda_junction,
    .moves = &rct_cuda_moves,
    .slopes = &rct_cuda_slopes,
    .dense = &rct_cuda_dense,
};

__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;
const rct_plugin rct_plugin_exported = {
    .identity = RCT_BACKEND_IDENTITY, .build = rct_build, .table = &backend};
