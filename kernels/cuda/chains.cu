/* Spans of a tree composed to longer ones, and opened again: chains of segments end to end on the
 * device, so that the trunk has one node for each.
 *
 * With C hung on the last link of P, S and e those of all that hangs there, less what stands in for
 * it:
 *
 *     K = (1 + Psi_P S)^-1    W = K E_P^T    v = K (h_P - Psi_P e)
 *
 *     S' = S_P + E_P S W      e' = e_P + W^T (e + S h_P)
 *     E' = W^T E_C            h' = h_C + E_C^T v      Psi' = Psi_C + E_C^T K Psi_P E_C
 *
 * The acceleration of the last link of P is W A + v. Eight lanes share a chain: each of six has a
 * column of the matrices, the seventh the vector. K is never formed; rows are eliminated and
 * exchanged in all columns at once.
 */
#include "kernels/cuda/chain.h"

/* ---- composing ---------------------------------------------------------------------------- */

/* The span in the room becomes the composition of P and that span. */
static __device__ __forceinline__ bool compose_span(const span_worker *o, const double *p)
{
    const int c = o->column, own = c < 6 ? c : 5;
    double *room = o->room;
    span_column x = begin_column<true>(o, p);
    const bool regular = eliminate<true>(o, &x);
    double s[6], psi[6], through[6], e, free = room[ROOM_FREE + own];
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        LANE_UNROLL
        for (int k = 0; k < 6; k++) {
            sum += room[ROOM_THROUGH + 6 * k + i] * x.g[k];
        }
        if (c < 6) {
            room[ROOM_TURNED + 6 * i + c] = sum;
        } else if (c == VECTOR) {
            room[ROOM_V + i] = x.w[i];
        }
    }
    meet(o);
    close_column(o, p, x.w, s, &e);
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        psi[i] = room[ROOM_PSI + 6 * i + own];
        through[i] = 0.0;
        LANE_UNROLL
        for (int k = 0; k < 6; k++) {
            psi[i] += room[ROOM_TURNED + 6 * i + k] * room[ROOM_THROUGH + 6 * k + own];
            through[i] += x.w[k] * room[ROOM_THROUGH + 6 * k + i];
        }
        free += room[ROOM_THROUGH + 6 * i + own] * room[ROOM_V + i];
    }
    meet(o);
    keep_symmetric(o, ROOM_S, s);
    keep_symmetric(o, ROOM_PSI, psi);
    if (c < 6) {
        for (int j = 0; j < 6; j++) {
            room[ROOM_THROUGH + 6 * c + j] = through[j];
        }
        room[ROOM_E + c] = e;
        room[ROOM_FREE + c] = free;
    }
    meet(o);
    return regular;
}

extern "C" {

__global__ void __launch_bounds__(WARP) rct_compose_spans(rct_device d, rct_chain_range r)
{
    RCT_SHARED(double, rooms, CHAINS *ROOM_NUMBERS);
    const span_worker o = own_worker(rooms);
    const int32_t k = r.first + (int32_t)(blockIdx.x * CHAINS + threadIdx.x / SHARERS);
    if (k >= r.end) {
        return;
    }
    const rct_chain chain = d.chains[k];
    const rct_member *member = d.members + chain.first;
    take_span(&o, d.lanes.paths + member[chain.count - 1].place);
    meet(&o);
    for (int32_t i = chain.count - 2; i >= 0; i--) {
        const bool regular = compose_span(&o, d.lanes.paths + member[i].place);
        note_singular(&d.fault->inward, regular ? NO_LABEL : member[i].label);
    }
    leave_span(&o, d.lanes.paths + chain.place);
}

/* ---- opening ------------------------------------------------------------------------------ */

/* What hangs beyond each member, from the last one on, in the room; W and v replace E and h. */
static __device__ __forceinline__ void close_members(const span_worker *o, const rct_device *d,
                                                     const rct_member *member, int32_t count)
{
    const int c = o->column;
    for (int32_t n = count - 1; n >= 0; n--) {
        double *p = d->lanes.paths + member[n].place;
        double s[6], e;
        leave_handle(o, p, PATH_BEYOND);
        meet(o);
        span_column x = begin_column<false>(o, p);
        const bool regular = eliminate<false>(o, &x);
        note_singular(&d->fault->outward, regular ? NO_LABEL : member[n].label);
        meet(o);
        close_column(o, p, x.w, s, &e);
        meet(o);
        LANE_UNROLL
        for (int i = 0; i < 6; i++) {
            if (c < 6) {
                p[(int64_t)(PATH_THROUGH + 6 * i + c) * WARP] = x.w[i];
            } else if (c == VECTOR) {
                p[(int64_t)(PATH_FREE + i) * WARP] = x.w[i];
            }
        }
        keep_symmetric(o, ROOM_S, s);
        if (c < 6) {
            o->room[ROOM_E + c] = e;
        }
        meet(o);
    }
}

__global__ void __launch_bounds__(WARP) rct_open_spans(rct_device d, rct_chain_range r)
{
    if (d.fault->stop) {
        return; /* same for all threads: it is set between launches */
    }
    RCT_SHARED(double, rooms, CHAINS *ROOM_NUMBERS);
    const span_worker o = own_worker(rooms);
    const int32_t k = r.first + (int32_t)(blockIdx.x * CHAINS + threadIdx.x / SHARERS);
    if (k >= r.end) {
        return;
    }
    const rct_chain chain = d.chains[k];
    const rct_member *member = d.members + chain.first;
    const double *whole = d.lanes.paths + chain.place;
    const int own = o.column < 6 ? o.column : 5;
    take_handle(&o, whole, PATH_BEYOND);
    meet(&o);
    close_members(&o, &d, member, chain.count);
    double a = field_of(whole, PATH_ABOVE + own);
    for (int32_t n = 0; n < chain.count; n++) {
        double *p = d.lanes.paths + member[n].place;
        if (o.column < 6) {
            p[(int64_t)(PATH_ABOVE + own) * WARP] = a;
            o.room[ROOM_V + own] = a;
        }
        meet(&o);
        a = field_of(p, PATH_FREE + own);
        LANE_UNROLL
        for (int i = 0; i < 6; i++) {
            a += through_of(p, own, i) * o.room[ROOM_V + i];
        }
        meet(&o);
    }
}

/* ---- frames ------------------------------------------------------------------------------- */
}

/* The frame of the last link of a span that hangs on a link whose frame is `above`. */
static __device__ __forceinline__ link_frame end_of_span(const double *record, link_frame above)
{
    link_frame own = link_frame_load(record + (int64_t)PATH_PRODUCT * WARP);
    if (field_of(record, PATH_ABSOLUTE) == 0.0) {
        own.rate = vec3_add(mat3_apply_transposed(own.rotation, above.rate), own.rate);
        own.rotation = mat3_product(above.rotation, own.rotation);
    }
    return own;
}

static __device__ __forceinline__ void leave_frame(double *record, int field, link_frame frame)
{
    mat3_store(record + (int64_t)field * WARP, WARP, frame.rotation);
    vec3_store(record + (int64_t)(field + 9) * WARP, WARP, frame.rate);
}

extern "C" {

/* A thread a chain. */
__global__ void __launch_bounds__(WARP) rct_compose_frames(rct_device d, rct_chain_range r)
{
    const int32_t k = r.first + (int32_t)(blockIdx.x * WARP + threadIdx.x);
    if (k >= r.end) {
        return;
    }
    const rct_chain chain = d.chains[k];
    link_frame frame = {mat3_identity(), vec3_zero()};
    double absolute = 0.0;
    for (int32_t n = 0; n < chain.count; n++) {
        const double *record = d.lanes.paths + d.members[chain.first + n].place;
        absolute = larger(absolute, field_of(record, PATH_ABSOLUTE));
        frame = end_of_span(record, frame);
    }
    double *whole = d.lanes.paths + chain.place;
    leave_frame(whole, PATH_PRODUCT, frame);
    whole[(int64_t)PATH_ABSOLUTE * WARP] = absolute;
}

/* The same with the reach (kernels/sweeps/places.h). */
__global__ void __launch_bounds__(WARP) rct_compose_reach(rct_device d, rct_chain_range r)
{
    const int32_t k = r.first + (int32_t)(blockIdx.x * WARP + threadIdx.x);
    if (k >= r.end) {
        return;
    }
    const rct_chain chain = d.chains[k];
    link_span x = {link_pose_none(), vec3_zero(), vec3_zero(), 0.0};
    for (int32_t n = 0; n < chain.count; n++) {
        const double *member = d.lanes.paths + d.members[chain.first + n].place;
        const double absolute = member[(int64_t)PATH_ABSOLUTE * WARP];
        const double *onward = member + (int64_t)PATH_ONWARD * WARP;
        const int forgets = x.absolute == 0.0 && absolute != 0.0;
        x.pose = path_end_pose(member, WARP, &x.pose);
        if (forgets) { /* what is beyond counts from there */
            const vec3 beyond = vec3_load(onward, WARP);
            const vec3 moving = vec3_load(onward + 3 * WARP, WARP);
            x.reach = vec3_sub(x.pose.position, beyond);
            x.sliding = vec3_sub(x.pose.velocity, moving);
            x.pose.position = beyond;
            x.pose.velocity = moving;
            x.absolute = absolute;
        }
    }
    double *whole = d.lanes.paths + chain.place;
    path_leave_product(whole, &x);
    path_leave_span(whole, &x);
}

__global__ void __launch_bounds__(WARP) rct_open_frames(rct_device d, rct_chain_range r)
{
    const int32_t k = r.first + (int32_t)(blockIdx.x * WARP + threadIdx.x);
    if (k >= r.end) {
        return;
    }
    const rct_chain chain = d.chains[k];
    link_frame frame = link_frame_load(d.lanes.paths + chain.place + (int64_t)PATH_FRAME * WARP);
    for (int32_t n = 0; n < chain.count; n++) {
        double *record = d.lanes.paths + d.members[chain.first + n].place;
        leave_frame(record, PATH_FRAME, frame);
        frame = end_of_span(record, frame);
    }
}
}

/* ---- launches ----------------------------------------------------------------------------- */

static unsigned int blocks_of(rct_chain_range r, int chains)
{
    return (unsigned int)((r.end - r.first + chains - 1) / chains);
}

cudaError_t rct_prepare_chains(void)
{
    static const void *const kernels[] = {
        (const void *)rct_compose_frames, (const void *)rct_compose_reach,
        (const void *)rct_open_frames, (const void *)rct_compose_spans,
        (const void *)rct_open_spans};
    return rct_make_ready(kernels, 5);
}

cudaError_t rct_launch_chains(const rct_device *d, rct_chain_work work, rct_chain_range r,
                              cudaStream_t stream)
{
    const unsigned int shared = blocks_of(r, CHAINS), alone = blocks_of(r, WARP);
    switch (work) {
    case COMPOSE_FRAMES: return RCT_LAUNCH(rct_compose_frames, alone, WARP, 0, stream, *d, r);
    case COMPOSE_REACH: return RCT_LAUNCH(rct_compose_reach, alone, WARP, 0, stream, *d, r);
    case OPEN_FRAMES: return RCT_LAUNCH(rct_open_frames, alone, WARP, 0, stream, *d, r);
    case COMPOSE_SPANS: return RCT_LAUNCH(rct_compose_spans, shared, WARP, 0, stream, *d, r);
    default: return RCT_LAUNCH(rct_open_spans, shared, WARP, 0, stream, *d, r);
    }
}
