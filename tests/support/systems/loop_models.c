/* Models of many loops (loop_models.h). */
#include "tests/support/systems/loop_models.h"

#include "core/rotation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A rod from its hinge on along y, or along x. */
static rct_body rod(int32_t parent, double x, double y, int upright)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_at[0] = x;
    body.hinge_at[1] = y;
    body.mass = 1.0;
    body.com[upright] = 0.5;
    body.inertia[0] = upright ? 1.0 / 12.0 : 1e-3;
    body.inertia[1] = upright ? 1e-3 : 1.0 / 12.0;
    body.inertia[2] = 1.0 / 12.0;
    return body;
}

static rct_model *empty(rct_error *error)
{
    static const double gravity[3] = {0.0, -9.81, 0.0};
    rct_model *model = rct_model_create(NULL, error);
    if (model != NULL && rct_model_set_gravity(model, gravity, error) != RCT_OK) {
        rct_model_free(model);
        return NULL;
    }
    return model;
}

/* Add the rod; its id, or -1. */
static int32_t add(rct_model *model, const rct_body *body, rct_error *error)
{
    int32_t id = -1;
    return rct_model_add_body(model, body, &id, error) == RCT_OK ? id : -1;
}

/* Puts the end of a horizontal rod on the end of an upright one. */
static int close_top(rct_model *model, int32_t across, int32_t upright, rct_loop_type type,
                     rct_error *error)
{
    rct_loop loop = rct_loop_default();
    loop.type = type;
    loop.body = across;
    loop.at[0] = 1.0;
    loop.other = upright;
    loop.other_at[1] = 1.0;
    return rct_model_add_loop(model, &loop, NULL, error) == RCT_OK;
}

static rct_model *finish(rct_model *model, int whole)
{
    if (whole) {
        return model;
    }
    rct_model_free(model);
    return NULL;
}

rct_model *loop_model_four_bars(int32_t loops, rct_loop_type type, rct_error *error)
{
    rct_model *model = empty(error);
    int whole = model != NULL;
    int32_t across = -1;
    for (int32_t i = 0; i <= loops && whole; i++) {
        const rct_body upright = rod(RCT_GROUND, i, 0.0, 1);
        const int32_t id = add(model, &upright, error);
        whole = id >= 0 && (i == 0 || close_top(model, across, id, type, error));
        if (whole && i < loops) {
            const rct_body next = rod(id, 0.0, 1.0, 0);
            across = add(model, &next, error);
            whole = across >= 0;
        }
    }
    return finish(model, whole);
}

rct_model *loop_model_ladder(int32_t rungs, rct_loop_type type, rct_error *error)
{
    rct_model *model = empty(error);
    int whole = model != NULL;
    int32_t left = RCT_GROUND, right = RCT_GROUND;
    for (int32_t i = 0; i < rungs && whole; i++) {
        const rct_body on_left = rod(left, 0.0, i == 0 ? 0.0 : 1.0, 1);
        const rct_body on_right = rod(right, i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0, 1);
        left = add(model, &on_left, error);
        right = add(model, &on_right, error);
        const rct_body rung = rod(left, 0.0, 1.0, 0);
        const int32_t across = add(model, &rung, error);
        whole =
            left >= 0 && right >= 0 && across >= 0 && close_top(model, across, right, type, error);
    }
    return finish(model, whole);
}

rct_model *loop_model_necklace(int32_t rods, rct_error *error)
{
    rct_model *model = empty(error);
    int whole = model != NULL;
    for (int32_t i = 0; i < rods && whole; i++) {
        const double angle = 2.0 * pi * i / rods;
        rct_body body = rod(i - 1, i == 0 ? 0.0 : 1.0, 0.0, 0);
        body.parent = i == 0 ? RCT_GROUND : i - 1;
        body.hinge = RCT_HINGE_BALL;
        body.orientation[0] = cos(0.5 * angle);
        body.orientation[3] = sin(0.5 * angle);
        whole = add(model, &body, error) == i;
    }
    rct_loop loop = rct_loop_default();
    loop.body = rods - 1;
    loop.at[0] = 1.0;
    whole = whole && rct_model_add_loop(model, &loop, NULL, error) == RCT_OK;
    return finish(model, whole);
}

rct_status loop_model_close(rct_model *model, int32_t count, int32_t span, rct_error *error)
{
    const int32_t n = rct_model_body_count(model);
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < count && status == RCT_OK; i++) {
        rct_loop loop = rct_loop_default();
        loop.body = (int32_t)((int64_t)(i + 1) * n / count) - 1;
        loop.other = i % 2 == 0 || loop.body < span ? RCT_GROUND : loop.body - span;
        loop.at[0] = 0.3;
        loop.at[1] = 0.4;
        loop.other_at[2] = 0.2;
        status = rct_model_add_loop(model, &loop, NULL, error);
    }
    return status;
}

/* ---- poses -------------------------------------------------------------------------------- */

static void show_pose(const double orientation[4], const double rate[3], const double position[3],
                      const double velocity[3], rct_pose_of_link *pose)
{
    double m[3][3];
    rct_rotation(orientation, m);
    memcpy(pose->rotation, m, sizeof m);
    rct_rotate_back(m, rate, pose->rate);
    memcpy(pose->position, position, sizeof pose->position);
    memcpy(pose->velocity, velocity, sizeof pose->velocity);
    memset(pose->rest, 0, sizeof pose->rest);
}

void loop_poses(const double *orientation, const double *angular_velocity, const double *position,
                const double *velocity, int32_t n, const rct_base_motion *ground,
                rct_pose_of_link *poses)
{
    for (int64_t b = 0; b < n; b++) {
        show_pose(orientation + 4 * b, angular_velocity + 3 * b, position + 3 * b, velocity + 3 * b,
                  &poses[b]);
    }
    show_pose(ground->orientation, ground->angular_velocity, ground->position, ground->velocity,
              &poses[n]);
}
