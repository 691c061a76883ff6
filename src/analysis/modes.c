/* The least modes about rest, K x = lambda M x with lambda = omega^2 (statics.h has K). Signs of
 * the factors of K - shift M count the lambda below a shift. So eigenvalues 0, of which a chain on
 * ball hinges has one per body, are stepped over; shifts are put close below the wanted
 * eigenvalues; and the modes found are checked against their count.
 *
 * For a vector x at a shift s, with y = (K - s M)^-1 M x, the eigenvalue is s + 1 / theta, theta =
 * x . M y / x . M x. It has the digits that x . K x loses by adding up large numbers. |y - theta x|
 * / theta in the norm of M bounds its error as a fraction of lambda - s. */
#include "analysis/analysis.h"
#include "analysis/eigensolver.h"
#include "analysis/statics.h"

#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors beyond the wanted ones, so that the last of a group of equal eigenvalues is found; and
 * how often they are doubled. */
enum { MORE_VECTORS = 4, MOST_TRIES = 4 };

/* Eigenvalues with a larger error do not count as found; below an eigenvalue by this fraction, its
 * equals are not counted. */
static const double converged = 1e-6, below_equals = 1e-6;

typedef struct mode {
    double square, residual;
    int64_t at; /* its vector */
} mode;

typedef struct search {
    rct_statics statics;
    const rct_eigensolver *solver;
    double shift; /* of the factors */
    rct_pool pool;
    double *Mx, *y, *My; /* [rates] */
} search;

static void solve(void *context, const double *x, double *y)
{
    rct_statics_solve(&((search *)context)->statics, x, y);
}

static void times_mass(void *context, const double *x, double *y)
{
    rct_operator_mass(((search *)context)->statics.sweeps, 1, x, y);
}

/* Factor at a shift; returns how many eigenvalues lie below or at it. */
static int64_t count_below(search *s, double shift)
{
    rct_inertia signs;
    s->shift = shift;
    (void)rct_statics_factor(&s->statics, shift, &signs, NULL); /* the first call made the room */
    return signs.negative + signs.zero;
}

/* ---- a state of rest ------------------------------------------------------------------------- */

static rct_status check_rates(const search *s, rct_error *error)
{
    const rct_solver *solver = s->statics.solver;
    rct_solver_get_coordinates_inside(solver, NULL, s->y);
    for (int32_t b = 0; b < solver->plan->body_count; b++) {
        for (int64_t r = s->statics.tree->first[b]; r < s->statics.tree->first[b + 1]; r++) {
            if (s->y[r] != 0.0) {
                char label[RCT_BODY_LABEL];
                return rct_fail_body(error, RCT_ERROR_ARGUMENT, b,
                                     "%s moves: modes need a state of rest; find the "
                                     "equilibrium first (`modes --about equilibrium`), or set all "
                                     "rates to 0",
                                     rct_bodies_label(solver->plan->bodies, b, label));
            }
        }
    }
    return RCT_OK;
}

static rct_status check_rest(const search *s, rct_error *error)
{
    int32_t body = 0;
    char label[RCT_BODY_LABEL];
    const double residual = rct_statics_residual(&s->statics, &body);
    return rct_statics_rests(residual)
               ? RCT_OK
               : rct_fail_body(error, RCT_ERROR_ARGUMENT, body,
                               "this is not a state of rest: the forces on %s are out of balance "
                               "by %.3g times what its hinge carries; modes need a state of rest: "
                               "find the equilibrium first (`modes --about equilibrium`)",
                               rct_bodies_label(s->statics.solver->plan->bodies, body, label),
                               residual);
}

static rct_status open_solver(search *s, rct_error *error)
{
    const int32_t identity[] = RCT_EIGENSOLVER_IDENTITY;
    const char *reason = NULL;
    s->solver = rct_plugin_open("arpack", identity, RCT_PLUGIN_LOCAL, &reason);
    return s->solver != NULL ? RCT_OK
                             : rct_fail(error, RCT_ERROR_UNSUPPORTED,
                                        "modes need ARPACK, which is not available: %s; build with "
                                        "ARPACK (install libarpack2-dev)",
                                        reason);
}

static rct_status begin(search *s, rct_solver *solver, int32_t count, rct_error *error)
{
    const int64_t one = sizeof(double);
    rct_inertia first;
    s->pool.what = "modes";
    rct_status status = rct_statics_begin(&s->statics, solver,
                                          "modes need forces that all have a potential", error);
    if (status != RCT_OK) {
        return status;
    }
    s->Mx = rct_pool_take(&s->pool, s->statics.rates, one, error);
    s->y = rct_pool_take(&s->pool, s->statics.rates, one, error);
    s->My = rct_pool_take(&s->pool, s->statics.rates, one, error);
    status = s->pool.failed ? RCT_ERROR_MEMORY : check_rates(s, error);
    RCT_THEN(status, rct_statics_look(&s->statics, NULL, error));
    RCT_THEN(status, rct_statics_check_closed(&s->statics, error));
    RCT_THEN(status, rct_statics_check_springs(&s->statics, error));
    RCT_THEN(status, rct_statics_check_cables(&s->statics, error));
    RCT_THEN(status, rct_statics_check_pose(&s->statics, error));
    RCT_THEN(status, check_rest(s, error));
    RCT_THEN(status, rct_statics_factor(&s->statics, 0.0, &first, error));
    RCT_THEN(status, count > 0 ? open_solver(s, error) : RCT_OK);
    return status;
}

/* ---- one group: the `wanted` eigenvalues next above a shift ---------------------------------- */

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The eigenvalue of a vector and its error; scales the vector to x . M x = 1, with its largest
 * number positive. */
static mode judge(search *s, double *x, int64_t at)
{
    const int64_t n = s->statics.rates;
    double largest = 0.0, off = 0.0;
    times_mass(s, x, s->Mx);
    for (int64_t i = 0; i < n; i++) {
        largest = fabs(x[i]) > fabs(largest) ? x[i] : largest;
    }
    const double scale = copysign(1.0 / sqrt(dot(x, s->Mx, n)), largest);
    for (int64_t i = 0; i < n; i++) {
        x[i] *= scale;
        s->Mx[i] *= scale;
    }
    solve(s, s->Mx, s->y);
    const double theta = dot(s->Mx, s->y, n);
    for (int64_t i = 0; i < n; i++) {
        s->y[i] -= theta * x[i];
    }
    times_mass(s, s->y, s->My);
    off = sqrt(fmax(0.0, dot(s->y, s->My, n))) / fabs(theta);
    return (mode){.square = s->shift + 1.0 / theta, .residual = off, .at = at};
}

static int by_square(const void *a, const void *b)
{
    const double x = ((const mode *)a)->square, y = ((const mode *)b)->square;
    return (x > y) - (x < y);
}

/* The `wanted` eigenvalues next above the shift of the factors, with `most` above and `below` below
 * it; and where they go. */
typedef struct group {
    int32_t wanted;
    int64_t below, most;
    double *square, *shape; /* `shape` NULL: not asked for */
} group;

/* The error of the wanted eigenvalues; INFINITY if their number does not fit the count below the
 * last one. Factors at the shift again. */
static double miss(search *s, const group *g, const mode *modes)
{
    const double shift = s->shift, last = modes[g->wanted - 1].square;
    const double just_below = last - below_equals * (last - shift);
    int32_t found = 0;
    while (found < g->wanted && modes[found].square < just_below) {
        found++;
    }
    const int64_t there = count_below(s, just_below) - g->below;
    count_below(s, shift);
    double off = there == found ? 0.0 : (double)INFINITY;
    for (int32_t k = 0; k < g->wanted; k++) {
        off = !(modes[k].residual <= off) ? modes[k].residual : off;
    }
    return off;
}

static void give(const search *s, const group *g, const mode *modes, const double *vectors,
                 rct_modes *found)
{
    const int64_t n = s->statics.rates;
    for (int32_t k = 0; k < g->wanted; k++) {
        g->square[k] = modes[k].square;
        found->largest = fmax(found->largest, modes[k].residual);
        if (g->shape != NULL) {
            memcpy(g->shape + k * n, vectors + modes[k].at * n, (size_t)n * sizeof *g->shape);
        }
    }
    found->found += g->wanted;
}

/* Try with `tried` vectors; *off is their error. If they serve they are given. */
static rct_status attempt(search *s, const group *g, int32_t tried, rct_modes *found, double *off,
                          rct_error *error)
{
    const int64_t n = s->statics.rates;
    const rct_pencil pencil = {.n = n, .context = s, .solve = solve, .mass = times_mass};
    rct_pool pool = {.what = "modes"};
    double *vectors = rct_pool_take(&pool, (int64_t)tried * n, sizeof *vectors, error);
    mode *modes = rct_pool_take(&pool, tried, sizeof *modes, error);
    const rct_status status =
        pool.failed ? RCT_ERROR_MEMORY : s->solver->next_above(&pencil, tried, vectors, error);
    if (status == RCT_OK) {
        for (int32_t k = 0; k < tried; k++) {
            modes[k] = judge(s, vectors + k * n, k);
        }
        qsort(modes, (size_t)tried, sizeof *modes, by_square);
        *off = miss(s, g, modes);
    }
    if (status == RCT_OK && *off <= converged) {
        give(s, g, modes, vectors, found);
    }
    rct_pool_empty(&pool);
    return status;
}

static rct_status find_group(search *s, const group *g, rct_modes *found, rct_error *error)
{
    double off = g->wanted == 0 ? 0.0 : (double)INFINITY;
    rct_status status = RCT_OK;
    int64_t more = MORE_VECTORS;
    for (int i = 0; i < MOST_TRIES && !(off <= converged) && status == RCT_OK; i++, more *= 4) {
        const int64_t tried = g->wanted + more < g->most ? g->wanted + more : g->most;
        status = attempt(s, g, (int32_t)tried, found, &off, error);
    }
    if (status != RCT_OK || off <= converged) {
        return status;
    }
    return isinf(off)
               ? rct_fail(
                     error, RCT_ERROR_DIVERGED,
                     "not all of %" PRId32
                     " modes are found: the signs of the factors show more eigenvalues above %.6g "
                     "1/s^2 than the search found vectors for; ask for more or fewer modes",
                     g->wanted, s->shift)
               : rct_fail(error, RCT_ERROR_DIVERGED,
                          "of %" PRId32
                          " modes above %.6g 1/s^2, some are off by %.2g of their omega^2: the "
                          "eigenvalues are too many powers of ten apart; ask for fewer modes",
                          g->wanted, s->shift, off);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Shifts keep away from wanted eigenvalues by a good fraction: at an eigenvalue nothing could be
 * solved. */
static const double apart = 0.7;

/* Factor at a shift below all eigenvalues, but close. */
static void shift_below_all(search *s, double least)
{
    double shift = -2.0 * least;
    while (count_below(s, shift) > 0 && isfinite(shift)) {
        shift *= 2.0;
    }
    count_below(s, shift / apart);
}

/* Factor at a shift above `below` eigenvalues, close below the next one, which exists. */
static void shift_above(search *s, double least, int64_t below)
{
    double shift = least;
    while (count_below(s, 2.0 * shift) == below && isfinite(shift)) {
        shift *= 2.0;
    }
    count_below(s, fmax(least, apart * shift));
}

static rct_status find(search *s, int32_t count, double *square, double *shape, rct_modes *found,
                       rct_error *error)
{
    const int64_t n = s->statics.rates, freedoms = rct_statics_freedoms(&s->statics);
    const double least = rct_statics_least(&s->statics);
    found->unstable = count_below(s, -least);
    found->indifferent = count_below(s, least) - found->unstable;
    const int64_t below = found->unstable + found->indifferent, rest = freedoms - below;
    const int32_t growing = (int32_t)(count < found->unstable ? count : found->unstable);
    const int32_t others = (int32_t)(count - growing < rest ? count - growing : rest);
    rct_status status = RCT_OK;
    if (growing > 0) {
        shift_below_all(s, least);
        const group g = {growing, 0, freedoms, square, shape};
        status = find_group(s, &g, found, error);
    }
    if (status == RCT_OK && others > 0) {
        shift_above(s, least, below);
        const group g = {others, below, rest, square + growing,
                         shape != NULL ? shape + growing * n : NULL};
        status = find_group(s, &g, found, error);
    }
    for (int32_t k = found->found; k < count && status == RCT_OK; k++) {
        square[k] = (double)NAN;
        for (int64_t r = 0; r < n && shape != NULL; r++) {
            shape[k * n + r] = (double)NAN;
        }
    }
    return status;
}

rct_status rct_solver_modes_inside(rct_solver *solver, int32_t count, double *square, double *shape,
                                   rct_modes *modes, rct_error *error)
{
    search s = {.shift = 0.0};
    rct_status status = begin(&s, solver, count, error);
    RCT_THEN(status, find(&s, count, square, shape, modes, error));
    rct_pool_empty(&s.pool);
    rct_statics_end(&s.statics);
    return status;
}
