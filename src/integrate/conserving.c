/* A variational integrator in O(n). The action of a step of h from q to q' is that of a discrete
 * Lagrangian
 *
 *     Ld(q, q') = T(q, q') - h (V(q) + V(q')) / 2
 *
 * where T moves every body as operators/momenta.c says. With p the momenta that T gives the bodies,
 * f = -V' and the rates u, M u being the generalized momenta, the step (q, u) -> (q', u') of second
 * order is
 *
 *     M(q)^-1 J(q)* p  = u + h/2 M(q)^-1 f(q)                              for q'
 *     u' = M(q')^-1 J(q')* p + h/2 M(q')^-1 f(q')
 *
 * It is symplectic and symmetric, and keeps the momentum of every symmetry of the model: Marsden
 * and West (2001), for trees Lee, Liu, Park and Srinivasa (2016), whose iteration is used here.
 * M(q) / h replaces the derivative of J* p by q'. So an iteration is a solve of O(n) by the factors
 * of M(q), which the step before needed for its u'. Five such steps, the third one backward, make
 * one of fourth order (Suzuki 1990).
 *
 * Loops add M(q)^-1 Phi(q)* lambda to the equation for q', such that q' is closed, and M(q')^-1
 * Phi(q')* mu to u', such that u' is on the constraints (RATTLE, Andersen 1983); the rows of their
 * constraints are Phi. The first multipliers come from a solve by the factors of q, and move on
 * with the iteration; the second are those of the projection after every step.
 *
 * M^-1 f is an evaluation at rest. All that a step of dt starts from is read from the run, so calls
 * may be cut anywhere. */
#include "integrate/conserving.h"

#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "integrate/integrators.h"
#include "integrate/rk4.h"
#include "integrate/stages.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* The outer four of the five steps, as a fraction of dt: 1 / (4 - 4^(1/3)). */
enum { SUBSTEPS = 5 };
static const double outer = 0.41449077179437573714;

/* The most iterations; the change that counts as rounding, as a fraction of the motion of a step.
 * Where changes no longer halve, the change that may pass: as a fraction of the motion; with loops,
 * which are closed to rounding of positions, in rad and lengths of the system. */
enum { MOST_ITERATIONS = 100 };
static const double rounding = 1e-15, least_progress = 0.5, nearly = 1e-11, closed_to = 1e-12;

typedef struct conserving {
    rct_steps steps; /* its rows `start` and `next`, and the time */
    rct_operator *sweeps;
    int64_t rates;
    double *push;    /* [rates] M^-1 f at `start` */
    double *goal;    /* [rates] u + h/2 M^-1 f */
    double *delta;   /* [rates] how far hinges move in the step */
    double *answer;  /* [rates] M^-1 J* p */
    double *momenta; /* [bodies][6] */
} conserving;

static conserving make(rct_solver *solver)
{
    const int64_t row = rct_solver_numbers(solver), rates = solver->plan->freedoms;
    conserving c = {.steps = {.solver = solver,
                              .positions = solver->plan->coordinates,
                              .numbers = row,
                              .length = rct_length_of(solver->plan),
                              .time = solver->time},
                    .sweeps = rct_operation_sweeps(solver->operation),
                    .rates = rates};
    double *at = solver->stages;
    double **rows[CONSERVING_ROWS] = {&c.steps.start, &c.steps.next};
    double **columns[CONSERVING_RATES] = {&c.push, &c.goal, &c.delta, &c.answer};
    for (int i = 0; i < CONSERVING_ROWS; i++, at += row) {
        *rows[i] = at;
    }
    for (int i = 0; i < CONSERVING_RATES; i++, at += rates) {
        *columns[i] = at;
    }
    c.momenta = at;
    return c;
}

/* Find the push and the factors of M at the coordinates of `row`, at rest, at `time`. */
static rct_status look(conserving *c, double *row, double time, rct_error *error)
{
    rct_solver *solver = c->steps.solver;
    double *rates = row + c->steps.positions;
    memset(rates, 0, (size_t)c->rates * sizeof *rates);
    rct_status status = rct_steps_write(&c->steps, row, error);
    solver->time = time;
    solver->pace.evaluations++;
    RCT_THEN(status, rct_solver_evaluate_inside(solver, error));
    if (status == RCT_OK) {
        rct_solver_get_rate_derivatives_inside(solver, c->push);
    }
    RCT_THEN(status, rct_operation_renew(solver->operation, solver, NULL, error));
    return status;
}

/* Read the state of the run, and what is known there. */
static rct_status begin(conserving *c, rct_error *error)
{
    rct_steps *s = &c->steps;
    rct_solver_get_coordinates_inside(s->solver, s->start, s->start + s->positions);
    memcpy(s->next, s->start, (size_t)s->positions * sizeof *s->next);
    return look(c, s->next, s->time, error);
}

/* ---- one step ----------------------------------------------------------------------------- */

/* The largest of numbers of all rates times `scale`, in rad and lengths of the system; NaN or
 * INFINITY if any is not finite. */
static double size_of(const conserving *c, double scale, const double *numbers)
{
    const rct_plan *plan = c->steps.solver->plan;
    double most = 0.0;
    int64_t r = 0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        for (int i = 0; i < rct_hinges[hinge].freedoms; i++, r++) {
            const int turns = hinge == RCT_HINGE_BALL || (hinge == RCT_HINGE_FREE && i < 3) ||
                              (hinge != RCT_HINGE_FREE && rct_hinge_turns(hinge, i));
            const double own = fabs(scale * numbers[r]) / (turns ? 1.0 : c->steps.length);
            most = !(own <= most) ? own : most;
        }
    }
    return most;
}

/* Move the coordinates of `start` by delta, to `next`. */
static void move(const conserving *c)
{
    rct_solver_advance(c->steps.solver, c->steps.start, c->delta, 1.0, c->steps.next);
}

/* Close loops at the end of the step by their forces at `start`: adds the change to delta, its rate
 * to the goal, and its size to `most`. */
static rct_status pull(conserving *c, double h, double *most, rct_error *error)
{
    rct_solver *solver = c->steps.solver;
    move(c);
    memset(c->steps.next + c->steps.positions, 0, (size_t)c->rates * sizeof *c->goal);
    rct_status status = rct_steps_write(&c->steps, c->steps.next, error);
    RCT_THEN(status, rct_closed_pull(solver, c->steps.time, error));
    for (int64_t r = 0; r < c->rates && status == RCT_OK; r++) {
        c->delta[r] += solver->closed->change[r];
        c->goal[r] += solver->closed->change[r] / h;
    }
    *most += status == RCT_OK ? size_of(c, 1.0, solver->closed->change) : 0.0;
    return status;
}

/* One iteration; *change is the size of its change. */
static rct_status improve(conserving *c, double h, double *change, rct_error *error)
{
    rct_operator_momenta(c->sweeps, c->delta, h, c->momenta);
    rct_operator_rates_of(c->sweeps, c->momenta, c->delta, h, c->answer);
    for (int64_t r = 0; r < c->rates; r++) {
        c->answer[r] = c->goal[r] - c->answer[r];
        c->delta[r] += h * c->answer[r];
    }
    *change = size_of(c, h, c->answer);
    return c->steps.solver->closed != NULL && isfinite(*change) ? pull(c, h, change, error)
                                                                : RCT_OK;
}

/* Whether the next change will be rounding, or changes are rounding already. They fall by about the
 * same factor each time. */
static int is_found(const conserving *c, double change, double before, double largest)
{
    const double least = c->steps.solver->closed != NULL ? closed_to : 0.0;
    return change * change <= rounding * largest * fmin(before, largest) ||
           (change >= least_progress * before && change <= fmax(nearly * largest, least));
}

/* Find delta, and the momenta of the motion. */
static rct_status find_way(conserving *c, double h, rct_error *error)
{
    const double *rates = c->steps.start + c->steps.positions;
    double change = 0.0, before = INFINITY;
    rct_status status = RCT_OK;
    int found = 0;
    for (int64_t r = 0; r < c->rates; r++) {
        c->goal[r] = rates[r] + 0.5 * h * c->push[r];
        c->delta[r] = h * c->goal[r];
    }
    for (int i = 0; i < MOST_ITERATIONS && isfinite(change) && !found && status == RCT_OK; i++) {
        status = improve(c, h, &change, error);
        found = is_found(c, change, before, size_of(c, 1.0, c->delta));
        before = change;
    }
    if (status == RCT_OK && !found) {
        status =
            rct_fail(error, RCT_ERROR_DIVERGED,
                     c->steps.solver->closed == NULL
                         ? "the step is too long: the state at its end is not found, because "
                           "bodies turn or move too far in %.3g s; take a smaller step"
                         : "the state at the end of the step is not found: bodies turn or move too "
                           "far in %.3g s, or loops pass a pose in which their constraints depend "
                           "on one another; take a smaller step, or use the integrator rk4",
                     fabs(h));
    }
    rct_operator_momenta(c->sweeps, c->delta, h, c->momenta);
    return status;
}

/* A step of h from `start`, which ends at time `end`. */
static rct_status substep(conserving *c, double h, double end, rct_error *error)
{
    rct_steps *s = &c->steps;
    double *rates = s->next + s->positions;
    rct_status status = find_way(c, h, error);
    if (status == RCT_OK) {
        move(c);
        status = look(c, s->next, end, error);
    }
    if (status == RCT_OK) {
        rct_operator_rates_of(c->sweeps, c->momenta, c->delta, h, rates);
        for (int64_t r = 0; r < c->rates; r++) {
            rates[r] += 0.5 * h * c->push[r];
        }
        status = rct_steps_write(s, s->next, error);
    }
    if (status == RCT_OK && s->solver->closed != NULL) {
        status = rct_closed_settle(s->solver, end, error);
    }
    if (status == RCT_OK) {
        rct_solver_get_coordinates_inside(s->solver, s->start, s->start + s->positions);
    }
    return status;
}

static rct_status step(conserving *c, double dt, rct_error *error)
{
    rct_steps *s = &c->steps;
    const double start = s->time, end = rct_time_after(start, dt);
    double share = 0.0;
    rct_status status = RCT_OK;
    for (int i = 0; i < SUBSTEPS && status == RCT_OK; i++) {
        const double own = i == SUBSTEPS / 2 ? 1.0 - (SUBSTEPS - 1) * outer : outer;
        share += own;
        status = substep(c, own * dt, i + 1 < SUBSTEPS ? start + share * dt : end, error);
    }
    s->time = status == RCT_OK ? end : start;
    return status;
}

rct_status rct_conserving_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                                rct_error *error)
{
    conserving c = make(solver);
    rct_status status = RCT_OK;
    *done = 0;
    rct_steps_keep(&c.steps);
    while (*done < steps && status == RCT_OK) {
        status = begin(&c, error);
        RCT_THEN(status, step(&c, dt, error));
        if (status == RCT_OK) {
            *done += 1;
            rct_steps_keep(&c.steps);
        }
    }
    if (status != RCT_OK || *done == 0) {
        rct_steps_take_back(&c.steps);
    }
    solver->evaluated = solver->evaluated && steps == 0;
    solver->time = c.steps.time;
    if (status != RCT_OK && error != NULL) {
        error->step = *done;
    }
    return status;
}
