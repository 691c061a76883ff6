/* Forces of the model, and their derivatives, as pairs and slopes at hinges (slopes.h). */
#include "analysis/slopes.h"

#include "analysis/bends.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "model/forces/drag_rule.h"
#include "model/forces/effort.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* out += factor (a x), the matrix of the cross product with a */
static void add_crossing(double factor, const double a[3], double out[9])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[3 * i + j] -= factor * a[k];
        out[3 * i + k] += factor * a[j];
    }
}

/* out += factor a b* */
static void add_outer(double factor, const double a[3], const double b[3], double out[9])
{
    for (int i = 0; i < 9; i++) {
        out[i] += factor * a[i / 3] * b[i % 3];
    }
}

static void add_identity(double factor, double out[9])
{
    for (int i = 0; i < 3; i++) {
        out[4 * i] += factor;
    }
}

/* out += factor A (a x) */
static void add_product_crossing(double factor, const double A[9], const double a[3], double out[9])
{
    double crossing[9] = {0.0};
    add_crossing(factor, a, crossing);
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) {
            out[i] += A[i - i % 3 + k] * crossing[3 * k + i % 3];
        }
    }
}

/* ---- at hinges ------------------------------------------------------------------------------ */

static void turn_back(double R[3][3], const double diagonal[3], double out[9])
{
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) {
            out[i] += R[i / 3][k] * diagonal[k] * R[i % 3][k];
        }
    }
}

/* Forces at the hinge of a body, [*count] numbers of forces in the model. */
static const int32_t *forces_at(const rct_plan *plan, int32_t body, int32_t *count)
{
    const int32_t link = plan->link_of[body];
    *count = 0;
    if (plan->effort_begin == NULL || rct_plan_welds(plan, body)) {
        return NULL;
    }
    *count = plan->effort_begin[link + 1] - plan->effort_begin[link];
    return plan->effort + plan->effort_begin[link];
}

/* Friction of a ball hinge with the rate `slip`: it changes only with the rates, not with turns of
 * the bodies. */
static void add_rubbing(const rct_solver *s, int32_t body, const double slip[3],
                        rct_operator_pair *p)
{
    const double square = rct_dot(slip, slip);
    int32_t count;
    const int32_t *force = forces_at(s->plan, body, &count);
    for (int32_t k = 0; k < count; k++) {
        const rct_rubbing rub = rct_force_rub(&s->plan->surroundings->forces[force[k]], slip);
        add_identity(rub.across, p->spin);
        if (square > 0.0) {
            add_outer((rub.along - rub.across) / square, slip, slip, p->spin);
        }
        for (int i = 0; i < 3; i++) {
            p->moment[i] -= rub.across * slip[i];
        }
    }
}

/* Spring, damper, friction and efforts of a ball hinge. Common turns of both bodies turn the
 * moment: the moment of the spring changes by -H (d0 - d1) + (d0 + d1) x moment / 2
 * (operators/stiffness.h). */
static rct_operator_pair ball_of(const rct_solver *s, int32_t body)
{
    const rct_body *own = rct_bodies_at(s->plan->bodies, body);
    const int32_t up = s->plan->bodies->parent[body];
    rct_operator_pair p = {.body = body, .other = up};
    rct_body_pose pose = rct_solver_body_pose(s, body);
    double H[3][3], slip[3], damped[3];
    const rct_body_pose carrier = up != RCT_GROUND ? rct_solver_body_pose(s, up) : pose;
    for (int i = 0; i < 3; i++) {
        slip[i] = pose.rate[i] - (up != RCT_GROUND ? carrier.rate[i] : s->base.angular_velocity[i]);
    }
    turn_back(pose.rotation, own->damping, p.spin);
    for (int i = 0; i < 3; i++) {
        damped[i] = -rct_dot(p.spin + 3 * (int64_t)i, slip);
    }
    add_crossing(-1.0, damped, p.twist);
    add_product_crossing(-1.0, p.spin, slip, p.twist);
    if (!rct_all_zero(own->stiffness, 3)) {
        rct_bend_at(s, body, p.moment, H);
        for (int i = 0; i < 3; i++) {
            p.moment[i] = -p.moment[i];
        }
        for (int i = 0; i < 9; i++) {
            p.twist[i] -= H[i / 3][i % 3];
            p.back[i] += H[i / 3][i % 3];
        }
        add_crossing(-0.5, p.moment, p.twist);
        add_crossing(-0.5, p.moment, p.back);
    }
    add_rubbing(s, body, slip, &p);
    const int64_t r = rct_plan_rates_at(s->plan, s->plan->link_of[body]);
    for (int i = 0; i < 3; i++) {
        p.moment[i] += damped[i] + (s->pushes_hinges ? s->efforts[r + i] : 0.0);
    }
    return p;
}

/* Slopes of the springs and dampers of hinges with axes, and of the forces at them. */
static void find_at_hinges(const rct_solver *s, const double *q, const double *u,
                           rct_operator_laws *laws)
{
    const rct_plan *plan = s->plan;
    int64_t r = 0;
    for (int32_t b = 0; b < plan->body_count; b++) {
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        const int axes = rct_hinge_uses(body->hinge, RCT_KEY_ORIENTATION) == 0;
        for (int k = 0; axes && k < rct_hinge_uses(body->hinge, RCT_KEY_STIFFNESS); k++) {
            laws->stiffness[r + k] = body->stiffness[k];
            laws->damping[r + k] = body->damping[k];
        }
        r += rct_hinge_freedoms(body->hinge);
    }
    for (int32_t i = 0; i < rct_model_force_count(plan->surroundings); i++) {
        const rct_force *f = &plan->surroundings->forces[i];
        const int32_t link = rct_force_is_at_hinge(f) ? plan->link_of[f->body] : RCT_GROUND;
        if (link != RCT_GROUND && plan->links.kind[link] != RCT_HINGE_BALL) {
            const int64_t rate = rct_plan_rates_at(plan, link) + f->coordinate;
            const int64_t at = rct_plan_coordinates_at(plan, link) + f->coordinate;
            const rct_force_effort e = rct_force_exert(f, s->time, q[at], u[rate]);
            laws->stiffness[rate] -= e.by_coordinate;
            laws->damping[rate] -= e.by_rate;
        }
    }
}

/* ---- on bodies ------------------------------------------------------------------------------ */

static void add_wrench(const rct_solver *s, const rct_force *f, rct_operator_laws *laws)
{
    rct_body_pose pose = rct_solver_body_pose(s, f->body);
    rct_operator_pair p = {.body = f->body, .other = RCT_GROUND};
    rct_rotate(pose.rotation, f->at, p.arm[0]);
    memcpy(p.force, f->force, sizeof p.force);
    memcpy(p.moment, f->moment, sizeof p.moment);
    if (f->in_body_axes) {
        rct_rotate(pose.rotation, f->force, p.force);
        rct_rotate(pose.rotation, f->moment, p.moment);
        add_crossing(-1.0, p.force, p.turn);
        add_crossing(-1.0, p.moment, p.twist);
    }
    laws->pair[laws->pairs++] = p;
}

/* Place and velocity of an end of a spring, from its arm. */
static void end_of(const rct_solver *s, int32_t body, const double at[3], double arm[3],
                   double place[3], double velocity[3])
{
    memcpy(place, at, 3 * sizeof *place);
    memset(velocity, 0, 3 * sizeof *velocity);
    if (body != RCT_GROUND) {
        rct_body_pose pose = rct_solver_body_pose(s, body);
        rct_rotate(pose.rotation, at, arm);
        rct_cross(pose.rate, arm, velocity);
        for (int i = 0; i < 3; i++) {
            place[i] = pose.position[i] + arm[i];
            velocity[i] += pose.velocity[i];
        }
    }
}

int rct_slope_of_pull(const rct_force *f, double distance, const double n[3], const double rate[3],
                      rct_operator_pair *p)
{
    const double slip = rct_dot(n, rate), pull = rct_force_pull(f, distance, slip);
    double across[3];
    if (distance == 0.0 && f->length == 0.0) {
        add_identity(f->stiffness, p->hold);
        return 1;
    }
    if (f->type == RCT_FORCE_CABLE && !(pull > 0.0)) {
        return 1;
    }
    if (distance == 0.0) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        across[i] = (rate[i] - slip * n[i]) / distance;
        p->force[i] = pull * n[i];
    }
    add_outer(f->stiffness - pull / distance, n, n, p->hold);
    add_identity(pull / distance, p->hold);
    add_outer(f->damping, n, across, p->hold);
    add_outer(f->damping, n, n, p->damp);
    return 1;
}

static rct_status add_spring(const rct_solver *s, int32_t i, rct_operator_laws *laws,
                             rct_error *error)
{
    const rct_force *f = &s->plan->surroundings->forces[i];
    const int back = f->body == RCT_GROUND; /* a pair begins with a body */
    rct_operator_pair p = {.body = back ? f->other : f->body, .other = back ? f->body : f->other};
    double place[2][3], velocity[2][3], n[3], rate[3];
    end_of(s, p.body, back ? f->other_at : f->at, p.arm[0], place[0], velocity[0]);
    end_of(s, p.other, back ? f->at : f->other_at, p.arm[1], place[1], velocity[1]);
    for (int k = 0; k < 3; k++) {
        n[k] = place[1][k] - place[0][k];
        rate[k] = velocity[1][k] - velocity[0][k];
    }
    const double distance = hypot(hypot(n[0], n[1]), n[2]);
    const int damped = f->length == 0.0 && f->damping != 0.0;
    for (int k = 0; k < 3 && distance > 0.0; k++) {
        n[k] /= distance;
    }
    if (!rct_slope_of_pull(f, distance, n, rate, &p) || (distance == 0.0 && damped)) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "force %" PRId32 ": the ends of this spring meet, so that its direction "
                        "has no derivative; choose another state",
                        i);
    }
    laws->pair[laws->pairs++] = p;
    return RCT_OK;
}

/* The force of a fluid that flows by at v on a piece of a rod along n, and its derivative with
 * v. */
static void drag_of(const rct_force *f, double length, const double n[3], const double v[3],
                    rct_operator_pair *p)
{
    const double slip = rct_dot(n, v), half = 0.5 * f->density * f->diameter * length;
    const double along = half * acos(-1.0) * f->tangential * fabs(slip);
    double across[3];
    for (int i = 0; i < 3; i++) {
        across[i] = v[i] - slip * n[i];
    }
    const double speed = sqrt(rct_dot(across, across)), normal = half * f->normal * speed;
    rct_drag_at(f, n, v, p->force);
    for (int i = 0; i < 3; i++) {
        p->force[i] *= length;
    }
    add_identity(normal, p->damp);
    add_outer(2.0 * along - normal, n, n, p->damp);
    if (speed > 0.0) {
        add_outer(normal / (speed * speed), across, across, p->damp);
    }
    add_crossing(-1.0, p->force, p->turn);
    add_product_crossing(1.0, p->damp, v, p->turn);
}

/* The parts of drag, and buoyancy in the middle. */
static void add_drag(const rct_solver *s, const rct_force *f, rct_operator_laws *laws)
{
    const double *gravity = rct_plan_gravity(s->plan, f->body);
    rct_body_pose pose = rct_solver_body_pose(s, f->body);
    rct_operator_pair middle = {.body = f->body, .other = RCT_GROUND};
    double begin[3], end[3], way[3], n[3], past[3];
    rct_rotate(pose.rotation, f->at, begin);
    rct_rotate(pose.rotation, f->end, end);
    for (int i = 0; i < 3; i++) {
        way[i] = end[i] - begin[i];
        middle.arm[0][i] = begin[i] + 0.5 * way[i];
    }
    const double length = sqrt(rct_dot(way, way));
    for (int i = 0; i < 3; i++) {
        n[i] = way[i] / length;
    }
    rct_drag_buoyancy(f, length, gravity, middle.force);
    laws->pair[laws->pairs++] = middle;
    for (int k = 0; k < RCT_DRAG_POINTS; k++) {
        rct_operator_pair p = {.body = f->body, .other = RCT_GROUND};
        for (int i = 0; i < 3; i++) {
            p.arm[0][i] = begin[i] + rct_drag_nodes[k] * way[i];
        }
        rct_cross(pose.rate, p.arm[0], past);
        for (int i = 0; i < 3; i++) {
            past[i] = f->current[i] - pose.velocity[i] - past[i];
        }
        drag_of(f, rct_drag_weights[k] * length, n, past, &p);
        laws->pair[laws->pairs++] = p;
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Whether a ball hinge passes anything by itself. */
static int pulls(const rct_solver *s, int32_t body)
{
    const rct_body *own = rct_bodies_at(s->plan->bodies, body);
    int32_t rubbing;
    forces_at(s->plan, body, &rubbing);
    return own->hinge == RCT_HINGE_BALL &&
           (s->pushes_hinges || rubbing > 0 || !rct_all_zero(own->stiffness, 3) ||
            !rct_all_zero(own->damping, 3));
}

static int64_t count_pairs(const rct_solver *s)
{
    const rct_model *model = s->plan->surroundings;
    int64_t count = 0;
    for (int32_t b = 0; b < s->plan->body_count; b++) {
        count += pulls(s, b);
    }
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        const rct_force *f = &model->forces[i];
        count += f->type == RCT_FORCE_DRAG ? 1 + RCT_DRAG_POINTS : !rct_force_is_at_hinge(f);
    }
    return count;
}

rct_status rct_slopes_find(const rct_solver *solver, const double *coordinates, const double *rates,
                           rct_pool *pool, rct_operator_laws *laws, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    const rct_model *model = plan->surroundings;
    rct_status status = RCT_OK;
    laws->pairs = 0;
    laws->stiffness = rct_pool_take(pool, plan->freedoms, sizeof(double), error);
    laws->damping = rct_pool_take(pool, plan->freedoms, sizeof(double), error);
    laws->pair = rct_pool_take(pool, count_pairs(solver), sizeof *laws->pair, error);
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    rct_solver_read_poses(solver);
    find_at_hinges(solver, coordinates, rates, laws);
    for (int32_t b = 0; b < plan->body_count; b++) {
        if (pulls(solver, b)) {
            laws->pair[laws->pairs++] = ball_of(solver, b);
        }
    }
    for (int32_t i = 0; i < rct_model_force_count(model) && status == RCT_OK; i++) {
        const rct_force *f = &model->forces[i];
        if (rct_force_is_between_points(f)) {
            status = add_spring(solver, i, laws, error);
        } else if (f->type == RCT_FORCE_DRAG) {
            add_drag(solver, f, laws);
        } else if (f->type == RCT_FORCE_WRENCH) {
            add_wrench(solver, f, laws);
        }
    }
    return status;
}
