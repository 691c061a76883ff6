/* Planar motion on revolute hinges against solutions in quadruple precision. */
#include "cmocka_all.h"

#include "support/mixed_motion.h"
#include "support/must.h"
#include "support/planar.h"

#include <math.h>
#include <string.h>

/* As in t61_planar.c, on revolute hinges about z; a point is a point, for nothing turns it about another axis. */
static rct_body link_body(int32_t parent, double at, int point)
{
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_REVOLUTE;
    body.parent = parent;
    body.hinge_at[0] = at;
    body.mass = 1.0;
    body.com[0] = point ? 1.0 : 0.5;
    body.inertia[0] = point ? 0.1 : 0.001; /* drawn out along z: no spin is undetermined */
    body.inertia[1] = point ? 0.1 : 1.0 / 12.0;
    body.inertia[2] = point ? 0.0 : 1.0 / 12.0;
    return body;
}

static rct_solver *plane_solver(const rct_body *bodies, int32_t count, uint64_t seed)
{
    rct_model *model = rct_model_create("plane", NULL);
    assert_int_equal(rct_model_set_gravity(model, (double[]){0.0, -9.81, 0.0}, NULL), RCT_OK);
    for (int32_t i = 0; i < count; i++) {
        must_add(model, &bodies[i]);
    }
    rct_solver *solver = mixed_motion_any(model, seed);
    rct_model_free(model);
    return solver;
}

static void run_to(rct_solver *solver, double t, double dt)
{
    must_step(solver, dt, llround((t - rct_solver_time(solver)) / dt));
}

/* The end of a link: hinge point + its x axis. */
static void expect_tip(const rct_solver *solver, int i, double x, double y, double limit)
{
    double q[4][4], r[4][3];
    rct_solver_get_state(solver, q[0], NULL, r[0], NULL);
    const double *o = q[i];
    const double tip[2] = {r[i][0] + o[0] * o[0] - o[3] * o[3], r[i][1] + 2.0 * o[0] * o[3]};
    const double off = hypot(tip[0] - x, tip[1] - y);
    if (!(off <= limit)) {
        fail_msg("at %g s the tip is off by %g", rct_solver_time(solver), off);
    }
    assert_true(fabs(o[1]) + fabs(o[2]) <= 1e-15 && fabs(r[i][2]) <= 1e-15);
}

/* IFToMM benchmark A01. */
static void test_pendulum(void **state)
{
    (void)state;
    rct_body body = link_body(RCT_GROUND, 0.0, 1);
    body.position[0] = acos(-1.0);
    rct_solver *solver = plane_solver(&body, 1, 0);
    run_to(solver, 1.0, 1e-3);
    expect_tip(solver, 0, 0.986291751131875, -0.165010853125541, 1e-11);
    run_to(solver, 10.0, 1e-3);
    expect_tip(solver, 0, -0.275087462576117, -0.961419205099125, 1e-9);
    run_to(solver, 20.0, 1e-3);
    expect_tip(solver, 0, 0.996907173990992, -0.078588080809334, 1e-9);
    rct_solver_free(solver);
}

static void run_two_links(int point, const double tip1[2], const double tip2[2])
{
    const rct_body bodies[2] = {link_body(RCT_GROUND, 0.0, point), link_body(0, 1.0, point)};
    for (uint64_t seed = 0; seed < 2; seed++) {
        rct_solver *solver = plane_solver(bodies, 2, seed);
        run_to(solver, 1.0, 2e-4);
        expect_tip(solver, 1, tip1[0], tip1[1], 1e-11);
        run_to(solver, 2.0, 2e-4);
        expect_tip(solver, 1, tip2[0], tip2[1], 1e-11);
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

/* Four bodies of seed 000, Fig. 2, as in t61_planar.c, against their equations in absolute angles. */
static void test_four_bodies_against_their_angles(void **state)
{
    (void)state;
    const long double quarter = 0.5L * acosl(-1.0L);
    const planar_system system = {
        .links = 4,
        .gravity = 9.81,
        .mass = {1.0L, 1.0L, 1.0L, 1.0L},
        .inertia = {1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L},
        .lever = {{0.0L}, {-0.5L, 0.5L}, {0.5L, 0.0L, 0.5L}, {0.5L, 0.0L, 1.0L, 0.5L}},
    };
    const planar_state start = {.angle = {0.0L, -quarter, -quarter, -quarter}};
    rct_body bodies[4] = {link_body(RCT_GROUND, 0.0, 0), link_body(0, -0.5, 0),
                          link_body(0, 0.5, 0), link_body(2, 1.0, 0)};
    bodies[0].com[0] = 0.0;
    bodies[1].position[0] = bodies[2].position[0] = -0.5 * acos(-1.0); /* 3 goes on straight */
    const planar_state end = planar_run(&system, start, 1.0L / 4000.0L, 4000);
    for (uint64_t seed = 0; seed < 4; seed++) {
        rct_solver *solver = plane_solver(bodies, 4, seed);
        double q[4][4], w[4][3];
        run_to(solver, 1.0, 2.5e-4);
        rct_solver_get_state(solver, q[0], w[0], NULL, NULL);
        for (int i = 0; i < 4; i++) {
            const double c = q[i][0] * q[i][0] - q[i][3] * q[i][3], s = 2.0 * q[i][0] * q[i][3];
            assert_true(fabs(c - (double)cosl(end.angle[i])) < 1e-11);
            assert_true(fabs(s - (double)sinl(end.angle[i])) < 1e-11);
            assert_true(fabs(w[i][2] - (double)end.rate[i]) < 1e-11);
        }
        rct_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_two_rods),
        cmocka_unit_test(test_two_point_masses),
        cmocka_unit_test(test_four_bodies_against_their_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
