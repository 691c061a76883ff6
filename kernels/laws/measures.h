/* What links add to energies and momenta (kernels/records/measures.h), for the LANE_WIDTH of the
 * including translation unit. */
#ifndef RCT_KERNELS_LAWS_MEASURES_H
#define RCT_KERNELS_LAWS_MEASURES_H

#include "kernels/laws/pose.h"
#include "kernels/records/measures.h"

/* Measures `count` links from `first` on, LANE_WIDTH at most; the lanes behind them repeat the
 * last. */
LANE_INLINE void measure_row(const rct_measured *of, int64_t first, int64_t count, double *parts)
{
    const double *record[LANE_WIDTH], *lever[LANE_WIDTH], *at[LANE_WIDTH], *gravity[LANE_WIDTH];
    double nowhere[MEASURES], *to[LANE_WIDTH];
    real own[LINK_AT], moment[3];
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int64_t label = first + (l < count ? l : count - 1);
        record[l] = rct_link_record(of->links, label);
        lever[l] = of->levers + label * LEVER_FIELDS;
        at[l] = (const double *)rct_pose_at(of->poses, label);
        gravity[l] = of->gravity + (of->systems > 1 ? 3 * (of->head[label] % of->systems) : 0);
        to[l] = l < count ? parts + l * MEASURES : nowhere;
    }
    const link_pose pose = link_pose_collect(at, 1, POSE_OPEN_FIELDS);
    lane_collect_all(record, 0, LINK_AT, own);
    lane_collect_all(lever, LEVER_MOMENT, 3, moment);
    const vec3 g = of->systems > 1 ? vec3_collect(gravity, 0, 1) : vec3_of_one(of->gravity, 0, 1);
    const real mass = own[LINK_MASS], *j = own + LINK_INERTIA;
    const sym3 inertia = {j[0], j[1], j[2], j[3], j[4], j[5]};
    const vec3 com = {own[LINK_COM], own[LINK_COM + 1], own[LINK_COM + 2]};
    const vec3 rate = pose.frame.rate, moving = vec3_cross(rate, com);
    const mat3 turn = pose.frame.rotation;
    /* J_C w = J_O w - m c x (w x c), link axes */
    const vec3 spin = vec3_add_scaled(sym3_apply(inertia, rate), -mass, vec3_cross(com, moving));
    const vec3 v = vec3_add(pose.velocity, mat3_apply(turn, moving)), p = vec3_scale(mass, v);
    const vec3 centre = vec3_add(pose.position, mat3_apply(turn, com));
    const vec3 angular = vec3_add(vec3_cross(centre, p), mat3_apply(turn, spin));
    const vec3 lifted = mat3_apply(turn, (vec3){moment[0], moment[1], moment[2]});
    const real part[MEASURES] = {lane_set(0.5) * (vec3_dot(p, v) + vec3_dot(spin, rate)),
                                 -vec3_dot(g, lifted),
                                 p.x,
                                 p.y,
                                 p.z,
                                 angular.x,
                                 angular.y,
                                 angular.z};
    lane_spread_all(to, 0, MEASURES, part);
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
