/* A solver shares the bodies of its model and keeps them: later changes of the model, and its end,
 * change no bit of the results of the solver. */
#include "tests/support/cmocka_all.h"

#include "model/model.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <stdlib.h>
#include <string.h>

enum { BODIES = 300, STEPS = 5 };

/* The results of a solver after some steps, in a row. */
static double *answer(rct_solver *solver, int64_t *size)
{
    rct_solver_info info;
    must_step(solver, 1e-3, STEPS);
    rct_solver_get_info(solver, &info);
    const int64_t n = info.bodies, u = info.dof;
    *size = 25 * n + u + (int64_t)(sizeof(rct_measures) / sizeof(double));
    double *a = calloc((size_t)*size, sizeof *a), *ones = calloc((size_t)u, sizeof *ones);
    assert_true(a != NULL && ones != NULL);
    for (int64_t i = 0; i < u; i++) {
        ones[i] = 1.0;
    }
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_state(solver, a, a + 4 * n, a + 7 * n, a + 10 * n);
    rct_solver_get_accelerations(solver, a + 13 * n, a + 16 * n);
    rct_solver_get_hinge_forces(solver, a + 19 * n, a + 22 * n);
    assert_int_equal(rct_solver_mass_times(solver, 1, ones, a + 25 * n, NULL), RCT_OK);
    rct_solver_measure(solver, (rct_measures *)(void *)(a + 25 * n + u));
    free(ones);
    return a;
}

/* 0: nothing; 1: another body; 2: other numbers; 3: the model is freed. */
static void change(rct_model **model, int how)
{
    rct_body body = rct_bodies_get((*model)->bodies, BODIES / 2);
    body.mass *= 3.0;
    body.damping[0] = 5.0;
    if (how == 1) {
        must_add(*model, &body);
    } else if (how == 2) {
        must_put(*model, BODIES / 2, &body);
    } else if (how == 3) {
        rct_model_free(*model);
        *model = NULL;
    }
}

static void test_the_model_is_nobodys_business(void **state)
{
    (void)state;
    static const char *const families[] = {"chain", "binary", "random"};
    for (int k = 0; k < 6; k++) {
        rct_family family = rct_family_default();
        family.family = families[k % 3];
        family.bodies = k % 3 == 1 ? 255 : BODIES;
        family.hinge = k < 3 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
        family.perturb = 0.3;
        double *expected = NULL;
        int64_t size = 0, other_size = 0;
        for (int how = 0; how < 4; how++) {
            rct_model *model = must_generate(&family);
            rct_solver *solver = rct_solver_create(model, NULL, NULL);
            assert_non_null(solver);
            change(&model, how);
            double *said = answer(solver, &other_size);
            if (how == 0) {
                expected = said;
                size = other_size;
            } else {
                assert_int_equal(size, other_size);
                assert_memory_equal(said, expected, (size_t)size * sizeof *said);
                free(said);
            }
            rct_solver_free(solver);
            rct_model_free(model);
        }
        free(expected);
    }
}

/* Two solvers of one model, and no model: the sum of the bytes that they report does not count its
 * bodies twice. */
static void test_bytes_of_several(void **state)
{
    (void)state;
    rct_solver_info one, two, alone;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    const int64_t bodies = rct_bodies_bytes(model->bodies);
    rct_solver *first = rct_solver_create(model, NULL, NULL);
    rct_solver *second = rct_solver_create(model, NULL, NULL);
    assert_true(first != NULL && second != NULL);
    rct_solver_get_info(first, &one);
    assert_int_equal(rct_bodies_bytes(model->bodies), bodies / 3);
    rct_model_free(model);
    rct_solver_get_info(first, &two);
    rct_solver_free(second);
    rct_solver_get_info(first, &alone);
    assert_int_equal(two.bytes - one.bytes, bodies / 2 - bodies / 3);
    assert_int_equal(alone.bytes - one.bytes, bodies - bodies / 3);
    rct_solver_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_model_is_nobodys_business),
        cmocka_unit_test(test_bytes_of_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
