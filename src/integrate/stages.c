/* Stages of integrators with error control (stages.h). */
#include "integrate/stages.h"

#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/soft_springs.h"
#include "integrate/rk4.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* Numbers that are worth the threads of a run, and that stay in a cache of the first level. */
enum { WORTH_SHARING = 1 << 16, BLOCK = 1024 };

static int is_absolute(rct_hinge_type hinge)
{
    return hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
}

/* Springs and dampers that yield, rate by rate; then what forces at hinges add where the step starts. */
rct_status rct_steps_linearize(const rct_steps *s, rct_error *error)
{
    const rct_plan *plan = s->solver->plan;
    const int looks = plan->rubs || s->solver->soft != NULL;
    const rct_status status = looks ? rct_steps_write(s, s->start, error) : RCT_OK;
    int64_t r = 0;
    if (status != RCT_OK) {
        return status;
    }
    if (looks) {
        rct_solver_move_ground(s->solver, s->time);
        rct_solver_read_poses(s->solver);
    }
    if (s->solver->soft != NULL) {
        rct_soft_look(s->solver);
    }
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
    rct_solver_add_slopes(s->solver, s->time, s->start, s->start + s->positions, s->stiffness,
                          s->damping);
    return RCT_OK;
}

rct_steps rct_steps_begin(rct_solver *solver)
{
    const int64_t freedoms = solver->plan->freedoms;
    const double length = rct_length_of(solver->plan);
    rct_steps s = {.solver = solver,
                   .positions = solver->plan->coordinates,
                   .numbers = rct_solver_numbers(solver),
                   .length = length > 0.0 ? length : 1.0,
                   .time = solver->time};
    double *at = solver->stages;
    double **rows[STAGE_ARRAYS] = {&s.start,    &s.next,     &s.other,    &s.slope[0], &s.slope[1],
                                   &s.slope[2], &s.slope[3], &s.slope[4], &s.slope[5]};
    double **efforts[STAGE_EFFORTS] = {&s.stiffness, &s.damping, &s.given, &s.added};
    for (int i = 0; i < STAGE_ARRAYS && at != NULL; i++, at += s.numbers) {
        *rows[i] = at;
    }
    for (int i = 0; i < STAGE_EFFORTS && at != NULL; i++, at += freedoms) {
        *efforts[i] = at;
    }
    s.turning = at;
    return s;
}

void rct_steps_keep(rct_steps *s)
{
    s->solver->backend->slopes->copy(s->solver->run, RCT_SLOT_KEPT, RCT_SLOT_STATE);
    s->kept_time = s->time;
    s->kept_pace = s->solver->pace;
}

void rct_steps_take_back(rct_steps *s)
{
    s->solver->backend->slopes->copy(s->solver->run, RCT_SLOT_STATE, RCT_SLOT_KEPT);
    s->time = s->kept_time;
    s->solver->pace = s->kept_pace;
    s->begun = 0;
}

/* ---- sums --------------------------------------------------------------------------------- */

typedef struct sum {
    double *to;
    const double *from;
    double *const *slope;
    double weight[ARK4_STAGES];
    int count;
} sum;

static void add_block(const sum *x, int64_t begin, int64_t end)
{
    double *to = x->to;
    for (int64_t i = begin; i < end; i++) {
        to[i] = x->weight[0] * x->slope[0][i];
    }
    for (int k = 1; k < x->count; k++) {
        const double weight = x->weight[k];
        const double *slope = x->slope[k];
        for (int64_t i = begin; i < end && weight != 0.0; i++) {
            to[i] += weight * slope[i];
        }
    }
    for (int64_t i = begin; i < end && x->from != NULL; i++) {
        to[i] += x->from[i];
    }
}

static void add_range(void *context, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += BLOCK) {
        add_block(context, i, i + BLOCK < end ? i + BLOCK : end);
    }
}

void rct_steps_sum(const rct_steps *s, double *to, const double *from, double h,
                   const double *weights, int count)
{
    sum x = {.to = to, .from = from, .slope = s->slope, .count = count};
    for (int k = 0; k < count; k++) {
        x.weight[k] = h * weights[k];
    }
    if (s->numbers >= WORTH_SHARING) {
        rct_solver_share(s->solver, s->numbers, add_range, &x);
    } else {
        add_range(&x, 0, s->numbers);
    }
}

/* ---- states ------------------------------------------------------------------------------- */

rct_status rct_steps_write(const rct_steps *s, const double *row, rct_error *error)
{
    const rct_status status =
        rct_solver_write_coordinates(s->solver, row, row + s->positions, error);
    if (status == RCT_ERROR_ARGUMENT && error != NULL) {
        char label[RCT_BODY_LABEL];
        return rct_fail_body(error, RCT_ERROR_DIVERGED, error->body,
                             "%s: its motion is no longer finite",
                             rct_bodies_label(s->solver->plan->bodies, error->body, label));
    }
    return status == RCT_ERROR_ARGUMENT ? RCT_ERROR_DIVERGED : status;
}

rct_status rct_steps_accelerate(const rct_steps *s, double time, const double *row, double *slope,
                                rct_error *error)
{
    rct_solver *solver = s->solver;
    rct_status status = row != NULL ? rct_steps_write(s, row, error) : RCT_OK;
    solver->time = time;
    solver->pace.evaluations++;
    RCT_THEN(status, rct_solver_evaluate_inside(solver, error));
    if (status == RCT_OK) {
        rct_solver_get_rate_derivatives_inside(solver, slope + s->positions);
    }
    return status;
}

void rct_steps_turn(const rct_steps *s, const double *row, const double *rates, double *slope)
{
    const rct_plan *plan = s->solver->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        int32_t slid = rct_hinges[hinge].coordinates;
        if (is_absolute(hinge)) {
            const double half[4] = {0.0, 0.5 * rates[0], 0.5 * rates[1], 0.5 * rates[2]};
            rct_quaternion_product(half, row, slope);
            row += 4, slope += 4, rates += 3, slid -= 4;
        }
        for (int i = 0; i < slid; i++) {
            slope[i] = rates[i];
        }
        row += slid, slope += slid, rates += slid;
    }
}

/* ---- errors ------------------------------------------------------------------------------- */

/* The larger one; INFINITY once one is not finite. */
static double larger(double most, double x)
{
    return x <= most ? most : isfinite(x) ? x : INFINITY;
}

/* Of the error `e` of a rate, between u and v; `unit`: what counts as 1. */
static double rate_size(double e, double u, double v, double unit)
{
    return fabs(e) / fmax(unit, fmax(fabs(u), fabs(v)));
}

double rct_steps_size(const rct_steps *s, const double *error, const double *end)
{
    const rct_plan *plan = s->solver->plan;
    const double *e = error, *d = error + s->positions;
    const double *u = s->start + s->positions, *v = end + s->positions;
    double most = 0.0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        const int absolute = is_absolute(hinge), freedoms = rct_hinges[hinge].freedoms;
        if (absolute) {
            most = larger(most, 2.0 * sqrt(rct_dot(e, e) + e[3] * e[3]));
            e += 4;
        }
        for (int i = 0; i < freedoms; i++) {
            const double unit = (absolute ? i < 3 : rct_hinge_turns(hinge, i)) ? 1.0 : s->length;
            most = larger(most, rate_size(d[i], u[i], v[i], unit));
            if (!absolute || i >= 3) {
                most = larger(most, fabs(*e++) / unit);
            }
        }
        d += freedoms, u += freedoms, v += freedoms;
    }
    return most;
}
