/* References look into models, so they refuse models of a library of another build, with a message,
 * for every function. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/reference_case.h"

#include <riccatree/version.h>

#include <string.h>

static const char *other; /* NULL: none */

/* Replaces the library's function, by the linker (CMakeLists.txt). */
const char *__real_rct_build(void);
const char *__wrap_rct_build(void);
const char *__wrap_rct_build(void)
{
    return other != NULL ? other : __real_rct_build();
}

static void test_builds(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    body.parent = RCT_GROUND;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    reference_case *r = reference_case_of(&body, 1);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    other = "0.1.0, of another compiler";
    for (int reference = RCT_REFERENCE_LAGRANGE; reference <= RCT_REFERENCE_CLOSED_CHAIN;
         reference++) {
        assert_int_equal(reference_case_run(r, (rct_reference)reference), RCT_ERROR_UNSUPPORTED);
        assert_string_equal(r->error.text, "libriccatree_reference comes from another build than "
                                           "libriccatree; install both from one build");
    }
    assert_int_equal(rct_reference_evaluate_at(r->model, RCT_REFERENCE_LAGRANGE, 0.0, NULL, NULL,
                                               &r->result, NULL),
                     RCT_ERROR_UNSUPPORTED);
    other = NULL;
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    reference_case_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
