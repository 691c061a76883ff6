/* The list of backends that users see: every backend has a name and, if it cannot run, a reason. */
#include "tests/support/cmocka_all.h"

#include <riccatree/solver.h>

#include <string.h>

static void test_every_backend_has_a_name_and_a_verdict(void **state)
{
    (void)state;
    assert_true(rct_backend_count() >= 1);
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        assert_true(info.name != NULL && info.name[0] != '\0');
        assert_int_equal(info.available, info.reason == NULL);
    }
}

static void test_cpu_is_always_available(void **state)
{
    (void)state;
    rct_backend_info info = {.name = ""};
    for (int32_t i = 0; i < rct_backend_count() && strcmp(info.name, "cpu") != 0; i++) {
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
    }
    assert_string_equal(info.name, "cpu");
    assert_int_equal(info.available, 1);
}

static void test_no_backend_beyond_the_list(void **state)
{
    (void)state;
    rct_error error;
    rct_backend_info info;
    assert_int_equal(rct_backend_describe(-1, &info, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_backend_describe(rct_backend_count(), &info, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "this build has backends 0 to"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_backend_has_a_name_and_a_verdict),
        cmocka_unit_test(test_cpu_is_always_available),
        cmocka_unit_test(test_no_backend_beyond_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
