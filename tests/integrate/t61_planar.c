/* Planar motion by the spatial solver, in the x-y plane with gravity along -y: a pendulum and chains
 * of two links against solutions in quadruple precision, and the four-body pendulum of seed 000,
 * Fig. 2, against its Lagrange equations in four angles. */
#include "tests/support/cmocka_all.h"

#include "tests/integrate/planar_links.h"
#include "tests/support/answers/solution.h"
#include "tests/support/larger.h"

#include <math.h>

/* Frees the model. */
static rct_solver *solver_of(rct_model *model, int method)
{
    rct_solver *solver = solution_solver(model, (rct_method)method);
    rct_model_free(model);
    return solver;
}

static void test_pendulum(void **state)
{
    (void)state;
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = solver_of(planar_pendulum(RCT_HINGE_BALL), method);
        planar_check_pendulum(solver);
        rct_solver_free(solver);
    }
}

static void test_two_links(void **state)
{
    (void)state;
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        for (int point = 0; point <= 1; point++) {
            rct_solver *solver = solver_of(planar_two_links(RCT_HINGE_BALL, point), method);
            planar_check_two_links(solver, point, 5e-4, (double[]){1e-10, 1e-9});
            rct_solver_free(solver);
        }
    }
}

static rct_solver *four_bodies(rct_method method)
{
    return solver_of(planar_four_bodies(RCT_HINGE_BALL), (int)method);
}

static double between(const rct_solver *a, const rct_solver *b)
{
    double ra[12], rb[12], wa[12], wb[12], worst = 0.0;
    rct_solver_get_state(a, NULL, wa, ra, NULL);
    rct_solver_get_state(b, NULL, wb, rb, NULL);
    for (int i = 0; i < 12; i++) {
        worst = larger(worst, fabs(ra[i] - rb[i]));
        worst = larger(worst, fabs(wa[i] - wb[i]));
    }
    return worst;
}

static void test_four_bodies_against_their_angles(void **state)
{
    (void)state;
    planar_state truth = planar_four_angles();
    rct_solver *solver = four_bodies(RCT_METHOD_ABI);
    for (int second = 1; second <= 10; second++) {
        truth = planar_four_later(truth);
        planar_run_to(solver, second, 2.5e-4);
        assert_true(planar_off_angles(solver, &truth) <= 1e-10);
    }
    planar_expect_in_plane(solver);
    rct_solver_free(solver);
}

/* The run of the seed: 10 s at 1 ms. The bodies exchange about 5 J. */
static void test_four_bodies_for_ten_seconds(void **state)
{
    (void)state;
    rct_solver *abi = four_bodies(RCT_METHOD_ABI);
    rct_solver *riccati = four_bodies(RCT_METHOD_RICCATI);
    rct_solver *fine = four_bodies(RCT_METHOD_ABI);
    for (int second = 1; second <= 10; second++) {
        rct_measures m;
        planar_run_to(abi, second, 1e-3);
        planar_run_to(riccati, second, 1e-3);
        planar_run_to(fine, second, 5e-4);
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
        cmocka_unit_test(test_two_links),
        cmocka_unit_test(test_four_bodies_against_their_angles),
        cmocka_unit_test(test_four_bodies_for_ten_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
