/* Random trees that springs or hinges hold, so that they have a state of rest. */
#ifndef RCT_TESTS_HELD_TREE_H
#define RCT_TESTS_HELD_TREE_H

#include <riccatree/model.h>

/* All hinges are of type `hinge`, or of any type (-1). Slides and screws have springs and dampers,
 * floating bodies have a spring to the ground, and forces of constant direction pull. Stops the
 * test program on failure. */
rct_model *held_tree_create(int32_t bodies, int hinge, uint64_t seed);

#endif
