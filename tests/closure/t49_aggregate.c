/* Aggregates of loops against their definition: a hinge is in a loop if its motion moves one end of
 * the loop relative to the other, found for every body and every loop by a walk to the ground; and
 * against the nonzero columns of J. */
#include "tests/support/cmocka_all.h"

#include "closure/aggregate.h"
#include "core/memory.h"
#include "tests/closure/random_graph.h"
#include "tests/support/systems/closed_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the definition ---------------------------------------------------------------------------- */

static int carries(const graph *g, int32_t body, int32_t what)
{
    while (what != RCT_GROUND && what != body) {
        what = g->parent[what];
    }
    return what == body;
}

static int32_t holder(const graph *g, int64_t rate)
{
    int32_t body = 0;
    while (rate >= g->first[body + 1]) {
        body++;
    }
    return body;
}

/* Whether the hinge of the body belongs to the row. */
static int is_in(const graph *g, int32_t body, int32_t row)
{
    int32_t carried = 0, ends = 0, outboard = 0, named = 0;
    for (int32_t k = g->ends_at[row]; k < g->ends_at[row + 1]; k++, ends++) {
        carried += carries(g, body, g->ends[k].body);
    }
    if (ends > 0) { /* one end moves, the other or the ground does not */
        return carried == 1;
    }
    for (int64_t k = g->rates_at[row]; k < g->rates_at[row + 1]; k++, named++) {
        const int32_t hinge = holder(g, g->rates[k].rate);
        carried += carries(g, body, hinge);
        outboard += body != hinge && carries(g, body, hinge);
    }
    return carried > 0 && outboard < named; /* a body that carries all hinges moves none of them */
}

/* The least label of all bodies that loops tie together, or -1. */
static void label_slowly(const graph *g, int32_t *label)
{
    for (int32_t b = 0; b < g->n; b++) {
        label[b] = -1;
        for (int32_t row = 0; row < g->rows.count; row++) {
            label[b] = is_in(g, b, row) ? b : label[b];
        }
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int32_t row = 0; row < g->rows.count; row++) {
            int32_t least = g->n;
            for (int32_t b = 0; b < g->n; b++) {
                least = is_in(g, b, row) && label[b] < least ? label[b] : least;
            }
            for (int32_t b = 0; b < g->n; b++) {
                if (is_in(g, b, row) && label[b] != least) {
                    label[b] = least;
                    changed = 1;
                }
            }
        }
    }
}

/* ---- checks ----------------------------------------------------------------------------------- */

static void check_partition(const graph *g, const rct_aggregation *a)
{
    int32_t label[MOST_BODIES];
    label_slowly(g, label);
    for (int32_t b = 0; b < g->n; b++) {
        assert_int_equal(a->aggregate_of[b] < 0, label[b] < 0);
        for (int32_t c = 0; c < b; c++) {
            if (label[b] >= 0 && label[c] >= 0) {
                assert_int_equal(a->aggregate_of[b] == a->aggregate_of[c], label[b] == label[c]);
            }
        }
        for (int32_t row = 0; row < g->rows.count && a->aggregate_of[b] >= 0; row++) {
            const rct_aggregate *own = &a->aggregate[a->aggregate_of[b]];
            int listed = 0;
            for (int32_t k = 0; k < own->rows; k++) {
                listed += own->row[k] == row;
            }
            assert_true(listed <= 1);
            assert_true(listed || !is_in(g, b, row));
        }
    }
}

/* Every aggregate hangs on its top, and every list has parents first. */
static void check_tree(const graph *g, const rct_aggregation *a)
{
    int placed[MOST_BODIES] = {0};
    int32_t bodies = 0, rows = 0;
    for (int32_t k = 0; k < a->nodes; k++) {
        if (a->node[k] >= 0) {
            const int32_t up = g->parent[a->node[k]];
            assert_true(up == RCT_GROUND || placed[up]);
            assert_int_equal(a->aggregate_of[a->node[k]], -1);
            placed[a->node[k]] = 1;
            bodies++;
            continue;
        }
        const rct_aggregate *own = &a->aggregate[~a->node[k]];
        int32_t rates = 0, bases = 0;
        assert_true(own->top == RCT_GROUND || placed[own->top]);
        for (int32_t i = 0; i < own->bodies; i++, bodies++) {
            const int32_t up = g->parent[own->body[i]];
            assert_int_equal(a->aggregate_of[own->body[i]], ~a->node[k]);
            assert_true(up == own->top ||
                        (up != RCT_GROUND && placed[up] && a->aggregate_of[up] == ~a->node[k]));
            placed[own->body[i]] = 1;
            bases += up == own->top;
            rates += (int32_t)(g->first[own->body[i] + 1] - g->first[own->body[i]]);
        }
        assert_true(bases > 0);
        assert_int_equal(own->rates, rates);
        rows += own->rows;
    }
    assert_int_equal(bodies, g->n);
    assert_int_equal(rows, g->rows.count);
}

static void test_random_graphs(void **state)
{
    static graph g;
    int32_t aggregates = 0, several_bases = 0, nested = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        draw_graph(&g, seed);
        rct_aggregation *a = rct_aggregation_create(&g.tree, g.order, &g.rows, NULL);
        assert_non_null(a);
        check_partition(&g, a);
        check_tree(&g, a);
        aggregates += a->count;
        for (int32_t k = 0; k < a->count; k++) {
            const rct_aggregate *own = &a->aggregate[k];
            several_bases += own->bodies > 1 && g.parent[own->body[1]] == own->top;
            nested += own->top != RCT_GROUND && a->aggregate_of[own->top] >= 0;
        }
        rct_aggregation_free(a);
    }
    assert_true(aggregates > 3000); /* of which many are not plain */
    assert_true(several_bases > 1500);
    assert_true(nested > 500);
}

/* Columns of J of relative rates that share a row are joined, until nothing changes. */
static void tie_columns(const double *J, int64_t rows, int64_t rates, int64_t *label)
{
    for (int64_t j = 0; j < rates; j++) {
        label[j] = j;
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t i = 0; i < rows; i++) {
            int64_t least = rates;
            for (int64_t j = 0; j < rates; j++) {
                const int64_t own = label[j];
                least = fabs(J[i * rates + j]) > 1e-10 && own < least ? own : least;
            }
            for (int64_t j = 0; j < rates; j++) {
                if (fabs(J[i * rates + j]) > 1e-10 && label[j] != least) {
                    label[j] = least;
                    changed = 1;
                }
            }
        }
    }
}

/* Rates share an aggregate if their columns of J share rows: for hinges and loops whose column is
 * zero only if the hinge is in no loop. */
static void test_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const hinge_system system = {
            .tree = {.shape = SHAPE_TREE, .bodies = 30, .shuffled = 1, .seed = seed},
            .hinges = 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_UNIVERSAL | 1 << RCT_HINGE_HELICAL};
        rct_model *model = hinge_system_create(&system);
        closed_add_random(model, 1 + (int32_t)(seed % 6),
                          1 << RCT_LOOP_FIXED | 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_REVOLUTE, seed);
        closed_system s = closed_system_create(model, 0.0);
        int32_t *order = calloc((size_t)s.n, sizeof *order), count = 0;
        for (int32_t depth = 0; count < s.n; depth++) {
            for (int32_t b = 0; b < s.n; b++) {
                int32_t up = 0;
                for (int32_t k = s.problem.tree->parent[b]; k >= 0; k = s.problem.tree->parent[k]) {
                    up++;
                }
                if (up == depth) {
                    order[count++] = b;
                }
            }
        }
        rct_aggregation *a = rct_aggregation_create(s.problem.tree, order, s.problem.rows, NULL);
        double *J = closed_system_jacobian(&s);
        int64_t *label = calloc((size_t)s.rates, sizeof *label);
        tie_columns(J, s.problem.rows->count, s.rates, label);
        for (int64_t i = 0; i < s.rates; i++) {
            const int32_t one = a->aggregate_of[rct_aggregation_body_of(s.problem.tree, i)];
            for (int64_t j = 0; j < i; j++) {
                const int32_t two = a->aggregate_of[rct_aggregation_body_of(s.problem.tree, j)];
                if (one >= 0 && two >= 0) {
                    assert_int_equal(label[i] == label[j], one == two);
                } else {
                    assert_true(label[i] != label[j] || one == two);
                }
            }
        }
        free(order);
        free(J);
        free(label);
        rct_aggregation_free(a);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Loops from every body of a chain to the ground: paths of 10^10 bodies in total. */
static void test_long_paths(void **state)
{
    enum { N = 200000 };
    (void)state;
    int32_t *parent = calloc(N, sizeof *parent), *order = calloc(N, sizeof *order);
    int32_t *loop = calloc(N, sizeof *loop), *ends_at = calloc(N + 1, sizeof *ends_at);
    int64_t *first = calloc(N + 1, sizeof *first), *rates_at = calloc(N + 1, sizeof *rates_at);
    rct_closure_end *ends = calloc(N, sizeof *ends);
    for (int32_t way = 0; way < 2; way++) {
        for (int32_t i = 0; i < N; i++) {
            order[i] = loop[i] = i;
            parent[i] = i - 1;
            first[i + 1] = ends_at[i + 1] = i + 1;
            ends[i].body = way ? i : N - 1 - i;
        }
        const rct_operator_tree tree = {.n = N, .parent = parent, .first = first};
        const rct_closure_rows rows = {
            .count = N, .loop = loop, .ends_at = ends_at, .ends = ends, .rates_at = rates_at};
        rct_aggregation *a = rct_aggregation_create(&tree, order, &rows, NULL);
        assert_non_null(a);
        assert_int_equal(a->count, 1);
        assert_int_equal(a->nodes, 1);
        assert_int_equal(a->aggregate[0].bodies, N);
        assert_int_equal(a->aggregate[0].rows, N);
        assert_int_equal(a->aggregate[0].top, RCT_GROUND);
        assert_true(a->pool.bytes > 0);
        rct_aggregation_free(a);
    }
    free(parent);
    free(order);
    free(loop);
    free(ends_at);
    free(first);
    free(rates_at);
    free(ends);
}

static void test_memory(void **state)
{
    static graph g;
    rct_error error;
    rct_aggregation *a = NULL;
    int64_t failures = 0;
    (void)state;
    draw_graph(&g, 4);
    for (; a == NULL; failures++) {
        rct_allocate_fail_after(failures);
        a = rct_aggregation_create(&g.tree, g.order, &g.rows, &error);
        rct_allocate_fail_after(-1);
        assert_true(a != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_int_equal(failures, 9); /* all eight have failed once */
    rct_aggregation_free(a);
    rct_aggregation_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_long_paths),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
