/* Random trees with loops as graphs, the form in which aggregates see them. */
#ifndef RCT_TESTS_RANDOM_GRAPH_H
#define RCT_TESTS_RANDOM_GRAPH_H

#include "closure/aggregate.h"

#include <stdint.h>

enum { MOST_BODIES = 48, MOST_LOOPS = 24, MOST_ROWS = 3 * MOST_LOOPS, MOST_ENDS = 2 * MOST_ROWS };

/* A random tree, and rows that say only which bodies they concern. */
typedef struct graph {
    int32_t n, loops;
    int32_t parent[MOST_BODIES], order[MOST_BODIES];
    int64_t first[MOST_BODIES + 1];
    int32_t loop[MOST_ROWS], ends_at[MOST_ROWS + 1];
    int64_t rates_at[MOST_ROWS + 1];
    rct_closure_end ends[MOST_ENDS];
    rct_closure_rate rates[MOST_ENDS];
    rct_operator_tree tree;
    rct_closure_rows rows;
} graph;

/* A random graph of any size up to these limits, with any number of loops. */
void draw_graph(graph *g, uint64_t seed);

#endif
