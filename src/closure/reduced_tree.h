/* The reduced tree of the admittance of closures. Its nodes are the stations (mobility.h) that rows
 * act on and those that join them. With E and Upsilon of the path from a node to the next one
 * inboard, or to the ground, and the wrench u of the rows at the node, its motion is a = E*
 * a_inboard + Upsilon u. A relation exerts its effort F as a wrench w on the body and -w on its
 * parent, H w = F, so rows are wrenches on bodies and nothing else.
 *
 * Columns are the multipliers of rows, each a wrench, carried inward. In a tree with many columns
 * they are carried only within *pieces*, whole subtrees of few columns; over the other nodes a
 * front goes outward (front/front.h). */
#ifndef RCT_CLOSURE_REDUCED_TREE_H
#define RCT_CLOSURE_REDUCED_TREE_H

#include "closure/mobility.h"
#include "core/pool.h"
#include "operators/tree.h"

/* A wrench of a row on a body. */
typedef struct rct_reduced_end {
    int32_t row, node;
    int32_t entry; /* of the column there; -1: no columns there */
    double wrench[6];
} rct_reduced_end;

typedef struct rct_reduced_node {
    int32_t station;
    int32_t up;         /* the next node inboard, or -1: the ground */
    int32_t first, end; /* its entries */
    int64_t numbers;    /* where the numbers of its piece or tree begin (admittance_matrix.c) */
    int front;          /* 1: a front goes over it, and it has no entries */
    double gives[6];    /* the diagonal of Upsilon */
    double ready[6];    /* `ready` of its path */
} rct_reduced_node;

/* A column at a node. */
typedef struct rct_reduced_entry {
    int32_t row;   /* row of the column */
    int32_t up;    /* entry of the same column at the next node, or -1 */
    int32_t touch; /* where it comes to a front, or -1 */
    int32_t place; /* place of the column in its piece or tree */
    double u[6];   /* wrench on the node per unit multiplier */
} rct_reduced_entry;

typedef struct rct_reduced_tree {
    int32_t rows, ends, nodes, entries;
    int64_t rates;
    rct_reduced_end *end;   /* [ends] row by row */
    rct_reduced_node *node; /* [nodes] outboard first */
    rct_reduced_entry *entry;
    int32_t *rate_body;      /* [rates] body of the hinge of each rate of rows */
    struct rct_front *front; /* NULL: all are columns */
} rct_reduced_tree;

/* The reduced tree of the active rows. It has a front if a tree on the ground has more than `most`
 * columns, the two ends of a row counted twice, and then pieces of up to an eighth of that. The
 * pool frees it. `tree` has the rates that relations name. NULL: RCT_ERROR_MEMORY. */
rct_reduced_tree *rct_reduced_tree_create(const rct_mobility *mobility,
                                          const rct_operator_tree *tree,
                                          const rct_closure_rows *rows, int32_t most,
                                          rct_pool *pool, rct_error *error);

/* A reduced tree without nodes, for owners that have Lambda otherwise. NULL: RCT_ERROR_MEMORY. */
rct_reduced_tree *rct_reduced_tree_none(const rct_closure_rows *rows, rct_pool *pool,
                                        rct_error *error);

/* Write the wrenches in a state. The columns are then at the nodes where they begin. */
void rct_reduced_tree_write(rct_reduced_tree *reduced, const rct_mobility *mobility,
                            const rct_operator_tree *tree, const rct_closure_rows *rows);

/* J M^-1 J* lambda [rows], by the motions of stations, with the wrenches written last. Fails as
 * `wrenches` of the mobility. */
rct_status rct_reduced_answer(const rct_reduced_tree *reduced, const rct_mobility *mobility,
                              const double *lambda, double *J_change, rct_error *error);

/* E and Upsilon of the path of node i to the next one; the node gets how it gives way. */
void rct_reduced_walk(rct_reduced_tree *reduced, const rct_mobility *mobility, int32_t i,
                      double E[6][6], double Upsilon[6][6]);

/* Whether a node is the root of a piece or of a tree of columns; then its entries are all of its
 * columns. */
static inline int rct_reduced_is_root(const rct_reduced_tree *reduced, const rct_reduced_node *node)
{
    return !node->front && (node->up < 0 || reduced->node[node->up].front);
}

#endif
