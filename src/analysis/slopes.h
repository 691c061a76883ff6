/* What acts on a system, and how it changes with places and rates (slopes.c), as operators/tangent.h takes it. */
#ifndef RCT_ANALYSIS_SLOPES_H
#define RCT_ANALYSIS_SLOPES_H

#include "core/pool.h"
#include "dynamics/solver.h"
#include "operators/tangent.h"

/* Where the solver is, coordinates and rates of all hinges being those. The arrays are those of `pool`. RCT_ERROR_UNSUPPORTED names what
 * has no derivative; RCT_ERROR_MEMORY. */
rct_status rct_slopes_find(const rct_solver *solver, const double *coordinates, const double *rates,
                           rct_pool *pool, rct_operator_laws *laws, rct_error *error);

/* The pull of a spring or cable along n, over a distance whose ends part at `rate`: force, hold and damp of a pair that has none of
 * them yet; nothing of a cable that is slack. 0: its ends meet, where a spring of some length has no direction; one of no length, n being
 * zero there, holds all ways alike. */
int rct_slope_of_pull(const rct_force *force, double distance, const double n[3],
                      const double rate[3], rct_operator_pair *pair);

#endif
