/* Natural cubic splines through the columns of a table whose first column increases. Before the
 * first row and after the last one they continue straight. */
#ifndef RCT_MODEL_SPLINE_H
#define RCT_MODEL_SPLINE_H

#include <riccatree/status.h>

#include <stdint.h>

/* table [rows][columns + 1]; bends [rows][columns], the second derivatives of the splines. */
typedef struct rct_splines {
    const double *table, *bends;
    int64_t rows;
    int columns;
} rct_splines;

/* Value, first and second derivative. */
typedef struct rct_on_spline {
    double x, v, a;
} rct_on_spline;

/* What is wrong with a table with `columns` columns besides the first, in `text`, which names the
 * first wrong row, counted from 1; NULL: nothing. */
enum { RCT_TABLE_TROUBLE = 192 };
const char *rct_splines_trouble(const double *table, int columns, int64_t rows,
                                char text[RCT_TABLE_TROUBLE]);

/* Fill `bends` for a valid table of at least two rows. Returns 0 if some are not finite. `gain`
 * [rows] is work space. */
int rct_splines_bend(const double *table, int64_t rows, int columns, double *gain, double *bends);

/* A copy of a table [rows][2] with the second derivatives of its spline behind it. NULL:
 * RCT_ERROR_MEMORY, or some are not finite (RCT_ERROR_MODEL, without text). */
double *rct_splines_own(const double *table, int64_t rows, rct_status *status, rct_error *error);

/* The spline of such a copy at t. */
rct_on_spline rct_splines_own_at(const double *own, int64_t rows, double t);

/* The row at or before t; the first, or the last but one, beyond the ends. */
int64_t rct_splines_row(const rct_splines *splines, double t);

/* Column k, counted from 0, at t; NaN at NaN. */
rct_on_spline rct_splines_at(const rct_splines *splines, int k, double t);

/* The integral of column k from the first row to t. */
double rct_splines_integral(const rct_splines *splines, int k, double t);

#endif
