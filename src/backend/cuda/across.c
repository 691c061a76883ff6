/* Numbers of links between the device and outside arrays: ordered and turned on the device
 * (kernels/cuda/across.cu), and copied directly. state.c does the links of a trunk on the host. */
#include "backend/cuda/run.h"

#include "core/memory.h"

#include <string.h>

/* ---- places ------------------------------------------------------------------------------- */

/* Where each link has its numbers outside. */
typedef int64_t place_of(const rct_plan *plan, int64_t label);

static int64_t coordinates_of(const rct_plan *plan, int64_t label)
{
    return rct_plan_coordinates_at(plan, (int32_t)label);
}

static int64_t rates_of(const rct_plan *plan, int64_t label)
{
    return rct_plan_rates_at(plan, (int32_t)label);
}

static int64_t state_of(const rct_plan *plan, int64_t label)
{
    return rct_link_state(&plan->links, label);
}

/* Sends these places to the device, in the order of its rows. */
static const int64_t *upload(rct_run *run, place_of *place, int64_t *room, rct_error *error)
{
    const rct_rows *lanes = &run->packing->lanes, *links = &run->packing->links;
    const int64_t first = lanes->rows * WARP;
    const int64_t count = first + (run->junction != NULL ? links->rows : 0);
    for (int64_t i = 0; i < count; i++) {
        const int32_t label = i < first ? lanes->label[i] : links->label[i - first];
        room[i] = label >= 0 ? place(run->plan, label) : -1;
    }
    const int64_t *there = rct_cuda_room(&run->lease, room, count * (int64_t)sizeof *room, error);
    return there != NULL && rct_cuda_filled(&run->lease, error) ? there : NULL;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

rct_status rct_cuda_create_across(rct_run *run, rct_error *error)
{
    const rct_plan *plan = run->plan;
    const int64_t number = sizeof(double), place = sizeof(int64_t);
    const int64_t numbers = most(
        most(plan->coordinates + plan->freedoms, rct_link_state(&plan->links, plan->links.count)),
        WIDE_RESULT_RATES * (int64_t)plan->links.count);
    rct_cuda_across *a = &run->across;
    int64_t *room = rct_allocate(run->packing->lanes.rows * WARP + run->packing->links.rows, place,
                                 "places of numbers", error);
    const int there =
        room != NULL &&
        (a->places.coordinates = upload(run, coordinates_of, room, error)) != NULL &&
        (a->places.rates = upload(run, rates_of, room, error)) != NULL &&
        (a->places.state = upload(run, state_of, room, error)) != NULL &&
        (a->numbers = rct_cuda_room(&run->lease, NULL, numbers * number, error)) != NULL &&
        (a->labels = rct_allocate(RCT_LISTED, sizeof *a->labels, "listed links", error)) != NULL &&
        (a->listed_places = rct_cuda_pinned(RCT_LISTED * place, error)) != NULL &&
        (a->listed_numbers = rct_cuda_pinned(RCT_LISTED * MOST_STATE * number, error)) != NULL &&
        (a->device_places = rct_cuda_room(&run->lease, NULL, RCT_LISTED * place, error)) != NULL &&
        (a->device_numbers =
             rct_cuda_room(&run->lease, NULL, RCT_LISTED * MOST_STATE * number, error)) != NULL;
    rct_release(room);
    return there ? RCT_OK : RCT_ERROR_MEMORY;
}

void rct_cuda_free_across(rct_run *run)
{
    rct_release(run->across.labels);
    cudaFreeHost(run->across.listed_places);
    cudaFreeHost(run->across.listed_numbers);
}

int rct_cuda_has_link(const rct_run *run, int32_t link)
{
    return run->packing->at[link] >= 0 || run->junction != NULL;
}

/* ---- of all links ------------------------------------------------------------------------- */

int rct_cuda_cross(rct_run *run, rct_across by)
{
    by.places = run->across.places;
    return rct_cuda_here(&run->lease) &&
           rct_cuda_good(&run->lease, rct_launch_cross(&run->device, &by, run->lease.stream),
                         "ordering numbers");
}

/* Arrays on the device for those of the caller: of coordinates (with as many numbers as rates,
 * where rates are put there), then of rates. */
static rct_across across_of(const rct_run *run, rct_across_what what, int slot, int coordinates,
                            int rates)
{
    double *numbers = run->across.numbers;
    return (rct_across){.what = what,
                        .slot = slot,
                        .coordinates = coordinates ? numbers : NULL,
                        .rates = rates ? numbers + run->plan->coordinates : NULL};
}

int rct_cuda_put(rct_run *run, rct_across_what what, int slot, const double *coordinates,
                 const double *rates)
{
    const rct_across by = across_of(run, what, slot, coordinates != NULL, 1);
    const int64_t freedoms = run->plan->freedoms;
    const int64_t first = what == RCT_PUT_STATE ? run->plan->coordinates : freedoms;
    return rct_cuda_here(&run->lease) &&
           (coordinates == NULL || rct_cuda_send(&run->lease, by.coordinates, coordinates, first,
                                                 cudaMemcpyHostToDevice)) &&
           rct_cuda_send(&run->lease, by.rates, rates, freedoms, cudaMemcpyHostToDevice) &&
           rct_cuda_cross(run, by) && rct_cuda_wait(&run->lease, "copying to it");
}

int rct_cuda_take(rct_run *run, rct_across_what what, int slot, double *coordinates, double *rates)
{
    const rct_across by = across_of(run, what, slot, coordinates != NULL, rates != NULL);
    return rct_cuda_cross(run, by) &&
           (coordinates == NULL || rct_cuda_send(&run->lease, coordinates, by.coordinates,
                                                 run->plan->coordinates, cudaMemcpyDeviceToHost)) &&
           (rates == NULL || rct_cuda_send(&run->lease, rates, by.rates, run->plan->freedoms,
                                           cudaMemcpyDeviceToHost)) &&
           rct_cuda_wait(&run->lease, "copying from it");
}

/* ---- of listed links ---------------------------------------------------------------------- */

/* Lists those on the device, from k on: returns how many, and in k where to continue. */
static int32_t list(rct_run *run, const int32_t *links, int32_t count, int32_t *k)
{
    rct_cuda_across *a = &run->across;
    int32_t n = 0;
    for (; *k < count && n < RCT_LISTED; ++*k) {
        const int32_t label = links != NULL ? links[*k] : *k;
        if (rct_cuda_has_link(run, label)) {
            a->labels[n] = label;
            a->listed_places[n++] = run->packing->at[label];
        }
    }
    return n;
}

/* Copies what is listed; `numbers` go before or come back after. 0: the device failed. */
static int cross_listed(rct_run *run, rct_listed_what what, int32_t n)
{
    rct_cuda_across *a = &run->across;
    const rct_listed by = {what, a->device_places, a->device_numbers};
    const int in = what == RCT_LISTED_LOADS_IN;
    const int64_t numbers = (int64_t)n * MOST_STATE;
    return rct_cuda_here(&run->lease) &&
           rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(a->device_places, a->listed_places,
                                         (size_t)n * sizeof *a->listed_places,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it") &&
           (!in || rct_cuda_send(&run->lease, a->device_numbers, a->listed_numbers, numbers,
                                 cudaMemcpyHostToDevice)) &&
           rct_cuda_good(&run->lease, rct_launch_listed(&run->device, &by, n, run->lease.stream),
                         "ordering numbers") &&
           (in || rct_cuda_send(&run->lease, a->listed_numbers, a->device_numbers, numbers,
                                cudaMemcpyDeviceToHost)) &&
           rct_cuda_wait(&run->lease, "copying numbers of links");
}

/* Moves the numbers of a link between the list and an outside array. */
typedef void carry(const rct_plan *plan, int32_t label, double *listed, double *outside);

static void carry_state(const rct_plan *plan, int32_t label, double *listed, double *state)
{
    const int64_t at = rct_link_state(&plan->links, label);
    memcpy(state + at, listed,
           (size_t)(rct_link_state(&plan->links, label + 1) - at) * sizeof *state);
}

static void carry_loads(const rct_plan *plan, int32_t label, double *listed, double *loads)
{
    (void)plan;
    memcpy(loads + (int64_t)label * LOAD_FIELDS, listed, LOAD_FIELDS * sizeof *loads);
}

static void carry_loads_in(const rct_plan *plan, int32_t label, double *listed, double *loads)
{
    (void)plan;
    memcpy(listed, loads + (int64_t)label * LOAD_FIELDS, LOAD_FIELDS * sizeof *loads);
}

static void carry_efforts(const rct_plan *plan, int32_t label, double *listed, double *efforts)
{
    memcpy(efforts + rct_plan_rates_at(plan, label), listed + LOAD_EFFORT,
           (size_t)rct_hinge_freedoms((rct_hinge_type)plan->links.kind[label]) * sizeof *efforts);
}

static void carry_list(rct_run *run, int32_t n, carry *each, double *outside)
{
    for (int32_t i = 0; i < n; i++) {
        each(run->plan, run->across.labels[i], run->across.listed_numbers + (int64_t)i * MOST_STATE,
             outside);
    }
}

static void cross_some(rct_run *run, rct_listed_what what, const int32_t *links, int32_t count,
                       carry *each, double *outside)
{
    const int in = what == RCT_LISTED_LOADS_IN;
    int32_t k = 0, n = 0;
    int good = 1;
    while (good && (n = list(run, links, count, &k)) > 0) {
        carry_list(run, in ? n : 0, each, outside);
        good = cross_listed(run, what, n);
        carry_list(run, in || !good ? 0 : n, each, outside);
    }
}

void rct_cuda_list_states(rct_run *run, const int32_t *links, int32_t count, double *state)
{
    cross_some(run, RCT_LISTED_STATE, links, count, carry_state, state);
}

void rct_cuda_list_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts)
{
    cross_some(run, RCT_LISTED_LOADS, links, links != NULL ? count : run->plan->links.count,
               carry_efforts, efforts);
}

void rct_cuda_list_loads(rct_run *run, double *loads)
{
    cross_some(run, RCT_LISTED_LOADS, NULL, run->plan->links.count, carry_loads, loads);
}

void rct_cuda_list_loads_in(rct_run *run, const int32_t *links, int32_t count, const double *loads)
{
    cross_some(run, RCT_LISTED_LOADS_IN, links, count, carry_loads_in, (double *)loads);
}
