/* Admittance where all that is coupled is small (002, aggregates): Lambda of each component of its rows for itself, many side by side in
 * lanes, so that none knows of others. What is singular, or nearly, is solved by pivoted factors instead,
 *
 *     Lambda = L L*,  L [rows][rank]       lambda = -L (L* L)^-2 L* gap       of least length, with Lambda lambda + gap least
 */
#ifndef RCT_CLOSURE_ADMITTANCE_SMALL_H
#define RCT_CLOSURE_ADMITTANCE_SMALL_H

#include "closure/admittance.h"

/* For components of no more than SMALL_ROWS rows whose owner has Lambda itself; else NULL to work->small. Lives with the work's pool.
 * RCT_ERROR_MEMORY. */
rct_status rct_admittance_small_create(rct_admittance *work, rct_error *error);

/* From the values and the scale of each row by itself, [rows]; the rank of J to the report. */
void rct_admittance_small_factor(const rct_admittance *work, const double *own,
                                 rct_closure_report *report);

/* lambda of least length, and what is left of the gap; [rows]. */
void rct_admittance_small_solve(const rct_admittance *work, const double *gap, double *lambda,
                                double *left);

#endif
