/* Gravity, wrenches, springs, cables and drag as forces at the centres of mass and moments about
 * them, in inertial axes. */
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
        quad pull = f->stiffness * (distance - f->length) + f->damping * quad3_dot(e, d_dot);
        if (f->type == RCT_FORCE_CABLE && (distance < f->length || pull < 0)) {
            pull = 0;
        }
        add(model, pose, f->body, f->at, quad3_scale(pull, e), load);
        add(model, pose, f->other, f->other_at, quad3_scale(-pull, e), load);
    }
}

/* 1/2 density diameter (normal |v_n| v_n + pi tangential |v_t| v_t), with v the velocity of the
 * fluid past a point. */
static quad3 drag_at(const rct_force *f, quad3 along, quad3 v)
{
    const quad3 v_t = quad3_scale(quad3_dot(along, v), along), v_n = quad3_subtract(v, v_t);
    const quad t = f->tangential * (quad)M_PI * quad_root(quad3_dot(v_t, v_t));
    const quad n = f->normal * quad_root(quad3_dot(v_n, v_n));
    const quad3 sum = quad3_add(quad3_scale(n, v_n), quad3_scale(t, v_t));
    return quad3_scale((quad)f->density * f->diameter / 2, sum);
}

/* Gauss's rule of five points on [-1, 1]: at 0, weight 128/225, and at +-sqrt(5 -+ 2 sqrt(10/7))
 * / 3, weights (322 +- 13 sqrt(70)) / 900. */
static void add_drag(const rct_model *model, const rct_pose *pose, const rct_force *f,
                     rct_load *load)
{
    const quad root = 2 * quad_root((quad)10 / 7), weight = 13 * quad_root(70);
    const quad near = quad_root(5 - root) / 3, far = quad_root(5 + root) / 3;
    const quad node[RCT_DRAG_POINTS] = {-far, -near, 0, near, far};
    const quad share[RCT_DRAG_POINTS] = {(322 - weight) / 900, (322 + weight) / 900,
                                         (quad)128 / 225, (322 + weight) / 900,
                                         (322 - weight) / 900};
    const quad3 a = quad3_of(f->at), b = quad3_of(f->end), way = quad3_subtract(b, a);
    const quad length = quad_root(quad3_dot(way, way));
    const quad3 along = quad33_apply(&pose[f->body].R, quad3_scale(1 / length, way));
    const quad volume = (quad)M_PI * f->diameter * f->diameter * length / 4;
    for (int k = 0; k < RCT_DRAG_POINTS; k++) {
        double at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = (double)((a.x[i] + b.x[i]) / 2 + node[k] * way.x[i] / 2);
        }
        const quad3 past = quad3_subtract(quad3_of(f->current), point_of(pose, f->body, at).v);
        add(model, pose, f->body, at, quad3_scale(share[k] * length / 2, drag_at(f, along, past)),
            load);
        if (k == 2) {
            add(model, pose, f->body, at,
                quad3_scale(-f->density * volume, quad3_of(model->gravity)), load);
        }
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
        switch (f->type) {
        case RCT_FORCE_WRENCH: add_wrench(model, pose, f, load); break;
        case RCT_FORCE_SPRING:
        case RCT_FORCE_CABLE: add_spring(model, pose, f, load); break;
        case RCT_FORCE_DRAG: add_drag(model, pose, f, load); break;
        default: break; /* at hinges: effort.c */
        }
    }
}
