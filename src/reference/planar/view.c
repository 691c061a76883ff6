/* A model projected along its normal (view.h): find the normal, check that nothing leaves the
 * plane, and make the planar system of seed 003. Axes of hinges turn only about the normal, so
 * they are checked with all coordinates zero. */
#include "reference/planar/view.h"

#include "core/error.h"
#include "core/numbers.h"
#include "model/model.h"

static const double off_plane = 1e-9; /* sines up to this count as rounding */

static rct_status fail(const rct_planar_view *view, int32_t id, const char *why, rct_error *error)
{
    return rct_model_fail_body(
        view->model, id, error, RCT_ERROR_UNSUPPORTED,
        ": %s; the semi-recursive references take only planar systems, use the reference lagrange",
        why);
}

static int across(quad3 a, quad3 b)
{
    const quad s = quad3_dot(a, b);
    return s * s <= off_plane * off_plane * quad3_dot(a, a) * quad3_dot(b, b);
}

int rct_planar_view_along(quad3 a, quad3 b)
{
    const quad3 c = quad3_cross(a, b);
    return quad3_dot(c, c) <= off_plane * off_plane * quad3_dot(a, a) * quad3_dot(b, b);
}

static int turns(const rct_body *body)
{
    return body->hinge == RCT_HINGE_REVOLUTE || body->hinge == RCT_HINGE_PLANAR;
}

/* The axis of the hinge of a body, in the axes to which K leads. */
static quad3 axis_of(const rct_planar_view *view, int32_t i)
{
    return quad33_apply(&view->K[i], quad3_of(rct_bodies_at(view->model->bodies, i)->hinge_axis));
}

/* K to inertial axes, with all coordinates zero. */
static rct_status stand(rct_planar_view *view, rct_error *error)
{
    const rct_model *model = view->model;
    view->K_0 = quad33_rotation(view->base.orientation);
    for (int32_t k = 0; k < model->count; k++) {
        const int32_t i = view->body[k];
        const rct_body *body = rct_bodies_at(model->bodies, i);
        if (body->hinge != RCT_HINGE_FIXED && body->hinge != RCT_HINGE_PRISMATIC && !turns(body)) {
            return fail(view, i, "its hinge is neither fixed, revolute, prismatic nor planar",
                        error);
        }
        const int32_t parent = model->bodies->parent[i];
        const quad33 *before = parent == RCT_GROUND ? &view->K_0 : &view->K[parent];
        const quad33 turn = quad33_rotation(body->hinge_orientation);
        view->K[i] = quad33_product(before, &turn, 0);
        view->turning = view->turning || turns(body);
    }
    return RCT_OK;
}

static int base_turns(const rct_planar_view *view)
{
    return !rct_all_zero(view->base.angular_velocity, 3) ||
           !rct_all_zero(view->base.angular_acceleration, 3);
}

/* The axis of the ground, or of the first hinge that turns, or the direction perpendicular to
 * the prismatic ones. */
static quad3 find_normal(const rct_planar_view *view)
{
    const rct_model *model = view->model;
    quad3 normal = {{0, 0, 1}}, slide = {{0, 0, 0}};
    int slides = 0; /* 2: in different directions */
    if (base_turns(view)) {
        return quad3_unit(quad3_of(model->base.axis));
    }
    for (int32_t k = 0; k < model->count; k++) {
        const rct_body *body = rct_bodies_at(model->bodies, view->body[k]);
        const quad3 axis = axis_of(view, view->body[k]);
        if (turns(body)) {
            return quad3_unit(axis);
        }
        if (body->hinge == RCT_HINGE_PRISMATIC && slides == 0) {
            slide = axis;
            normal = quad3_across(axis);
            slides = 1;
        } else if (body->hinge == RCT_HINGE_PRISMATIC && slides == 1 &&
                   !rct_planar_view_along(slide, axis)) {
            normal = quad3_cross(slide, axis);
            slides = 2;
        }
    }
    return quad3_unit(normal);
}

/* E, and K and K_0, to the axes of the plane. */
static void turn_to_plane(rct_planar_view *view)
{
    const quad3 n = find_normal(view), x = quad3_across(n), y = quad3_cross(n, x);
    for (int k = 0; k < 3; k++) {
        view->E.a[0][k] = x.x[k];
        view->E.a[1][k] = y.x[k];
        view->E.a[2][k] = n.x[k];
    }
    view->K_0 = quad33_product(&view->E, &view->K_0, 0);
    for (int32_t i = 0; i < view->model->count; i++) {
        view->K[i] = quad33_product(&view->E, &view->K[i], 0);
    }
}

static rct_status check_ground(const rct_planar_view *view, rct_error *error)
{
    const quad3 n = {{view->E.a[2][0], view->E.a[2][1], view->E.a[2][2]}};
    if (across(quad3_of(view->base.velocity), n) && across(quad3_of(view->base.acceleration), n)) {
        return RCT_OK;
    }
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "motion of the ground: it leaves the plane of the hinges; the semi-recursive "
                    "references take only planar systems, use the reference lagrange");
}

static rct_status check_body(const rct_planar_view *view, int32_t i, rct_error *error)
{
    static const quad3 n = {{0, 0, 1}};
    const rct_body *body = rct_bodies_at(view->model->bodies, i);
    if (turns(body) && !rct_planar_view_along(axis_of(view, i), n)) {
        return fail(view, i, "the axis of its hinge is not along the normal of the plane", error);
    }
    if (body->hinge == RCT_HINGE_PRISMATIC && !across(axis_of(view, i), n)) {
        return fail(view, i, "the axis of its hinge leaves the plane", error);
    }
    const double *j = body->inertia;
    const quad33 J = rct_pose_inertia(&view->K[i], body);
    const quad most = off_plane * ((quad)j[0] + j[1] + j[2]);
    if (view->turning && (quad_abs(J.a[0][2]) > most || quad_abs(J.a[1][2]) > most)) {
        return fail(view, i, "its inertia has products with the normal of the plane", error);
    }
    return RCT_OK;
}

/* x and y in the plane, and the component along the normal. */
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
    view->sense[i] = axis_of(view, i).x[2] < 0 ? -1 : 1;
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

static rct_status look(rct_planar_view *view, rct_error *error)
{
    const rct_model *model = view->model;
    rct_pose_order(model, view->body, view->place);
    for (int32_t i = 1; i < model->count; i++) {
        view->first[i] =
            view->first[i - 1] + rct_hinge_freedoms(rct_bodies_at(model->bodies, i - 1)->hinge);
    }
    view->turning = base_turns(view);
    rct_status status = stand(view, error);
    if (status != RCT_OK) {
        return status;
    }
    turn_to_plane(view);
    status = check_ground(view, error);
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        status = check_body(view, i, error);
        project_body(view, i);
    }
    project_ground(view);
    int32_t closures = 0;
    for (int32_t i = 0; i < model->loop_count && status == RCT_OK; i++) {
        status = rct_planar_view_loop(view, i, &closures, error);
    }
    return status;
}

rct_status rct_planar_view_make(rct_planar_view *view, const rct_model *model, double time,
                                rct_error *error)
{
    const int32_t n = model->count;
    *view = (rct_planar_view){.model = model};
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->loop_count && status == RCT_OK; i++) {
        status = model->loops[i].active ? rct_planar_view_check_loop(model, i, error) : RCT_OK;
    }
    const int32_t closures = rct_planar_view_closures(model);
    RCT_THEN(status, rct_planar_make(&view->system, n, n, closures, error));
    if (status != RCT_OK) {
        return status;
    }
    rct_pool *pool = &view->system.pool;
    rct_model_base_motion(model, time, &view->base);
    view->body = rct_pool_take(pool, n, sizeof *view->body, error);
    view->place = rct_pool_take(pool, n, sizeof *view->place, error);
    view->first = rct_pool_take(pool, n, sizeof *view->first, error);
    view->K = rct_pool_take(pool, n, sizeof *view->K, error);
    view->loop = rct_pool_take(pool, closures, sizeof *view->loop, error);
    view->sense = rct_pool_take(pool, n, sizeof *view->sense, error);
    return pool->failed ? RCT_ERROR_MEMORY : look(view, error);
}

void rct_planar_view_load(rct_planar_view *view, const rct_load *load)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const quad3 F = quad33_apply(&view->E, load[i].F), G = quad33_apply(&view->E, load[i].G);
        view->system.load[view->place[i]] =
            (rct_planar_load){view->place[i], {{F.x[0], F.x[1]}}, G.x[2]};
    }
}

void rct_planar_view_drive(rct_planar_view *view, const rct_pose *pose)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        rct_planar_joint *joint = &view->system.body[view->place[i]].joint;
        for (int32_t j = 0; j < pose[i].joint.freedoms; j++) {
            joint->applied[j] += rct_planar_view_sign(view, i, j) * pose[i].joint.more[j];
        }
    }
}
