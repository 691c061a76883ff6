/* The reductions of seed 004 against its Lagrangian system on random trees of the hinges that each
 * reduction covers, with forces and a moving ground; and refused input. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALLS = 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE,
    TURNING = BALLS | 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_UNIVERSAL | 1 << RCT_HINGE_FIXED,
};

static const struct reduction {
    rct_reference reference;
    int hinges, floating;
    double
        off; /* `forces` is off by 9e-12 to 1.2e-11, as the processor's LAPACK has it, all others by 1e-12 at most */
} reductions[] = {
    {RCT_REFERENCE_FORCES, ALL_HINGES, 0, 1e-10},     {RCT_REFERENCE_MIXED, ALL_HINGES, 0, 1e-11},
    {RCT_REFERENCE_SPINS, BALLS, 0, 1e-11},           {RCT_REFERENCE_AUGMENTED, BALLS, 0, 1e-11},
    {RCT_REFERENCE_BARYCENTRES, BALLS, 1, 1e-11},     {RCT_REFERENCE_TORQUES, TURNING, 0, 1e-11},
    {RCT_REFERENCE_DIRECTIONS, ALL_HINGES, 0, 1e-11}, {RCT_REFERENCE_ANGLES, TURNING, 0, 1e-11},
    {RCT_REFERENCE_GAUSS, ALL_HINGES, 0, 1e-10},
};

enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

static rct_model *model_of(const struct reduction *r, int k)
{
    const hinge_system system = {
        .tree = {.shape = (random_shape)(k % 4),
                 .bodies = 1 + k % 17,
                 .shuffled = k % 2,
                 .spin = 1.0,
                 .seed = (uint64_t)(7000 + k)},
        .hinges = k % 5 == 0 ? (r->hinges & ~(1 << RCT_HINGE_FREE)) : r->hinges,
        .floating = r->floating || k % 4 == 3,
        .joint_forces = k % 3 > 0,
        .no_rotors = 1,
        .forces = k % 5,
        .ground_moves = k % 3,
    };
    return hinge_system_create(&system);
}

static void test_they_agree_with_the_lagrangian_system(void **state)
{
    (void)state;
    for (int which = 0; which < REDUCTIONS; which++) {
        for (int k = 0; k < 40; k++) {
            reference_case *r = reference_case_create(model_of(&reductions[which], k));
            reference_case *proof = reference_case_create(model_of(&reductions[which], k));
            const int64_t freedoms = hinge_freedoms(r->model);
            double *u_dot = calloc((size_t)freedoms + 1, 2 * sizeof *u_dot),
                   *own = u_dot + freedoms;
            double worst = 0.0, largest = 1e-3;
            r->result.derivatives = own;
            proof->result.derivatives = u_dot;
            const rct_reference reference = reductions[which].reference;
            if (reference_case_run(r, reference) != RCT_OK) {
                fail_msg("%s, case %d: %s", rct_reference_name(reference), k, r->error.text);
            }
            assert_int_equal(reference_case_run(proof, RCT_REFERENCE_LAGRANGE), RCT_OK);
            for (int64_t j = 0; j < freedoms; j++) {
                worst = larger(worst, fabs(own[j] - u_dot[j]));
                largest = larger(largest, fabs(u_dot[j]));
            }
            const double rows = reference_case_difference(r, proof);
            const double off = reductions[which].off;
            if (!(rows < off) || !(worst < off * largest) || !(r->result.residual < 1e-10)) {
                fail_msg("%s, case %d: rows differ by %g, derivatives by %g, residual %g",
                         rct_reference_name(reference), k, rows, worst / largest,
                         r->result.residual);
            }
            free(u_dot);
            reference_case_free(proof);
            reference_case_free(r);
        }
    }
}

/* One of each type that a reduction does not cover. */
static void test_other_hinges_are_refused(void **state)
{
    (void)state;
    for (int which = 0; which < REDUCTIONS; which++) {
        const struct reduction *reduction = &reductions[which];
        for (int type = 0; type < RCT_HINGE_TYPES; type++) {
            rct_body bodies[2] = {reference_rod(-1, 1.0), reference_rod(0, 1.0)};
            const int covered = reduction->hinges >> type & 1;
            bodies[0].hinge = reduction->floating ? RCT_HINGE_FREE : RCT_HINGE_BALL;
            bodies[1].hinge = (rct_hinge_type)type;
            bodies[1].hinge_axis[0] = type == RCT_HINGE_BALL || type == RCT_HINGE_FIXED ? 0.0 : 1.0;
            if (type == RCT_HINGE_FREE) {
                continue;
            }
            reference_case *r = reference_case_of(bodies, 2);
            const rct_status status = reference_case_run(r, reduction->reference);
            assert_int_equal(status, covered ? RCT_OK : RCT_ERROR_UNSUPPORTED);
            if (!covered) {
                assert_int_equal(r->error.body, 1);
                assert_non_null(strstr(r->error.text, rct_hinge_name((rct_hinge_type)type)));
                assert_non_null(strstr(r->error.text, rct_reference_name(reduction->reference)));
                assert_non_null(strstr(r->error.text, "eq. ")); /* its reason is one of the paper */
            }
            reference_case_free(r);
        }
    }
    reference_case *held = reference_swinging_chain(2);
    assert_int_equal(reference_case_run(held, RCT_REFERENCE_BARYCENTRES), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(held->error.text, "ball hinge on the ground"));
    reference_case_free(held);
}

/* More than 2000 bodies; a body without inertia about its axis, which eq. 14 inverts and eq. 28
 * need not. */
static void test_sizes_and_singular_matrices(void **state)
{
    (void)state;
    reference_case *large = reference_swinging_chain(2001);
    for (int which = 0; which < REDUCTIONS; which++) {
        assert_int_equal(reference_case_run(large, reductions[which].reference),
                         RCT_ERROR_UNSUPPORTED);
        const int gauss = reductions[which].reference == RCT_REFERENCE_GAUSS;
        assert_non_null(
            strstr(large->error.text, gauss ? "up to 200 bodies, and the model has 2001"
                                            : "up to 2000 bodies, and the model has 2001"));
    }
    reference_case_free(large);
    rct_body line = reference_rod(-1, 1.0);
    line.hinge_axis[0] = 1.0;
    line.hinge = RCT_HINGE_REVOLUTE;
    line.inertia[0] = line.inertia[1] = 1.0 / 12.0;
    line.inertia[2] = 0.0;
    reference_case *thin = reference_case_of(&line, 1);
    assert_int_equal(reference_case_run(thin, RCT_REFERENCE_FORCES), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(thin->error.text, "a matrix of the reference is singular"));
    assert_int_equal(reference_case_run(thin, RCT_REFERENCE_GAUSS), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(thin->error.text, "Gauss's principle needs the inverse"));
    assert_int_equal(reference_case_run(thin, RCT_REFERENCE_ANGLES), RCT_OK);
    reference_case_free(thin);
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    for (int which = 0; which < REDUCTIONS; which++) {
        reference_case *r = reference_case_create(model_of(&reductions[which], 6));
        rct_status status = RCT_ERROR_MEMORY;
        int64_t k = 0;
        for (; status == RCT_ERROR_MEMORY && k < 1000; k++) {
            r->error.status = RCT_OK;
            rct_allocate_fail_after(k);
            status = reference_case_run(r, reductions[which].reference);
            rct_allocate_fail_after(-1);
            assert_int_equal(r->error.status, status);
        }
        assert_int_equal(status, RCT_OK);
        assert_true(k > 20);
        reference_case_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_they_agree_with_the_lagrangian_system),
        cmocka_unit_test(test_other_hinges_are_refused),
        cmocka_unit_test(test_sizes_and_singular_matrices),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
