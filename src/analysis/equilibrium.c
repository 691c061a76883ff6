/* Rest from any start, in O(n) a step: descent of the potential energy by
 *
 *     P change = -gradient
 *
 * P being the tangent stiffness K where all its pivots are positive, which makes it Newton's method. Where they are not, P is made
 * of K by taking signs off: of its pivots, whose hinges go away from where the energy is largest, or of what each body has of it, as if
 * it were a pendulum by itself; the step is the one that ends lower. No pivot is smaller than the gradient there, so that no hinge goes
 * further than by about 1 rad, and steps are halved until the energy falls; where that is below what rounding lets be seen, until the
 * slope along the step does. */
#include "analysis/analysis.h"
#include "analysis/statics.h"

#include "core/error.h"
#include "core/rotation.h"

#include <math.h>
#include <string.h>

/* Steps at most; of how many in turn the residual may stall; how often one is halved. */
enum { MOST_STEPS = 2000, MOST_STALLS = 2, MOST_HALVINGS = 40 };

/* The longest step, in rad and lengths of the system; what the energy must fall by, of what its slope
 * says; energies that change by less of their size cannot be seen to. */
static const double longest_step = 1.0, good_part = 1e-4, unseen = 1e-11;

/* A start of such a residual rests; one that no longer halves is rounding, if it is as small as this. */
static const double resting = 1e-14, stalled = 1e-9, less = 0.5;

typedef struct descent {
    rct_statics statics;
    rct_pool pool;
    double *start, *start_rates; /* of the solver, to go back to         */
    double *from, *to, *still;   /* coordinates of a step; no rates      */
    double *change, *gradient;   /* [rates] of the step; where it starts */
    double energy;               /* J, where the step starts             */
    int32_t steps;
} descent;

static rct_status begin(descent *d, rct_solver *solver, rct_error *error)
{
    const int64_t positions = solver->plan->coordinates, rates = solver->plan->freedoms;
    const int64_t one = sizeof(double);
    d->pool.what = "the search for rest";
    const rct_status status = rct_statics_begin(
        &d->statics, solver, "rest is sought where all forces have a potential", error);
    if (status != RCT_OK) {
        return status;
    }
    d->start = rct_pool_take(&d->pool, positions, one, error);
    d->start_rates = rct_pool_take(&d->pool, rates, one, error);
    d->from = rct_pool_take(&d->pool, positions, one, error);
    d->to = rct_pool_take(&d->pool, positions, one, error);
    d->still = rct_pool_take(&d->pool, rates, one, error);
    d->change = rct_pool_take(&d->pool, rates, one, error);
    d->gradient = rct_pool_take(&d->pool, rates, one, error);
    return d->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Have the solver at coordinates q, and look. */
static rct_status look_at(descent *d, const double *q, rct_error *error)
{
    rct_status status = rct_solver_write_coordinates(d->statics.solver, q, d->still, error);
    RCT_THEN(status, rct_statics_look(&d->statics, error));
    return status;
}

/* ---- one step ------------------------------------------------------------------------------------ */

/* What a coordinate is counted in, 1 rad or a length of the system. */
static double unit_of(const rct_statics *s, int64_t rate)
{
    const double *turn = s->tree->H + 6 * rate;
    return rct_dot(turn, turn) > 0.0 ? 1.0 : s->length;
}

/* The largest of the change, in these. */
static double size_of(const descent *d)
{
    const rct_statics *s = &d->statics;
    double most = 0.0;
    for (int64_t r = 0; r < s->rates; r++) {
        const double own = fabs(d->change[r]) / unit_of(s, r);
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

/* J: what the energy is seen by. */
static double energy_scale(const rct_statics *s)
{
    double sum = 0.0;
    for (int64_t r = 0; r < s->rates; r++) {
        sum += s->carried[r];
    }
    return sum;
}

/* The change that goes down; gives how many pivots were bent for that, or -1 if it is none. */
static int64_t find_change(descent *d, rct_upright upright)
{
    rct_statics *s = &d->statics;
    for (int64_t r = 0; r < s->rates; r++) {
        d->gradient[r] = s->gradient[r];
        d->change[r] = fabs(s->gradient[r]) / unit_of(s, r);
    }
    const int64_t bent = rct_stiffness_factor_upright(s->stiffness, upright, d->change);
    rct_stiffness_solve(s->stiffness, s->gradient, d->change);
    const double size = size_of(d), part = size > longest_step ? longest_step / size : 1.0;
    for (int64_t r = 0; r < s->rates; r++) {
        d->change[r] *= -part;
    }
    return isfinite(size) ? bent : -1;
}

/* Have the solver go a part of the change; whether that is better. */
static rct_status go(descent *d, double part, int *better, rct_error *error)
{
    const rct_statics *s = &d->statics;
    rct_solver_advance(s->solver, d->from, d->change, part, d->to);
    const rct_status status = look_at(d, d->to, error);
    const double fallen = d->energy - s->energy, slope = part * along(d, d->gradient);
    const int seen = fabs(slope) > unseen * energy_scale(s);
    *better = seen ? fallen > -good_part * slope : fabs(part * along(d, s->gradient)) <= -slope;
    return status;
}

/* Take the whole step if it is Newton's; else find by which matrix it ends lower. */
static rct_status compare(descent *d, int *taken, rct_upright *lower, rct_error *error)
{
    double lowest = INFINITY;
    rct_status status = RCT_OK;
    for (int i = RCT_UPRIGHT_PIVOTS; i <= RCT_UPRIGHT_BODIES && status == RCT_OK && !*taken; i++) {
        const int64_t bent = find_change(d, (rct_upright)i);
        int better = 0;
        if (bent < 0) {
            continue;
        }
        status = go(d, 1.0, &better, error);
        *taken = status == RCT_OK && better && bent == 0;
        if (status == RCT_OK && !*taken) {
            *lower = d->statics.energy < lowest ? (rct_upright)i : *lower;
            lowest = fmin(lowest, d->statics.energy);
            status = look_at(d, d->from, error);
        }
    }
    return status;
}

/* Take one; `taken` 0: none is found, and the solver is where it was. */
static rct_status step(descent *d, int *taken, rct_error *error)
{
    rct_upright lower = RCT_UPRIGHT_BODIES;
    d->energy = d->statics.energy;
    *taken = 0;
    rct_status status = compare(d, taken, &lower, error);
    if (status != RCT_OK || *taken || find_change(d, lower) < 0) {
        return status;
    }
    for (int i = 0; i < MOST_HALVINGS && status == RCT_OK && !*taken; i++) {
        status = go(d, ldexp(1.0, -i), taken, error);
    }
    return status == RCT_OK && !*taken ? look_at(d, d->from, error) : status;
}

/* ---- all ------------------------------------------------------------------------------------------- */

static rct_status descend(descent *d, double *residual, rct_error *error)
{
    rct_statics *s = &d->statics;
    int taken = 1, stalls = 0;
    rct_status status = rct_statics_look(s, error);
    *residual = status == RCT_OK ? rct_statics_residual(s, NULL) : 0.0;
    memcpy(d->from, s->coordinates, (size_t)s->solver->plan->coordinates * sizeof *d->from);
    while (status == RCT_OK && taken && *residual > resting && stalls < MOST_STALLS &&
           d->steps < MOST_STEPS) {
        const double before = *residual;
        status = step(d, &taken, error);
        if (status == RCT_OK && taken) {
            double *last = d->from;
            d->from = d->to;
            d->to = last;
            d->steps++;
            *residual = rct_statics_residual(s, NULL);
            stalls = before <= stalled && *residual > less * before ? stalls + 1 : 0;
        }
    }
    return status;
}

static rct_status fail(const descent *d, rct_error *error)
{
    int32_t body = 0;
    char label[RCT_BODY_LABEL];
    const double residual = rct_statics_residual(&d->statics, &body);
    return rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                         "no equilibrium found in %d steps: at %s forces of %.3g of what its hinge "
                         "carries are left over; see that something holds it, or start elsewhere",
                         (int)d->steps,
                         rct_bodies_label(d->statics.solver->plan->bodies, body, label), residual);
}

/* What the signs of K tell. */
static void count(descent *d, rct_equilibrium *found)
{
    const double least = rct_statics_least(&d->statics);
    found->unstable = rct_stiffness_factor(d->statics.stiffness, -least).negative;
    found->indifferent =
        rct_stiffness_factor(d->statics.stiffness, least).negative - found->unstable;
}

static rct_status search(descent *d, rct_equilibrium *found, rct_error *error)
{
    double before;
    rct_solver *solver = d->statics.solver;
    rct_solver_get_coordinates_inside(solver, d->start, d->start_rates);
    rct_status status = look_at(d, d->start, error);
    before = d->statics.energy;
    RCT_THEN(status, descend(d, &found->residual, error));
    if (status == RCT_OK && !rct_statics_rests(found->residual)) {
        status = fail(d, error);
    }
    if (status == RCT_OK) {
        found->steps = d->steps;
        found->energy = before - d->statics.energy;
        count(d, found);
    } else {
        rct_solver_write_coordinates(solver, d->start, d->start_rates, NULL);
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
