/* Families of trees: every family has the described layout, at its smallest size and at others.
 * t22_closed_families.c has the families with loops. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/model/known_families.h"

#include <riccatree/model.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static rct_model *make(const char *name, int64_t bodies)
{
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    rct_error error;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s of %" PRId64 ": %s", name, bodies, error.text);
    }
    return model;
}

static void assert_place(const rct_body *body, int32_t parent, double x, double y, double z)
{
    assert_int_equal(body->parent, parent);
    assert_true(body->hinge_at[0] == x && body->hinge_at[1] == y && body->hinge_at[2] == z);
}

static void test_names(void **state)
{
    (void)state;
    const char *const *names = rct_family_names();
    for (int i = 0; i < KNOWN; i++) {
        assert_string_equal(names[i], known[i].name);
    }
    const char *const others[] = {"fourbars", "ladder", "necklace", "hub", "rod"};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(names[KNOWN + i], others[i]);
    }
    assert_null(names[KNOWN + 5]);
    const rct_family family = rct_family_default();
    assert_string_equal(family.family, "chain");
    assert_true(family.bodies == 100 && family.hinge == RCT_HINGE_BALL && family.seed == 1 &&
                family.perturb == 0.0);
}

static void test_every_family_at_many_sizes(void **state)
{
    (void)state;
    for (int i = 0; i < KNOWN; i++) {
        for (int64_t n = known[i].smallest; n < 5000; n += 1 + n / 2) {
            for (int variant = 0; variant < 4; variant++) {
                rct_family family = {.family = known[i].name, .bodies = n, .seed = (uint64_t)n};
                family.hinge = variant % 2 == 0 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
                family.perturb = variant < 2 ? 0.0 : 0.5;
                rct_model *model = rct_model_generate(&family, NULL);
                assert_non_null(model);
                assert_string_equal(rct_model_name(model), known[i].name);
                assert_int_equal(rct_model_body_count(model), n);
                assert_int_equal(rct_model_check(model, NULL), RCT_OK);
                for (int32_t b = 0; b < n; b++) {
                    const rct_body body = must_get(model, b);
                    const int ball = body.parent == RCT_GROUND || variant % 2 == 0;
                    assert_int_equal(body.hinge, ball ? RCT_HINGE_BALL : RCT_HINGE_FIXED);
                }
                rct_model_free(model);
            }
        }
    }
}

static void test_rod(void **state)
{
    (void)state;
    rct_model *model = make("chain", 2);
    const rct_body rod = must_get(model, 1);
    assert_true(rod.mass == 1.0 && rod.com[0] == 0.0 && rod.com[1] == 0.0 && rod.com[2] == -0.5);
    assert_true(fabs(rod.inertia[0] - (3.0 * 0.0025 + 1.0) / 12.0) < 1e-16);
    assert_true(rod.inertia[1] == rod.inertia[0]);
    assert_true(fabs(rod.inertia[2] - 0.00125) < 1e-18);
    assert_true(rod.inertia[3] == 0.0 && rod.inertia[4] == 0.0 && rod.inertia[5] == 0.0);
    rct_model_free(model);
}

static void test_chain(void **state)
{
    (void)state;
    rct_model *model = make("chain", 4);
    for (int32_t i = 0; i < 4; i++) {
        const rct_body body = must_get(model, i);
        assert_place(&body, i - 1, 0.0, 0.0, i == 0 ? 0.0 : -1.0);
        /* R (0, 0, -1) is minus the third column of R, and must be inertial +x */
        const double *q = body.orientation;
        assert_true(fabs(-2.0 * (q[1] * q[3] + q[0] * q[2]) - 1.0) < 1e-15);
        assert_true(fabs(q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]) < 1e-15);
    }
    rct_model_free(model);
}

static void check_branch(const rct_model *model, const char *name, const char *parent, double x,
                         double z)
{
    const int32_t id = rct_model_find_body(model, name);
    assert_true(id >= 0);
    const rct_body body = must_get(model, id);
    assert_place(&body, parent == NULL ? RCT_GROUND : rct_model_find_body(model, parent), x, 0, z);
    assert_true(body.orientation[0] == 1.0);
    const int bar = strcmp(name, "body11") == 0;
    assert_true(body.com[2] == (bar ? 0.0 : -0.5));
    assert_true(body.inertia[bar ? 0 : 2] < body.inertia[bar ? 2 : 0]);
}

static void test_branch(void **state)
{
    (void)state;
    for (int32_t n = 7; n < 40; n += 8) {
        rct_model *model = make("branch", n);
        check_branch(model, "body1", "body3", 0.0, -1.0);
        check_branch(model, "body3", "body11", -0.5, 0.0);
        check_branch(model, "body5", "body7", 0.0, -1.0);
        check_branch(model, "body7", "body9", 0.0, -1.0);
        check_branch(model, "body9", "body11", 0.5, 0.0);
        check_branch(model, "body11", "body13", 0.0, -1.0);
        for (int32_t element = 13; element <= 2 * n - 1; element += 2) {
            char name[32];
            char parent[32];
            snprintf(name, sizeof name, "body%d", element);
            snprintf(parent, sizeof parent, "body%d", element + 2);
            const int top = element == 2 * n - 1;
            check_branch(model, name, top ? NULL : parent, 0.0, top ? 0.0 : -1.0);
        }
        rct_model_free(model);
    }
}

static void test_fork(void **state)
{
    (void)state;
    rct_model *model = make("fork", 12); /* 11 rods: prongs of 3, 3, 3, 2 */
    const rct_body bar = must_get(model, 0);
    assert_place(&bar, RCT_GROUND, 0.0, 0.0, 0.0);
    assert_true(bar.mass == 3.0 && bar.com[2] == 0.0);
    assert_true(fabs(bar.inertia[1] - 3.0 * (0.0075 + 9.0) / 12.0) < 1e-15);
    const int32_t first[4] = {1, 4, 7, 10};
    for (int prong = 0; prong < 4; prong++) {
        const rct_body upper = must_get(model, first[prong]);
        assert_place(&upper, 0, prong - 1.5, 0.0, 0.0);
        const rct_body lower = must_get(model, first[prong] + 1);
        assert_place(&lower, first[prong], 0.0, 0.0, -1.0);
    }
    rct_model_free(model);
}

static void test_comb_and_binary(void **state)
{
    (void)state;
    const int32_t spine[6] = {-1, 0, 0, 2, 2, 4};
    rct_model *model = make("comb", 6);
    for (int32_t i = 0; i < 6; i++) {
        const rct_body body = must_get(model, i);
        assert_place(&body, spine[i], 0.0, 0.0, i == 0 ? 0.0 : -1.0);
    }
    rct_model_free(model);
    model = make("binary", 6);
    const int32_t parents[6] = {-1, 0, 0, 1, 1, 2};
    for (int32_t i = 1; i < 6; i++) {
        const rct_body body = must_get(model, i);
        assert_place(&body, parents[i], i % 2 == 1 ? -0.25 : 0.25, 0.0, -1.0);
    }
    rct_model_free(model);
}

static void test_star(void **state)
{
    (void)state;
    for (int32_t n = 2; n < 30; n++) {
        rct_model *model = make("star", n);
        const rct_body hub = must_get(model, 0);
        assert_true(hub.com[2] == -0.5 && fabs(hub.inertia[1] - 0.1) < 1e-16);
        double last = -2.0;
        for (int32_t i = 1; i < n; i++) {
            const rct_body rod = must_get(model, i);
            assert_int_equal(rod.parent, 0);
            assert_true(fabs(hypot(rod.hinge_at[0], rod.hinge_at[1]) - 0.5) < 1e-15);
            assert_true(rod.hinge_at[2] == -0.5);
            double angle = atan2(rod.hinge_at[1], rod.hinge_at[0]);
            angle += angle < -1e-12 ? 2.0 * acos(-1.0) : 0.0;
            assert_true(angle > last + 2.0 / n); /* going round, none on another */
            last = angle;
        }
        rct_model_free(model);
    }
}

static void expect_error(rct_family family, rct_status status, const char *says)
{
    rct_error error;
    assert_null(rct_model_generate(&family, &error));
    assert_int_equal(error.status, status);
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static void test_bad_families_are_refused(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.family = "ring";
    expect_error(family, RCT_ERROR_ARGUMENT,
                 "unknown family \"ring\"; the families are chain, branch, fork, comb, binary, "
                 "random, star, fourbars, ladder, necklace, hub");
    family.family = NULL;
    expect_error(family, RCT_ERROR_ARGUMENT, "the families are chain");
    for (int i = 0; i < KNOWN; i++) {
        char says[64];
        snprintf(says, sizeof says, "too few; the smallest has %" PRId64, known[i].smallest);
        family.family = known[i].name;
        family.bodies = known[i].smallest - 1;
        expect_error(family, RCT_ERROR_ARGUMENT, says);
        family.bodies = INT64_MIN;
        expect_error(family, RCT_ERROR_ARGUMENT, says);
    }
    family = rct_family_default();
    family.bodies = INT32_MAX;
    expect_error(family, RCT_ERROR_ARGUMENT, "a model holds at most 2147483646");
    family.bodies = 1 << 16;
    family.systems = 1 << 15;
    expect_error(family, RCT_ERROR_ARGUMENT, "32768 systems of 65536 bodies are too many");
    family.systems = -1;
    expect_error(family, RCT_ERROR_ARGUMENT, "-1 systems; give a positive number");
    family = rct_family_default();
    family.hinge = (rct_hinge_type)9;
    expect_error(family, RCT_ERROR_ARGUMENT,
                 "unknown hinge type 9; this version knows 0 (fixed) to 7");
    family.hinge = RCT_HINGE_FREE;
    expect_error(family, RCT_ERROR_ARGUMENT,
                 "its bodies hang on one another, and free bodies cannot");
    const double bad[] = {NAN, INFINITY, -0.1};
    for (int i = 0; i < 3; i++) {
        family = rct_family_default();
        family.perturb = bad[i];
        expect_error(family, RCT_ERROR_ARGUMENT, "perturb is");
    }
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    rct_family family = {.family = "branch", .bodies = 500, .hinge = RCT_HINGE_BALL};
    rct_model *model = NULL;
    for (int64_t k = 0; model == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        model = rct_model_generate(&family, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, model == NULL ? RCT_ERROR_MEMORY : RCT_OK);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_family_at_many_sizes),
        cmocka_unit_test(test_rod),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_comb_and_binary),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_bad_families_are_refused),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
