/* The bytes that a plan and a solver report are those allocated while they were made, within 1 %,
 * after subtracting what the model frees by sharing its bodies with them: for every family, with
 * hinges of both kinds of plans. */
#include "tests/support/must.h"

#include "tests/support/cmocka_all.h"

#include "model/model.h"
#include "topology/plan.h"

#include <riccatree/riccatree.h>

#include <malloc.h>
#include <math.h>
#include <string.h>

enum { BODIES = 8000 };

static int failures;

/* Bytes in use; the allocator adds 16 per block, and rounds. */
static double in_use(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

static void check(const char *what, const char *family, rct_hinge_type hinge, double said,
                  double held)
{
    if (fabs(said - held) > 0.01 * held) {
        print_error("%s of %s, %s: said %.0f bytes, holds %.0f, %+.1f %%\n", what, family,
                    rct_hinge_name(hinge), said, held, 100.0 * (said - held) / held);
        failures++;
    }
}

static void check_plan(const rct_model *model, const char *family, rct_hinge_type hinge)
{
    rct_error error;
    const double before = in_use(), own = (double)rct_model_bytes(model);
    rct_plan *plan = rct_plan_create(model, &error);
    const double held = in_use() - before, shared = own - (double)rct_model_bytes(model);
    assert_non_null(plan);
    check("a plan", family, hinge, (double)rct_plan_bytes(plan) - shared, held);
    rct_plan_free(plan);
}

static void check_solver(const rct_model *model, const char *family, rct_hinge_type hinge,
                         int32_t segment)
{
    rct_error error;
    rct_solver_info info;
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    options.segment = segment;
    const double before = in_use(), own = (double)rct_model_bytes(model);
    rct_solver *solver = rct_solver_create(model, &options, &error);
    const double held = in_use() - before, shared = own - (double)rct_model_bytes(model);
    assert_non_null(solver);
    rct_solver_get_info(solver, &info);
    check(segment == RCT_SEGMENT_AUTO ? "a solver" : "a serial solver", family, hinge,
          (double)info.bytes - shared, held);
    rct_solver_free(solver);
}

static void check_family(const char *family, rct_hinge_type hinge)
{
    rct_model *model = must_family(family, BODIES, hinge);
    check_plan(model, family, hinge);
    check_solver(model, family, hinge, RCT_SEGMENT_AUTO);
    check_solver(model, family, hinge, 0);
    rct_model_free(model);
}

static void test_families(void **state)
{
    (void)state;
    failures = 0;
    static const char *const families[] = {"chain", "branch", "fork", "random"};
    static const rct_hinge_type hinges[] = {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE,
                                            RCT_HINGE_UNIVERSAL};
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        for (size_t h = 0; h < sizeof hinges / sizeof hinges[0]; h++) {
            check_family(families[f], hinges[h]);
        }
    }
    assert_int_equal(failures, 0);
}

/* Hinges of every second kind, springs, a spring at every hinge: loads are in the plan, too. */
static void test_many_hinges_and_springs(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL, RCT_HINGE_PRISMATIC,
                                            RCT_HINGE_CYLINDRICAL, RCT_HINGE_FIXED};
    rct_model *model = rct_model_create("many", NULL);
    for (int32_t i = 0; i < BODIES; i++) {
        rct_body body = rct_body_default();
        body.parent = i == 0 ? RCT_GROUND : (i - 1) / 2;
        body.hinge = hinges[i * 7 % 11 % 5];
        body.hinge_at[0] = 0.1;
        body.stiffness[0] = body.hinge == RCT_HINGE_REVOLUTE ? 1.0 : 0.0;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        must_add(model, &body);
    }
    for (int32_t i = 1; i < BODIES; i++) {
        rct_force spring = {
            .type = RCT_FORCE_SPRING, .body = i, .other = RCT_GROUND, .stiffness = 1.0};
        spring.at[0] = 1.0;
        assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    }
    failures = 0;
    check_plan(model, "many", RCT_HINGE_REVOLUTE);
    check_solver(model, "many", RCT_HINGE_REVOLUTE, RCT_SEGMENT_AUTO);
    check_solver(model, "many", RCT_HINGE_REVOLUTE, 0);
    assert_int_equal(failures, 0);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_many_hinges_and_springs),
    };
#ifdef RCT_SANITIZED
    return 77; /* another allocator, which does not count */
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
