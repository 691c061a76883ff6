/* Aggregation subgraphs by union of sets (aggregate.h). A set is a node of the tree as aggregated
 * so far; its top is the body on which it hangs. A loop climbs from both its ends, from set to set,
 * always from the set whose top is deeper, until the two meet. So it never climbs the set where
 * they meet, and all climbed sets become one. Every climb of a loop except the first reduces the
 * number of sets by one. */
#include "closure/aggregate.h"

#include "core/memory.h"

#include <string.h>

static const char what[] = "aggregates of loops";

typedef struct sets {
    const rct_operator_tree *tree;
    const int32_t *depth;
    int32_t *up;  /* [n] towards the representative of the set, which points to itself */
    int32_t *top; /* [n] of representatives */
} sets;

/* ---- sets --------------------------------------------------------------------------------- */

static int32_t find(sets *s, int32_t body)
{
    while (s->up[body] != body) {
        s->up[body] = s->up[s->up[body]];
        body = s->up[body];
    }
    return body;
}

static int32_t depth_of(const sets *s, int32_t body)
{
    return body == RCT_GROUND ? -1 : s->depth[body];
}

/* Add a set to those of a loop, -1: none yet; the set with the highest top gives the top. */
static void absorb(sets *s, int32_t *whole, int32_t set)
{
    if (*whole >= 0 && set != *whole) {
        const int higher = depth_of(s, s->top[set]) < depth_of(s, s->top[*whole]);
        const int32_t root = higher ? set : *whole;
        s->up[higher ? *whole : set] = root;
        set = root;
    }
    *whole = set;
}

/* Make one set of the paths from both bodies to where they meet. For relations (hinges 1) the hinge
 * there is included if it belongs to one of the two bodies. Returns a body of the set. */
static int32_t join(sets *s, int32_t one, int32_t other, int hinges)
{
    int32_t at[2] = {one, other}, whole = -1;
    while (at[0] != at[1]) {
        const int32_t set[2] = {at[0] == RCT_GROUND ? -1 : find(s, at[0]),
                                at[1] == RCT_GROUND ? -1 : find(s, at[1])};
        if (set[0] == set[1]) {
            absorb(s, &whole, set[0]);
            return whole;
        }
        const int side = set[0] < 0 ||
                         (set[1] >= 0 && depth_of(s, s->top[set[1]]) > depth_of(s, s->top[set[0]]));
        at[side] = s->top[set[side]];
        absorb(s, &whole, set[side]);
    }
    if (hinges && (at[0] == one || at[0] == other)) {
        absorb(s, &whole, find(s, at[0]));
    }
    return whole;
}

/* ---- rows --------------------------------------------------------------------------------- */

int32_t rct_aggregation_body_of(const rct_operator_tree *tree, int64_t rate)
{
    /* the last body with first <= rate: none on a fixed hinge */
    int32_t low = 0, high = tree->n - 1;
    while (low < high) {
        const int32_t middle = high - (high - low) / 2;
        if (tree->first[middle] <= rate) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* Make the set of a row; returns a body of it. */
static int32_t join_row(sets *s, const rct_closure_rows *rows, int32_t row)
{
    const rct_closure_end *end = rows->ends + rows->ends_at[row];
    const int32_t ends = rows->ends_at[row + 1] - rows->ends_at[row];
    int32_t in = -1, first = -1;
    if (ends > 0) {
        first = end[0].body;
        in = join(s, first, ends > 1 ? end[1].body : RCT_GROUND, 0);
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        const int32_t body = rct_aggregation_body_of(s->tree, rows->rates[k].rate);
        first = first < 0 ? body : first;
        in = join(s, first, body, 1);
    }
    return in;
}

/* Make one set for each loop; `found` [rows] gets a body of it. */
static void join_rows(sets *s, const rct_closure_rows *rows, int32_t *found)
{
    for (int32_t i = 0; i < s->tree->n; i++) {
        s->up[i] = i;
        s->top[i] = s->tree->parent[i];
    }
    for (int32_t i = 0; i < rows->count; i++) {
        const int same = i > 0 && rows->loop[i] == rows->loop[i - 1];
        found[i] = same ? found[i - 1] : join_row(s, rows, i);
    }
}

/* ---- the aggregated tree -------------------------------------------------------------------- */

/* Number the aggregates by their first rows; `found` becomes the number of each row. */
static void number(rct_aggregation *a, sets *s, const rct_closure_rows *rows, int32_t *found)
{
    memset(a->aggregate_of, -1, (size_t)s->tree->n * sizeof *a->aggregate_of);
    for (int32_t i = 0; i < rows->count; i++) {
        const int32_t set = find(s, found[i]);
        if (a->aggregate_of[set] < 0) {
            a->aggregate_of[set] = a->count++;
            a->aggregate[a->aggregate_of[set]].top = s->top[set];
        }
        found[i] = a->aggregate_of[set];
        a->aggregate[found[i]].rows++;
    }
    for (int32_t b = 0; b < s->tree->n; b++) {
        a->aggregate_of[b] = a->aggregate_of[find(s, b)];
        if (a->aggregate_of[b] >= 0) {
            rct_aggregate *own = &a->aggregate[a->aggregate_of[b]];
            own->bodies++;
            own->rates += (int32_t)(s->tree->first[b + 1] - s->tree->first[b]);
        }
    }
}

/* List rows, bodies and nodes: the node of an aggregate stands at the place of its first body by
 * depth. */
static void list(rct_aggregation *a, const int32_t *order, int32_t n, const rct_closure_rows *rows,
                 const int32_t *found)
{
    int32_t *body = a->bodies, *row = a->rows;
    for (int32_t k = 0; k < a->count; k++) {
        rct_aggregate *own = &a->aggregate[k];
        own->body = body;
        own->row = row;
        body += own->bodies;
        row += own->rows;
        own->bodies = own->rows = 0;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        rct_aggregate *own = &a->aggregate[found[i]];
        own->row[own->rows++] = i;
    }
    for (int32_t k = 0; k < n; k++) {
        const int32_t in = a->aggregate_of[order[k]];
        if (in < 0) {
            a->node[a->nodes++] = order[k];
        } else {
            if (a->aggregate[in].bodies == 0) {
                a->node[a->nodes++] = ~in;
            }
            a->aggregate[in].body[a->aggregate[in].bodies++] = order[k];
        }
    }
}

static int allocate(rct_aggregation *a, int64_t n, int64_t rows, rct_error *error)
{
    a->pool.what = what;
    a->node = rct_pool_take(&a->pool, n, sizeof *a->node, error);
    a->aggregate_of = rct_pool_take(&a->pool, n, sizeof *a->aggregate_of, error);
    a->depth = rct_pool_take(&a->pool, n, sizeof *a->depth, error);
    a->bodies = rct_pool_take(&a->pool, n, sizeof *a->bodies, error);
    a->rows = rct_pool_take(&a->pool, rows, sizeof *a->rows, error);
    a->aggregate = rct_pool_take(&a->pool, rows < n ? rows : n, sizeof *a->aggregate, error);
    return !a->pool.failed;
}

rct_aggregation *rct_aggregation_create(const rct_operator_tree *tree, const int32_t *order,
                                        const rct_closure_rows *rows, rct_error *error)
{
    rct_aggregation *a = rct_allocate(1, sizeof *a, what, error);
    int32_t *scratch =
        rct_allocate(2 * (int64_t)tree->n + rows->count, sizeof *scratch, what, error);
    if (a == NULL || scratch == NULL || !allocate(a, tree->n, rows->count, error)) {
        rct_release(scratch);
        rct_aggregation_free(a);
        return NULL;
    }
    for (int32_t k = 0; k < tree->n; k++) {
        const int32_t up = tree->parent[order[k]];
        a->depth[order[k]] = up == RCT_GROUND ? 0 : a->depth[up] + 1;
    }
    sets s = {.tree = tree, .depth = a->depth, .up = scratch, .top = scratch + tree->n};
    int32_t *found = s.top + tree->n;
    join_rows(&s, rows, found);
    number(a, &s, rows, found);
    list(a, order, tree->n, rows, found);
    rct_release(scratch);
    return a;
}

void rct_aggregation_free(rct_aggregation *a)
{
    if (a != NULL) {
        rct_pool_empty(&a->pool);
        rct_release(a);
    }
}

int32_t rct_aggregation_meet(const rct_aggregation *a, const rct_operator_tree *tree, int32_t one,
                             int32_t other)
{
    while (one != other) {
        if (one == RCT_GROUND || (other != RCT_GROUND && a->depth[other] > a->depth[one])) {
            other = tree->parent[other];
        } else {
            one = tree->parent[one];
        }
    }
    return one;
}
