/* Forces on bodies and at hinges: wrenches, springs, cables, drag and hinge forces of the model,
 * and the forces of the user. */
#include "core/rotation.h"
#include "dynamics/soft_springs.h"
#include "model/forces/drag_rule.h"
#include "model/forces/effort.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Add a force at a point and a moment, inertial axes, to the forces on a body about its hinge
 * point. */
static void add(double *external, int32_t body, const double arm[3], const double force[3],
                const double moment[3])
{
    double turning[3];
    double *to = external + 6 * (int64_t)body;
    rct_cross(arm, force, turning);
    for (int i = 0; i < 3; i++) {
        to[i] += force[i];
        to[3 + i] += turning[i] + moment[i];
    }
}

static void add_wrench(const rct_solver *s, const rct_force *f, double factor, double *external)
{
    rct_body_pose pose = rct_solver_body_pose(s, f->body);
    double arm[3], force[3], moment[3];
    rct_rotate(pose.rotation, f->at, arm);
    memcpy(force, f->force, sizeof force);
    memcpy(moment, f->moment, sizeof moment);
    if (f->in_body_axes) {
        rct_rotate(pose.rotation, f->force, force);
        rct_rotate(pose.rotation, f->moment, moment);
    }
    for (int i = 0; i < 3; i++) {
        force[i] *= factor;
        moment[i] *= factor;
    }
    add(external, f->body, arm, force, moment);
}

void rct_solver_add_wrenches(const rct_solver *s, double factor, double *external)
{
    const rct_model *model = s->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        if (model->forces[i].type == RCT_FORCE_WRENCH) {
            add_wrench(s, &model->forces[i], factor, external);
        }
    }
}

/* One end of a spring: its arm from the hinge point of the body, its point and velocity. */
typedef struct spring_end {
    double arm[3], point[3], velocity[3];
} spring_end;

static spring_end end_of(const rct_solver *s, int32_t body, const double at[3])
{
    spring_end end = {{0.0, 0.0, 0.0}, {at[0], at[1], at[2]}, {0.0, 0.0, 0.0}};
    if (body != RCT_GROUND) {
        rct_body_pose pose = rct_solver_body_pose(s, body);
        rct_rotate(pose.rotation, at, end.arm);
        rct_cross(pose.rate, end.arm, end.velocity);
        for (int i = 0; i < 3; i++) {
            end.point[i] = pose.position[i] + end.arm[i];
            end.velocity[i] += pose.velocity[i];
        }
    }
    return end;
}

/* The distance of the ends, and the unit vector from the first to the second; 0 if the ends
 * meet. */
static double distance_of(const spring_end *a, const spring_end *b, double along[3])
{
    for (int i = 0; i < 3; i++) {
        along[i] = b->point[i] - a->point[i];
    }
    const double distance = hypot(hypot(along[0], along[1]), along[2]);
    for (int i = 0; i < 3 && distance > 0.0; i++) {
        along[i] /= distance;
    }
    return distance;
}

rct_stretch rct_solver_stretch(const rct_solver *s, const rct_force *f)
{
    const spring_end a = end_of(s, f->body, f->at), b = end_of(s, f->other, f->other_at);
    rct_stretch stretch = {.rate = 0.0};
    memcpy(stretch.arm[0], a.arm, sizeof a.arm);
    memcpy(stretch.arm[1], b.arm, sizeof b.arm);
    stretch.distance = distance_of(&a, &b, stretch.along);
    for (int i = 0; i < 3 && stretch.distance > 0.0; i++) {
        stretch.rate += stretch.along[i] * (b.velocity[i] - a.velocity[i]);
    }
    return stretch;
}

static void add_spring(const rct_solver *s, const rct_force *f, double *external)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const rct_stretch stretch = rct_solver_stretch(s, f);
    double on_a[3], on_b[3];
    if (!(stretch.distance > 0.0)) {
        return;
    }
    const double pull = rct_force_pull(f, stretch.distance, stretch.rate);
    for (int i = 0; i < 3; i++) {
        on_a[i] = pull * stretch.along[i];
        on_b[i] = -on_a[i];
    }
    if (f->body != RCT_GROUND) {
        add(external, f->body, stretch.arm[0], on_a, none);
    }
    if (f->other != RCT_GROUND) {
        add(external, f->other, stretch.arm[1], on_b, none);
    }
}

static void add_drag(const rct_solver *s, const rct_force *f, double *external)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double *gravity = rct_plan_gravity(s->plan, f->body);
    rct_body_pose pose = rct_solver_body_pose(s, f->body);
    double begin[3], end[3], way[3], along[3], arm[3], past[3], force[3];
    rct_rotate(pose.rotation, f->at, begin);
    rct_rotate(pose.rotation, f->end, end);
    for (int i = 0; i < 3; i++) {
        way[i] = end[i] - begin[i];
    }
    const double length = sqrt(rct_dot(way, way));
    for (int i = 0; i < 3; i++) {
        along[i] = way[i] / length;
        arm[i] = begin[i] + 0.5 * way[i];
    }
    rct_drag_buoyancy(f, length, gravity, force);
    add(external, f->body, arm, force, none);
    for (int k = 0; k < RCT_DRAG_POINTS; k++) {
        for (int i = 0; i < 3; i++) {
            arm[i] = begin[i] + rct_drag_nodes[k] * way[i];
        }
        rct_cross(pose.rate, arm, past);
        for (int i = 0; i < 3; i++) {
            past[i] = f->current[i] - pose.velocity[i] - past[i];
        }
        rct_drag_at(f, along, past, force);
        for (int i = 0; i < 3; i++) {
            force[i] *= rct_drag_weights[k] * length;
        }
        add(external, f->body, arm, force, none);
    }
}

static void add_others(const rct_solver *s, double *external)
{
    const rct_model *model = s->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (rct_force_is_between_points(f)) {
            add_spring(s, f, external);
        } else if (f->type == RCT_FORCE_DRAG) {
            add_drag(s, f, external);
        }
    }
}

void rct_solver_add_spring_energy(const rct_solver *s, int32_t systems, double *energy)
{
    const rct_model *model = s->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (rct_force_is_between_points(f)) {
            const spring_end a = end_of(s, f->body, f->at), b = end_of(s, f->other, f->other_at);
            double along[3];
            energy[i % systems] += rct_force_stretch_energy(f, distance_of(&a, &b, along));
        }
    }
}

/* ---- at hinges ---------------------------------------------------------------------------- */

/* The angular velocity of a link relative to its parent, inertial axes. */
static void find_slip(const rct_solver *s, int32_t link, double rate[3])
{
    const int32_t parent = s->plan->links.parent[link];
    const rct_pose_of_link *own = rct_pose_at(s->poses, link);
    const rct_pose_of_link *up = parent == RCT_GROUND ? &s->ground : rct_pose_at(s->poses, parent);
    double m[3][3], carried[3];
    memcpy(m, own->rotation, sizeof m);
    rct_rotate(m, own->rate, rate);
    memcpy(m, up->rotation, sizeof m);
    rct_rotate(m, up->rate, carried);
    for (int i = 0; i < 3; i++) {
        rate[i] -= carried[i];
    }
}

void rct_solver_add_rubbing(const rct_solver *s, const rct_force *f, int32_t link, double moment[3])
{
    double rate[3];
    find_slip(s, link, rate);
    const double across = rct_force_rub(f, rate).across;
    for (int i = 0; i < 3; i++) {
        moment[i] -= across * rate[i];
    }
}

/* Threads share the links; sums are per link, so they do not depend on the threads. */
typedef struct exerting {
    const rct_solver *s;
    double time;
} exerting;

static void exert_range(void *context, int64_t first, int64_t end)
{
    const exerting *x = context;
    const rct_solver *s = x->s;
    const rct_plan *plan = s->plan;
    for (int64_t k = first; k < end; k++) {
        const int32_t link = s->acting.exerted[k];
        const double *q = s->state + rct_link_state(&plan->links, link);
        const double *u = q + rct_hinge_coordinates((rct_hinge_type)plan->links.kind[link]);
        double *effort = s->loads + (int64_t)link * LOAD_FIELDS + LOAD_EFFORT;
        for (int32_t i = plan->effort_begin[link]; i < plan->effort_begin[link + 1]; i++) {
            const rct_force *f = &plan->surroundings->forces[plan->effort[i]];
            const int32_t c = f->coordinate;
            if (plan->links.kind[link] == RCT_HINGE_BALL) {
                rct_solver_add_rubbing(s, f, link, effort);
            } else {
                effort[c] += rct_force_exert(f, x->time, q[c], u[c]).effort;
            }
        }
    }
}

void rct_solver_add_efforts(const rct_solver *s, double time)
{
    exerting x = {s, time};
    if (s->acting.exerted_count > 0) {
        s->backend->read_links(s->run, s->acting.exerted, s->acting.exerted_count, s->state);
        rct_solver_share(s, s->acting.exerted_count, exert_range, &x);
    }
}

void rct_solver_add_effort_energy(const rct_solver *s, int32_t systems, double *energy)
{
    const rct_plan *plan = s->plan;
    for (int32_t k = 0; k < s->acting.exerted_count; k++) {
        const int32_t link = s->acting.exerted[k];
        const double *q = s->state + rct_link_state(&plan->links, link);
        for (int32_t i = plan->effort_begin[link]; i < plan->effort_begin[link + 1]; i++) {
            const rct_force *f = &plan->surroundings->forces[plan->effort[i]];
            energy[plan->effort[i] % systems] += rct_force_energy(f, q[f->coordinate]);
        }
    }
}

/* Takes the slope across the rate for all axes; along the rate friction resists less. */
static void add_rubbing_slopes(const rct_solver *s, const rct_force *f, int32_t link,
                               double damping[3])
{
    double rate[3];
    find_slip(s, link, rate);
    const rct_rubbing rub = rct_force_rub(f, rate);
    for (int i = 0; i < 3; i++) {
        damping[i] += rub.across;
    }
}

void rct_solver_add_slopes(const rct_solver *s, double time, const double *coordinates,
                           const double *rates, double *stiffness, double *damping)
{
    const rct_plan *plan = s->plan;
    for (int32_t k = 0; k < s->acting.exerted_count; k++) {
        const int32_t link = s->acting.exerted[k];
        const int64_t q = rct_plan_coordinates_at(plan, link), r = rct_plan_rates_at(plan, link);
        for (int32_t i = plan->effort_begin[link]; i < plan->effort_begin[link + 1]; i++) {
            const rct_force *f = &plan->surroundings->forces[plan->effort[i]];
            const int32_t c = f->coordinate;
            if (plan->links.kind[link] == RCT_HINGE_BALL) {
                add_rubbing_slopes(s, f, link, damping + r);
                continue;
            }
            const rct_force_effort e = rct_force_exert(f, time, coordinates[q + c], rates[r + c]);
            stiffness[r + c] += fmax(0.0, -e.by_coordinate);
            damping[r + c] += fmax(0.0, -e.by_rate);
        }
    }
}

void rct_solver_expect_delta(const rct_solver *s)
{
    if (s->plan->yields && s->acting.exerted_count > 0) {
        s->backend->set_delta(s->run, 0.0, s->acting.exerted, s->acting.exerted_count,
                              s->acting.rotors);
    }
}

void rct_solver_set_delta(const rct_solver *s, double delta, const double *stiffness,
                          const double *damping)
{
    for (int32_t k = 0; k < s->acting.exerted_count; k++) {
        const int32_t link = s->acting.exerted[k];
        const rct_body *head = rct_bodies_at(s->plan->bodies, s->plan->places.head[link]);
        const int64_t r = rct_plan_rates_at(s->plan, link);
        /* less springs and dampers, which are constants of the rows */
        for (int i = 0; i < rct_hinge_freedoms(head->hinge); i++) {
            s->acting.rotors[3 * (int64_t)k + i] =
                delta * (damping[r + i] - head->damping[i] +
                         delta * (stiffness[r + i] - head->stiffness[i]));
        }
    }
    s->backend->set_delta(s->run, delta, s->acting.exerted, s->acting.exerted_count,
                          s->acting.rotors);
    for (int64_t r = 0; r < s->plan->freedoms && s->rotors != NULL; r++) {
        s->rotors[r] = delta * (damping[r] + delta * stiffness[r]);
    }
}

/* ---- of the user -------------------------------------------------------------------------- */

static void add_of_user(const rct_solver *s, double time, double *external)
{
    const int64_t n = s->named_count;
    double *orientation = s->rows, *rate = orientation + 4 * n;
    double *position = rate + 3 * n, *velocity = position + 3 * n;
    double *force = velocity + 3 * n, *moment = force + 3 * n;
    rct_solver_show_bodies(s, s->named, s->named_count, s->rows);
    memset(force, 0, (size_t)n * 6 * sizeof *force);
    s->function(s->context, time, (int32_t)n, orientation, rate, position, velocity, force, moment);
    for (int64_t k = 0; k < n; k++) {
        memcpy(external + 6 * (int64_t)s->named[k], force + 3 * k, 3 * sizeof *external);
        memcpy(external + 6 * (int64_t)s->named[k] + 3, moment + 3 * k, 3 * sizeof *external);
    }
}

void rct_solver_push(const rct_solver *s, double time, double *external)
{
    if (s->function != NULL) {
        add_of_user(s, time, external);
    }
    add_others(s, external);
}
