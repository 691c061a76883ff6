/* The bytes that a solver reports after its model is freed are those that it holds, within a
 * hundredth: for every family of more than a megabyte, on balls and on revolute hinges, in segments
 * and serially. */
#include "tests/support/cmocka_all.h"

#include <riccatree/riccatree.h>

#include <malloc.h>
#include <stddef.h>

enum { BODIES = 20000 };

/* The number of bytes that are allocated now. */
static double held(void)
{
    const struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

static void check(const char *name, rct_hinge_type hinge, rct_method method, int64_t segment)
{
    const rct_solver_options options = {
        .method = method, .backend = "cpu", .threads = 1, .segment = segment};
    rct_family family = rct_family_default();
    rct_solver_info info;
    rct_error error = {.text = ""};
    family.family = name;
    family.bodies = BODIES;
    family.hinge = hinge;
    family.perturb = 0.5;
    const double before = held();
    rct_model *model = rct_model_generate(&family, &error);
    rct_solver *solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    rct_model_free(model);
    const double taken = held() - before;
    rct_solver_get_info(solver, &info);
    assert_true(taken > 1e6);
    if ((double)info.bytes < 0.99 * taken || (double)info.bytes > 1.01 * taken) {
        fail_msg("%s on %s hinges, %s, segments of %d: says %.0f bytes, holds %.0f", name,
                 rct_hinge_name(hinge), rct_method_name(method), (int)segment, (double)info.bytes,
                 taken);
    }
    rct_solver_free(solver);
}

static void test_bytes_are_those_that_are_held(void **state)
{
    static const char *const names[] = {"chain",  "branch", "fork", "comb",
                                        "binary", "random", "star"};
    (void)state;
#ifdef RCT_SANITIZED
    skip();
#endif
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        for (int segment = RCT_SEGMENT_AUTO; segment <= 0; segment++) {
            check(names[k], RCT_HINGE_BALL, RCT_METHOD_ABI, segment);
            check(names[k], RCT_HINGE_REVOLUTE, RCT_METHOD_ABI, segment);
            check(names[k], RCT_HINGE_BALL, RCT_METHOD_RICCATI, segment);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_those_that_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
