/* Solvers with error control (adaptive_case.h). */
#include "tests/integrate/adaptive_case.h"

#include "dynamics/solver.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"

#include <math.h>
#include <stdlib.h>

rct_solver *adaptive_solver(const rct_model *model, rct_integrator integrator, double tolerance)
{
    rct_solver_options options = rct_solver_options_default();
    options.integrator = integrator;
    options.tolerance = tolerance;
    return must_solver(model, &options);
}

int64_t evaluations_of(const rct_solver *solver)
{
    rct_stepping stepping;
    rct_solver_get_stepping(solver, &stepping);
    return stepping.evaluations;
}

double apart(const rct_solver *a, const rct_solver *b)
{
    const int64_t count = a->plan->coordinates;
    double *x = calloc(2 * (size_t)count, sizeof *x), most = 0.0;
    assert_non_null(x);
    rct_solver_get_coordinates(a, x, NULL);
    rct_solver_get_coordinates(b, x + count, NULL);
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i] - x[count + i]));
    }
    free(x);
    return most;
}
