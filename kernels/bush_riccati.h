/* The kernels of bushes of the riccati method, for the LANE_WIDTH of the including translation unit: the
 * elements of kernels/riccati_step.h. Beyond a hinge only S_qr and e_q are not zero; links pass them on as
 * handles (kernels/riccati_handle.h). 1,900 flops a link.
 */
#ifndef RCT_KERNELS_BUSH_RICCATI_H
#define RCT_KERNELS_BUSH_RICCATI_H

#include "kernels/bush.h"
#include "kernels/riccati_handle.h"

/* The links of wave g, axes r, as body elements (eq. 5), link axes. The first input is where the path goes
 * on; for a tip the centre of mass (kernels/serial_riccati.c). */
LANE_INLINE riccati_body bush_riccati_body(const bush_sweep *s, int64_t g, int tips, mat3 r)
{
    const vec3 gravity = vec3_own(s->bushes->own_gravity, 3 * g * W, W, s->bushes->gravity);
    const tile_link link = bush_link_load(s, g);
    const vec3 input = tips ? link.com : link.out;
    riccati_body body;
    body.mass = link.mass;
    body.ic = vec3_sub(link.com, input);
    body.io = vec3_scale(lane_set(-1.0), input);
    body.inertia = inertia_shifted(link.inertia, link.mass, body.ic);
    body.rate = bush_rate(s, g);
    body.force = vec3_scale(link.mass, mat3_apply_transposed(r, gravity));
    return body;
}

/* (S, e) at the first inputs of wave g: the sum over the inputs (eqs. 7-17). */
LANE_INLINE riccati bush_riccati_sum(const bush_sweep *s, int64_t g, mat3 r,
                                     const riccati_body *body, const bush_way *way)
{
    const rct_bushes *b = s->bushes;
    const mat3 turn = mat3_transposed_times(r, way->before);
    riccati sum = riccati_of_handle(abi_turn(turn, way->handle));
    mat3_store(bush_row(s, g + 1) + BUSH_TURN * W, W, turn);
    for (int64_t k = b->first_kid[g]; k < b->first_kid[g + 1]; k++) {
        const riccati z = riccati_of_handle(bush_kid_handle(s, k));
        riccati_add_input(&z, vec3_add(bush_kid_at(s, k), body->io), body->rate, &sum);
    }
    return sum;
}

/* What roots of wave g, axes r, add to the side records of the links they hang on. */
LANE_INLINE void bush_riccati_sides(const bush_sweep *s, int64_t g, mat3 r, abi_handle handle)
{
    const int32_t row = s->bushes->side_row[g];
    double numbers[(RICCATI_SIDE + SIDE_RICCATI_FIELDS) * LANE_WIDTH];
    vec3 w;
    const mat3 turn = mat3_transposed_times(bush_side_axes(s, row, &w), r);
    const riccati z = riccati_of_handle(abi_turn(turn, handle));
    riccati sum = riccati_none();
    riccati_add_input(&z, vec3_load(s->bushes->side_at + (int64_t)3 * row * W, W), w, &sum);
    mat3_store(numbers + RICCATI_TURN * LANE_WIDTH, LANE_WIDTH, turn);
    for (int i = 0; i < 36; i++) {
        lane_store(numbers + (RICCATI_SIDE + i) * LANE_WIDTH, sum.s.m[i / 6][i % 6]);
    }
    for (int i = 0; i < 6; i++) {
        lane_store(numbers + (RICCATI_SIDE + 36 + i) * LANE_WIDTH, sum.e.v[i]);
    }
    bush_write_sides(s, row, RICCATI_FIELDS, numbers, RICCATI_SIDE + SIDE_RICCATI_FIELDS);
}

/* One sheaf inward; what is kept is constant where it is called. */
LANE_INLINE void bush_riccati_sheaf(const bush_sweep *s, int32_t sheaf, int gains, int handles,
                                    bush_faults *faults)
{
    const rct_bushes *b = s->bushes;
    const riccati_row row = riccati_smooth_row();
    const int64_t last = b->first_wave[sheaf + 1] - 1;
    bush_way way = bush_way_begin();
    for (int64_t g = last; g >= b->first_wave[sheaf]; g--) {
        double *own = bush_row(s, g);
        const mat3 r = bush_rotation(s, g);
        const riccati_body body = bush_riccati_body(s, g, g == last, r);
        riccati z = g == last ? riccati_none() : bush_riccati_sum(s, g, r, &body, &way);
        riccati_cross_body(&body, &z);
        const real pivot = z.s.m[0][3] + z.s.m[1][4] + z.s.m[2][5];
        const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
        riccati_clear_moment(&z);
        way = (bush_way){riccati_handle(&z), r};
        bush_watch(faults, s, g, hinge.regular, pivot, &way.handle);
        if (gains) {
            mat3_store(own + BUSH_GAIN * W, W, mat3_minus(hinge.b));
            vec3_store(own + (BUSH_GAIN + 9) * W, W, vec3_scale(lane_set(-1.0), hinge.d));
        }
        if (handles || b->starts[g] != 0) {
            bush_store_handle(own + BUSH_HANDLE * W, way.handle);
        }
        if (b->starts[g] != 0) {
            bush_hang(s, g, r, way.handle);
        }
        if (!gains && b->side_row[g] >= 0) {
            bush_riccati_sides(s, g, r, way.handle);
        }
        lane_meet();
    }
}

LANE_INLINE rct_sweep_result bush_riccati_inward(const bush_sweep *s, int gains, int handles)
{
    bush_faults faults = {{SWEEP_DONE, -1}, {SWEEP_DONE, -1}};
    for (int32_t sheaf = s->end_sheaf - 1; sheaf >= s->first_sheaf; sheaf--) {
        bush_riccati_sheaf(s, sheaf, gains, handles, &faults);
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
    const rct_sweep_result result = bush_riccati_inward(&s, 0, 0);
    const int64_t end = bushes->first_root[bush + 1];
    for (int64_t k = bushes->first_root[bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        if (!bushes->root[k].beside) {
            const double *own = scratch + bushes->root[k].place;
            double *work = bushes->work + (int64_t)bushes->root[k].node * RICCATI_FIELDS;
            bush_copy(work + RICCATI_TURN, 1, own + BUSH_START * W, W, 9);
            bush_riccati_write(work + RICCATI_HINGE, own + BUSH_HANDLE * W);
        }
    }
    return result;
}

LANE_FUNCTION rct_sweep_result bush_riccati_accelerate(const rct_bushes *bushes, int32_t bush,
                                                       int stage, double dt, double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    const rct_sweep_result inward = bush_riccati_inward(&s, 1, stage == STAGE_NONE);
    bush_reach(&s, RICCATI_FIELDS, RICCATI_TURN, RICCATI_LINEAR);
    const rct_sweep_result outward = bush_outward(&s, stage, dt);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
