/* The struct of the operators of trees, filled from the poses of the spatial-operator reference. */
#ifndef RCT_TESTS_OPERATOR_TREE_H
#define RCT_TESTS_OPERATOR_TREE_H

#include "operators/tree.h"
#include "tests/support/answers/spatial_case.h"

/* Returns an array of all numbers, and the tree that points into it. Stops the test program without
 * memory. */
rct_operator_tree operator_tree_of(const spatial_case *c, void **memory);

#endif
