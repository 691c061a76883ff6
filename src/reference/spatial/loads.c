/* Wrenches, and springs between points (loads.h). */
#include "reference/spatial/loads.h"

#include "model/model.h"
#include "reference/spatial/vector.h"

#include <math.h>
#include <string.h>

/* A point of a body, or of the ground, which springs take as inertial. */
typedef struct end_point {
    double lever[3]; /* from the hinge point of the body */
    double x[3], v[3];
} end_point;

static end_point end_of(const rct_spatial_pose *pose, int32_t body, const double at[3])
{
    end_point end = {.x = {at[0], at[1], at[2]}};
    if (body != RCT_GROUND) {
        const rct_spatial_pose *own = &pose[body];
        spatial_apply(&own->R, at, end.lever);
        spatial_cross(own->V, end.lever, end.v);
        for (int i = 0; i < 3; i++) {
            end.x[i] = own->x[i] + end.lever[i];
            end.v[i] += own->V[3 + i];
        }
    }
    return end;
}

static void add_load(rct_spatial_pose *pose, int32_t body, const double lever[3],
                     const double force[3])
{
    double moment[3];
    if (body != RCT_GROUND) {
        spatial_cross(lever, force, moment);
        spatial_add(pose[body].load, 1.0, moment);
        spatial_add(pose[body].load + 3, 1.0, force);
    }
}

static void add_wrench(const rct_force *f, rct_spatial_pose *pose)
{
    rct_spatial_pose *own = &pose[f->body];
    double force[3], moment[3];
    memcpy(force, f->force, sizeof force);
    memcpy(moment, f->moment, sizeof moment);
    if (f->in_body_axes) {
        spatial_apply(&own->R, f->force, force);
        spatial_apply(&own->R, f->moment, moment);
    }
    add_load(pose, f->body, end_of(pose, f->body, f->at).lever, force);
    spatial_add(own->load, 1.0, moment);
}

/* Pulls each end to the other by stiffness (distance - length) + damping (rate of the distance). */
static void add_spring(const rct_force *f, rct_spatial_pose *pose)
{
    const end_point a = end_of(pose, f->body, f->at), b = end_of(pose, f->other, f->other_at);
    double along[3], distance = 0.0, rate = 0.0, force[3];
    for (int i = 0; i < 3; i++) {
        along[i] = b.x[i] - a.x[i];
        distance += along[i] * along[i];
        rate += along[i] * (b.v[i] - a.v[i]);
    }
    distance = sqrt(distance);
    if (distance == 0.0) {
        return;
    }
    const double pull = f->stiffness * (distance - f->length) + f->damping * rate / distance;
    for (int i = 0; i < 3; i++) {
        force[i] = pull * along[i] / distance;
    }
    add_load(pose, f->body, a.lever, force);
    for (int i = 0; i < 3; i++) {
        force[i] = -force[i];
    }
    add_load(pose, f->other, b.lever, force);
}

void rct_spatial_loads(const rct_model *model, rct_spatial_pose *pose)
{
    for (int32_t k = 0; k < model->force_count; k++) {
        const rct_force *f = &model->forces[k];
        switch (f->type) {
        case RCT_FORCE_WRENCH: add_wrench(f, pose); break;
        case RCT_FORCE_SPRING: add_spring(f, pose); break;
        }
    }
}
