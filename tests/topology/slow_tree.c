/* The links of a model found by a slow method (slow_tree.h). */
#include "tests/topology/slow_tree.h"

#include <stdlib.h>

static int32_t *numbers(int32_t count)
{
    int32_t *n = calloc((size_t)count + 1, sizeof *n);
    if (n == NULL) {
        abort();
    }
    return n;
}

static void count_links(slow_tree *tree)
{
    for (int32_t b = 0; b < tree->bodies; b++) {
        if (tree->head[b] == b) {
            const int32_t children = tree->outboard[b];
            tree->links++;
            tree->roots += tree->up[b] == RCT_GROUND;
            tree->tips += children == 0;
            tree->junctions += children >= 2;
            tree->branching = children > tree->branching ? children : tree->branching;
            tree->depth = tree->height[b] > tree->depth ? tree->height[b] : tree->depth;
        }
    }
}

slow_tree *slow_tree_create(const rct_model *model)
{
    slow_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL || model == NULL) {
        abort();
    }
    const int32_t n = tree->bodies = rct_model_body_count(model);
    tree->parent = numbers(n);
    tree->head = numbers(n);
    tree->up = numbers(n);
    tree->height = numbers(n);
    tree->outboard = numbers(n);
    int *ball = numbers(n);
    for (int32_t b = 0; b < n; b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        tree->parent[b] = body.parent;
        ball[b] = body.hinge == RCT_HINGE_BALL;
    }
    for (int32_t b = 0; b < n; b++) {
        int32_t at = b;
        while (at != RCT_GROUND && !ball[at]) {
            at = tree->parent[at];
        }
        tree->head[b] = at;
    }
    for (int32_t b = 0; b < n; b++) {
        if (ball[b]) {
            const int32_t parent = tree->parent[b];
            tree->up[b] = parent == RCT_GROUND ? RCT_GROUND : tree->head[parent];
            if (tree->up[b] != RCT_GROUND) {
                tree->outboard[tree->up[b]]++;
            }
        }
    }
    for (int32_t b = 0; b < n; b++) {
        int32_t height = 1;
        for (int32_t at = ball[b] ? b : RCT_GROUND; at != RCT_GROUND; at = tree->up[at]) {
            tree->height[at] = tree->height[at] < height ? height : tree->height[at];
            height++;
        }
    }
    free(ball);
    count_links(tree);
    return tree;
}

void slow_tree_free(slow_tree *tree)
{
    free(tree->parent);
    free(tree->head);
    free(tree->up);
    free(tree->height);
    free(tree->outboard);
    free(tree);
}
