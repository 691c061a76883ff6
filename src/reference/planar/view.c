/* A model seen along its normal (view.h): find the normal, and see that nothing leaves the plane. Axes of
 * hinges turn about the normal only, so they are judged with all coordinates zero. */
#include "reference/planar/view.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

#include <inttypes.h>
#include <stddef.h>

static const double off_plane = 1e-9; /* sine up to which rounding is blamed */

static rct_status fail(const rct_planar_view *view, int32_t id, const char *why, rct_error *error)
{
    char name[RCT_NAME_SIZE];
    rct_model_body_name(view->model, id, name);
    return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, id,
                         "body %" PRId32 " \"%s\": %s; the semi-recursive references take planar "
                         "systems only, use the reference lagrange",
                         id, name, why);
}

/* The rotation matrix of w x y z of any length. */
static quad33 rotation(const double q[4])
{
    const quad w = q[0], x = q[1], y = q[2], z = q[3];
    const quad s = 2 / (w * w + x * x + y * y + z * z);
    return (quad33){{
        {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)},
    }};
}

static quad3 unit(quad3 v)
{
    return quad3_scale(1 / quad_root(v.x[0] * v.x[0] + v.x[1] * v.x[1] + v.x[2] * v.x[2]), v);
}

static quad dot(quad3 a, quad3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static int across(quad3 a, quad3 b)
{
    const quad s = dot(a, b);
    return s * s <= off_plane * off_plane * dot(a, a) * dot(b, b);
}

static int along(quad3 a, quad3 b)
{
    const quad3 c = quad3_cross(a, b);
    return dot(c, c) <= off_plane * off_plane * dot(a, a) * dot(b, b);
}

static int turns(const rct_body *body)
{
    return body->hinge == RCT_HINGE_REVOLUTE || body->hinge == RCT_HINGE_PLANAR;
}

/* Axis of body i, in the axes that K leads to. */
static quad3 axis_of(const rct_planar_view *view, int32_t i)
{
    return quad33_apply(&view->K[i], quad3_of(view->model->bodies[i].hinge_axis));
}

/* Parents before those they carry: at most PLANAR_MOST_BODIES rounds. */
static void order(rct_planar_view *view)
{
    const rct_model *model = view->model;
    int32_t placed = 0;
    for (int32_t i = 0; i < model->count; i++) {
        view->place[i] = -1;
        view->first[i] =
            i > 0 ? view->first[i - 1] + rct_hinge_freedoms(model->bodies[i - 1].hinge) : 0;
    }
    while (placed < model->count) {
        for (int32_t i = 0; i < model->count; i++) {
            const int32_t parent = model->bodies[i].parent;
            if (view->place[i] < 0 && (parent == RCT_GROUND || view->place[parent] >= 0)) {
                view->body[placed] = i;
                view->place[i] = placed++;
            }
        }
    }
}

/* K to inertial axes, with all coordinates zero. */
static rct_status stand(rct_planar_view *view, rct_error *error)
{
    const rct_model *model = view->model;
    view->K_0 = rotation(view->base.orientation);
    for (int32_t k = 0; k < model->count; k++) {
        const int32_t i = view->body[k];
        const rct_body *body = &model->bodies[i];
        if (body->hinge != RCT_HINGE_FIXED && body->hinge != RCT_HINGE_PRISMATIC && !turns(body)) {
            return fail(view, i, "its hinge is neither fixed, revolute, prismatic nor planar",
                        error);
        }
        const quad33 *before = body->parent == RCT_GROUND ? &view->K_0 : &view->K[body->parent];
        const quad33 turn = rotation(body->hinge_orientation);
        view->K[i] = quad33_product(before, &turn, 0);
        view->turning = view->turning || turns(body);
    }
    return RCT_OK;
}

static int moves(const double v[3])
{
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

/* A vector across v, the same for the same v. */
static quad3 any_across(quad3 v)
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = quad_abs(v.x[k]) < quad_abs(v.x[least]) ? k : least;
    }
    quad3 e = {{0, 0, 0}};
    e.x[least] = 1;
    return unit(quad3_cross(e, v));
}

/* The axis of the ground, of the first hinge that turns, or across the prismatic ones. */
static quad3 find_normal(const rct_planar_view *view)
{
    const rct_model *model = view->model;
    const int base_turns =
        moves(view->base.angular_velocity) || moves(view->base.angular_acceleration);
    quad3 normal = {{0, 0, 1}}, slide = {{0, 0, 0}};
    int found = base_turns, slides = 0;
    if (base_turns) {
        normal = quad3_of(model->base.axis);
    }
    for (int32_t k = 0; k < model->count && !found; k++) {
        if (turns(&model->bodies[view->body[k]])) {
            normal = axis_of(view, view->body[k]);
            found = 1;
        }
    }
    for (int32_t k = 0; k < model->count && !found; k++) {
        const int32_t i = view->body[k];
        if (model->bodies[i].hinge != RCT_HINGE_PRISMATIC) {
            continue;
        }
        const quad3 axis = axis_of(view, i);
        if (slides && !along(slide, axis)) {
            normal = quad3_cross(slide, axis);
            found = 1;
        } else if (!slides) {
            slide = axis;
            slides = 1;
            normal = any_across(axis);
        }
    }
    return unit(normal);
}

/* E, and K and K_0 to the axes of the plane. */
static void turn_to_plane(rct_planar_view *view)
{
    const quad3 n = find_normal(view), x = any_across(n), y = quad3_cross(n, x);
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
                    "references take planar systems only, use the reference lagrange");
}

static rct_status check_body(const rct_planar_view *view, int32_t i, rct_error *error)
{
    static const quad3 n = {{0, 0, 1}};
    const rct_body *body = &view->model->bodies[i];
    if (turns(body) && !along(axis_of(view, i), n)) {
        return fail(view, i, "the axis of its hinge is not along the normal of the plane", error);
    }
    if (body->hinge == RCT_HINGE_PRISMATIC && !across(axis_of(view, i), n)) {
        return fail(view, i, "the axis of its hinge leaves the plane", error);
    }
    const double *j = body->inertia;
    const quad33 own = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const quad33 half = quad33_product(&view->K[i], &own, 0);
    const quad33 J = quad33_product(&half, &view->K[i], 1);
    const quad most = off_plane * ((quad)j[0] + j[1] + j[2]);
    if (view->turning && (quad_abs(J.a[0][2]) > most || quad_abs(J.a[1][2]) > most)) {
        return fail(view, i, "its inertia has products with the normal of the plane", error);
    }
    return RCT_OK;
}

static int absent(const rct_model *model, int32_t body)
{
    return body != RCT_GROUND && (body < 0 || body >= model->count);
}

static rct_status check_forces(const rct_model *model, rct_error *error)
{
    for (int32_t k = 0; k < model->force_count; k++) {
        if (absent(model, model->forces[k].body) || absent(model, model->forces[k].other)) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "force %" PRId32 ": its body does not exist; the model has bodies 0 to "
                            "%" PRId32,
                            k, model->count - 1);
        }
    }
    return RCT_OK;
}

static rct_status look(rct_planar_view *view, rct_error *error)
{
    const rct_model *model = view->model;
    order(view);
    view->turning = moves(view->base.angular_velocity) || moves(view->base.angular_acceleration);
    rct_status status = stand(view, error);
    if (status != RCT_OK) {
        return status;
    }
    turn_to_plane(view);
    status = check_ground(view, error);
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        status = check_body(view, i, error);
    }
    if (status == RCT_OK) {
        status = check_forces(model, error);
    }
    if (status == RCT_OK) {
        rct_planar_view_project(view);
    }
    return status;
}

rct_status rct_planar_view_make(rct_planar_view *view, const rct_model *model, double time,
                                rct_error *error)
{
    static const char *const what = "a view of the plane";
    const int32_t n = model->count, forces = model->force_count;
    *view = (rct_planar_view){.model = model};
    const rct_status status = rct_planar_make(&view->system, n, forces, forces, 0, error);
    if (status != RCT_OK) {
        return status;
    }
    rct_model_base_motion(model, time, &view->base);
    view->body = rct_allocate(n, sizeof *view->body, what, error);
    view->place = rct_allocate(n, sizeof *view->place, what, error);
    view->first = rct_allocate(n, sizeof *view->first, what, error);
    view->K = rct_allocate(n, sizeof *view->K, what, error);
    view->height = rct_allocate(n, sizeof *view->height, what, error);
    view->sense = rct_allocate(n, sizeof *view->sense, what, error);
    if (view->body == NULL || view->place == NULL || view->first == NULL || view->K == NULL ||
        view->height == NULL || view->sense == NULL) {
        return RCT_ERROR_MEMORY;
    }
    return look(view, error);
}

void rct_planar_view_free(rct_planar_view *view)
{
    rct_planar_free(&view->system);
    rct_release(view->body);
    rct_release(view->place);
    rct_release(view->first);
    rct_release(view->K);
    rct_release(view->height);
    rct_release(view->sense);
}
