/* Unlimited depth and width: a chain of two million bodies, a star and a comb of half a million are
 * planned on a small stack, in bounded time (CMakeLists.txt sets the limit). */
#include "tests/support/cmocka_all.h"

#include "topology/plan.h"

#include <pthread.h>

enum { BODIES = 2000000, STACK = 256 * 1024 };

typedef struct job {
    const char *family;
    int64_t bodies;
    rct_hinge_type hinge;
    int32_t links, depth, roots, tips, branching, first_child_breaches;
    int planned;
} job;

static void *plan_job(void *argument)
{
    job *j = argument;
    rct_family family = rct_family_default();
    family.family = j->family;
    family.bodies = j->bodies;
    family.hinge = j->hinge;
    rct_model *model = rct_model_generate(&family, NULL);
    rct_plan *plan = model != NULL ? rct_plan_create(model, NULL) : NULL;
    rct_model_free(model);
    if (plan != NULL) {
        j->planned = 1;
        j->links = plan->links.count;
        j->depth = plan->depth;
        j->roots = plan->root_count;
        j->tips = plan->tip_count;
        j->branching = plan->branching;
        for (int32_t l = 0; l < plan->links.count; l++) {
            const int32_t begin = plan->links.child_begin[l];
            j->first_child_breaches +=
                begin < plan->links.child_begin[l + 1] && plan->links.child[begin] != l + 1;
        }
        rct_plan_free(plan);
    }
    return NULL;
}

static job run_job(const char *family, int64_t bodies, rct_hinge_type hinge)
{
    job j = {.family = family, .bodies = bodies, .hinge = hinge};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, plan_job, &j), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_true(j.planned);
    assert_int_equal(j.first_child_breaches, 0);
    return j;
}

static void test_chain(void **state)
{
    (void)state;
    const job j = run_job("chain", BODIES, RCT_HINGE_BALL);
    assert_int_equal(j.links, BODIES);
    assert_int_equal(j.depth, BODIES);
    assert_int_equal(j.roots, 1);
    assert_int_equal(j.tips, 1);
    assert_int_equal(j.branching, 1);
}

static void test_welded_chain(void **state)
{
    (void)state;
    const job j = run_job("chain", BODIES / 4, RCT_HINGE_FIXED);
    assert_int_equal(j.links, 1);
    assert_int_equal(j.depth, 1);
}

static void test_star(void **state)
{
    (void)state;
    const job j = run_job("star", BODIES / 4, RCT_HINGE_BALL);
    assert_int_equal(j.links, BODIES / 4);
    assert_int_equal(j.tips, BODIES / 4 - 1);
    assert_int_equal(j.branching, BODIES / 4 - 1);
    assert_int_equal(j.depth, 2);
}

static void test_comb(void **state)
{
    (void)state;
    const job j = run_job("comb", BODIES / 4, RCT_HINGE_BALL);
    assert_int_equal(j.links, BODIES / 4);
    assert_true(j.depth >= BODIES / 8);
    assert_true(j.tips >= BODIES / 8 - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_welded_chain),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_comb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
