/* From poses and loads in quadruple precision to the quantities of the operators (pose.h). With
 * l from the hinge point of the parent, p and t the columns of its joint (pose.h), and a_p, w_p
 * those of the parent,
 *
 *     V = phi* V_p + H* u        H = (p, t)        a = (p_rest, t_rest + w_p x (w_p x l))
 *
 * except that a ball hinge has H = (1, 0) and no rest terms, and a free hinge has H = 1 and no
 * parent. */
#include "reference/spatial/pose.h"

#include "core/pool.h"
#include "model/model.h"

#include <string.h>

static void place_ball(const rct_pose *own, const rct_pose *parent, rct_spatial_pose *out)
{
    quad3_give(quad3_subtract(own->omega, parent->omega), out->u, 0);
    quad3_give(own->torque, out->T, 0);
    for (int i = 0; i < 3; i++) {
        out->H[i][i] = 1.0;
    }
}

static void place_relative(const rct_joint *joint, const double *u, rct_spatial_pose *out)
{
    for (int k = 0; k < out->freedoms; k++) {
        quad3_give(joint->p[k], out->H[k], 0);
        quad3_give(joint->t[k], out->H[k], 1);
        out->u[k] = u[k];
        out->T[k] = (double)joint->tau[k];
        out->armature[k] = (double)joint->armature[k];
    }
}

/* `u`: the rates of the body. */
static void place(const rct_body *body, const rct_ground *ground, const rct_pose *all,
                  const rct_pose *own, const double *u, rct_spatial_pose *out)
{
    static const quad3 none = {{0, 0, 0}};
    const rct_pose *parent = rct_pose_of(ground, all, body->parent);
    const int on_ground = body->parent == RCT_GROUND;
    *out = (rct_spatial_pose){.freedoms = rct_hinge_freedoms(body->hinge)};
    const quad33 J = rct_pose_inertia(&own->R, body);
    for (int k = 0; k < 9; k++) {
        out->R.a[k / 3][k % 3] = (double)own->R.a[k / 3][k % 3];
        out->J.a[k / 3][k % 3] = (double)J.a[k / 3][k % 3];
    }
    quad3_give(own->position, out->x, 0);
    quad3_give(own->omega, out->V, 0);
    quad3_give(own->velocity, out->V, 1);
    if (body->hinge == RCT_HINGE_FREE) {
        memcpy(out->l, out->x, sizeof out->l);
        memcpy(out->u, out->V, sizeof out->u);
        for (int i = 0; i < 6; i++) {
            out->H[i][i] = 1.0;
        }
        return;
    }
    const quad3 l = quad3_subtract(own->position, parent->position);
    const quad3 w_dot = on_ground ? ground->omega_dot : none;
    const quad3 a = quad3_carried(on_ground ? ground->acceleration : none, w_dot, parent->omega, l);
    quad3_give(l, out->l, 0);
    quad3_give(quad3_add(w_dot, own->joint.p_rest), out->a, 0);
    quad3_give(quad3_add(a, own->joint.t_rest), out->a, 1);
    if (body->hinge == RCT_HINGE_BALL) {
        place_ball(own, parent, out);
    } else {
        place_relative(&own->joint, u, out);
    }
}

/* Forces about the centre of mass, without the weight. */
static void put_load(const rct_model *model, const rct_body *body, const rct_pose *own,
                     const rct_load *load, rct_spatial_pose *out)
{
    const quad3 weight = quad3_scale(body->mass, quad3_of(model->gravity));
    const quad3 force = quad3_subtract(load->F, weight);
    const quad3 lever = quad33_apply(&own->R, quad3_of(body->com));
    quad3_give(quad3_add(load->G, quad3_cross(lever, force)), out->load, 0);
    quad3_give(force, out->load, 1);
}

rct_status rct_spatial_pose_all(const rct_model *model, double time, const double *coordinates,
                                const double *rates, rct_spatial_pose *pose, rct_error *error)
{
    rct_pool pool = {.what = "the poses of bodies"};
    rct_pose *own = rct_pool_take(&pool, model->count, sizeof *own, error);
    rct_load *load = rct_pool_take(&pool, model->count, sizeof *load, error);
    const rct_status status =
        pool.failed ? RCT_ERROR_MEMORY : rct_pose_all(model, time, coordinates, rates, own, error);
    if (status == RCT_OK) {
        const rct_ground ground = rct_pose_ground(model, time);
        rct_load_all(model, own, load);
        for (int32_t i = 0; i < model->count; i++) {
            const rct_body body = rct_bodies_get(model->bodies, i);
            place(&body, &ground, own, &own[i], rates != NULL ? rates : body.rate, &pose[i]);
            put_load(model, &body, &own[i], &load[i], &pose[i]);
            if (rates != NULL) {
                rates += pose[i].freedoms;
            }
        }
    }
    rct_pool_empty(&pool);
    return status;
}
