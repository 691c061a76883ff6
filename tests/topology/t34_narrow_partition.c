/* Partitions that leave a few links on other hinges to the trunk, so that segments of ball hinges
 * are narrow: which links of a chain are in no segment, depending on the places of its revolute
 * hinges. */
#include "tests/support/cmocka_all.h"

#include "topology/partition.h"

#include <string.h>

enum { BODIES = 600, LENGTH = 50, MOST = 8 };

static rct_plan *chain_with(const int32_t *revolute, int32_t count)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t id = 0; id < BODIES; id++) {
        rct_body body = rct_body_default();
        body.parent = id - 1;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.hinge = RCT_HINGE_BALL;
        for (int32_t k = 0; k < count; k++) {
            body.hinge = revolute[k] == id ? RCT_HINGE_REVOLUTE : body.hinge;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    rct_plan *plan = rct_plan_create(model, NULL);
    assert_non_null(plan);
    rct_model_free(model);
    return plan;
}

/* Links in no segment, ascending. */
static int32_t list_left(const rct_partition *p, int32_t *left)
{
    int8_t inside[BODIES] = {0};
    int32_t count = 0;
    for (int32_t s = 0; s < p->segment_count; s++) {
        memset(inside + p->segments[s].first, 1, (size_t)p->segments[s].length);
    }
    for (int32_t i = 0; i < BODIES; i++) {
        if (!inside[i] && count < MOST) {
            left[count] = i;
        }
        count += !inside[i];
    }
    return count;
}

static void test_which_links_are_left(void **state)
{
    (void)state;
    static const struct {
        int32_t revolute[5], revolutes;
        int narrow;
        int32_t left[MOST], lefts;
    } cases[] = {
        {{300}, 1, 1, {299, 300}, 2}, /* and the one before, whose path goes on with it */
        {{300}, 1, 0, {0}, 0},        /* nobody asked                                   */
        {{0}, 1, 1, {0}, 1},          /* at an end                                      */
        {{599}, 1, 1, {598, 599}, 2}, /* at the other                                   */
        {{300, 303},
         2,
         1,
         {299, 300, 301, 302, 303},
         5}, /* near one another                         */
        {{300, 302, 304, 306, 308},
         5,
         1,
         {0},
         0},                  /* a stretch of ten: worth a lane                 */
        {{20}, 1, 1, {0}, 0}, /* too near the end: what is before is no segment */
        {{100, 400},
         2,
         1,
         {99, 100, 399, 400},
         4}, /* two                                            */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rct_plan *plan = chain_with(cases[k].revolute, cases[k].revolutes);
        rct_partition *p = rct_partition_create(plan, LENGTH, cases[k].narrow, 0, NULL);
        int32_t left[MOST];
        assert_non_null(p);
        const int32_t lefts = list_left(p, left);
        if (lefts != cases[k].lefts) {
            fail_msg("case %d: %d links are left, first %d", (int)k, lefts, left[0]);
        }
        assert_memory_equal(left, cases[k].left, (size_t)cases[k].lefts * sizeof *left);
        rct_partition_free(p);
        rct_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_which_links_are_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
