/* Reading the state of a solver, and points of bodies. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

bool cli_state_create(cli_state *state, const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    const int64_t n = info.bodies;
    *state = (cli_state){.bodies = n, .numbers = info.coordinates + info.dof};
    double *block = cli_numbers(13 * n + state->numbers, "the state");
    if (block == NULL) {
        return false;
    }
    state->orientation = block;
    state->spin = block + 4 * n;
    state->position = block + 7 * n;
    state->velocity = block + 10 * n;
    state->coordinates = block + 13 * n;
    state->rates = state->coordinates + info.coordinates;
    cli_state_read(state, solver);
    return true;
}

void cli_state_read(cli_state *state, const rct_solver *solver)
{
    rct_solver_get_state(solver, state->orientation, state->spin, state->position, state->velocity);
    rct_solver_get_coordinates(solver, state->coordinates, state->rates);
    state->time = rct_solver_time(solver);
}

void cli_state_free(cli_state *state)
{
    free(state->orientation);
    *state = (cli_state){.bodies = 0};
}

int64_t cli_state_apart(const cli_state *a, const cli_state *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->numbers; i++) {
        count += memcmp(a->coordinates + i, b->coordinates + i, sizeof(double)) != 0;
    }
    return count;
}

void cli_cross(const double a[3], const double b[3], double product[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    memcpy(product, c, sizeof c);
}

double cli_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v + 2 q0 (q x v) + 2 q x (q x v) */
void cli_turn(const double orientation[4], const double v[3], double turned[3])
{
    double once[3], twice[3];
    cli_cross(orientation + 1, v, once);
    cli_cross(orientation + 1, once, twice);
    for (int k = 0; k < 3; k++) {
        turned[k] = v[k] + 2.0 * (orientation[0] * once[k] + twice[k]);
    }
}

void cli_state_point(const cli_state *state, int32_t body, const double at[3], double place[3],
                     double motion[3])
{
    double arm[3] = {at[0], at[1], at[2]};
    double around[3] = {0.0, 0.0, 0.0};
    const bool moves = body != RCT_GROUND;
    if (moves) {
        cli_turn(state->orientation + 4 * body, at, arm);
        cli_cross(state->spin + 3 * body, arm, around);
    }
    for (int k = 0; k < 3; k++) {
        place[k] = arm[k] + (moves ? state->position[3 * body + k] : 0.0);
        motion[k] = around[k] + (moves ? state->velocity[3 * body + k] : 0.0);
    }
}

bool cli_is_slide(rct_hinge_type hinge, int freedom)
{
    return hinge == RCT_HINGE_PRISMATIC || (hinge == RCT_HINGE_CYLINDRICAL && freedom == 1) ||
           (hinge == RCT_HINGE_PLANAR && freedom < 2);
}
