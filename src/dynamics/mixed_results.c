/* Results in body order and inertial axes; hinge forces from the sweeps where they have them, else from the
 * Newton-Euler equations of the bodies, tips to roots; energies and momenta. */
#include "core/rotation.h"
#include "dynamics/measures.h"
#include "dynamics/mixed.h"
#include "dynamics/rigid.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How a link stands and turns, in its own axes: by its state where that is absolute, else by the poses read last. */
static const double *turn_of(const rct_mixed *x, int64_t link, double m[3][3])
{
    const int32_t kind = link == RCT_GROUND ? RCT_HINGE_FIXED : x->plan->links.kind[link];
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
        const double *state = x->state + x->plan->links.state_at[link];
        double rows[9];
        rct_mixed_turn(state, rows);
        memcpy(m, rows, sizeof rows);
        return state + rct_hinge_coordinates((rct_hinge_type)kind);
    }
    const rct_pose_of_link *pose = link == RCT_GROUND ? &x->ground : &x->poses[link];
    memcpy(m, pose->rotation, sizeof pose->rotation);
    return pose->rate;
}

/* All that turn_of needs. */
static void read_turns(rct_mixed *x)
{
    if (x->plan->links.fields == LINK_FIELDS) {
        x->backend->read_state(x->run, x->state);
    } else {
        rct_mixed_read(x);
    }
}

/* Accelerations of links, true ones in inertial axes, at the turns read last. */
static void read_accelerations(rct_mixed *x)
{
    x->backend->read_accelerations(x->run, x->accelerations);
    for (int64_t l = 0; l < x->plan->links.count; l++) {
        const double *gravity = rct_plan_gravity(x->plan, x->plan->head[l]);
        double *row = x->accelerations + 6 * l;
        double m[3][3], a[3], alpha[3];
        turn_of(x, l, m);
        rct_rotate(m, row, a);
        rct_rotate(m, row + 3, alpha);
        for (int i = 0; i < 3; i++) {
            row[i] = a[i] + gravity[i];
            row[3 + i] = alpha[i];
        }
    }
}

static void body_acceleration(const rct_mixed *x, int64_t b, double linear[3], double angular[3])
{
    const rct_placement *at = &x->plan->placement[b];
    const int ground = at->link == RCT_GROUND;
    const double *a = ground ? x->base.acceleration : x->accelerations + 6 * (int64_t)at->link;
    const double *alpha = ground ? x->base.angular_acceleration : a + 3;
    memcpy(angular, alpha, 3 * sizeof *angular);
    memcpy(linear, a, 3 * sizeof *linear);
    if (at->welded) {
        double m[3][3], arm[3], rate[3];
        rct_rotate(m, turn_of(x, at->link, m), rate);
        rct_rotate(m, at->position, arm);
        rct_carry(a, alpha, rate, arm, linear);
    }
}

void rct_mixed_read_motion(rct_mixed *x)
{
    rct_mixed_read(x);
    read_accelerations(x);
}

void rct_mixed_get_accelerations(rct_mixed *x, double *linear, double *angular)
{
    read_turns(x);
    rct_mixed_show_accelerations(x, linear, angular);
}

void rct_mixed_show_accelerations(rct_mixed *x, double *linear, double *angular)
{
    read_accelerations(x);
    for (int64_t b = 0; b < x->plan->body_count; b++) {
        double a[3], alpha[3];
        body_acceleration(x, b, a, alpha);
        if (linear != NULL) {
            memcpy(linear + 3 * b, a, sizeof a);
        }
        if (angular != NULL) {
            memcpy(angular + 3 * b, alpha, sizeof alpha);
        }
    }
}

void rct_mixed_get_rate_derivatives(rct_mixed *x, double *derivatives)
{
    x->backend->read_state(x->run, x->state);
    rct_mixed_show_rate_derivatives(x, derivatives);
}

void rct_mixed_show_rate_derivatives(rct_mixed *x, double *derivatives)
{
    const rct_plan *plan = x->plan;
    x->backend->read_rates(x->run, x->rates);
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type kind = rct_plan_hinge(plan, b);
        const int32_t nu = rct_hinge_freedoms(kind), link = plan->placement[b].link;
        if (kind == RCT_HINGE_FIXED) {
            continue;
        }
        const double *from = x->rates + plan->rate_at[link];
        memcpy(derivatives, from, (size_t)nu * sizeof *from);
        if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
            double m[3][3];
            rct_rotation(x->state + plan->links.state_at[link], m);
            rct_rotate(m, from, derivatives);
        }
        derivatives += nu;
    }
}

/* A ball hinge, and all that turn about a point, have the hinge point in common with the parent. */
static int slides(rct_hinge_type type)
{
    return type == RCT_HINGE_PRISMATIC || type == RCT_HINGE_CYLINDRICAL ||
           type == RCT_HINGE_PLANAR || type == RCT_HINGE_HELICAL;
}

/* Acceleration of a point of a body, or of the ground, at `point` in inertial axes. */
static void point_acceleration(const rct_mixed *x, int32_t body, const double point[3],
                               double linear[3], double angular[3])
{
    double m[3][3], rate[3], arm[3], a[3];
    const rct_pose_of_link *ground = &x->ground;
    rct_body_pose pose;
    if (body == RCT_GROUND) {
        memcpy(m, ground->rotation, sizeof m);
        rct_rotate(m, ground->rate, rate);
        memcpy(pose.position, ground->position, sizeof pose.position);
        memcpy(a, x->base.acceleration, sizeof a);
        memcpy(angular, x->base.angular_acceleration, 3 * sizeof *angular);
    } else {
        pose = rct_mixed_body(x, body);
        memcpy(rate, pose.rate, sizeof rate);
        body_acceleration(x, body, a, angular);
    }
    for (int i = 0; i < 3; i++) {
        arm[i] = point[i] - pose.position[i];
    }
    rct_carry(a, angular, rate, arm, linear);
}

void rct_mixed_sides(const rct_mixed *x, int64_t body, double own[6], double parent[6])
{
    const rct_hinge_type type = x->plan->bodies[body].hinge;
    const rct_body_pose pose = rct_mixed_body(x, body);
    body_acceleration(x, body, own, own + 3);
    memset(parent, 0, 6 * sizeof *parent);
    if (type != RCT_HINGE_FREE) { /* they hang on inertial space */
        point_acceleration(x, x->plan->bodies[body].parent, pose.position, parent, parent + 3);
    }
    if (type != RCT_HINGE_FREE && !slides(type)) {
        memcpy(parent, own, 3 * sizeof *parent); /* the same point, to the last bit */
    }
}

/* ---- hinge forces ------------------------------------------------------------------------- */

/* Add what the motion of a body asks for, less what acts on it: what its hinge must give. */
static void own_load(const rct_mixed *x, int64_t b, double load[6])
{
    rct_body_pose pose = rct_mixed_body(x, b);
    const double *external = x->external != NULL ? x->external + 6 * b : NULL;
    double a[3], alpha[3], own[6];
    body_acceleration(x, b, a, alpha);
    rct_newton_euler(&x->plan->bodies[b], rct_plan_gravity(x->plan, b), pose.rotation, pose.rate, a,
                     alpha, own);
    for (int i = 0; i < 6; i++) {
        load[i] += own[i] - (external != NULL ? external[i] : 0.0);
    }
}

static void read_forces(rct_mixed *x)
{
    for (int64_t i = 0; i < 3 * (int64_t)x->plan->links.count; i++) {
        x->forces[i] = NAN;
    }
    if (x->backend->read_forces != NULL) {
        x->backend->read_forces(x->run, x->forces);
    }
}

/* What the sweep knows of the hinge of a body: nothing; the force; or all, for there is no moment at a ball hinge that
 * neither a damper nor a loop acts at. */
enum { KNOWS_NOTHING, KNOWS_FORCE, KNOWS_ALL };

static int knowledge(const rct_mixed *x, int64_t b)
{
    const rct_placement *at = &x->plan->placement[b];
    if (at->welded || !isfinite(x->forces[3 * (int64_t)at->link])) {
        return KNOWS_NOTHING;
    }
    const int moment = (x->plan->has_efforts && x->plan->bodies[b].damping[0] != 0.0) ||
                       rct_model_loop_count(x->plan->surroundings) > 0;
    return moment ? KNOWS_FORCE : KNOWS_ALL;
}

/* It is better than a sum over all that hangs on the hinge. */
static void take_force(const rct_mixed *x, int64_t b, double load[6])
{
    const int64_t link = x->plan->placement[b].link;
    double m[3][3];
    rct_rotation(x->state + x->plan->links.state_at[link], m);
    rct_rotate(m, x->forces + 3 * link, load);
}

/* Pass the load of a body on to its parent. */
static void pass_load(const rct_mixed *x, int64_t b, double *loads)
{
    const int64_t parent = x->plan->bodies[b].parent;
    const double *load = loads + 6 * b;
    double arm[3], up[3], moment[3];
    rct_mixed_point(x, b, arm);
    rct_mixed_point(x, parent, up);
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
static void sum_loads(rct_mixed *x, double *loads)
{
    const rct_plan *plan = x->plan;
    rct_mixed_read_motion(x);
    rct_mixed_add_wrenches(x, -1.0, loads);
    for (int64_t k = plan->body_count - 1; k >= 0; k--) {
        const int64_t b = plan->order[k], parent = plan->bodies[b].parent;
        const int known = knowledge(x, b);
        double *load = loads + 6 * b;
        if (known == KNOWS_ALL) {
            memset(load, 0, 6 * sizeof *load);
        } else {
            own_load(x, b, load);
        }
        if (known != KNOWS_NOTHING) {
            take_force(x, b, load);
        }
        if (parent != RCT_GROUND && knowledge(x, parent) != KNOWS_ALL) {
            pass_load(x, b, loads);
        }
    }
}

void rct_mixed_hinge_loads(rct_mixed *x, double *loads)
{
    const int64_t n = x->plan->body_count;
    int64_t known = 0;
    read_forces(x);
    memset(loads, 0, (size_t)n * 6 * sizeof *loads);
    while (known < n && knowledge(x, known) == KNOWS_ALL) {
        known++;
    }
    if (known < n) {
        sum_loads(x, loads);
        return;
    }
    x->backend->read_state(x->run, x->state);
    for (int64_t b = 0; b < n; b++) {
        take_force(x, b, loads + 6 * b);
    }
}

/* ---- sums --------------------------------------------------------------------------------- */

/* The centre of mass of a link from its origin, and its velocity from that of the origin, inertial axes. */
static void centre_of(const rct_mixed *x, int64_t l, double arm[3], double turning[3])
{
    const double *com = rct_link_record(&x->plan->links, l) + LINK_COM;
    double m[3][3], rate[3];
    memcpy(m, x->poses[l].rotation, sizeof m);
    rct_rotate(m, com, arm);
    rct_rotate(m, x->poses[l].rate, rate);
    rct_cross(rate, arm, turning);
}

/* The part of link l in V = -sum m g . r_C, by its lever (topology/plan.h): J. Hinges displace what slides; at roots the ground
 * does, and the place of a free link is all its own. */
static double potential(const rct_mixed *x, int64_t l)
{
    const rct_links *links = &x->plan->links;
    const double *gravity = rct_plan_gravity(x->plan, x->plan->head[l]);
    const double *lever = x->plan->levers + l * LEVER_FIELDS;
    const int32_t up = links->parent[l];
    double m[3][3], moment[3], displacement[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    memcpy(m, x->poses[l].rotation, sizeof m);
    rct_rotate(m, lever + LEVER_MOMENT, moment);
    if (up != RCT_GROUND && slides((rct_hinge_type)links->kind[l])) {
        rct_mixed_displacement(links, l, x->state, &x->poses[up], displacement);
    }
    for (int i = 0; i < 3; i++) {
        if (up == RCT_GROUND) {
            displacement[i] = x->poses[l].position[i] - rct_link_record(links, l)[LINK_AT + i];
        }
        sum -= gravity[i] * (moment[i] + lever[LEVER_MASS] * displacement[i]);
    }
    return sum;
}

/* J_C w = J_O w - m c x (w x c), link axes. */
static void spin_of(const double *record, const double rate[3], double spin[3])
{
    double turning[3], orbit[3];
    rct_inertia_times(record + LINK_INERTIA, rate, spin);
    rct_cross(rate, record + LINK_COM, turning);
    rct_cross(record + LINK_COM, turning, orbit);
    for (int i = 0; i < 3; i++) {
        spin[i] -= record[LINK_MASS] * orbit[i];
    }
}

/* sum of 1/2 D u^2 */
static double rotor_energy(const rct_mixed *x, int64_t l)
{
    const rct_body *head = &x->plan->bodies[x->plan->head[l]];
    const double *u = x->state + x->plan->links.state_at[l] + rct_hinge_coordinates(head->hinge);
    double sum = 0.0;
    for (int i = 0; i < 3 && x->plan->has_efforts; i++) {
        sum += head->armature[i] != 0.0 ? 0.5 * head->armature[i] * u[i] * u[i] : 0.0;
    }
    return sum;
}

void rct_mixed_set_reference(rct_mixed *x)
{
    rct_mixed_read(x);
    for (int64_t l = 0; l < x->plan->links.count; l++) {
        x->reference[l] = potential(x, l);
    }
    rct_mixed_spring_energies(x, 1, &x->reference_springs);
}

void rct_mixed_link_measures(const rct_mixed *x, int64_t l, double *parts)
{
    const double mass = rct_link_record(&x->plan->links, l)[LINK_MASS];
    const rct_pose_of_link *pose = &x->poses[l];
    double arm[3], turning[3], p[3], at[3], spin[3], spin_out[3], orbit[3], m[3][3];
    centre_of(x, l, arm, turning);
    spin_of(rct_link_record(&x->plan->links, l), pose->rate, spin);
    parts[MEASURE_KINETIC] = 0.0;
    for (int i = 0; i < 3; i++) {
        const double v = pose->velocity[i] + turning[i];
        at[i] = pose->position[i] + arm[i];
        p[i] = mass * v;
        parts[MEASURE_KINETIC] += 0.5 * (p[i] * v + spin[i] * pose->rate[i]);
    }
    parts[MEASURE_KINETIC] += rotor_energy(x, l);
    memcpy(m, pose->rotation, sizeof m);
    rct_rotate(m, spin, spin_out);
    rct_cross(at, p, orbit);
    for (int i = 0; i < 3; i++) {
        parts[MEASURE_MOMENTUM + i] = p[i];
        parts[MEASURE_ANGULAR + i] = orbit[i] + spin_out[i];
    }
    parts[MEASURE_POTENTIAL] = potential(x, l) - x->reference[l];
}

void rct_mixed_measure(rct_mixed *x, rct_measures *measures)
{
    exact_sum all[MEASURES] = {{0.0, 0.0}};
    double springs;
    rct_mixed_read(x);
    for (int64_t l = 0; l < x->plan->links.count; l++) {
        double parts[MEASURES];
        rct_mixed_link_measures(x, l, parts);
        for (int k = 0; k < MEASURES; k++) {
            exact_add(&all[k], parts[k]);
        }
    }
    rct_mixed_spring_energies(x, 1, &springs);
    exact_add(&all[MEASURE_POTENTIAL], springs - x->reference_springs);
    measures->kinetic = exact_total(&all[MEASURE_KINETIC]);
    measures->potential = exact_total(&all[MEASURE_POTENTIAL]);
    for (int i = 0; i < 3; i++) {
        measures->momentum[i] = exact_total(&all[MEASURE_MOMENTUM + i]);
        measures->angular_momentum[i] = exact_total(&all[MEASURE_ANGULAR + i]);
    }
}
