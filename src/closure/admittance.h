/* The insides of the method of admittance, for its files and its tests. */
#ifndef RCT_CLOSURE_ADMITTANCE_H
#define RCT_CLOSURE_ADMITTANCE_H

#include "closure/method.h"
#include "closure/reduced_tree.h"

/* Components of so many rows are ranked by a dense matrix. */
enum { RCT_ADMITTANCE_DENSE = 300 };

/* Null vectors are looked for up to this number. */
enum { RCT_ADMITTANCE_BASIS = 32 };

/* Rows that other rows do not couple with, from row to row, or by kept nodes. */
typedef struct rct_admittance_components {
    int32_t count;
    int32_t *of_row;   /* [rows]                                                          */
    int32_t *first;    /* [count + 1] its rows: row[first] to row[first' - 1]             */
    int32_t *row;      /* [rows]                                                          */
    int64_t *first_at; /* [count + 1] its numbers, likewise                               */
    int64_t *number;   /* [numbers but those added to the diagonal]                       */
    /* [count] 1: its rank is not counted: with kept nodes, or large by the side of such */
    unsigned char *estimated;
    double *scale; /* [count] largest number on the diagonal of rows                  */
} rct_admittance_components;

typedef struct rct_admittance_small rct_admittance_small; /* admittance_small.h */

typedef struct rct_admittance {
    rct_closure_work
        base; /* its options: rct_reduced_limits; all that follows is none where there are no rows */
    rct_reduced_tree *reduced;
    int64_t numbers, *number_row, *number_column; /* places                                   */
    double *values;                               /* [numbers]                                */
    double *shift;                                /* [rows] what is added to the diagonal: E  */
    rct_admittance_components components;
    double *x, *null, *next, *right, *gap; /* [unknowns] each                                 */
    double *left, *again, *more, *taken;   /* likewise                                        */
    rct_admittance_small *small; /* NULL: the system in `base`                                */
    double *dense;               /* of the largest component that is ranked so */
    double *basis;           /* [RCT_ADMITTANCE_BASIS][rows] with kept nodes                   */
    int32_t *pivots, *local; /* [rows]                                                         */

    rct_mobility of_operators; /* where the problem has none of its own    */
    double *effort, *change;   /* [rates] of it                            */
    int32_t rank;
    double doubt; /* relative error of the last lambda, as its iteration tells it */
} rct_admittance;

/* How the tree of the problem gives way. */
static inline const rct_mobility *rct_admittance_mobility(const rct_admittance *work)
{
    return work->base.problem.mobility != NULL ? work->base.problem.mobility : &work->of_operators;
}

/* That by the operators of the problem (operator_mobility.c). RCT_ERROR_MEMORY. */
rct_status rct_admittance_take_operators(rct_admittance *work, rct_error *error);

/* The method with limits of one's choice, which must outlive it. */
rct_admittance *rct_admittance_create(const rct_reduced_limits *limits, rct_error *error);

/* ---- its matrix (admittance_matrix.c) ---- */

/* How many numbers there are, and the place of each in the upper triangle, row <= column; the last ones are on the
 * diagonal, one for each row, for what is added to it. Without places (NULL) they are only counted. */
int64_t rct_admittance_places(const rct_reduced_tree *reduced, int64_t *row, int64_t *column);

/* Where a kept node joins very many: the order of elimination, and the equation of each unknown [unknowns]. Rows come as they
 * do with little fill, such a node after all that it joins. `pool`: for the work. RCT_ERROR_MEMORY. */
rct_status rct_admittance_order(const rct_reduced_tree *reduced, const rct_sparse_places *places,
                                rct_pool *pool, int64_t *order, int64_t *equation,
                                rct_error *error);

/* The numbers but those last ones, in the order of their places. Columns are carried inward: once for each time that the
 * reduced tree is written. */
void rct_admittance_write(rct_reduced_tree *reduced, const rct_mobility *mobility, double *values);

/* ---- its rank and its solutions ---- */

/* Components of the places. RCT_ERROR_MEMORY. */
rct_status rct_admittance_split(rct_admittance *work, rct_error *error);

/* How each row would move by itself, [rows]: no less than where rounding is E. */
void rct_admittance_diagonal(const rct_admittance *work, double *own);

/* The scale of each component and E, before factoring. */
void rct_admittance_shift(rct_admittance *work);

/* Rank of J, after factoring. Components of up to RCT_ADMITTANCE_DENSE rows: by Cholesky's pivoted factors of Lambda,
 * unless no pivot of the sparse ones is small. Larger ones without kept nodes: rows less those whose pivot in Lambda +
 * E is of the order of E. With kept nodes: rows less the dimensions of the null space, one found after the other; if
 * there are RCT_ADMITTANCE_BASIS and more, an estimate by pivots. RCT_ERROR_LOOP as below. */
rct_status rct_admittance_rank(rct_admittance *work, rct_closure_report *report, rct_error *error);

/* lambda of least length with Lambda lambda + gap least, from factors of Lambda + E. What cannot be cancelled of the
 * gap goes to `left`. All [rows]; gap and lambda may be the same. RCT_ERROR_LOOP as below. */
rct_status rct_admittance_proximal(rct_admittance *work, const double *gap, double *lambda,
                                   double *left, rct_error *error);

/* The part of v [rows] in the null space of Lambda, to out [rows]. RCT_ERROR_LOOP: rounding is so large that there is
 * no telling. */
rct_status rct_admittance_null_part(rct_admittance *work, const double *v, double *out,
                                    rct_error *error);

#endif
