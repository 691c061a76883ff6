/* Energies and momenta against sums over the states of bodies, one after the other in long double:
 * for every remainder of links in lanes, several blocks of links, every hinge, and the same bits
 * with any number of threads. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/must.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SUMS = 8 }; /* as in rct_measures */

/* The sums, and the sums of the sizes of their terms. */
typedef struct plain_sums {
    long double sum[SUMS], size[SUMS];
} plain_sums;

static void add(plain_sums *all, int k, long double x)
{
    all->sum[k] += x;
    all->size[k] += fabsl(x);
}

static void turn(const double q[4], const double v[3], long double out[3])
{
    const long double w = q[0], x = q[1], y = q[2], z = q[3];
    const long double m[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

static void cross(const long double a[3], const long double b[3], long double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* One body: its orientation, angular velocity, hinge point and that point's velocity. */
static void add_body(plain_sums *all, const rct_body *body, const double gravity[3],
                     const double *q, const double *rate, const double *place, const double *speed)
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]}, *j = body->inertia;
    const long double w[3] = {rate[0], rate[1], rate[2]};
    long double arm[3], about[3], own[3], spin[3], r[3], v[3], orbit[3];
    turn(q, body->com, arm);
    cross(w, arm, about);
    turn(back, rate, own);
    const double spun[3] = {(double)(j[0] * own[0] + j[3] * own[1] + j[4] * own[2]),
                            (double)(j[3] * own[0] + j[1] * own[1] + j[5] * own[2]),
                            (double)(j[4] * own[0] + j[5] * own[1] + j[2] * own[2])};
    turn(q, spun, spin);
    for (int i = 0; i < 3; i++) {
        r[i] = place[i] + arm[i];
        v[i] = speed[i] + about[i];
    }
    cross(r, v, orbit);
    for (int i = 0; i < 3; i++) {
        add(all, 0, 0.5L * (body->mass * v[i] * v[i] + spin[i] * w[i]));
        add(all, 1, -(long double)body->mass * gravity[i] * r[i]);
        add(all, 2 + i, body->mass * v[i]);
        add(all, 5 + i, body->mass * orbit[i] + spin[i]);
    }
}

static plain_sums sums_of(const rct_model *model, const rct_solver *solver)
{
    const int64_t n = rct_model_body_count(model);
    double *q = calloc((size_t)n, 13 * sizeof *q), gravity[3];
    double *rate = q + 4 * n, *place = q + 7 * n, *speed = q + 10 * n;
    plain_sums all = {.sum = {0.0L}};
    assert_non_null(q);
    rct_model_gravity(model, gravity);
    rct_solver_get_state(solver, q, rate, place, speed);
    for (int32_t b = 0; b < n; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        add_body(&all, &body, gravity, q + 4 * b, rate + 3 * b, place + 3 * b, speed + 3 * b);
    }
    free(q);
    return all;
}

static rct_measures measured(const rct_model *model, int32_t threads, plain_sums *start,
                             plain_sums *end)
{
    const rct_solver_options options = {.backend = "cpu", .threads = threads};
    rct_measures found;
    rct_solver *solver = motion_solver(model, &options);
    *start = sums_of(model, solver);
    must_step(solver, 1e-3, 3);
    *end = sums_of(model, solver);
    rct_solver_measure(solver, &found);
    rct_solver_free(solver);
    return found;
}

/* The model is freed. */
static void check(rct_model *model, const char *what, int64_t number)
{
    plain_sums start, end;
    assert_non_null(model);
    const rct_measures own = measured(model, 1, &start, &end);
    for (int k = 0; k < SUMS; k++) {
        const double want = (double)(end.sum[k] - (k == 1 ? start.sum[k] : 0.0L));
        const double found = ((const double *)&own)[k];
        if (!(fabs(found - want) <= 1e-13 * (double)end.size[k] + DBL_MIN)) {
            fail_msg("%s %d, sum %d: %.17g, not %.17g, of %.3g", what, (int)number, k, found, want,
                     (double)end.size[k]);
        }
    }
    const rct_measures again = measured(model, 3, &start, &end);
    assert_memory_equal(&own, &again, sizeof own);
    rct_model_free(model);
}

static void test_any_hinges(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = (int32_t)(1 + seed % 37),
                                              .shuffled = (int)(seed % 2),
                                              .spin = 2.0,
                                              .seed = seed},
                                     .hinges =
                                         seed % 3 == 0 ? ALL_HINGES : 1 << seed % RCT_HINGE_TYPES,
                                     .floating = (int)(seed / 4 % 2),
                                     .ground_moves = (int)(seed % 3)};
        check(hinge_system_create(&system), "seed", (int64_t)seed);
    }
}

static void test_several_blocks(void **state)
{
    (void)state;
    check(must_family("branch", 2 * 16384 + 3, RCT_HINGE_BALL), "branch", 0);
    check(must_family("random", 16385, RCT_HINGE_CYLINDRICAL), "random", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_hinges),
        cmocka_unit_test(test_several_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
