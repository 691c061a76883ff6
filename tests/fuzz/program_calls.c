/* The calls of random programs (program_calls.h). */
#include "tests/fuzz/program_calls.h"

#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

void read_all(const rct_solver *solver, reading *r)
{
    memset(r, 0, sizeof *r);
    rct_solver_get_state(solver, r->state, r->state + 4 * BODIES, r->state + 7 * BODIES,
                         r->state + 10 * BODIES);
    rct_solver_get_coordinates(solver, r->coordinates, r->rates);
    rct_solver_get_rate_derivatives(solver, r->derivatives);
    r->time = rct_solver_time(solver);
    rct_solver_get_active_loops(solver, r->active);
}

static rct_status evaluate(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    (void)p, (void)random;
    return rct_solver_evaluate(spoiled ? NULL : solver, error);
}

static rct_status step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                       rct_error *error)
{
    static const double bad[] = {0.0, -1e-3, INFINITY};
    const double dt = draw_between(&random, 1e-5, 1e-3);
    const int64_t steps = (int64_t)draw_between(&random, 0.0, p->one_step ? 2.0 : 4.0);
    return rct_solver_step(solver, spoiled ? bad[steps % 3] : dt, steps, error);
}

static rct_status set_coordinates(rct_solver *solver, const program *p, uint64_t random,
                                  int spoiled, rct_error *error)
{
    double u[COORDINATES];
    memcpy(u, p->now.rates, sizeof u);
    for (int64_t i = 0; i < p->rates; i++) {
        u[i] += draw_between(&random, -0.1, 0.1);
    }
    if (spoiled) {
        u[(int64_t)draw_between(&random, 0.0, (double)p->rates)] = (double)NAN;
    }
    return rct_solver_set_coordinates(solver, p->now.coordinates, u, error);
}

static rct_status forward(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double du[COORDINATES];
    (void)random;
    return rct_solver_forward(solver, spoiled ? -1 : 1, p->now.coordinates, p->now.rates, NULL, du,
                              error);
}

static rct_status set_efforts(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                              rct_error *error)
{
    double efforts[COORDINATES];
    for (int64_t i = 0; i < p->rates; i++) {
        efforts[i] = draw_between(&random, -1.0, 1.0);
    }
    efforts[0] = spoiled ? (double)INFINITY : efforts[0];
    return rct_solver_set_efforts(solver, efforts, error);
}

static rct_status mass_times(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    return rct_solver_mass_times(solver, spoiled ? -1 : 1, x, y, error);
}

static rct_status mass_solve(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_mass_solve(solver, 1, x, y, error);
}

static rct_status tangent(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_acceleration_tangent(solver, 1, x, x, x, y, error);
}

static rct_status adjoint(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)INFINITY : x[0];
    return rct_solver_acceleration_adjoint(solver, 1, x, y, x, NULL, error);
}

static rct_status check_step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    rct_step_report report;
    (void)p, (void)random;
    return rct_solver_check_step(solver, spoiled ? -1.0 : 1e-4, &report, error);
}

static rct_status hinge_efforts(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                                rct_error *error)
{
    double own[COORDINATES];
    (void)p, (void)random;
    return rct_solver_hinge_efforts(spoiled ? NULL : solver, own, error);
}

static rct_status inverse_dynamics(rct_solver *solver, const program *p, uint64_t random,
                                   int spoiled, rct_error *error)
{
    double x[COORDINATES], effort[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_inverse_dynamics(solver, x, NULL, NULL, effort, error);
}

/* In steps of their own length; refused if the model was freed before its solvers. */
static rct_status run_to(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                         rct_error *error)
{
    rct_run_options options = rct_run_options_default();
    options.dt = draw_between(&random, 1e-5, 1e-3);
    options.t_end = rct_solver_time(solver) + (p->one_step ? 1.0 : 3.0) * options.dt;
    options.dt = spoiled ? -options.dt : options.dt;
    return rct_solver_run(solver, p->model, &options, NULL, error);
}

static rct_status longest_step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                               rct_error *error)
{
    double longest;
    int32_t body;
    (void)random;
    return rct_solver_longest_step(spoiled ? NULL : solver, p->model, &longest, &body, error);
}

static rct_status equilibrium(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                              rct_error *error)
{
    rct_equilibrium found;
    (void)p, (void)random;
    return rct_solver_equilibrium(spoiled ? NULL : solver, &found, error);
}

/* For a state at rest, usually after the call before. */
static rct_status modes(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                        rct_error *error)
{
    double square[MODES], shape[MODES * COORDINATES];
    rct_modes found;
    (void)p;
    const int32_t count = draw_between(&random, 0.0, 1.0) < 0.5 ? 0 : MODES;
    return rct_solver_modes(solver, spoiled ? -1 : count, square, shape, &found, error);
}

/* For any model; refused for one without loops. */
static rct_status set_loop(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    const int32_t loop = (int32_t)draw_between(&random, 0.0, LOOPS);
    const int state = (int)draw_between(&random, 0.0, RCT_LOOP_STATES);
    (void)p;
    return rct_solver_set_loop_active(solver, spoiled ? LOOPS : loop, (rct_loop_state)state, error);
}

static rct_status assemble(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    (void)p, (void)random;
    return rct_solver_assemble(spoiled ? NULL : solver, error);
}

static rct_status keep(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                       rct_error *error)
{
    (void)p, (void)random;
    return spoiled ? rct_solver_keep(NULL, error) : rct_solver_check(solver, error);
}

const program_call program_calls[ALL_CALLS] = {{evaluate, "evaluate", 1, 0, 0},
                                               {step, "step", 1, 0, 1},
                                               {set_coordinates, "set_coordinates", 0, 0, 0},
                                               {forward, "forward", 1, 1, 0},
                                               {set_efforts, "set_efforts", 0, 0, 0},
                                               {mass_times, "mass_times", 0, 0, 0},
                                               {mass_solve, "mass_solve", 0, 0, 0},
                                               {tangent, "acceleration_tangent", 1, 0, 0},
                                               {adjoint, "acceleration_adjoint", 1, 0, 0},
                                               {check_step, "check_step", 0, 0, 0},
                                               {hinge_efforts, "hinge_efforts", 0, 0, 0},
                                               {inverse_dynamics, "inverse_dynamics", 0, 0, 0},
                                               {run_to, "run", 1, 0, 1},
                                               {longest_step, "longest_step", 0, 0, 0},
                                               {equilibrium, "equilibrium", 1, 0, 0},
                                               {modes, "modes", 1, 0, 0},
                                               {set_loop, "set_loop_active", 1, 0, 0},
                                               {assemble, "assemble", 0, 0, 0},
                                               {keep, "keep", 0, 0, 0}};
