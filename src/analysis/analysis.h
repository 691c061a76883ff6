/* The public functions of riccatree/analysis.h, and those of operators.h that differentiate, for
 * callers that have entered the solver. */
#ifndef RCT_ANALYSIS_ANALYSIS_H
#define RCT_ANALYSIS_ANALYSIS_H

#include <riccatree/analysis.h>
#include <riccatree/operators.h>

rct_status rct_solver_equilibrium_inside(rct_solver *solver, rct_equilibrium *found,
                                         rct_error *error);
rct_status rct_solver_modes_inside(rct_solver *solver, int32_t count, double *square, double *shape,
                                   rct_modes *modes, rct_error *error);
rct_status rct_solver_acceleration_tangent_inside(rct_solver *solver, int32_t columns,
                                                  const double *dq, const double *du,
                                                  const double *dtau, double *da, rct_error *error);
rct_status rct_solver_acceleration_adjoint_inside(rct_solver *solver, int32_t columns,
                                                  const double *x, double *gq, double *gu,
                                                  double *gtau, rct_error *error);

#endif
