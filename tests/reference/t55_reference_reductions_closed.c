/* Closed systems by the formulations of seed 004, eqs. 63 and 73, and by steps (A) to (F) of seed
 * 001, against the Lagrangian system: random trees of the hinges that each covers with random loops
 * of every type, relations among hinges and redundant ones; and loops that contradict each
 * other. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/systems/closed_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALLS = 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE,
    TURNING = BALLS | 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_UNIVERSAL | 1 << RCT_HINGE_FIXED,
    ALL_LOOPS = (1 << RCT_LOOP_TYPES) - 1,
    PLAIN_LOOPS =
        ALL_LOOPS & ~(1 << RCT_LOOP_RELATION), /* among ball hinges there is no coordinate */
};

static const struct closing {
    rct_reference reference;
    int hinges, floating;
} closings[] = {
    {RCT_REFERENCE_FORCES, ALL_HINGES, 0},     {RCT_REFERENCE_MIXED, ALL_HINGES, 0},
    {RCT_REFERENCE_SPINS, BALLS, 0},           {RCT_REFERENCE_AUGMENTED, BALLS, 0},
    {RCT_REFERENCE_BARYCENTRES, BALLS, 1},     {RCT_REFERENCE_TORQUES, TURNING, 0},
    {RCT_REFERENCE_DIRECTIONS, ALL_HINGES, 0}, {RCT_REFERENCE_ANGLES, TURNING, 0},
    {RCT_REFERENCE_GAUSS, ALL_HINGES, 0},      {RCT_REFERENCE_CLOSED_CHAIN, ALL_HINGES, 0},
};

enum { CLOSINGS = sizeof closings / sizeof closings[0] };

/* Every third one has each loop twice. */
static rct_model *model_of(const struct closing *c, int k)
{
    const hinge_system system = {
        .tree = {.shape = (random_shape)(k % 4),
                 .bodies = 4 + k % 9,
                 .shuffled = k % 2,
                 .spin = 0.5,
                 .seed = (uint64_t)(7100 + k)},
        .hinges = c->hinges,
        .floating = c->floating || k % 4 == 3,
        .joint_forces = k % 3 > 0,
        .no_rotors = 1,
        .forces = k % 5,
        .ground_moves = k % 3,
    };
    rct_model *model = hinge_system_create(&system);
    const int plain = c->hinges == BALLS || c->reference == RCT_REFERENCE_CLOSED_CHAIN;
    closed_add_random(model, 1 + k % 2, plain ? PLAIN_LOOPS : ALL_LOOPS, (uint64_t)k);
    for (int32_t i = 0, count = rct_model_loop_count(model); i < count && k % 3 == 2; i++) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(model, i, &loop, NULL), RCT_OK);
        loop.name = NULL;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_they_close_loops_as_the_lagrangian_system(void **state)
{
    (void)state;
    int compared = 0;
    for (int k = 0; k < CLOSINGS * 30; k++) {
        const struct closing *c = &closings[k % CLOSINGS];
        reference_case *r = reference_case_create(model_of(c, k / CLOSINGS));
        reference_case *proof = reference_case_create(model_of(c, k / CLOSINGS));
        const rct_status truth = reference_case_run(proof, RCT_REFERENCE_LAGRANGE);
        const rct_status found = reference_case_run(r, c->reference);
        assert_true(truth == RCT_OK || truth == RCT_ERROR_LOOP);
        if (found != truth) {
            fail_msg("%s, case %d: %s", rct_reference_name(c->reference), k / CLOSINGS,
                     r->error.text);
        }
        const double off = truth == RCT_OK ? reference_case_difference(r, proof) : 0.0;
        /* the matrix of eq. 14 has the square of the others' condition; case 22 is close to a singular position */
        const int worse = c->reference == RCT_REFERENCE_FORCES || k / CLOSINGS == 22;
        if (!(off < (worse ? 1e-8 : 1e-10))) {
            fail_msg("%s, case %d: off by %g", rct_reference_name(c->reference), k / CLOSINGS, off);
        }
        compared += truth == RCT_OK;
        reference_case_free(proof);
        reference_case_free(r);
    }
    assert_true(compared > CLOSINGS * 15);
}

/* A rotating rod with both ends held in place. */
static void test_contradictions_name_their_loop(void **state)
{
    (void)state;
    for (int which = 0; which < CLOSINGS; which++) {
        rct_body rod = reference_rod(-1, 1.0);
        rod.hinge = closings[which].floating ? RCT_HINGE_FREE : RCT_HINGE_BALL;
        rod.angular_velocity[1] = 1.0;
        reference_case *r = reference_case_of(&rod, 1);
        for (int k = 0; k < 2; k++) {
            rct_loop loop = rct_loop_default();
            loop.type = RCT_LOOP_BALL;
            loop.body = 0;
            loop.at[2] = loop.other_at[2] = -k;
            assert_int_equal(rct_model_add_loop(r->model, &loop, NULL, NULL), RCT_OK);
        }
        assert_int_equal(reference_case_run(r, closings[which].reference), RCT_ERROR_LOOP);
        assert_non_null(strstr(r->error.text, "contradicts"));
        reference_case_free(r);
    }
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    for (int which = 0; which < CLOSINGS; which++) {
        reference_case *r = reference_case_create(model_of(&closings[which], 4));
        rct_status status = RCT_ERROR_MEMORY;
        int64_t k = 0;
        for (; status == RCT_ERROR_MEMORY && k < 20000; k++) {
            r->error.status = RCT_OK;
            rct_allocate_fail_after(k);
            status = reference_case_run(r, closings[which].reference);
            rct_allocate_fail_after(-1);
            assert_int_equal(r->error.status, status);
        }
        if (status != RCT_OK) {
            fail_msg("%s: %s", rct_reference_name(closings[which].reference), r->error.text);
        }
        assert_true(k > 40);
        reference_case_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_they_close_loops_as_the_lagrangian_system),
        cmocka_unit_test(test_contradictions_name_their_loop),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
