/* Hinge forces against Newton's and Euler's equations of every body: the forces of its hinge, of
 * the hinges of its outboard links, of loads and of gravity must give its acceleration. For
 * models of any size, in O(n), with loops closed. */
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

/* The residual of each body, about its hinge point. */
typedef struct balance {
    const cli_state *state;
    const cli_accelerations *rows;
    double *force, *moment;
} balance;

/* J w of a body, J about its centre of mass. */
static void spin_momentum(const balance *all, int32_t b, const rct_body *body, const double w[3],
                          double l[3])
{
    const double *q = all->state->orientation + 4 * b, *j = body->inertia;
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    double own[3];
    cli_turn(back, w, own);
    const double turned[3] = {j[0] * own[0] + j[3] * own[1] + j[4] * own[2],
                              j[3] * own[0] + j[1] * own[1] + j[5] * own[2],
                              j[4] * own[0] + j[5] * own[1] + j[2] * own[2]};
    cli_turn(q, turned, l);
}

/* Subtract mass times acceleration, add weight. */
static void take_motion(balance *all, int32_t b, const rct_body *body, const double gravity[3])
{
    const double *w = all->state->spin + 3 * b;
    const double *a = all->rows->vectors[CLI_LINEAR] + 3 * b;
    const double *alpha = all->rows->vectors[CLI_ANGULAR] + 3 * b;
    double c[3], around[3], inward[3], force[3], arm[3], l[3], gyro[3], rate[3];
    cli_turn(all->state->orientation + 4 * b, body->com, c);
    cli_cross(alpha, c, around);
    cli_cross(w, c, inward);
    cli_cross(w, inward, inward);
    for (int k = 0; k < 3; k++) {
        force[k] = body->mass * (gravity[k] - a[k] - around[k] - inward[k]);
    }
    spin_momentum(all, b, body, w, l);
    spin_momentum(all, b, body, alpha, rate);
    cli_cross(w, l, gyro);
    cli_cross(c, force, arm);
    for (int k = 0; k < 3; k++) {
        all->force[3 * b + k] += force[k];
        all->moment[3 * b + k] += arm[k] - rate[k] - gyro[k];
    }
}

/* Add the force of the parent to the body, and subtract it from the parent. */
static void take_hinge(balance *all, int32_t b, int32_t parent)
{
    const double *force = all->rows->vectors[CLI_FORCE] + 3 * b;
    const double *moment = all->rows->vectors[CLI_MOMENT] + 3 * b;
    double arm[3] = {0.0, 0.0, 0.0}, around[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3 && parent != RCT_GROUND; k++) {
        arm[k] = all->state->position[3 * b + k] - all->state->position[3 * parent + k];
    }
    cli_cross(arm, force, around);
    for (int k = 0; k < 3; k++) {
        all->force[3 * b + k] += force[k];
        all->moment[3 * b + k] += moment[k];
        if (parent != RCT_GROUND) {
            all->force[3 * parent + k] -= force[k];
            all->moment[3 * parent + k] -= moment[k] + around[k];
        }
    }
}

static void judge(cli_verification *v, const balance *all)
{
    const double scale = v->comparison.scale[CLI_FORCE];
    const double length = v->census.length > 0.0 ? v->census.length : 1.0;
    double worst = 0.0;
    int32_t at = 0;
    char name[RCT_NAME_SIZE];
    for (int32_t b = 0; b < all->state->bodies; b++) {
        const double own = cli_length(all->force + 3 * b) / scale +
                           cli_length(all->moment + 3 * b) / (scale * length);
        if (!(own <= worst)) {
            worst = own;
            at = b;
        }
    }
    rct_model_body_name(v->model, at, name);
    cli_check_bound(&v->checks, "Newton and Euler", worst, cli_at_most(v->rounding),
                    "hinge forces, loads and accelerations do not balance, most at body \"%s\"",
                    name);
}

static bool see_balance(cli_verification *v, const rct_solver *solver, const cli_state *state,
                        const cli_accelerations *rows)
{
    double gravity[3];
    double *numbers = cli_numbers(6 * state->bodies, "the balance of forces");
    balance all = {.state = state, .rows = rows, .force = numbers};
    if (numbers == NULL) {
        return false;
    }
    all.moment = numbers + 3 * state->bodies;
    const bool good = cli_verify_loads(v->model, state, solver, all.force, all.moment);
    rct_model_gravity(v->model, gravity);
    for (int32_t b = 0; b < state->bodies; b++) {
        rct_body body = rct_body_default();
        rct_model_body(v->model, b, &body, NULL);
        take_motion(&all, b, &body, gravity);
        take_hinge(&all, b, body.parent);
    }
    if (good) {
        judge(v, &all);
    }
    free(numbers);
    return good;
}

bool cli_verify_balance(cli_verification *v)
{
    cli_state state;
    cli_accelerations rows;
    rct_solver *solver = cli_verify_solver(v, RCT_METHOD_ABI, 0);
    if (!cli_have(solver)) {
        return false;
    }
    bool good = cli_accelerations_create(&rows, v->model);
    if (good && cli_did(cli_accelerations_of_solver(&rows, solver))) {
        good = cli_state_create(&state, solver) && see_balance(v, solver, &state, &rows);
        cli_state_free(&state);
    }
    cli_accelerations_free(&rows);
    rct_solver_free(solver);
    return good;
}
