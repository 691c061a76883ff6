/* Which bodies the loops tie together: seed 002, section 4.2. The aggregation subgraph of a loop is the bodies of the
 * tree on the paths from its ends to the lowest body that carries both, without that body, for what rides on it as one
 * moves no loop (several of them may hang on it: section 9). It is the ground where an end is on the ground or the
 * ends are in different trees. Of a relation they are the paths from the bodies whose hinges it names, those
 * included, to what carries them all. Loops that share a body share an aggregate; loops that only share the body that
 * carries them do not (Fig. 4, example 1). With every aggregate as one node the system is a tree again.
 */
#ifndef RCT_CLOSURE_AGGREGATE_H
#define RCT_CLOSURE_AGGREGATE_H

#include "closure/closures.h"
#include "core/pool.h"
#include "operators/tree.h"

typedef struct rct_aggregate {
    int32_t top;    /* the body that its base bodies hang on, or RCT_GROUND                     */
    int32_t bodies; /* how many                                                                 */
    int32_t rows;
    int32_t rates;
    int32_t *body; /* [bodies] parents before what hangs on them                               */
    int32_t *row;  /* [rows] of the rows of closures, ascending                                */
} rct_aggregate;

typedef struct rct_aggregation {
    int32_t nodes; /* of the aggregated tree                                                   */
    int32_t count; /* aggregates                                                               */
    int32_t *node; /* [nodes] the number of a single body, or ~ that of an aggregate; parents
                      before what hangs on them                                                 */
    int32_t *aggregate_of;    /* [n] of each body, or -1                                          */
    int32_t *depth;           /* [n] 0 on the ground                                              */
    rct_aggregate *aggregate; /* [count] */
    int32_t *bodies, *rows;   /* behind those */
    rct_pool pool;
} rct_aggregation;

/* Of the rows of closures, for the bodies in an `order` [n] that goes by depth. NULL: RCT_ERROR_MEMORY. */
rct_aggregation *rct_aggregation_create(const rct_operator_tree *tree, const int32_t *order,
                                        const rct_closure_rows *rows, rct_error *error);
void rct_aggregation_free(rct_aggregation *a);

/* The lowest body that carries both, which may be one of them, or RCT_GROUND. */
int32_t rct_aggregation_meet(const rct_aggregation *a, const rct_operator_tree *tree, int32_t one,
                             int32_t other);

/* The body whose hinge has the rate. */
int32_t rct_aggregation_body_of(const rct_operator_tree *tree, int64_t rate);

/* ---- its constraints (aggregate_rows.c) ---- */

/* Rates of aggregates in a state, relative ones, those of ball hinges too. */
typedef struct rct_aggregate_rates {
    const rct_operator_tree *tree;
    const rct_closure_rows *rows;
    const int32_t *column; /* [rates] place of each in its aggregate                             */
    const double *scale;   /* of the aggregate, by place                                         */
} rct_aggregate_rates;

/* How many numbers a row of J has at most. */
int64_t rct_aggregation_row_size(const rct_aggregation *a, const rct_aggregate_rates *of,
                                 int32_t row);

/* Add a row of J to J[stride place]: what is inboard of where its two ends meet moves neither against the other. Which places, some
 * perhaps twice, and how many, unless `touched` is NULL. How large its elements could be, in the scale of the rates, if nothing were
 * perpendicular. */
double rct_aggregation_row(const rct_aggregation *a, const rct_aggregate_rates *of, int32_t row,
                           double *J, int32_t stride, int32_t *touched, int32_t *count);

/* rank [count]: of the rows of each aggregate, as many as its rates that depend on others; -1: rounding hides it, or the state is
 * beyond all bounds. Up to RCT_AGGREGATE_DENSE rates and four times as many rows by a dense factorization with pivots, as
 * embedding chooses (embed_choice.c), of rows and columns in their scales. Beyond by admittance, of the aggregate alone as a tree of
 * equal bodies on the ground, for masses make no rank; where that has only an estimate, for 32 rows and more depend on others (admittance.h),
 * a dense matrix of up to RCT_AGGREGATE_NUMBERS once more, or -1. RCT_ERROR_MEMORY. */
rct_status rct_aggregation_ranks(const rct_aggregation *a, const rct_operator_tree *tree,
                                 const rct_closure_rows *rows, int32_t *rank, rct_error *error);

enum { RCT_AGGREGATE_DENSE = 64, RCT_AGGREGATE_NUMBERS = 1 << 20 };

#endif
