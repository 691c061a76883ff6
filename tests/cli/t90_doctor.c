/* The self-test of `riccatree doctor` passes with the stored answers, and the reference gives these
 * answers again. It fails, for the wrong system and no other, if one number of an answer is wrong
 * or a model cannot be made. */
#include "tests/support/cmocka_all.h"

#include "cli/doctor/doctor.h"
#include "tests/cli/doctor_answers.h"

#include <math.h>
#include <string.h>

static cli_checks evaluate(const cli_case *cases, const cli_answer *answers)
{
    cli_checks checks = {.passed = 0};
    assert_true(cli_doctor_evaluate(&checks, cases, CLI_CASES, answers));
    return checks;
}

static void stored_answers_pass(void **state)
{
    (void)state;
    const cli_checks checks = evaluate(cli_cases, cli_answers);
    assert_int_equal(checks.passed, CLI_CASES);
    assert_int_equal(checks.failed, 0);
}

/* Sines and cosines of another machine may change a model by its last bits. */
static void reference_gives_them_again(void **state)
{
    (void)state;
    for (int i = 0; i < CLI_CASES; i++) {
        double answer[CLI_ANSWER_NUMBERS];
        assert_true(doctor_answer(&cli_cases[i], answer));
        for (int k = 0; k < CLI_ANSWER_NUMBERS; k++) {
            const double size = cli_length(cli_answers[i].numbers + k / 3 * 3);
            assert_true(size > 1e-3); /* each error has a text */
            assert_true(fabs(answer[k] - cli_answers[i].numbers[k]) <= 1e-13 * size);
        }
    }
}

static void wrong_number_fails(void **state)
{
    (void)state;
    for (int i = 0; i < CLI_CASES; i++) {
        cli_answer answers[CLI_CASES];
        memcpy(answers, cli_answers, sizeof answers);
        const int k = i % CLI_ANSWER_NUMBERS;
        answers[i].numbers[k] += 1e-8 * cli_length(answers[i].numbers + k / 3 * 3);
        const cli_checks checks = evaluate(cli_cases, answers);
        assert_int_equal(checks.failed, 1);
        assert_int_equal(checks.passed, CLI_CASES - 1);
    }
}

static void no_number_fails(void **state)
{
    (void)state;
    cli_answer answers[CLI_CASES];
    memcpy(answers, cli_answers, sizeof answers);
    answers[0].numbers[4] = NAN;
    const cli_checks checks = evaluate(cli_cases, answers);
    assert_int_equal(checks.failed, 1);
}

/* A file that cannot be read, an unknown family, a singular system. */
static void wrong_models_fail(void **state)
{
    (void)state;
    static const char singular[] = "{ \"riccatree\": 1, \"bodies\": [ { \"name\": \"wire\", "
                                   "\"parent\": \"ground\", \"hinge\": { \"type\": \"revolute\","
                                   " \"axis\": [0, 0, 1] }, \"mass\": 1, \"com\": [0, 0, -0.5], "
                                   "\"inertia\": [0.1, 0.1, 0, 0, 0, 0] } ] }";
    cli_case cases[CLI_CASES];
    memcpy(cases, cli_cases, sizeof cases);
    cases[0].family.family = "none";
    cases[3].json = singular;
    cases[3].body = 0;
    cases[5].urdf = "<robot";
    const cli_checks checks = evaluate(cases, cli_answers);
    assert_int_equal(checks.failed, 3);
    assert_int_equal(checks.passed, CLI_CASES - 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_answers_pass), cmocka_unit_test(reference_gives_them_again),
        cmocka_unit_test(wrong_number_fails),  cmocka_unit_test(no_number_fails),
        cmocka_unit_test(wrong_models_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
