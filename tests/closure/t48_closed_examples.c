/* Examples with loops: all are closed at the start, in positions and in rates, and have the
 * freedoms of their mechanisms; one mechanism cut in two ways has the same accelerations. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name;
    int32_t loops, rows, rank, freedoms;
    int at_rest;
} known[] = {
    {"andrews", 3, 6, 6, 1, 1},        {"bricard", 1, 5, 4, 1, 1},
    {"four-bar", 1, 2, 2, 2, 0},       {"four-bar-internal", 1, 2, 2, 2, 0},
    {"ladder", 4, 8, 8, 4, 1},         {"geared-link", 2, 2, 2, 2, 1},
    {"quick-return-1", 2, 4, 4, 1, 0}, {"quick-return-2", 2, 4, 4, 1, 0},
    {"quick-return-3", 2, 3, 3, 1, 0}, {"cam-follower", 2, 2, 2, 1, 0},
    {"six-bodies", 2, 6, 6, 15, 0},
};

static void test_examples_are_closed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        rct_model *model = example(known[i].name);
        closed_system s = closed_system_create(model, 0.0);
        const rct_closure_rows *rows = s.problem.rows;
        double *gap = calloc((size_t)(2 * rows->count + s.rates), sizeof *gap);
        double *lambda = gap + rows->count, *change = lambda + rows->count;
        print_message("%s\n", known[i].name);
        assert_int_equal(rct_model_loop_count(model), known[i].loops);
        assert_int_equal(rows->count, known[i].rows);
        assert_int_equal(rows->flipped, -1);
        for (int32_t r = 0; r < rows->count; r++) {
            assert_true(fabs(rows->phi[r]) < 1e-12 && fabs(rows->speed[r]) < 1e-12);
        }
        assert_int_equal(closed_system_answer(&s, gap, lambda, change), known[i].rank);
        assert_int_equal(s.rates - known[i].rank, known[i].freedoms);
        double fastest = 0.0;
        for (int64_t k = 0; k < s.rates; k++) {
            fastest = larger(fastest, fabs(s.state.rates[k]));
        }
        assert_int_equal(fastest == 0.0, known[i].at_rest);
        free(gap);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Angular accelerations of bodies that move in a plane [n][3], for free(). */
static double *turning(const rct_model *model)
{
    closed_system s = closed_system_create(model, 0.0);
    const rct_closure_rows *rows = s.problem.rows;
    double *linear = calloc((size_t)(3 * s.n + 2 * s.rates + 2 * rows->count), sizeof *linear);
    double *derivatives = linear + 3 * s.n, *change = derivatives + s.rates;
    double *gap = change + s.rates, *lambda = gap + rows->count;
    double *angular = calloc((size_t)(3 * s.n), sizeof *angular);
    closed_system_accelerate(&s, linear, angular, derivatives, gap);
    closed_system_answer(&s, gap, lambda, change);
    for (int64_t k = 0; k < s.rates; k++) {
        derivatives[k] += change[k];
    }
    rct_operator_velocities(s.problem.operators, 1, derivatives, linear, angular);
    free(linear);
    closed_system_free(&s);
    return angular;
}

static void test_two_cuts_of_one_mechanism(void **state)
{
    (void)state;
    static const char *const pairs[2][2] = {{"four-bar", "four-bar-internal"},
                                            {"quick-return-1", "quick-return-2"}};
    for (int k = 0; k < 2; k++) {
        rct_model *one = example(pairs[k][0]), *other = example(pairs[k][1]);
        double *first = turning(one), *second = turning(other), largest = 0.0;
        for (int32_t b = 0; b < rct_model_body_count(one); b++) {
            char name[RCT_NAME_SIZE];
            rct_model_body_name(one, b, name);
            const int32_t same = rct_model_find_body(other, name);
            assert_true(same >= 0);
            largest = larger(largest, fabs(first[3 * b + 2]));
            assert_true(fabs(first[3 * b + 2] - second[3 * same + 2]) < 1e-11);
        }
        assert_true(largest > 1.0);
        free(first);
        free(second);
        rct_model_free(one);
        rct_model_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_closed),
        cmocka_unit_test(test_two_cuts_of_one_mechanism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
