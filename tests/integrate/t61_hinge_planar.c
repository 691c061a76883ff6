/* Planar motion on revolute hinges against solutions in quadruple precision, and against equations in angles. */
#include "tests/support/cmocka_all.h"

#include "tests/integrate/planar_links.h"
#include "tests/support/answers/motion.h"

/* Frees the model. */
static rct_solver *solver_of(rct_model *model, uint64_t seed)
{
    rct_solver *solver = motion_any(model, seed);
    rct_model_free(model);
    return solver;
}

static void test_pendulum(void **state)
{
    (void)state;
    rct_solver *solver = solver_of(planar_pendulum(RCT_HINGE_REVOLUTE), 0);
    planar_check_pendulum(solver);
    rct_solver_free(solver);
}

static void test_two_links(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        for (int point = 0; point <= 1; point++) {
            rct_solver *solver = solver_of(planar_two_links(RCT_HINGE_REVOLUTE, point), seed);
            planar_check_two_links(solver, point, 2e-4, (double[]){1e-11, 1e-11});
            rct_solver_free(solver);
        }
    }
}

static void test_four_bodies_against_their_angles(void **state)
{
    (void)state;
    const planar_state end = planar_four_later(planar_four_angles());
    for (uint64_t seed = 0; seed < 4; seed++) {
        rct_solver *solver = solver_of(planar_four_bodies(RCT_HINGE_REVOLUTE), seed);
        planar_run_to(solver, 1.0, 2.5e-4);
        assert_true(planar_off_angles(solver, &end) < 1e-11);
        planar_expect_in_plane(solver);
        rct_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_two_links),
        cmocka_unit_test(test_four_bodies_against_their_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
