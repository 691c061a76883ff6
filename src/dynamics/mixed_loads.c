/* What acts on the links of a mixed plan besides gravity: springs, dampers and applied forces at hinges, the forces of
 * the model, and those of the user. */
#include "core/rotation.h"
#include "dynamics/mixed.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static int is_loaded(const rct_body *body)
{
    int loaded = 0;
    for (int i = 0; i < 3; i++) {
        loaded = loaded || body->stiffness[i] != 0.0 || body->damping[i] != 0.0 ||
                 body->applied[i] != 0.0;
    }
    return loaded;
}

int rct_mixed_has_loads(const rct_plan *plan, const rct_solver_options *options)
{
    int loads = options->user_forces || rct_model_force_count(plan->surroundings) > 0;
    for (int32_t b = 0; b < plan->body_count && !loads; b++) {
        loads = is_loaded(&plan->bodies[b]);
    }
    return loads;
}

/* ---- hinges ------------------------------------------------------------------------------- */

/* -damping (w - w of the parent), link axes. */
static void damp_ball(const rct_mixed *x, int32_t link, double damping, double hinge[3])
{
    const int32_t up = x->plan->parent[link];
    const rct_pose_of_link *own = &x->poses[link];
    const rct_pose_of_link *parent = up >= 0 ? &x->poses[up] : &x->ground;
    double m[3][3], mp[3][3], out[3], in[3];
    memcpy(m, own->rotation, sizeof m);
    memcpy(mp, parent->rotation, sizeof mp);
    rct_rotate(mp, parent->rate, out);
    rct_rotate_back(m, out, in);
    for (int i = 0; i < 3; i++) {
        hinge[i] = -damping * (own->rate[i] - in[i]);
    }
}

/* applied - stiffness (q - rest) - damping u, as LOAD_HINGE has it. */
static void load_hinge(const rct_mixed *x, int32_t link, double hinge[3])
{
    const rct_body *body = &x->plan->bodies[x->plan->head[link]];
    const int n = rct_hinge_freedoms(body->hinge);
    const double *q = x->state + x->plan->state_at[link];
    const double *u = q + rct_hinge_coordinates(body->hinge);
    memset(hinge, 0, 3 * sizeof *hinge);
    if (body->hinge == RCT_HINGE_FREE || !is_loaded(body)) {
        return;
    }
    if (body->hinge == RCT_HINGE_BALL) {
        damp_ball(x, link, body->damping[0], hinge);
        return;
    }
    for (int i = 0; i < n; i++) {
        hinge[i] = body->applied[i] - body->stiffness[i] * (q[i] - body->rest[i]) -
                   body->damping[i] * u[i];
    }
    if (body->hinge == RCT_HINGE_PLANAR) { /* x, y from the hinge frame to link axes */
        const double c = x->poses[link].turn[0], s = x->poses[link].turn[1];
        const double along = hinge[0], across = hinge[1];
        hinge[0] = c * along + s * across;
        hinge[1] = c * across - s * along;
    }
}

/* ---- forces ------------------------------------------------------------------------------- */

/* Add a force at a point and a moment, inertial axes, to what acts on a body about its hinge point. */
static void add(rct_mixed *x, int32_t body, const double arm[3], const double force[3],
                const double moment[3])
{
    double turning[3];
    double *to = x->external + 6 * (int64_t)body;
    rct_cross(arm, force, turning);
    for (int i = 0; i < 3; i++) {
        to[i] += force[i];
        to[3 + i] += turning[i] + moment[i];
    }
}

static void add_wrench(rct_mixed *x, const rct_force *f)
{
    rct_body_pose pose = rct_mixed_body(x, f->body);
    double arm[3], force[3], moment[3];
    rct_rotate(pose.rotation, f->at, arm);
    memcpy(force, f->force, sizeof force);
    memcpy(moment, f->moment, sizeof moment);
    if (f->in_body_axes) {
        rct_rotate(pose.rotation, f->force, force);
        rct_rotate(pose.rotation, f->moment, moment);
    }
    add(x, f->body, arm, force, moment);
}

/* One end of a spring: its arm from the hinge point of the body, its point and velocity. */
typedef struct spring_end {
    double arm[3], point[3], velocity[3];
} spring_end;

static spring_end end_of(const rct_mixed *x, int32_t body, const double at[3])
{
    spring_end end = {{0.0, 0.0, 0.0}, {at[0], at[1], at[2]}, {0.0, 0.0, 0.0}};
    if (body != RCT_GROUND) {
        rct_body_pose pose = rct_mixed_body(x, body);
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

static void add_spring(rct_mixed *x, const rct_force *f)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const spring_end a = end_of(x, f->body, f->at), b = end_of(x, f->other, f->other_at);
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
        add(x, f->body, a.arm, on_a, none);
    }
    if (f->other != RCT_GROUND) {
        add(x, f->other, b.arm, on_b, none);
    }
}

static void add_forces(rct_mixed *x)
{
    const int32_t count = rct_model_force_count(x->plan->surroundings);
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(x->plan->surroundings, i, &f, NULL);
        if (f.type == RCT_FORCE_SPRING) {
            add_spring(x, &f);
        } else {
            add_wrench(x, &f);
        }
    }
}

/* ---- of the user -------------------------------------------------------------------------- */

static void add_of_user(rct_mixed *x, double time)
{
    const int64_t n = x->plan->body_count;
    double *orientation = x->rows, *rate = orientation + 4 * n;
    double *position = rate + 3 * n, *velocity = position + 3 * n;
    for (int64_t b = 0; b < n; b++) {
        const rct_body_pose pose = rct_mixed_body(x, b);
        rct_mixed_orientation(x, b, orientation + 4 * b);
        memcpy(rate + 3 * b, pose.rate, sizeof pose.rate);
        memcpy(position + 3 * b, pose.position, sizeof pose.position);
        memcpy(velocity + 3 * b, pose.velocity, sizeof pose.velocity);
    }
    /* forces and moments as two arrays, [n][3] each, before they are paired */
    x->function(x->context, time, (int32_t)n, orientation, rate, position, velocity, x->external,
                x->external + 3 * n);
    memcpy(x->rows, x->external, (size_t)n * 6 * sizeof(double));
    for (int64_t b = 0; b < n; b++) {
        memcpy(x->external + 6 * b, x->rows + 3 * b, 3 * sizeof(double));
        memcpy(x->external + 6 * b + 3, x->rows + 3 * (n + b), 3 * sizeof(double));
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Add what acts on a body to the load of its link, about the link's origin, link axes. */
static void add_to_link(const rct_mixed *x, int64_t body)
{
    const rct_placement *at = &x->plan->placement[body];
    const double *wrench = x->external + 6 * body;
    double m[3][3], force[3], moment[3], turning[3];
    if (at->link == RCT_GROUND) {
        return;
    }
    double *load = x->loads + (int64_t)at->link * LOAD_FIELDS;
    memcpy(m, x->poses[at->link].rotation, sizeof m);
    rct_rotate_back(m, wrench, force);
    rct_rotate_back(m, wrench + 3, moment);
    rct_cross(at->position, force, turning);
    for (int i = 0; i < 3; i++) {
        load[LOAD_FORCE + i] += force[i];
        load[LOAD_MOMENT + i] += moment[i] + turning[i];
    }
}

void rct_mixed_write_loads(rct_mixed *x, double time)
{
    if (x->loads == NULL) {
        return;
    }
    rct_mixed_read(x);
    memset(x->external, 0, (size_t)x->plan->body_count * 6 * sizeof(double));
    if (x->function != NULL) {
        add_of_user(x, time);
    }
    add_forces(x);
    for (int32_t l = 0; l < x->plan->links.count; l++) {
        double *load = x->loads + (int64_t)l * LOAD_FIELDS;
        memset(load, 0, LOAD_FIELDS * sizeof *load);
        load_hinge(x, l, load + LOAD_HINGE);
    }
    for (int64_t b = 0; b < x->plan->body_count; b++) {
        add_to_link(x, b);
    }
    x->backend->write_loads(x->run, x->loads);
}

double rct_mixed_spring_energy(const rct_mixed *x)
{
    const int32_t count = rct_model_force_count(x->plan->surroundings);
    double energy = 0.0;
    for (int32_t l = 0; l < x->plan->links.count; l++) {
        const rct_body *body = &x->plan->bodies[x->plan->head[l]];
        const double *q = x->state + x->plan->state_at[l];
        for (int i = 0; i < rct_hinge_freedoms(body->hinge) && i < 3; i++) {
            const double stretch = q[i] - body->rest[i];
            energy += 0.5 * body->stiffness[i] * stretch * stretch; /* none at absolute hinges */
        }
    }
    for (int32_t i = 0; i < count; i++) {
        rct_force f;
        rct_model_force(x->plan->surroundings, i, &f, NULL);
        if (f.type == RCT_FORCE_SPRING) {
            const spring_end a = end_of(x, f.body, f.at), b = end_of(x, f.other, f.other_at);
            double along[3];
            const double stretch = distance_of(&a, &b, along) - f.length;
            energy += 0.5 * f.stiffness * stretch * stretch;
        }
    }
    return energy;
}
