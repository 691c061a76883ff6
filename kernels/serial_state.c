/* What all methods share, one lane: what hangs beside a segment reached, Runge-Kutta stages, points,
 * energies and momenta. */
#include "kernels/abi_step.h"
#include "kernels/rk4_step.h"
#include "kernels/serial.h"
#include "kernels/tiles.h"

void rct_serial_add_side(const rct_serial_kernels *kernels, const double *work, int32_t i,
                         double *side, int32_t stride, int overwrite)
{
    const double *mine = work + (int64_t)i * kernels->work_fields + kernels->side;
    double *to = side + (int64_t)kernels->side_record * stride;
    for (int k = 0; k < kernels->side_fields; k++) {
        to[k * stride] = overwrite ? mine[k] : to[k * stride] + mine[k];
    }
}

void rct_serial_reach_side(const rct_serial_kernels *kernels, const rct_links *links, double *work,
                           int32_t i, const double *side, int32_t stride)
{
    const vec3 above =
        point_acceleration(vec3_load(side + SIDE_LINEAR * stride, stride),
                           vec3_load(side + SIDE_ANGULAR * stride, stride),
                           vec3_load(side + SIDE_RATE * stride, stride),
                           vec3_load(links->sweep + (int64_t)i * LINK_FIELDS + LINK_AT, 1));
    vec3_store(work + (int64_t)i * kernels->work_fields + kernels->linear, 1, above);
}

rct_sweep_result rct_serial_rk4_stage(int stage, double dt, int32_t count, const double *angular,
                                      int64_t angular_stride, double *base, double *sum,
                                      double *state)
{
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    for (int32_t i = 0; i < count; i++) {
        const vec3 alpha = vec3_load(angular + i * angular_stride, 1);
        const int64_t at = (int64_t)i * STATE_FIELDS;
        if (stage == 0) {
            rk4_first_stage(base + at, sum + at, state + at, 1, alpha, weights);
        } else if (stage < 3) {
            rk4_inner_stage(base + at, sum + at, state + at, 1, alpha, weights);
        } else if (!lane_all(rk4_last_stage(sum + at, state + at, 1, alpha, weights))) {
            return (rct_sweep_result){SWEEP_NOT_FINITE, i};
        }
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

void rct_serial_points(const rct_links *links, const double *state, double *points)
{
    for (int64_t i = 0; i < links->count; i++) {
        const int64_t p = links->parent[i];
        vec3 position = vec3_load(links->sweep + i * LINK_FIELDS + LINK_AT, 1);
        vec3 velocity = vec3_zero();
        if (p >= 0) {
            const double *up = state + p * STATE_FIELDS;
            const mat3 r = quat_rotation(quat_load(up + STATE_ORIENTATION, 1));
            const vec3 turning = vec3_cross(vec3_load(up + STATE_RATE, 1), position);
            velocity = vec3_add(vec3_load(points + 6 * p + 3, 1), mat3_apply(r, turning));
            position = vec3_add(vec3_load(points + 6 * p, 1), mat3_apply(r, position));
        }
        vec3_store(points + 6 * i, 1, position);
        vec3_store(points + 6 * i + 3, 1, velocity);
    }
}

/* sum m r_C = sum over links of R (mass moment) + constants, so V = -sum g . R (mass moment) */
static real potential_of(const rct_links *links, const double *state, int64_t i)
{
    const mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 g = {lane_set(links->gravity[0]), lane_set(links->gravity[1]),
                    lane_set(links->gravity[2])};
    const vec3 moment = vec3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_MASS_MOMENT, 1);
    return -vec3_dot(g, mat3_apply(r, moment));
}

void rct_serial_potentials(const rct_links *links, const double *state, double *potentials)
{
    for (int64_t i = 0; i < links->count; i++) {
        potentials[i] = potential_of(links, state, i);
    }
}

/* A sum with the rounding of every addition carried along (Neumaier). */
typedef struct exact_sum {
    double sum, rest;
} exact_sum;

static void add(exact_sum *s, double x)
{
    const double t = s->sum + x;
    s->rest += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static void add_vector(exact_sum s[3], vec3 v)
{
    add(&s[0], v.x);
    add(&s[1], v.y);
    add(&s[2], v.z);
}

void rct_serial_sums(const rct_links *links, const double *state, const double *points,
                     const double *potentials, rct_sums *sums)
{
    exact_sum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
    exact_sum momentum[3] = {{0.0, 0.0}}, angular[3] = {{0.0, 0.0}};
    for (int64_t i = 0; i < links->count; i++) {
        const double *record = links->sweep + i * LINK_FIELDS;
        const mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
        const vec3 w = vec3_load(state + i * STATE_FIELDS + STATE_RATE, 1);
        const vec3 c = vec3_load(record + LINK_COM, 1);
        const sym3 j = sym3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_COM_INERTIA, 1);
        const real m = lane_load(record + LINK_MASS);
        const vec3 spin = sym3_apply(j, w);
        const vec3 velocity =
            vec3_add(vec3_load(points + 6 * i + 3, 1), mat3_apply(r, vec3_cross(w, c)));
        const vec3 position = vec3_add(vec3_load(points + 6 * i, 1), mat3_apply(r, c));
        const vec3 p = vec3_scale(m, velocity);
        add(&kinetic, 0.5 * (vec3_dot(p, velocity) + vec3_dot(w, spin)));
        add(&potential, potential_of(links, state, i) - potentials[i]);
        add_vector(momentum, p);
        add_vector(angular, vec3_add(vec3_cross(position, p), mat3_apply(r, spin)));
    }
    sums->kinetic = kinetic.sum + kinetic.rest;
    sums->potential = potential.sum + potential.rest;
    for (int k = 0; k < 3; k++) {
        sums->momentum[k] = momentum[k].sum + momentum[k].rest;
        sums->angular_momentum[k] = angular[k].sum + angular[k].rest;
    }
}
