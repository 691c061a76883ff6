/* The families without loops, which tests of trees go through. */
#ifndef RCT_TESTS_TREE_FAMILIES_H
#define RCT_TESTS_TREE_FAMILIES_H

#include <stddef.h>

static const char *const tree_families[] = {"chain",  "branch", "fork", "comb",
                                            "binary", "random", "star", NULL};

#endif
