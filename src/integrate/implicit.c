/* ARK4(3)6L[2]SA, linearly implicit in what springs (stiffness K about `rest`) and dampers (C) do
 * at hinges. Let f(q, u; p, v) be the accelerations of the state q, u with the springs and dampers
 * of coordinates p and rates v. With d = h gamma
 *
 *     q, u  = start + h sum_{j<i} a_ij slope_j   (explicit table)      p, v = start + h sum_{j<i} A_ij slope_j   (implicit table)
 *     a = f(q, u; p + d (v + d a), v + d a)      slope_i = (v + d a, a)
 *
 * is linear in a: M and all other terms are those of q, u, and
 *
 *     (M + d C + d^2 K) a = what acts - K (p + d v - rest) - C v
 *
 * is one sweep, in which d C + d^2 K are rotors (set_delta), with K (q - p - d v) + C (u - v) added
 * to the efforts. As p and v are those of a stage of the implicit method, order conditions of pairs
 * of tables hold whatever K and C leave out: gravity, gyroscopic terms, forces of the user and
 * loops are evaluated at q, u. Springs between points are linear in a too, and change the swept
 * accelerations accordingly (soft_springs.h). Moments at ball hinges that differ from K and C about
 * the axes of the body use q, u for the difference (kernels/laws/hold_step.h). Stage 1 is explicit,
 * d = 0.
 *
 * The run keeps states, slopes, p and v, and efforts at hinges with axes
 * (kernels/laws/slope_step.h). */
#include "integrate/implicit.h"
#include "core/error.h"
#include "dynamics/soft_springs.h"
#include "integrate/adaptive.h"
#include "model/hinge_types.h"

#include <string.h>

/* The difference of the coordinates p and q of a hinge, rate by rate. */
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

/* Add to the accelerations of the stage the effect of springs between points at the implicit
 * arguments. */
static rct_status yield(const rct_steps *s, double delta, rct_error *error)
{
    rct_solver *solver = s->solver;
    const rct_plan *plan = solver->plan;
    double *a = s->accelerations;
    const rct_soft_stage stage = rct_soft_begin(solver->soft, delta);
    const double *u = s->next + s->positions, *v = s->other + s->positions;
    int64_t at = 0, r = 0;
    rct_implicit_read(s);
    rct_solver_get_rate_derivatives_inside(solver, a);
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
    const rct_status status = rct_soft_yield(solver, &stage, a, error);
    solver->backend->slopes->write_derivatives(solver->run, a);
    return status;
}

/* K and C, rate by rate, of the springs and dampers that the stage treats implicitly. */
static void find_resistances(const rct_steps *s)
{
    const rct_plan *plan = s->solver->plan;
    int64_t r = 0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        const int yields =
            hinge == RCT_HINGE_BALL ? plan->links.wide != 0 : hinge != RCT_HINGE_FREE;
        for (int i = 0; i < rct_hinges[hinge].freedoms; i++, r++) {
            s->stiffness[r] = yields ? body->stiffness[i] : 0.0;
            s->damping[r] = yields ? body->damping[i] : 0.0;
        }
    }
}

/* Whether K or C depend on the state where the step starts. */
static int resists_by_state(const rct_solver *solver)
{
    return solver->plan->rubs || solver->soft != NULL || solver->acting.exerted_count > 0;
}

/* Find what forces at hinges add to K and C where the step starts, and how springs between points
 * pull there. */
static void linearize(const rct_steps *s)
{
    rct_solver *solver = s->solver;
    solver->backend->slopes->copy(solver->run, RCT_SLOT_STATE, RCT_SLOT_START);
    rct_solver_move_ground(solver, s->time);
    rct_solver_get_coordinates_inside(solver, s->next, s->next + s->positions);
    if (solver->plan->rubs || solver->soft != NULL) {
        rct_solver_read_poses(solver);
    }
    if (solver->soft != NULL) {
        rct_soft_look(solver);
    }
    find_resistances(s);
    rct_solver_add_slopes(solver, s->time, s->next, s->next + s->positions, s->stiffness,
                          s->damping);
    solver->backend->slopes->put_rates(solver->run, RCT_SLOT_RESISTANCES, s->stiffness, s->damping);
}

/* Find what is the same in all steps of a call. */
static rct_status begin(rct_steps *s, int goes_on, rct_error *error)
{
    rct_solver *solver = s->solver;
    const rct_slope_operations *slopes = solver->backend->slopes;
    if (!goes_on) {
        find_resistances(s);
        memcpy(s->given, solver->efforts, (size_t)solver->plan->freedoms * sizeof *s->given);
        slopes->put_rates(solver->run, RCT_SLOT_RESISTANCES, s->stiffness, s->damping);
        slopes->put_rates(solver->run, RCT_SLOT_GIVEN, NULL, s->given);
    }
    return rct_steps_start(s, ARK4_STAGES, error);
}

void rct_implicit_read(const rct_steps *s)
{
    rct_solver *solver = s->solver;
    rct_solver_get_coordinates_inside(solver, s->next, s->next + s->positions);
    solver->backend->slopes->take(solver->run, RCT_SLOT_OTHER, s->other, s->other + s->positions);
}

/* Add moments at balls to the efforts of the stage; and read the efforts back where other loads are
 * added to them. */
static void hold(const rct_steps *s, double time, double delta)
{
    rct_solver *solver = s->solver;
    const rct_load_lists *acting = &solver->acting;
    if (solver->plan->links.wide) {
        rct_implicit_balls(s, time, delta);
    }
    if (acting->link_count > 0) {
        solver->backend->slopes->read_efforts(solver->run, acting->links, acting->link_count,
                                              solver->efforts);
        solver->pushes_hinges = 1;
    }
}

static rct_status stage(const rct_steps *s, int i, double h, rct_error *error)
{
    const double time = rct_steps_time(s, rct_ark4_c[i], h);
    rct_weighing by = rct_steps_weigh(s, h, rct_ark4_explicit[i], i, ARK4_STAGES);
    by.fresh = i > 1;
    by.stage = RCT_STAGE_IMPLICIT;
    by.delta = h * RCT_ARK4_GAMMA;
    for (int k = 0; k < i; k++) {
        by.other[k] = h * rct_ark4_implicit[i][k];
    }
    rct_steps_move(s, &by);
    hold(s, time, by.delta);
    rct_status status = rct_steps_evaluate(s, time, error);
    if (s->solver->soft != NULL) {
        RCT_THEN(status, yield(s, by.delta, error));
    }
    return status;
}

/* Move to the end of the step; returns the size of its error. */
static double finish(const rct_steps *s, double h)
{
    rct_weighing by =
        rct_steps_weigh(s, h, rct_ark4_implicit[ARK4_STAGES - 1], ARK4_STAGES, ARK4_STAGES);
    const rct_weighing error = rct_steps_weigh(s, h, rct_ark4_e, ARK4_STAGES, ARK4_STAGES);
    by.fresh = 1;
    by.stage = RCT_STAGE_LAST;
    by.delta = h * RCT_ARK4_GAMMA;
    rct_steps_move(s, &by);
    return rct_steps_size(s, &error);
}

static rct_status attempt(rct_steps *s, double h, double *size, rct_error *error)
{
    rct_solver *solver = s->solver;
    const int any = solver->pushes_hinges;
    rct_status status = RCT_OK;
    if (resists_by_state(solver)) {
        linearize(s);
    }
    rct_solver_set_delta(solver, h * RCT_ARK4_GAMMA, s->stiffness, s->damping);
    for (int i = 1; i < ARK4_STAGES && status == RCT_OK; i++) {
        status = stage(s, i, h, error);
    }
    rct_solver_set_delta(solver, 0.0, s->stiffness, s->damping);
    if (status == RCT_OK) {
        *size = finish(s, h);
        memcpy(solver->efforts, s->given, (size_t)solver->plan->freedoms * sizeof *s->given);
        solver->pushes_hinges = any;
    } else {
        rct_solver_exert(solver, s->given, any);
    }
    return status;
}

const rct_pair rct_ark4 = {.order = 4, .share = 0.25, .begin = begin, .attempt = attempt};
