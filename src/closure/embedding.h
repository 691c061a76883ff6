/* What the files of constraint embedding share: the aggregated tree, and the matrices of its aggregates.
 *
 * Inside an aggregate rates are relative, those of ball hinges too: then what it hangs on moves all of it as one and no
 * loop of it. With V of the body that carries it, theta of its rates, and P of its bodies, the articulated inertias of
 * what hangs on them included, its kinetic energy is half of (seed 002, eqs. 50 and 51)
 *
 *     theta* M theta + 2 theta* K V + V* P V      M = H phi P phi* H*      K = H phi P E*
 *
 * M and K are in the order and the scale of the choice. Small aggregates keep them and J as dense matrices (embed_dense.c). Large
 * ones keep J sparse, and the products of M and K are sweeps over their bodies (embed_sparse.c). */
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

/* An order serves if no dependent rate is more than this of an independent one, in scales in which each has the same
 * inertia: then no other order has an R1 of much greater determinant, and this one is about as far from singular as J. */
extern const double rct_embed_steepest;

/* Columns of J S no longer than this are none, if the largest has this length, and elements could be as large as `most`. */
double rct_embed_nothing(double largest, double most);

/* How much work `rows` and `rates`, both at most `most`, ask for. */
int64_t rct_embed_work(int32_t most);

/* Choose the order for J [rates][rows], given in the order of the rates, `scale` [rates] likewise; and factor. */
void rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale,
                      const rct_embed_scratch *scratch);

/* x0 [rank] of a gap [rows]: where it cannot be cancelled, what leaves the least sum of squares. */
void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch);

/* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank] say all. */
void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda);

/* A row that the others give, the last if several are alike, or -1. */
int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch);

/* ---- aggregates ---- */

/* Which aggregates are dense, and what a sparse one may need. */
typedef struct rct_embed_limits {
    int32_t few;         /* rates: dense                                                        */
    int32_t rates, rows; /* at most so many: dense unless J is sparse                           */
    int32_t free;        /* independent rates of a sparse one                                   */
    int64_t numbers;     /* of X                                                                */
    int64_t fill;        /* numbers of the factors of J; or where that is more                  */
    int64_t of_row;      /* so many a row                                                       */
} rct_embed_limits;

typedef struct rct_embedding rct_embedding;
typedef struct rct_embed_sparse rct_embed_sparse; /* embed_sparse.c */

/* What dense and sparse aggregates do each in their own way; `number` is that of the aggregate. */
typedef struct rct_embed_kind {
    /* All but what is common to both: the choice, D before it is factored, X* K in `gain`; the composite inertia of the whole
     * is added to what carries it. RCT_ERROR_SINGULAR, and of sparse ones RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED, and
     * RCT_ERROR_DIVERGED: J is not finite. */
    rct_status (*prepare)(rct_embedding *e, int32_t number, rct_error *error);

    /* x0 [rank] of a gap [rows]: where it cannot be cancelled, what leaves the least sum of squares. */
    void (*particular)(rct_embedding *e, int32_t number, const double *gap, double *x0);

    /* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank] say all. */
    void (*multipliers)(rct_embedding *e, int32_t number, const double *load, double *lambda);

    /* A row that the others give, or -1. */
    int32_t (*dependent)(rct_embedding *e, int32_t number);

    /* y [m] += M (x0, 0) */
    void (*add_particular)(rct_embedding *e, int32_t number, const double *x0, double *y);

    /* y [rank] += of M x + K V; V: NULL, zero */
    void (*add_force)(rct_embedding *e, int32_t number, const double *x, const double *V,
                      double *y);

    /* F [6] += K* x */
    void (*add_reaction)(rct_embedding *e, int32_t number, const double *x, double *F);
} rct_embed_kind;

extern const rct_embed_kind rct_embed_dense_kind, rct_embed_sparse_kind;

/* m rates, of which m - rank are independent. Matrices by columns of m, but for D. */
typedef struct rct_embed_block {
    const rct_embed_kind *kind;
    rct_embed_choice choice;  /* of sparse ones without QR and tau                              */
    rct_embed_sparse *sparse; /* or NULL                                                        */
    double *M;                /* [m][m] dense                                                   */
    double *K;                /* [6][m] dense                                                   */
    double *D;                /* [m - rank][m - rank] L of X* M X = L L*, eq. 51                */
    double *gain; /* [6][m] D^-1 X* K, the first m - rank of each column                         */
    double *load; /* [m] of what hangs on the bodies, H phi z                                   */
    double *rest; /* [m] theta with what carries it at rest                                     */
} rct_embed_block;

struct rct_embedding {
    rct_closure_work base; /* its options: rct_embed_limits                                     */
    rct_aggregation *aggregation;
    rct_operator *sweep;    /* P, gains and factors of single bodies; motions and forces of all */
    rct_embed_block *block; /* [aggregates]                                                     */
    double *numbers;        /* behind the blocks                                                */
    int32_t *orders;        /* likewise                                                         */
    int32_t *column;        /* [rates] place in its aggregate before any choice                 */
    rct_closure_columns columns;
    int is_long;       /* an aggregate has many rates: solutions are polished, with      */
    double *more;      /* [rows]                                                         */
    double *one, *two; /* of the largest dense aggregate: [m][m]; [m][m] or [m][rows]    */
    double *vector;    /* [m or rows] of the largest of all                              */
    double *scale;     /* [m]                                                            */
    int32_t *touched;  /* [m and more] columns of a row of J                             */
    rct_embed_scratch scratch;
};

/* The method with limits of one's choice, which must outlive it. */
void *rct_embedding_create(const rct_closures *closures, const rct_embed_limits *limits,
                           rct_error *error);

/* Make what `rows` ask for in an rct_embedding. RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embedding_make(void *work, rct_error *error);

/* All inertias from tips to ground (eq. 50). RCT_ERROR_SINGULAR: nothing resists a motion; as prepare of the kinds. */
rct_status rct_embedding_factor(rct_embedding *e, rct_error *error);

/* Nothing resists a motion of the hinge of a body, or of what is tied to it. */
rct_status rct_embed_singular(int32_t body, rct_error *error);

/* What the rows of aggregates are written with. */
static inline rct_aggregate_rates rct_embed_rates(const rct_embedding *e)
{
    return (rct_aggregate_rates){.tree = e->sweep->tree,
                                 .rows = e->base.problem.rows,
                                 .column = e->column,
                                 .scale = e->scale};
}

/* ---- sparse aggregates (embed_sparse.c) ---- */

/* That of an aggregate. RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embed_sparse_create(rct_embedding *e, int32_t number, rct_error *error);
void rct_embed_sparse_free(rct_embed_sparse *sparse);
int64_t rct_embed_sparse_bytes(const rct_embed_sparse *sparse);

/* ---- what is too large (embed_make.c) ---- */

enum { RCT_EMBED_WHY = 200 };

/* RCT_ERROR_UNSUPPORTED: the aggregate by its first loop and its sizes, and why it is refused. */
rct_status rct_embed_refuse(const rct_embedding *e, int32_t number, const char *why,
                            rct_error *error);

/* The same where so many independent rates are too many for it. */
rct_status rct_embed_check_free(const rct_embedding *e, int32_t number, int64_t free,
                                rct_error *error);

/* ---- all ---- */

/* Forces from tips to ground and motions back, for a gap [rows] (eqs. 54 to 57). */
void rct_embedding_solve(rct_embedding *e, const double *gap, double *lambda, double *change);

/* The same to the digits that a sweep over the tree has: change = M^-1 J* lambda, and the solution for the gap that
 * this leaves added to both. M of an aggregate in relative rates is ill-conditioned where it is long and straight, with
 * the fourth power of its length; lambda does not feel that, but rates do. */
void rct_embedding_polish(rct_embedding *e, const double *gap, double *lambda, double *change);

#endif
