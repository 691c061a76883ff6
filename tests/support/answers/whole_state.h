/* The whole visible state of a solver, of any size, to compare with a later state bit for bit. */
#ifndef RCT_TESTS_WHOLE_STATE_H
#define RCT_TESTS_WHOLE_STATE_H

#include <riccatree/solver.h>

typedef struct whole_state {
    int64_t count;
    double *numbers; /* states, points, velocities, time, energies, momenta */
} whole_state;

/* The test fails without memory. */
whole_state whole_state_take(const rct_solver *solver);
void whole_state_free(whole_state *state);

/* Fails the test unless the state is still that of `before`. */
void whole_state_expect(const rct_solver *solver, const whole_state *before);

#endif
