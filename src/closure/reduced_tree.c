/* Nodes and columns of the reduced tree (reduced_tree.h), which stay as long as the same rows are
 * active. Every step is linear in bodies, ends and entries. */
#include "closure/reduced_tree.h"

#include "closure/aggregate.h"
#include "closure/front/front.h"

#include <string.h>

/* Arrays for making the tree. */
typedef struct draft {
    const rct_mobility *mobility;
    const rct_operator_tree *tree;
    const rct_closure_rows *rows;
    int32_t most;
    rct_pool *stays, pool;
    int32_t *node_of;    /* [stations] node of each, or -1 */
    int32_t *child;      /* [nodes] first node outboard, or -1 */
    int32_t *next;       /* [nodes] the next child of the same parent */
    int32_t *first_end;  /* [nodes] or -1 */
    int32_t *next_end;   /* [ends] */
    int32_t *gathered;   /* [nodes] columns, with those of the two ends of a row counted twice */
    int32_t *seen_node;  /* [rows] the node at which a row was listed last */
    int32_t *seen_entry; /* [rows] and its entry there */
} draft;

/* ---- ends --------------------------------------------------------------------------------- */

/* List rows as wrenches, with their stations instead of nodes; ends on the ground are left out.
 * With `end` NULL the function only counts. */
static int32_t list_ends(const draft *d, rct_reduced_end *end, int32_t *rate_body)
{
    const rct_closure_rows *rows = d->rows;
    int32_t count = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t station = rct_mobility_station(d->mobility, rows->ends[k].body);
            if (end != NULL && station >= 0) {
                end[count] = (rct_reduced_end){.row = i, .node = station, .entry = -1};
            }
            count += station >= 0;
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            const int32_t body = rct_aggregation_body_of(d->tree, rows->rates[k].rate);
            const int32_t up = rct_mobility_station(d->mobility, d->tree->parent[body]);
            if (end != NULL) {
                rate_body[k] = body;
                end[count] = (rct_reduced_end){
                    .row = i, .node = rct_mobility_station(d->mobility, body), .entry = -1};
                if (up >= 0) {
                    end[count + 1] = (rct_reduced_end){.row = i, .node = up, .entry = -1};
                }
            }
            count += up >= 0 ? 2 : 1;
        }
    }
    return count;
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* Number the stations at which ends are or paths from them meet: those of a tree one after the
 * other, and those of each subtree, its root last. node_of: 1 with an end, else 0; work space
 * [stations]: paths is 0, then the next number in each subtree; within. */
static int32_t number_nodes(const rct_mobility *m, int32_t *node_of, int32_t *paths,
                            int32_t *within)
{
    int32_t nodes = 0;
    for (int32_t k = m->stations - 1; k >= 0; k--) {
        const int32_t at = m->order[k], up = m->inboard[at];
        const int passes = node_of[at] != 0 || paths[at] > 0;
        node_of[at] = node_of[at] != 0 || paths[at] > 1;
        within[at] += node_of[at];
        if (up >= 0) {
            paths[up] += passes;
            within[up] += within[at];
        }
    }
    for (int32_t k = 0; k < m->stations; k++) {
        const int32_t at = m->order[k], up = m->inboard[at];
        int32_t *next = up < 0 ? &nodes : &paths[up];
        paths[at] = *next;
        *next += within[at];
        node_of[at] = node_of[at] ? *next - 1 : -1;
    }
    return nodes;
}

static void link_nodes(rct_reduced_tree *r, draft *d)
{
    const rct_mobility *m = d->mobility;
    for (int32_t k = 0; k < m->stations; k++) {
        if (d->node_of[k] >= 0) {
            r->node[d->node_of[k]] = (rct_reduced_node){.station = k, .up = -1};
        }
    }
    memset(d->child, -1, (size_t)r->nodes * sizeof *d->child);
    memset(d->first_end, -1, (size_t)r->nodes * sizeof *d->first_end);
    for (int32_t i = 0; i < r->nodes; i++) {
        int32_t at = m->inboard[r->node[i].station];
        while (r->node[i].up < 0 && at >= 0) {
            r->node[i].up = d->node_of[at];
            at = m->inboard[at];
        }
        if (r->node[i].up >= 0) {
            d->next[i] = d->child[r->node[i].up];
            d->child[r->node[i].up] = i;
        }
    }
    for (int32_t e = r->ends - 1; e >= 0; e--) {
        rct_reduced_end *end = &r->end[e];
        end->node = d->node_of[end->node];
        d->next_end[e] = d->first_end[end->node];
        d->first_end[end->node] = e;
    }
}

/* ---- columns ------------------------------------------------------------------------------ */

/* The columns that a node gathers: of rows that end there and of nodes outboard. */
static int32_t gather(const draft *d, int32_t i)
{
    int32_t count = 0;
    for (int32_t e = d->first_end[i]; e >= 0; e = d->next_end[e]) {
        count++;
    }
    for (int32_t c = d->child[i]; c >= 0; c = d->next[c]) {
        count += d->gathered[c];
    }
    return count;
}

/* Find what nodes gather, and where a front goes; returns whether there is one, because there is a
 * large tree. */
static int gather_all(const rct_reduced_tree *r, const draft *d)
{
    int large = 0;
    for (int32_t i = 0; i < r->nodes; i++) {
        d->gathered[i] = gather(d, i);
        large |= d->gathered[i] > d->most;
    }
    for (int32_t i = 0; i < r->nodes && large; i++) {
        r->node[i].front = d->gathered[i] > d->most / 8;
    }
    return large;
}

/* The entry of a row at node i; a new one if it has none yet. */
static int32_t enter(rct_reduced_tree *r, draft *d, int32_t i, int32_t row)
{
    if (d->seen_node[row] != i) {
        d->seen_node[row] = i;
        d->seen_entry[row] = r->entries;
        r->entry[r->entries++] = (rct_reduced_entry){.row = row, .up = -1, .touch = -1};
    }
    return d->seen_entry[row];
}

/* List columns of all nodes, and their places from the roots outward. */
static void list_entries(rct_reduced_tree *r, draft *d)
{
    memset(d->seen_node, -1, (size_t)r->rows * sizeof *d->seen_node);
    for (int32_t i = 0; i < r->nodes; i++) {
        r->node[i].first = r->entries;
        const int columns = !r->node[i].front; /* then all nodes outboard have columns too */
        for (int32_t e = d->first_end[i]; e >= 0 && columns; e = d->next_end[e]) {
            r->end[e].entry = enter(r, d, i, r->end[e].row);
        }
        for (int32_t c = d->child[i]; c >= 0 && columns; c = d->next[c]) {
            for (int32_t k = r->node[c].first; k < r->node[c].end; k++) {
                r->entry[k].up = enter(r, d, i, r->entry[k].row);
            }
        }
        r->node[i].end = r->entries;
    }
    for (int32_t i = r->nodes - 1; i >= 0; i--) {
        for (int32_t k = r->node[i].first; k < r->node[i].end; k++) {
            const int32_t up = r->entry[k].up;
            r->entry[k].place = up >= 0 ? r->entry[up].place : k - r->node[i].first;
        }
    }
}

/* ---- making ------------------------------------------------------------------------------- */

static int make_nodes(rct_reduced_tree *r, draft *d, rct_error *error)
{
    const int64_t stations = d->mobility->stations;
    r->ends = list_ends(d, NULL, NULL);
    r->end = rct_pool_take(d->stays, r->ends, sizeof *r->end, error);
    r->rate_body = rct_pool_take(d->stays, r->rates, sizeof *r->rate_body, error);
    d->node_of = rct_pool_take(&d->pool, stations, sizeof *d->node_of, error);
    int32_t *paths = rct_pool_take(&d->pool, stations, sizeof *paths, error);
    int32_t *within = rct_pool_take(&d->pool, stations, sizeof *within, error);
    if (d->stays->failed || d->pool.failed) {
        return 0;
    }
    list_ends(d, r->end, r->rate_body);
    for (int32_t e = 0; e < r->ends; e++) {
        d->node_of[r->end[e].node] = 1;
    }
    r->nodes = number_nodes(d->mobility, d->node_of, paths, within);
    r->node = rct_pool_take(d->stays, r->nodes, sizeof *r->node, error);
    d->child = rct_pool_take(&d->pool, r->nodes, sizeof *d->child, error);
    d->next = rct_pool_take(&d->pool, r->nodes, sizeof *d->next, error);
    d->first_end = rct_pool_take(&d->pool, r->nodes, sizeof *d->first_end, error);
    d->next_end = rct_pool_take(&d->pool, r->ends, sizeof *d->next_end, error);
    if (d->stays->failed || d->pool.failed) {
        return 0;
    }
    link_nodes(r, d);
    return 1;
}

static int make_columns(rct_reduced_tree *r, draft *d, rct_error *error)
{
    int64_t most = 0;
    d->gathered = rct_pool_take(&d->pool, r->nodes, sizeof *d->gathered, error);
    d->seen_node = rct_pool_take(&d->pool, r->rows, sizeof *d->seen_node, error);
    d->seen_entry = rct_pool_take(&d->pool, r->rows, sizeof *d->seen_entry, error);
    if (d->pool.failed) {
        return 0;
    }
    const int large = gather_all(r, d);
    for (int32_t i = 0; i < r->nodes; i++) {
        most += r->node[i].front ? 0 : d->gathered[i];
    }
    r->entry = rct_pool_take(d->stays, most, sizeof *r->entry, error);
    if (d->stays->failed) {
        return 0;
    }
    list_entries(r, d);
    if (large) {
        r->front = rct_front_create(r, d->stays, error);
    }
    return !d->stays->failed && (!large || r->front != NULL);
}

rct_reduced_tree *rct_reduced_tree_none(const rct_closure_rows *rows, rct_pool *pool,
                                        rct_error *error)
{
    rct_reduced_tree *r = rct_pool_take(pool, 1, sizeof *r, error);
    if (r != NULL) {
        r->rows = rows->count;
    }
    return r;
}

rct_reduced_tree *rct_reduced_tree_create(const rct_mobility *mobility,
                                          const rct_operator_tree *tree,
                                          const rct_closure_rows *rows, int32_t most,
                                          rct_pool *pool, rct_error *error)
{
    draft d = {.mobility = mobility,
               .tree = tree,
               .rows = rows,
               .most = most,
               .stays = pool,
               .pool = {.what = pool->what}};
    rct_reduced_tree *r = rct_pool_take(pool, 1, sizeof *r, error);
    if (r == NULL) {
        return NULL;
    }
    r->rows = rows->count;
    r->rates = rows->rates_at[rows->count];
    const int whole = make_nodes(r, &d, error) && make_columns(r, &d, error);
    rct_pool_empty(&d.pool);
    return whole ? r : NULL;
}
