/* `riccatree verify` checks one model. Each check is a line: the thing checked, the number
 * measured, its bound, and the result. */
#ifndef RCT_CLI_VERIFY_H
#define RCT_CLI_VERIFY_H

#include "checks.h"
#include "compare/compare.h"
#include "state.h"

typedef struct cli_verification {
    const cli_arguments *arguments;
    const rct_model *model;
    rct_census census;
    bool *grounded; /* [n] whether a body is welded to the ground and so part of it             */
    double dt;      /* s                                                                        */
    int64_t steps;  /* of dt                                                                    */
    cli_comparison comparison; /* of the initial state                                         */
    double rounding; /* how far results may differ, relative to natural sizes; see bounds.c    */
    cli_checks checks;
} cli_verification;

/* A solver of the model by `method`, all else by default, with this many threads (0: as many as
 * pay). NULL with cli_error. */
rct_solver *cli_verify_solver(const cli_verification *v, rct_method method, int32_t threads);

/* bounds.c: how far results may differ by rounding. Returns false if memory is short. */
bool cli_verify_find_rounding(cli_verification *v);

/* The groups of checks. They return false, with an error printed, if memory or the disk is
 * short. */
void cli_verify_choose_entries(cli_comparison *comparison);
bool cli_verify_agreement(
    cli_verification *v); /* methods, references, ways to close loops, sweeps, backends */
bool cli_verify_balance(
    cli_verification *v); /* hinge forces, by Newton and Euler                          */
bool cli_verify_motion(
    cli_verification *v); /* energy and momenta over a short run, loops at its end      */
bool cli_verify_order(
    cli_verification *v); /* of the integrator, by halving steps                        */
bool cli_verify_bits(
    cli_verification *v); /* twice, on 1 and 2 threads, from a checkpoint               */

/* loads.c: the loads on each body besides gravity and hinge forces, in the state evaluated last;
 * N, and N m about hinge points, [n][3] each: wrenches, springs and dampers between points,
 * drag, loops. */
bool cli_verify_loads(const rct_model *model, const cli_state *state, const rct_solver *solver,
                      double *force, double *moment);

/* power.c: W, the power that changes the energy: dampers, forces applied at hinges, wrenches,
 * drag, prescribed motion, a moving ground. */
bool cli_verify_power(const cli_verification *v, const cli_state *state, const rct_solver *solver,
                      double *power);

/* ground.c: which bodies are part of the ground; NULL, with an error printed, if memory is
 * short. Whether a body is hinged to it by a moving hinge; whether a spring or a loop ends on a
 * body welded to it. */
bool *cli_verify_ground(const rct_model *model);
bool cli_verify_is_root(const cli_verification *v, const rct_body *body);
bool cli_verify_touches_ground(const cli_verification *v);

#endif
