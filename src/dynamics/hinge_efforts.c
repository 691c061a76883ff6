/* The efforts that a model exerts at its hinges in a state: constant efforts, springs, dampers,
 * forces at hinges. */
#include "core/bending.h"
#include "core/numbers.h"
#include "dynamics/solver.h"
#include "model/forces/effort.h"
#include "model/model.h"

#include <string.h>

/* The moment of the springs of a ball hinge on its link, link axes: the transpose of J
 * (core/bending.h) times the moment. */
static void bend(const double theta[3], const double stiffness[3], double effort[3])
{
    double c, slope, pull[3], moment[3];
    for (int i = 0; i < 3; i++) {
        pull[i] = stiffness[i] * theta[i];
    }
    rct_bending_factors(theta, &c, &slope);
    rct_bending_turn(theta, c, 1.0, pull, moment);
    for (int i = 0; i < 3; i++) {
        effort[i] -= moment[i];
    }
}

/* The effort at a ball hinge, inertial axes. */
static void exert_ball(const rct_solver *s, int32_t link, const rct_body *head, double effort[3])
{
    const int32_t parent = s->plan->links.parent[link];
    const rct_pose_of_link *up = parent == RCT_GROUND ? &s->ground : rct_pose_at(s->poses, parent);
    const rct_pose_of_link *own = rct_pose_at(s->poses, link);
    double axes[3][3], carrier[3][3], frame[4], theta[3], rate[3], carried[3], local[3];
    memcpy(axes, own->rotation, sizeof axes);
    memcpy(carrier, up->rotation, sizeof carrier);
    rct_rotate(carrier, up->rate, rate);
    rct_rotate_back(axes, rate, carried);
    for (int i = 0; i < 3; i++) {
        local[i] = head->damping[i] * (carried[i] - own->rate[i]);
    }
    if (!rct_all_zero(head->stiffness, 3)) {
        rct_plan_hinge_frame(s->plan, link, frame);
        rct_bending_vector(up->rotation, frame, own->rotation, theta);
        bend(theta, head->stiffness, local);
    }
    rct_rotate(axes, local, effort);
    for (int32_t i = s->plan->effort_begin != NULL ? s->plan->effort_begin[link] : 0;
         s->plan->effort_begin != NULL && i < s->plan->effort_begin[link + 1]; i++) {
        rct_solver_add_rubbing(s, &s->plan->surroundings->forces[s->plan->effort[i]], link, effort);
    }
}

/* The effort at a hinge with axes, of coordinates q and rates u. */
static void exert_axes(const rct_solver *s, int32_t link, const rct_body *head, const double *q,
                       double *effort)
{
    const rct_plan *plan = s->plan;
    const double *u = q + rct_hinge_coordinates(head->hinge);
    for (int i = 0; i < rct_hinge_freedoms(head->hinge); i++) {
        effort[i] = head->applied[i] - head->stiffness[i] * (q[i] - head->rest[i]) -
                    head->damping[i] * u[i];
    }
    for (int32_t i = plan->effort_begin != NULL ? plan->effort_begin[link] : 0;
         plan->effort_begin != NULL && i < plan->effort_begin[link + 1]; i++) {
        const rct_force *f = &plan->surroundings->forces[plan->effort[i]];
        const int32_t c = f->coordinate;
        effort[c] += rct_force_exert(f, s->time, q[c], u[c]).effort;
    }
}

rct_status rct_solver_hinge_efforts_inside(rct_solver *s, double *effort, rct_error *error)
{
    const rct_plan *plan = s->plan;
    rct_solver_read_poses(s);
    for (int32_t link = 0; link < plan->links.count; link++) {
        const rct_body *head = rct_bodies_at(plan->bodies, plan->places.head[link]);
        double *own = effort + rct_plan_rates_at(plan, link);
        if (head->hinge == RCT_HINGE_BALL) {
            exert_ball(s, link, head, own);
        } else if (head->hinge == RCT_HINGE_FREE) {
            memset(own, 0, 6 * sizeof *own);
        } else {
            exert_axes(s, link, head, s->state + rct_link_state(&plan->links, link), own);
        }
    }
    return rct_solver_check_inside(s, error);
}
