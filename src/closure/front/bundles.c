/* Which rows a front takes together, which of its nodes they touch, and which of them each piece
 * couples (front.h). */
#include "closure/front/front.h"

#include <string.h>

/* Whether the ends from `a` to `b` and those from `b` to `c` are on the same nodes. */
static int same_nodes(const rct_reduced_tree *r, int32_t a, int32_t b, int32_t c)
{
    int same = b - a == c - b;
    for (int32_t k = 0; same && k < b - a; k++) {
        same = r->end[a + k].node == r->end[b + k].node;
    }
    return same;
}

/* The touch of a bundle on a node, or the number of the next touch if there is none. */
static int32_t find_touch(const rct_front *f, int32_t bundle, int32_t node)
{
    int32_t t = f->bundle[bundle].touch;
    while (t < f->touches && f->touch[t].node != node) {
        t++;
    }
    return t;
}

/* `comes_to` [nodes]: the node at which the front is met from there, or -1: none. */
static void find_nodes(const rct_reduced_tree *r, int32_t *comes_to)
{
    for (int32_t i = r->nodes - 1; i >= 0; i--) {
        const rct_reduced_node *node = &r->node[i];
        comes_to[i] = node->front ? i : (node->up >= 0 ? comes_to[node->up] : -1);
    }
}

static void list_touches(rct_front *f, const int32_t *comes_to, int32_t bundle, int32_t begin,
                         int32_t end)
{
    for (int32_t e = begin; e < end; e++) {
        const int32_t node = comes_to[f->reduced->end[e].node];
        const int32_t t = node >= 0 ? find_touch(f, bundle, node) : -1;
        if (t == f->touches) {
            f->touch[f->touches++] = (rct_front_touch){.bundle = bundle, .node = node};
        }
        f->touch_of_end[e] = t;
    }
}

static void list_bundles(rct_front *f, const int32_t *comes_to)
{
    const rct_reduced_tree *r = f->reduced;
    int32_t before = 0, begin = 0;
    for (int32_t row = 0; row < r->rows; row++) {
        int32_t end = begin;
        while (end < r->ends && r->end[end].row == row) {
            end++;
        }
        rct_front_bundle *b = &f->bundle[f->bundles];
        if (row > 0 && b[-1].rows < RCT_FRONT_ROWS_AT_ONCE && same_nodes(r, before, begin, end)) {
            b--;
        } else {
            *b = (rct_front_bundle){.row = row, .touch = f->touches};
            f->bundles++;
        }
        b->rows++;
        f->bundle_of[row] = f->bundles - 1;
        list_touches(f, comes_to, f->bundles - 1, begin, end);
        before = begin;
        begin = end;
    }
    f->bundle[f->bundles] = (rct_front_bundle){.row = r->rows, .touch = f->touches};
}

/* `last` [bundles]: the last piece for which each was listed. */
static void list_pieces(rct_front *f, rct_reduced_tree *r, int32_t *last)
{
    int32_t listed = 0;
    memset(last, -1, (size_t)f->bundles * sizeof *last);
    for (int32_t i = 0; i < r->nodes; i++) {
        const rct_reduced_node *root = &r->node[i];
        if (!rct_reduced_is_root(r, root)) {
            continue;
        }
        f->piece[f->pieces] = (rct_front_piece){.node = i, .first = listed};
        for (int32_t k = root->first; k < root->end; k++) {
            const int32_t bundle = f->bundle_of[r->entry[k].row];
            if (root->up >= 0) {
                r->entry[k].touch = find_touch(f, bundle, root->up);
            }
            if (last[bundle] != f->pieces) {
                last[bundle] = f->pieces;
                f->of_piece[listed++] = bundle;
            }
        }
        f->pieces++;
    }
    f->piece[f->pieces] = (rct_front_piece){.first = listed};
}

int rct_front_list(rct_front *f, rct_reduced_tree *r, rct_pool *pool, rct_error *error)
{
    const int64_t rows = r->rows, nodes = r->nodes;
    rct_pool work = {.what = pool->what};
    int32_t *comes_to = rct_pool_take(&work, nodes, sizeof *comes_to, error);
    int32_t *last = rct_pool_take(&work, rows, sizeof *last, error);
    f->bundle = rct_pool_take(pool, rows + 1, sizeof *f->bundle, error);
    f->bundle_of = rct_pool_take(pool, rows, sizeof *f->bundle_of, error);
    f->touch = rct_pool_take(pool, r->ends, sizeof *f->touch, error);
    f->touch_of_end = rct_pool_take(pool, r->ends, sizeof *f->touch_of_end, error);
    f->piece = rct_pool_take(pool, nodes + 1, sizeof *f->piece, error);
    f->of_piece = rct_pool_take(pool, r->entries, sizeof *f->of_piece, error);
    const int whole = !work.failed && !pool->failed;
    if (whole) {
        find_nodes(r, comes_to);
        list_bundles(f, comes_to);
        list_pieces(f, r, last);
    }
    rct_pool_empty(&work);
    return whole;
}
