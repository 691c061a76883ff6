/* What links add to energies and momenta (measures.h), one after the other. */
#include "kernels/records/measures.h"

#include "kernels/laws/pose.h"

/* J_C w = J_O w - m c x (w x c), link axes. */
static vec3 spin_about_centre(const double *record, vec3 com, vec3 rate)
{
    const sym3 inertia = sym3_load(record + LINK_INERTIA, 1);
    const vec3 orbit = vec3_cross(com, vec3_cross(rate, com));
    return vec3_add_scaled(sym3_apply(inertia, rate), -record[LINK_MASS], orbit);
}

void rct_measure_links(const rct_measured *of, const double gravity[3], int64_t first,
                       int64_t count, double *parts)
{
    const vec3 g = vec3_load(gravity, 1);
    for (int64_t l = first; l < first + count; l++, parts += MEASURES) {
        const double *record = rct_link_record(of->links, l),
                     *lever = of->levers + l * LEVER_FIELDS;
        const link_pose pose = link_pose_load((const double *)&of->poses[l], 1);
        const vec3 com = vec3_load(record + LINK_COM, 1), rate = pose.frame.rate;
        const mat3 turn = pose.frame.rotation;
        const vec3 arm = mat3_apply(turn, com), spin = spin_about_centre(record, com, rate);
        const vec3 turning = mat3_apply(turn, vec3_cross(rate, com));
        const vec3 v = vec3_add(pose.velocity, turning), p = vec3_scale(record[LINK_MASS], v);
        const vec3 orbit = vec3_cross(vec3_add(pose.position, arm), p);
        const vec3 moment = mat3_apply(turn, vec3_load(lever + LEVER_MOMENT, 1));
        parts[MEASURE_KINETIC] = 0.5 * (vec3_dot(p, v) + vec3_dot(spin, rate));
        parts[MEASURE_POTENTIAL] = -vec3_dot(g, moment);
        vec3_store(parts + MEASURE_MOMENTUM, 1, p);
        vec3_store(parts + MEASURE_ANGULAR, 1, vec3_add(orbit, mat3_apply(turn, spin)));
    }
}
