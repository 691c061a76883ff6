/* Pose and velocity of every body in quadruple precision. A body with a ball hinge has its own
 * orientation and angular velocity, both absolute; a free one also its own position and
 * velocity. Every other body takes them from its parent and its joint (joint.c). */
#include "reference/pose.h"

#include "core/numbers.h"
#include "core/pool.h"
#include "model/model.h"

#include <string.h>

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
        .time = time,
    };
}

void rct_pose_order(const rct_model *model, int32_t *order, int32_t *place)
{
    int32_t placed = 0;
    memset(place, -1, (size_t)model->count * sizeof *place);
    for (int32_t i = 0; i < model->count; i++) { /* up to a body that has its place, and back */
        int32_t end = placed;
        for (int32_t at = i; at != RCT_GROUND && place[at] < 0; at = model->bodies->parent[at]) {
            placed++;
        }
        for (int32_t at = i, k = placed - 1; k >= end; k--, at = model->bodies->parent[at]) {
            order[k] = at;
            place[at] = k;
        }
    }
}

void rct_pose_ends(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                   int32_t j, rct_hinge_end end[2])
{
    const rct_body *body = rct_bodies_at(model->bodies, j);
    const int32_t up = model->bodies->parent[j];
    quad3 at = quad3_of(body->hinge_at);
    if (up != RCT_GROUND) {
        at = quad3_subtract(at, quad3_of(rct_bodies_at(model->bodies, up)->com));
    }
    at = quad33_apply(&rct_pose_of(ground, pose, up)->R, at);
    const quad3 to_com = quad33_apply(&pose[j].R, quad3_of(body->com));
    end[0] = (rct_hinge_end){j, quad3_scale(-1, to_com)};
    end[1] = (rct_hinge_end){up, quad3_add(at, pose[j].joint.along)};
}

/* Coordinates and rates of one hinge: relative q and u; or orientation, then position; angular velocity, then
 * velocity. */
typedef struct hinge_state {
    double q[7], u[6];
} hinge_state;

/* The initial state of the model. */
static hinge_state initial_state(const rct_model *model, int32_t id)
{
    const rct_start *start = rct_bodies_start(model->bodies, id);
    hinge_state state = {{0.0}, {0.0}};
    const int absolute = rct_pose_is_absolute(rct_bodies_at(model->bodies, id));
    if (absolute) {
        memcpy(state.q, start->orientation, sizeof start->orientation);
        memcpy(state.u, start->angular_velocity, sizeof start->angular_velocity);
    }
    memcpy(state.q + (absolute ? 4 : 0), start->position, sizeof start->position);
    memcpy(state.u + (absolute ? 3 : 0), start->rate, sizeof start->rate);
    return state;
}

static rct_status check_state(const rct_model *model, int32_t id, const hinge_state *state,
                              rct_error *error)
{
    const rct_body *body = rct_bodies_at(model->bodies, id);
    const char *trouble = NULL;
    if (!rct_all_finite(state->q, rct_hinge_coordinates(body->hinge)) ||
        !rct_all_finite(state->u, rct_hinge_freedoms(body->hinge))) {
        trouble = body->hinge == RCT_HINGE_BALL
                      ? "orientation or angular velocity is not finite; give finite numbers"
                      : "coordinates or rates are not finite; give finite numbers";
    } else if (rct_pose_is_absolute(body) && rct_all_zero(state->q, 4)) {
        trouble = "orientation is a quaternion of zero length; give w x y z, such as 1 0 0 0 for "
                  "no rotation";
    }
    return trouble == NULL
               ? RCT_OK
               : rct_model_fail_body(model, id, error, RCT_ERROR_ARGUMENT, ": its %s", trouble);
}

/* The states of all hinges. */
static rct_status read_states(const rct_model *model, const double *coordinates,
                              const double *rates, hinge_state *state, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        const rct_hinge_type hinge = rct_bodies_at(model->bodies, i)->hinge;
        state[i] = initial_state(model, i);
        for (int k = 0; k < rct_hinge_coordinates(hinge) && coordinates != NULL; k++) {
            state[i].q[k] = *coordinates++;
        }
        for (int k = 0; k < rct_hinge_freedoms(hinge) && rates != NULL; k++) {
            state[i].u[k] = *rates++;
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
        pose->torque = rct_pose_ball_torque(body, parent, pose);
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

rct_status rct_pose_all(const rct_model *model, double time, const double *coordinates,
                        const double *rates, rct_pose *pose, rct_error *error)
{
    const int64_t n = model->count;
    rct_pool pool = {.what = "the states of hinges"};
    hinge_state *state = rct_pool_take(&pool, n, sizeof *state, error);
    int32_t *order = rct_pool_take(&pool, n, sizeof *order, error);
    int32_t *place = rct_pool_take(&pool, n, sizeof *place, error);
    rct_status status =
        pool.failed ? RCT_ERROR_MEMORY : read_states(model, coordinates, rates, state, error);
    if (status == RCT_OK) {
        const rct_ground ground = rct_pose_ground(model, time);
        rct_pose_order(model, order, place);
        for (int32_t k = 0; k < model->count; k++) {
            const int32_t i = order[k];
            const rct_body *body = rct_bodies_at(model->bodies, i);
            if (body->hinge == RCT_HINGE_FREE) {
                place_free(&state[i], &pose[i]);
            } else {
                place_on(body, rct_pose_of(&ground, pose, model->bodies->parent[i]), &state[i],
                         &pose[i]);
            }
            if (body->hinge == RCT_HINGE_BALL) {
                const rct_pose *up = rct_pose_of(&ground, pose, model->bodies->parent[i]);
                const quad3 slip = quad3_subtract(pose[i].omega, up->omega);
                pose[i].torque = quad3_add(pose[i].torque, rct_pose_ball_friction(model, i, slip));
            }
            RCT_THEN(status, rct_joint_exert(model, time, i, state[i].q, state[i].u, &pose[i].joint,
                                             error));
        }
    }
    rct_pool_empty(&pool);
    return status;
}

quad33 rct_pose_inertia(const quad33 *R, const rct_body *body)
{
    const double *j = body->inertia;
    const quad33 own = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const quad33 turned = quad33_product(R, &own, 0);
    return quad33_product(&turned, R, 1);
}
