/* What links add to energies and momenta (kernels/records/measures.h), for the LANE_WIDTH of the
 * including translation unit. */
#ifndef RCT_KERNELS_LAWS_MEASURES_H
#define RCT_KERNELS_LAWS_MEASURES_H

#include "kernels/laws/pose.h"
#include "kernels/records/measures.h"

/* J_C w = J_O w - m c x (w x c), link axes, from the records of links. */
LANE_INLINE vec3 spin_about_centre(const double *const *record, real mass, vec3 com, vec3 rate)
{
    const vec3 i = vec3_collect(record, LINK_INERTIA, 1),
               o = vec3_collect(record, LINK_INERTIA + 3, 1);
    const sym3 inertia = {i.x, i.y, i.z, o.x, o.y, o.z};
    const vec3 orbit = vec3_cross(com, vec3_cross(rate, com));
    return vec3_add_scaled(sym3_apply(inertia, rate), -mass, orbit);
}

/* Measures `count` links from `first` on, LANE_WIDTH at most; the lanes behind them repeat the
 * last. */
LANE_INLINE void measure_row(const rct_measured *of, int64_t first, int64_t count, double *parts)
{
    const double *record[LANE_WIDTH], *lever[LANE_WIDTH], *at[LANE_WIDTH], *gravity[LANE_WIDTH];
    double row[MEASURES * LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int64_t label = first + (l < count ? l : count - 1);
        record[l] = rct_link_record(of->links, label);
        lever[l] = of->levers + label * LEVER_FIELDS;
        at[l] = (const double *)rct_pose_at(of->poses, label);
        gravity[l] = of->gravity + (of->systems > 1 ? 3 * (of->head[label] % of->systems) : 0);
    }
    const link_pose pose = link_pose_collect(at, 1, POSE_OPEN_FIELDS);
    const vec3 com = vec3_collect(record, LINK_COM, 1), rate = pose.frame.rate;
    const mat3 turn = pose.frame.rotation;
    const real mass = lane_collect(record, LINK_MASS);
    const vec3 arm = mat3_apply(turn, com), spin = spin_about_centre(record, mass, com, rate);
    const vec3 v = vec3_add(pose.velocity, mat3_apply(turn, vec3_cross(rate, com)));
    const vec3 p = vec3_scale(mass, v), orbit = vec3_cross(vec3_add(pose.position, arm), p);
    const vec3 moment = mat3_apply(turn, vec3_collect(lever, LEVER_MOMENT, 1));
    const real kinetic = lane_set(0.5) * (vec3_dot(p, v) + vec3_dot(spin, rate));
    lane_store(row + MEASURE_KINETIC * LANE_WIDTH, kinetic);
    lane_store(row + MEASURE_POTENTIAL * LANE_WIDTH,
               -vec3_dot(vec3_collect(gravity, 0, 1), moment));
    vec3_store(row + MEASURE_MOMENTUM * LANE_WIDTH, LANE_WIDTH, p);
    vec3_store(row + MEASURE_ANGULAR * LANE_WIDTH, LANE_WIDTH,
               vec3_add(orbit, mat3_apply(turn, spin)));
    for (int l = 0; l < count; l++) {
        LANE_UNROLL
        for (int f = 0; f < MEASURES; f++) {
            parts[l * MEASURES + f] = row[f * LANE_WIDTH + l];
        }
    }
}

LANE_FUNCTION void measure_links(const rct_measured *of, int64_t first, int64_t count,
                                 double *parts)
{
    for (int64_t k = 0; k < count; k += LANE_WIDTH) {
        const int64_t left = count - k;
        measure_row(of, first + k, left < LANE_WIDTH ? left : LANE_WIDTH, parts + k * MEASURES);
    }
}

/* Eight sums side by side, each in the order of links. */
LANE_FUNCTION void sum_measures(const double *parts, int64_t count, rct_measure_sums *all)
{
    enum { VECTORS = MEASURES / LANE_WIDTH };
    real sum[VECTORS], rest[VECTORS];
    LANE_UNROLL
    for (int i = 0; i < VECTORS; i++) {
        sum[i] = lane_load(all->sum + i * LANE_WIDTH);
        rest[i] = lane_load(all->rest + i * LANE_WIDTH);
    }
    for (int64_t k = 0; k < count; k++) {
        LANE_UNROLL
        for (int i = 0; i < VECTORS; i++) {
            const real x = lane_load(parts + k * MEASURES + i * LANE_WIDTH);
            const real t = sum[i] + x;
            rest[i] += lane_left_out(sum[i], x, t);
            sum[i] = t;
        }
    }
    LANE_UNROLL
    for (int i = 0; i < VECTORS; i++) {
        lane_store(all->sum + i * LANE_WIDTH, sum[i]);
        lane_store(all->rest + i * LANE_WIDTH, rest[i]);
    }
}

#endif
