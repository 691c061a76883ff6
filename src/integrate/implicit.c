/* ARK4(3)6L[2]SA, linearly implicit in what springs (stiffness K about `rest`) and dampers (C) do at hinges. Let
 * f(q, u; p, v) be the accelerations of the state q, u with the springs and dampers of coordinates p and rates v. With d = h gamma
 *
 *     q, u  = start + h sum_{j<i} a_ij slope_j   (explicit table)      p, v = start + h sum_{j<i} A_ij slope_j   (implicit table)
 *     a = f(q, u; p + d (v + d a), v + d a)      slope_i = (v + d a, a)
 *
 * is linear in a: M and all else are of q, u, and
 *
 *     (M + d C + d^2 K) a = what acts - K (p + d v - rest) - C v
 *
 * is one sweep, in which d C + d^2 K are rotors (set_delta), under efforts more by K (q - p - d v) + C (u - v). As p and v are those
 * of a stage of the implicit method, order conditions of pairs of tables hold whatever K and C leave out: gravity, gyroscopic terms,
 * forces of the user and loops are of q, u. Springs between points are linear in a too, and change what was swept by as much
 * (soft_springs.h). Of q, u is also what the moments at ball hinges differ from K and C about
 * the axes of the body by (implicit_balls.c). Stage 1 is explicit, d = 0. */
#include "integrate/implicit.h"
#include "core/error.h"
#include "dynamics/soft_springs.h"
#include "integrate/adaptive.h"

#include "model/hinge_types.h"

#include <string.h>

/* The efforts of the stage: those of the user, and what springs and dampers do at p + d v, v but not at q, u. */
static void add_efforts(const rct_steps *s, double delta)
{
    const rct_plan *plan = s->solver->plan;
    const double *q = s->next, *u = s->next + s->positions;
    const double *p = s->other, *v = s->other + s->positions;
    int64_t r = 0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        const int32_t coordinates = rct_hinges[hinge].coordinates;
        const int32_t freedoms = rct_hinges[hinge].freedoms;
        for (int32_t i = 0; i < freedoms && coordinates == freedoms; i++) {
            const double stretch = q[i] - p[i] - delta * v[r + i];
            s->added[r + i] = s->given[r + i] + (s->stiffness[r + i] * stretch +
                                                 s->damping[r + i] * (u[r + i] - v[r + i]));
        }
        q += coordinates, p += coordinates, r += freedoms;
    }
}

/* What lies between the coordinates q and p of a hinge, rate by rate. */
static void part_hinge(rct_hinge_type hinge, const double *q, const double *p, double *moved)
{
    const int32_t freedoms = rct_hinges[hinge].freedoms;
    const int absolute = rct_hinges[hinge].coordinates != freedoms;
    if (absolute) {
        rct_implicit_turn(q, p, moved);
    }
    for (int32_t i = absolute ? 3 : 0; i < freedoms; i++) {
        moved[i] = p[i + absolute] - q[i + absolute];
    }
}

/* Springs between points at the implicit arguments, to the accelerations of the stage. */
static rct_status yield(const rct_steps *s, double delta, double *a, rct_error *error)
{
    const rct_plan *plan = s->solver->plan;
    const rct_soft_stage stage = rct_soft_begin(s->solver->soft, delta);
    const double *u = s->next + s->positions, *v = s->other + s->positions;
    int64_t at = 0, r = 0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        part_hinge(hinge, s->next + at, s->other + at, stage.moved + r);
        at += rct_hinges[hinge].coordinates, r += rct_hinges[hinge].freedoms;
    }
    for (r = 0; r < plan->freedoms; r++) {
        stage.rotors[r] = delta * (s->damping[r] + delta * s->stiffness[r]);
        stage.moved[r] += delta * (v[r] + delta * a[r]);
        stage.slipped[r] = v[r] + delta * a[r] - u[r];
    }
    return rct_soft_yield(s->solver, &stage, a, error);
}

/* The rates of the stage, to those of `other`: v + d a. */
static void finish_rates(const rct_steps *s, double delta, const double *slope)
{
    double *v = s->other + s->positions;
    const double *a = slope + s->positions;
    for (int64_t r = 0; r < s->numbers - s->positions; r++) {
        v[r] += delta * a[r];
    }
}

static rct_status stage(rct_steps *s, int i, double h, rct_error *error)
{
    const double delta = h * RCT_ARK4_GAMMA, time = rct_steps_time(s, rct_ark4_c[i], h);
    rct_solver *solver = s->solver;
    rct_steps_sum(s, s->next, s->start, h, rct_ark4_explicit[i], i);
    rct_steps_sum(s, s->other, s->start, h, rct_ark4_implicit[i], i);
    add_efforts(s, delta);
    rct_status status = rct_steps_write(s, s->next, error);
    if (status == RCT_OK && solver->plan->links.wide) {
        rct_implicit_balls(s, time, delta);
    }
    rct_solver_exert(solver, s->added, 1);
    RCT_THEN(status, rct_steps_accelerate(s, time, NULL, s->slope[i], error));
    if (solver->soft != NULL) {
        RCT_THEN(status, yield(s, delta, s->slope[i] + s->positions, error));
    }
    if (status == RCT_OK) {
        finish_rates(s, delta, s->slope[i]);
        rct_steps_turn(s, s->next, s->other + s->positions, s->slope[i]);
    }
    return status;
}

/* The state of the run read back, as a checkpoint would give it. */
static rct_status begin(rct_steps *s, int goes_on, rct_error *error)
{
    double *rates = s->start + s->positions;
    (void)goes_on;
    rct_solver_get_coordinates_inside(s->solver, s->start, rates);
    const rct_status status = rct_steps_accelerate(s, s->time, NULL, s->slope[0], error);
    rct_steps_turn(s, s->start, rates, s->slope[0]);
    s->steepness = rct_steps_size(s, s->slope[0], s->start);
    return status;
}

static rct_status attempt(rct_steps *s, double h, double *size, rct_error *error)
{
    rct_solver *solver = s->solver;
    const int any = solver->pushes_hinges;
    const size_t bytes = (size_t)solver->plan->freedoms * sizeof *s->given;
    rct_status status = rct_steps_linearize(s, error);
    if (status != RCT_OK) {
        return status;
    }
    memcpy(s->given, solver->efforts, bytes);
    memcpy(s->added, solver->efforts, bytes);
    rct_solver_set_delta(solver, h * RCT_ARK4_GAMMA, s->stiffness, s->damping);
    for (int i = 1; i < ARK4_STAGES && status == RCT_OK; i++) {
        status = stage(s, i, h, error);
    }
    rct_solver_set_delta(solver, 0.0, s->stiffness, s->damping);
    rct_solver_exert(solver, s->given, any);
    if (status == RCT_OK) {
        rct_steps_sum(s, s->next, s->start, h, rct_ark4_implicit[ARK4_STAGES - 1], ARK4_STAGES);
        rct_steps_sum(s, s->other, NULL, h, rct_ark4_e, ARK4_STAGES);
        *size = rct_steps_size(s, s->other, s->next);
        status = rct_steps_write(s, s->next, error);
    }
    return status;
}

const rct_pair rct_ark4 = {.order = 4, .share = 0.25, .begin = begin, .attempt = attempt};
