/* What the kernels of bushes of all methods share, for the LANE_WIDTH of the including translation unit:
 * constants, what passes between paths, the way outward, faults. */
#ifndef RCT_KERNELS_BUSH_H
#define RCT_KERNELS_BUSH_H

#include "kernels/bushes.h"
#include "kernels/tile.h"

/* One bush while it is swept. */
typedef struct bush_sweep {
    const rct_bushes *bushes;
    int32_t bush;
    int32_t first_sheaf, end_sheaf;
    int64_t first, end; /* waves */
    double *scratch;
} bush_sweep;

LANE_INLINE bush_sweep bush_begin(const rct_bushes *b, int32_t bush, double *scratch)
{
    const int32_t first = b->first_sheaf[bush], end = b->first_sheaf[bush + 1];
    return (bush_sweep){b, bush, first, end, b->first_wave[first], b->first_wave[end], scratch};
}

/* The scratch of wave g, as this lane sees it. */
LANE_INLINE double *bush_row(const bush_sweep *s, int64_t g)
{
    return s->scratch + (1 + g - s->first) * BUSH_FIELDS * W + lane_member();
}

LANE_INLINE tile_link bush_link_load(const bush_sweep *s, int64_t g)
{
    const rct_bushes *b = s->bushes;
    return tile_record_load(b->record[g], b->shared, b->wide);
}

LANE_INLINE mat3 bush_rotation(const bush_sweep *s, int64_t g)
{
    return quat_rotation(
        quat_load(s->bushes->state + (g * STATE_FIELDS + STATE_ORIENTATION) * W, W));
}

LANE_INLINE vec3 bush_rate(const bush_sweep *s, int64_t g)
{
    return vec3_load(s->bushes->state + (g * STATE_FIELDS + STATE_RATE) * W, W);
}

LANE_INLINE void bush_store_handle(double *to, abi_handle handle)
{
    sym3_store(to, W, handle.s);
    vec3_store(to + 6 * W, W, handle.e);
}

/* What passes from wave to wave of a sheaf inward: handles, and the axes they are in. */
typedef struct bush_way {
    abi_handle handle;
    mat3 before;
} bush_way;

LANE_INLINE bush_way bush_way_begin(void)
{
    return (bush_way){abi_span_open(lane_set(0.0)).handle, mat3_identity()};
}

/* ---- between paths -------------------------------------------------------------------------- */

LANE_INLINE vec3 vec3_gather(const double *from, const int32_t *place)
{
    return (vec3){lane_gather(from, place), lane_gather(from + W, place),
                  lane_gather(from + 2 * W, place)};
}

/* What the outboard links of row k of the lists ask for, in the axes of the links they hang on. */
LANE_INLINE abi_handle bush_kid_handle(const bush_sweep *s, int64_t k)
{
    const int32_t *kid = s->bushes->kid + k * W;
    const double *out = s->scratch + BUSH_OUT * W;
    const vec3 x = vec3_gather(out, kid), y = vec3_gather(out + 3 * W, kid);
    return (abi_handle){{x.x, x.y, x.z, y.x, y.y, y.z}, vec3_gather(out + 6 * W, kid)};
}

/* And where they hang. */
LANE_INLINE vec3 bush_kid_at(const bush_sweep *s, int64_t k)
{
    return vec3_load(s->bushes->kid_at + 3 * k * W, W);
}

/* Inward, where links of wave g begin paths: leave with them what the links they hang on need. */
LANE_INLINE void bush_hang(const bush_sweep *s, int64_t g, mat3 r, abi_handle handle)
{
    double *own = bush_row(s, g);
    const rct_bushes *b = s->bushes;
    if (b->hung[g] == 0) {
        mat3_store(own + BUSH_START * W, W, r);
        return;
    }
    const int32_t *up = b->up + (int64_t)b->up_row[g] * W;
    const double *state =
        b->state + (s->first * STATE_FIELDS + STATE_ORIENTATION) * W - lane_member();
    const quat q = {lane_gather(state, up), lane_gather(state + W, up),
                    lane_gather(state + 2 * W, up), lane_gather(state + 3 * W, up)};
    const mat3 turn = mat3_transposed_times(quat_rotation(q), r);
    mat3_store(own + BUSH_START * W, W, mat3_select(lane_bits(b->hung[g]), turn, r));
    bush_store_handle(own + BUSH_OUT * W, abi_turn(turn, handle));
}

/* Outward: A of the points where other paths hang on the links of wave g. */
LANE_INLINE void bush_reach_kids(const bush_sweep *s, int64_t g, vec3 a, vec3 alpha, vec3 w)
{
    double *above = s->scratch + BUSH_ABOVE * W;
    for (int64_t k = s->bushes->first_kid[g]; k < s->bushes->first_kid[g + 1]; k++) {
        const int32_t *kid = s->bushes->kid + k * W;
        const vec3 there = point_acceleration(a, alpha, w, bush_kid_at(s, k));
        lane_scatter(above, kid, there.x);
        lane_scatter(above + W, kid, there.y);
        lane_scatter(above + 2 * W, kid, there.z);
    }
}

/* ---- tasks and their surroundings ----------------------------------------------------------- */

LANE_FUNCTION void bush_copy(double *to, int to_stride, const double *from, int from_stride,
                             int count)
{
    for (int i = 0; i < count; i++) {
        to[i * to_stride] = from[i * from_stride];
    }
}

/* Where the roots in row `row` beside segments hang: the axes and w of these links. */
LANE_INLINE mat3 bush_side_axes(const bush_sweep *s, int32_t row, vec3 *w)
{
    const double *state = s->bushes->segment_state;
    const int32_t *up = s->bushes->side_up + (int64_t)row * W;
    const quat q = {lane_gather(state, up), lane_gather(state + W, up),
                    lane_gather(state + 2 * W, up), lane_gather(state + 3 * W, up)};
    *w = vec3_gather(state + STATE_RATE * W, up);
    return quat_rotation(q);
}

/* `count` numbers a lane to the work records of those roots. */
LANE_FUNCTION void bush_write_sides(const bush_sweep *s, int32_t row, int fields,
                                    const double *numbers, int count)
{
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t node = s->bushes->side_node[(int64_t)row * W + l];
        if (node >= 0) {
            bush_copy(s->bushes->work + (int64_t)node * fields, 1, numbers + l, LANE_WIDTH, count);
        }
    }
}

/* What has reached each root, from its work record: its rotation, which the ground leaves as it is, and A
 * in the axes it hangs in. */
LANE_FUNCTION void bush_reach(const bush_sweep *s, int fields, int turn, int linear)
{
    const rct_bushes *b = s->bushes;
    const int64_t end = b->first_root[s->bush + 1];
    for (int64_t k = b->first_root[s->bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        const double *work = b->work + (int64_t)b->root[k].node * fields;
        double *own = s->scratch + b->root[k].place;
        if (s->bush < b->hanging) {
            bush_copy(own + BUSH_START * W, W, work + turn, 1, 9);
        }
        bush_copy(own + BUSH_ABOVE * W, W, work + linear, 1, 3);
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

/* Whether the states of wave g are numbers, the lengths of the quaternions too. */
LANE_FUNCTION mask bush_finite(const bush_sweep *s, int64_t g)
{
    const double *state = s->bushes->state + g * STATE_FIELDS * W;
    const quat q = quat_load(state + STATE_ORIENTATION * W, W);
    mask finite = lane_finite(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    for (int f = 0; f < STATE_FIELDS; f++) {
        finite = lane_and(finite, lane_finite(lane_load(state + f * W)));
    }
    return finite;
}

/* How a sweep inward ended: only finite states are singular. To be asked before states advance. */
LANE_FUNCTION rct_sweep_result bush_judge(const bush_sweep *s, const bush_faults *faults)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    if (faults->any.end == SWEEP_DONE) {
        return result;
    }
    for (int64_t g = s->first; g < s->end; g++) {
        bush_note(&result, s, g, SWEEP_NOT_FINITE, bush_finite(s, g));
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

/* A of the hinge points of wave g in link axes: what came along the paths is `above`; where paths begin, it
 * has been left there. */
LANE_INLINE vec3 bush_linear(const bush_sweep *s, int64_t g, vec3 above)
{
    const double *own = bush_row(s, g);
    mat3 turn = mat3_load(own + BUSH_TURN * W, W);
    if (s->bushes->starts[g] != 0) {
        const mask begins = lane_bits(s->bushes->starts[g]);
        const vec3 there = vec3_load(own + BUSH_ABOVE * W, W);
        turn = mat3_select(begins, mat3_load(own + BUSH_START * W, W), turn);
        above = (vec3){lane_select(begins, there.x, above.x), lane_select(begins, there.y, above.y),
                       lane_select(begins, there.z, above.z)};
    }
    return mat3_apply_transposed(turn, above);
}

/* Outward over a bush swept inward and reached, and what the stage asks. */
LANE_INLINE rct_sweep_result bush_outward(const bush_sweep *s, int stage, double dt)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    vec3 above = vec3_zero();
    for (int64_t g = s->first; g < s->end; g++) {
        const double *own = bush_row(s, g);
        const vec3 w = bush_rate(s, g);
        const vec3 a = bush_linear(s, g, above);
        const abi_gain gain = {mat3_load(own + BUSH_GAIN * W, W),
                               vec3_load(own + (BUSH_GAIN + 9) * W, W)};
        const vec3 alpha = abi_angular(gain, a);
        above = point_acceleration(a, alpha, w, bush_link_load(s, g).out);
        bush_reach_kids(s, g, a, alpha, w);
        const mask good = bush_finish(s, g, stage, dt, a, alpha);
        if (!lane_all(good)) { /* go on: the base must be whole */
            bush_note(&result, s, g, SWEEP_NOT_FINITE, good);
        }
        lane_meet();
    }
    return result;
}

#endif
