/* The power that changes the energy of a system: of dampers, of forces at hinges, of wrenches,
 * of drag, of prescribed motion, and of a moving ground. The potential energy holds the work of
 * gravity and springs. */
#include "verify/verify.h"

#include <stdlib.h>

static double of_hinge(const cli_state *state, const rct_base_motion *ground, int32_t b,
                       const rct_body *body, const double *u)
{
    double power = 0.0;
    if (body->hinge == RCT_HINGE_BALL) {
        const double *q = state->orientation + 4 * b;
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        double w[3], own[3];
        for (int k = 0; k < 3; k++) {
            w[k] = state->spin[3 * b + k] - (body->parent != RCT_GROUND
                                                 ? state->spin[3 * body->parent + k]
                                                 : ground->angular_velocity[k]);
        }
        cli_turn(back, w, own);
        for (int k = 0; k < 3; k++) {
            power -= body->damping[k] * own[k] * own[k];
        }
        return power;
    }
    for (int k = 0; k < rct_hinge_freedoms(body->hinge) && body->hinge != RCT_HINGE_FREE; k++) {
        power += (body->applied[k] - body->damping[k] * u[k]) * u[k];
    }
    return power;
}

static double of_wrench(const cli_state *state, const rct_force *wrench)
{
    double place[3], motion[3], force[3], moment[3];
    const double *q = state->orientation + 4 * wrench->body, *w = state->spin + 3 * wrench->body;
    cli_state_point(state, wrench->body, wrench->at, place, motion);
    if (!wrench->in_body_axes) {
        return cli_dot(wrench->force, motion) + cli_dot(wrench->moment, w);
    }
    cli_turn(q, wrench->force, force);
    cli_turn(q, wrench->moment, moment);
    return cli_dot(force, motion) + cli_dot(moment, w);
}

static double of_drag(const cli_verification *v, const cli_state *state, const rct_force *drag)
{
    double gravity[3], power = 0.0;
    cli_pushed pushed[CLI_DRAG_POINTS];
    rct_model_gravity(v->model, gravity);
    cli_drag(state, drag, gravity, pushed);
    for (int k = 0; k < CLI_DRAG_POINTS; k++) {
        power += cli_dot(pushed[k].force, pushed[k].motion);
    }
    return power;
}

/* The power of force i, without the part in the potential energy. */
static double of_force(const cli_verification *v, const cli_state *state, const int64_t *places,
                       int32_t i)
{
    rct_force one = rct_force_default();
    rct_model_force(v->model, i, &one, NULL);
    if (one.type == RCT_FORCE_SPRING || one.type == RCT_FORCE_CABLE) {
        const cli_pull pull = cli_pull_of(state, &one);
        return (pull.kept - pull.pull) * pull.rate;
    }
    if (one.type == RCT_FORCE_WRENCH || one.type == RCT_FORCE_DRAG) {
        return v->grounded[one.body]          ? 0.0
               : one.type == RCT_FORCE_WRENCH ? of_wrench(state, &one)
                                              : of_drag(v, state, &one);
    }
    double rate;
    const rct_force_effort effort = cli_effort(v->model, state, places, i, &rate);
    return (effort.effort - effort.kept) * rate;
}

/* The power of the ground: its force at a place that moves with it. */
static double of_ground(const rct_base_motion *ground, const double place[3], const double force[3],
                        const double moment[3])
{
    double arm[3], motion[3];
    for (int k = 0; k < 3; k++) {
        arm[k] = place[k] - ground->position[k];
    }
    cli_cross(ground->angular_velocity, arm, motion);
    for (int k = 0; k < 3; k++) {
        motion[k] += ground->velocity[k];
    }
    return cli_dot(force, motion) + cli_dot(moment, ground->angular_velocity);
}

/* The power of loops that move by themselves, or end on the ground. */
static double of_loop(const cli_state *state, const rct_base_motion *ground, const rct_loop *loop,
                      const double force[3], const double moment[3])
{
    double place[3], motion[3];
    cli_state_point(state, loop->body, loop->at, place, motion);
    return loop->other == RCT_GROUND ? of_ground(ground, place, force, moment) : 0.0;
}

static double of_bodies(const cli_verification *v, const cli_state *state,
                        const rct_base_motion *ground, const double *force, const double *moment)
{
    const double *u = state->rates;
    double power = 0.0;
    for (int32_t b = 0; b < state->bodies; b++) {
        rct_body body = rct_body_default();
        rct_model_body(v->model, b, &body, NULL);
        power += of_hinge(state, ground, b, &body, u);
        if (cli_verify_is_root(v, &body) && !v->grounded[b] && body.hinge != RCT_HINGE_FREE) {
            power += of_ground(ground, state->position + 3 * b, force + 3 * b, moment + 3 * b);
        }
        u += rct_hinge_freedoms(body.hinge);
    }
    return power;
}

bool cli_verify_power(const cli_verification *v, const cli_state *state, const rct_solver *solver,
                      double *power)
{
    const rct_model *model = v->model;
    const int64_t n = state->bodies, loops = rct_model_loop_count(model);
    double *numbers = cli_numbers(6 * n + 7 * loops, "forces");
    rct_base_motion ground;
    int64_t *places = cli_hinge_places(model);
    if (numbers == NULL || places == NULL) {
        free(numbers);
        free(places);
        return false;
    }
    double *force = numbers + 6 * n, *moment = force + 3 * loops, *effort = moment + 3 * loops;
    rct_solver_get_hinge_forces(solver, numbers, numbers + 3 * n);
    rct_solver_get_loop_forces(solver, force, moment, effort);
    rct_model_base_motion(model, state->time, &ground);
    *power = of_bodies(v, state, &ground, numbers, numbers + 3 * n);
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        *power += of_force(v, state, places, i);
    }
    for (int32_t i = 0; i < loops; i++) {
        rct_loop loop = rct_loop_default();
        rct_model_loop(model, i, &loop, NULL);
        if (loop.type == RCT_LOOP_RELATION) {
            double motion[3] = {0.0};
            rct_model_loop_motion(model, i, state->time, motion, NULL);
            *power += effort[i] * motion[1];
        } else {
            *power += of_loop(state, &ground, &loop, force + 3 * i, moment + 3 * i);
        }
    }
    free(numbers);
    free(places);
    return true;
}
