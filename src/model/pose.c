/* The start of a body (pose.h): from the ground, or the last free body, outward hinge by hinge. */
#include "model/pose.h"

#include "core/memory.h"
#include "core/rotation.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* out += v */
static void add(double out[3], const double v[3], double factor)
{
    for (int i = 0; i < 3; i++) {
        out[i] += factor * v[i];
    }
}

/* The motion of a hinge in its frame. */
typedef struct motion {
    double turn[4], rate[3], way[3], speed[3];
} motion;

/* Add a freedom, which comes after those before. */
static void move(motion *m, const rct_body *body, int k)
{
    double direction[3], now[3], r[3][3], turn[4];
    const double q = body->position[k], u = body->rate[k];
    rct_hinge_direction(direction, body->hinge, k, body->hinge_axis, body->hinge_axis2);
    if (!rct_hinge_turns(body->hinge, k)) {
        add(m->way, direction, q);
        add(m->speed, direction, u);
        return;
    }
    const double half[4] = {cos(0.5 * q), sin(0.5 * q) * direction[0], sin(0.5 * q) * direction[1],
                            sin(0.5 * q) * direction[2]};
    rct_rotation(m->turn, r);
    rct_rotate(r, direction, now);
    add(m->rate, now, u);
    add(m->way, direction, body->hinge_pitch * q);
    add(m->speed, direction, body->hinge_pitch * u);
    rct_quaternion_product(m->turn, half, turn);
    memcpy(m->turn, turn, sizeof turn);
}

/* From the pose of the parent to that of a body on a hinge with axes, or a fixed one. */
static void follow(rct_model_pose *pose, const rct_body *body)
{
    const int freedoms = rct_hinge_freedoms(body->hinge);
    motion m = {.turn = {1.0, 0.0, 0.0, 0.0}};
    double frame[4], r[3][3], out[3], turning[3];
    for (int k = 0; k < freedoms; k++) {
        move(&m, body, k);
    }
    rct_quaternion_product(pose->orientation, body->hinge_orientation, frame);
    rct_rotation(frame, r);
    rct_rotate(r, m.way, out);
    rct_cross(pose->angular_velocity, out, turning);
    add(pose->position, out, 1.0);
    add(pose->velocity, turning, 1.0);
    rct_rotate(r, m.speed, out);
    add(pose->velocity, out, 1.0);
    rct_rotate(r, m.rate, out);
    add(pose->angular_velocity, out, 1.0);
    rct_quaternion_product(frame, m.turn, pose->orientation);
}

/* Move to the hinge point in the parent. */
static void reach(rct_model_pose *pose, const rct_body *body)
{
    double r[3][3], arm[3], turning[3];
    rct_rotation(pose->orientation, r);
    rct_rotate(r, body->hinge_at, arm);
    rct_cross(pose->angular_velocity, arm, turning);
    add(pose->position, arm, 1.0);
    add(pose->velocity, turning, 1.0);
}

static void step_out(rct_model_pose *pose, const rct_body *body)
{
    const int is_free = body->hinge == RCT_HINGE_FREE;
    reach(pose, body);
    if (is_free || body->hinge == RCT_HINGE_BALL) {
        memcpy(pose->orientation, body->orientation, sizeof pose->orientation);
        memcpy(pose->angular_velocity, body->angular_velocity, sizeof pose->angular_velocity);
    } else {
        follow(pose, body);
    }
    if (is_free) {
        memcpy(pose->position, body->position, sizeof pose->position);
        memcpy(pose->velocity, body->rate, sizeof pose->velocity);
    }
}

rct_status rct_model_find_pose(const rct_model *model, int32_t body, rct_model_pose *pose,
                               rct_error *error)
{
    const int32_t *parent = model->bodies->parent;
    rct_base_motion ground;
    int64_t count = 0;
    for (int32_t b = body; b != RCT_GROUND; b = parent[b]) {
        count++;
    }
    int32_t *way = rct_allocate(count + 1, sizeof *way, "the start of a body", error);
    if (way == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = count, b = body; i > 0; b = parent[b]) {
        way[--i] = (int32_t)b;
    }
    rct_model_base_motion(model, 0.0, &ground);
    memcpy(pose->orientation, ground.orientation, sizeof pose->orientation);
    memcpy(pose->angular_velocity, ground.angular_velocity, sizeof pose->angular_velocity);
    memcpy(pose->position, ground.position, sizeof pose->position);
    memcpy(pose->velocity, ground.velocity, sizeof pose->velocity);
    for (int64_t i = 0; i < count; i++) {
        const rct_body own = rct_bodies_get(model->bodies, way[i]);
        step_out(pose, &own);
    }
    rct_release(way);
    return RCT_OK;
}
