/* Loops of a model projected along its normal, as closures of seed 003: planar_revolute is eq.
 * 56, planar_prismatic eq. 57, slot the second row of that, planar_fixed both rows and the line
 * perpendicular to it, and cam eq. B.5; and their forces, back in space. */
#include "reference/planar/view.h"

#include "core/error.h"
#include "model/model.h"

#include <inttypes.h>

static int32_t closures_of(const rct_loop *loop)
{
    return loop->active ? (loop->type == RCT_LOOP_PLANAR_FIXED ? 2 : 1) : 0;
}

int32_t rct_planar_view_closures(const rct_model *model)
{
    int32_t count = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        count += closures_of(&model->loops[i]);
    }
    return count;
}

static rct_status refuse(const rct_model *model, int32_t number, const char *why, rct_error *error)
{
    char name[RCT_NAME_SIZE];
    rct_model_loop_name(model, number, name);
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "loop %" PRId32
                    " \"%s\" is active, and %s; the semi-recursive references close "
                    "planar_revolute, planar_prismatic, planar_fixed, slot and cam in the plane of "
                    "the hinges (seed 003, eqs. 56, 57 and B.5); use the reference lagrange",
                    number, name, why);
}

rct_status rct_planar_view_check_loop(const rct_model *model, int32_t number, rct_error *error)
{
    switch (model->loops[number].type) {
    case RCT_LOOP_PLANAR_REVOLUTE:
    case RCT_LOOP_PLANAR_PRISMATIC:
    case RCT_LOOP_PLANAR_FIXED:
    case RCT_LOOP_SLOT:
    case RCT_LOOP_CAM: return RCT_OK;
    default: return refuse(model, number, "its type is not a planar one", error);
    }
}

static const quad33 *axes_of(const rct_planar_view *view, int32_t body)
{
    return body == RCT_GROUND ? &view->K_0 : &view->K[body];
}

/* X of the closure frame, or x of the frame on the body, in the axes of the planar frame; eq. 57
 * has h along X. */
static quad2 line_of(const quad33 *K, const double orientation[4], const rct_loop *loop)
{
    const quad33 turn = quad33_rotation(orientation), all = quad33_product(K, &turn, 0);
    const int has_second = loop->type == RCT_LOOP_PLANAR_PRISMATIC || loop->type == RCT_LOOP_SLOT ||
                           loop->type == RCT_LOOP_CAM;
    const quad3 x = quad33_apply(&all, has_second ? quad3_unit(quad3_of(loop->axis2))
                                                  : quad3_across(quad3_of(loop->axis)));
    return (quad2){{x.x[0], x.x[1]}};
}

static quad2 point_of(const quad33 *K, const double at[3])
{
    const quad3 all = quad33_apply(K, quad3_of(at));
    return (quad2){{all.x[0], all.x[1]}};
}

/* The angle, within a turn, by which a is ahead of b; both have length 1. It only takes its
 * place in eq. 57, because accelerations do not depend on it. */
static quad angle_between(quad2 a, quad2 b)
{
    const quad c = quad2_dot(a, b), s = quad2_dot(quad2_tilde(b), a);
    return atan2((double)s, (double)c);
}

rct_status rct_planar_view_loop(rct_planar_view *view, int32_t number, int32_t *at,
                                rct_error *error)
{
    static const rct_planar_closure_type types[RCT_LOOP_TYPES] = {
        [RCT_LOOP_PLANAR_REVOLUTE] = PLANAR_CLOSE_REVOLUTE,
        [RCT_LOOP_PLANAR_PRISMATIC] = PLANAR_CLOSE_PRISMATIC,
        [RCT_LOOP_PLANAR_FIXED] = PLANAR_CLOSE_PRISMATIC,
        [RCT_LOOP_SLOT] = PLANAR_CLOSE_POINT_TO_LINE,
        [RCT_LOOP_CAM] = PLANAR_CLOSE_CAM,
    };
    static const quad3 normal = {{0, 0, 1}};
    const rct_loop *loop = &view->model->loops[number];
    const quad33 *K_i = axes_of(view, loop->body), *K_o = axes_of(view, loop->other);
    const quad33 turn = quad33_rotation(loop->other_orientation),
                 frame = quad33_product(K_o, &turn, 0);
    if (closures_of(loop) == 0) {
        return RCT_OK;
    }
    const quad3 axis = quad33_apply(&frame, quad3_of(loop->axis));
    if (!rct_planar_view_along(axis, normal)) {
        return refuse(view->model, number, "its axis is not along the normal of the plane", error);
    }
    const quad2 X = line_of(K_o, loop->other_orientation, loop),
                x = line_of(K_i, loop->orientation, loop);
    rct_planar_closure closure = {
        .type = types[loop->type],
        .body = view->place[loop->body],
        .other = loop->other == RCT_GROUND ? RCT_GROUND : view->place[loop->other],
        .at = point_of(K_i, loop->at),
        .other_at = point_of(K_o, loop->other_at),
        .h = X,
        .theta_c = angle_between(X, x),
        .radius = loop->radius,
    };
    for (int k = 0; k < RCT_LOOP_HARMONICS; k++) { /* angles count about the axis */
        closure.cosine[k] = loop->cosine[k];
        closure.sine[k] = axis.x[2] < 0 ? -loop->sine[k] : loop->sine[k];
    }
    view->loop[*at] = number;
    view->system.closure[(*at)++] = closure;
    if (loop->type == RCT_LOOP_PLANAR_FIXED) {
        closure.type = PLANAR_CLOSE_POINT_TO_LINE;
        closure.h = quad2_tilde(X);
        view->loop[*at] = number;
        view->system.closure[(*at)++] = closure;
    }
    return RCT_OK;
}

/* A force at the point on the body of the loop, and a moment, on the body or the other one; the
 * load is about the centre of mass. */
static void add(const rct_planar_view *view, const rct_pose *pose, int32_t body, quad3 point,
                quad3 force, quad3 moment, rct_load *load)
{
    if (body != RCT_GROUND) {
        const quad3 c =
            quad33_apply(&pose[body].R, quad3_of(rct_bodies_at(view->model->bodies, body)->com));
        const quad3 arm = quad3_subtract(point, quad3_add(pose[body].position, c));
        load[body].F = quad3_add(load[body].F, force);
        load[body].G = quad3_add(load[body].G, quad3_add(moment, quad3_cross(arm, force)));
    }
}

void rct_planar_view_exert(const rct_planar_view *view, const rct_planar_state *state,
                           const rct_pose *pose, rct_load *load)
{
    int64_t row = 0;
    for (int32_t k = 0; k < view->system.closures; k++) {
        const rct_loop *loop = &view->model->loops[view->loop[k]];
        quad2 in_plane;
        quad about;
        rct_planar_reaction(state, k, state->lambda + row, &in_plane, &about);
        row += rct_planar_constraints(view->system.closure[k].type);
        const quad3 force =
            quad33_apply_transposed(&view->E, (quad3){{in_plane.x[0], in_plane.x[1], 0}});
        const quad3 moment = quad33_apply_transposed(&view->E, (quad3){{0, 0, about}});
        const quad3 point = quad3_add(pose[loop->body].position,
                                      quad33_apply(&pose[loop->body].R, quad3_of(loop->at)));
        add(view, pose, loop->body, point, force, moment, load);
        add(view, pose, loop->other, point, quad3_scale(-1, force), quad3_scale(-1, moment), load);
    }
}
