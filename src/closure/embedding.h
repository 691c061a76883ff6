/* Shared by the files of constraint embedding: the aggregated tree, and the matrices of its
 * aggregates.
 *
 * Inside an aggregate rates are relative, those of ball hinges too. So the body that it hangs on
 * moves all of it as one and no loop of it. With V of that carrying body, theta of its own rates,
 * and P of its bodies, which include the articulated inertias of their outboard bodies, its kinetic
 * energy is half of (seed 002, eqs. 50 and 51)
 *
 *     theta* M theta + 2 theta* K V + V* P V      M = H phi P phi* H*      K = H phi P E*
 *
 * M and K are in the order and the scale of the choice. Small aggregates keep them and J as dense
 * matrices (embed_dense.c). Large ones keep J sparse, and products with M and K are sweeps over
 * their bodies (embed_sparse.c). */
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
    int32_t rank;        /* rates less than rank: dependent */
    int32_t closed;      /* of the last state that was not open (rct_closure_problem) */
    double most;    /* the size that elements of J S could have; far smaller ones are rounding */
    double *QR;     /* [rates][rows] */
    double *tau;    /* [the fewer of rows and rates] */
    double *scale;  /* [rates] S, of the rate in each place */
    double *X;      /* [rates - rank][rates], the first `rank` of each column */
    int32_t *order; /* [rates] the rate in each place */
} rct_embed_choice;

/* For the largest of several aggregates. */
typedef struct rct_embed_scratch {
    double *work;   /* [rct_embed_work(most)] */
    double *vector; /* [most rows] */
} rct_embed_scratch;

/* An order serves if no dependent rate is more than this times an independent one, in scales in
 * which all have the same inertia. Then no other order has an R1 of much greater determinant, and
 * this R1 is about as far from singular as J. */
extern const double rct_embed_steepest;

/* The length up to which columns of J S count as zero, if the largest has the length `largest`, and
 * elements could have the size `most`. */
double rct_embed_nothing(double largest, double most);

/* The size of the work array for `rows` and `rates`, both at most `most`. */
int64_t rct_embed_work(int32_t most);

/* Choose the order for J [rates][rows] and `scale` [rates], both given in the order of the rates;
 * and factor. In an `open` state the rank is at most that of the last state that was none. */
void rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale, int open,
                      const rct_embed_scratch *scratch);

/* x0 [rank] of a gap [rows]; where the gap cannot be cancelled, the least sum of squares is
 * left. */
void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch);

/* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank] suffice. */
void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda);

/* A row that depends on the others, the last if several are alike, or -1. */
int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch);

/* ---- aggregates ---- */

/* Which aggregates are dense, and the largest sizes of sparse ones. */
typedef struct rct_embed_limits {
    int32_t few;         /* up to this number of rates: dense */
    int32_t rates, rows; /* up to these: dense unless J is sparse */
    int32_t free;        /* independent rates of a sparse one */
    int64_t numbers;     /* of X */
    int64_t fill;        /* numbers of the factors of J; or, where that is more, */
    int64_t of_row;      /* this number per row */
} rct_embed_limits;

typedef struct rct_embedding rct_embedding;
typedef struct rct_embed_sparse rct_embed_sparse; /* embed_sparse.c */

/* Functions that dense and sparse aggregates implement in different ways; `number` is that of the
 * aggregate. */
typedef struct rct_embed_kind {
    /* Write all that differs: the choice, D before it is factored, X* K in `gain`; the composite
     * inertia of the whole is added to the carrying body. RCT_ERROR_SINGULAR; for sparse ones also
     * RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED, and RCT_ERROR_DIVERGED: J is not finite. */
    rct_status (*prepare)(rct_embedding *e, int32_t number, rct_error *error);

    /* x0 [rank] of a gap [rows]; where the gap cannot be cancelled, the least sum of squares is
     * left. */
    void (*particular)(rct_embedding *e, int32_t number, const double *gap, double *x0);

    /* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank]
     * suffice. */
    void (*multipliers)(rct_embedding *e, int32_t number, const double *load, double *lambda);

    /* A row that depends on the others, or -1. */
    int32_t (*dependent)(rct_embedding *e, int32_t number);

    /* y [m] += M (x0, 0) */
    void (*add_particular)(rct_embedding *e, int32_t number, const double *x0, double *y);

    /* y [rank] += the first entries of M x + K V; V: NULL, zero */
    void (*add_force)(rct_embedding *e, int32_t number, const double *x, const double *V,
                      double *y);

    /* F [6] += K* x */
    void (*add_reaction)(rct_embedding *e, int32_t number, const double *x, double *F);
} rct_embed_kind;

extern const rct_embed_kind rct_embed_dense_kind, rct_embed_sparse_kind;

/* m rates, of which m - rank are independent. Matrices by columns of m, except D. */
typedef struct rct_embed_block {
    const rct_embed_kind *kind;
    rct_embed_choice choice;  /* for sparse ones without QR and tau */
    rct_embed_sparse *sparse; /* or NULL */
    double *M;                /* [m][m] dense */
    double *K;                /* [6][m] dense */
    double *D;                /* [m - rank][m - rank] L of X* M X = L L*, eq. 51 */
    double *gain;             /* [6][m] D^-1 X* K, the first m - rank of each column */
    double *load;             /* [m] of the outboard bodies, H phi z */
    double *rest;             /* [m] theta with the carrying body at rest */
} rct_embed_block;

struct rct_embedding {
    rct_closure_work base; /* its options: rct_embed_limits */
    rct_aggregation *aggregation;
    rct_operator *sweep;    /* P, gains and factors of single bodies; motions and forces of all */
    rct_embed_block *block; /* [aggregates] */
    double *numbers;        /* memory of the blocks */
    int32_t *orders;        /* likewise */
    int32_t *column;        /* [rates] place in its aggregate before any choice */
    rct_closure_columns columns;
    int is_long;       /* an aggregate has many rates: solutions are polished, with */
    double *more;      /* [rows] */
    double *one, *two; /* for the largest dense aggregate: [m][m]; [m][m] or [m][rows] */
    double *vector;    /* [m or rows] of the largest of all */
    double *scale;     /* [m] */
    int32_t *touched;  /* [m and more] columns of a row of J */
    rct_embed_scratch scratch;
};

/* The method with chosen limits, which must outlive it. */
void *rct_embedding_create(const rct_closures *closures, const rct_embed_limits *limits,
                           rct_error *error);

/* Make all that `rows` need in an rct_embedding. RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embedding_make(void *work, rct_error *error);

/* All inertias from tips to ground (eq. 50). RCT_ERROR_SINGULAR: nothing resists a motion; or as
 * prepare of the kinds. */
rct_status rct_embedding_factor(rct_embedding *e, rct_error *error);

/* The error where nothing resists a motion of the hinge of a body, or of bodies tied to it. */
rct_status rct_embed_singular(int32_t body, rct_error *error);

/* The input for writing rows of aggregates. */
static inline rct_aggregate_rates rct_embed_rates(const rct_embedding *e)
{
    return (rct_aggregate_rates){.tree = e->sweep->tree,
                                 .rows = e->base.problem.rows,
                                 .column = e->column,
                                 .scale = e->scale};
}

/* ---- sparse aggregates (embed_sparse.c) ---- */

/* Make the sparse part of an aggregate. RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embed_sparse_create(rct_embedding *e, int32_t number, rct_error *error);
void rct_embed_sparse_free(rct_embed_sparse *sparse);
int64_t rct_embed_sparse_bytes(const rct_embed_sparse *sparse);

/* ---- what is too large (embed_make.c) ---- */

enum { RCT_EMBED_WHY = 200 };

/* RCT_ERROR_UNSUPPORTED, naming the aggregate by its first loop, with its sizes, and why it is
 * refused. */
rct_status rct_embed_refuse(const rct_embedding *e, int32_t number, const char *why,
                            rct_error *error);

/* The same if this number of independent rates is too large. */
rct_status rct_embed_check_free(const rct_embedding *e, int32_t number, int64_t free,
                                rct_error *error);

/* ---- all ---- */

/* Forces from tips to ground and motions back, for a gap [rows] (eqs. 54 to 57). */
void rct_embedding_solve(rct_embedding *e, const double *gap, double *lambda, double *change);

/* Improve a solution to the digits of a sweep over the tree: change = M^-1 J* lambda, and the
 * solution for the gap that this leaves is added to both. In relative rates M of a long, straight
 * aggregate is ill-conditioned, with the fourth power of its length; that affects rates, not
 * lambda. */
void rct_embedding_polish(rct_embedding *e, const double *gap, double *lambda, double *change);

#endif
