/* Checks of rest that exists or must not exist (found_rest.h). */
#include "tests/analysis/found_rest.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "tests/support/must.h"
#include "tests/support/zeros.h"

#include <stdlib.h>
#include <string.h>

static rct_error error;

rct_equilibrium must_rest(rct_solver *solver)
{
    rct_equilibrium found;
    if (rct_solver_equilibrium(solver, &found, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return found;
}

void expect_no_rest(rct_solver *solver, rct_status status, const char *words)
{
    const int64_t positions = solver->plan->coordinates, rates = solver->plan->freedoms;
    rct_equilibrium found = {.steps = -7};
    double *q[2] = {zeros(positions), zeros(positions)}, *u[2] = {zeros(rates), zeros(rates)};
    rct_solver_get_coordinates(solver, q[0], u[0]);
    assert_int_equal(rct_solver_equilibrium(solver, &found, &error), status);
    if (strstr(error.text, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    }
    rct_solver_get_coordinates(solver, q[1], u[1]);
    assert_memory_equal(q[0], q[1], (size_t)positions * sizeof *q[0]);
    assert_memory_equal(u[0], u[1], (size_t)rates * sizeof *u[0]);
    assert_int_equal(found.steps, -7);
    for (int i = 0; i < 2; i++) {
        free(q[i]);
        free(u[i]);
    }
    rct_solver_free(solver);
}

void expect_rest_or_memory(const rct_model *model)
{
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_solver *solver = must_solver(model, NULL);
        rct_allocate_fail_after(k);
        status = rct_solver_equilibrium(solver, NULL, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_true(k < 200);
        rct_solver_free(solver);
    }
}
