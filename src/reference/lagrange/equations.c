/* Solving a sparse symmetric system to quadruple precision by iterative refinement. The matrix
 * is scaled symmetrically by powers of two (no rounding), starting from the given scales, until
 * the largest entry of every row is about 1, so that masses over many decades and units do no
 * harm. It is factored once in double; residual and solution are in quad, and each correction
 * gains about ten digits. */
#include "reference/lagrange/equations.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

enum { SCALINGS = 8, REFINEMENTS = 50 };

static const double goal = 1e-25;       /* relative correction at which refinement ends           */
static const double acceptable = 1e-20; /* above it the solution is noise                         */

rct_status rct_equations_create(rct_equations *equations, int64_t size, int64_t capacity,
                                rct_pool *pool, rct_error *error)
{
    *equations = (rct_equations){.size = size};
    equations->row = rct_pool_take(pool, capacity, sizeof(int64_t), error);
    equations->column = rct_pool_take(pool, capacity, sizeof(int64_t), error);
    equations->value = rct_pool_take(pool, capacity, sizeof(quad), error);
    equations->right = rct_pool_take(pool, size, sizeof(quad), error);
    equations->sum = rct_pool_take(pool, size, sizeof(quad), error);
    equations->step = rct_pool_take(pool, size, sizeof(double), error);
    equations->scale = rct_pool_take(pool, size, sizeof(double), error);
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

void rct_equations_add(rct_equations *equations, int64_t row, int64_t column, quad value)
{
    if (value != 0) {
        equations->row[equations->count] = row;
        equations->column[equations->count] = column;
        equations->value[equations->count] = value;
        equations->count++;
    }
}

static double power_of_two(double x)
{
    return exp2(nearbyint(log2(x)));
}

/* Give rows without a scale one from their largest entry in columns that have a scale. Returns
 * how many got one. */
static int64_t spread_scales(rct_equations *equations)
{
    double *scale = equations->scale, *largest = equations->step;
    int64_t found = 0;
    memset(largest, 0, (size_t)equations->size * sizeof *largest);
    for (int64_t e = 0; e < equations->count; e++) {
        const int64_t i = equations->row[e];
        const double entry = fabs((double)equations->value[e]) * scale[equations->column[e]];
        largest[i] = scale[i] == 0.0 ? fmax(largest[i], entry) : 0.0;
    }
    for (int64_t i = 0; i < equations->size; i++) {
        if (largest[i] > 0.0) {
            scale[i] = power_of_two(1.0 / largest[i]);
            found++;
        }
    }
    return found;
}

/* Initial scales: the given ones, those that follow from them, else 1. */
static void scale_by_given(rct_equations *equations)
{
    double *scale = equations->scale;
    while (spread_scales(equations) > 0) {
    }
    for (int64_t i = 0; i < equations->size; i++) {
        scale[i] = scale[i] > 0.0 ? scale[i] : 1.0;
        equations->right[i] *= scale[i];
    }
    for (int64_t e = 0; e < equations->count; e++) {
        equations->value[e] *= scale[equations->row[e]];
        equations->value[e] *= scale[equations->column[e]];
    }
}

/* One pass of symmetric scaling by s_i = 2^-k, with 4^k about the largest entry of row i;
 * `scale` collects the product of all passes. */
static void scale_once(rct_equations *equations)
{
    double *step = equations->step;
    memset(step, 0, (size_t)equations->size * sizeof *step);
    for (int64_t e = 0; e < equations->count; e++) {
        const int64_t i = equations->row[e];
        step[i] = fmax(step[i], fabs((double)equations->value[e]));
    }
    for (int64_t i = 0; i < equations->size; i++) {
        step[i] = step[i] > 0.0 ? power_of_two(1.0 / sqrt(step[i])) : 1.0;
        equations->scale[i] *= step[i];
        equations->right[i] *= step[i];
    }
    for (int64_t e = 0; e < equations->count; e++) {
        equations->value[e] *= step[equations->row[e]];
        equations->value[e] *= step[equations->column[e]];
    }
}

/* residual = b - A x, rounded to double only at the end. */
static void subtract_product(const rct_equations *equations, const quad *x, double *residual)
{
    quad *sum = equations->sum;
    memcpy(sum, equations->right, (size_t)equations->size * sizeof *sum);
    for (int64_t e = 0; e < equations->count; e++) {
        sum[equations->row[e]] -= equations->value[e] * x[equations->column[e]];
    }
    for (int64_t i = 0; i < equations->size; i++) {
        residual[i] = (double)sum[i];
    }
}

/* x += dx; returns the largest |dx| over the largest |x|. */
static double correct(int64_t size, const double *dx, quad *x)
{
    double change = 0.0;
    double largest = 0.0;
    for (int64_t i = 0; i < size; i++) {
        x[i] += dx[i];
        /* written so that a NaN stays visible; fmax would hide it */
        change = fabs(dx[i]) <= change ? change : fabs(dx[i]);
        largest = fmax(largest, fabs((double)x[i]));
    }
    return change == 0.0 ? 0.0 : change / largest;
}

static rct_status refine(const rct_equations *equations, rct_factor *factor, quad *x,
                         double *correction, rct_error *error)
{
    double *dx = equations->step;
    rct_status status = RCT_OK;
    double last = INFINITY;
    double now = 1.0;
    for (int k = 0; k < REFINEMENTS && status == RCT_OK && now > goal && now < last; k++) {
        last = k == 0 ? INFINITY : now;
        subtract_product(equations, x, dx);
        status = rct_factor_solve(factor, dx, error);
        now = status == RCT_OK ? correct(equations->size, dx, x) : now;
    }
    *correction = now;
    return status;
}

static rct_status solve_scaled(const rct_equations *equations, rct_factorization factorization,
                               quad *x, double *residual, rct_error *error)
{
    rct_factor factor;
    rct_status status = rct_factor_make(&factor, equations, factorization, error);
    RCT_THEN(status, refine(equations, &factor, x, residual, error));
    if (status == RCT_OK && !(*residual <= acceptable)) {
        status = rct_fail(error, RCT_ERROR_SINGULAR,
                          "the accelerations are undetermined: refining the solution of the "
                          "Lagrangian system stopped at corrections of %.1e; give every body "
                          "inertia about every axis through its hinge point",
                          *residual);
    }
    rct_factor_free(&factor);
    return status;
}

rct_status rct_equations_solve(rct_equations *equations, rct_factorization factorization, quad *x,
                               double *residual, rct_error *error)
{
    const int64_t n = equations->size;
    for (int64_t i = 0; i < n; i++) {
        x[i] = 0;
    }
    scale_by_given(equations);
    for (int pass = 0; pass < SCALINGS; pass++) {
        scale_once(equations);
    }
    const rct_status status = solve_scaled(equations, factorization, x, residual, error);
    for (int64_t i = 0; i < n; i++) {
        x[i] *= equations->scale[i];
    }
    return status;
}
