/* Moments at ball hinges in implicit stages (implicit.c). The run finds them where it can and all
 * links have an absolute orientation (kernels/laws/hold_step.h); otherwise the host finds them
 * here, by the same law. If the parent of a ball hangs by hinges with axes, its turn and
 * acceleration add up from those hinges: eta, v, and the angular acceleration except the
 * derivatives of rates. */
#include "integrate/implicit.h"

#include "core/rotation.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* The rotation of a link, inertial axes. */
typedef struct turning {
    double u[3], v[3], eta[3], bias[3];
} turning;

_Static_assert(sizeof(turning) == TURNING_FIELDS * sizeof(double), "in the room of stages");

typedef struct holding {
    const rct_steps *s;
    double delta;
    turning ground;
    turning *links;
} holding;

static turning of_ground(const rct_solver *solver, double delta)
{
    const rct_base_motion *base = &solver->base;
    turning ground;
    for (int i = 0; i < 3; i++) {
        ground.u[i] = ground.v[i] = base->angular_velocity[i];
        ground.eta[i] = -delta * base->angular_velocity[i];
        ground.bias[i] = base->angular_acceleration[i];
    }
    return ground;
}

static const turning *above(const holding *h, int64_t label)
{
    const int32_t up = h->s->solver->plan->links.parent[label];
    return up == RCT_GROUND ? &h->ground : &h->links[up];
}

/* Take a link with an absolute orientation. */
static void turn_absolute(const holding *h, int64_t label)
{
    const rct_steps *s = h->s;
    const int64_t at = rct_plan_coordinates_at(s->solver->plan, label);
    const int64_t rates = s->positions + rct_plan_rates_at(s->solver->plan, label);
    const double *q = s->next + at, *p = s->other + at;
    turning *own = &h->links[label];
    rct_implicit_turn(q, p, own->eta);
    for (int i = 0; i < 3; i++) {
        own->u[i] = s->next[rates + i];
        own->v[i] = s->other[rates + i];
        own->bias[i] = 0.0;
    }
}

/* Add a turn of the link about `axis` (inertial), with its coordinate and rate number i. */
static void turn_about(const holding *h, int64_t label, const double axis[3], int i)
{
    const rct_steps *s = h->s;
    const int64_t at = rct_plan_coordinates_at(s->solver->plan, label) + i;
    const int64_t rate = s->positions + rct_plan_rates_at(s->solver->plan, label) + i;
    turning *own = &h->links[label];
    double spin[3], across[3];
    for (int k = 0; k < 3; k++) {
        spin[k] = s->next[rate] * axis[k];
    }
    rct_cross(own->u, spin, across); /* the turns before carry the axis along */
    for (int k = 0; k < 3; k++) {
        own->bias[k] += across[k];
        own->u[k] += spin[k];
        own->v[k] += s->other[rate] * axis[k];
        own->eta[k] += (s->other[at] - s->next[at]) * axis[k];
    }
}

/* Take a link on a hinge with axes: z of the link; for universal hinges z is the second axis, and
 * the first is turned back by the angle about it. */
static void turn_relative(const holding *h, int64_t label)
{
    const rct_plan *plan = h->s->solver->plan;
    const rct_hinge_type kind = (rct_hinge_type)plan->links.kind[label];
    const double *q = h->s->next + rct_plan_coordinates_at(plan, label);
    double R[3][3];
    memcpy(R, rct_pose_at(h->s->solver->poses, label)->rotation, sizeof R);
    h->links[label] = *above(h, label);
    if (kind == RCT_HINGE_UNIVERSAL) {
        const double *axis = rct_link_record(&plan->links, label) + LINK_PARAMETER;
        const double first[3] = {axis[0] * cos(q[1]), -axis[0] * sin(q[1]), axis[1]};
        double turned[3];
        rct_rotate(R, first, turned);
        turn_about(h, label, turned, 0);
    }
    for (int i = 0; i < rct_hinges[kind].freedoms; i++) {
        if (rct_hinge_turns(kind, i) && (kind != RCT_HINGE_UNIVERSAL || i == 1)) {
            const double z[3] = {R[0][2], R[1][2], R[2][2]};
            turn_about(h, label, z, i);
        }
    }
}

static void turn_range(void *context, int64_t begin, int64_t end)
{
    const holding *h = context;
    for (int64_t l = begin; l < end; l++) {
        const rct_hinge_type kind = (rct_hinge_type)h->s->solver->plan->links.kind[l];
        if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
            turn_absolute(h, l);
        } else {
            turn_relative(h, l);
        }
    }
}

/* Add the moment at the ball hinge of a link to its efforts, inertial axes. */
static void hold(const holding *h, int64_t label)
{
    const rct_steps *s = h->s;
    const rct_plan *plan = s->solver->plan;
    const int64_t r = rct_plan_rates_at(plan, label);
    const double *k = s->stiffness + r, *c = s->damping + r, delta = h->delta;
    const turning *own = &h->links[label], *up = above(h, label);
    double R[3][3], stretch[3], slip[3], bias[3], moment[3], turned[3];
    rct_rotation(s->next + rct_plan_coordinates_at(plan, label), R);
    for (int i = 0; i < 3; i++) {
        moment[i] = (own->eta[i] - up->eta[i]) + delta * (own->v[i] - up->v[i]);
        turned[i] = (own->u[i] - up->u[i]) - (own->v[i] - up->v[i]);
    }
    rct_rotate_back(R, moment, stretch);
    rct_rotate_back(R, turned, slip);
    rct_rotate_back(R, up->bias, bias);
    for (int i = 0; i < 3; i++) {
        moment[i] = c[i] * slip[i] - k[i] * stretch[i] - delta * (c[i] + delta * k[i]) * bias[i];
    }
    rct_rotate(R, moment, turned);
    for (int i = 0; i < 3; i++) {
        s->solver->efforts[r + i] += turned[i];
    }
}

static void hold_range(void *context, int64_t begin, int64_t end)
{
    const holding *h = context;
    for (int64_t l = begin; l < end; l++) {
        if (h->s->solver->plan->links.kind[l] == RCT_HINGE_BALL) {
            hold(h, l);
        }
    }
}

void rct_implicit_balls(const rct_steps *s, double time, double delta)
{
    rct_solver *solver = s->solver;
    const rct_backend *backend = solver->backend;
    const rct_links *links = &solver->plan->links;
    const int absolute = links->fields == LINK_FIELDS;
    rct_holding by = {.delta = delta};
    rct_solver_move_ground(solver, time);
    memcpy(by.ground[0], solver->base.angular_velocity, sizeof by.ground[0]);
    memcpy(by.ground[1], solver->base.angular_acceleration, sizeof by.ground[1]);
    if (absolute && backend->slopes->hold(solver->run, &by)) {
        return;
    }
    holding h = {.s = s,
                 .delta = delta,
                 .ground = of_ground(solver, delta),
                 .links = (turning *)(void *)s->turning};
    rct_implicit_read(s);
    if (absolute) {
        rct_solver_share(solver, links->count, turn_range, &h);
    } else { /* hinges with axes need their parents */
        rct_solver_read_poses(solver);
        turn_range(&h, 0, links->count);
    }
    backend->slopes->read_efforts(solver->run, NULL, 0, solver->efforts);
    rct_solver_share(solver, links->count, hold_range, &h);
    solver->pushes_hinges = 1;
    backend->write_efforts(solver->run, solver->efforts);
}
