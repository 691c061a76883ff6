/* The packing of tasks into bushes of 1, 2, 4 and 8 lanes: every link of every task in one lane, paths side
 * by side with their tips in one wave, every link finds what hangs on it and what it hangs on. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/systems/odd_tree.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"
#include "topology/bushes.h"

#include <stdlib.h>
#include <string.h>

/* A packing and where it has each link. */
typedef struct view {
    const rct_bush_packing *k;
    const rct_bushes *b;
    const rct_links *links;
    int64_t *at;   /* [links] wave * lanes + lane, or -1                                      */
    int32_t *bush; /* [links] or -1                                                           */
    int64_t *end;  /* [waves] the wave behind the sheaf                                       */
} view;

static int64_t first_of(const rct_bushes *b, int32_t bush)
{
    return b->first_wave[b->first_sheaf[bush]];
}

static view look(const rct_bush_packing *k)
{
    const int32_t links = k->segments->plan->links.count;
    view v = {k, &k->bushes, &k->segments->plan->links, NULL, NULL, NULL};
    v.at = malloc((size_t)links * sizeof *v.at);
    v.bush = malloc((size_t)links * sizeof *v.bush);
    v.end = malloc((size_t)(v.b->waves + 1) * sizeof *v.end);
    assert_true(v.at != NULL && v.bush != NULL && v.end != NULL);
    for (int32_t i = 0; i < links; i++) {
        v.at[i] = v.bush[i] = -1;
    }
    assert_int_equal(first_of(v.b, 0), 0);
    assert_int_equal(first_of(v.b, v.b->count), v.b->waves);
    for (int32_t bush = 0; bush < v.b->count; bush++) {
        for (int32_t s = v.b->first_sheaf[bush]; s < v.b->first_sheaf[bush + 1]; s++) {
            for (int64_t g = v.b->first_wave[s]; g < v.b->first_wave[s + 1]; g++) {
                v.end[g] = v.b->first_wave[s + 1];
                for (int64_t l = 0; l < k->lanes; l++) {
                    const int32_t i = v.b->label[g * k->lanes + l];
                    assert_in_range(i + 1, 0, links);
                    if (i >= 0) {
                        assert_int_equal(v.at[i], -1);
                        v.at[i] = g * k->lanes + l;
                        v.bush[i] = bush;
                    }
                }
            }
        }
    }
    return v;
}

static void look_away(view *v)
{
    free(v->at);
    free(v->bush);
    free(v->end);
}

/* Every task is in one bush, all its links are, and no others; bushes of tasks on the ground are the last. */
static void check_cover(const view *v)
{
    const rct_partition *p = v->k->partition;
    int64_t inside = 0;
    char *seen = calloc((size_t)p->task_count + 1, 1);
    assert_non_null(seen);
    assert_int_equal(v->b->first_root[v->b->count], p->task_count);
    for (int32_t bush = 0; bush < v->b->count; bush++) {
        assert_true(v->b->first_root[bush] < v->b->first_root[bush + 1]);
        for (int64_t r = v->b->first_root[bush]; r < v->b->first_root[bush + 1]; r++) {
            const rct_task *task = &p->tasks[v->k->task[r]];
            assert_int_equal(seen[v->k->task[r]]++, 0);
            assert_int_equal(bush < v->b->hanging, v->links->parent[task->first] >= 0);
            for (int32_t i = task->first; i < task->first + task->count; i++) {
                assert_int_equal(v->bush[i], bush);
            }
            inside += task->count;
        }
    }
    assert_int_equal(v->k->padding, v->b->waves * v->k->lanes - inside);
    free(seen);
}

/* The longest path goes on in the lane, to the last wave of the sheaf; sheaves are by length but in single lanes, and the
 * bush with most rows gives the size of the scratch. */
static void check_paths(const view *v)
{
    const int64_t lanes = v->k->lanes;
    int64_t most = 0;
    for (int64_t at = 0; at < v->b->waves * lanes; at++) {
        const int32_t i = v->b->label[at];
        if (i >= 0) {
            const int tip = v->links->child_begin[i] == v->links->child_begin[i + 1];
            assert_int_equal(tip, v->end[at / lanes] == at / lanes + 1);
            assert_true(tip || v->at[v->links->child[v->links->child_begin[i]]] == at + lanes);
        }
    }
    for (int32_t bush = 0; bush < v->b->count; bush++) {
        const int64_t rows = 1 + first_of(v->b, bush + 1) - first_of(v->b, bush);
        most = rows > most ? rows : most;
        for (int32_t s = v->b->first_sheaf[bush] + 1; s < v->b->first_sheaf[bush + 1]; s++) {
            assert_true(lanes == 1 || v->b->first_wave[s + 1] - v->b->first_wave[s] <=
                                          v->b->first_wave[s] - v->b->first_wave[s - 1]);
        }
    }
    assert_int_equal(v->b->most_rows, most);
}

/* Paths begin where they do, on links of earlier waves. */
static void check_starts(const view *v)
{
    const int64_t lanes = v->k->lanes;
    for (int64_t at = 0; at < v->b->waves * lanes; at++) {
        const int64_t g = at / lanes, lane = at % lanes;
        const int32_t i = v->b->label[at], up = i >= 0 ? v->links->parent[i] : -1;
        const int hung = up >= 0 && v->at[up] >= 0 && i != up + 1;
        const int root = i >= 0 && (up < 0 || v->at[up] < 0);
        assert_int_equal(v->b->starts[g] >> lane & 1, hung || root);
        assert_int_equal(v->b->hung[g] >> lane & 1, hung);
        if (hung) {
            const int64_t from = v->at[up] / lanes - first_of(v->b, v->bush[i]);
            assert_true(v->at[up] / lanes < g);
            assert_int_equal(v->bush[up], v->bush[i]);
            assert_int_equal(v->b->up[v->b->up_row[g] * lanes + lane],
                             from * STATE_FIELDS * lanes + v->at[up] % lanes);
        }
    }
}

static int32_t place_of(const view *v, int32_t i)
{
    const int64_t row = 1 + v->at[i] / v->k->lanes - first_of(v->b, v->bush[i]);
    return (int32_t)(row * BUSH_FIELDS * v->k->lanes + v->at[i] % v->k->lanes);
}

/* All outboard links but the first, in their order; what is missing is neutral. */
static void check_kids(const view *v)
{
    const int64_t lanes = v->k->lanes;
    for (int64_t g = 0; g < v->b->waves; g++) {
        int64_t most = 0;
        for (int64_t lane = 0; lane < lanes; lane++) {
            const int32_t i = v->b->label[g * lanes + lane];
            int32_t c = i >= 0 ? v->links->child_begin[i] + 1 : 0;
            const int32_t end = i >= 0 ? v->links->child_begin[i + 1] : 0;
            most = end - c > most ? end - c : most;
            for (int64_t k = v->b->first_kid[g]; k < v->b->first_kid[g + 1]; k++, c++) {
                const int32_t kid = c < end ? v->links->child[c] : -1;
                assert_int_equal(v->b->kid[k * lanes + lane],
                                 kid >= 0 ? place_of(v, kid) : (int32_t)lane);
                for (int64_t f = 0; f < 3; f++) {
                    const double at =
                        kid >= 0 ? v->links->sweep[kid * LINK_FIELDS + LINK_AT + f] : 0.0;
                    assert_true(v->b->kid_at[(3 * k + f) * lanes + lane] == at);
                }
            }
        }
        assert_int_equal(v->b->first_kid[g + 1] - v->b->first_kid[g], most);
    }
}

/* Roots and, beside segments, where they hang. */
static void check_roots(const view *v)
{
    const rct_partition *p = v->k->partition;
    const int64_t lanes = v->k->lanes;
    int64_t besides = 0;
    for (int64_t r = 0; r < p->task_count; r++) {
        const rct_task *task = &p->tasks[v->k->task[r]];
        const int64_t g = v->at[task->first] / lanes, lane = v->at[task->first] % lanes;
        assert_int_equal(v->b->root[r].node, task->node);
        assert_int_equal(v->b->root[r].place, place_of(v, task->first));
        assert_int_equal(v->b->root[r].beside, task->beside >= 0);
        if (task->beside >= 0) {
            const int64_t at = v->b->side_row[g] * lanes + lane;
            const int32_t s = v->k->segments->task_segment[v->k->task[r]];
            assert_true(v->b->side_row[g] >= 0);
            assert_int_equal(v->b->side_node[at], task->node);
            assert_int_equal(v->b->side_up[at],
                             rct_packing_address(v->k->segments, s,
                                                 task->beside - p->segments[s].first,
                                                 STATE_FIELDS));
            besides++;
        }
    }
    for (int64_t at = 0; at < v->k->side_rows * lanes; at++) {
        besides -= v->b->side_node[at] >= 0;
    }
    assert_int_equal(besides, 0);
}

/* The constants as a kernel reads them, and states at rest. */
static void check_records(const view *v)
{
    const int64_t lanes = v->k->lanes;
    for (int64_t at = 0; at < v->b->waves * lanes; at++) {
        double record[LINK_FIELDS];
        const int64_t r = v->b->record[at / lanes];
        rct_constants_link(v->links, v->b->label[at], v->k->segments->about_com, record);
        for (int64_t f = 0; f < LINK_FIELDS; f++) {
            const double *is = r >= 0 ? &v->b->shared[r * LINK_FIELDS + f]
                                      : &v->b->wide[(~r * LINK_FIELDS + f) * lanes + at % lanes];
            assert_memory_equal(is, &record[f], sizeof *is);
        }
    }
    for (int64_t i = 0; i < v->b->waves * STATE_FIELDS * lanes; i++) {
        assert_true(v->b->state[i] == (i / lanes % STATE_FIELDS == 0 ? 1.0 : 0.0));
    }
    assert_true(rct_bush_packing_bytes(v->k) >= v->b->waves * lanes * 3 * STATE_FIELDS * 8);
}

/* Takes the model over. */
static void check_model(rct_model *model)
{
    static const int64_t lengths[] = {0, 1, 2, 5, 16, 1000, SEGMENT_AUTO};
    rct_plan *plan = model != NULL ? rct_plan_create(model, NULL) : NULL;
    assert_non_null(plan);
    for (size_t l = 0; l < 4 * sizeof lengths / sizeof lengths[0]; l++) {
        rct_partition *p = rct_partition_create(plan, lengths[l / 4], 0, NULL);
        assert_non_null(p);
        rct_packing *segments = rct_packing_create(plan, p, 1 << l % 4, l % 3 == 0, NULL);
        assert_non_null(segments);
        rct_bush_packing *k = rct_bush_packing_create(segments, segments->partition, 8, NULL);
        assert_non_null(k);
        view v = look(k);
        check_cover(&v);
        check_paths(&v);
        check_starts(&v);
        check_kids(&v);
        check_roots(&v);
        check_records(&v);
        look_away(&v);
        rct_bush_packing_free(k);
        rct_packing_free(segments);
        rct_partition_free(p);
    }
    rct_plan_free(plan);
    rct_model_free(model);
}

static void test_families(void **state)
{
    (void)state;
    for (int f = 0; tree_families[f] != NULL; f++) {
        for (int64_t bodies = 7; bodies <= 3000; bodies *= 6) {
            const rct_family family = {tree_families[f], bodies, RCT_HINGE_BALL, 1, 0.0, 1};
            check_model(rct_model_generate(&family, NULL));
        }
    }
}

static void test_random_systems(void **state)
{
    (void)state;
    for (int i = 0; i < 48; i++) {
        const random_system system = {.shape = (random_shape)(i % 4),
                                      .bodies = 1 + 13 * i * (1 + i / 8),
                                      .fixed = i % 3 * 0.2,
                                      .shuffled = i % 2,
                                      .seed = (uint64_t)i};
        check_model(random_system_create(&system));
    }
}

static void test_odd_trees(void **state)
{
    (void)state;
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        for (int32_t bodies = 3; bodies <= 3000; bodies = 4 * bodies + 1) {
            check_model(odd_tree_create((odd_tree)kind, bodies, 1));
        }
    }
}

/* A complete binary tree fills its lanes: paths of every length are many. */
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
        const rct_family family = {known[i].name, known[i].bodies, RCT_HINGE_BALL, 1, 0.0, 1};
        rct_model *model = rct_model_generate(&family, NULL);
        rct_plan *plan = rct_plan_create(model, NULL);
        rct_partition *p = rct_partition_create(plan, SEGMENT_AUTO, 0, NULL);
        rct_packing *segments = rct_packing_create(plan, p, 8, 0, NULL);
        rct_bush_packing *k = rct_bush_packing_create(segments, segments->partition, 8, NULL);
        const double share = (double)k->padding / (double)known[i].bodies;
        if (k->bushes.count == 0 || share > known[i].most) {
            fail_msg("%s: %d bushes, %g padded", known[i].name, k->bushes.count, share);
        }
        rct_bush_packing_free(k);
        rct_packing_free(segments);
        rct_partition_free(p);
        rct_plan_free(plan);
        rct_model_free(model);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    const rct_family family = {"comb", 500, RCT_HINGE_BALL, 1, 0.0, 1};
    rct_model *model = rct_model_generate(&family, NULL);
    rct_plan *plan = rct_plan_create(model, NULL);
    rct_partition *p = rct_partition_create(plan, 20, 0, NULL);
    rct_packing *segments = rct_packing_create(plan, p, 4, 0, NULL);
    rct_bush_packing *k = NULL;
    int64_t failures = 0;
    for (; k == NULL; failures++) {
        rct_error error;
        rct_allocate_fail_after(failures);
        k = rct_bush_packing_create(segments, segments->partition, 8, &error);
        rct_allocate_fail_after(-1);
        assert_true(k != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(failures > 20);
    rct_bush_packing_free(k);
    rct_packing_free(segments);
    rct_partition_free(p);
    rct_plan_free(plan);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),  cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_odd_trees), cmocka_unit_test(test_little_is_padded),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
