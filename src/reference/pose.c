/* Pose and velocity of every body in quadruple precision. A body with a ball hinge has its own orientation
 * and angular velocity, absolute; a free one its own position and velocity too; every other body takes them
 * from its parent and its joint (joint.c).
 * Bodies may come before their parents, so each path is walked up to a body that stands already and down
 * again, on a stack of its own: no recursion, each body is placed once. */
#include "reference/pose.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "reference/quad_math.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

rct_ground rct_pose_ground(const rct_model *model, double time)
{
    rct_base_motion m;
    rct_model_base_motion(model, time, &m);
    return (rct_ground){
        .pose = {.R = quad33_rotation(m.orientation),
                 .omega = quad3_of(m.angular_velocity),
                 .position = quad3_of(m.position),
                 .velocity = quad3_of(m.velocity)},
        .omega_dot = quad3_of(m.angular_acceleration),
        .acceleration = quad3_of(m.acceleration),
    };
}

/* Coordinates and rates of one hinge. */
typedef struct hinge_state {
    double q[7], u[6];
} hinge_state;

static int is_absolute(const rct_body *body)
{
    return body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
}

/* As the model has them: relative q and u; orientation, then position; angular velocity, then velocity. */
static hinge_state initial_state(const rct_body *body)
{
    hinge_state state = {{0.0}, {0.0}};
    const int absolute = is_absolute(body);
    for (int a = 0; a < 4 && absolute; a++) {
        state.q[a] = body->orientation[a];
    }
    for (int a = 0; a < 3; a++) {
        state.q[(absolute ? 4 : 0) + a] = body->position[a];
        state.u[a] = absolute ? body->angular_velocity[a] : body->rate[a];
        state.u[3 + a] = absolute ? body->rate[a] : 0.0;
    }
    return state;
}

static rct_status check_state(const rct_model *model, int32_t id, const hinge_state *state,
                              rct_error *error)
{
    const rct_body *body = &model->bodies[id];
    const double *q = state->q;
    char name[RCT_NAME_SIZE];
    int finite = 1;
    for (int k = 0; k < rct_hinge_coordinates(body->hinge); k++) {
        finite = finite && isfinite(q[k]);
    }
    for (int k = 0; k < rct_hinge_freedoms(body->hinge); k++) {
        finite = finite && isfinite(state->u[k]);
    }
    if (!finite) {
        rct_model_body_name(model, id, name);
        return rct_fail_body(error, RCT_ERROR_ARGUMENT, id,
                             "body %" PRId32 " \"%s\": its %s not finite; give finite numbers", id,
                             name,
                             body->hinge == RCT_HINGE_BALL ? "orientation or angular velocity is"
                                                           : "coordinates or rates are");
    }
    if (is_absolute(body) && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) {
        rct_model_body_name(model, id, name);
        return rct_fail_body(error, RCT_ERROR_ARGUMENT, id,
                             "body %" PRId32 " \"%s\": its orientation is a quaternion of zero "
                             "length; give w x y z, as 1 0 0 0 for none",
                             id, name);
    }
    return RCT_OK;
}

/* The states of all hinges. */
static rct_status read_states(const rct_model *model, const double *coordinates,
                              const double *rates, hinge_state *state, rct_error *error)
{
    rct_status status = RCT_OK;
    int64_t at_q = 0;
    int64_t at_u = 0;
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        const rct_body *body = &model->bodies[i];
        state[i] = initial_state(body);
        for (int k = 0; k < rct_hinge_coordinates(body->hinge) && coordinates != NULL; k++) {
            state[i].q[k] = coordinates[at_q++];
        }
        for (int k = 0; k < rct_hinge_freedoms(body->hinge) && rates != NULL; k++) {
            state[i].u[k] = rates[at_u++];
        }
        status = check_state(model, i, &state[i], error);
    }
    return status;
}

static void place_free(const hinge_state *state, rct_pose *pose)
{
    *pose = (rct_pose){
        .R = quad33_rotation(state->q),
        .omega = quad3_of(state->u),
        .position = quad3_of(state->q + 4),
        .velocity = quad3_of(state->u + 3),
    };
}

/* x = x_p + s, v = v_p + w_p x s + sum of t_k u_k, s = R_p hinge_at + along */
static void place_on(const rct_body *body, const rct_pose *parent, const hinge_state *state,
                     rct_pose *pose)
{
    quad3 s = quad33_apply(&parent->R, quad3_of(body->hinge_at));
    *pose = (rct_pose){.velocity = parent->velocity};
    if (body->hinge == RCT_HINGE_BALL) {
        pose->R = quad33_rotation(state->q);
        pose->omega = quad3_of(state->u);
    } else {
        const quad33 own = quad33_rotation(body->hinge_orientation);
        const quad33 frame = quad33_product(&parent->R, &own, 0);
        rct_joint_place(body, &frame, parent->omega, state->q, state->u, &pose->joint);
        pose->R =
            body->hinge == RCT_HINGE_FIXED ? frame : quad33_product(&frame, &pose->joint.turn, 0);
        pose->omega = parent->omega;
        s = quad3_add(s, pose->joint.along);
        for (int k = 0; k < pose->joint.freedoms; k++) {
            const quad3 turning = quad3_scale(state->u[k], pose->joint.p[k]);
            const quad3 sliding = quad3_scale(state->u[k], pose->joint.t[k]);
            pose->omega = quad3_add(pose->omega, turning);
            pose->velocity = quad3_add(pose->velocity, sliding);
        }
    }
    pose->position = quad3_add(parent->position, s);
    pose->velocity = quad3_add(pose->velocity, quad3_cross(parent->omega, s));
}

/* `stack` [n] holds the bodies between body i and its nearest ancestor that stands; `stands` [n] is 1 for
 * bodies placed. */
static void place_all(const rct_model *model, const rct_pose *ground, const hinge_state *state,
                      rct_pose *pose, int32_t *stack, char *stands)
{
    for (int32_t i = 0; i < model->count; i++) {
        int32_t height = 0;
        int32_t at = i;
        while (at != RCT_GROUND && !stands[at]) {
            stack[height++] = at;
            at = model->bodies[at].parent;
        }
        while (height > 0) {
            const int32_t child = stack[--height];
            const rct_body *body = &model->bodies[child];
            if (body->hinge == RCT_HINGE_FREE) {
                place_free(&state[child], &pose[child]);
            } else {
                place_on(body, at == RCT_GROUND ? ground : &pose[at], &state[child], &pose[child]);
            }
            stands[child] = 1;
            at = child;
        }
    }
}

rct_status rct_pose_all(const rct_model *model, double time, const double *coordinates,
                        const double *rates, rct_pose *pose, rct_error *error)
{
    const int64_t n = model->count;
    hinge_state *state = rct_allocate(n, sizeof *state, "the states of hinges", error);
    int32_t *stack = rct_allocate(n, sizeof *stack, "the order of bodies", error);
    char *stands = rct_allocate(n, sizeof *stands, "the order of bodies", error);
    rct_status status = RCT_ERROR_MEMORY;
    if (state != NULL && stack != NULL && stands != NULL) {
        status = read_states(model, coordinates, rates, state, error);
    }
    if (status == RCT_OK) {
        const rct_ground ground = rct_pose_ground(model, time);
        place_all(model, &ground.pose, state, pose, stack, stands);
    }
    rct_release(stands);
    rct_release(stack);
    rct_release(state);
    return status;
}

quad33 rct_pose_inertia(const rct_pose *pose, const rct_body *body)
{
    const double *j = body->inertia;
    const quad33 own = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const quad33 turned = quad33_product(&pose->R, &own, 0);
    return quad33_product(&turned, &pose->R, 1);
}
