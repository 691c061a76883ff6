/* The whole visible state of a solver (whole_state.h). */
#include "tests/support/answers/whole_state.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { OF_BODY = 13, OF_ALL = 9 };

whole_state whole_state_take(const rct_solver *solver)
{
    rct_solver_info info;
    rct_measures measures;
    rct_solver_get_info(solver, &info);
    const int64_t n = info.bodies;
    whole_state state = {OF_BODY * n + OF_ALL, NULL};
    state.numbers = malloc((size_t)state.count * sizeof *state.numbers);
    assert_non_null(state.numbers);
    double *x = state.numbers, *all = x + OF_BODY * n;
    rct_solver_get_state(solver, x, x + 4 * n, x + 7 * n, x + 10 * n);
    rct_solver_measure(solver, &measures);
    all[0] = rct_solver_time(solver);
    all[1] = measures.kinetic;
    all[2] = measures.potential;
    memcpy(all + 3, measures.momentum, sizeof measures.momentum);
    memcpy(all + 6, measures.angular_momentum, sizeof measures.angular_momentum);
    return state;
}

void whole_state_free(whole_state *state)
{
    free(state->numbers);
    state->numbers = NULL;
}

void whole_state_expect(const rct_solver *solver, const whole_state *before)
{
    whole_state now = whole_state_take(solver);
    assert_int_equal(now.count, before->count);
    assert_memory_equal(now.numbers, before->numbers, (size_t)now.count * sizeof *now.numbers);
    whole_state_free(&now);
}
