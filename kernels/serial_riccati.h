/* The Riccati transfer matrix recursion, one lane, link after link: seed 000, Algorithms A and B.
 * Every link is a body element followed by the hinge element that leads to its parent; links with
 * several outboard links are multi-hinge subsystems with multi-input body. 2,700 flops a link.
 */
#ifndef RCT_KERNELS_SERIAL_RICCATI_H
#define RCT_KERNELS_SERIAL_RICCATI_H

#include "kernels/abi_span_step.h"
#include "kernels/riccati_handle.h"
#include "kernels/serial.h"

LANE_FUNCTION void riccati_store(double *to, const riccati *z)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            lane_store(to + 6 * i + j, z->s.m[i][j]);
        }
        lane_store(to + 36 + i, z->e.v[i]);
    }
}

LANE_FUNCTION riccati riccati_load(const double *from)
{
    riccati z;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            z.s.m[i][j] = lane_load(from + 6 * i + j);
        }
        z.e.v[i] = lane_load(from + 36 + i);
    }
    return z;
}

/* (S, e) beyond a smooth hinge: m = 0 and W' is free there, so all else is zero. */
LANE_FUNCTION riccati riccati_load_beyond(const double *from)
{
    riccati z = riccati_none();
    for (int i = 3; i < 6; i++) {
        for (int j = 0; j < 3; j++) {
            z.s.m[i][j] = lane_load(from + 6 * i + j);
        }
        z.e.v[i] = lane_load(from + 36 + i);
    }
    return z;
}

/* The first input I_1 of link i from its origin O, link axes: where its first outboard link hangs; a
 * tip's free end may be any of its points, its centre of mass makes r_IC = 0. */
LANE_FUNCTION vec3 first_input(const rct_links *links, int64_t i)
{
    const int32_t k = links->child_begin[i];
    if (k < links->child_begin[i + 1]) {
        return vec3_load(links->sweep + links->child[k] * LINK_FIELDS + LINK_AT, 1);
    }
    return vec3_load(links->sweep + i * LINK_FIELDS + LINK_COM, 1);
}

/* Link i as a body element (eq. 5), link axes. */
LANE_FUNCTION riccati_body element(const rct_links *links, int64_t i, mat3 r, vec3 rate)
{
    const double *record = links->sweep + i * LINK_FIELDS;
    const vec3 g = vec3_own(links->own_gravity, 3 * i, 1, links->gravity);
    const vec3 input = first_input(links, i);
    const sym3 j = sym3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_COM_INERTIA, 1);
    riccati_body body;
    body.mass = lane_load(record + LINK_MASS);
    body.ic = vec3_sub(vec3_load(record + LINK_COM, 1), input);
    body.io = vec3_scale(lane_set(-1.0), input);
    body.inertia = inertia_shifted(j, body.mass, body.ic);
    body.rate = rate;
    body.force = vec3_scale(body.mass, mat3_apply_transposed(r, g));
    return body;
}

/* (S, e) at the first input of link i: zero at a tip (eq. 34), else the sum over its inputs. */
LANE_FUNCTION riccati gather(const rct_links *links, double *work, int64_t i, mat3 r, vec3 rate)
{
    const vec3 first = first_input(links, i);
    riccati sum = riccati_none();
    for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
        const int64_t c = links->child[k];
        double *out = work + c * RICCATI_FIELDS;
        const mat3 turn = mat3_transposed_times(r, mat3_load(out + RICCATI_TURN, 1));
        const riccati beyond = riccati_load_beyond(out + RICCATI_HINGE);
        const riccati z = riccati_turn(turn, &beyond);
        mat3_store(out + RICCATI_TURN, 1, turn);
        if (k == links->child_begin[i]) {
            sum = z;
        } else {
            const vec3 at = vec3_load(links->sweep + c * LINK_FIELDS + LINK_AT, 1);
            riccati_add_input(&z, vec3_sub(at, first), rate, &sum);
        }
    }
    return sum;
}

/* Take (S, e) across link i and its hinge. */
LANE_FUNCTION mask transfer(const rct_links *links, const double *state, double *work, int64_t i)
{
    const double *own = state + i * STATE_FIELDS;
    double *mine = work + i * RICCATI_FIELDS;
    const mat3 r = quat_rotation(quat_load(own + STATE_ORIENTATION, 1));
    const vec3 rate = vec3_load(own + STATE_RATE, 1);
    riccati z = gather(links, work, i, r, rate);
    const riccati_body body = element(links, i, r, rate);
    mat3_store(mine + RICCATI_TURN, 1, r); /* the parent makes it relative; a root keeps it */
    const riccati_row row = riccati_smooth_row();
    riccati_cross_body(&body, &z);
    riccati_store(mine + RICCATI_BODY, &z);
    const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
    riccati_clear_moment(&z);
    riccati_store(mine + RICCATI_HINGE, &z);
    mat3_store(mine + RICCATI_GAIN, 1, hinge.b);
    vec3_store(mine + RICCATI_GAIN + 9, 1, hinge.d);
    return hinge.regular;
}

/* ---- inward and outward ------------------------------------------------------------------- */

LANE_FUNCTION rct_sweep_result inward(const rct_links *links, const double *state, double *work,
                                      int32_t first, int32_t count)
{
    for (int32_t i = first + count - 1; i >= first; i--) {
        if (!lane_all(transfer(links, state, work, i))) {
            return (rct_sweep_result){SWEEP_SINGULAR, i};
        }
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

/* The acceleration of the point link i hangs on, in its parent's axes: eq. 33, beyond the first input
 * eq. 14; at the root r'' = 0. */
LANE_FUNCTION void reach(const rct_links *links, const double *state, double *work, int32_t i)
{
    const int64_t p = links->parent[i];
    const double *up = work + p * RICCATI_FIELDS;
    const vec3 above =
        p < 0 ? vec3_zero()
              : point_acceleration(vec3_load(up + RICCATI_LINEAR, 1),
                                   vec3_load(up + RICCATI_ANGULAR, 1),
                                   vec3_load(state + p * STATE_FIELDS + STATE_RATE, 1),
                                   vec3_load(links->sweep + (int64_t)i * LINK_FIELDS + LINK_AT, 1));
    vec3_store(work + (int64_t)i * RICCATI_FIELDS + RICCATI_LINEAR, 1, above);
}

/* State vectors of link i from the acceleration reached (eq. 33). */
LANE_FUNCTION mask recover(double *work, int64_t i)
{
    double *mine = work + i * RICCATI_FIELDS;
    const vec3 a = mat3_apply_transposed(mat3_load(mine + RICCATI_TURN, 1),
                                         vec3_load(mine + RICCATI_LINEAR, 1));
    const vec3 alpha = vec3_add(mat3_apply(mat3_load(mine + RICCATI_GAIN, 1), a),
                                vec3_load(mine + RICCATI_GAIN + 9, 1));
    const riccati z = riccati_load(mine + RICCATI_BODY);
    const vec6 zb = vec6_of(a, alpha);
    const vec6 load = mat6_apply(&z.s, &zb);
    for (int k = 0; k < 6; k++) {
        lane_store(mine + RICCATI_LOAD + k, load.v[k] + z.e.v[k]);
    }
    vec3_store(mine + RICCATI_LINEAR, 1, a);
    vec3_store(mine + RICCATI_ANGULAR, 1, alpha);
    return lane_finite(alpha.x + alpha.y + alpha.z);
}

LANE_FUNCTION rct_sweep_result outward(const rct_links *links, const double *state, double *work,
                                       int32_t first, int32_t count)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (int32_t i = first; i < first + count; i++) {
        if (i > first) {
            reach(links, state, work, i);
        }
        if (!lane_all(recover(work, i)) && result.link < 0) {
            result = (rct_sweep_result){SWEEP_NOT_FINITE, i};
        }
    }
    return result;
}

/* ---- results ------------------------------------------------------------------------------ */

LANE_FUNCTION mat3 rotation_of(const double *state, int64_t i)
{
    return quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
}

LANE_FUNCTION void accelerations(const rct_links *links, const double *state, const double *work,
                                 int32_t i, double row[6])
{
    const double *mine = work + (int64_t)i * RICCATI_FIELDS;
    const mat3 r = rotation_of(state, i);
    (void)links;
    vec3_store(row, 1, mat3_apply(r, vec3_load(mine + RICCATI_LINEAR, 1)));
    vec3_store(row + 3, 1, mat3_apply(r, vec3_load(mine + RICCATI_ANGULAR, 1)));
}

/* At an output q and m are what the link exerts: q = -force on it, m = moment on it (eq. 1). */
LANE_FUNCTION void force(const double *state, const double *work, int32_t i, double row[6])
{
    const double *load = work + (int64_t)i * RICCATI_FIELDS + RICCATI_LOAD;
    const mat3 r = rotation_of(state, i);
    vec3_store(row, 1, vec3_scale(lane_set(-1.0), mat3_apply(r, vec3_load(load + 3, 1))));
    vec3_store(row + 3, 1, mat3_apply(r, vec3_load(load, 1)));
}

/* ---- segments and what hangs beside them (kernels/serial.h) ------------------------------- */

/* F = -q = S A + e at node c, in the axes it is turned to. */
LANE_FUNCTION abi_handle outboard_handle(const double *work, int32_t c)
{
    const double *out = work + (int64_t)c * RICCATI_FIELDS;
    const riccati z = riccati_load_beyond(out + RICCATI_HINGE);
    return abi_turn(mat3_load(out + RICCATI_TURN, 1), riccati_handle(&z));
}

/* The node outboard of n, or -1. */
LANE_FUNCTION int32_t outboard_node(const rct_links *links, int32_t n)
{
    const int32_t k = links->child_begin[n];
    return k < links->child_begin[n + 1] ? links->child[k] : -1;
}

LANE_FUNCTION int close_segment(const rct_links *links, double *work, int32_t n, const double *span,
                                int32_t stride)
{
    double *mine = work + (int64_t)n * RICCATI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    abi_handle handle = own.handle;
    mask regular = 1;
    if (c >= 0) {
        double *turn = work + (int64_t)c * RICCATI_FIELDS + RICCATI_TURN;
        const mat3 last = mat3_load(span + SPAN_OUTBOARD * stride, stride);
        mat3_store(turn, 1, mat3_transposed_times(last, mat3_load(turn, 1)));
        handle = abi_span_close(
            &own, abi_besides(outboard_handle(work, c), span[SPAN_STAND_IN * stride]), &regular);
    }
    const riccati z = riccati_of_handle(handle);
    riccati_store(mine + RICCATI_HINGE, &z);
    mat3_store(mine + RICCATI_TURN, 1, mat3_load(span + SPAN_INBOARD * stride, stride));
    return lane_all(regular);
}

LANE_FUNCTION void open_segment(const rct_links *links, double *work, int32_t n, const double *span,
                                int32_t stride, double *end)
{
    double *mine = work + (int64_t)n * RICCATI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    const vec3 a = mat3_apply_transposed(mat3_load(mine + RICCATI_TURN, 1),
                                         vec3_load(mine + RICCATI_LINEAR, 1));
    abi_handle beyond = abi_span_open(lane_set(0.0)).handle;
    if (c >= 0) {
        beyond = outboard_handle(work, c);
        vec3_store(work + (int64_t)c * RICCATI_FIELDS + RICCATI_LINEAR, 1,
                   abi_span_reach(&own, abi_besides(beyond, span[SPAN_STAND_IN * stride]), a));
    }
    vec3_store(mine + RICCATI_LINEAR, 1, a);
    vec3_store(end + END_LINEAR * stride, stride, a);
    sym3_store(end + END_HANDLE * stride, stride, beyond.s);
    vec3_store(end + (END_HANDLE + 6) * stride, stride, beyond.e);
}

/* The table of these kernels; written where a function can be a constant. */
#define SERIAL_RICCATI_TABLE                                                                       \
    {                                                                                              \
        .work_fields = RICCATI_FIELDS, .linear = RICCATI_LINEAR, .angular = RICCATI_ANGULAR,       \
        .inward = inward, .reach = reach, .outward = outward, .accelerations = accelerations,      \
        .force = force, .close_segment = close_segment, .open_segment = open_segment,              \
        .side_fields = SIDE_RICCATI_FIELDS, .side = RICCATI_SIDE, .side_record = SIDE_RICCATI,     \
    }

#endif
