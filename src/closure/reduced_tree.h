/* The reduced tree of the admittance of closures: of all stations (mobility.h) only those that rows touch and those that
 * join them, its nodes. With Phi and Upsilon of the path from a node to the next one inboard, or to the ground, and what
 * the rows exert at it, its motion is a = Phi* a_inboard + Upsilon u. A relation exerts its effort F as a wrench w on the
 * body and -w on its parent, H w = F: rows are wrenches on bodies and nothing else.
 *
 * Columns are what is carried inward: multipliers of rows, each a wrench. Where a tree has many, a node that gathers
 * too many is *kept*: the total wrench z on it and its motion a, six numbers each, become unknowns, six columns go on
 * inward from it in place of all that it gathers. Pieces of the reduced tree between kept nodes thus have a bounded
 * number of columns. Unknowns are numbered: rows, then z and a of each kept node.
 */
#ifndef RCT_CLOSURE_REDUCED_TREE_H
#define RCT_CLOSURE_REDUCED_TREE_H

#include "closure/mobility.h"
#include "core/pool.h"
#include "operators/tree.h"

/* How many columns are met directly. */
typedef struct rct_reduced_limits {
    int32_t tree;  /* a tree on the ground with no more keeps no nodes      */
    int32_t piece; /* 6 or more: a node that gathers more in others is kept */
} rct_reduced_limits;

/* A wrench of a row on a body. */
typedef struct rct_reduced_end {
    int32_t row, node;
    int32_t entry; /* of the column there; -1: the node is kept           */
    double wrench[6];
} rct_reduced_end;

typedef struct rct_reduced_node {
    int32_t station;
    int32_t up;         /* the next node inboard, or -1: the ground                       */
    int32_t kept;       /* its number among them, or -1                                   */
    int32_t first, end; /* its entries                                                    */
    int64_t piece;      /* where the numbers of its piece begin (admittance_matrix.c)     */
    double gives[6];    /* the diagonal of Upsilon                                        */
    double ready;       /* that of its path                                               */
} rct_reduced_node;

/* A column at a node. */
typedef struct rct_reduced_entry {
    int32_t unknown; /* whose column it is                                   */
    int32_t up;      /* entry of the same column at the next node, or -1     */
    int32_t place;   /* of the column in its piece                           */
    double u[6];     /* the wrench on the node per unit of it                */
} rct_reduced_entry;

typedef struct rct_reduced_tree {
    int32_t rows, ends, nodes, kept, entries;
    int32_t widest; /* the most columns that a kept node gathers */
    int64_t rates;
    rct_reduced_end *end;   /* [ends] row after row              */
    rct_reduced_node *node; /* [nodes] those inboard later       */
    rct_reduced_entry *entry;
    int32_t *rate_body; /* [rates] of rows: whose hinge it is */
} rct_reduced_tree;

/* Of the rows as they are active now; it ends with the pool. `tree`: whose rates relations name. NULL: RCT_ERROR_MEMORY. */
rct_reduced_tree *rct_reduced_tree_create(const rct_mobility *mobility,
                                          const rct_operator_tree *tree,
                                          const rct_closure_rows *rows,
                                          const rct_reduced_limits *limits, rct_pool *pool,
                                          rct_error *error);

/* One of no nodes, for whoever has Lambda by other ways. NULL: RCT_ERROR_MEMORY. */
rct_reduced_tree *rct_reduced_tree_none(const rct_closure_rows *rows, rct_pool *pool,
                                        rct_error *error);

/* Wrenches in a state. The columns are then at the nodes that they begin at. */
void rct_reduced_tree_write(rct_reduced_tree *reduced, const rct_mobility *mobility,
                            const rct_operator_tree *tree, const rct_closure_rows *rows);

/* Whether a node is where a piece ends: its path goes to the ground or to a kept node. The columns of the piece are
 * then the entries of the node. */
static inline int rct_reduced_is_root(const rct_reduced_tree *reduced, const rct_reduced_node *node)
{
    return node->up < 0 || reduced->node[node->up].kept >= 0;
}

/* Unknowns z and a of a kept node. */
static inline int32_t rct_reduced_wrench(const rct_reduced_tree *reduced, int32_t kept)
{
    return reduced->rows + 12 * kept;
}
static inline int32_t rct_reduced_motion(const rct_reduced_tree *reduced, int32_t kept)
{
    return reduced->rows + 12 * kept + 6;
}
static inline int32_t rct_reduced_unknowns(const rct_reduced_tree *reduced)
{
    return reduced->rows + 12 * reduced->kept;
}

#endif
