/* Numbers of links between rows and outside arrays (rct_across in system.h): in the order of the
 * caller, in label order, or of listed links. */
#define WITH_ROTORS 0

#include "kernels/cuda/each_link.h"

/* ---- in the order of the caller ------------------------------------------------------------- */

/* Reads from `outside`; where that has no numbers, those of a neutral link. */
static __device__ __forceinline__ void collect(const double *outside, int64_t at, int count,
                                               int upright, real *x)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        x[i] = at >= 0 ? outside[at + i] : i == 0 && upright ? 1.0 : 0.0;
    }
}

static __device__ __forceinline__ void spread(const real *x, int count, double *outside, int64_t at)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        if (at >= 0) {
            outside[at + i] = x[i];
        }
    }
}

static __device__ __forceinline__ mask put_link(const link_here &l, int kind, const rct_across &by)
{
    const rct_places_outside &places = by.places;
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    collect(by.coordinates, places.coordinates[l.index], hinge_coordinates(kind),
            !hinge_has_axes(kind), q);
    collect(by.rates, places.rates[l.index], hinge_freedoms(kind), 0, u);
    return put_numbers(&l.p, kind, q, u, l.s->base);
}

static __device__ __forceinline__ void take_link(const link_here &l, int kind, const rct_across &by)
{
    double *numbers = by.slot == RCT_SLOT_STATE ? l.s->state : l.s->slots + by.slot * l.s->slot;
    real x[MOST_COORDINATES];
    if (by.coordinates != NULL) {
        LANE_UNROLL
        for (int i = 0; i < hinge_coordinates(kind); i++) {
            x[i] = *part_field(&l.p, numbers, i);
        }
        spread(x, hinge_coordinates(kind), by.coordinates, by.places.coordinates[l.index]);
    }
    if (by.rates != NULL) {
        take_rates(&l.p, kind, l.s->state, part_field(&l.p, numbers, l.p.rates), x);
        spread(x, hinge_freedoms(kind), by.rates, by.places.rates[l.index]);
    }
}

static __device__ __forceinline__ void take_derivatives_link(const link_here &l, int kind,
                                                             const rct_across &by)
{
    real du[MOST_FREEDOMS];
    take_rates(&l.p, kind, l.s->state, derivatives_here(l), du);
    spread(du, hinge_freedoms(kind), by.rates, by.places.rates[l.index]);
}

static __device__ __forceinline__ void put_derivatives_link(const link_here &l, int kind,
                                                            const rct_across &by)
{
    real du[MOST_FREEDOMS];
    collect(by.rates, by.places.rates[l.index], hinge_freedoms(kind), 0, du);
    put_derivatives(&l.p, kind, l.s->state, du, (double *)derivatives_here(l));
}

/* Numbers of rates, unchanged, to the places of rates (in a slot also of coordinates); efforts to
 * loads. */
static __device__ __forceinline__ void put_rates_link(const link_here &l, int kind,
                                                      const rct_across &by)
{
    const int64_t at = by.places.rates[l.index];
    double *slot = l.s->slots + by.slot * l.s->slot;
    double *effort = l.s->loads + (l.g * LOAD_FIELDS + LOAD_EFFORT) * l.lanes;
    double *to = by.what == RCT_PUT_EFFORTS ? effort : part_field(&l.p, slot, l.p.rates);
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        to[i * l.lanes] = at >= 0 ? by.rates[at + i] : 0.0;
        if (by.coordinates != NULL) {
            *part_field(&l.p, slot, i) = at >= 0 ? by.coordinates[at + i] : 0.0;
        }
    }
}

/* ---- by label, or listed ------------------------------------------------------------------- */

/* Numbers of a link as they are in `state`, coordinates before rates. */
static __device__ __forceinline__ void cross_state(const row_part &p, double *state,
                                                   double *outside, int in)
{
    const int nq = hinge_coordinates(p.kind), all = nq + hinge_freedoms(p.kind);
    for (int i = 0; i < all; i++) {
        double *field = part_field(&p, state, i < nq ? i : p.rates + i - nq);
        *(in ? field : outside + i) = in ? outside[i] : *field;
    }
}

static __device__ __forceinline__ void cross_label(const link_here &l, const rct_across &by)
{
    const int32_t label = l.p.label[0];
    const double *results = l.s->results + l.s->result_at[l.g] * l.lanes;
    if (label < 0) {
        return;
    }
    if (by.what != RCT_GATHER_ACCELERATIONS) {
        cross_state(l.p, l.s->state, by.numbers + by.places.state[l.index],
                    by.what == RCT_SCATTER_STATE);
        return;
    }
    for (int i = 0; i < WIDE_RESULT_RATES; i++) {
        by.numbers[WIDE_RESULT_RATES * (int64_t)label + i] = results[i * l.lanes];
    }
}

/* The work on a link whose type is known at compile time. */
#define PUT_STATE(TYPE)        good = good & put_link(l, TYPE, by)
#define TAKE_STATE(TYPE)       take_link(l, TYPE, by)
#define TAKE_DERIVATIVES(TYPE) take_derivatives_link(l, TYPE, by)
#define PUT_DERIVATIVES(TYPE)  put_derivatives_link(l, TYPE, by)
#define PUT_RATES(TYPE)        put_rates_link(l, TYPE, by)

extern "C" {

__global__ void __launch_bounds__(MOVERS *WARP) rct_cross_numbers(rct_device d, rct_across by)
{
    mask good = 1;
    each_link(d, [&](const link_here &l) {
        switch (by.what) {
        case RCT_PUT_STATE: HINGE_CASES(l.p.kind, PUT_STATE) break;
        case RCT_TAKE_STATE: HINGE_CASES(l.p.kind, TAKE_STATE) break;
        case RCT_TAKE_DERIVATIVES: HINGE_CASES(l.p.kind, TAKE_DERIVATIVES) break;
        case RCT_PUT_DERIVATIVES: HINGE_CASES(l.p.kind, PUT_DERIVATIVES) break;
        case RCT_PUT_RATES:
        case RCT_PUT_EFFORTS: HINGE_CASES(l.p.kind, PUT_RATES) break;
        default: cross_label(l, by);
        }
    });
    if (!good) {
        d.moves->refused = 1;
    }
}

/* For listed links: states out, loads out or in. */
__global__ void __launch_bounds__(MOVERS *WARP)
    rct_cross_listed(rct_device d, rct_listed by, int32_t count)
{
    const int32_t k = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count) {
        return;
    }
    const int64_t at = by.places[k], lanes = at >= 0 ? WARP : 1;
    const int64_t g = at >= 0 ? at / WARP : ~at, lane = at >= 0 ? at % WARP : 0;
    const rct_sheaves *s = at >= 0 ? &d.lanes : &d.rows;
    if (by.what == RCT_LISTED_STATE) {
        const row_part p = {.label = NULL,
                            .lanes = lanes,
                            .at = s->state_at[g] * lanes + lane,
                            .rates = s->coordinates[g],
                            .kind = s->kinds[g * lanes + lane],
                            .where = ALL_LANES,
                            .alike = 0};
        cross_state(p, s->state, by.numbers + (int64_t)k * MOST_STATE, 0);
        return;
    }
    for (int f = 0; f < LOAD_FIELDS; f++) {
        double *load = s->loads + (g * LOAD_FIELDS + f) * lanes + lane;
        double *outside = by.numbers + (int64_t)k * MOST_STATE + f;
        const int in = by.what == RCT_LISTED_LOADS_IN;
        *(in ? load : outside) = in ? *outside : *load;
    }
}

/* ---- launches ------------------------------------------------------------------------------- */

cudaError_t rct_prepare_across(void)
{
    static const void *const kernels[] = {(const void *)rct_cross_numbers,
                                          (const void *)rct_cross_listed};
    return rct_make_ready(kernels, 2);
}

cudaError_t rct_launch_cross(const rct_device *d, const rct_across *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_cross_numbers, blocks_of_links(d), MOVERS * WARP, 0, stream, *d, *by);
}

cudaError_t rct_launch_listed(const rct_device *d, const rct_listed *by, int32_t count,
                              cudaStream_t stream)
{
    const unsigned int blocks = ((unsigned int)count + MOVERS * WARP - 1) / (MOVERS * WARP);
    return RCT_LAUNCH(rct_cross_listed, blocks, MOVERS * WARP, 0, stream, *d, *by, count);
}
}
