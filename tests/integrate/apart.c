/* How far two solvers of one model are apart (apart.h). */
#include "tests/integrate/apart.h"

#include "dynamics/solver.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

double apart(const rct_solver *a, const rct_solver *b)
{
    const int64_t count = a->plan->coordinates;
    double *x = calloc(2 * (size_t)count, sizeof *x), most = 0.0;
    assert_non_null(x);
    rct_solver_get_coordinates(a, x, NULL);
    rct_solver_get_coordinates(b, x + count, NULL);
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - x[count + i]));
    }
    free(x);
    return most;
}
