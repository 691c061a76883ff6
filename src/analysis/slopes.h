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

#endif
