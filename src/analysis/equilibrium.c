/* Finds rest from any start, in O(n) per step, by descent of the potential energy:
 *
 *     P change = -gradient
 *
 * P is the tangent stiffness K where all its pivots are positive; then this is Newton's method.
 * Elsewhere P comes from K by taking signs off: either off its pivots, so that their hinges leave
 * the place of largest energy, or off the part of each body, as if it were a pendulum by itself;
 * the step that ends lower is taken. No pivot is smaller than the gradient there, so no hinge moves
 * by more than about 1 rad. Steps are halved until the energy falls. Where rounding hides the fall,
 * they are halved until the slope along the step falls, or the residual falls: where only
 * multipliers of loops have yet to settle, that slope is rounding, of any sign. */
#include "analysis/analysis.h"
#include "analysis/statics.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

/* The most steps; steps in which the residual may stall where it is rounding, and where it counts as
 * zero; halvings of one step; changes that close loops after one step. */
enum { MOST_STEPS = 2000, MOST_STALLS = 2, MOST_IDLE = 5, MOST_HALVINGS = 40, MOST_CLOSINGS = 40 };

/* The smallest part to which a step is first cut for loops to close; the longest step, in rad and
 * lengths of the system; the part of the predicted fall by which the energy must fall; changes of
 * the energy below this fraction of its size cannot be seen. */
static const double least_part = 1.0 / 64.0, longest_step = 1.0, good_part = 1e-4, unseen = 1e-11;

/* Gaps of loops as fractions of their length: closed; and small enough that all methods close
 * it. */
static const double closed = 1e-13, nearly = 1e-2;

/* The residual at which a start rests; the residual below which one that no longer falls by the
 * factor `less` is rounding. */
static const double resting = 1e-14, stalled = 1e-9, less = 0.5;

typedef struct descent {
    rct_statics statics;
    rct_pool pool;
    double *start, *state;     /* coordinates of the solver; its state, to go back to */
    double *from, *to, *trial; /* coordinates of a step */
    double *still, *closing;   /* [rates] zeros; the change that closes loops */
    double *change, *gradient; /* [rates] of the step; at its start */
    /* [rows] multipliers at the start of the step, their change, and the sum */
    double *lambda, *more, *then;
    int loose; /* whether multipliers are those of the system let go, instead of those of steps */
    double before;           /* J, at the start */
    double energy, residual; /* J and rct_statics_residual, at the start of the step */
    /* the error of loops that did not close in the last step, unless its status is RCT_OK */
    rct_error open;
    int32_t steps;
} descent;

static rct_status begin(descent *d, rct_solver *solver, rct_error *error)
{
    const int64_t positions = solver->plan->coordinates, rates = solver->plan->freedoms;
    const int64_t one = sizeof(double);
    d->pool.what = "the search for rest";
    const rct_status status = rct_statics_begin(
        &d->statics, solver, "equilibrium needs forces that all have a potential", error);
    if (status != RCT_OK) {
        return status;
    }
    d->start = rct_pool_take(&d->pool, positions, one, error);
    d->state = rct_pool_take(
        &d->pool, rct_link_state(&solver->plan->links, solver->plan->links.count), one, error);
    d->from = rct_pool_take(&d->pool, positions, one, error);
    d->to = rct_pool_take(&d->pool, positions, one, error);
    d->trial = rct_pool_take(&d->pool, positions, one, error);
    d->closing = rct_pool_take(&d->pool, rates, one, error);
    d->still = rct_pool_take(&d->pool, rates, one, error);
    d->change = rct_pool_take(&d->pool, rates, one, error);
    d->gradient = rct_pool_take(&d->pool, rates, one, error);
    d->lambda = rct_pool_take(&d->pool, d->statics.most_rows, one, error);
    d->more = rct_pool_take(&d->pool, d->statics.most_rows, one, error);
    d->then = rct_pool_take(&d->pool, d->statics.most_rows, one, error);
    return d->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Close loops from d->to by the factors at the start of the step: a change by these costs little
 * energy, other than one by M. *close: whether it comes near. */
static rct_status close_nearby(descent *d, int *close, rct_error *error)
{
    rct_solver *solver = d->statics.solver;
    double last = (double)INFINITY;
    rct_status status = rct_solver_write_coordinates(solver, d->to, d->still, error);
    for (int i = 0; i < MOST_CLOSINGS && status == RCT_OK; i++) {
        const double gap = rct_statics_gap(&d->statics);
        *close = gap <= nearly;
        if (gap <= closed || !(gap <= less * last)) {
            break;
        }
        last = gap;
        rct_statics_close_by(&d->statics, d->closing);
        rct_solver_advance(solver, d->to, d->closing, 1.0, d->trial);
        double *kept = d->to;
        d->to = d->trial;
        d->trial = kept;
        status = rct_solver_write_coordinates(solver, d->to, d->still, error);
    }
    return status;
}

/* Put the solver at coordinates q, close loops from there, and look. */
static rct_status look_at(descent *d, const double *q, const double *multipliers, rct_error *error)
{
    rct_solver *solver = d->statics.solver;
    rct_status status = rct_solver_write_coordinates(solver, q, d->still, error);
    if (solver->closed != NULL) {
        RCT_THEN(status, rct_closed_assemble(solver, solver->time, error));
    }
    RCT_THEN(status, rct_statics_look(&d->statics, d->loose ? NULL : multipliers, error));
    return status;
}

/* ---- one step -------------------------------------------------------------------------------- */

/* The largest of the change, in rad and lengths of the system. */
static double size_of(const descent *d)
{
    const rct_statics *s = &d->statics;
    double most = 0.0;
    for (int64_t r = 0; r < s->rates; r++) {
        const double own = fabs(d->change[r]) / rct_statics_unit(s, r);
        most = !(own <= most) ? own : most;
    }
    return most;
}

static double along(const descent *d, const double *gradient)
{
    double sum = 0.0;
    for (int64_t r = 0; r < d->statics.rates; r++) {
        sum += gradient[r] * d->change[r];
    }
    return sum;
}

/* Find the downward change; *bent: how many pivots lost their sign for it, or -1 if there is no
 * such change. */
static rct_status find_change(descent *d, rct_upright upright, int64_t *bent, rct_error *error)
{
    rct_statics *s = &d->statics;
    for (int64_t r = 0; r < s->rates; r++) {
        d->gradient[r] = s->gradient[r];
        d->change[r] = fabs(s->gradient[r]) / rct_statics_unit(s, r);
    }
    const rct_status status = rct_statics_factor_upright(s, upright, d->change, bent, error);
    if (status != RCT_OK) {
        return status;
    }
    rct_statics_solve(s, s->gradient, d->change);
    rct_statics_multipliers(s, d->more);
    const double size = size_of(d), part = size > longest_step ? longest_step / size : 1.0;
    for (int64_t r = 0; r < s->rates; r++) {
        d->change[r] *= -part;
    }
    for (int64_t i = 0; s->rows != NULL && i < s->rows->count; i++) {
        d->more[i] *= part;
    }
    *bent = isfinite(size) && along(d, d->gradient) <= unseen * rct_statics_scale(s) ? *bent : -1;
    return RCT_OK;
}

/* Move the solver by a part of the change; *better: whether that is better. */
static rct_status go(descent *d, double part, int *better, rct_error *error)
{
    rct_statics *s = &d->statics;
    rct_error own = {.status = RCT_OK};
    rct_solver_advance(s->solver, d->from, d->change, part, d->to);
    for (int64_t i = 0; s->rows != NULL && i < s->rows->count; i++) {
        d->then[i] = d->lambda[i] + part * d->more[i];
    }
    int close = 1;
    rct_status status = s->rows != NULL ? close_nearby(d, &close, error) : RCT_OK;
    if (status == RCT_OK && close) {
        status = look_at(d, d->to, d->then, &own);
        d->open = status == RCT_ERROR_LOOP ? own : d->open;
    }
    if (!close || status == RCT_ERROR_LOOP) {
        s->energy = (double)INFINITY;
        *better = 0;
        return RCT_OK;
    }
    if (status != RCT_OK) {
        if (error != NULL && own.status != RCT_OK) {
            *error = own;
        }
        return status;
    }
    if (s->rows != NULL) {
        memcpy(d->to, s->coordinates, (size_t)s->solver->plan->coordinates * sizeof *d->to);
    }
    const double fallen = d->energy - s->energy, slope = part * along(d, d->gradient);
    const int seen = fabs(slope) > unseen * rct_statics_scale(s);
    *better = seen ? fallen > -good_part * slope
                   : fabs(part * along(d, s->gradient)) < fabs(slope) ||
                         rct_statics_residual(s, NULL) < d->residual;
    return RCT_OK;
}

/* The end of a change: the largest part of it at which loops close, and the energy there. None: 0
 * and INFINITY. */
typedef struct trial {
    double part, energy;
} trial;

/* Go along the whole change, or along the largest part that leaves loops closed. */
static rct_status try(descent *d, trial *t, int *better, rct_error *error)
{
    rct_status status = go(d, 1.0, better, error);
    t->part = 1.0;
    while (status == RCT_OK && isinf(d->statics.energy) && t->part > least_part) {
        t->part *= 0.5;
        status = go(d, t->part, better, error);
    }
    t->energy = d->statics.energy;
    return status;
}

/* Take the step if it is Newton's; else find where both matrices lead. */
static rct_status compare(descent *d, int *taken, trial trials[2], rct_error *error)
{
    rct_status status = RCT_OK;
    for (int i = RCT_UPRIGHT_PIVOTS; i <= RCT_UPRIGHT_BODIES && status == RCT_OK && !*taken; i++) {
        int64_t bent = 0;
        int better = 0;
        trials[i] = (trial){0.0, (double)INFINITY};
        status = find_change(d, (rct_upright)i, &bent, error);
        if (status != RCT_OK || bent < 0) {
            continue;
        }
        status = try(d, &trials[i], &better, error);
        *taken = status == RCT_OK && better && bent == 0;
        if (status == RCT_OK && !*taken) {
            status = look_at(d, d->from, d->lambda, error);
        }
    }
    return status;
}

/* Halve the change by one matrix until it is better. */
static rct_status halve(descent *d, rct_upright upright, double part, int *taken, rct_error *error)
{
    int64_t bent = 0;
    rct_status status = find_change(d, upright, &bent, error);
    for (int i = 0; i < MOST_HALVINGS && status == RCT_OK && bent >= 0 && !*taken; i++) {
        if (i > 0 && d->statics.rows != NULL) { /* whose factors close loops */
            status = look_at(d, d->from, d->lambda, error);
            RCT_THEN(status, find_change(d, upright, &bent, error));
        }
        RCT_THEN(status, go(d, ldexp(part, -i), taken, error));
    }
    return status == RCT_OK && !*taken ? look_at(d, d->from, d->lambda, error) : status;
}

/* Take one step; `taken` 0: none is found, and the solver is where it was. */
static rct_status step(descent *d, int *taken, rct_error *error)
{
    trial trials[2];
    d->energy = d->statics.energy;
    d->open.status = RCT_OK;
    *taken = 0;
    rct_status status = compare(d, taken, trials, error);
    const rct_upright lower =
        !*taken && trials[1].energy < trials[0].energy ? RCT_UPRIGHT_BODIES : RCT_UPRIGHT_PIVOTS;
    for (int k = 0; k < 2 && status == RCT_OK && !*taken; k++) {
        const int i = k == 0 ? (int)lower : 1 - (int)lower;
        if (trials[i].part > 0.0) {
            status = halve(d, (rct_upright)i, trials[i].part, taken, error);
        }
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void keep_multipliers(descent *d)
{
    if (d->statics.rows != NULL) {
        memcpy(d->lambda, d->statics.lambda, (size_t)d->statics.rows->count * sizeof *d->lambda);
    }
}

static rct_status descend(descent *d, rct_error *error)
{
    rct_statics *s = &d->statics;
    int taken = 1, stalls = 0;
    rct_status status = RCT_OK;
    d->residual = rct_statics_residual(s, NULL);
    memcpy(d->from, s->coordinates, (size_t)s->solver->plan->coordinates * sizeof *d->from);
    keep_multipliers(d);
    double before = d->residual; /* when it last fell by the factor */
    while (status == RCT_OK && taken && d->residual > resting && d->steps < MOST_STEPS &&
           !(stalls >= MOST_STALLS && before <= stalled) &&
           !(stalls >= MOST_IDLE && rct_statics_rests(d->residual))) {
        status = step(d, &taken, error);
        if (status == RCT_OK && taken) {
            double *last = d->from;
            d->from = d->to;
            d->to = last;
            d->steps++;
            keep_multipliers(d);
            d->residual = rct_statics_residual(s, NULL);
            stalls = d->residual > less * before ? stalls + 1 : 0;
            before = stalls == 0 ? d->residual : before;
        }
    }
    return status;
}

static rct_status fail(const descent *d, rct_error *error)
{
    int32_t body = 0;
    char label[RCT_BODY_LABEL];
    const double residual = rct_statics_residual(&d->statics, &body);
    if (d->open.status != RCT_OK && d->steps < MOST_STEPS) {
        if (error != NULL) {
            *error = d->open;
            rct_error_prefix(error, "no equilibrium found in %d steps, because on the way down ",
                             (int)d->steps);
        }
        return d->open.status;
    }
    return rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                         "no equilibrium found in %d steps: the forces on %s are out of balance by "
                         "%.3g times what its hinge carries; make sure that something holds it, or "
                         "start elsewhere",
                         (int)d->steps,
                         rct_bodies_label(d->statics.solver->plan->bodies, body, label), residual);
}

/* Count the signs of K: a rest that is stable with some multipliers is stable. */
static rct_status count(descent *d, rct_equilibrium *found, rct_error *error)
{
    const double least = rct_statics_least(&d->statics);
    rct_inertia below, above;
    rct_status status = rct_statics_check_springs(&d->statics, error);
    RCT_THEN(status, rct_statics_factor(&d->statics, -least, &below, error));
    RCT_THEN(status, rct_statics_factor(&d->statics, least, &above, error));
    if (status == RCT_OK) {
        found->unstable = below.negative;
        found->indifferent = above.negative - below.negative;
    }
    return status == RCT_OK && found->unstable > 0 ? rct_statics_check_pose(&d->statics, error)
                                                   : status;
}

/* Descend from the start to a state that rests when it is let go; *dependent: whether constraints
 * follow from others there. */
static rct_status seek(descent *d, int *dependent, rct_error *error)
{
    rct_status status = look_at(d, d->start, NULL, error);
    *dependent = status == RCT_OK && rct_statics_dependent(&d->statics) >= 0;
    d->before = d->statics.energy;
    d->steps = 0;
    RCT_THEN(status, descend(d, error));
    /* nothing bounds the multipliers that steps leave on dependent rows */
    d->loose = *dependent || d->steps == 0;
    RCT_THEN(status, rct_statics_let_go(&d->statics, d->lambda, &d->loose, &d->residual, error));
    return status;
}

static rct_status search(descent *d, rct_equilibrium *found, rct_error *error)
{
    rct_solver *solver = d->statics.solver;
    int dependent = 0;
    solver->backend->read_state(solver->run, d->state);
    rct_solver_get_coordinates_inside(solver, d->start, d->change);
    rct_status status = seek(d, &dependent, error);
    if (status == RCT_OK && dependent && !rct_statics_rests(d->residual)) {
        status = seek(d, &dependent, error);
    }
    if (status == RCT_OK && !rct_statics_rests(d->residual)) {
        status = fail(d, error);
    }
    RCT_THEN(status, count(d, found, error));
    if (status == RCT_OK) {
        found->steps = d->steps;
        found->residual = d->residual;
        found->energy = d->before - d->statics.energy;
    } else {
        solver->backend->write_state(solver->run, d->state);
        solver->evaluated = 0;
    }
    return status;
}

rct_status rct_solver_equilibrium_inside(rct_solver *solver, rct_equilibrium *found,
                                         rct_error *error)
{
    descent d = {.steps = 0};
    rct_status status = begin(&d, solver, error);
    RCT_THEN(status, search(&d, found, error));
    rct_statics_end(&d.statics);
    rct_pool_empty(&d.pool);
    return status;
}
