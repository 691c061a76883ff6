/* All motions about rest by differences (dense_motions.h). */
#include "tests/analysis/dense_motions.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/reference.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static void accelerate(const rct_model *model, double time, const double *q, const double *still,
                       double *linear, double *derivatives)
{
    rct_error error;
    rct_reference_result result = {.linear = linear, .derivatives = derivatives};
    if (rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, time, q, still, &result, &error) !=
        RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void dense_motions(const rct_model *model, const rct_solver *solver, double *lambda)
{
    static const double h[4] = {3e-4, -3e-4, 6e-4, -6e-4};
    const int64_t n = hinge_tree_freedoms(model), positions = hinge_tree_coordinates(model);
    double *q = zeros(positions), *moved = zeros(positions), *still = zeros(n), *along = zeros(n);
    double *rates = zeros(n), *a = zeros(4 * n), *D = zeros(n * n), *imaginary = zeros(n);
    rct_solver_get_coordinates(solver, q, NULL);
    for (int64_t r = 0; r < n; r++) {
        along[r] = 1.0;
        for (int k = 0; k < 4; k++) {
            hinge_tree_advance(model, q, along, still, h[k], moved, rates);
            accelerate(model, rct_solver_time(solver), moved, still, NULL, a + k * n);
        }
        along[r] = 0.0;
        for (int64_t i = 0; i < n; i++) {
            D[r * n + i] = -(8.0 * (a[i] - a[n + i]) - (a[2 * n + i] - a[3 * n + i])) / 36e-4;
        }
    }
    const lapack_int rows = (lapack_int)n;
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', rows, D, rows, lambda, imaginary,
                                   NULL, 1, NULL, 1),
                     0);
    qsort(lambda, (size_t)n, sizeof *lambda, ascending);
    free(q);
    free(moved);
    free(still);
    free(along);
    free(rates);
    free(a);
    free(D);
    free(imaginary);
}

double dense_acceleration(const rct_model *model, const rct_solver *solver)
{
    const int64_t n = hinge_tree_freedoms(model), places = 3 * (int64_t)rct_model_body_count(model);
    double *q = zeros(hinge_tree_coordinates(model)), *still = zeros(n);
    double *linear = zeros(places), *derivatives = zeros(n), most = 0.0;
    rct_solver_get_coordinates(solver, q, NULL);
    accelerate(model, rct_solver_time(solver), q, still, linear, derivatives);
    for (int64_t i = 0; i < places; i++) {
        most = larger(most, fabs(linear[i]));
    }
    for (int64_t i = 0; i < n; i++) {
        most = larger(most, fabs(derivatives[i]));
    }
    free(q);
    free(still);
    free(linear);
    free(derivatives);
    return most;
}
