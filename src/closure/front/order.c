/* The order in which a front goes outward (front.h). If one end of a row has been met, the front
 * goes on to its other end; else it goes on from the node that came last, with the lightest part
 * there. So rails of a ladder go side by side, and one branch ends before the next begins. */
#include "closure/front/front.h"

#include <string.h>

enum { UNMET = -1, DONE = -2 };

/* Arrays for ordering. */
typedef struct course {
    const rct_reduced_tree *reduced;
    rct_front *front;
    rct_pool pool;
    int32_t *child;               /* [nodes] the lightest node outboard, or -1 */
    int32_t *next;                /* [nodes] the next child of the same parent, no lighter */
    int32_t *touch;               /* [nodes] the first of its touches, or -1 */
    int32_t *also;                /* [touches] the next one of the same node */
    int32_t *to_child, *to_touch; /* [nodes] likewise, the first that may still be out */
    /* [touches + nodes] of touches 1: out; of nodes how many of their parts are out */
    int32_t *missing;
    int32_t *slot;          /* [nodes] or UNMET, DONE */
    int32_t *put;           /* [bundles] slot, or UNMET, DONE */
    int32_t *apart;         /* [bundles] how many of its touches and pieces are out */
    int32_t *coupled;       /* [bundles] the first of its couplings, or -1 */
    int32_t *another;       /* [couplings] the next one of the same bundle */
    int32_t *piece;         /* [couplings] its piece; DONE: it is in */
    int32_t *met;           /* [bundles] those that came in, in this order */
    int32_t *stack;         /* [nodes] those that came in, the last on top */
    int32_t *way;           /* [nodes] the way to a node */
    int32_t *used, *unused; /* [nodes + bundles] slots */
    int32_t mets, ended, height, use, idle;
    int64_t others, shares; /* counts so far */
} course;

/* ---- steps ---------------------------------------------------------------------------------- */

static int32_t take_slot(course *c)
{
    const int32_t slot = c->idle > 0 ? c->unused[--c->idle] : c->use;
    c->used[c->use++] = slot;
    return slot;
}

static void leave_slot(course *c, int32_t slot)
{
    int32_t k = 0;
    while (c->used[k] != slot) {
        k++;
    }
    c->used[k] = c->used[--c->use];
    c->unused[c->idle++] = slot;
}

/* Write the next step, if there is room, with the other slots in use before it. */
static void note(course *c, rct_front_step step)
{
    rct_front *f = c->front;
    for (int32_t k = 0; k < c->use && step.kind != RCT_FRONT_PIECE; k++) {
        if (c->used[k] != step.at && c->used[k] != step.with) {
            if (f->others != NULL) {
                f->others[c->others + step.count] = c->used[k];
            }
            step.count++;
        }
    }
    step.first = c->others;
    c->others += step.count;
    if (f->step != NULL) {
        f->step[f->steps] = step;
    }
    f->steps++;
}

/* A part of a node has come in: the node leaves if that was the last. */
static int came(course *c, int32_t node)
{
    const int last = --c->missing[c->front->touches + node] == 0;
    if (last) {
        leave_slot(c, c->slot[node]);
        c->slot[node] = DONE;
    }
    return last;
}

static void eliminate(course *c, int32_t bundle)
{
    rct_front *f = c->front;
    const int32_t slot = c->put[bundle];
    f->bundle[bundle].share = c->shares;
    c->shares += (int64_t)f->bundle[bundle].rows * (c->use - 1);
    note(c, (rct_front_step){.kind = RCT_FRONT_PIVOTS, .at = slot, .with = slot, .item = bundle});
    leave_slot(c, slot);
    c->put[bundle] = DONE;
}

/* A part of a bundle has come in: the bundle is eliminated if that was the last. */
static void coupled(course *c, int32_t bundle)
{
    if (--c->apart[bundle] == 0) {
        eliminate(c, bundle);
    }
}

static void add_bundle(course *c, int32_t bundle)
{
    const int32_t slot = c->put[bundle] = take_slot(c);
    c->met[c->mets++] = bundle;
    note(c, (rct_front_step){.kind = RCT_FRONT_BUNDLE, .at = slot, .with = slot, .item = bundle});
    if (c->apart[bundle] == 0) { /* it touches nothing */
        eliminate(c, bundle);
    }
}

static void add_touch(course *c, int32_t touch)
{
    rct_front *f = c->front;
    const int32_t bundle = f->touch[touch].bundle, node = f->touch[touch].node;
    if (c->put[bundle] == UNMET) {
        add_bundle(c, bundle);
    }
    c->missing[touch] = 0;
    note(c, (rct_front_step){.kind = RCT_FRONT_TOUCH,
                             .last = c->missing[f->touches + node] == 1,
                             .at = c->slot[node],
                             .with = c->put[bundle],
                             .item = touch});
    came(c, node);
    coupled(c, bundle);
}

static void add_piece(course *c, int32_t piece)
{
    const rct_front *f = c->front;
    const int32_t first = f->piece[piece].first, end = f->piece[piece + 1].first;
    for (int32_t k = first; k < end; k++) {
        c->piece[k] = DONE;
        if (c->put[f->of_piece[k]] == UNMET) {
            add_bundle(c, f->of_piece[k]);
        }
    }
    note(c, (rct_front_step){.kind = RCT_FRONT_PIECE, .item = piece});
    for (int32_t k = first; k < end; k++) {
        coupled(c, f->of_piece[k]);
    }
}

/* A node with one other part out and few rows takes these rows in first, so that it can leave. */
static void hand_on(course *c, int32_t node)
{
    const rct_front *f = c->front;
    int32_t rows = 0, touches = 0;
    for (int32_t t = c->touch[node]; t >= 0; t = c->also[t]) {
        if (c->missing[t]) {
            rows += c->put[f->touch[t].bundle] == UNMET ? f->bundle[f->touch[t].bundle].rows : 0;
            touches++;
        }
    }
    if (touches == c->missing[f->touches + node] - 1 && rows <= RCT_FRONT_ROWS_AT_ONCE) {
        for (int32_t t = c->touch[node]; t >= 0; t = c->also[t]) {
            if (c->missing[t]) {
                add_touch(c, t);
            }
        }
    }
}

static void add_node(course *c, int32_t node)
{
    const int32_t up = c->reduced->node[node].up;
    rct_front_step step = {.kind = RCT_FRONT_ROOT, .item = node};
    if (up >= 0) {
        hand_on(c, up);
        step.kind = RCT_FRONT_NODE;
        step.at = c->slot[up];
        step.last = c->missing[c->front->touches + up] == 1;
    }
    step.with = c->slot[node] = take_slot(c);
    step.at = up >= 0 ? step.at : step.with;
    note(c, step);
    c->stack[c->height++] = node;
    if (up >= 0) {
        came(c, up);
    }
}

/* Add a node, and before it those on the way to it that are out. */
static void add_way(course *c, int32_t node)
{
    int32_t length = 0;
    for (int32_t i = node; i >= 0 && c->slot[i] == UNMET; i = c->reduced->node[i].up) {
        c->way[length++] = i;
    }
    while (length > 0) {
        add_node(c, c->way[--length]);
    }
}

/* Go on from the bundle that has been in for longest; 0: none is in. */
static int on_from_rows(course *c)
{
    while (c->ended < c->mets && c->put[c->met[c->ended]] == DONE) {
        c->ended++;
    }
    if (c->ended == c->mets) {
        return 0;
    }
    const int32_t bundle = c->met[c->ended];
    for (int32_t k = c->coupled[bundle]; k >= 0; k = c->another[k]) {
        if (c->piece[k] >= 0) {
            add_piece(c, c->piece[k]);
            return 1;
        }
    }
    int32_t t = c->front->bundle[bundle].touch;
    while (!c->missing[t]) {
        t++;
    }
    add_way(c, c->front->touch[t].node);
    if (c->missing[t]) { /* not taken in along the way */
        add_touch(c, t);
    }
    return 1;
}

/* Go on from the node that came last; 0: none is in. */
static int on_from_nodes(course *c)
{
    while (c->height > 0 && c->slot[c->stack[c->height - 1]] == DONE) {
        c->height--;
    }
    if (c->height == 0) {
        return 0;
    }
    const int32_t node = c->stack[c->height - 1];
    int32_t *touch = &c->to_touch[node], *child = &c->to_child[node];
    while (*touch >= 0 && !c->missing[*touch]) {
        *touch = c->also[*touch];
    }
    while (*child >= 0 && c->slot[*child] != UNMET) {
        *child = c->next[*child];
    }
    if (*touch >= 0) {
        add_touch(c, *touch);
    } else {
        add_node(c, *child);
    }
    return 1;
}

/* ---- the whole way -------------------------------------------------------------------------- */

/* List the touches, children and couplings, the lightest child first: the one with the fewest
 * touches outboard. */
static int list_items(course *c, rct_error *error)
{
    const rct_reduced_tree *r = c->reduced;
    const rct_front *f = c->front;
    int32_t *weight = rct_pool_take(&c->pool, r->nodes, sizeof *weight, error);
    int32_t *begin = rct_pool_take(&c->pool, (int64_t)f->touches + 2, sizeof *begin, error);
    if (c->pool.failed) {
        return 0;
    }
    int32_t *order = c->way;
    memset(c->child, -1, (size_t)r->nodes * sizeof *c->child);
    memset(c->touch, -1, (size_t)r->nodes * sizeof *c->touch);
    for (int32_t t = f->touches - 1; t >= 0; t--) {
        const int32_t node = f->touch[t].node;
        c->also[t] = c->touch[node];
        c->touch[node] = t;
        weight[node]++;
    }
    memset(c->coupled, -1, (size_t)f->bundles * sizeof *c->coupled);
    for (int32_t k = f->piece[f->pieces].first - 1; k >= 0; k--) {
        c->another[k] = c->coupled[f->of_piece[k]];
        c->coupled[f->of_piece[k]] = k;
    }
    for (int32_t i = 0; i < r->nodes; i++) { /* those inboard come later */
        begin[f->touches - weight[i] + 1]++;
        if (r->node[i].front && r->node[i].up >= 0) {
            weight[r->node[i].up] += weight[i];
        }
    }
    for (int32_t w = 0; w < f->touches; w++) {
        begin[w + 1] += begin[w];
    }
    for (int32_t i = 0; i < r->nodes; i++) { /* the heaviest first */
        order[begin[f->touches - weight[i]]++] = i;
    }
    for (int32_t k = 0; k < r->nodes; k++) {
        const int32_t i = order[k], up = r->node[i].up;
        if (r->node[i].front && up >= 0) {
            c->next[i] = c->child[up];
            c->child[up] = i;
        }
    }
    return 1;
}

/* Begin with nothing in. */
static void begin(course *c)
{
    const rct_reduced_tree *r = c->reduced;
    rct_front *f = c->front;
    f->steps = f->slots = 0;
    c->others = c->shares = c->mets = c->ended = c->height = c->use = c->idle = 0;
    memset(c->missing + f->touches, 0, (size_t)r->nodes * sizeof *c->missing);
    memcpy(c->to_child, c->child, (size_t)r->nodes * sizeof *c->child);
    memcpy(c->to_touch, c->touch, (size_t)r->nodes * sizeof *c->touch);
    memset(c->slot, -1, (size_t)r->nodes * sizeof *c->slot);
    memset(c->put, -1, (size_t)f->bundles * sizeof *c->put);
    for (int32_t t = 0; t < f->touches; t++) {
        c->missing[t] = 1;
        c->missing[f->touches + f->touch[t].node]++;
    }
    for (int32_t i = 0; i < r->nodes; i++) {
        if (r->node[i].front && r->node[i].up >= 0) {
            c->missing[f->touches + r->node[i].up]++;
        }
    }
    for (int32_t b = 0; b < f->bundles; b++) {
        c->apart[b] = f->bundle[b + 1].touch - f->bundle[b].touch;
    }
    for (int32_t p = 0; p < f->pieces; p++) {
        for (int32_t k = f->piece[p].first; k < f->piece[p + 1].first; k++) {
            c->piece[k] = p;
            c->apart[f->of_piece[k]]++;
        }
    }
}

static void go_on(course *c)
{
    while (on_from_rows(c) || on_from_nodes(c)) {
    }
}

/* Make all steps. */
static void go(course *c)
{
    const rct_reduced_tree *r = c->reduced;
    rct_front *f = c->front;
    begin(c);
    for (int32_t i = r->nodes - 1; i >= 0; i--) {
        if (r->node[i].front && r->node[i].up < 0 && c->slot[i] == UNMET) {
            add_node(c, i);
            go_on(c);
        }
    }
    for (int32_t b = 0; b < f->bundles; b++) { /* bundles of trees without a front */
        if (c->put[b] == UNMET) {
            add_bundle(c, b);
            go_on(c);
        }
    }
    f->slots = c->idle;
}

static int make_course(course *c, rct_error *error)
{
    rct_front *f = c->front;
    rct_pool *pool = &c->pool;
    const int64_t nodes = c->reduced->nodes;
    int32_t **const of_nodes[] = {&c->child,    &c->next, &c->touch, &c->to_child,
                                  &c->to_touch, &c->slot, &c->stack, &c->way};
    int32_t **const of_bundles[] = {&c->put, &c->apart, &c->met, &c->coupled};
    const int64_t couplings = f->piece[f->pieces].first;
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++) {
        *of_nodes[i] = rct_pool_take(pool, nodes, sizeof **of_nodes[i], error);
    }
    for (size_t i = 0; i < sizeof of_bundles / sizeof *of_bundles; i++) {
        *of_bundles[i] = rct_pool_take(pool, f->bundles, sizeof **of_bundles[i], error);
    }
    c->another = rct_pool_take(pool, couplings, sizeof *c->another, error);
    c->piece = rct_pool_take(pool, couplings, sizeof *c->piece, error);
    c->also = rct_pool_take(pool, f->touches, sizeof *c->also, error);
    c->missing = rct_pool_take(pool, f->touches + nodes, sizeof *c->missing, error);
    c->used = rct_pool_take(pool, nodes + f->bundles, sizeof *c->used, error);
    c->unused = rct_pool_take(pool, nodes + f->bundles, sizeof *c->unused, error);
    return !pool->failed && list_items(c, error);
}

int64_t rct_front_order(rct_front *f, rct_pool *pool, rct_error *error)
{
    course c = {.reduced = f->reduced, .front = f, .pool = {.what = pool->what}};
    int whole = make_course(&c, error);
    if (whole) {
        go(&c); /* only counts */
        f->step = rct_pool_take(pool, f->steps, sizeof *f->step, error);
        f->others = rct_pool_take(pool, c.others, sizeof *f->others, error);
        whole = !pool->failed;
    }
    if (whole) {
        go(&c);
    }
    rct_pool_empty(&c.pool);
    return whole ? c.shares : -1;
}
