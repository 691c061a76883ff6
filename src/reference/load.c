/* Gravity, wrenches and springs as forces at the centres of mass and moments about them, inertial axes. */
#include "reference/pose.h"

#include "model/model.h"

typedef struct point {
    quad3 x, v; /* m, m/s, inertial axes */
} point;

/* A point of a body given from its hinge point in body axes; of the ground: inertial, at rest. */
static point point_of(const rct_pose *pose, int32_t body, const double at[3])
{
    if (body == RCT_GROUND) {
        return (point){quad3_of(at), {{0, 0, 0}}};
    }
    const quad3 arm = quad33_apply(&pose[body].R, quad3_of(at));
    return (point){quad3_add(pose[body].position, arm),
                   quad3_add(pose[body].velocity, quad3_cross(pose[body].omega, arm))};
}

/* A force at a point of a body acts at C with the moment (x - x_C) x force. */
static void add(const rct_model *model, const rct_pose *pose, int32_t body, const double at[3],
                quad3 force, rct_load *load)
{
    if (body != RCT_GROUND) {
        const quad3 from_com =
            quad3_subtract(quad3_of(at), quad3_of(rct_bodies_at(model->bodies, body)->com));
        const quad3 arm = quad33_apply(&pose[body].R, from_com);
        load[body].F = quad3_add(load[body].F, force);
        load[body].G = quad3_add(load[body].G, quad3_cross(arm, force));
    }
}

static void add_wrench(const rct_model *model, const rct_pose *pose, const rct_force *f,
                       rct_load *load)
{
    const rct_pose *at = &pose[f->body];
    quad3 force = quad3_of(f->force), moment = quad3_of(f->moment);
    if (f->in_body_axes) {
        force = quad33_apply(&at->R, force);
        moment = quad33_apply(&at->R, moment);
    }
    add(model, pose, f->body, f->at, force, load);
    load[f->body].G = quad3_add(load[f->body].G, moment);
}

/* With d from the point to that of the other body: e = d / |d|, |d|. = e . d., and the pull
 * stiffness (|d| - length) + damping |d|. along e on the body, against e on the other. */
static void add_spring(const rct_model *model, const rct_pose *pose, const rct_force *f,
                       rct_load *load)
{
    const point from = point_of(pose, f->body, f->at);
    const point to = point_of(pose, f->other, f->other_at);
    const quad3 d = quad3_subtract(to.x, from.x), d_dot = quad3_subtract(to.v, from.v);
    const quad distance = quad_root(quad3_dot(d, d));
    if (distance > 0) {
        const quad3 e = quad3_scale(1 / distance, d);
        const quad pull = f->stiffness * (distance - f->length) + f->damping * quad3_dot(e, d_dot);
        add(model, pose, f->body, f->at, quad3_scale(pull, e), load);
        add(model, pose, f->other, f->other_at, quad3_scale(-pull, e), load);
    }
}

void rct_load_all(const rct_model *model, const rct_pose *pose, rct_load *load)
{
    for (int32_t i = 0; i < model->count; i++) {
        const quad mass = rct_bodies_at(model->bodies, i)->mass;
        load[i] = (rct_load){.F = quad3_scale(mass, quad3_of(model->gravity))};
    }
    for (int32_t k = 0; k < model->force_count; k++) {
        const rct_force *f = &model->forces[k];
        if (f->type == RCT_FORCE_WRENCH) {
            add_wrench(model, pose, f, load);
        } else {
            add_spring(model, pose, f, load);
        }
    }
}
