/* States before a singular one (fault_aim.h). */
#include "tests/support/faults/fault_aim.h"

#include "tests/support/answers/plain_rk4.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Turn q by the rotation vector p, small. */
static void turn_by(double q[4], const double p[3])
{
    const double turn[4] = {1.0, 0.5 * p[0], 0.5 * p[1], 0.5 * p[2]};
    double to[4];
    fault_tree_product(turn, q, to);
    const double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
    for (int i = 0; i < 4; i++) {
        q[i] = to[i] / length;
    }
}

/* The small rotation from b to a, quaternions of about the same length. */
static void rotation_between(const double a[4], const double b[4], double p[3])
{
    const double back[4] = {b[0], -b[1], -b[2], -b[3]};
    double turn[4];
    fault_tree_product(a, back, turn);
    for (int i = 0; i < 3; i++) {
        p[i] = 2.0 * turn[1 + i] / turn[0];
    }
}

/* Broyden's update of the inverse Jacobian b, by the step s that changed the residual by -y:
 * b += (s - b y) s^T b / (s^T b y). */
static void update(double b[3][3], const double s[3], const double y[3])
{
    double by[3], sb[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        by[i] = b[i][0] * y[0] + b[i][1] * y[1] + b[i][2] * y[2];
        sb[i] = s[0] * b[0][i] + s[1] * b[1][i] + s[2] * b[2][i];
        square += s[i] * by[i];
    }
    for (int i = 0; i < 9 && square != 0.0; i++) {
        b[i / 3][i % 3] += (s[i / 3] - by[i / 3]) * sb[i % 3] / square;
    }
}

/* The state that stage `stage` evaluates after `steps` steps. */
static int foresee(rct_solver *solver, int32_t n, const double *x, double dt, int64_t steps,
                   int stage, double *then)
{
    double *at = malloc((size_t)(PLAIN_ROW * n) * sizeof *at);
    assert_non_null(at);
    memcpy(at, x, (size_t)(PLAIN_ROW * n) * sizeof *at);
    int good = 1;
    for (int64_t k = 0; k < steps && good; k++) {
        good = plain_stage(solver, n, at, dt, PLAIN_END, then);
        memcpy(at, then, (size_t)(PLAIN_ROW * n) * sizeof *at);
    }
    good = good && plain_stage(solver, n, at, dt, stage, then);
    free(at);
    return good;
}

int fault_aim(rct_solver *solver, const fault_tree *tree, int32_t i, double dt, int64_t steps,
              int stage, double *x)
{
    static const double shares[4] = {0.0, 0.25, 0.3, 0.5};
    const int32_t n = tree->bodies;
    double *then = malloc((size_t)(PLAIN_ROW * n) * sizeof *then);
    double *bar = x + PLAIN_ROW * tree->arm[i], guess[4] = {1.0};
    double inverse[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double step[3] = {0.0}, last[3] = {0.0}, now[3], size = 1.0;
    assert_non_null(then);
    for (int k = 0; k < 3; k++) { /* where it has come from by then, the line at rest */
        guess[1 + k] = -bar[4 + k] * dt * ((double)steps + shares[stage]);
    }
    fault_tree_product(x + PLAIN_ROW * i, guess, bar);
    turn_by(bar, step);
    for (int k = 0; k < 60 && size > 1e-14; k++) {
        if (!foresee(solver, n, x, dt, steps, stage, then)) {
            break;
        }
        rotation_between(then + PLAIN_ROW * i, then + PLAIN_ROW * tree->arm[i], now);
        if (k > 0) {
            update(inverse, step,
                   (double[3]){last[0] - now[0], last[1] - now[1], last[2] - now[2]});
        }
        size = 0.0;
        for (int r = 0; r < 3; r++) {
            step[r] = inverse[r][0] * now[0] + inverse[r][1] * now[1] + inverse[r][2] * now[2];
            size += fabs(now[r]);
        }
        memcpy(last, now, sizeof last);
        turn_by(bar, step);
    }
    free(then);
    return size <= 1e-12;
}
