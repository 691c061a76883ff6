/* The forces on a system and how they change with places and rates (slopes.c), as
 * operators/tangent.h takes them. */
#ifndef RCT_ANALYSIS_SLOPES_H
#define RCT_ANALYSIS_SLOPES_H

#include "core/pool.h"
#include "dynamics/solver.h"
#include "operators/tangent.h"

/* Find them in the state of the solver, whose hinges have these coordinates and rates. The arrays
 * belong to `pool`. RCT_ERROR_UNSUPPORTED names a force without a derivative; RCT_ERROR_MEMORY. */
rct_status rct_slopes_find(const rct_solver *solver, const double *coordinates, const double *rates,
                           rct_pool *pool, rct_operator_laws *laws, rct_error *error);

/* The pull of a spring or cable along n, over a distance whose ends part at `rate`: writes force,
 * hold and damp of a pair that has none of them yet; a slack cable writes nothing. Returns 0 if its
 * ends meet, where a spring of some length has no direction; a spring of no length, whose n is zero
 * there, holds all directions alike. */
int rct_slope_of_pull(const rct_force *force, double distance, const double n[3],
                      const double rate[3], rct_operator_pair *pair);

#endif
