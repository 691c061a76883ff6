/* Motion of random trees: the order of the integrator, the conserved quantities, unit quaternions,
 * time, and welded bodies that move as one. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <string.h>

enum { BODIES = 20 };

typedef struct motion {
    double q[4 * BODIES], w[3 * BODIES], r[3 * BODIES], v[3 * BODIES]; /* rows of bodies */
    rct_measures m;
} motion;

static motion read(const rct_solver *solver)
{
    motion now;
    rct_solver_get_state(solver, now.q, now.w, now.r, now.v);
    rct_solver_measure(solver, &now.m);
    return now;
}

/* Largest difference of hinge points, velocities and angular velocities. */
static double apart(const motion *a, const motion *b)
{
    double worst = 0.0;
    for (int i = 0; i < 3 * BODIES; i++) {
        worst = larger(worst, fabs(a->r[i] - b->r[i]));
        worst = larger(worst, fabs(a->v[i] - b->v[i]));
        worst = larger(worst, fabs(a->w[i] - b->w[i]));
    }
    return worst;
}

static double energy(const motion *now)
{
    return now->m.kinetic + now->m.potential;
}

static rct_solver *make_solver(random_shape shape, double fixed, uint64_t seed, rct_method method,
                               const double *gravity)
{
    const random_system system = {shape, BODIES, fixed, 1, 1.0, seed};
    rct_model *model = random_system_create(&system);
    if (gravity != NULL) {
        assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    }
    rct_solver *solver = solution_solver(model, method);
    rct_model_free(model);
    return solver;
}

static motion run(random_shape shape, double fixed, uint64_t seed, double t, int64_t steps)
{
    rct_solver *solver = make_solver(shape, fixed, seed, RCT_METHOD_ABI, NULL);
    assert_int_equal(rct_solver_step(solver, t / (double)steps, steps, NULL), RCT_OK);
    const motion end = read(solver);
    rct_solver_free(solver);
    return end;
}

/* The slope between two errors at steps of h and h / 2. */
static void expect_order(double coarse, double fine, double low, double high)
{
    const double order = log2(fabs(coarse) / fabs(fine));
    if (!(order >= low && order <= high)) {
        fail_msg("from %g to %g: order %g", coarse, fine, order);
    }
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const double fixed = seed % 2 == 0 ? 0.3 : 0.0;
        const double t = 0.1;
        const motion truth = run(SHAPE_TREE, fixed, seed, t, 1600);
        const motion ends[3] = {run(SHAPE_TREE, fixed, seed, t, 25),
                                run(SHAPE_TREE, fixed, seed, t, 50),
                                run(SHAPE_TREE, fixed, seed, t, 100)};
        double error[3], drift[3];
        for (int k = 0; k < 3; k++) {
            error[k] = apart(&ends[k], &truth);
            drift[k] = energy(&ends[k]) - energy(&truth);
        }
        for (int k = 0; k < 2; k++) {
            expect_order(error[k], error[k + 1], 3.8, 4.2);
            expect_order(drift[k], drift[k + 1], 3.8, 9.0);
        }
    }
}

/* About the hinge of the single root, on which only gravity has a moment. */
static void moment_about_root(const rct_solver *solver, const double root[3], double l[3])
{
    rct_measures m;
    rct_solver_measure(solver, &m);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        l[a] = m.angular_momentum[a] - (root[b] * m.momentum[c] - root[c] * m.momentum[b]);
    }
}

/* The hinge point that does not move. */
static void find_root(const motion *now, double root[3])
{
    int found = 0;
    for (int i = 0; i < BODIES; i++) {
        const double *v = now->v + 3 * i;
        if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) {
            memcpy(root, now->r + 3 * i, 3 * sizeof *root);
            found++;
        }
    }
    assert_int_equal(found, 1);
}

/* One root; the angular momentum about the axes from `from` on must stay. */
static void expect_conservation(random_shape shape, rct_method method, const double *gravity,
                                int from)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        double root[3] = {0.0}, before[3], after[3];
        rct_solver *solver = make_solver(shape, 0.2, seed, method, gravity);
        const motion start = read(solver);
        find_root(&start, root);
        moment_about_root(solver, root, before);
        assert_int_equal(rct_solver_step(solver, 2e-4, 1000, NULL), RCT_OK);
        const motion end = read(solver);
        moment_about_root(solver, root, after);
        double size = 0.0;
        for (int a = 0; a < 3; a++) {
            size = larger(size, fabs(before[a]));
        }
        for (int a = from; a < 3; a++) {
            assert_true(fabs(after[a] - before[a]) <= 1e-11 * size);
        }
        assert_true(fabs(energy(&end) - energy(&start)) <= 1e-11 * (1.0 + start.m.kinetic));
        assert_true(apart(&start, &end) > 0.1);
        rct_solver_free(solver);
    }
}

static void test_conserved_under_gravity(void **state)
{
    (void)state;
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        expect_conservation(SHAPE_CHAIN, (rct_method)method, NULL, 2);
        expect_conservation(SHAPE_BINARY, (rct_method)method, NULL, 2);
    }
}

static void test_conserved_without_gravity(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0};
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        expect_conservation(SHAPE_CHAIN, (rct_method)method, none, 0);
        expect_conservation(SHAPE_STAR, (rct_method)method, none, 0);
    }
}

static void test_quaternions_and_time(void **state)
{
    (void)state;
    rct_solver *at_once = make_solver(SHAPE_TREE, 0.3, 9, RCT_METHOD_ABI, NULL);
    rct_solver *one_by_one = make_solver(SHAPE_TREE, 0.3, 9, RCT_METHOD_ABI, NULL);
    assert_true(rct_solver_time(at_once) == 0.0);
    rct_solver_set_time(at_once, 5.0);
    assert_int_equal(rct_solver_step(at_once, 0x1p-10, 64, NULL), RCT_OK);
    for (int k = 0; k < 64; k++) {
        assert_int_equal(rct_solver_step(one_by_one, 0x1p-10, 1, NULL), RCT_OK);
    }
    assert_true(rct_solver_time(at_once) == 5.0 + 0x1p-4);
    assert_true(rct_solver_time(one_by_one) == 0x1p-4);
    assert_int_equal(rct_solver_step(one_by_one, 1e-3, 0, NULL), RCT_OK);
    assert_true(rct_solver_time(one_by_one) == 0x1p-4);
    const motion a = read(at_once), b = read(one_by_one);
    assert_memory_equal(&a, &b, sizeof a);
    for (int i = 0; i < BODIES; i++) {
        const double *q = a.q + 4 * i;
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        assert_true(fabs(square - 1.0) <= 2e-15);
    }
    rct_solver_free(one_by_one);
    rct_solver_free(at_once);
}

static rct_body rod(int32_t parent)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[2] = parent == RCT_GROUND ? 0.0 : -1.0;
    body.mass = 1.0;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = 0.084;
    body.inertia[2] = 0.002;
    return body;
}

/* Three angles, each two rods of which the second is welded to the end of the first and points along
 * its -x axis, or each one body: mass 2, centre (-1/4, 0, -3/4), inertia about it the sum of both
 * with d = -+(1/4, 0, 1/4): d.d = 1/8, d d^T = 1/16 at xx, xz, zz. */
static rct_solver *three_angles(int merged)
{
    rct_model *model = rct_model_create("angles", NULL);
    for (int32_t i = 0; i < 3; i++) {
        rct_body body = rod(merged ? i - 1 : 2 * i - 1);
        body.orientation[1 + i] = 0.4 + 0.2 * i;
        body.angular_velocity[(i + 1) % 3] = 2.0 - 3.0 * i;
        if (merged) {
            body.hinge_at[0] = i == 0 ? 0.0 : -1.0;
            body.mass = 2.0;
            body.com[0] = -0.25;
            body.com[2] = -0.75;
            body.inertia[0] = body.inertia[2] = 0.084 + 0.002 + 0.125;
            body.inertia[1] = 0.084 + 0.084 + 0.25;
            body.inertia[4] = -0.125;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        if (!merged) {
            rct_body second = rod(2 * i);
            second.hinge = RCT_HINGE_FIXED;
            second.hinge_orientation[0] = second.hinge_orientation[2] = sqrt(0.5); /* z to x */
            assert_int_equal(rct_model_add_body(model, &second, NULL, NULL), RCT_OK);
        }
    }
    rct_solver *solver = solution_solver(model, RCT_METHOD_ABI);
    rct_model_free(model);
    return solver;
}

static void test_welded_bodies_move_as_one(void **state)
{
    (void)state;
    rct_solver *welded = three_angles(0);
    rct_solver *merged = three_angles(1);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(rct_solver_step(welded, 1e-3, 100, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(merged, 1e-3, 100, NULL), RCT_OK);
        const motion two = read(welded), one = read(merged);
        double worst = fabs(energy(&two) - energy(&one));
        for (int i = 0; i < 9; i++) {
            const int first = 6 * (i / 3) + i % 3; /* of the first rod of two */
            worst = larger(worst, fabs(two.r[first] - one.r[i]));
            worst = larger(worst, fabs(two.v[first] - one.v[i]));
            worst = larger(worst, fabs(two.w[first] - one.w[i]));
            assert_true(two.w[first + 3] == two.w[first]);
        }
        assert_true(worst <= 1e-12);
    }
    rct_solver_free(merged);
    rct_solver_free(welded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_conserved_under_gravity),
        cmocka_unit_test(test_conserved_without_gravity),
        cmocka_unit_test(test_quaternions_and_time),
        cmocka_unit_test(test_welded_bodies_move_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
