/* Which bodies the loops tie together: seed 002, section 4.2. The aggregation subgraph of a loop
 * has the bodies of the tree on the paths from its ends to the lowest body that carries both. This
 * body is not included, because its motion moves all of it as one and no loop of it (several
 * subgraphs may hang on the body: section 9). It is the ground where an end is on the ground or the
 * ends are in different trees. For a relation the paths begin at the bodies whose hinges it names,
 * these included, and end at the body that carries them all. Loops that share a body share an
 * aggregate; loops that share only the carrying body do not (Fig. 4, example 1). With every
 * aggregate as one node the system is a tree again. */
#ifndef RCT_CLOSURE_AGGREGATE_H
#define RCT_CLOSURE_AGGREGATE_H

#include "closure/closures.h"
#include "core/pool.h"
#include "operators/tree.h"

typedef struct rct_aggregate {
    int32_t top;    /* the parent of its base bodies, or RCT_GROUND */
    int32_t bodies; /* how many */
    int32_t rows;
    int32_t rates;
    int32_t *body; /* [bodies] parents first */
    int32_t *row;  /* [rows] its rows among those of closures, ascending */
} rct_aggregate;

typedef struct rct_aggregation {
    int32_t nodes; /* nodes of the aggregated tree */
    int32_t count; /* aggregates */
    /* [nodes] the number of a single body, or ~ that of an aggregate; parents first */
    int32_t *node;
    int32_t *aggregate_of;    /* [n] aggregate of each body, or -1 */
    int32_t *depth;           /* [n] 0 on the ground */
    rct_aggregate *aggregate; /* [count] */
    int32_t *bodies, *rows;   /* memory of those */
    rct_pool pool;
} rct_aggregation;

/* Aggregates of the rows of closures, with the bodies in an `order` [n] by depth. NULL:
 * RCT_ERROR_MEMORY. */
rct_aggregation *rct_aggregation_create(const rct_operator_tree *tree, const int32_t *order,
                                        const rct_closure_rows *rows, rct_error *error);
void rct_aggregation_free(rct_aggregation *a);

/* The lowest body that carries both, which may be one of them, or RCT_GROUND. */
int32_t rct_aggregation_meet(const rct_aggregation *a, const rct_operator_tree *tree, int32_t one,
                             int32_t other);

/* The body whose hinge has the rate. */
int32_t rct_aggregation_body_of(const rct_operator_tree *tree, int64_t rate);

/* ---- its constraints (aggregate_rows.c) ---- */

/* The rates of aggregates in a state; all are relative, those of ball hinges too. */
typedef struct rct_aggregate_rates {
    const rct_operator_tree *tree;
    const rct_closure_rows *rows;
    const int32_t *column; /* [rates] place of each in its aggregate */
    const double *scale;   /* of the aggregate, by place */
} rct_aggregate_rates;

/* The most numbers that a row of J can have. */
int64_t rct_aggregation_row_size(const rct_aggregation *a, const rct_aggregate_rates *of,
                                 int32_t row);

/* Add a row of J to J[stride place]; bodies inboard of where its two ends meet move neither end
 * against the other. `touched` unless NULL: the places, some perhaps twice, and their number.
 * Returns the size its elements could have, in the scale of the rates, if nothing were
 * perpendicular. */
double rct_aggregation_row(const rct_aggregation *a, const rct_aggregate_rates *of, int32_t row,
                           double *J, int32_t stride, int32_t *touched, int32_t *count);

/* rank [count]: of the rows of each aggregate, the number of its rates that depend on others; -1:
 * rounding hides it, or the state is beyond all bounds. Up to RCT_AGGREGATE_DENSE rates and four
 * times as many rows: by a dense factorization with pivots, as embedding chooses (embed_choice.c),
 * of scaled rows and columns. Beyond: by admittance, for the aggregate alone as a tree of equal
 * bodies on the ground, because masses do not affect the rank. Where admittance only estimates,
 * with 32 or more dependent rows (admittance.h): by a dense matrix of up to RCT_AGGREGATE_NUMBERS,
 * or -1. RCT_ERROR_MEMORY. */
rct_status rct_aggregation_ranks(const rct_aggregation *a, const rct_operator_tree *tree,
                                 const rct_closure_rows *rows, int32_t *rank, rct_error *error);

enum { RCT_AGGREGATE_DENSE = 64, RCT_AGGREGATE_NUMBERS = 1 << 20 };

#endif
