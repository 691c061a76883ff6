/* Accelerations in body order and inertial axes, derivatives of rates, and state vectors of seed
 * 000. */
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <string.h>

/* The orientation and rate of a link in its own axes: from its state where that is absolute, else
 * from the poses read last. */
static const double *turn_of(const rct_solver *s, int64_t link, double m[3][3])
{
    const int32_t kind = link == RCT_GROUND ? RCT_HINGE_FIXED : s->plan->links.kind[link];
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
        const double *state = s->state + rct_link_state(&s->plan->links, link);
        double rows[9];
        rct_rates_turn(state, rows);
        memcpy(m, rows, sizeof rows);
        return state + rct_hinge_coordinates((rct_hinge_type)kind);
    }
    const rct_pose_of_link *pose = link == RCT_GROUND ? &s->ground : rct_pose_at(s->poses, link);
    memcpy(m, pose->rotation, sizeof pose->rotation);
    return pose->rate;
}

void rct_solver_turn_acceleration(const rct_solver *s, int64_t link, const double *rotation)
{
    const double *gravity = rct_plan_gravity(s->plan, s->plan->places.head[link]);
    double *row = s->accelerations + 6 * link;
    double m[3][3], a[3], alpha[3];
    memcpy(m, rotation, sizeof m);
    rct_rotate(m, row, a);
    rct_rotate(m, row + 3, alpha);
    for (int i = 0; i < 3; i++) {
        row[i] = a[i] + gravity[i];
        row[3 + i] = alpha[i];
    }
}

static void turn_range(void *context, int64_t begin, int64_t end)
{
    for (int64_t l = begin; l < end; l++) {
        double m[3][3];
        turn_of(context, l, m);
        rct_solver_turn_acceleration(context, l, m[0]);
    }
}

/* Read the accelerations of links and turn them into true ones in inertial axes, by the
 * orientations read last. */
static rct_status read_accelerations(const rct_solver *s)
{
    const rct_status status =
        rct_solver_make_room(s, &s->accelerations, s->plan->links.count, NULL);
    if (status == RCT_OK) {
        s->backend->read_accelerations(s->run, s->accelerations);
        rct_solver_share(s, s->plan->links.count, turn_range, (void *)s);
    }
    return status;
}

void rct_solver_body_acceleration(const rct_solver *s, int64_t b, double linear[3],
                                  double angular[3])
{
    const int64_t link = s->plan->link_of[b];
    const int ground = link == RCT_GROUND;
    const double *a = ground ? s->base.acceleration : s->accelerations + 6 * link;
    const double *alpha = ground ? s->base.angular_acceleration : a + 3;
    memcpy(angular, alpha, 3 * sizeof *angular);
    memcpy(linear, a, 3 * sizeof *linear);
    if (rct_plan_welds(s->plan, b)) {
        double m[3][3], arm[3], rate[3];
        rct_rotate(m, turn_of(s, link, m), rate);
        rct_rotate(m, rct_plan_seat(s->plan, b)->position, arm);
        rct_carry(a, alpha, rate, arm, linear);
    }
}

rct_status rct_solver_read_motion(const rct_solver *s)
{
    rct_solver_read_poses(s);
    return read_accelerations(s);
}

rct_status rct_solver_get_accelerations_inside(const rct_solver *s, double *linear, double *angular)
{
    rct_solver_read_turns(s);
    return rct_solver_show_accelerations(s, linear, angular);
}

typedef struct showing {
    const rct_solver *s;
    double *linear, *angular;
} showing;

static void show_range(void *context, int64_t begin, int64_t end)
{
    const showing *all = context;
    for (int64_t b = begin; b < end; b++) {
        double a[3], alpha[3];
        rct_solver_body_acceleration(all->s, b, a, alpha);
        if (all->linear != NULL) {
            memcpy(all->linear + 3 * b, a, sizeof a);
        }
        if (all->angular != NULL) {
            memcpy(all->angular + 3 * b, alpha, sizeof alpha);
        }
    }
}

rct_status rct_solver_show_accelerations(const rct_solver *s, double *linear, double *angular)
{
    showing all = {s, linear, angular};
    const rct_status status = read_accelerations(s);
    if (status == RCT_OK) {
        rct_solver_share(s, s->plan->body_count, show_range, &all);
    }
    return status;
}

void rct_solver_get_rate_derivatives_inside(const rct_solver *s, double *derivatives)
{
    s->backend->read_derivatives(s->run, derivatives);
}

/* Acceleration of a point of a body, or of the ground, at `point` in inertial axes. */
static void point_acceleration(const rct_solver *s, int32_t body, const double point[3],
                               double linear[3], double angular[3])
{
    double m[3][3], rate[3], arm[3], a[3];
    const rct_pose_of_link *ground = &s->ground;
    rct_body_pose pose;
    if (body == RCT_GROUND) {
        memcpy(m, ground->rotation, sizeof m);
        rct_rotate(m, ground->rate, rate);
        memcpy(pose.position, ground->position, sizeof pose.position);
        memcpy(a, s->base.acceleration, sizeof a);
        memcpy(angular, s->base.angular_acceleration, 3 * sizeof *angular);
    } else {
        pose = rct_solver_body_pose(s, body);
        memcpy(rate, pose.rate, sizeof rate);
        rct_solver_body_acceleration(s, body, a, angular);
    }
    for (int i = 0; i < 3; i++) {
        arm[i] = point[i] - pose.position[i];
    }
    rct_carry(a, angular, rate, arm, linear);
}

/* Linear and angular accelerations on both sides of a hinge: of the hinge point on the body, and of
 * the same point on its parent, from the motion read last. */
static void find_sides(const rct_solver *s, int64_t body, double own[6], double parent[6])
{
    const rct_hinge_type type = rct_bodies_at(s->plan->bodies, body)->hinge;
    const rct_body_pose pose = rct_solver_body_pose(s, body);
    rct_solver_body_acceleration(s, body, own, own + 3);
    memset(parent, 0, 6 * sizeof *parent);
    if (type != RCT_HINGE_FREE) { /* free links have inertial space as parent */
        point_acceleration(s, s->plan->bodies->parent[body], pose.position, parent, parent + 3);
    }
    if (type != RCT_HINGE_FREE && !rct_slides(type)) {
        memcpy(parent, own, 3 * sizeof *parent); /* the same point, to the last bit */
    }
}

/* ---- state vectors ------------------------------------------------------------------------ */

/* z = (r'', W', m, q) at one end: m is the moment on the body, q is minus the force on it. */
static void write_state_vector(double *z, const double acceleration[6], const double load[6])
{
    for (int i = 0; i < 3; i++) {
        z[i] = acceleration[i];
        z[3 + i] = acceleration[3 + i];
        z[6 + i] = load[3 + i];
        z[9 + i] = -load[i];
    }
}

rct_status rct_solver_get_state_vectors_inside(const rct_solver *s, double *outboard,
                                               double *inboard)
{
    rct_status status = rct_solver_find_hinge_loads(s);
    RCT_THEN(status, rct_solver_read_motion(s));
    for (int64_t b = 0; b < s->plan->body_count && status == RCT_OK; b++) {
        double own[6], parent[6], load[6];
        rct_solver_hinge_load(s, b, load);
        find_sides(s, b, own, parent);
        if (outboard != NULL) {
            write_state_vector(outboard + 12 * b, own, load);
        }
        if (inboard != NULL) {
            write_state_vector(inboard + 12 * b, parent, load);
        }
    }
    return status;
}
