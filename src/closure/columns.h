/* Constraints against the metric of the mass matrix. With M = N N* (operators/tree.h) a change of
 * rates is N^-* y, its size in the metric of M is the length of y, and constraints take from it
 *
 *     J change = B* y      B = N^-1 J*, a column a row of J      M^-1 J* = N^-* B
 *
 * so closing loops is a plain least-squares problem in y. No mass matrix is formed. */
#ifndef RCT_CLOSURE_COLUMNS_H
#define RCT_CLOSURE_COLUMNS_H

#include "closure/method.h"
#include "core/pool.h"

/* Work space for J and J*, of the bodies and rates of the caller. */
typedef struct rct_closure_columns {
    const rct_closure_problem *problem;
    double *force, *moment; /* [n][3] */
    double *along, *whole;  /* [rates] */
    double *taken;          /* [rows] */
} rct_closure_columns;

/* Take room from the pool, which shows a failure and frees the room. The problem must stay at its
 * address; it may become another with as many bodies, rates and rows. */
void rct_closure_columns_create(rct_closure_columns *work, const rct_closure_problem *problem,
                                rct_pool *pool, rct_error *error);

/* y [rates] = J* x */
void rct_closure_columns_turn(rct_closure_columns *work, const double *x, double *y);

/* B: [rows][rates] */
void rct_closure_columns_write(rct_closure_columns *work, double *B);

/* [rates] the size that the numbers of J* together have where nothing cancels; stays until the next
 * call. */
const double *rct_closure_columns_whole(rct_closure_columns *work);

/* The size that B would have if forces as large as those of J had all directions, also those that
 * hinges hold: it measures the rounding of B where hinges already hold all rows. */
double rct_closure_columns_size(rct_closure_columns *work);

/* left [rows] = J change + gap; returns its largest size; INFINITY where it is not finite. */
double rct_closure_columns_left(rct_closure_columns *work, const double *gap, const double *change,
                                double *left);

/* The residual of a change and its row (method.h). */
void rct_closure_columns_report(rct_closure_columns *work, const double *gap, const double *change,
                                rct_closure_report *report);

/* The largest size in a vector; INFINITY where it is not finite. */
double rct_closure_largest(int32_t count, const double *v);

/* The residual and its row (method.h), from the part left of a gap whose largest size is `size`. */
void rct_closure_report_left(int32_t rows, double size, const double *left,
                             rct_closure_report *report);

/* RCT_ERROR_DIVERGED */
rct_status rct_closure_not_finite(rct_error *error);

#endif
