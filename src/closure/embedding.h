/* What the files of constraint embedding share: the aggregated tree, and the dense matrices of its aggregates.
 *
 * Inside an aggregate rates are relative, those of ball hinges too: then what it hangs on moves all of it as one and no
 * loop of it. With V of the body that carries it, theta of its rates, and P of its bodies, the articulated inertias of
 * what hangs on them included, its kinetic energy is half of (seed 002, eqs. 50 and 51)
 *
 *     theta* M theta + 2 theta* K V + V* P V      M = H phi P phi* H*      K = H phi P E*
 *
 * M and K are in the order and the scale of the choice. */
#ifndef RCT_CLOSURE_EMBEDDING_H
#define RCT_CLOSURE_EMBEDDING_H

#include "closure/aggregate.h"
#include "closure/columns.h"
#include "closure/method.h"
#include "operators/sweep.h"

/* ---- independent rates (embed_choice.c) ---- */

/* Matrices by columns, rates in the order of P; the caller gives the arrays. */
typedef struct rct_embed_choice {
    int32_t rows, rates; /* rows > 0 */
    int32_t rank;        /* rates less than rank: dependent                                     */
    int32_t chosen;      /* 0 before the first choice: there is no order to keep                */
    double most;         /* what elements of J S could be; far below they are rounding          */
    double *QR;          /* [rates][rows]                                                       */
    double *tau;         /* [the fewer of rows and rates]                                       */
    double *scale;       /* [rates] S, of the rate in each place                                */
    double *X;           /* [rates - rank][rates], the first rank of each column                */
    int32_t *order;      /* [rates] the rate in each place                                      */
} rct_embed_choice;

/* For the largest of several. */
typedef struct rct_embed_scratch {
    double *work;   /* [rct_embed_work(most)] */
    double *vector; /* [most rows]            */
} rct_embed_scratch;

/* How much work `rows` and `rates`, both at most `most`, ask for. */
int64_t rct_embed_work(int32_t most);

/* Factor J [rates][rows] in the order of the rates, `scale` [rates] likewise. 1 if the order was chosen anew. */
int rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale,
                     const rct_embed_scratch *scratch);

/* x0 [rank] of a gap [rows]: where it cannot be cancelled, what leaves the least sum of squares. */
void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch);

/* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank] say all. */
void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda);

/* A row that the others give, the last if several are alike, or -1. */
int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch);

/* ---- aggregates ---- */

/* m rates, of which m - rank are independent. Matrices by columns of m. */
typedef struct rct_embed_block {
    rct_embed_choice choice;
    double *M;    /* [m][m]                                                                     */
    double *K;    /* [6][m]                                                                     */
    double *D;    /* [m - rank][m] L of X* M X = L L*, eq. 51, the first m - rank of each column*/
    double *gain; /* [6][m] D^-1 X* K, likewise                                                 */
    double *load; /* [m] of what hangs on the bodies, H phi z                                   */
    double *rest; /* [m] theta with what carries it at rest                                     */
} rct_embed_block;

typedef struct rct_embedding {
    rct_closure_work base;
    rct_aggregation *aggregation;
    rct_operator *sweep;    /* P, gains and factors of single bodies; motions and forces of all */
    rct_embed_block *block; /* [aggregates]                                                     */
    double *numbers;        /* behind the blocks                                                */
    int32_t *orders;        /* likewise                                                         */
    int32_t *column;        /* [rates] place in its aggregate before any choice                 */
    rct_closure_columns columns;
    int is_long;       /* an aggregate has many rates: solutions are polished, with      */
    double *more;      /* [rows]                                                         */
    double *one, *two; /* of the largest aggregate: [m][m]; [m][m] or [m][rows]          */
    double *vector;    /* [m or rows]                                                    */
    double *scale;     /* [m]                                                            */
    rct_embed_scratch scratch;
} rct_embedding;

/* Make what `rows` ask for in an rct_embedding, with nothing chosen. RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embedding_make(void *work, rct_error *error);

/* All inertias from tips to ground (eq. 50); -1, or a body whose hinge has a motion that nothing resists. */
int32_t rct_embedding_factor(rct_embedding *e);

/* Forces from tips to ground and motions back, for a gap [rows] (eqs. 54 to 57). */
void rct_embedding_solve(rct_embedding *e, const double *gap, double *lambda, double *change);

/* The same to the digits that a sweep over the tree has: change = M^-1 J* lambda, and the solution for the gap that
 * this leaves added to both. M of an aggregate in relative rates is ill-conditioned where it is long and straight, with
 * the fourth power of its length; lambda does not feel that, but rates do. */
void rct_embedding_polish(rct_embedding *e, const double *gap, double *lambda, double *change);

#endif
