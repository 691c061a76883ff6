/* The links of a model found by a slow method: from every body up its parents, one at a time. Plans
 * are compared with them. */
#ifndef RCT_TESTS_SLOW_TREE_H
#define RCT_TESTS_SLOW_TREE_H

#include <riccatree/model.h>

typedef struct slow_tree {
    int32_t bodies;
    int32_t *parent;   /* [bodies] body id, or RCT_GROUND                                      */
    int32_t *head;     /* [bodies] body whose ball hinge carries this body, or RCT_GROUND      */
    int32_t *up;       /* [bodies] heads: the head of the parent link, or RCT_GROUND           */
    int32_t *height;   /* [bodies] heads: links on the longest path to a tip, including the head */
    int32_t *outboard; /* [bodies] heads: number of outboard links                           */
    int32_t links, roots, tips, junctions, depth, branching;
} slow_tree;

/* Aborts the test program without memory. */
slow_tree *slow_tree_create(const rct_model *model);
void slow_tree_free(slow_tree *tree);

#endif
