/* Solves Lambda lambda = -gap by the factors of Lambda, and where Lambda may be singular by those
 * of Lambda + E (admittance.h). E is slightly above rounding, and the same number for all rows of a
 * component, so that it commutes with Lambda:
 *
 *     P = E (Lambda + E)^-1                  is 1 along eigenvectors of s = 0, to rounding over E, and leaves E / (E + s) of
 *                                            others: powers of it are the projection on the null space
 *     (1 - P) x = -(Lambda + E)^-1 gap       by conjugate gradients: all but few eigenvalues s / (E + s) are nearly 1
 *     (1 - P) x = (1 - P) v                  likewise, where powers take long: v - x is the projection
 *
 * The projection removes from the gap the part that cannot be met, and from x the part that exerts
 * nothing. */
#include "closure/admittance.h"

#include "closure/front/front.h"
#include "core/error.h"

#include <math.h>
#include <string.h>

/* Rounding of Lambda over E. */
static const double rounding_of_shift = 1e-4;

/* A hundred times the rounding of Lambda over its scale: lambda may hold more of it than the gap
 * shows. */
static const double rounding_of_scale = 1e-14;

/* An eigenvector belongs to the null space if a power of P takes no more than this part of it: its
 * s is rounding. */
static const double settled = 1e-2;

/* The largest part of a vector that rounding puts back into the null space. */
static const double recurring = 1e-10;

enum { MOST_STEPS = 60, POWERS_AT_ONCE = 5, MOST_ROUNDS = 800, MOST_PASSES = 8 };

static double dot(const double *v, const double *w, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += v[i] * w[i];
    }
    return sum;
}

static double norm(const double *v, int32_t n)
{
    return sqrt(dot(v, v, n));
}

static double distance(const double *v, const double *w, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += (v[i] - w[i]) * (v[i] - w[i]);
    }
    return sqrt(sum);
}

void rct_admittance_respond(rct_admittance *a, const double *b, double *x)
{
    memmove(x, b, (size_t)a->reduced->rows * sizeof *x);
    if (a->reduced->front != NULL) {
        rct_front_solve(a->reduced->front, x);
    } else {
        rct_sparse_system_solve(a->base.system, x);
    }
}

/* out = P v */
static void project(rct_admittance *a, const double *v, double *out)
{
    rct_admittance_respond(a, v, a->right);
    for (int32_t i = 0; i < a->reduced->rows; i++) {
        out[i] = a->shift[i] * a->right[i];
    }
}

static rct_status in_doubt(const rct_admittance *a, rct_error *error)
{
    return rct_fail(error, RCT_ERROR_LOOP,
                    "rounding hides which of the %d constraints of loops depend on others: remove "
                    "redundant loops, or close the loops by multipliers",
                    (int)a->reduced->rows);
}

/* v' = v + factor w */
static void add(double *v, double factor, const double *w, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        v[i] += factor * w[i];
    }
}

/* Solve (1 - P) x = rest, until a last step x' = x + r leaves of the rest r only P r that is lost
 * in rounding. Returns 0 if a whole direction that is left belongs to the null space. `left`: the
 * part that P leaves of the first direction, E / s of the least s met. */
static int iterate(rct_admittance *a, double *rest, double *x, double *left)
{
    const int32_t rows = a->reduced->rows;
    double *along = a->along, *change = a->next;
    int regular = 1;
    memcpy(along, rest, (size_t)rows * sizeof *along);
    memset(x, 0, (size_t)rows * sizeof *x);
    double size = dot(rest, rest, rows), before = INFINITY;
    *left = 0.0;
    for (int k = 0; k < MOST_STEPS && size > 0.0; k++) {
        project(a, along, change);
        const double length = dot(along, along, rows);
        const double remains = sqrt(dot(change, change, rows) / length);
        const double met = length - dot(along, change, rows);
        *left = k == 0 ? remains : *left;
        regular = met > settled * length;
        if (!regular || size > before) {
            break;
        }
        const double step = size / met;
        add(x, step, along, rows);
        add(rest, -step, along, rows);
        add(rest, step, change, rows);
        before = size;
        size = dot(rest, rest, rows);
        if (remains * sqrt(size) <= 1e-15 * norm(x, rows)) {
            break;
        }
        for (int32_t i = 0; i < rows; i++) {
            along[i] = rest[i] + size / before * along[i];
        }
    }
    add(x, 1.0, rest, rows);
    return regular;
}

/* Take from v what is not in the null space, by conjugate gradients. */
static void take_range(rct_admittance *a, double *v)
{
    const int32_t rows = a->reduced->rows;
    double left;
    project(a, v, a->rest);
    for (int32_t i = 0; i < rows; i++) {
        a->rest[i] = v[i] - a->rest[i];
    }
    (void)iterate(a, a->rest, a->part, &left);
    add(v, -1.0, a->part, rows);
}

/* Takes powers of P until they change only rounding, or nothing is left. */
rct_status rct_admittance_null_part(rct_admittance *a, const double *v, double *out,
                                    rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    const double whole = norm(v, rows);
    double size = whole;
    project(a, v, out);
    for (int round = 0; round < MOST_ROUNDS && !(size > 2.0 * whole); round++) {
        double before = INFINITY;
        for (int k = 0; k < POWERS_AT_ONCE; k++) {
            size = norm(out, rows);
            if (!(size > 1e-15 * whole)) {
                memset(out, 0, (size_t)rows * sizeof *out);
                return RCT_OK;
            }
            project(a, out, a->next);
            const double change = distance(a->next, out, rows);
            memcpy(out, a->next, (size_t)rows * sizeof *out);
            if (change <= 1e-15 * size ||
                (change <= settled * size && change >= (1.0 - settled) * before)) {
                return RCT_OK;
            }
            before = change;
        }
        /* otherwise the null space itself changes */
        if (before > 10.0 * rounding_of_shift * size) {
            take_range(a, out);
        }
    }
    return in_doubt(a, error);
}

/* Move the part of v in the null space to `taken`, until no more is found or the part found is
 * rounding. */
static rct_status remove_null(rct_admittance *a, double *v, double *taken, rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    const double whole = norm(v, rows);
    double before = INFINITY;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        const rct_status status = rct_admittance_null_part(a, v, a->null, error);
        if (status != RCT_OK) {
            return status;
        }
        for (int32_t i = 0; i < rows; i++) {
            v[i] -= a->null[i];
            taken[i] += a->null[i];
        }
        const double size = norm(a->null, rows);
        if (!(size > 1e-13 * whole) || (size <= recurring * whole && size > 0.1 * before)) {
            return RCT_OK;
        }
        before = size;
    }
    return in_doubt(a, error);
}

/* The error of lambda by rounding of Lambda, in components without E, for a gap of length
 * `whole`. */
static double doubt_plainly(const rct_admittance *a, double whole, const double *lambda)
{
    const rct_admittance_components *c = &a->components;
    double square = 0.0;
    for (int32_t i = 0; i < a->reduced->rows; i++) {
        const int32_t component = c->of_row[i];
        const double moves = c->doubted[component] ? 0.0 : c->scale[component] * lambda[i];
        square += moves * moves;
    }
    return whole > 0.0 ? rounding_of_scale * sqrt(square) / whole : 0.0;
}

/* x = -Lambda^-1 gap by way of E, and its error by rounding; returns 0 if a part of the gap that is
 * left belongs to the null space. */
static int close_regularly(rct_admittance *a, double *x)
{
    const double whole = norm(a->gap, a->reduced->rows);
    double left;
    rct_admittance_respond(a, a->gap, a->rest);
    for (int32_t i = 0; i < a->reduced->rows; i++) {
        a->rest[i] = -a->rest[i];
    }
    const int regular = iterate(a, a->rest, x, &left);
    a->doubt = fmax(rounding_of_shift * left, doubt_plainly(a, whole, x));
    return regular;
}

rct_status rct_admittance_proximal(rct_admittance *a, const double *gap, double *lambda,
                                   double *left, rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    double *x = a->x;
    if (a->rank == 0) { /* hinges hold everything that rows would */
        memmove(left, gap, (size_t)rows * sizeof *left);
        memset(lambda, 0, (size_t)rows * sizeof *lambda);
        a->doubt = 0.0;
        return RCT_OK;
    }
    memset(left, 0, (size_t)rows * sizeof *left);
    if (a->plain) { /* then what is left of the gap shows the error */
        rct_admittance_respond(a, gap, lambda);
        for (int32_t i = 0; i < rows; i++) {
            lambda[i] = -lambda[i];
        }
        return RCT_OK;
    }
    memcpy(a->gap, gap, (size_t)rows * sizeof *gap);
    if (a->rank == rows && close_regularly(a, x)) {
        memcpy(lambda, x, (size_t)rows * sizeof *x);
        return RCT_OK;
    }
    memcpy(a->gap, gap, (size_t)rows * sizeof *gap);
    const rct_status status = remove_null(a, a->gap, left, error);
    if (status != RCT_OK) {
        return status;
    }
    (void)close_regularly(a, x);
    memcpy(lambda, x, (size_t)rows * sizeof *x);
    return remove_null(a, lambda, x, error); /* `x` takes the part that exerts nothing */
}
