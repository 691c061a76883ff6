/* Positions, orientations and velocities of the ground, links and bodies: read from the run, shown
 * in body order. */
#include "backend/ground.h"
#include "core/rotation.h"
#include "dynamics/solver.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- the ground --------------------------------------------------------------------------- */

void rct_solver_move_ground(const rct_solver *solver, double time)
{
    rct_solver *s = (rct_solver *)solver;
    rct_base_motion *b = &s->base;
    rct_ground ground;
    double m[3][3];
    if (s->ground_rests) {
        return;
    }
    s->ground_rests = !rct_model_has_base(s->plan->surroundings);
    rct_model_base_motion(s->plan->surroundings, time, b);
    memcpy(ground.orientation, b->orientation, sizeof ground.orientation);
    rct_rotation(b->orientation, m);
    memcpy(ground.rotation, m, sizeof m);
    memcpy(ground.acceleration, b->acceleration, sizeof ground.acceleration);
    rct_rotate_back(m, b->angular_velocity, ground.rate);
    rct_rotate_back(m, b->angular_acceleration, ground.angular);
    rct_ground_less(ground.linear, &ground, s->plan->gravity);
    memcpy(s->ground.rotation, m, sizeof m);
    memcpy(s->ground.rate, ground.rate, sizeof ground.rate);
    memcpy(s->ground.position, b->position, sizeof b->position);
    memcpy(s->ground.velocity, b->velocity, sizeof b->velocity);
    s->backend->set_ground(s->run, &ground);
}

/* Read poses of all links, or only of the listed ones. */
static void read_poses(const rct_solver *s, int all)
{
    const int others = s->backend->read_poses(s->run, all, &s->ground, s->poses);
    ((rct_solver *)s)->poses_read += others;
}

void rct_solver_find_poses(const rct_solver *s)
{
    const char *trouble = s->backend->trouble != NULL ? s->backend->trouble(s->run) : "";
    ((rct_solver *)s)->poses_read++;
    rct_link_poses(&s->plan->links, NULL, s->plan->links.count, s->state, &s->ground, s->poses);
    /* else poses of links on the ground could pass for results */
    if (trouble[0] != '\0') {
        for (int64_t i = 0; i < s->poses.fields * (int64_t)s->plan->links.count; i++) {
            s->poses.numbers[i] = NAN;
        }
    }
}

void rct_solver_read_poses(const rct_solver *s)
{
    s->backend->read_state(s->run, s->state);
    read_poses(s, 1);
}

void rct_solver_read_places(const rct_solver *s)
{
    if (s->plan->links.fields == LINK_FIELDS) {
        read_poses(s, 1);
    } else {
        rct_solver_read_poses(s);
    }
}

void rct_solver_read_turns(const rct_solver *s)
{
    if (s->plan->links.fields == LINK_FIELDS) {
        s->backend->read_state(s->run, s->state);
    } else {
        rct_solver_read_poses(s);
    }
}

void rct_solver_read_acting_poses(const rct_solver *s)
{
    read_poses(s, s->acting.posed_count == s->plan->links.count);
}

void rct_solver_read_acting(const rct_solver *s)
{
    s->backend->read_links(s->run, s->acting.posed, s->acting.posed_count, s->state);
    rct_solver_read_acting_poses(s);
}

/* ---- bodies ------------------------------------------------------------------------------- */

static const rct_pose_of_link *link_pose(const rct_solver *s, int64_t body)
{
    const int32_t link = s->plan->link_of[body];
    return link == RCT_GROUND ? &s->ground : rct_pose_at(s->poses, link);
}

/* The pose of a body except its rotation; `m` is the rotation of its link. */
static void move(const rct_solver *s, int64_t body, double m[3][3], rct_body_pose *pose)
{
    const rct_pose_of_link *link = link_pose(s, body);
    double arm[3], turning[3];
    memcpy(m, link->rotation, sizeof link->rotation);
    rct_rotate(m, link->rate, pose->rate);
    if (!rct_plan_welds(s->plan, body)) { /* heads have the pose of their links */
        memcpy(pose->position, link->position, sizeof link->position);
        memcpy(pose->velocity, link->velocity, sizeof link->velocity);
        return;
    }
    rct_rotate(m, rct_plan_seat(s->plan, body)->position, arm);
    rct_cross(pose->rate, arm, turning);
    for (int i = 0; i < 3; i++) {
        pose->position[i] = link->position[i] + arm[i];
        pose->velocity[i] = link->velocity[i] + turning[i];
    }
}

void rct_solver_body_point(const rct_solver *s, int64_t body, double position[3])
{
    const rct_pose_of_link *link = link_pose(s, body);
    double m[3][3], arm[3];
    memcpy(m, link->rotation, sizeof link->rotation);
    rct_rotate(m, rct_plan_seat(s->plan, body)->position, arm);
    for (int i = 0; i < 3; i++) {
        position[i] = link->position[i] + arm[i];
    }
}

rct_body_pose rct_solver_body_pose(const rct_solver *s, int64_t body)
{
    rct_body_pose pose;
    double m[3][3], own[3][3];
    move(s, body, m, &pose);
    rct_rotation(rct_plan_seat(s->plan, body)->orientation, own);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.rotation[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                pose.rotation[i][j] += m[i][k] * own[k][j];
            }
        }
    }
    return pose;
}

/* The quaternion of a rotation matrix, from its largest component. */
static void quaternion_of(const double m[9], double q[4])
{
    const double trace = m[0] + m[4] + m[8];
    const double size[4] = {trace, 2.0 * m[0] - trace, 2.0 * m[4] - trace, 2.0 * m[8] - trace};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = size[i] > size[k] ? i : k;
    }
    const double difference[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
    const double sum[3] = {m[5] + m[7], m[2] + m[6], m[1] + m[3]}; /* yz, xz, xy */
    const double twice = sqrt(1.0 + size[k]);
    q[k] = 0.5 * twice;
    for (int i = 0; i < 3; i++) {
        if (k == 0) {
            q[1 + i] = 0.5 * difference[i] / twice;
        } else if (k != i + 1) {
            q[1 + i] = 0.5 * sum[3 - i - (k - 1)] / twice;
        }
    }
    if (k > 0) {
        q[0] = 0.5 * difference[k - 1] / twice;
    }
}

static int is_absolute(const rct_plan *plan, int32_t link)
{
    return plan->links.kind[link] == RCT_HINGE_BALL || plan->links.kind[link] == RCT_HINGE_FREE;
}

void rct_solver_orientation(const rct_solver *s, int64_t body, double quaternion[4])
{
    const int32_t link = s->plan->link_of[body];
    double own[4];
    if (link == RCT_GROUND) {
        memcpy(own, s->base.orientation, sizeof own);
    } else if (is_absolute(s->plan, link)) {
        memcpy(own, s->state + rct_link_state(&s->plan->links, link), sizeof own);
    } else {
        quaternion_of(rct_pose_at(s->poses, link)->rotation, own);
    }
    rct_quaternion_product(own, rct_plan_seat(s->plan, body)->orientation, quaternion);
}

static void copy_row(double *rows, int64_t row, int width, const double *values)
{
    if (rows != NULL) {
        memcpy(rows + row * width, values, (size_t)width * sizeof *values);
    }
}

static void show_body(const rct_solver *s, int64_t b, const rct_state_rows *to, int64_t k)
{
    rct_body_pose pose;
    double m[3][3], q[4];
    move(s, b, m, &pose);
    rct_solver_orientation(s, b, q);
    copy_row(to->orientation, k, 4, q);
    copy_row(to->angular_velocity, k, 3, pose.rate);
    copy_row(to->position, k, 3, pose.position);
    copy_row(to->velocity, k, 3, pose.velocity);
}

void rct_solver_show_rows(const rct_solver *s, int64_t first, int64_t count,
                          const rct_state_rows *rows)
{
    for (int64_t k = 0; k < count; k++) {
        show_body(s, first + k, rows, k);
    }
}

typedef struct showing {
    const rct_solver *s;
    rct_state_rows to;
} showing;

static void show_range(void *context, int64_t begin, int64_t end)
{
    const showing *all = context;
    for (int64_t b = begin; b < end; b++) {
        show_body(all->s, b, &all->to, b);
    }
}

void rct_solver_show_state(const rct_solver *s, double *orientation, double *angular_velocity,
                           double *position, double *velocity)
{
    showing all = {s, {orientation, angular_velocity, position, velocity}};
    rct_solver_share(s, s->plan->body_count, show_range, &all);
}

void rct_solver_show_bodies(const rct_solver *s, const int32_t *bodies, int32_t count, double *rows)
{
    const int64_t n = count;
    const rct_state_rows to = {rows, rows + 4 * n, rows + 7 * n, rows + 10 * n};
    for (int64_t k = 0; k < n; k++) {
        show_body(s, bodies[k], &to, k);
    }
}

void rct_solver_get_state_inside(const rct_solver *s, double *orientation, double *angular_velocity,
                                 double *position, double *velocity)
{
    rct_solver_read_poses(s);
    rct_solver_show_state(s, orientation, angular_velocity, position, velocity);
}
