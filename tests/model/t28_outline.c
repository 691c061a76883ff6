/* The outline of a cam by a table, in C and in a model file: through the radii if there are few,
 * closest to them if there are many. */
#include "tests/support/cmocka_all.h"

#include "model/outline.h"

#include <riccatree/model.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double whole_turn = 6.283185307179586476925;

static void test_few_radii_are_met(void **state)
{
    (void)state;
    for (int64_t count = 3; count <= 17; count++) {
        double radii[17];
        rct_loop loop = rct_loop_default();
        for (int64_t i = 0; i < count; i++) {
            radii[i] = 1.0 + 0.2 * sin(1.0 + 7.0 * (double)(i * i));
        }
        assert_true(rct_loop_set_outline(&loop, radii, count) <= 1e-14);
        for (int64_t i = 0; i < count; i++) {
            const double s = rct_outline_at(&loop, whole_turn * (double)i / (double)count);
            assert_true(fabs(s - radii[i]) <= 1e-14);
        }
        for (int64_t k = count / 2; k < RCT_LOOP_HARMONICS; k++) { /* what no radius tells */
            assert_true(loop.sine[k] == 0.0 && loop.cosine[k] == 0.0);
        }
    }
}

/* A polynomial of eight waves is recovered from any table of it; higher waves are left out, and
 * their size is returned. */
static void test_many_radii(void **state)
{
    (void)state;
    enum { MANY = 360 };
    double radii[MANY];
    rct_loop given = rct_loop_default(), found = rct_loop_default();
    given.radius = 0.05;
    for (int k = 0; k < RCT_LOOP_HARMONICS; k++) {
        given.cosine[k] = 0.004 / (k + 1);
        given.sine[k] = -0.003 / (k + 2);
    }
    for (int i = 0; i < MANY; i++) {
        radii[i] = rct_outline_at(&given, whole_turn * i / MANY);
    }
    assert_true(rct_loop_set_outline(&found, radii, MANY) <= 1e-16);
    for (int i = 0; i < MANY; i++) {
        radii[i] += 0.001 * cos(9.0 * whole_turn * i / MANY);
    }
    const double off = rct_loop_set_outline(&found, radii, MANY);
    assert_true(fabs(off - 0.001) <= 1e-15);
    assert_true(fabs(found.radius - given.radius) <= 1e-16);
    for (int k = 0; k < RCT_LOOP_HARMONICS; k++) {
        assert_true(fabs(found.cosine[k] - given.cosine[k]) <= 1e-16);
        assert_true(fabs(found.sine[k] - given.sine[k]) <= 1e-16);
    }
}

static void test_too_few(void **state)
{
    (void)state;
    const double radii[2] = {1.0, 1.0};
    rct_loop loop = rct_loop_default(), kept = loop;
    assert_true(isnan(rct_loop_set_outline(&loop, radii, 2)));
    assert_true(isnan(rct_loop_set_outline(&loop, radii, -1)));
    assert_memory_equal(&loop, &kept, sizeof loop);
}

/* A file with a table gives the model whose loop was made with the table, and is written by its
 * waves. */
static void test_a_table_in_a_file(void **state)
{
    (void)state;
    static const char text[] =
        "{\"riccatree\": 1, \"bodies\": [{\"name\": \"a\", \"parent\": \"ground\", \"mass\": 1,"
        " \"inertia\": [1, 1, 1, 0, 0, 0], \"hinge\": {\"type\": \"ball\"}}],"
        " \"loops\": [{\"type\": \"cam\", \"body\": \"a\", \"other\": \"ground\", \"axis\": [0, 0, "
        "1],"
        " \"axis2\": [1, 0, 0], \"table\": [1, 1.25, 1.5, 1.25]}]}";
    rct_error error;
    rct_model *model = rct_model_parse(text, (int64_t)strlen(text), &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    rct_loop loop, made = rct_loop_default();
    const double radii[4] = {1.0, 1.25, 1.5, 1.25};
    assert_int_equal(rct_model_loop(model, 0, &loop, NULL), RCT_OK);
    rct_loop_set_outline(&made, radii, 4);
    assert_true(loop.radius == made.radius);
    assert_memory_equal(loop.cosine, made.cosine, sizeof loop.cosine);
    assert_memory_equal(loop.sine, made.sine, sizeof loop.sine);
    assert_true(fabs(loop.radius - 1.25) <= 1e-15 && fabs(loop.cosine[0] + 0.25) <= 1e-15);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_radii_are_met),
        cmocka_unit_test(test_many_radii),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_a_table_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
