/* Partitions in which the links that loops hold are separate nodes (src/topology/held.c). */
#include "tests/support/cmocka_all.h"

#include "topology/partition.h"

#include <riccatree/loop.h>

enum { TRUNK = 300, SIDE = 12, SIDE_AT = 150, LENGTH = 30 };

/* A chain of TRUNK balls, one of SIDE on link SIDE_AT of it, and closures of some bodies to the ground. */
static rct_plan *plan_with(const int32_t *held, int32_t count, rct_loop_type type)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t id = 0; id < TRUNK + SIDE; id++) {
        rct_body body = rct_body_default();
        body.parent = id == TRUNK ? SIDE_AT : id - 1;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.hinge = type == RCT_LOOP_RELATION ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < count; k++) {
        const rct_loop_term term = {.body = held[k], .factor = 1.0};
        rct_loop loop = rct_loop_default();
        loop.type = type;
        loop.radius = type == RCT_LOOP_CAM ? 1.0 : 0.0;
        loop.body = type == RCT_LOOP_RELATION ? 0 : held[k];
        loop.term_count = type == RCT_LOOP_RELATION;
        loop.terms = loop.term_count > 0 ? &term : NULL;
        rct_error error;
        if (rct_model_add_loop(model, &loop, NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
    }
    rct_plan *plan = rct_plan_create(model, NULL);
    assert_non_null(plan);
    rct_model_free(model);
    return plan;
}

/* The node of a link that is a node by itself, or -1. */
static int32_t node_alone(const rct_partition *p, int32_t label)
{
    int32_t node = -1;
    for (int32_t n = 0; n < p->nodes; n++) {
        node = p->label[n] == label && p->segment[n] < 0 && p->task[n] < 0 ? n : node;
    }
    return node;
}

static void test_held_links_are_nodes(void **state)
{
    (void)state;
    static const int32_t held[] = {40, 44, 200, TRUNK + 5, TRUNK - 1};
    enum { HELD = sizeof held / sizeof *held };
    rct_plan *plan = plan_with(held, HELD, RCT_LOOP_BALL);
    rct_partition *p = rct_partition_create(plan, LENGTH, 1, 1, NULL);
    assert_int_equal(p->stations, HELD);
    for (int32_t k = 0; k < HELD; k++) {
        int32_t node = node_alone(p, plan->link_of[held[k]]);
        assert_true(node >= 0);
        while (p->parent[node] >= 0) { /* on the way to the ground there is no task */
            node = p->parent[node];
            assert_int_equal(p->task[node], -1);
        }
    }
    /* where the side chain hangs, and between links that are near one another */
    assert_true(node_alone(p, plan->link_of[SIDE_AT]) >= 0);
    assert_true(node_alone(p, plan->link_of[42]) >= 0);
    assert_true(p->segment_count >= 8);
    rct_partition_free(p);
    rct_plan_free(plan);
}

static void test_relations_hold_both_sides(void **state)
{
    static const int32_t hinges[] = {0, 100};
    (void)state;
    rct_plan *plan = plan_with(hinges, 2, RCT_LOOP_RELATION);
    rct_partition *p = rct_partition_create(plan, LENGTH, 1, 1, NULL);
    assert_int_equal(p->stations, 3); /* the first hangs on the ground */
    for (int32_t body = 99; body <= 100; body++) {
        assert_true(node_alone(p, plan->link_of[body]) >= 0);
    }
    rct_partition_free(p);
    rct_plan_free(plan);
}

static void expect_none(rct_plan *plan, int64_t length, int stations)
{
    rct_partition *p = rct_partition_create(plan, length, 1, stations, NULL);
    rct_partition *plain = rct_partition_create(plan, length, 1, 0, NULL);
    assert_int_equal(p->stations, 0);
    assert_int_equal(p->nodes, plain->nodes);
    rct_partition_free(p);
    rct_partition_free(plain);
}

static void test_held_nowhere(void **state)
{
    int32_t many[TRUNK / 4];
    (void)state;
    for (int32_t k = 0; k < TRUNK / 4; k++) {
        many[k] = 4 * k;
    }
    rct_plan *some = plan_with(many, 2, RCT_LOOP_BALL);
    rct_plan *all = plan_with(many, TRUNK / 4, RCT_LOOP_BALL);
    expect_none(some, LENGTH, 0);        /* nobody asked                */
    expect_none(some, SEGMENT_WHOLE, 1); /* trees are tasks             */
    expect_none(some, 0, 1);             /* all is trunk                */
    expect_none(all, LENGTH, 1);         /* too many                    */
    rct_plan_free(some);
    rct_plan_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_links_are_nodes),
        cmocka_unit_test(test_relations_hold_both_sides),
        cmocka_unit_test(test_held_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
