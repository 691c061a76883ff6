/* What all methods share, one lane: what hangs beside a segment reached, Runge-Kutta stages, points,
 * energies and momenta. */
#include "kernels/abi_step.h"
#include "kernels/measure.h"
#include "kernels/rk4_step.h"
#include "kernels/serial.h"
#include "kernels/trunk.h"

void rct_serial_add_side(const rct_serial_kernels *kernels, const double *work, int32_t i,
                         double *side, int32_t stride, int overwrite)
{
    trunk_add_side(kernels, work, i, side, stride, overwrite);
}

void rct_serial_reach_side(const rct_serial_kernels *kernels, const rct_links *links, double *work,
                           int32_t i, const double *side, int32_t stride)
{
    trunk_reach_side(kernels, links, work, i, side, stride);
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
        vec3 position, velocity;
        measure_step(links, state, i, &position, &velocity);
        if (p >= 0) {
            position = vec3_add(vec3_load(points + 6 * p, 1), position);
            velocity = vec3_add(vec3_load(points + 6 * p + 3, 1), velocity);
        }
        vec3_store(points + 6 * i, 1, position);
        vec3_store(points + 6 * i + 3, 1, velocity);
    }
}

void rct_serial_potentials(const rct_links *links, const double *state, double *potentials)
{
    for (int64_t i = 0; i < links->count; i++) {
        potentials[i] = measure_potential(links, links->own_gravity, state, i);
    }
}

void rct_serial_sums(const rct_links *links, const double *state, const double *points,
                     const double *potentials, rct_sums *sums)
{
    exact_sum all[MEASURES] = {{0.0, 0.0}};
    for (int64_t i = 0; i < links->count; i++) {
        double parts[MEASURES];
        measure_link(links, links->own_gravity, state, points + 6 * i, potentials[i], i, parts);
        for (int k = 0; k < MEASURES; k++) {
            exact_add(&all[k], parts[k]);
        }
    }
    double total[MEASURES];
    for (int k = 0; k < MEASURES; k++) {
        total[k] = all[k].sum + all[k].rest;
    }
    rct_sums_of(total, sums);
}

void rct_sums_of(const double total[MEASURES], rct_sums *sums)
{
    sums->kinetic = total[MEASURE_KINETIC];
    sums->potential = total[MEASURE_POTENTIAL];
    for (int k = 0; k < 3; k++) {
        sums->momentum[k] = total[MEASURE_MOMENTUM + k];
        sums->angular_momentum[k] = total[MEASURE_ANGULAR + k];
    }
}
