/* The partition of every shape of tree, with segments of every length: each promise of partition.h
 * is checked against the plan alone. */
#include "tests/support/cmocka_all.h"

#include "tests/support/systems/odd_tree.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"
#include "topology/partition.h"

#include <stdlib.h>
#include <string.h>

/* One partition, and arrays for repeated look-ups. */
typedef struct view {
    const rct_links *links;
    const rct_partition *p;
    int32_t rake;     /* side subtrees of fewer links are raked                              */
    int32_t *size;    /* [links] links in the subtree                                        */
    int32_t *segment; /* [links] the segment a link is in, or -1                             */
    int32_t *task;    /* [links] the task a link is in, or -1                                */
    int32_t *node; /* [links] node of the link, or of the segment it is the last of, or of the task
                         it is the first of, or -1                                           */
} view;

static int32_t *filled(int32_t count, int32_t value)
{
    int32_t *n = malloc(((size_t)count + 1) * sizeof *n);
    assert_non_null(n);
    for (int32_t i = 0; i < count; i++) {
        n[i] = value;
    }
    return n;
}

static view look(const rct_plan *plan, const rct_partition *p)
{
    const int32_t n = plan->links.count;
    view v = {&plan->links,
              p,
              p->length < 4096 ? p->length : 4096,
              filled(n, 1),
              filled(n, -1),
              filled(n, -1),
              filled(n, -1)};
    for (int32_t i = n - 1; i > 0; i--) {
        if (v.links->parent[i] >= 0) {
            v.size[v.links->parent[i]] += v.size[i];
        }
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        assert_in_range(p->segments[s].first, 0, n - 1);
        assert_in_range(p->segments[s].length, 1, n - p->segments[s].first);
        for (int32_t i = 0; i < p->segments[s].length; i++) {
            v.segment[p->segments[s].first + i] = s;
        }
    }
    for (int32_t t = 0; t < p->task_count; t++) {
        assert_in_range(p->tasks[t].first, 0, n - 1);
        assert_in_range(p->tasks[t].count, 1, n - p->tasks[t].first);
        for (int32_t i = 0; i < p->tasks[t].count; i++) {
            assert_int_equal(v.task[p->tasks[t].first + i], -1);
            v.task[p->tasks[t].first + i] = t;
        }
    }
    for (int32_t k = 0; k < p->nodes; k++) {
        const int32_t s = p->segment[k];
        assert_in_range(p->label[k], 0, n - 1);
        v.node[p->label[k] + (s < 0 ? 0 : p->segments[s].length - 1)] = k;
    }
    return v;
}

static void look_away(view *v)
{
    free(v->size);
    free(v->segment);
    free(v->task);
    free(v->node);
}

/* Whether link i continues the path of its parent. */
static int on_path(const view *v, int32_t i)
{
    return i > 0 && v->links->parent[i] == i - 1;
}

static int is_junction(const view *v, int32_t i)
{
    int large = 0;
    for (int32_t k = v->links->child_begin[i]; k < v->links->child_begin[i + 1]; k++) {
        large += v->links->child[k] != i + 1 && v->size[v->links->child[k]] >= v->rake;
    }
    return large > 0;
}

/* Every link is in one segment or one task, or is one node; every segment and every task is one node. */
static void check_cover(const view *v)
{
    const rct_partition *p = v->p;
    int32_t inside = 0, alone = 0;
    for (int32_t s = 0; s < p->segment_count; s++) {
        assert_true(s == 0 ||
                    p->segments[s].first >= p->segments[s - 1].first + p->segments[s - 1].length);
        assert_in_range(p->segments[s].node, 0, p->nodes - 1);
        assert_int_equal(p->segment[p->segments[s].node], s);
        assert_int_equal(p->label[p->segments[s].node], p->segments[s].first);
        inside += p->segments[s].length;
    }
    for (int32_t t = 0; t < p->task_count; t++) {
        assert_in_range(p->tasks[t].node, 0, p->nodes - 1);
        assert_int_equal(p->task[p->tasks[t].node], t);
        assert_int_equal(p->label[p->tasks[t].node], p->tasks[t].first);
        inside += p->tasks[t].count;
    }
    for (int32_t k = 0; k < p->nodes; k++) {
        assert_true(k == 0 || p->label[k - 1] < p->label[k]);
        assert_true(p->segment[k] < 0 || p->task[k] < 0);
        if (p->segment[k] < 0 && p->task[k] < 0) {
            assert_int_equal(v->segment[p->label[k]], -1);
            assert_int_equal(v->task[p->label[k]], -1);
            alone++;
        }
    }
    assert_int_equal(inside + alone, v->links->count);
    assert_int_equal(p->nodes, alone + p->segment_count + p->task_count);
    assert_true(p->length > 0 || p->segment_count == 0);
}

/* A segment is a run of one path without junctions, of L links at most and not much less than L / 2. */
static void check_segments(const view *v)
{
    for (int32_t s = 0; s < v->p->segment_count; s++) {
        const rct_segment *segment = &v->p->segments[s];
        assert_true(segment->length <= v->p->length);
        assert_true(2 * (segment->length + 1) >= v->p->length);
        for (int32_t i = segment->first; i < segment->first + segment->length; i++) {
            assert_true(i == segment->first || on_path(v, i));
            assert_false(is_junction(v, i));
        }
    }
}

/* A run ends where its path ends or at a junction. A run of a path that is not raked is cut into
 * segments whose lengths differ by one at most, unless it is shorter than L / 2; other runs are not
 * cut. */
static void check_run(const view *v, int32_t first, int32_t end, int raked)
{
    const int cut = !raked && v->p->length > 0 && 2 * (int64_t)(end - first) >= v->p->length;
    int32_t least = v->links->count, most = 0;
    for (int32_t i = first; i < end; i++) {
        const int32_t s = v->segment[i];
        assert_int_equal(s >= 0, cut);
        if (cut) {
            const rct_segment *segment = &v->p->segments[s];
            assert_true(segment->first >= first && segment->first + segment->length <= end);
            least = segment->length < least ? segment->length : least;
            most = segment->length > most ? segment->length : most;
        }
    }
    assert_true(!cut || most - least <= 1);
}

static void check_runs(const view *v)
{
    int32_t i = 0;
    while (i < v->links->count) {
        const int raked = v->size[i] < v->rake;
        int32_t first = i;
        do {
            if (is_junction(v, i)) {
                assert_int_equal(v->segment[i], -1);
                check_run(v, first, i, raked);
                first = i + 1;
            }
            i++;
        } while (i < v->links->count && on_path(v, i));
        check_run(v, first, i, raked);
    }
}

/* Parents and children in the reduced tree are those of the links, except for subtrees beside
 * segments. */
static void check_reduced(const view *v)
{
    const rct_partition *p = v->p;
    int32_t *children = filled(p->nodes, 0);
    for (int32_t k = 0; k < p->nodes; k++) {
        const int32_t i = p->label[k], up = v->links->parent[i];
        const int beside = up >= 0 && v->segment[up] >= 0 && !(on_path(v, i) && v->node[up] >= 0);
        assert_int_equal(p->parent[k], up < 0 || beside ? -1 : v->node[up]);
        assert_true(p->parent[k] < k);
        for (int32_t c = p->child_begin[k]; c < p->child_begin[k + 1]; c++) {
            assert_int_equal(p->parent[p->child[c]], k);
            assert_true(c == p->child_begin[k] || p->child[c - 1] < p->child[c]);
        }
        if (p->parent[k] >= 0) {
            children[p->parent[k]]++;
        }
    }
    for (int32_t k = 0; k < p->nodes; k++) {
        assert_int_equal(p->child_begin[k + 1] - p->child_begin[k], children[k]);
        assert_true(p->segment[k] < 0 || children[k] <= 1);
    }
    free(children);
}

/* Whether a segment is in the subtree of link i. */
static int has_segment(const view *v, int32_t i)
{
    int found = 0;
    for (int32_t k = i; k < i + v->size[i]; k++) {
        found |= v->segment[k] >= 0;
    }
    return found;
}

/* A task is one whole subtree without a segment; every subtree beside a segment is a task, smaller
 * than L. If there are tasks at all, every such subtree of up to a certain size is in one. Tasks
 * are not parts of one another. */
static void check_tasks(const view *v, int serial)
{
    const rct_partition *p = v->p;
    const int32_t most = v->rake - 1 > 256 ? v->rake - 1 : 256;
    int32_t beside = 0;
    assert_true(!serial || p->task_count == 0);
    for (int32_t t = 0; t < p->task_count; t++) {
        const rct_task *task = &p->tasks[t];
        const int32_t up = v->links->parent[task->first];
        assert_int_equal(v->size[task->first], task->count);
        assert_int_equal(task->beside,
                         up >= 0 && v->segment[up] >= 0 && p->parent[task->node] < 0 ? up : -1);
        assert_true(task->beside < 0 || task->count < p->length);
        assert_true(t == 0 || p->tasks[t - 1].first < task->first);
        assert_int_equal(p->child_begin[task->node], p->child_begin[task->node + 1]);
        beside += task->beside >= 0;
    }
    for (int32_t k = 0; k < p->nodes; k++) {
        beside -= p->parent[k] < 0 && v->links->parent[p->label[k]] >= 0;
    }
    assert_int_equal(beside, 0);
    for (int32_t i = 0; i < v->links->count && p->task_count > 0; i++) {
        if (v->size[i] <= most && !has_segment(v, i)) {
            assert_true(v->task[i] >= 0);
        }
    }
}

/* All other nodes are trunk, and hang on one another. */
static void check_trunk(const view *v)
{
    const rct_partition *p = v->p;
    int32_t trunk = 0;
    for (int32_t k = 0; k < p->nodes; k++) {
        assert_true(p->task[k] >= 0 || p->parent[k] < 0 || p->task[p->parent[k]] < 0);
        trunk += p->task[k] < 0;
    }
    assert_int_equal(trunk, p->trunk_nodes);
}

static void check_partition(const rct_plan *plan, int64_t length)
{
    rct_partition *p = rct_partition_create(plan, length, 0, 0, NULL);
    assert_non_null(p);
    view v = look(plan, p);
    if (length >= 0) {
        assert_int_equal(p->length, length < plan->links.count ? length : plan->links.count);
    }
    check_cover(&v);
    check_segments(&v);
    check_runs(&v);
    check_reduced(&v);
    check_tasks(&v, length == 0);
    check_trunk(&v);
    assert_true(rct_partition_bytes(p) > 0);
    look_away(&v);
    rct_partition_free(p);
}

/* Takes ownership of the model. */
static void check_model(rct_model *model)
{
    static const int64_t lengths[] = {0, 1, 2, 3, 7, 64, 1000, (int64_t)1 << 40, SEGMENT_AUTO};
    rct_plan *plan = model != NULL ? rct_plan_create(model, NULL) : NULL;
    assert_non_null(plan);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        check_partition(plan, lengths[l]);
    }
    rct_plan_free(plan);
    rct_model_free(model);
}

static void test_families(void **state)
{
    (void)state;
    static const int64_t bodies[] = {7, 60, 129, 500, 3000};
    for (int f = 0; tree_families[f] != NULL; f++) {
        for (int k = 0; k < 10; k++) {
            const rct_family family = {.family = tree_families[f],
                                       .bodies = bodies[k / 2],
                                       .hinge = k % 2 ? RCT_HINGE_BALL : RCT_HINGE_FIXED,
                                       .seed = (uint64_t)k,
                                       .perturb = 0.0,
                                       .systems = 1};
            check_model(rct_model_generate(&family, NULL));
        }
    }
}

static void test_random_systems(void **state)
{
    (void)state;
    static const int32_t bodies[] = {1, 2, 3, 10, 100, 700, 2000};
    static const double fixed[] = {0.0, 0.3, 0.9};
    for (int k = 0; k < 252; k++) {
        const random_system system = {.shape = (random_shape)(k % 4),
                                      .bodies = bodies[k / 4 % 7],
                                      .fixed = fixed[k / 28 % 3],
                                      .shuffled = k % 3 == 0,
                                      .seed = (uint64_t)k};
        check_model(random_system_create(&system));
    }
}

static void test_odd_trees(void **state)
{
    (void)state;
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        for (int32_t bodies = 3; bodies <= 3000; bodies = 2 * bodies + 1) {
            check_model(odd_tree_create((odd_tree)kind, bodies, 1));
        }
    }
}

/* Trees whose pieces are known beforehand. */
static void test_known_partitions(void **state)
{
    (void)state;
    const struct {
        odd_tree kind;
        int32_t bodies;
        int64_t length;
        int32_t segments, tasks, nodes;
    } known[] = {
        {ODD_TWIGS, 200, 10, 11, 99, 110},      /* path of 101 links, a twig beside 99       */
        {ODD_TWIGS, 200, 1, 101, 0, 200},       /* 99 junctions, all else segments of one    */
        {ODD_TWO_TWIGS, 400, 10, 11, 199, 210}, /* path of 102 links, 99 * 2 + 1 beside it   */
        {ODD_JUNCTIONS, 121, 2, 27, 54, 94},    /* 13 junctions; 27 runs of two, two beside  */
        {ODD_ROOTS, 55, 11, 0, 10, 10},         /* no chain is as long as a segment          */
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        rct_model *model = odd_tree_create(known[k].kind, known[k].bodies, 1);
        rct_plan *plan = rct_plan_create(model, NULL);
        rct_partition *p = rct_partition_create(plan, known[k].length, 0, 0, NULL);
        if (p->segment_count != known[k].segments || p->task_count != known[k].tasks ||
            p->nodes != known[k].nodes) {
            fail_msg("%d: %d segments, %d tasks, %d nodes", (int)k, p->segment_count, p->task_count,
                     p->nodes);
        }
        rct_partition_free(p);
        rct_plan_free(plan);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_odd_trees),
        cmocka_unit_test(test_known_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
