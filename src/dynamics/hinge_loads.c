/* Force and moment at every hinge: from the sweeps where these have them, else from the
 * Newton-Euler equations of the bodies, from tips to roots. */
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <stddef.h>
#include <string.h>

/* Add the force and moment that the motion of a body needs, less what acts on it; its hinge
 * supplies the sum. */
static void own_load(const rct_solver *s, int64_t b, double load[6])
{
    rct_body_pose pose = rct_solver_body_pose(s, b);
    const double *external = s->external != NULL ? s->external + 6 * b : NULL;
    double a[3], alpha[3], own[6];
    rct_solver_body_acceleration(s, b, a, alpha);
    rct_newton_euler(rct_bodies_at(s->plan->bodies, b), rct_plan_gravity(s->plan, b), pose.rotation,
                     pose.rate, a, alpha, own);
    for (int i = 0; i < 6; i++) {
        load[i] += own[i] - (external != NULL ? external[i] : 0.0);
    }
}

/* Whether the sweep knows the hinge forces: only while the loads are those of the last
 * evaluation. */
static int sweep_knows(const rct_solver *s)
{
    return s->backend->read_forces != NULL && !s->acts_otherwise;
}

/* Whether the sweep knows the force at the hinge of a body; it knows none at fixed hinges. */
static int is_known(const rct_solver *s, int64_t b)
{
    return sweep_knows(s) && !rct_plan_welds(s->plan, b);
}

/* A free hinge passes only the efforts given to it. */
static void take_free(const rct_solver *s, int64_t link, double load[6])
{
    const double *given = s->pushes_hinges ? s->efforts + rct_plan_rates_at(s->plan, link) : NULL;
    for (int i = 0; i < 3; i++) {
        load[i] = given != NULL ? given[3 + i] : 0.0;
        load[3 + i] = given != NULL ? given[i] : 0.0;
    }
}

/* Take the force from the sweep. It is more accurate than a sum over all bodies outboard of the
 * hinge. */
static void take_force(const rct_solver *s, int64_t b, double load[6])
{
    const int64_t link = s->plan->link_of[b];
    const int32_t kind = s->plan->links.kind[link];
    double m[3][3];
    if (kind == RCT_HINGE_FREE) {
        take_free(s, link, load);
    } else if (kind == RCT_HINGE_BALL) {
        memcpy(load, s->forces + 6 * link, 6 * sizeof *load);
    } else {
        memcpy(m, rct_pose_at(s->poses, link)->rotation, sizeof m);
        rct_rotate(m, s->forces + 6 * link, load);
        rct_rotate(m, s->forces + 6 * link + 3, load + 3);
    }
}

/* Pass the load of a body on to its parent. */
static void pass_load(const rct_solver *s, int64_t b)
{
    const int64_t parent = s->plan->bodies->parent[b];
    double *loads = s->hinge_loads;
    const double *load = loads + 6 * b;
    double arm[3], up[3], moment[3];
    rct_solver_body_point(s, b, arm);
    rct_solver_body_point(s, parent, up);
    for (int i = 0; i < 3; i++) {
        arm[i] -= up[i];
    }
    rct_cross(arm, load, moment);
    for (int i = 0; i < 3; i++) {
        loads[6 * parent + i] += load[i];
        loads[6 * parent + 3 + i] += load[3 + i] + moment[i];
    }
}

/* Find by Newton and Euler what the sweep does not know, from tips to roots. */
static rct_status sum_loads(const rct_solver *s)
{
    const rct_plan *plan = s->plan;
    rct_status status = rct_solver_make_room(s, &s->hinge_loads, plan->body_count, NULL);
    RCT_THEN(status, rct_solver_read_motion(s));
    if (status != RCT_OK) {
        return status;
    }
    memset(s->hinge_loads, 0, (size_t)plan->body_count * 6 * sizeof *s->hinge_loads);
    rct_solver_add_wrenches(s, -1.0, s->hinge_loads);
    for (int64_t k = plan->body_count - 1; k >= 0; k--) {
        const int64_t b = plan->order[k], parent = plan->bodies->parent[b];
        if (is_known(s, b)) {
            take_force(s, b, s->hinge_loads + 6 * b);
        } else {
            own_load(s, b, s->hinge_loads + 6 * b);
        }
        if (parent != RCT_GROUND && !is_known(s, parent)) {
            pass_load(s, b);
        }
    }
    return RCT_OK;
}

rct_status rct_solver_find_hinge_loads(const rct_solver *s)
{
    const int64_t n = s->plan->body_count;
    int64_t known = 0;
    if (s->closed != NULL) {
        rct_closed_show_loads(s->closed);
    }
    if (sweep_knows(s)) {
        if (rct_solver_make_room(s, &s->forces, s->plan->links.count, NULL) != RCT_OK) {
            return RCT_ERROR_MEMORY;
        }
        s->backend->read_forces(s->run, s->forces);
    }
    while (known < n && is_known(s, known)) {
        known++;
    }
    if (known < n) {
        return sum_loads(s);
    }
    if (s->plan->links.fields != LINK_FIELDS) { /* hinges with axes */
        rct_solver_read_poses(s);
    }
    return RCT_OK;
}

void rct_solver_hinge_load(const rct_solver *s, int64_t b, double load[6])
{
    if (is_known(s, b)) {
        take_force(s, b, load);
    } else {
        memcpy(load, s->hinge_loads + 6 * b, 6 * sizeof *load);
    }
}

typedef struct showing {
    const rct_solver *s;
    double *force, *moment;
} showing;

static void show_range(void *context, int64_t begin, int64_t end)
{
    const showing *all = context;
    for (int64_t b = begin; b < end; b++) {
        double load[6];
        rct_solver_hinge_load(all->s, b, load);
        if (all->force != NULL) {
            memcpy(all->force + 3 * b, load, 3 * sizeof *load);
        }
        if (all->moment != NULL) {
            memcpy(all->moment + 3 * b, load + 3, 3 * sizeof *load);
        }
    }
}

rct_status rct_solver_get_hinge_forces_inside(const rct_solver *s, double *force, double *moment)
{
    showing all = {s, force, moment};
    const rct_status status = rct_solver_find_hinge_loads(s);
    if (status == RCT_OK) {
        rct_solver_share(s, s->plan->body_count, show_range, &all);
    }
    return status;
}
