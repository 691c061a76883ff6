/* States, loads and results of a run on the CPU. */
#include "backend/cpu/run.h"
#include "backend/gather.h"

#include <string.h>

void rct_cpu_copy(const rct_run *run, int32_t label, double *numbers, int in)
{
    rct_copy_state(run->packing, label, numbers, in);
}

/* Numbers copied in or out, shared among the members of the team. */
typedef struct cross_job {
    const rct_run *run;
    rct_crossing *what;
    const rct_arrays *of;
    atomic_int refused; /* set by any */
} cross_job;

static void cross_group(void *context, int32_t group, int32_t member)
{
    cross_job *job = context;
    const rct_rows *rows = &job->run->packing->lanes;
    const int32_t *first = rows->sheaves.first_sheaf + group;
    (void)member;
    if (!job->what(job->run->packing, rows, first[0], first[1], job->of)) {
        atomic_store_explicit(&job->refused, 1, memory_order_relaxed);
    }
}

static int cross(const rct_run *run, rct_crossing *what, const rct_arrays *of)
{
    const rct_packing *packing = run->packing;
    const int32_t links = packing->links.sheaves.count;
    int good;
    if (rct_team_members(run->team) == 1) {
        good = what(packing, &packing->lanes, 0, packing->lanes.sheaves.count, of);
    } else {
        cross_job job = {.run = run, .what = what, .of = of};
        rct_cpu_claim(run, 0, packing->lanes.sheaves.groups, cross_group, &job);
        good = !atomic_load_explicit(&job.refused, memory_order_relaxed);
    }
    return links > 0 ? what(packing, &packing->links, 0, links, of) && good : good;
}

void rct_cpu_write_state(rct_run *run, const double *state)
{
    cross(run, rct_scatter_state, &(rct_arrays){.one = (double *)state});
    rct_cpu_forget(run);
}

void rct_cpu_read_state(const rct_run *run, double *state)
{
    cross(run, rct_gather_state, &(rct_arrays){.one = state});
}

int rct_cpu_write_coordinates(rct_run *run, const double *coordinates, const double *rates)
{
    const int good = cross(run, rct_put_coordinates,
                           &(rct_arrays){.one = (double *)coordinates, .two = (double *)rates});
    if (good) {
        rct_take_over(run->packing);
        rct_cpu_forget(run);
    }
    return good;
}

/* ---- moves -------------------------------------------------------------------------------- */

static void measure_group(void *context, int32_t group, int32_t member)
{
    const rct_run *run = context;
    const int32_t *first = run->packing->lanes.sheaves.first_sheaf + group;
    rct_largest_derivatives(&run->packing->lanes, first[0], first[1],
                            run->most + 2 * (int64_t)member);
}

static void find_largest(rct_run *run, double largest[2])
{
    const int32_t members = rct_team_members(run->team);
    const double *most = run->most;
    memset(run->most, 0, 2 * (size_t)members * sizeof *run->most);
    rct_cpu_claim(run, 0, run->packing->lanes.sheaves.groups, measure_group, run);
    rct_largest_derivatives(&run->packing->links, 0, run->packing->links.sheaves.count, run->most);
    for (int i = 0; i < 2; i++) {
        largest[i] = most[i];
        for (int32_t m = 1; m < members; m++) {
            largest[i] = most[2 * m + i] > largest[i] ? most[2 * m + i] : largest[i];
        }
    }
}

static int move(rct_run *run, const rct_move *by, int near)
{
    const int good = cross(run, rct_move_coordinates, &(rct_arrays){.by = by});
    if (good) {
        rct_take_moved(run->packing);
        const int nearly = near && run->condensed != 0 ? RCT_NEARLY : 0;
        rct_cpu_forget(run);
        run->condensed = nearly;
    }
    return good;
}

static void move_back(rct_run *run)
{
    rct_take_moved(run->packing);
    rct_cpu_forget(run);
}

const rct_move_operations rct_cpu_moves = {
    .largest = find_largest,
    .move = move,
    .move_back = move_back,
    .take_back = rct_cpu_take_back,
};

/* ---- slopes ------------------------------------------------------------------------------- */

typedef struct copy_job {
    double *to;
    const double *from;
} copy_job;

static void copy_range(void *context, int64_t begin, int64_t end)
{
    const copy_job *job = context;
    memcpy(job->to + begin, job->from + begin, (size_t)(end - begin) * sizeof *job->to);
}

static void copy(rct_run *run, int to, int from)
{
    enum { RANGE = 2048 };
    const rct_sheaves *lanes = &run->packing->lanes.sheaves;
    copy_job job = {rct_slot(lanes, to), rct_slot(lanes, from)};
    rct_cpu_share(run, RANGE, lanes->slot, copy_range, &job);
    rct_copy_slot(&run->packing->links, to, from);
    if (to == RCT_SLOT_STATE) {
        rct_cpu_forget(run);
    }
}

static void weigh(rct_run *run, const rct_weighing *by)
{
    cross(run, rct_weigh_slopes, &(rct_arrays){.weighing = by});
    rct_cpu_forget(run);
}

typedef struct size_job {
    const rct_run *run;
    const rct_weighing *by;
    double length;
} size_job;

static void size_group(void *context, int32_t group, int32_t member)
{
    const size_job *job = context;
    const int32_t *first = job->run->packing->lanes.sheaves.first_sheaf + group;
    double *most = job->run->most + 2 * (int64_t)member;
    *most =
        rct_slopes_size(&job->run->packing->lanes, first[0], first[1], job->by, job->length, *most);
}

static double size_of(rct_run *run, const rct_weighing *by, double length)
{
    const int32_t members = rct_team_members(run->team);
    size_job job = {.run = run, .by = by, .length = length};
    memset(run->most, 0, 2 * (size_t)members * sizeof *run->most);
    rct_cpu_claim(run, 0, run->packing->lanes.sheaves.groups, size_group, &job);
    double most = rct_slopes_size(&run->packing->links, 0, run->packing->links.sheaves.count, by,
                                  length, 0.0);
    for (int32_t m = 0; m < members; m++) {
        most = run->most[2 * m] > most ? run->most[2 * m] : most;
    }
    return most;
}

static void put_rates(rct_run *run, int slot, const double *of_coordinates, const double *of_rates)
{
    cross(run, rct_put_rates,
          &(rct_arrays){.one = (double *)of_coordinates, .two = (double *)of_rates, .slot = slot});
}

static void take(rct_run *run, int slot, double *coordinates, double *rates)
{
    cross(run, rct_take_slot, &(rct_arrays){.one = coordinates, .two = rates, .slot = slot});
}

static int hold(rct_run *run, const rct_holding *by)
{
    const rct_packing *packing = run->packing;
    rct_holding whole = *by;
    whole.parent = run->plan->links.parent;
    whole.at = packing->at;
    whole.lanes = &packing->lanes.sheaves;
    whole.links = &packing->links.sheaves;
    whole.width = packing->lanes.lanes;
    cross(run, rct_hold_balls, &(rct_arrays){.holding = &whole});
    return 1;
}

static void read_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts)
{
    rct_gather_efforts(run->packing, links, count, efforts);
}

static void write_derivatives(rct_run *run, const double *derivatives)
{
    cross(run, rct_put_derivatives, &(rct_arrays){.one = (double *)derivatives});
}

const rct_slope_operations rct_cpu_slopes = {
    .copy = copy,
    .weigh = weigh,
    .size = size_of,
    .put_rates = put_rates,
    .take = take,
    .hold = hold,
    .read_efforts = read_efforts,
    .write_derivatives = write_derivatives,
};

void rct_cpu_read_coordinates(const rct_run *run, double *coordinates, double *rates)
{
    cross(run, rct_take_coordinates, &(rct_arrays){.one = coordinates, .two = rates});
}

void rct_cpu_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state)
{
    rct_gather_links(run->packing, links, count, state);
}

/* What acts has changed. How paths give way stays known. */
static void act_otherwise(rct_run *run)
{
    run->condensed = run->condensed != 0 ? RCT_NEARLY : 0;
    run->moved = run->moved != 0 ? RCT_MOVED : 0;
}

void rct_cpu_set_ground(rct_run *run, const rct_ground *ground)
{
    rct_sheaves_set_ground(run->packing, ground);
    run->composed = run->composed != 0 ? RCT_COMPOSED : 0;
    run->posed = run->moved = 0;
    act_otherwise(run);
}

void rct_cpu_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads)
{
    rct_scatter_loads(run->packing, links, count, loads);
    for (int32_t k = 0; k < count; k++) {
        if (run->packing->at[links[k]] >= 0) {
            act_otherwise(run);
        } else if (run->condensed > RCT_CONDENSED) { /* a link of the trunk: the rest stays */
            run->condensed = RCT_CONDENSED;
        }
    }
}

void rct_cpu_set_time(rct_run *run, double time)
{
    rct_hinge_forces *lanes = &run->packing->lanes.sheaves.hinge_forces;
    if (time != lanes->time) {
        lanes->time = run->packing->links.sheaves.hinge_forces.time = time;
        act_otherwise(run);
    }
}

void rct_cpu_set_delta(rct_run *run, double delta, const int32_t *links, int32_t count,
                       const double *rotors)
{
    rct_scatter_rotors(run->packing, links, count, rotors);
    run->packing->lanes.sheaves.delta = run->packing->links.sheaves.delta = delta;
    run->condensed = 0;
}

void rct_cpu_write_efforts(rct_run *run, const double *efforts)
{
    cross(run, rct_put_efforts, &(rct_arrays){.one = (double *)efforts});
    act_otherwise(run);
}

void rct_cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    cross(run, rct_gather_accelerations, &(rct_arrays){.one = accelerations});
}

void rct_cpu_read_derivatives(const rct_run *run, double *derivatives)
{
    cross(run, rct_take_derivatives, &(rct_arrays){.one = derivatives});
}

rct_status rct_cpu_renew(rct_run *run, rct_error *error)
{
    rct_cpu_forget(run);
    return rct_packing_renew(run->packing, error);
}
