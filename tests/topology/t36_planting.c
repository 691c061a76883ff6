/* Tasks in bushes: few places of the lanes are padding, and without memory there is no packing. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "topology/packing.h"

/* A complete binary tree fills its lanes: there are many paths of every length. */
static void test_little_is_padded(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t bodies;
        double most; /* neutral links a link */
    } known[] = {
        {"binary", 8191, 0.02}, {"star", 5000, 0.01}, {"comb", 8000, 0.01}, {"random", 20000, 0.2}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const rct_family family = {.family = known[i].name,
                                   .bodies = known[i].bodies,
                                   .hinge = RCT_HINGE_BALL,
                                   .seed = 1,
                                   .perturb = 0.0,
                                   .systems = 1};
        rct_model *model = rct_model_generate(&family, NULL);
        rct_plan *plan = rct_plan_create(model, NULL);
        rct_partition *p = rct_partition_create(plan, SEGMENT_AUTO, 0, 0, NULL);
        rct_packing *k = rct_packing_create(plan, p, 8, 8, 0, NULL);
        const rct_sheaves *s = &k->lanes.sheaves;
        const int64_t rows = s->first_row[s->first_sheaf[s->bushes]];
        int64_t neutral = 0;
        for (int64_t at = 0; at < 8 * rows; at++) {
            neutral += k->lanes.label[at] < 0;
        }
        const double share = (double)neutral / (double)known[i].bodies;
        if (s->bushes == 0 || share > known[i].most) {
            fail_msg("%s: %d bushes, %g padded", known[i].name, s->bushes, share);
        }
        rct_packing_free(k);
        rct_partition_free(p);
        rct_plan_free(plan);
        rct_model_free(model);
    }
}

/* How many trees of two links stand in the lane of the tree before. */
static int32_t count_stretched(const rct_packing *k, int32_t trees)
{
    int32_t count = 0;
    for (int32_t t = 1; t < trees; t++) {
        const int32_t before = k->plan->link_of[2 * t - 2], own = k->plan->link_of[2 * t];
        count += k->at[own] % k->lanes.lanes == k->at[before] % k->lanes.lanes;
    }
    return count;
}

/* Trees that loops join with the next one stand behind it in its lane, others beside it. */
static void test_rows_are_stretched(void **state)
{
    (void)state;
    enum { TREES = 1003, LANES = 4 };
    rct_family family = rct_family_default();
    family.family = "fourbars";
    family.bodies = 2 * TREES + 1;
    rct_model *model = rct_model_generate(&family, NULL), *none = rct_model_create(NULL, NULL);
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_model *loops = plan->surroundings;
    for (int open = 0; open < 2; open++) {
        plan->surroundings = open ? none : loops;
        rct_partition *p = rct_partition_create(plan, SEGMENT_AUTO, 0, 0, NULL);
        rct_packing *k = rct_packing_create(plan, p, LANES, 8, 0, NULL);
        const int32_t stretched = count_stretched(k, TREES), bushes = k->lanes.sheaves.bushes;
        assert_true(bushes > 1);
        if (open ? stretched > bushes : stretched < TREES - LANES * bushes) {
            fail_msg("open %d: %d trees of %d stand behind others", open, stretched, TREES);
        }
        rct_packing_free(k);
        rct_partition_free(p);
    }
    plan->surroundings = loops;
    rct_plan_free(plan);
    rct_model_free(none);
    rct_model_free(model);
}

static void test_no_memory(void **state)
{
    (void)state;
    const rct_family family = {.family = "comb",
                               .bodies = 500,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.0,
                               .systems = 1};
    rct_model *model = rct_model_generate(&family, NULL);
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_partition *p = rct_partition_create(plan, 20, 0, 0, NULL);
    rct_packing *k = NULL;
    int64_t failures = 0;
    for (; k == NULL; failures++) {
        rct_error error;
        rct_allocate_fail_after(failures);
        k = rct_packing_create(plan, p, 4, 8, 0, &error);
        rct_allocate_fail_after(-1);
        assert_true(k != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(failures > 20);
    rct_packing_free(k);
    rct_partition_free(p);
    rct_plan_free(plan);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_is_padded),
        cmocka_unit_test(test_rows_are_stretched),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
