/* The classical Runge-Kutta step on the public interface (plain_rk4.h). */
#include "tests/support/answers/plain_rk4.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int64_t count)
{
    double *v = calloc((size_t)count, sizeof *v);
    assert_non_null(v);
    return v;
}

/* out = m v, or m^T v */
static void turn(const double q[4], int back, const double v[3], double out[3])
{
    const double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w = back ? -q[0] : q[0], *u = q + 1;
    for (int i = 0; i < 3; i++) { /* v + s (w u x v + u x (u x v)) */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        out[i] = v[i] + s * (w * (u[j] * v[k] - u[k] * v[j]) + u[i] * dot - v[i] * square);
    }
}

void plain_motion_get(const rct_solver *solver, int32_t n, double *x)
{
    double *q = numbers(4 * (int64_t)n), *w = numbers(3 * (int64_t)n);
    rct_solver_get_state(solver, q, w, NULL, NULL);
    for (int64_t b = 0; b < n; b++) {
        memcpy(x + PLAIN_ROW * b, q + 4 * b, 4 * sizeof *x);
        turn(q + 4 * b, 1, w + 3 * b, x + PLAIN_ROW * b + 4);
    }
    free(w);
    free(q);
}

rct_status plain_motion_set(rct_solver *solver, int32_t n, const double *x, rct_error *error)
{
    double *q = numbers(4 * (int64_t)n), *w = numbers(3 * (int64_t)n);
    for (int64_t b = 0; b < n; b++) {
        memcpy(q + 4 * b, x + PLAIN_ROW * b, 4 * sizeof *x);
        turn(q + 4 * b, 0, x + PLAIN_ROW * b + 4, w + 3 * b);
    }
    const rct_status status = rct_solver_set_state(solver, q, w, error);
    free(w);
    free(q);
    return status;
}

/* q' = (1/2) q (0, w), w' = alpha in body axes */
static int rates_of(rct_solver *solver, int32_t n, const double *x, double *f)
{
    double *alpha = numbers(3 * (int64_t)n);
    const int good = plain_motion_set(solver, n, x, NULL) == RCT_OK &&
                     rct_solver_evaluate(solver, NULL) == RCT_OK;
    rct_solver_get_accelerations(solver, NULL, alpha);
    for (int64_t b = 0; b < n && good; b++) {
        const double *q = x + PLAIN_ROW * b, *r = q + 4;
        double *to = f + PLAIN_ROW * b;
        turn(q, 1, alpha + 3 * b, to + 4);
        to[0] = -0.5 * (q[1] * r[0] + q[2] * r[1] + q[3] * r[2]);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            to[1 + i] = 0.5 * (q[0] * r[i] + q[1 + j] * r[k] - q[1 + k] * r[j]);
        }
    }
    free(alpha);
    return good;
}

static void normalize(int32_t n, double *x)
{
    for (int64_t b = 0; b < n; b++) {
        double *q = x + PLAIN_ROW * b;
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        for (int i = 0; i < 4; i++) {
            q[i] /= sqrt(square);
        }
    }
}

int plain_stage(rct_solver *solver, int32_t n, const double *x, double dt, int stage, double *to)
{
    const int64_t count = PLAIN_ROW * (int64_t)n;
    const double next[4] = {dt / 2, dt / 2, dt, 0.0};
    const double share[4] = {dt / 6, dt / 3, dt / 3, dt / 6};
    double *f = numbers(count), *sum = numbers(count), *at = numbers(count);
    memcpy(at, x, (size_t)count * sizeof *x);
    memcpy(sum, x, (size_t)count * sizeof *x);
    int good = 1;
    for (int k = 0; k < stage && good; k++) {
        good = rates_of(solver, n, at, f);
        for (int64_t i = 0; i < count; i++) {
            sum[i] += share[k] * f[i];
            at[i] = x[i] + next[k] * f[i];
        }
    }
    memcpy(to, stage == PLAIN_END ? sum : at, (size_t)count * sizeof *x);
    if (stage == PLAIN_END) {
        normalize(n, to);
    }
    free(at);
    free(sum);
    free(f);
    return good;
}
