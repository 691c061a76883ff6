/* The plain transfer matrix product: right on short chains, useless on long ones, and singular with
 * the boundary conditions as printed. Systems that it does not cover are refused, and the error
 * names the body. */
#include "tests/support/cmocka_all.h"

#include "reference/transfer/transfer.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/systems/hinge_system.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The error of the plain product against the refined solution; infinite if the product fails. */
static double plain_error(reference_case *plain, reference_case *truth)
{
    assert_int_equal(reference_case_run(truth, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(truth->result.residual < 1e-20);
    const rct_status status = reference_case_run(plain, RCT_REFERENCE_TRANSFER);
    assert_true(status == RCT_OK || status == RCT_ERROR_SINGULAR);
    const double error =
        status == RCT_OK ? reference_case_difference(plain, truth) : (double)INFINITY;
    reference_case_free(truth);
    reference_case_free(plain);
    return error;
}

static void test_short_chains_agree_with_lagrange(void **state)
{
    (void)state;
    for (int n = 1; n <= 8; n++) {
        assert_true(plain_error(reference_swinging_chain(n), reference_swinging_chain(n)) < 1e-10);
    }
    for (int k = 0; k < 40; k++) { /* any geometry, ids in any order */
        const random_system system = {.shape = SHAPE_CHAIN,
                                      .bodies = 1 + k % 3,
                                      .shuffled = 1,
                                      .spin = 2.0,
                                      .seed = (uint64_t)k};
        assert_true(plain_error(reference_case_create(random_system_create(&system)),
                                reference_case_create(random_system_create(&system))) < 1e-10);
    }
}

static void test_long_chains_lose_all_digits(void **state)
{
    (void)state;
    const double at_8 = plain_error(reference_swinging_chain(8), reference_swinging_chain(8));
    const double at_16 = plain_error(reference_swinging_chain(16), reference_swinging_chain(16));
    const double at_100 = plain_error(reference_swinging_chain(100), reference_swinging_chain(100));
    assert_true(at_16 > 10.0 * at_8);
    assert_true(at_100 > 1e-3);
}

/* Overflow is an error, not a row of NaN. */
static void test_overflow_is_an_error(void **state)
{
    (void)state;
    reference_case *r = reference_swinging_chain(2000);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_TRANSFER), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(r->error.text, "too long"));
    reference_case_free(r);
}

/* Singular values, largest first, of six rows over the six unknowns of the tip. */
static void singular_values(double rows[6][6], double values[6])
{
    double superb[6];
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', 6, 6, rows[0], 6, values, NULL, 6,
                                    NULL, 6, superb),
                     0);
}

/* product = later * product: one factor of eq. 19. */
static void multiply(const rct_transfer_matrix *later, rct_transfer_matrix *product)
{
    const rct_transfer_matrix earlier = *product;
    memset(product, 0, sizeof *product);
    for (int k = 0; k < STATE_SIZE * STATE_SIZE * STATE_SIZE; k++) {
        const int i = k / (STATE_SIZE * STATE_SIZE), j = k / STATE_SIZE % STATE_SIZE;
        product->u[i][k % STATE_SIZE] += later->u[i][j] * earlier.u[j][k % STATE_SIZE];
    }
}

/* Eqs. 18-19 of a chain whose ids count from the root: from the tip's free end, its centre of mass, to the root's output
 * end; and the matrix of the tip body alone. */
static void multiply_chain(const rct_model *model, rct_transfer_matrix *product,
                           rct_transfer_matrix *first)
{
    const int32_t n = rct_model_body_count(model);
    rct_pose pose[6];
    rct_load load[6];
    assert_int_equal(rct_pose_all(model, 0.0, NULL, NULL, pose, NULL), RCT_OK);
    rct_load_all(model, pose, load);
    for (int32_t i = n - 1; i >= 0; i--) {
        rct_body body, kid;
        rct_transfer_matrix own, hinge;
        assert_int_equal(rct_model_body(model, i, &body, NULL), RCT_OK);
        assert_int_equal(rct_model_body(model, i + 1 < n ? i + 1 : i, &kid, NULL), RCT_OK);
        rct_transfer_body(&body, &pose[i], i + 1 < n ? kid.hinge_at : body.com, &load[i], &own);
        if (i == n - 1) {
            *product = *first = own;
        } else {
            assert_true(rct_transfer_hinge(&own, 1, NULL, &hinge));
            multiply(&hinge, product);
            multiply(&own, product);
        }
    }
}

/* Seed 000 as printed imposes r.. = 0 and m = 0 at the root. The hinges have made m = 0 there for
 * any tip, so only three conditions remain; with m_{1,O} = 0 of the tip body there are six. */
static void test_printed_boundary_conditions_have_rank_three(void **state)
{
    (void)state;
    for (int n = 2; n <= 6; n++) {
        reference_case *r = reference_swinging_chain(n);
        rct_transfer_matrix product, first;
        multiply_chain(r->model, &product, &first);
        double printed[6][6], completed[6][6], values[6];
        for (int i = 0; i < 3; i++) {
            memcpy(printed[i], product.u[STATE_R + i], sizeof printed[i]);
            memcpy(printed[3 + i], product.u[STATE_M + i], sizeof printed[i]);
            memcpy(completed[i], product.u[STATE_R + i], sizeof printed[i]);
            memcpy(completed[3 + i], first.u[STATE_M + i], sizeof printed[i]);
        }
        singular_values(printed, values);
        assert_true(values[2] > 1e-4 * values[0] && values[3] < 1e-13 * values[0]);
        singular_values(completed, values);
        assert_true(values[5] > 1e-9 * values[0]);
        reference_case_free(r);
    }
}

static void expect_refused(const rct_body *bodies, int32_t count, rct_status status, int32_t body,
                           const char *says)
{
    reference_case *r = reference_case_of(bodies, count);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_TRANSFER), status);
    assert_int_equal(r->error.status, status);
    assert_int_equal(r->error.body, body);
    if (strstr(r->error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", r->error.text, says);
    }
    reference_case_free(r);
}

static void test_other_models_are_refused(void **state)
{
    (void)state;
    rct_body bodies[3] = {reference_rod(-1, 1.0), reference_rod(0, 1.0), reference_rod(0, 1.0)};
    bodies[1].hinge = RCT_HINGE_PRISMATIC;
    expect_refused(bodies, 3, RCT_ERROR_UNSUPPORTED, 1, "has a prismatic hinge");
    rct_body many[TRANSFER_MOST_TIPS + 2];
    for (int32_t i = 0; i < TRANSFER_MOST_TIPS + 2; i++) {
        many[i] = reference_rod(i == 0 ? -1 : 0, 1.0);
    }
    expect_refused(many, TRANSFER_MOST_TIPS + 2, RCT_ERROR_UNSUPPORTED, -1, "has 201 tips");
    rct_body welded[2 * 399 + 1]; /* every other hinge of a chain is fixed */
    for (int32_t i = 0; i < 2 * 399 + 1; i++) {
        welded[i] = reference_rod(i - 1, 1.0);
        welded[i].hinge = i % 2 ? RCT_HINGE_FIXED : RCT_HINGE_BALL;
    }
    expect_refused(welded, 2 * 399 + 1, RCT_ERROR_UNSUPPORTED, -1, "has 1 tips, and 1203 unknowns");
}

static rct_model *branch(int64_t bodies)
{
    rct_family family = rct_family_default();
    family.family = "branch";
    family.bodies = bodies;
    family.perturb = 0.3;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* The branch system of the paper, whose body 11 has two inputs (eqs. 7-17). It loses digits as
 * chains do. */
static void test_the_branch_system_of_the_paper(void **state)
{
    (void)state;
    const double at_7 =
        plain_error(reference_case_create(branch(7)), reference_case_create(branch(7)));
    const double at_24 =
        plain_error(reference_case_create(branch(24)), reference_case_create(branch(24)));
    assert_true(at_7 < 1e-10);
    assert_true(at_24 > 1e6 * at_7);
}

static reference_case *loaded(int k, int hinges)
{
    const hinge_system system = {.tree = {.shape = SHAPE_TREE,
                                          .bodies = 2 + k % (hinges & 1 << RCT_HINGE_FIXED ? 6 : 3),
                                          .shuffled = 1,
                                          .spin = 2.0,
                                          .seed = (uint64_t)k},
                                 .hinges = hinges,
                                 .joint_forces = k & 1,
                                 .no_rotors = 1,
                                 .forces = k % 3 * 2,
                                 .floating = k % 4 == 3,
                                 .ground_moves = k % 3};
    return reference_case_create(hinge_system_create(&system));
}

/* Trees of any geometry and with several roots, held or free, ids in any order, under dampers,
 * wrenches, springs and on a moving ground. Derivatives of rates are those of the motion. */
static void check_loaded_trees(int count, int hinges)
{
    for (int k = 0; k < count; k++) {
        reference_case *plain = loaded(k, hinges), *truth = loaded(k, hinges);
        double rates[2][42] = {{0.0}};
        assert_true(hinge_freedoms(plain->model) <= 42);
        plain->result.derivatives = rates[0];
        truth->result.derivatives = rates[1];
        const double error = plain_error(plain, truth);
        if (!(error < 1e-9)) { /* masses are over three decades */
            fail_msg("system %d: %g", k, error);
        }
        for (int i = 0; i < 42; i++) {
            assert_true(fabs(rates[0][i] - rates[1][i]) < 1e-6 * (1.0 + fabs(rates[1][i])));
        }
    }
}

static void test_loaded_trees_agree_with_lagrange(void **state)
{
    (void)state;
    check_loaded_trees(120, 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE);
}

/* The same with bodies welded to one another, and to the ground, in any place. */
static void test_welded_bodies_agree_with_lagrange(void **state)
{
    (void)state;
    check_loaded_trees(240, 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE | 1 << RCT_HINGE_FIXED);
    check_loaded_trees(60, 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FIXED);
    check_loaded_trees(12, 1 << RCT_HINGE_FIXED);
}

/* A point without inertia on a ball hinge, with a rod welded to it and one hanging on it: the
 * welded bodies have one W. */
static void test_a_point_with_a_rod_welded_on(void **state)
{
    (void)state;
    rct_body bodies[4] = {reference_rod(-1, 1.0), reference_rod(0, 1.0), reference_rod(1, 1.0),
                          reference_rod(1, 1.0)};
    memset(bodies[1].inertia, 0, sizeof bodies[1].inertia);
    memset(bodies[1].com, 0, sizeof bodies[1].com);
    bodies[2].hinge = RCT_HINGE_FIXED;
    for (int swap = 0; swap <= 1; swap++) {
        assert_true(plain_error(reference_case_of(bodies, 4), reference_case_of(bodies, 4)) <
                    1e-12);
        bodies[2].hinge = RCT_HINGE_BALL; /* the other one is the first input */
        bodies[3].hinge = RCT_HINGE_FIXED;
    }
    bodies[3].hinge = RCT_HINGE_BALL;
    expect_refused(bodies, 4, RCT_ERROR_SINGULAR, 1, "u_{3,2}");
}

/* A child that hangs in the centre of percussion: m r~_IO r~_IC + J_I = 0 across the rod. */
static void test_centre_of_percussion_is_singular(void **state)
{
    (void)state;
    rct_body bodies[2] = {reference_rod(-1, 1.0), reference_rod(0, 1.0)};
    bodies[1].hinge_at[2] = -(0.25 + bodies[0].inertia[0]) / 0.5;
    expect_refused(bodies, 2, RCT_ERROR_SINGULAR, 0, "u_{3,2}");
    bodies[1].hinge_at[2] = -1.0;
    bodies[0].inertia[0] = bodies[0].inertia[1] = 1.0 / 12.0;
    bodies[0].inertia[2] = 0.0; /* a line */
    expect_refused(bodies, 2, RCT_ERROR_SINGULAR, 0, "u_{3,2}");
    expect_refused(bodies, 1, RCT_ERROR_SINGULAR, -1, "boundary conditions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_chains_agree_with_lagrange),
        cmocka_unit_test(test_the_branch_system_of_the_paper),
        cmocka_unit_test(test_loaded_trees_agree_with_lagrange),
        cmocka_unit_test(test_welded_bodies_agree_with_lagrange),
        cmocka_unit_test(test_a_point_with_a_rod_welded_on),
        cmocka_unit_test(test_long_chains_lose_all_digits),
        cmocka_unit_test(test_overflow_is_an_error),
        cmocka_unit_test(test_printed_boundary_conditions_have_rank_three),
        cmocka_unit_test(test_other_models_are_refused),
        cmocka_unit_test(test_centre_of_percussion_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
