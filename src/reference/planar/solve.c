/* The equations of seed 003, 48 and 55, or with closed loops 61 and 63, by blocks. M is
 * symmetric and positive definite if accelerations are determined, and then so is C M^-1 C^T if
 * the constraints are independent,
 *
 *     M = L D L^T,  C M^-1 C^T lambda = C M^-1 Q - Q_c,  z.. = M^-1 (Q - C^T lambda)
 *
 * in quadruple precision, and once more for the residual. Reference point accelerations are eq. 22. */
#include "reference/planar/planar.h"

#include "core/error.h"

#include <inttypes.h>
#include <string.h>

/* Relative to the initial value of a diagonal entry. Constraints that are redundant except for
 * the rounding of data leave the square of that rounding, 1e-32. */
static const double least_pivot = 1e-22;

typedef struct factors {
    int64_t n, m;
    quad *M;     /* [n][n] L below, D on the diagonal     */
    quad *S;     /* [m][m] the same of C M^-1 C^T         */
    quad *W;     /* [m][n] rows M^-1 C^T                  */
    quad *right; /* [n] and [m] right-hand sides, which   */
    quad *bound; /* become z.. and lambda                 */
    rct_pool pool;
} factors;

/* a = L D L^T in place, row by row; returns the row whose pivot vanishes, or -1. */
static int64_t factor(quad *a, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        quad *row = a + i * n;
        const quad before = row[i];
        for (int64_t j = 0; j < i; j++) {
            for (int64_t k = 0; k < j; k++) {
                row[j] -= row[k] * a[j * n + k];
            }
        }
        for (int64_t j = 0; j < i; j++) {
            const quad scaled = row[j];
            row[j] = scaled / a[j * n + j];
            row[i] -= scaled * row[j];
        }
        if (!(row[i] > least_pivot * before)) {
            return i;
        }
    }
    return -1;
}

static void substitute(const quad *a, int64_t n, quad *x)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++) {
            x[i] -= a[i * n + k] * x[k];
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        x[i] /= a[i * n + i];
        for (int64_t k = i + 1; k < n; k++) {
            x[i] -= a[k * n + i] * x[k];
        }
    }
}

static quad dot(const quad *a, const quad *b, int64_t n)
{
    quad sum = 0;
    for (int64_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static int make_factors(factors *f, const rct_planar_state *state, rct_error *error)
{
    const int64_t n = state->n_c, m = state->constraints;
    *f = (factors){.n = n, .m = m, .pool = {.what = "planar equations"}};
    f->M = rct_pool_take(&f->pool, n * n, sizeof *f->M, error);
    f->S = rct_pool_take(&f->pool, m * m, sizeof *f->S, error);
    f->W = rct_pool_take(&f->pool, m * n, sizeof *f->W, error);
    f->right = rct_pool_take(&f->pool, n, sizeof *f->right, error);
    f->bound = rct_pool_take(&f->pool, m, sizeof *f->bound, error);
    return !f->pool.failed;
}

static rct_status fail_closure(rct_planar_state *state, int64_t row, rct_error *error)
{
    const rct_planar_system *system = state->system;
    int32_t k = 0;
    for (; row >= rct_planar_constraints(system->closure[k].type); k++) {
        row -= rct_planar_constraints(system->closure[k].type);
    }
    state->dependent = k;
    return rct_fail(error, RCT_ERROR_SINGULAR,
                    "closure %" PRId32
                    ": its constraints depend on those before it, or the mechanism is in a "
                    "singular position; leave redundant closures out",
                    k);
}

static rct_status make(factors *f, rct_planar_state *state, rct_error *error)
{
    memcpy(f->M, state->M, (size_t)(f->n * f->n) * sizeof *f->M);
    memcpy(f->W, state->C_z, (size_t)(f->m * f->n) * sizeof *f->W);
    int64_t singular = factor(f->M, f->n);
    if (singular >= 0) {
        const int32_t body = state->column[singular].body;
        return rct_fail_body(error, RCT_ERROR_SINGULAR, body,
                             "body %" PRId32
                             ": the acceleration of its joint is undetermined; give inertia about "
                             "the joint to the bodies that it carries",
                             body);
    }
    for (int64_t r = 0; r < f->m; r++) {
        substitute(f->M, f->n, f->W + r * f->n);
        for (int64_t c = 0; c <= r; c++) {
            f->S[r * f->m + c] = dot(f->W + r * f->n, state->C_z + c * f->n, f->n);
        }
    }
    singular = factor(f->S, f->m);
    return singular >= 0 ? fail_closure(state, singular, error) : RCT_OK;
}

/* The residuals of right and bound: Q - M z.. - C^T lambda and Q_c - C z.. */
static void find_residuals(factors *f, const rct_planar_state *state)
{
    const int64_t n = f->n;
    memcpy(f->right, state->Q, (size_t)n * sizeof *f->right);
    memcpy(f->bound, state->Q_c, (size_t)f->m * sizeof *f->bound);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < n; k++) {
            f->right[i] -= state->M[i > k ? i * n + k : k * n + i] * state->z_ddot[k];
        }
    }
    for (int64_t r = 0; r < f->m; r++) {
        f->bound[r] -= dot(state->C_z + r * n, state->z_ddot, n);
        for (int64_t i = 0; i < n; i++) {
            f->right[i] -= state->C_z[r * n + i] * state->lambda[r];
        }
    }
}

/* Add the solution for the residuals; returns its size relative to the sum. */
static quad correct(factors *f, rct_planar_state *state)
{
    quad largest = 0, correction = 0;
    find_residuals(f, state);
    substitute(f->M, f->n, f->right);
    for (int64_t r = 0; r < f->m; r++) {
        f->bound[r] = dot(state->C_z + r * f->n, f->right, f->n) - f->bound[r];
    }
    substitute(f->S, f->m, f->bound);
    for (int64_t r = 0; r < f->m; r++) {
        state->lambda[r] += f->bound[r];
        for (int64_t i = 0; i < f->n; i++) {
            f->right[i] -= f->W[r * f->n + i] * f->bound[r];
        }
    }
    for (int64_t i = 0; i < f->n; i++) {
        state->z_ddot[i] += f->right[i];
        const quad size = quad_abs(state->z_ddot[i]), step = quad_abs(f->right[i]);
        largest = size > largest ? size : largest;
        correction = step > correction ? step : correction;
    }
    return largest > 0 ? correction / largest : 0;
}

static rct_status solve(rct_planar_state *state, rct_error *error)
{
    factors f;
    const rct_status status =
        make_factors(&f, state, error) ? make(&f, state, error) : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        memset(state->z_ddot, 0, (size_t)f.n * sizeof *state->z_ddot);
        memset(state->lambda, 0, (size_t)f.m * sizeof *state->lambda);
        correct(&f, state);
        state->residual = correct(&f, state);
        for (int64_t row = 0; row < 3 * state->system->n_b; row++) {
            state->q_ddot[row] = state->bias[row] + dot(state->V + row * f.n, state->z_ddot, f.n);
        }
    }
    rct_pool_empty(&f.pool);
    return status;
}

rct_status rct_planar_evaluate(int which, rct_planar_state *state, rct_error *error)
{
    rct_status status = RCT_OK;
    if (which == 1) {
        rct_semi_recursive_1(state);
    } else {
        status = rct_semi_recursive_2(state, error);
    }
    if (status == RCT_OK) {
        rct_planar_close(state, NULL);
        status = solve(state, error);
    }
    return status;
}
