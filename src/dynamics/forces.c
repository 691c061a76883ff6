/* Forces on the bodies: wrenches and springs of the model, and those of the user. */
#include "core/rotation.h"
#include "dynamics/solver.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Add a force at a point and a moment, inertial axes, to what acts on a body about its hinge point. */
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
    const int32_t count = rct_model_force_count(s->plan->surroundings);
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(s->plan->surroundings, i, &f, NULL);
        if (f.type == RCT_FORCE_WRENCH) {
            add_wrench(s, &f, factor, external);
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

/* The distance of the ends, and the unit vector from the first to the second; 0 where there is none. */
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

static void add_spring(const rct_solver *s, const rct_force *f, double *external)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const spring_end a = end_of(s, f->body, f->at), b = end_of(s, f->other, f->other_at);
    double along[3], on_a[3], on_b[3], rate = 0.0;
    const double distance = distance_of(&a, &b, along);
    if (!(distance > 0.0)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        rate += along[i] * (b.velocity[i] - a.velocity[i]);
    }
    const double pull = f->stiffness * (distance - f->length) + f->damping * rate;
    for (int i = 0; i < 3; i++) {
        on_a[i] = pull * along[i];
        on_b[i] = -on_a[i];
    }
    if (f->body != RCT_GROUND) {
        add(external, f->body, a.arm, on_a, none);
    }
    if (f->other != RCT_GROUND) {
        add(external, f->other, b.arm, on_b, none);
    }
}

static void add_springs(const rct_solver *s, double *external)
{
    const int32_t count = rct_model_force_count(s->plan->surroundings);
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(s->plan->surroundings, i, &f, NULL);
        if (f.type == RCT_FORCE_SPRING) {
            add_spring(s, &f, external);
        }
    }
}

void rct_solver_add_spring_energy(const rct_solver *s, int32_t systems, double *energy)
{
    const int32_t count = rct_model_force_count(s->plan->surroundings);
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(s->plan->surroundings, i, &f, NULL);
        if (f.type == RCT_FORCE_SPRING) {
            const spring_end a = end_of(s, f.body, f.at), b = end_of(s, f.other, f.other_at);
            double along[3];
            const double stretch = distance_of(&a, &b, along) - f.length;
            energy[i % systems] += 0.5 * f.stiffness * stretch * stretch;
        }
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
    add_springs(s, external);
}
