/* Planar motion by the spatial solver, in the x-y plane with gravity along -y: a pendulum and chains
 * of two links against solutions in quadruple precision, and the four-body pendulum of seed 000,
 * Fig. 2, against its Lagrange equations in four angles. */
#include "cmocka_all.h"

#include "support/larger.h"
#include "support/planar.h"
#include "support/solution.h"

#include <math.h>

static const double down[3] = {0.0, -9.81, 0.0};

/* A link of 1 m and 1 kg along body +x, hung `at` on its parent: a uniform rod, or a point mass at its
 * end. The point is drawn out along z, which adds nothing to the moment about z and yet leaves no
 * spin undetermined. */
static rct_body link_body(int32_t parent, double at, int point)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[0] = at;
    body.mass = 1.0;
    body.com[0] = point ? 1.0 : 0.5;
    body.inertia[0] = point ? 0.1 : 0.001;
    body.inertia[1] = point ? 0.1 : 1.0 / 12.0;
    body.inertia[2] = point ? 0.0 : 1.0 / 12.0;
    return body;
}

static void turn_about_z(rct_body *body, double angle)
{
    body->orientation[0] = cos(0.5 * angle);
    body->orientation[3] = sin(0.5 * angle);
}

static rct_solver *make_solver(const rct_body *bodies, int32_t count, rct_method method)
{
    rct_model *model = rct_model_create("planar", NULL);
    assert_int_equal(rct_model_set_gravity(model, down, NULL), RCT_OK);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(rct_model_add_body(model, &bodies[i], NULL, NULL), RCT_OK);
    }
    rct_solver *solver = solution_solver(model, method);
    rct_model_free(model);
    return solver;
}

enum { MOST = 4 };

typedef struct motion {
    double q[MOST][4], w[MOST][3], r[MOST][3], v[MOST][3];
} motion;

static motion read(const rct_solver *solver)
{
    motion m;
    rct_solver_get_state(solver, m.q[0], m.w[0], m.r[0], m.v[0]);
    return m;
}

/* The end of a link: hinge point + its x axis. */
static void expect_tip(const rct_solver *solver, int i, double x, double y, double limit)
{
    const motion m = read(solver);
    const double *q = m.q[i];
    const double tip[2] = {m.r[i][0] + q[0] * q[0] - q[3] * q[3], m.r[i][1] + 2.0 * q[0] * q[3]};
    if (!(hypot(tip[0] - x, tip[1] - y) <= limit)) {
        fail_msg("at %g s the tip is at (%.12f, %.12f)", rct_solver_time(solver), tip[0], tip[1]);
    }
}

/* Hardly anything leaves the plane. */
static void expect_planar(const rct_solver *solver, int count)
{
    const motion m = read(solver);
    for (int i = 0; i < count; i++) {
        assert_true(fabs(m.q[i][1]) + fabs(m.q[i][2]) <= 1e-15);
        assert_true(fabs(m.w[i][0]) + fabs(m.w[i][1]) <= 1e-14);
        assert_true(fabs(m.r[i][2]) + fabs(m.v[i][2]) <= 1e-14);
    }
}

static void run_to(rct_solver *solver, double t, double dt)
{
    const int64_t steps = llround((t - rct_solver_time(solver)) / dt);
    assert_int_equal(rct_solver_step(solver, dt, steps, NULL), RCT_OK);
    assert_true(fabs(rct_solver_time(solver) - t) < 1e-9);
}

/* IFToMM benchmark A01. */
static void test_pendulum(void **state)
{
    (void)state;
    rct_body body = link_body(RCT_GROUND, 0.0, 1);
    turn_about_z(&body, acos(-1.0));
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = make_solver(&body, 1, (rct_method)method);
        run_to(solver, 1.0, 1e-3);
        expect_tip(solver, 0, 0.986291751131875, -0.165010853125541, 1e-11);
        run_to(solver, 10.0, 1e-3);
        expect_tip(solver, 0, -0.275087462576117, -0.961419205099125, 1e-9);
        run_to(solver, 20.0, 1e-3);
        expect_tip(solver, 0, 0.996907173990992, -0.078588080809334, 1e-9);
        expect_planar(solver, 1);
        rct_solver_free(solver);
    }
}

static void run_two_links(int point, const double tip1[2], const double tip2[2])
{
    const rct_body bodies[2] = {link_body(RCT_GROUND, 0.0, point), link_body(0, 1.0, point)};
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = make_solver(bodies, 2, (rct_method)method);
        run_to(solver, 1.0, 5e-4);
        expect_tip(solver, 1, tip1[0], tip1[1], 1e-10);
        run_to(solver, 2.0, 5e-4);
        expect_tip(solver, 1, tip2[0], tip2[1], 1e-9);
        expect_planar(solver, 2);
        rct_solver_free(solver);
    }
}

static void test_two_rods(void **state)
{
    (void)state;
    run_two_links(0, (double[]){-1.662115135816127581, -1.041466637193224740},
                  (double[]){0.313524776450181586, -1.914746617562305245});
}

static void test_two_point_masses(void **state)
{
    (void)state;
    run_two_links(1, (double[]){-1.444818849943475797, -1.321794461381464556},
                  (double[]){-1.434124817464276637, -1.129870195647157978});
}

/* Bodies 7, 1, 5, 3 of Fig. 2: the bar 7 hangs by its middle, 1 on its left end, 5 on its right end
 * and 3 on 5. The seed counts theta from the tip upward, here rods hang along their x axis. */
static rct_solver *four_bodies(rct_method method)
{
    rct_body bodies[4] = {link_body(RCT_GROUND, 0.0, 0), link_body(0, -0.5, 0),
                          link_body(0, 0.5, 0), link_body(2, 1.0, 0)};
    bodies[0].com[0] = 0.0;
    for (int i = 1; i < 4; i++) {
        turn_about_z(&bodies[i], -0.5 * acos(-1.0));
    }
    return make_solver(bodies, 4, method);
}

/* The same in angles of the x axes: from `y`, for one second. */
static planar_state four_angles(planar_state y)
{
    const planar_system system = {
        .links = 4,
        .gravity = 9.81,
        .mass = {1.0L, 1.0L, 1.0L, 1.0L},
        .inertia = {1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L},
        .lever = {{0.0L}, {-0.5L, 0.5L}, {0.5L, 0.0L, 0.5L}, {0.5L, 0.0L, 1.0L, 0.5L}},
    };
    return planar_run(&system, y, 1.0L / 4000.0L, 4000);
}

/* Largest difference of a direction cosine or an angular velocity. */
static double from_angles(const rct_solver *solver, const planar_state *truth)
{
    const motion m = read(solver);
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *q = m.q[i];
        worst = larger(worst, fabs(q[0] * q[0] - q[3] * q[3] - (double)cosl(truth->angle[i])));
        worst = larger(worst, fabs(2.0 * q[0] * q[3] - (double)sinl(truth->angle[i])));
        worst = larger(worst, fabs(m.w[i][2] - (double)truth->rate[i]));
    }
    return worst;
}

static double between(const rct_solver *a, const rct_solver *b)
{
    const motion x = read(a), y = read(b);
    double worst = 0.0;
    for (int i = 0; i < 12; i++) {
        worst = larger(worst, fabs(x.r[i / 3][i % 3] - y.r[i / 3][i % 3]));
        worst = larger(worst, fabs(x.w[i / 3][i % 3] - y.w[i / 3][i % 3]));
    }
    return worst;
}

static void test_four_bodies_against_their_angles(void **state)
{
    (void)state;
    const long double quarter = 0.5L * acosl(-1.0L);
    planar_state truth = {.angle = {0.0L, -quarter, -quarter, -quarter}};
    rct_solver *solver = four_bodies(RCT_METHOD_ABI);
    for (int second = 1; second <= 10; second++) {
        truth = four_angles(truth);
        run_to(solver, second, 2.5e-4);
        assert_true(from_angles(solver, &truth) <= 1e-10);
    }
    expect_planar(solver, 4);
    rct_solver_free(solver);
}

/* As the seed runs it: 10 s at 1 ms. The bodies exchange some 5 J. */
static void test_four_bodies_for_ten_seconds(void **state)
{
    (void)state;
    rct_solver *abi = four_bodies(RCT_METHOD_ABI);
    rct_solver *riccati = four_bodies(RCT_METHOD_RICCATI);
    rct_solver *fine = four_bodies(RCT_METHOD_ABI);
    for (int second = 1; second <= 10; second++) {
        rct_measures m;
        run_to(abi, second, 1e-3);
        run_to(riccati, second, 1e-3);
        run_to(fine, second, 5e-4);
        rct_solver_measure(abi, &m);
        assert_true(fabs(m.kinetic + m.potential) <= 1e-9);
        assert_true(between(abi, riccati) <= 1e-12);
        assert_true(between(abi, fine) <= 1e-8);
    }
    rct_solver_free(fine);
    rct_solver_free(riccati);
    rct_solver_free(abi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_two_rods),
        cmocka_unit_test(test_two_point_masses),
        cmocka_unit_test(test_four_bodies_against_their_angles),
        cmocka_unit_test(test_four_bodies_for_ten_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
