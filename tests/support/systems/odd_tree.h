/* Unusual trees for tests of the partition: twigs on every link, junctions everywhere, several
 * roots, parts welded onto the ground and onto each other, side chains of every length. */
#ifndef RCT_TESTS_ODD_TREE_H
#define RCT_TESTS_ODD_TREE_H

#include <riccatree/model.h>

typedef enum odd_tree {
    ODD_TWIGS,     /* a chain with one more link on each of its links                             */
    ODD_TWO_TWIGS, /* with one link and a chain of two on each                                    */
    ODD_JUNCTIONS, /* three links on every link                                                   */
    ODD_SIDES,     /* a chain with side chains of 0, 1, 2, ... links                              */
    ODD_ROOTS,     /* chains of 1, 2, 3, ... links on the ground                                  */
    ODD_WELDED,    /* a chain of which every third body is welded to its parent, the first two onto
                      the ground, with twigs half of which are welded                             */
    ODD_KINDS
} odd_tree;

/* Bodies of three point masses each, turned and turning at random. Aborts without memory. */
rct_model *odd_tree_create(odd_tree kind, int32_t bodies, uint64_t seed);

/* With these parents, and these bodies welded to theirs (NULL: none). */
rct_model *odd_tree_of(const int32_t *parent, const int *welded, int32_t bodies, uint64_t seed);

#endif
