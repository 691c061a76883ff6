/* Side paths of packings in order. Tasks in the group of the segment on which they hang are single
 * narrow paths of a few links, with at most as many in a group as lanes; if there are not too many,
 * all such tasks are in the group. The other tasks are in bushes. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/systems/hinge_system.h"
#include "topology/packing.h"
#include "topology/planting.h"
#include "topology/rows.h"

#include <stdlib.h>

enum { SIDE_MOST = 4 };

static int32_t group_of(const rct_packing *k, int32_t label)
{
    const int64_t row = k->at[label] / k->lanes.lanes;
    int32_t group = 0;
    while (k->lanes.first_row[k->lanes.first_sheaf[group + 1]] <= row) {
        group++;
    }
    return group;
}

static int is_single_path(const rct_links *links, const rct_task *task)
{
    int single = 1;
    for (int32_t i = task->first + 1; i < task->first + task->count; i++) {
        single = single && links->parent[i] == i - 1;
    }
    return single;
}

/* Whether a task could be in the group of a segment: such a path beside a narrow one. */
static int could(const rct_packing *k, const rct_task *task)
{
    const rct_links *links = &k->plan->links;
    return task->beside >= 0 && task->count <= SIDE_MOST && is_single_path(links, task) &&
           rct_narrow_path(links, task->first, task->count) &&
           k->lanes.narrow[rct_rows_sheaf(&k->lanes, k->at[task->beside] / k->lanes.lanes)];
}

/* The tasks that do. */
static int32_t check(const rct_packing *k)
{
    const rct_partition *p = k->partition;
    const rct_sheaves *s = &k->lanes.sheaves;
    int32_t *there = calloc((size_t)s->groups + 1, sizeof *there), sides = 0, possible = 0,
            most = 0;
    assert_non_null(there);
    for (int32_t t = 0; t < p->task_count; t++) {
        const rct_task *task = &p->tasks[t];
        const int32_t group = group_of(k, task->first), can = could(k, task);
        possible += can;
        if (can) {
            const int32_t up = group_of(k, task->beside);
            most = ++there[up] > most ? there[up] : most;
        }
        if (group >= s->bushes) {
            assert_true(can && group == group_of(k, task->beside));
            sides++;
        }
    }
    assert_int_equal(sides, most > k->lanes.lanes ? 0 : possible);
    free(there);
    return sides;
}

static rct_packing *pack(const rct_plan *plan, int64_t length, int32_t lanes, rct_error *error)
{
    rct_partition *p = rct_partition_create(plan, length, 0, 0, NULL);
    assert_non_null(p);
    rct_packing *k = rct_packing_create(plan, p, lanes, 8, 1, error);
    if (k == NULL) {
        rct_partition_free(p);
    }
    return k;
}

static void unpack(rct_packing *k)
{
    rct_partition *p = (rct_partition *)k->partition;
    rct_packing_free(k);
    rct_partition_free(p);
}

static int32_t sides_of(const rct_model *model, int64_t length, int32_t lanes)
{
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_packing *k = pack(plan, length, lanes, NULL);
    assert_non_null(k);
    const int32_t sides = check(k);
    unpack(k);
    rct_plan_free(plan);
    return sides;
}

static rct_model *family(const char *name, int64_t bodies)
{
    const rct_family wanted = {
        .family = name, .bodies = bodies, .hinge = RCT_HINGE_BALL, .seed = 1};
    rct_model *model = rct_model_generate(&wanted, NULL);
    assert_non_null(model);
    return model;
}

static void test_where_they_stand(void **state)
{
    (void)state;
    rct_model *branch = family("branch", 100);
    assert_int_equal(sides_of(branch, 5, 8), 1);
    assert_int_equal(sides_of(branch, 5, 32), 1);
    rct_model_free(branch);
}

static void test_random_trees(void **state)
{
    (void)state;
    int32_t found = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 20 + 5 * (int32_t)seed,
                                              .shuffled = 1,
                                              .seed = seed},
                                     .hinges = seed % 3
                                                   ? 1 << RCT_HINGE_BALL
                                                   : 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        for (int32_t lanes = 2; lanes <= 32; lanes *= 4) {
            found += sides_of(model, 1 + (int64_t)(seed % 6), lanes);
        }
        rct_model_free(model);
    }
    assert_true(found > 100);
}

static void test_no_memory(void **state)
{
    (void)state;
    rct_model *model = family("branch", 100);
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_packing *k = NULL;
    int64_t failures = 0;
    for (; k == NULL; failures++) {
        rct_error error;
        rct_partition *p = rct_partition_create(plan, 5, 0, 0, NULL);
        rct_allocate_fail_after(failures);
        k = rct_packing_create(plan, p, 8, 8, 1, &error);
        rct_allocate_fail_after(-1);
        if (k == NULL) {
            assert_int_equal(error.status, RCT_ERROR_MEMORY);
            rct_partition_free(p);
        }
    }
    assert_true(failures > 10);
    assert_int_equal(check(k), 1);
    unpack(k);
    rct_plan_free(plan);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_they_stand),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
