/* Admittance where all coupled sets are small (002, aggregates): Lambda of each component of its
 * rows is solved by itself, many side by side in lanes, so no component depends on others. A Lambda
 * that is singular, or nearly, is solved by pivoted factors instead,
 *
 *     Lambda = L L*,  L [rows][rank]       lambda = -L (L* L)^-2 L* gap       of least length, with Lambda lambda + gap
 * least */
#ifndef RCT_CLOSURE_ADMITTANCE_SMALL_H
#define RCT_CLOSURE_ADMITTANCE_SMALL_H

#include "closure/admittance.h"

/* Make this work if components have at most SMALL_ROWS rows and their owner has Lambda itself;
 * otherwise work->small is NULL. It lives as long as the pool of the work. RCT_ERROR_MEMORY. */
rct_status rct_admittance_small_create(rct_admittance *work, rct_error *error);

/* Factor, from the values and what hinges can give to each row; the rank of J to the report. */
void rct_admittance_small_factor(const rct_admittance *work, rct_closure_report *report);

/* lambda of least length, and the part left of the gap; [rows]. */
void rct_admittance_small_solve(const rct_admittance *work, const double *gap, double *lambda,
                                double *left);

#endif
