/* From a model that lies in a plane to the planar system of seed 003 (view.h): everything seen along the
 * normal. */
#include "reference/planar/view.h"

#include "model/model.h"

/* x and y in the plane, and along the normal. */
static quad3 seen(const quad33 *K, const double v[3])
{
    return quad33_apply(K, quad3_of(v));
}

static quad2 in_plane(const quad33 *K, const double v[3])
{
    const quad3 all = seen(K, v);
    return (quad2){{all.x[0], all.x[1]}};
}

static quad2 direction(const quad33 *K, const double v[3])
{
    const quad2 h = in_plane(K, v);
    return quad2_scale(1 / quad_root(quad2_dot(h, h)), h);
}

quad rct_planar_view_sign(const rct_planar_view *view, int32_t body, int32_t j)
{
    const rct_hinge_type hinge = rct_bodies_at(view->model->bodies, body)->hinge;
    const int plain = hinge == RCT_HINGE_PRISMATIC || (hinge == RCT_HINGE_PLANAR && j == 0);
    return plain ? 1 : view->sense[body];
}

static void project_body(rct_planar_view *view, int32_t i)
{
    const rct_body *body = rct_bodies_at(view->model->bodies, i);
    const int32_t parent = view->model->bodies->parent[i];
    const int on_ground = parent == RCT_GROUND;
    const quad33 *K = &view->K[i];
    rct_planar_body *planar = &view->system.body[view->place[i]];
    rct_planar_joint *joint = &planar->joint;
    planar->parent = on_ground ? RCT_GROUND : view->place[parent];
    planar->m = body->mass;
    planar->J = rct_pose_inertia(K, body).a[2][2];
    planar->u_C = in_plane(K, body->com);
    joint->from = in_plane(on_ground ? &view->K_0 : &view->K[parent], body->hinge_at);
    view->sense[i] = rct_planar_view_axis(view, i).x[2] < 0 ? -1 : 1;
    joint->type = PLANAR_FIXED;
    if (body->hinge == RCT_HINGE_REVOLUTE) {
        joint->type = PLANAR_REVOLUTE;
    } else if (body->hinge == RCT_HINGE_PRISMATIC) {
        joint->type = PLANAR_PRISMATIC;
        joint->h = direction(K, body->hinge_axis);
    } else if (body->hinge == RCT_HINGE_PLANAR) {
        joint->type = PLANAR_FLOATING;
        joint->h = direction(K, body->hinge_axis2);
    }
    for (int32_t j = 0; j < rct_hinge_freedoms(body->hinge); j++) {
        const quad sign = rct_planar_view_sign(view, i, j);
        joint->stiffness[j] = body->stiffness[j];
        joint->damping[j] = body->damping[j];
        joint->rest[j] = sign * body->rest[j];
        joint->applied[j] = sign * body->applied[j];
    }
}

static void project_ground(rct_planar_view *view)
{
    const rct_base_motion *base = &view->base;
    rct_planar_system *system = &view->system;
    const quad3 p = seen(&view->E, base->position), v = seen(&view->E, base->velocity);
    const quad3 a = seen(&view->E, base->acceleration);
    for (int k = 0; k < 2; k++) {
        system->q_0[k] = p.x[k];
        system->q_dot_0[k] = v.x[k];
        system->q_ddot_0[k] = a.x[k];
    }
    system->q_dot_0[2] = seen(&view->E, base->angular_velocity).x[2];
    system->q_ddot_0[2] = seen(&view->E, base->angular_acceleration).x[2];
}

void rct_planar_view_project(rct_planar_view *view)
{
    project_ground(view);
    for (int32_t k = 0; k < view->model->count; k++) {
        project_body(view, view->body[k]);
    }
}

void rct_planar_view_load(rct_planar_view *view, const rct_load *load)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const quad3 F = quad33_apply(&view->E, load[i].F), G = quad33_apply(&view->E, load[i].G);
        view->system.load[view->place[i]] =
            (rct_planar_load){view->place[i], {{F.x[0], F.x[1]}}, G.x[2]};
    }
}
