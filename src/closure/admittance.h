/* The inside of the method of admittance, for its files and its tests. */
#ifndef RCT_CLOSURE_ADMITTANCE_H
#define RCT_CLOSURE_ADMITTANCE_H

#include "closure/method.h"
#include "closure/reduced_tree.h"

/* Components of up to this number of rows get their rank from a dense matrix. */
enum { RCT_ADMITTANCE_DENSE = 300 };

/* The most null vectors that are looked for with a front. */
enum { RCT_ADMITTANCE_BASIS = 32 };

/* Components: sets of rows that no other rows couple with. */
typedef struct rct_admittance_components {
    int32_t count;
    int32_t *of_row;        /* [rows] */
    int32_t *first;         /* [count + 1] its rows: row[first] to row[first' - 1] */
    int32_t *row;           /* [rows] */
    int64_t *first_at;      /* [count + 1] its numbers, likewise */
    int64_t *number;        /* [numbers, without those added to the diagonal] */
    double *scale;          /* [count] largest diagonal number of its rows */
    unsigned char *doubted; /* [count] 1: Lambda may be singular; it is factored with E */
    double *least;          /* [count] least eigenvalue, as a random gap has shown it; or 0 */
} rct_admittance_components;

typedef struct rct_admittance_small rct_admittance_small; /* admittance_small.h */

typedef struct rct_admittance {
    /* its option: the most columns of a tree without a front. All that follows is NULL or 0 without
     * rows */
    rct_closure_work base;
    rct_reduced_tree *reduced;
    int64_t numbers, *number_row, *number_column; /* places; with a front those of pieces */
    int64_t diagonals, *diagonal;                 /* numbers of rows with themselves, besides E */
    double *values;                               /* [numbers] */
    double *shift;                                /* [rows] E, 0 where nothing is doubted */
    rct_admittance_components components;
    double *x, *null, *next, *right, *gap; /* [rows] each */
    double *left, *again, *more, *taken;   /* likewise */
    double *rest, *along, *part;           /* likewise */
    double *pivot;                         /* [rows] D of the last factor, without a front */
    double *ready;                         /* [rows] what hinges can give, of small components */
    rct_admittance_small *small;           /* NULL: the system in `base` serves */
    double *dense;                         /* for the largest component with a dense matrix */
    double *basis;                         /* [RCT_ADMITTANCE_BASIS][rows] with a front */
    int32_t *pivots, *local;               /* [rows] */

    rct_mobility of_operators; /* where the problem has no mobility of its own */
    double *effort, *change;   /* [rates] of it */
    int32_t rank;
    int plain;    /* no component is doubted */
    int clear;    /* all least eigenvalues were far from rounding */
    double doubt; /* relative error of the last lambda, estimated by its iteration */
} rct_admittance;

/* The mobility of the tree of the problem. */
static inline const rct_mobility *rct_admittance_mobility(const rct_admittance *work)
{
    return work->base.problem.mobility != NULL ? work->base.problem.mobility : &work->of_operators;
}

/* Make the mobility by the operators of the problem (operator_mobility.c). RCT_ERROR_MEMORY. */
rct_status rct_admittance_take_operators(rct_admittance *work, rct_error *error);

/* The method with a chosen number of columns (reduced_tree.h), which must outlive it. */
rct_admittance *rct_admittance_create(const int32_t *most, rct_error *error);

/* ---- its matrix (admittance_matrix.c) ---- */

/* How many numbers there are, and the place of each in the upper triangle, row <= column. The last
 * ones are on the diagonal, one for each row, for numbers added to it. Without places (NULL) the
 * function only counts. */
int64_t rct_admittance_places(const rct_reduced_tree *reduced, int64_t *row, int64_t *column);

/* Write the numbers except those last ones, in the order of their places. Columns are carried
 * inward, so call it once each time that the reduced tree is written. */
void rct_admittance_write(rct_reduced_tree *reduced, const rct_mobility *mobility, double *values);

/* ---- its rank and its solutions ---- */

/* Find the components from the places. RCT_ERROR_MEMORY. */
rct_status rct_admittance_split(rct_admittance *work, rct_error *error);

/* How much row i gives way itself. */
static inline double rct_admittance_give(const rct_admittance *work, int32_t i)
{
    const double *give = work->base.problem.rows->give;
    return give != NULL ? give[i] : 0.0;
}

/* The least that each row counts for in a scale, [rows], so that E stays above rounding. */
void rct_admittance_ready(const rct_admittance *work, double *own);

/* Whether the scales and least eigenvalues of a step's first stage serve: in its other stages, where
 * those eigenvalues were far from rounding. */
static inline int rct_admittance_known(const rct_admittance *work)
{
    return work->base.problem.open == RCT_STAGE_FOLLOWS && work->clear;
}

/* Set the scale of each component, unless it is known, before factoring; no component is doubted
 * yet. */
void rct_admittance_scale(rct_admittance *work);

/* Set E of doubted components, and write the least pivots of others to least [rows]. */
void rct_admittance_shift(rct_admittance *work, double *least);

/* After factoring: whether ends of rows of the front give way by so much more than their scale that
 * rounding is no longer small beside E. The scale is then raised. */
int rct_admittance_raise(rct_admittance *work);

/* Doubt the components whose pivots are small, or whose least eigenvalue, as a random vector shows
 * it, is small; all components unless the factor is whole. Returns whether any are doubted. */
int rct_admittance_doubt(rct_admittance *work, int whole);

/* The relative error of lambda [rows] that leaves `rest` [rows] of a gap, where nothing is doubted,
 * by the least eigenvalues. */
double rct_admittance_error(const rct_admittance *work, const double *rest, const double *lambda);

/* Rank of J, after factoring. A component that is not doubted counts all its rows. A doubted one of
 * up to RCT_ADMITTANCE_DENSE rows: by Cholesky's pivoted factors of Lambda. A larger one: its rows
 * less those whose pivot in Lambda + E is of the order of E. With a front: rows less the dimension
 * of the null space, whose vectors are found one after the other; from RCT_ADMITTANCE_BASIS on, an
 * estimate by pivots. RCT_ERROR_LOOP as below. */
rct_status rct_admittance_rank(rct_admittance *work, rct_closure_report *report, rct_error *error);

/* lambda of least length with Lambda lambda + gap least, from the factors. The part of the gap that
 * cannot be cancelled goes to `left`. All [rows]; gap and lambda may be the same. RCT_ERROR_LOOP as
 * below. */
rct_status rct_admittance_proximal(rct_admittance *work, const double *gap, double *lambda,
                                   double *left, rct_error *error);

/* x = (Lambda + E)^-1 b */
void rct_admittance_respond(rct_admittance *work, const double *b, double *x);

/* The part of v [rows] in the null space of Lambda, to out [rows]. RCT_ERROR_LOOP: rounding is too
 * large to tell. */
rct_status rct_admittance_null_part(rct_admittance *work, const double *v, double *out,
                                    rct_error *error);

#endif
