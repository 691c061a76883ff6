/* Gauss's principle of least constraint, seed 004, eq. 39: of all accelerations that the hinges
 * allow, those of the sweeps minimize
 *
 *     Z = sum of m |a_C - g|^2 / 2 + (alpha - alpha_free) . J (alpha - alpha_free) / 2
 *
 * with alpha_free = -J^-1 (w x J w). The test forms the sum body by body from the model, in long
 * double; only the motions that hinges allow come from the solver. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"
#include "tests/support/draw.h"
#include "tests/support/systems/random_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>

typedef struct motion {
    double *linear, *angular; /* [n][3] of hinge points and bodies */
} motion;

static double *rows(int64_t n)
{
    double *r = calloc(4 * (size_t)n, sizeof *r);
    assert_non_null(r);
    return r;
}

static void rotate(const double q[4], const double v[3], long double out[3])
{
    const long double w = q[0], x = q[1], y = q[2], z = q[3];
    const long double s = w * w + x * x + y * y + z * z;
    const long double m[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++) {
        out[i] = (m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2]) / s;
    }
}

static void cross(const long double a[3], const long double b[3], long double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* J v about the centre of mass, inertial axes, by way of body axes. */
static void apply_inertia(const rct_body *body, const double q[4], const long double v[3],
                          long double out[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    const double plain[3] = {(double)v[0], (double)v[1], (double)v[2]};
    const double *j = body->inertia;
    long double own[3];
    rotate(back, plain, own);
    const double turned[3] = {(double)(j[0] * own[0] + j[3] * own[1] + j[4] * own[2]),
                              (double)(j[3] * own[0] + j[1] * own[1] + j[5] * own[2]),
                              (double)(j[4] * own[0] + j[5] * own[1] + j[2] * own[2])};
    rotate(q, turned, out);
}

/* The part of Z that is linear in a small change of the motion, of one body, and its size. */
static long double change(const rct_body *body, const double q[4], const double w[3],
                          const double gravity[3], const double a[3], const double alpha[3],
                          const double da[3], const double dalpha[3], long double *size)
{
    long double c[3], rate[3], spin[3], small[3], inner[3], outer[3], turning[3], moved[3];
    rotate(q, body->com, c);
    for (int i = 0; i < 3; i++) {
        rate[i] = w[i];
        spin[i] = alpha[i];
        small[i] = dalpha[i];
    }
    cross(rate, c, inner);
    cross(rate, inner, outer);
    cross(spin, c, turning);
    cross(small, c, moved);
    long double momentum[3], gyroscopic[3], torque[3], sum = 0;
    apply_inertia(body, q, rate, momentum);
    cross(rate, momentum, gyroscopic);
    apply_inertia(body, q, spin, torque);
    for (int i = 0; i < 3; i++) {
        const long double force = body->mass * (a[i] + turning[i] + outer[i] - gravity[i]);
        sum += force * (da[i] + moved[i]) + (torque[i] + gyroscopic[i]) * small[i];
        *size += fabsl(force * (da[i] + moved[i])) + fabsl((torque[i] + gyroscopic[i]) * small[i]);
    }
    return sum;
}

static void check(int shape, int32_t n, uint64_t seed, rct_method method)
{
    const random_system what = {.shape = (random_shape)shape,
                                .bodies = n,
                                .fixed = 0.15,
                                .shuffled = 1,
                                .spin = 2.0,
                                .seed = seed};
    rct_model *model = random_system_create(&what);
    rct_solver *solver = solution_solver(model, method);
    double *q = rows(n), *w = rows(n), *x = rows(n), gravity[3];
    motion d = {rows(n), rows(n)};
    uint64_t random = seed;
    rct_error error;
    rct_model_gravity(model, gravity);
    rct_solver_get_state(solver, q, w, NULL, NULL);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    solution s = solution_of(solver);
    for (int k = 0; k < 5; k++) {
        long double sum = 0, size = 0;
        draw_numbers(&random, x, 3 * n, 1.0);
        assert_int_equal(rct_solver_jacobian_times(solver, 1, x, d.linear, d.angular, &error),
                         RCT_OK);
        for (int32_t b = 0; b < n; b++) {
            rct_body body;
            rct_model_body(model, b, &body, NULL);
            sum += change(&body, q + 4 * b, w + 3 * b, gravity, s.linear + 3 * b, s.angular + 3 * b,
                          d.linear + 3 * b, d.angular + 3 * b, &size);
        }
        assert_true(fabsl(sum) <= 1e-12L * size); /* Z is convex: no change, so it is least */
    }
    solution_free(&s);
    free(q);
    free(w);
    free(x);
    free(d.linear);
    free(d.angular);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_accelerations_make_the_constraint_least(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            check(shape, 1 + (int32_t)(5 * seed * seed), seed, RCT_METHOD_ABI);
            check(shape, 1 + (int32_t)(5 * seed * seed), seed, RCT_METHOD_RICCATI);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_make_the_constraint_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
