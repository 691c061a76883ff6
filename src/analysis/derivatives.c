/* Derivatives of the accelerations of a solver: the passes of operators/tangent.h in its state,
 * with the forces there. */
#include "analysis/analysis.h"
#include "analysis/loop_slopes.h"
#include "analysis/slopes.h"
#include "core/error.h"
#include "core/numbers.h"
#include "operators/fill.h"

static const char words[] = "derivatives of accelerations";

/* The parts of one call. */
typedef struct linear {
    rct_pool pool;
    rct_operator_laws laws;
    rct_operator_tree *tree;
    rct_operator *op;
    rct_tangent *tangent;
    rct_loop_slopes loops;
} linear;

static rct_status check(const rct_solver *solver, int32_t columns, rct_error *error)
{
    if (columns < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%d columns: give 0 or more", (int)columns);
    }
    if (solver->function != NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "a force function is set, and its derivatives are not known; unset it, and "
                        "add the derivatives of its forces by efforts or by differences");
    }
    return RCT_OK;
}

/* Begin; `l` is all zero except for the words about its pool. End it whether this succeeds or
 * not. */
static rct_status begin(linear *l, rct_solver *solver, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    rct_status status = rct_solver_evaluate_inside(solver, error);
    if (status != RCT_OK) {
        return status;
    }
    double *q = rct_pool_take(&l->pool, plan->coordinates, sizeof *q, error);
    double *u = rct_pool_take(&l->pool, plan->freedoms, sizeof *u, error);
    double *a = rct_pool_take(&l->pool, plan->freedoms, sizeof *a, error);
    if (l->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    rct_solver_get_rate_derivatives_inside(solver, a);
    rct_solver_get_coordinates_inside(solver, q, u);
    rct_error own;
    l->op = rct_solver_operators_now(solver, 1, &l->tree, error != NULL ? error : &own);
    if (l->op == NULL) {
        return error != NULL ? error->status : own.status;
    }
    l->tree->rates = u;
    status = rct_slopes_find(solver, q, u, &l->pool, &l->laws, error);
    RCT_THEN(status,
             rct_loop_slopes_begin(&l->loops, solver, l->tree, l->op, &l->pool, &l->laws, error));
    if (status == RCT_OK) {
        l->tangent = rct_tangent_create(l->op, &l->laws, a, error);
        status = l->tangent != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    return status;
}

static void end(linear *l)
{
    rct_loop_slopes_end(&l->loops);
    rct_tangent_free(l->tangent);
    rct_operator_free(l->op);
    rct_operator_tree_free(l->tree);
    rct_pool_empty(&l->pool);
}

/* Column c; NULL if there are none. */
static const double *given(const double *columns, int64_t at)
{
    return columns != NULL ? columns + at : NULL;
}

static double *asked(double *columns, int64_t at)
{
    return columns != NULL ? columns + at : NULL;
}

rct_status rct_solver_acceleration_tangent_inside(rct_solver *solver, int32_t columns,
                                                  const double *dq, const double *du,
                                                  const double *dtau, double *da, rct_error *error)
{
    const int64_t rates = solver->plan->freedoms;
    linear l = {.pool = {.what = words}};
    rct_status status = check(solver, columns, error);
    RCT_THEN(status, rct_check_finite("dq", dq, columns * rates, error));
    RCT_THEN(status, rct_check_finite("du", du, columns * rates, error));
    RCT_THEN(status, rct_check_finite("dtau", dtau, columns * rates, error));
    RCT_THEN(status, begin(&l, solver, error));
    for (int64_t at = 0; status == RCT_OK && at < columns * rates; at += rates) {
        status = rct_loop_slopes_times(&l.loops, l.tangent, given(dq, at), given(du, at),
                                       given(dtau, at), da + at, error);
    }
    end(&l);
    return status;
}

rct_status rct_solver_acceleration_adjoint_inside(rct_solver *solver, int32_t columns,
                                                  const double *x, double *gq, double *gu,
                                                  double *gtau, rct_error *error)
{
    const int64_t rates = solver->plan->freedoms;
    linear l = {.pool = {.what = words}};
    rct_status status = check(solver, columns, error);
    RCT_THEN(status, rct_check_finite("x", x, columns * rates, error));
    RCT_THEN(status, begin(&l, solver, error));
    for (int64_t at = 0; status == RCT_OK && at < columns * rates; at += rates) {
        status = rct_loop_slopes_transposed(&l.loops, l.tangent, x + at, asked(gq, at),
                                            asked(gu, at), asked(gtau, at), error);
    }
    end(&l);
    return status;
}
