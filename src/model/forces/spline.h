/* Natural cubic splines through the columns of a table whose first one increases; before the first row and after the last they go on
 * straight, as they end. */
#ifndef RCT_MODEL_SPLINE_H
#define RCT_MODEL_SPLINE_H

#include <riccatree/status.h>

#include <stdint.h>

/* table [rows][columns + 1]; bends [rows][columns], second derivatives of the splines. */
typedef struct rct_splines {
    const double *table, *bends;
    int64_t rows;
    int columns;
} rct_splines;

/* Value, first and second derivative. */
typedef struct rct_on_spline {
    double x, v, a;
} rct_on_spline;

/* What is wrong with row i of a table, `columns` besides the first, after the rows before it; NULL: nothing. */
const char *rct_splines_row_trouble(const double *table, int columns, int64_t i);

/* Fill bends for a table that is right, of two rows at least; 0 if some are not finite. `gain` [rows] is room. */
int rct_splines_bend(const double *table, int64_t rows, int columns, double *gain, double *bends);

/* A copy of a table [rows][2], the second derivatives of its spline behind it; NULL: RCT_ERROR_MEMORY, or some are not finite
 * (RCT_ERROR_MODEL, without words). */
double *rct_splines_own(const double *table, int64_t rows, rct_status *status, rct_error *error);

/* Of such a copy at t. */
rct_on_spline rct_splines_own_at(const double *own, int64_t rows, double t);

/* Of column k, from 0, at t; NaN at NaN. */
rct_on_spline rct_splines_at(const rct_splines *splines, int k, double t);

/* The integral of column k from the first row to t. */
double rct_splines_integral(const rct_splines *splines, int k, double t);

#endif
