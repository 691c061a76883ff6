/* The choice of a backend by predicted times: on the emulation, with multiprocessors and a ratio of
 * precisions like those of several devices. */
#include "tests/support/cmocka_all.h"
#include "tests/support/device/emulated.h"

#include "backend/backend.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <string.h>

static rct_model *family_of(const char *name, int64_t bodies, int64_t systems, rct_hinge_type hinge)
{
    rct_error error = {.text = ""};
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    family.systems = systems;
    family.hinge = hinge;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

/* Of the backend called `name`, s. */
static double predicted(const char *name, const rct_model *model, int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    rct_backend_info info = {.name = ""};
    double seconds = 0.0;
    int32_t i = 0;
    options.threads = threads;
    while (rct_backend_describe(i, &info, NULL) == RCT_OK && strcmp(info.name, name) != 0) {
        i++;
    }
    assert_string_equal(info.name, name);
    assert_int_equal(rct_backend_predict(i, model, &options, &seconds, NULL), RCT_OK);
    assert_int_equal(isnan(seconds) != 0, !info.available);
    return seconds;
}

/* What a solver takes by "auto", for one thread. */
static void chooses(const rct_model *model, const char *name)
{
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    assert_string_equal(rct_backend_for(model, &options, 1, NULL)->name, name);
    options.backend = NULL;
    assert_string_equal(rct_backend_for(model, &options, 1, NULL)->name, name);
}

static void test_more_bodies_take_longer(void **state)
{
    (void)state;
    static const int64_t bodies[] = {2, 30, 300, 3000, 30000};
    for (int hinge = 0; hinge < 2; hinge++) {
        double last = 0.0;
        for (int k = 0; k < 5; k++) {
            rct_model *model =
                family_of("chain", bodies[k], 1, hinge ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL);
            const double one = predicted("cpu", model, 1);
            assert_true(one > last && one < 1.0);
            assert_true(predicted("cpu", model, 2) <= one);
            last = one;
            rct_model_free(model);
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    rct_error error;
    double seconds;
    rct_model *model = family_of("chain", 3, 1, RCT_HINGE_BALL);
    assert_int_equal(rct_backend_predict(-1, model, NULL, &seconds, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "no backend -1"));
    assert_int_equal(rct_backend_predict(0, model, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    rct_model_free(model);
}

static void test_small_models_stay_on_the_cpu(void **state)
{
    (void)state;
    rct_model *arm = family_of("chain", 7, 1, RCT_HINGE_REVOLUTE);
    chooses(arm, "cpu");
    rct_solver_options options = rct_solver_options_default();
    rct_solver_info info;
    rct_solver *solver = rct_solver_create(arm, &options, NULL);
    rct_solver_get_info(solver, &info);
    assert_string_equal(info.backend, "cpu");
    rct_solver_free(solver);
    rct_model_free(arm);
}

/* Trees, systems and ensembles large enough go to a device like an H200, and not to one that is
 * slow in double precision. */
static void test_devices(void **state)
{
    (void)state;
    if (emulated_or_none() == NULL) {
        print_message("skipped: no emulated device\n");
        return;
    }
    rct_model *branch = family_of("branch", 33334, 1, RCT_HINGE_BALL);
    rct_model *many = family_of("chain", 32, 10000, RCT_HINGE_BALL);
    rct_model *arm = family_of("chain", 7, 1, RCT_HINGE_REVOLUTE);
    emulated_reset("multiprocessors=132");
    chooses(branch, "cuda");
    chooses(many, "cuda");
    chooses(arm, "cpu");
    assert_true(predicted("cuda", branch, 1) < 0.2 * predicted("cpu", branch, 1));
    const rct_solver_options options = rct_solver_options_default();
    assert_string_equal(rct_backend_for(arm, &options, 100000, NULL)->name, "cuda");
    emulated_reset("multiprocessors=24 ratio=64");
    chooses(branch, "cpu");
    chooses(many, "cpu");
    assert_true(predicted("cuda", branch, 1) > predicted("cpu", branch, 1));
    emulated_reset("device=none");
    chooses(branch, "cpu");
    assert_true(isnan(predicted("cuda", branch, 1)));
    emulated_reset("");
    rct_model_free(branch);
    rct_model_free(many);
    rct_model_free(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_bodies_take_longer),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_small_models_stay_on_the_cpu),
        cmocka_unit_test(test_devices),
    };
    return cmocka_run_group_tests_name("choice of a backend", tests, NULL, NULL);
}
