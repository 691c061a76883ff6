/* The plan's tree: every body in one link or on the ground, labels by longest path first, counts.
 * Random trees, all families, and every tree of up to six bodies, against a slow reading of the
 * model. */
#include "tests/support/cmocka_all.h"

#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"
#include "tests/topology/slow_tree.h"
#include "topology/plan.h"

#include <stdlib.h>
#include <string.h>

/* Order is a permutation with parents first. */
static void check_order(const rct_plan *plan, const slow_tree *tree)
{
    int32_t *met = calloc((size_t)tree->bodies, sizeof *met);
    assert_non_null(met);
    for (int32_t i = 0; i < tree->bodies; i++) {
        const int32_t b = plan->order[i];
        assert_in_range(b, 0, tree->bodies - 1);
        assert_false(met[b]);
        met[b] = 1;
        assert_true(tree->parent[b] == RCT_GROUND || met[tree->parent[b]]);
    }
    free(met);
}

static void check_bodies(const rct_plan *plan, const slow_tree *tree)
{
    assert_int_equal(plan->body_count, tree->bodies);
    assert_int_equal(plan->links.count, tree->links);
    for (int32_t b = 0; b < tree->bodies; b++) {
        const int32_t link = plan->link_of[b];
        assert_int_equal(rct_plan_welds(plan, b), tree->head[b] != b);
        if (tree->head[b] == RCT_GROUND) {
            assert_int_equal(link, RCT_GROUND);
        } else {
            assert_in_range(link, 0, tree->links - 1);
            assert_int_equal(plan->places.head[link], tree->head[b]);
        }
    }
}

/* Children of link l: all its own, tallest first, the first one directly after its parent. */
static void check_children(const rct_plan *plan, const slow_tree *tree, int32_t l)
{
    const int32_t begin = plan->links.child_begin[l], end = plan->links.child_begin[l + 1];
    assert_int_equal(end - begin, tree->outboard[plan->places.head[l]]);
    for (int32_t k = begin; k < end; k++) {
        const int32_t c = plan->links.child[k];
        assert_in_range(c, 0, tree->links - 1);
        assert_int_equal(plan->links.parent[c], l);
        const int32_t height = tree->height[plan->places.head[c]];
        if (k == begin) {
            assert_int_equal(c, l + 1);
            assert_int_equal(height, tree->height[plan->places.head[l]] - 1);
        } else {
            assert_true(plan->links.child[k - 1] < c); /* whole subtrees one after the other */
            assert_true(tree->height[plan->places.head[plan->links.child[k - 1]]] >= height);
        }
    }
}

static void check_labels(const rct_plan *plan, const slow_tree *tree)
{
    int32_t last = INT32_MAX; /* height of the root before */
    for (int32_t l = 0; l < tree->links; l++) {
        const int32_t up = tree->up[plan->places.head[l]];
        const int32_t height = tree->height[plan->places.head[l]];
        assert_int_equal(tree->head[plan->places.head[l]], plan->places.head[l]);
        if (up == RCT_GROUND) {
            assert_int_equal(plan->links.parent[l], RCT_GROUND);
            assert_true(height <= last);
            last = height;
        } else {
            assert_in_range(plan->links.parent[l], 0, l - 1);
            assert_int_equal(plan->places.head[plan->links.parent[l]], up);
        }
        check_children(plan, tree, l);
    }
    assert_int_equal(plan->links.child_begin[0], 0);
    assert_int_equal(plan->links.child_begin[tree->links], tree->links - tree->roots);
}

/* Plans the model, compares the plan with the slow reading, frees both. */
static void check_model(rct_model *model)
{
    assert_non_null(model);
    rct_error error;
    rct_plan *plan = rct_plan_create(model, &error);
    if (plan == NULL) {
        fail_msg("%s", error.text);
        return;
    }
    slow_tree *tree = slow_tree_create(model);
    rct_model_free(model);
    check_order(plan, tree);
    check_bodies(plan, tree);
    check_labels(plan, tree);
    assert_int_equal(plan->root_count, tree->roots);
    assert_int_equal(plan->tip_count, tree->tips);
    assert_int_equal(plan->junction_count, tree->junctions);
    assert_int_equal(plan->depth, tree->depth);
    assert_int_equal(plan->branching, tree->branching);
    slow_tree_free(tree);
    rct_plan_free(plan);
}

static void test_random_systems(void **state)
{
    (void)state;
    const random_shape shapes[] = {SHAPE_TREE, SHAPE_CHAIN, SHAPE_BINARY, SHAPE_STAR};
    for (int k = 0; k < 600; k++) {
        const random_system system = {.shape = shapes[k % 4],
                                      .bodies = 1 + (k * 7) % 150,
                                      .fixed = (k / 4 % 5) / 4.0,
                                      .shuffled = k / 20 % 2,
                                      .spin = 1.0,
                                      .seed = (uint64_t)k};
        check_model(random_system_create(&system));
    }
}

static void test_families(void **state)
{
    (void)state;
    const int64_t sizes[] = {7, 8, 31, 100, 513};
    for (int i = 0; tree_families[i] != NULL; i++) {
        for (int k = 0; k < 10; k++) {
            rct_family family = rct_family_default();
            family.family = tree_families[i];
            family.bodies = sizes[k / 2];
            family.hinge = k % 2 == 0 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
            check_model(rct_model_generate(&family, NULL));
        }
    }
}

/* Bodies of one kind with these parents; bit b of `fixed`: body b has a fixed hinge. */
static rct_model *model_of(const int32_t *parent, int32_t count, int fixed)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t b = 0; b < count; b++) {
        rct_body body = rct_body_default();
        body.parent = parent[b];
        body.hinge = fixed >> b & 1 ? RCT_HINGE_FIXED : RCT_HINGE_BALL;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static int reaches_ground(const int32_t *parent, int32_t b, int32_t count)
{
    for (int32_t k = 0; k < count && b != RCT_GROUND; k++) {
        b = parent[b];
    }
    return b == RCT_GROUND;
}

/* One parent array: planned correctly if it is a forest, refused if it has a cycle. */
static void check_parents(const int32_t *parent, int32_t count, int fixed)
{
    int forest = 1;
    for (int32_t b = 0; b < count; b++) {
        forest = forest && reaches_ground(parent, b, count);
    }
    rct_model *model = model_of(parent, count, fixed);
    if (forest) {
        check_model(model);
        return;
    }
    rct_error error;
    assert_null(rct_plan_create(model, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_in_range(error.body, 0, count - 1);
    assert_false(reaches_ground(parent, error.body, count));
    rct_model_free(model);
}

/* All arrays of `count` parents in ground, 0 ... count - 1, with `kinds` patterns of fixed hinges. */
static void check_all_parents(int32_t count, int kinds)
{
    int64_t arrays = 1;
    for (int32_t b = 0; b < count; b++) {
        arrays *= count + 1;
    }
    for (int64_t code = 0; code < arrays; code++) {
        int32_t parent[8];
        int64_t rest = code;
        for (int32_t b = 0; b < count; b++) {
            parent[b] = (int32_t)(rest % (count + 1)) - 1;
            rest /= count + 1;
        }
        for (int fixed = 0; fixed < kinds; fixed++) {
            check_parents(parent, count, fixed);
        }
    }
}

static void test_every_small_tree(void **state)
{
    (void)state;
    for (int32_t count = 1; count <= 5; count++) {
        check_all_parents(count, 1 << count);
    }
    check_all_parents(6, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_every_small_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
