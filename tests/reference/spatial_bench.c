/* Random trees of any hinges for the spatial-operator reference (spatial_bench.h). */
#include "tests/reference/spatial_bench.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <string.h>

void on_random_systems(int floating, void (*check)(const spatial_case *c))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= (hinge < 0 ? 30 : 6); seed++) {
            const hinge_tree what = {.bodies = 1 + (int32_t)(seed * 5 % 14),
                                     .hinge = floating && hinge == RCT_HINGE_FREE ? -1 : hinge,
                                     .floating = floating,
                                     .forces = seed % 4 != 1,
                                     .moving = seed % 2 == 0,
                                     .seed = seed};
            spatial_case *c = spatial_case_of(&what, 0.4);
            check(c);
            spatial_case_free(c);
        }
    }
}

void point_of(const spatial_case *c, int32_t body, const double at[3], double x[3], double v[3])
{
    double lever[3];
    memcpy(x, at, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    if (body != RCT_GROUND) {
        spatial_apply(&c->pose[body].R, at, lever);
        spatial_cross(c->pose[body].V, lever, v);
        for (int i = 0; i < 3; i++) {
            x[i] = c->pose[body].x[i] + lever[i];
            v[i] += c->pose[body].V[3 + i];
        }
    }
}

void end_of_force(const spatial_case *c, const rct_force *f, int own, double x[3], double v[3],
                  double force[3], double moment[3])
{
    double other[3], other_v[3], along[3], distance = 0.0, stretch = 0.0;
    point_of(c, own ? f->body : f->other, own ? f->at : f->other_at, x, v);
    memcpy(force, f->force, 3 * sizeof *force);
    memcpy(moment, f->moment, 3 * sizeof *moment);
    if (f->in_body_axes) {
        spatial_apply(&c->pose[f->body].R, f->force, force);
        spatial_apply(&c->pose[f->body].R, f->moment, moment);
    }
    if (f->type == RCT_FORCE_SPRING) {
        point_of(c, own ? f->other : f->body, own ? f->other_at : f->at, other, other_v);
        for (int i = 0; i < 3; i++) {
            along[i] = other[i] - x[i];
            distance += along[i] * along[i];
        }
        distance = sqrt(distance);
        for (int i = 0; i < 3; i++) {
            along[i] /= distance;
            stretch += along[i] * (other_v[i] - v[i]);
        }
        for (int i = 0; i < 3; i++) {
            force[i] = along[i] * (f->stiffness * (distance - f->length) + f->damping * stretch);
        }
    }
}
