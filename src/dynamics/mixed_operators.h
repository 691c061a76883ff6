/* The operators of solvers, as the functions of the same names in riccatree/operators.h. */
#ifndef RCT_DYNAMICS_MIXED_OPERATORS_H
#define RCT_DYNAMICS_MIXED_OPERATORS_H

#include <riccatree/solver.h>

/* RCT_ERROR_ARGUMENT for a number below 0. */
rct_status rct_check_columns(int32_t columns, rct_error *error);

rct_status rct_mixed_mass_times(rct_solver *solver, int32_t columns, const double *x, double *y,
                                rct_error *error);
rct_status rct_mixed_mass_solve(rct_solver *solver, int32_t columns, const double *x, double *y,
                                rct_error *error);
rct_status rct_mixed_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                    double *linear, double *angular, rct_error *error);
rct_status rct_mixed_jacobian_transposed(rct_solver *solver, int32_t columns, const double *force,
                                         const double *moment, double *y, rct_error *error);
rct_status rct_mixed_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                      double *moment, double *effort, rct_error *error);

#endif
