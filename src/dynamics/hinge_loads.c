/* Force and moment at every hinge: from the sweeps where they have them, else from the Newton-Euler equations of the bodies, tips
 * to roots. */
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Add what the motion of a body asks for, less what acts on it: what its hinge must give. */
static void own_load(const rct_solver *s, int64_t b, double load[6])
{
    rct_body_pose pose = rct_solver_body_pose(s, b);
    const double *external = s->external != NULL ? s->external + 6 * b : NULL;
    double a[3], alpha[3], own[6];
    rct_solver_body_acceleration(s, b, a, alpha);
    rct_newton_euler(&s->plan->bodies[b], rct_plan_gravity(s->plan, b), pose.rotation, pose.rate, a,
                     alpha, own);
    for (int i = 0; i < 6; i++) {
        load[i] += own[i] - (external != NULL ? external[i] : 0.0);
    }
}

static void read_forces(const rct_solver *s)
{
    for (int64_t i = 0; i < 3 * (int64_t)s->plan->links.count; i++) {
        s->forces[i] = NAN;
    }
    if (s->backend->read_forces != NULL) {
        s->backend->read_forces(s->run, s->forces);
    }
}

/* What the sweep knows of the hinge of a body: nothing; the force; or all, for there is no moment at a ball hinge that
 * neither a damper nor a loop acts at. */
enum { KNOWS_NOTHING, KNOWS_FORCE, KNOWS_ALL };

static int knowledge(const rct_solver *s, int64_t b)
{
    const rct_placement *at = &s->plan->placement[b];
    if (at->welded || !isfinite(s->forces[3 * (int64_t)at->link])) {
        return KNOWS_NOTHING;
    }
    const int moment = (s->plan->has_efforts && s->plan->bodies[b].damping[0] != 0.0) ||
                       rct_model_loop_count(s->plan->surroundings) > 0;
    return moment ? KNOWS_FORCE : KNOWS_ALL;
}

/* It is better than a sum over all that hangs on the hinge; the moment stays. */
static void take_force(const rct_solver *s, int64_t b, double load[6])
{
    const int64_t link = s->plan->placement[b].link;
    double m[3][3];
    rct_rotation(s->state + s->plan->links.state_at[link], m);
    rct_rotate(m, s->forces + 3 * link, load);
}

/* Pass the load of a body on to its parent. */
static void pass_load(const rct_solver *s, int64_t b)
{
    const int64_t parent = s->plan->bodies[b].parent;
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

/* By Newton and Euler what the sweep does not know, from tips to roots. */
static void sum_loads(const rct_solver *s)
{
    const rct_plan *plan = s->plan;
    rct_solver_read_motion(s);
    rct_solver_add_wrenches(s, -1.0, s->hinge_loads);
    for (int64_t k = plan->body_count - 1; k >= 0; k--) {
        const int64_t b = plan->order[k], parent = plan->bodies[b].parent;
        const int known = knowledge(s, b);
        double *load = s->hinge_loads + 6 * b;
        if (known == KNOWS_ALL) {
            memset(load, 0, 6 * sizeof *load);
        } else {
            own_load(s, b, load);
        }
        if (known != KNOWS_NOTHING) {
            take_force(s, b, load);
        }
        if (parent != RCT_GROUND && knowledge(s, parent) != KNOWS_ALL) {
            pass_load(s, b);
        }
    }
}

static void take_range(void *context, int64_t begin, int64_t end)
{
    const rct_solver *s = context;
    for (int64_t b = begin; b < end; b++) {
        take_force(s, b, s->hinge_loads + 6 * b);
    }
}

void rct_solver_find_hinge_loads(const rct_solver *s)
{
    const int64_t n = s->plan->body_count;
    int64_t known = 0;
    read_forces(s);
    memset(s->hinge_loads, 0, (size_t)n * 6 * sizeof *s->hinge_loads);
    while (known < n && knowledge(s, known) == KNOWS_ALL) {
        known++;
    }
    if (known < n) {
        sum_loads(s);
        return;
    }
    s->backend->read_state(s->run, s->state);
    rct_solver_share(s, n, take_range, (void *)s);
}

void rct_solver_get_hinge_forces_inside(const rct_solver *s, double *force, double *moment)
{
    rct_solver_find_hinge_loads(s);
    for (int64_t b = 0; b < s->plan->body_count; b++) {
        if (force != NULL) {
            memcpy(force + 3 * b, s->hinge_loads + 6 * b, 3 * sizeof *force);
        }
        if (moment != NULL) {
            memcpy(moment + 3 * b, s->hinge_loads + 6 * b + 3, 3 * sizeof *moment);
        }
    }
}
