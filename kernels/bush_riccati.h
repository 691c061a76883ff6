/* The kernels of bushes of the riccati method, for the LANE_WIDTH of the including translation unit: the
 * elements of kernels/riccati_step.h. Beyond a hinge only S_qr and e_q are not zero; links pass them on as
 * handles (kernels/riccati_handle.h). 2,000 flops a link.
 */
#ifndef RCT_KERNELS_BUSH_RICCATI_H
#define RCT_KERNELS_BUSH_RICCATI_H

#include "kernels/bush.h"
#include "kernels/riccati_handle.h"

/* The first inputs of wave g from the origins: where the first outboard links hang; for a tip its centre
 * of mass (kernels/serial_riccati.c). */
LANE_INLINE vec3 bush_riccati_first_input(const bush_sweep *s, int64_t g, const tile_link *link)
{
    const rct_bushes *b = s->bushes;
    if (b->first_kid[g] == b->first_kid[g + 1]) {
        return link->com;
    }
    const int32_t *kid = b->kid + b->first_kid[g] * W;
    double there[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        there[l] = kid[l] >= W ? 1.0 : 0.0; /* places below are in the neutral row */
    }
    const mask hung = lane_greater(lane_load(there), lane_set(0.0));
    const vec3 at = bush_at_gather(s, kid);
    return (vec3){lane_select(hung, at.x, link->com.x), lane_select(hung, at.y, link->com.y),
                  lane_select(hung, at.z, link->com.z)};
}

/* The links of wave g as body elements (eq. 5), link axes. */
LANE_INLINE riccati_body bush_riccati_body(const bush_sweep *s, int64_t g, const tile_link *link,
                                           mat3 r, vec3 input)
{
    const double *gravity = s->bushes->gravity;
    const vec3 weight = {lane_set(gravity[0]), lane_set(gravity[1]), lane_set(gravity[2])};
    riccati_body body;
    body.mass = link->mass;
    body.ic = vec3_sub(link->com, input);
    body.io = vec3_scale(lane_set(-1.0), input);
    body.inertia = inertia_shifted(link->inertia, link->mass, body.ic);
    body.rate = vec3_load(s->bushes->state + (g * STATE_FIELDS + STATE_RATE) * W, W);
    body.force = vec3_scale(link->mass, mat3_apply_transposed(r, weight));
    return body;
}

/* (S, e) at the first inputs of wave g: the sum over the inputs (eqs. 7-17). */
LANE_INLINE riccati bush_riccati_sum(const bush_sweep *s, int64_t g, vec3 first, vec3 rate)
{
    const rct_bushes *b = s->bushes;
    riccati sum = riccati_none();
    for (int64_t k = b->first_kid[g]; k < b->first_kid[g + 1]; k++) {
        const int32_t *kid = b->kid + k * W;
        const riccati z = riccati_of_handle(bush_handle_gather(s, kid));
        if (k == b->first_kid[g]) {
            sum = z;
        } else {
            riccati_add_input(&z, vec3_sub(bush_at_gather(s, kid), first), rate, &sum);
        }
    }
    return sum;
}

/* Inward over a bush whose rotations are in the scratch; what is kept is constant where it is called. */
LANE_INLINE rct_sweep_result bush_riccati_inward(const bush_sweep *s, int gains, int handles)
{
    const riccati_row row = riccati_smooth_row();
    bush_faults faults = {{SWEEP_DONE, -1}, {SWEEP_DONE, -1}};
    for (int64_t g = s->end - 1; g >= s->first; g--) {
        const tile_link link = bush_link_load(s->bushes, g);
        const mat3 r = mat3_load(bush_row(s, g) + BUSH_TURN * W, W);
        const vec3 first = bush_riccati_first_input(s, g, &link);
        const riccati_body body = bush_riccati_body(s, g, &link, r, first);
        riccati z = bush_riccati_sum(s, g, first, body.rate);
        riccati_cross_body(&body, &z);
        const real pivot = z.s.m[0][3] + z.s.m[1][4] + z.s.m[2][5];
        const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
        riccati_clear_moment(&z);
        abi_handle handle = riccati_handle(&z);
        bush_watch(&faults, s, g, hinge.regular, pivot, &handle);
        bush_pass_inward(s, g, r, link.out, handle);
        if (gains) {
            bush_keep_gain(s, g,
                           (abi_gain){mat3_minus(hinge.b), vec3_scale(lane_set(-1.0), hinge.d)});
        }
        if (handles) {
            bush_keep_handle(s, g, handle);
        }
        lane_meet();
    }
    return bush_judge(s, &faults);
}

/* A handle (S, e) as (S, e) of the recursion beyond the hinge, 36 + 6 numbers by rows. */
LANE_FUNCTION void bush_riccati_write(double *to, const double *handle)
{
    const int entry[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2}; /* of S, by rows */
    for (int i = 0; i < 42; i++) {
        to[i] = 0.0;
    }
    for (int i = 0; i < 9; i++) {
        to[6 * (3 + i / 3) + i % 3] = -handle[entry[i] * W];
    }
    for (int i = 0; i < 3; i++) {
        to[36 + 3 + i] = -handle[(6 + i) * W];
    }
}

LANE_FUNCTION rct_sweep_result bush_riccati_condense(const rct_bushes *bushes, int32_t bush,
                                                     double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    bush_rotations(&s);
    bush_write_turns(&s, RICCATI_FIELDS, RICCATI_TURN);
    const rct_sweep_result result = bush_riccati_inward(&s, 0, 1);
    const int64_t end = bushes->first_root[bush + 1];
    for (int64_t k = bushes->first_root[bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        bush_riccati_write(bushes->work + (int64_t)bushes->root[k].node * RICCATI_FIELDS +
                               RICCATI_HINGE,
                           scratch + bushes->root[k].place + BUSH_HANDLE * W);
    }
    return result;
}

LANE_FUNCTION rct_sweep_result bush_riccati_accelerate(const rct_bushes *bushes, int32_t bush,
                                                       int stage, double dt, double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    bush_rotations(&s);
    if (bush >= bushes->hanging) {
        bush_write_turns(&s, RICCATI_FIELDS, RICCATI_TURN);
    }
    const rct_sweep_result inward = bush_riccati_inward(&s, 1, stage == STAGE_NONE);
    bush_reach(&s, RICCATI_FIELDS, RICCATI_TURN, RICCATI_LINEAR);
    const rct_sweep_result outward = bush_outward(&s, stage, dt);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
