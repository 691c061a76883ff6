/* What the kernels of bushes of all methods share, for the LANE_WIDTH of the including translation unit:
 * constants, what passes between links, the way outward, faults. */
#ifndef RCT_KERNELS_BUSH_H
#define RCT_KERNELS_BUSH_H

#include "kernels/bushes.h"
#include "kernels/tile.h"

/* One bush while it is swept. */
typedef struct bush_sweep {
    const rct_bushes *bushes;
    int32_t bush;
    int64_t first, end; /* waves */
    double *scratch;
} bush_sweep;

LANE_INLINE bush_sweep bush_begin(const rct_bushes *bushes, int32_t bush, double *scratch)
{
    return (bush_sweep){bushes, bush, bushes->first_wave[bush], bushes->first_wave[bush + 1],
                        scratch};
}

/* The scratch of wave g. */
LANE_INLINE double *bush_row(const bush_sweep *s, int64_t g)
{
    return s->scratch + (1 + g - s->first) * BUSH_FIELDS * W + lane_member();
}

/* Constants of the links of wave g; `out` is where they hang. */
LANE_INLINE tile_link bush_link_load(const rct_bushes *bushes, int64_t g)
{
    return tile_record_load(bushes->record[g], bushes->shared, bushes->wide);
}

/* ---- between links ------------------------------------------------------------------------- */

LANE_INLINE vec3 vec3_gather(const double *from, const int32_t *place)
{
    return (vec3){lane_gather(from, place), lane_gather(from + W, place),
                  lane_gather(from + 2 * W, place)};
}

LANE_INLINE mat3 mat3_gather(const double *from, const int32_t *place)
{
    const vec3 x = vec3_gather(from, place), y = vec3_gather(from + 3 * W, place),
               z = vec3_gather(from + 6 * W, place);
    return (mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

/* What the outboard links at `kid` ask for, in the axes of the links they hang on, and where. */
LANE_INLINE abi_handle bush_handle_gather(const bush_sweep *s, const int32_t *kid)
{
    const double *out = s->scratch + BUSH_OUT * W;
    const vec3 x = vec3_gather(out, kid), y = vec3_gather(out + 3 * W, kid);
    return (abi_handle){{x.x, x.y, x.z, y.x, y.y, y.z}, vec3_gather(out + 6 * W, kid)};
}

LANE_INLINE vec3 bush_at_gather(const bush_sweep *s, const int32_t *kid)
{
    return vec3_gather(s->scratch + BUSH_AT * W, kid);
}

/* The rotations of all links to inertial axes, and of the points that tasks hang on: none. */
LANE_INLINE void bush_rotations(const bush_sweep *s)
{
    const int64_t roots = s->bushes->first_root[s->bush + 1] - s->bushes->first_root[s->bush];
    for (int64_t g = s->first; g < s->end; g++) {
        const double *q = s->bushes->state + (g * STATE_FIELDS + STATE_ORIENTATION) * W;
        mat3_store(bush_row(s, g) + BUSH_TURN * W, W, quat_rotation(quat_load(q, W)));
    }
    for (int64_t g = s->end; g < s->end + (roots + W - 1) / W; g++) {
        mat3_store(bush_row(s, g) + BUSH_TURN * W, W, mat3_identity());
    }
    lane_meet();
}

/* Leave with wave g what its parents and the way outward need. */
LANE_INLINE void bush_pass_inward(const bush_sweep *s, int64_t g, mat3 r, vec3 at,
                                  abi_handle handle)
{
    double *own = bush_row(s, g);
    const mat3 up = mat3_gather(s->scratch + BUSH_TURN * W, s->bushes->parent + g * W);
    const mat3 turn = mat3_transposed_times(up, r);
    const abi_handle out = abi_turn(turn, handle);
    mat3_store(own + BUSH_TURN * W, W, turn);
    sym3_store(own + BUSH_OUT * W, W, out.s);
    vec3_store(own + (BUSH_OUT + 6) * W, W, out.e);
    vec3_store(own + BUSH_AT * W, W, at);
}

LANE_INLINE void bush_keep_gain(const bush_sweep *s, int64_t g, abi_gain gain)
{
    double *own = bush_row(s, g) + BUSH_GAIN * W;
    mat3_store(own, W, gain.g);
    vec3_store(own + 9 * W, W, gain.h);
}

LANE_INLINE void bush_keep_handle(const bush_sweep *s, int64_t g, abi_handle handle)
{
    double *own = bush_row(s, g) + BUSH_HANDLE * W;
    sym3_store(own, W, handle.s);
    vec3_store(own + 6 * W, W, handle.e);
}

/* ---- tasks and their surroundings ----------------------------------------------------------- */

LANE_FUNCTION void bush_copy(double *to, int to_stride, const double *from, int from_stride,
                             int count)
{
    for (int i = 0; i < count; i++) {
        to[i * to_stride] = from[i * from_stride];
    }
}

/* Before links turn relative: the rotation of each root to its work record, at `turn`. A task on the
 * ground keeps it. */
LANE_FUNCTION void bush_write_turns(const bush_sweep *s, int fields, int turn)
{
    const rct_bushes *b = s->bushes;
    const int64_t end = b->first_root[s->bush + 1];
    for (int64_t k = b->first_root[s->bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        bush_copy(b->work + (int64_t)b->root[k].node * fields + turn, 1,
                  s->scratch + b->root[k].place + BUSH_TURN * W, W, 9);
    }
    lane_meet();
}

/* What has reached each root, A in the axes it hangs in: on points at rest. */
LANE_FUNCTION void bush_reach(const bush_sweep *s, int fields, int turn, int linear)
{
    const rct_bushes *b = s->bushes;
    const int64_t end = b->first_root[s->bush + 1];
    for (int64_t k = b->first_root[s->bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        const double *work = b->work + (int64_t)b->root[k].node * fields;
        double *above = s->scratch + b->root[k].above;
        bush_copy(s->scratch + b->root[k].place + BUSH_TURN * W, W, work + turn, 1, 9);
        bush_copy(above + BUSH_LINEAR * W, W, work + linear, 1, 3);
        for (int i = 0; i < 6; i++) { /* and w */
            above[(BUSH_ANGULAR + i) * W] = 0.0;
        }
    }
    lane_meet();
}

/* ---- faults --------------------------------------------------------------------------------- */

/* Keep the smallest label among the lanes where `good` does not hold. */
LANE_FUNCTION void bush_note(rct_sweep_result *result, const bush_sweep *s, int64_t g,
                             rct_sweep_end end, mask good)
{
    double lane[LANE_WIDTH];
    lane_store(lane, lane_select(good, lane_set(1.0), lane_set(0.0)));
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = s->bushes->label[g * W + l];
        const int first = result->end == SWEEP_DONE || label < result->link;
        if (lane[l] == 0.0 && label >= 0 && first) { /* neutral links have no faults */
            *result = (rct_sweep_result){end, label};
        }
    }
}

/* The inward faults of a bush. A link is a cause if its pivot vanishes and was a number until then; what
 * hangs inboard of a cause gets a handle that is no number. */
typedef struct bush_faults {
    rct_sweep_result cause, any;
} bush_faults;

LANE_FUNCTION void bush_note_singular(bush_faults *faults, const bush_sweep *s, int64_t g,
                                      mask regular, real pivot)
{
    const real yes = lane_set(1.0), no = lane_set(0.0);
    const real cause = lane_select(regular, no, lane_select(lane_finite(pivot), yes, no));
    bush_note(&faults->any, s, g, SWEEP_SINGULAR, regular);
    bush_note(&faults->cause, s, g, SWEEP_SINGULAR, lane_greater(yes, cause));
}

/* Watch the pivot of wave g, whose trace was `pivot`. */
LANE_INLINE void bush_watch(bush_faults *faults, const bush_sweep *s, int64_t g, mask regular,
                            real pivot, abi_handle *handle)
{
    if (!lane_all(regular)) {
        bush_note_singular(faults, s, g, regular, pivot);
        handle->s.xx = lane_select(regular, handle->s.xx, lane_set((double)NAN));
    }
}

/* How a sweep inward ended: only finite states are singular. To be asked before states advance. */
LANE_FUNCTION rct_sweep_result bush_judge(const bush_sweep *s, const bush_faults *faults)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    if (faults->any.end == SWEEP_DONE) {
        return result;
    }
    for (int64_t g = s->first; g < s->end; g++) {
        for (int f = 0; f < STATE_FIELDS; f++) {
            const real x = lane_load(s->bushes->state + (g * STATE_FIELDS + f) * W);
            bush_note(&result, s, g, SWEEP_NOT_FINITE, lane_finite(x));
        }
    }
    if (result.end == SWEEP_DONE) {
        result = faults->cause.end != SWEEP_DONE ? faults->cause : faults->any;
    }
    return result;
}

/* ---- outward -------------------------------------------------------------------------------- */

/* Results of wave g, or its states advanced; false where they are not finite. */
LANE_INLINE mask bush_finish(const bush_sweep *s, int64_t g, int stage, double dt, vec3 a,
                             vec3 alpha)
{
    const rct_bushes *b = s->bushes;
    const int64_t at = g * STATE_FIELDS * W;
    const mask good = lane_finite(alpha.x + alpha.y + alpha.z);
    if (stage == STAGE_NONE) {
        tile_write_results(b->results + g * RESULT_FIELDS * W, bush_row(s, g) + BUSH_HANDLE * W, a,
                           alpha);
        return good;
    }
    return lane_and(good, tile_advance(b->base + at, b->sum + at, b->state + at, stage,
                                       rk4_stage_weights(stage, dt), alpha));
}

/* Outward over a bush swept inward and reached, and what the stage asks. */
LANE_INLINE rct_sweep_result bush_outward(const bush_sweep *s, int stage, double dt)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (int64_t g = s->first; g < s->end; g++) {
        double *own = bush_row(s, g);
        const int32_t *up = s->bushes->parent + g * W;
        const vec3 above = point_acceleration(vec3_gather(s->scratch + BUSH_LINEAR * W, up),
                                              vec3_gather(s->scratch + BUSH_ANGULAR * W, up),
                                              vec3_gather(s->scratch + BUSH_RATE * W, up),
                                              vec3_load(own + BUSH_AT * W, W));
        const vec3 a = mat3_apply_transposed(mat3_load(own + BUSH_TURN * W, W), above);
        const abi_gain gain = {mat3_load(own + BUSH_GAIN * W, W),
                               vec3_load(own + (BUSH_GAIN + 9) * W, W)};
        const vec3 alpha = abi_angular(gain, a);
        vec3_store(own + BUSH_LINEAR * W, W, a);
        vec3_store(own + BUSH_ANGULAR * W, W, alpha);
        vec3_store(own + BUSH_RATE * W, W,
                   vec3_load(s->bushes->state + (g * STATE_FIELDS + STATE_RATE) * W, W));
        const mask good = bush_finish(s, g, stage, dt, a, alpha);
        if (!lane_all(good)) { /* go on: the base must be whole */
            bush_note(&result, s, g, SWEEP_NOT_FINITE, good);
        }
        lane_meet();
    }
    return result;
}

#endif
